"""`groundling tournament`: all pairs over several games, given again, grown, within limits, and refused."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.games.codraw import remembered
from tests.runs.test_workers import LocalWorkers

from groundling.cli.main import main
from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.runs.tournament_folder import read_pairs
from groundling.runs.tournament_plan import read_tournament_file, read_tournament_plan

RULES = '[[players]]\nplayer = "gold"\n[[players]]\nplayer = "rule"\n[[players]]\nplayer = "random"\n'


class CountingModel:
    """Counts all calls by model, seat and what is asked."""

    asked: ClassVar[Counter[tuple[str, str, str, int]]] = Counter()

    def __init__(self, seat: Seat) -> None:
        self.name, self.role = seat.name, seat.role
        self.sampling: dict[str, Any] = {}

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.asked[self.name, self.role, conversation[-1].text, seed] += 1
        text = f"Expression: grid {seed}" if self.role == "giver" else "Answer: first"
        return ModelAnswer(text, usage={"total_tokens": 10}, detail={"stop": "stop"})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def make_counting_player(seat: Seat) -> Player:
        return ChatPlayer(seat, CountingModel(seat))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("groundling.players.chat.chat_player.make_hosted_player", make_counting_player)
    monkeypatch.setattr(CountingModel, "asked", Counter())
    return tmp_path


def play(players: str, *more: str, games: str = "reference") -> int:
    Path("players.toml").write_text(players)
    return main(["tournament", *games.split(), "--players", "players.toml", "-o", "t", *more])


def played_logs() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path("t").rglob("log.jsonl"))}


def test_a_player_added_later_adds_only_its_pairs_and_nothing_is_played_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert play(RULES, "-n", "3", games="reference image") == 0
    out = capsys.readouterr().out
    assert "image: 9 pairs, 27 episodes (0 done), then controls" in out
    assert "reference: success, giver by follower" in out
    assert "‡ both seats are taken by the same player" in out
    first = played_logs()
    assert len(first) == (9 + 6) * 3, "rule gives nothing in reference; two controls follow each run"
    plan = read_tournament_plan(Path("t"))
    assert play(RULES, "-n", "3", games="reference image") == 0
    assert played_logs() == first
    assert read_tournament_plan(Path("t")) == plan
    assert play(f'{RULES}[[players]]\nplayer = "fullest"\n', "-n", "3", games="reference image") == 0
    second = played_logs()
    assert {path: second[path] for path in first} == first
    assert {Path(path).parts[2] for path in second.keys() - first.keys()} == {
        "gold--fullest",
        "random--fullest",
    }
    grown = read_tournament_plan(Path("t"))
    assert plan is not None
    assert grown is not None
    assert list(grown.players) == ["gold", "rule", "random", "fullest"]
    assert grown.plan_hash() != plan.plan_hash()


def test_a_giver_that_speaks_once_is_asked_once_for_each_repeat() -> None:
    models = "".join(f'[[players]]\nplayer = "test/{name}"\n' for name in "ab")
    assert play(f'{models}[[players]]\nplayer = "rule"\n', "-n", "3", "--repeat", "2") == 0
    asked = CountingModel.asked
    assert max(asked.values()) == 1
    giver = sum(count for (_, role, _, _), count in asked.items() if role == "giver")
    assert giver == 2 * 3 * 2, "two givers, three instances, two repeats; three followers share their words"
    silent = sum(count for (_, role, text, _), count in asked.items() if role == "follower" and "…" in text)
    assert silent == 2 * 3 * 2, "without words all givers are the same"


def test_a_part_of_the_pairs_is_played_and_grows_with_a_player() -> None:
    models = [f'[[players]]\nplayer = "test/{name}"\n' for name in "abcde"]
    assert play("".join(models[:4]), "-n", "2", "--partners", "2", "--no-controls") == 0
    first = {(pair.giver, pair.follower) for pair in read_pairs(Path("t"))}
    assert len(first) == 8
    assert not any(pair.self_play or pair.control for pair in read_pairs(Path("t")))
    assert play("".join(models), "-n", "2", "--partners", "2", "--no-controls") == 0
    second = {(pair.giver, pair.follower) for pair in read_pairs(Path("t"))}
    assert first < second
    assert all("test-e" in pair for pair in second - first)


def test_as_many_partners_as_the_limit_allows(capsys: pytest.CaptureFixture[str]) -> None:
    models = "".join(f'[[players]]\nplayer = "test/{name}"\n' for name in "abcd")
    words = ("-n", "2", "--no-controls", "--dry-run")
    assert play(models, *words) == 0
    whole = int(capsys.readouterr().out.rsplit("at most ", 1)[1].split()[0].replace(",", ""))
    assert play(models, *words, "--partners", "fit", "--max-tokens-total", str(whole)) == 0
    assert "16 pairs" in capsys.readouterr().out
    assert play(models, *words, "--partners", "fit", "--max-tokens-total", str(whole - 1)) == 0
    assert "12 pairs" in capsys.readouterr().out
    assert not CountingModel.asked


def test_recorded_people_are_rows(capsys: pytest.CaptureFixture[str]) -> None:
    remembered.folder(Path("data"))
    players = (
        '[[players]]\nplayer = "template"\n[[players]]\nplayer = "grammar"\n[[players]]\nplayer = "gold"\n'
    )
    settings = '[games.codraw]\ndata = "data@val"\nsettings = { silent = true, peeks = 0 }\n'
    assert play(players + settings, games="codraw") == 0
    assert "codraw: 2 recorded games of people" in capsys.readouterr().out
    found = [pair for pair in read_pairs(Path("t")) if pair.giver == "people" and not pair.control]
    assert [pair.follower for pair in found] == ["gold", "grammar", "people"]
    assert not any(pair.self_play for pair in found), "they are not one person"
    assert play(players + settings, games="codraw") == 0


def test_the_schema_of_the_file_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["$defs"]["TournamentPlayer"]["properties"]) == {
        "player",
        "name",
        "options",
        "seats",
        "games",
    }


TWO = '[[players]]\nplayer = "gold"\n[[players]]\nplayer = "rule"\n'


@pytest.mark.parametrize(
    ("players", "words", "told"),
    [
        (
            TWO + '[[players]]\nplayer = "gold"\n',
            "",
            "two players called gold: give one of them another name",
        ),
        (TWO + '[[players]]\nplayer = "gold"\nname = "other"\n', "", "the player gold is there twice"),
        (
            TWO + '[[players]]\nplayer = "chess"\n',
            "",
            "chess can take no seat: reference has no player 'chess'",
        ),
        (TWO + '[[players]]\nplayer = "gguf:none.gguf"\n', "", "can take no seat: none.gguf: No such file"),
        (
            '[[players]]\nplayer = "rule"\n',
            "",
            "nobody can sit as giver in reference: add a player with the seat",
        ),
        (TWO + 'seats = ["giver"]\n', "", "rule can take no seat as giver: "),
        (TWO + 'seats = ["judge"]\n', "", "players.2.seats"),
        (TWO + "colour = 3\n", "", "players.2: there is no key colour"),
        (TWO + '[[players]]\nplayer = "random"\nname = "a--b"\n', "", "cannot be called 'a--b'"),
        (TWO + "[games.refrence]\nn = 3\n", "", "games.refrence: there is no such game"),
        (TWO + "[games.reference]\nsettings = { peeks = 1 }\n", "", "games.reference.settings has no peeks"),
        (TWO + "[games.reference]\nrecipe = { size = 99 }\n", "", "size"),
        (RULES, "--partners 1", "not connected, so that nobody compares: "),
        (RULES, "--partners none", "--partners none: give a number from 1, all or fit"),
        (RULES, "--partners fit", "--partners fit needs a limit"),
        (TWO + '[[players]]\nplayer = "test/a"\n', "--max-tokens-total 20", "the limit is below one pair: "),
        ("players = 3", "", "players"),
        ("[[players", "", "players.toml is not TOML"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line_and_nothing_is_played(
    players: str, words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(players, "-n", "2", *words.split()) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not played_logs()


def test_a_player_of_another_game_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    others = '[[players]]\nplayer = "grammar"\n[[players]]\nplayer = "fullest"\ngames = ["image"]\n'
    assert play(TWO + others, "-n", "2", "--no-controls") == 0
    assert "  follower: gold, rule\n" in capsys.readouterr().out


def test_the_command_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        ("tournament", "tournament of which games?"),
        ("tournament reference", "who plays? name a file with --players FILE"),
        ("tournament reference reference --players none.toml", "the game reference is named twice"),
        ("tournament reference --players none.toml", "none.toml: No such file"),
    ):
        assert main(words.split()) == 2
        assert told in capsys.readouterr().err


def test_a_folder_holds_a_run_or_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ("--seat", "giver=gold", "--seat", "follower=rule", "--limit", "2", "-o")
    assert main(["play", "reference", *seats, "cup"]) == 0
    before = sorted(Path("cup").rglob("*"))
    assert play(TWO, "-n", "2", "-o", "cup") == 2
    assert "cup holds a run: choose another folder" in capsys.readouterr().err
    assert sorted(Path("cup").rglob("*")) == before
    assert play(TWO, "-n", "2", "--no-controls", "-o", "other") == 0
    assert main(["play", "reference", *seats, "other"]) == 2
    assert "other holds a tournament: choose another folder" in capsys.readouterr().err


def test_another_player_of_the_same_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert play(TWO, "-n", "2", "--no-controls") == 0
    changed = TWO.replace('player = "gold"', 'player = "random"\nname = "gold"')
    assert play(changed, "-n", "2", "--no-controls") == 2
    assert "gold" in capsys.readouterr().err
    assert play(TWO, "-n", "3", "--no-controls") == 2
    assert "was made with another recipe: choose another folder" in capsys.readouterr().err


def test_the_example_of_the_documentation_is_a_valid_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text()
    Path("players.toml").write_text(page.split("```toml\n")[1].split("```")[0])
    file = read_tournament_file(Path("players.toml"))
    assert [player.label for player in file.players] == ["openai-gpt-4o", "small", "gold", "rule"]
    assert file.players[0].spec == "openai/gpt-4o,temperature=0,max_tokens=200"
    assert set(file.games) == {"reference", "codraw"}


def test_shards_of_a_tournament_are_joined_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert play(RULES, "-n", "4", "--shard", "1/2") == 0
    assert "controls need the words of all shards" in capsys.readouterr().out
    assert play(RULES, "-n", "4", "--shard", "2/2") == 0
    assert main(["merge", "t", "-o", "early"]) == 2
    assert "shard 1/2 is missing" in capsys.readouterr().err
    assert play(RULES, "-n", "4", "--shard", "1/2") == 0
    assert main(["merge", "t", "-o", "joined"]) == 0
    assert main(["leaderboard", "joined", "-o", "page.html"]) == 0
    shutil.rmtree("t")
    Path("joined").rename("t")
    before = played_logs()
    assert len(before) == 6 * 3, "rule gives nothing in reference; two controls follow each run"
    assert play(RULES, "-n", "4") == 0
    assert played_logs() == before, "nothing is played again"
    assert "success, giver by follower" in capsys.readouterr().out


def test_machines_without_a_shared_folder_play_shards_of_one_tournament(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert play(RULES, "-n", "4", "--shard", "1/2", "--no-controls") == 0
    shutil.copytree("t", "first")  # the other machine gets a copy of what the first has
    assert play(RULES, "-n", "4", "--shard", "2/2", "--no-controls") == 0
    shutil.rmtree("t/reference/gold--gold/shards/1-of-2")  # only one machine has these
    capsys.readouterr()
    assert main(["merge", "first", "t", "-o", "joined"]) == 0
    assert "played twice" not in capsys.readouterr().out, "copies are not"
    assert main(["rank", "joined"]) == 0
    shutil.copytree("first", "t", dirs_exist_ok=True)  # all shards in one place, for controls
    for shard in ("1/2", "2/2"):
        assert play(RULES, "-n", "4", "--shard", shard) == 0
    assert "controls need" not in capsys.readouterr().out
    assert main(["merge", "t", "-o", "whole"]) == 0
    assert len(list(Path("whole").glob("*/*/shuffled/log.jsonl"))) == 6


def test_a_tournament_in_one_piece_is_not_merged(capsys: pytest.CaptureFixture[str]) -> None:
    assert play(RULES, "-n", "2") == 0
    assert main(["merge", "t", "-o", "joined"]) == 2
    assert "is a tournament in one piece" in capsys.readouterr().err


def test_workers_play_the_pairs_of_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = LocalWorkers()
    monkeypatch.setattr("groundling.runs.playing.find_launcher", lambda text: workers)
    assert play(RULES, "-n", "2", "--workers", "here") == 0
    assert len(workers.tasks) == 6 * 3 * 2
