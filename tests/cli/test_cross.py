"""`groundling cross`: every speaker with every listener, and who has learned from the same games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.boards.scenes import released
from tests.games.codraw import remembered

from groundling.cli.main import main

LEARNED = [word for seat in ("--tellers", "--drawers") for half in "ab" for word in (seat, f"nearest:{half}")]


@pytest.fixture
def halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with data, and a memory of each of its halves."""
    monkeypatch.chdir(tmp_path)
    remembered.folder(tmp_path / "data")
    for half in ("a", "b"):
        assert main(["train", "codraw-nearest", "--data", "data", "--half", half, "-o", half]) == 0
    assert "a: half a, 2 dialogs, 4 rounds that add one piece" in capsys.readouterr().out


def rows(out: str) -> dict[str, list[str]]:
    """The cells of the matrix by speaker: the mean, and the marks behind the interval."""
    table = out[out.index("codraw: similarity") :]
    lines = table[table.index("─\n") + 2 : table.index("similarity: ")].splitlines()
    found = {}
    for line in lines:
        name, *cells = re.split("  +", line)
        found[name] = [cell.split()[0] + "".join(mark for mark in "*†" if mark in cell) for cell in cells]
    return found


@pytest.mark.usefixtures("halves")
def test_a_pair_that_has_learned_from_the_same_dialogs_wins_by_its_codebook_and_is_marked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cross", "codraw", "--data", "data", "--on", "val", *LEARNED]) == 0
    out = capsys.readouterr().out
    found = rows(out)
    assert list(found) == ["nearest a", "nearest b"]
    marked = [[cell.endswith("*") for cell in cells] for cells in found.values()]
    assert marked == [[True, False], [False, True]]
    scores = [[float(cell.rstrip("*†")) for cell in cells] for cells in found.values()]
    assert scores[0][0] > scores[0][1]
    assert scores[1][1] > scores[1][0]
    assert "* both have learned from the same games, up to 2" in out
    assert "†" not in out
    assert "2 instances in 2 clusters" in out
    assert "people, as they were recorded: 5.000" in out


@pytest.mark.usefixtures("halves")
def test_players_that_know_what_is_played_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["--tellers", "gold", "--drawers", "nearest:a"]
    assert main(["cross", "codraw", "--data", "data", "--on", "train", *players]) == 0
    out = capsys.readouterr().out
    assert rows(out)["gold"][0].endswith("†")
    assert "† one has learned from what is played here, up to 2 of the instances" in out
    assert "* both" not in out


@pytest.mark.usefixtures("halves")
def test_the_same_command_continues_and_plays_nothing_twice(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["cross", "codraw", "--data", "data", "--on", "val", *LEARNED, "-o", "pairs"]
    assert main(command) == 0
    first = capsys.readouterr().out
    logs = {path: path.read_bytes() for path in Path("pairs").glob("*/log.jsonl")}
    assert len(logs) == 4
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert {path: path.read_bytes() for path in Path("pairs").glob("*/log.jsonl")} == logs
    assert main(["score", *map(str, Path("pairs").iterdir())]) == 0, "they are runs as any other"


@pytest.mark.usefixtures("halves")
def test_players_of_one_name_go_by_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    tellers = ["--tellers", "replay", "--tellers", "replay,until=peek"]
    assert main(["cross", "codraw", "--data", "data", "--on", "val", *tellers, "--drawers", "nearest:b"]) == 0
    assert list(rows(capsys.readouterr().out)) == ["replay", "replay,until=peek"]


@pytest.mark.usefixtures("halves")
def test_other_splits_say_what_is_learned_from_and_what_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    splits = {
        "train_a": ["train_00011"],
        "train_b": ["val_00064"],
        "val": ["train_00023", "val_00052", "gone"],
    }
    Path("splits.json").write_text(json.dumps({"recipe": None, "splits": splits}))
    for half in ("a", "b"):
        words = ["--data", "data", "--splits", "splits.json", "--half", half, "-o", half]
        assert main(["train", "codraw-nearest", *words]) == 0
    words = ["--data", "data", "--splits", "splits.json", "--on", "val"]
    assert main(["cross", "codraw", *words, *LEARNED]) == 0
    out = capsys.readouterr().out
    assert "planned 2 = played 2" in out
    assert "†" not in out
    play = ["play", "codraw", "--data", "data", "--splits", "splits.json", "--split", "val"]
    assert main([*play, "--seat", "teller=nearest:a", "--seat", "drawer=nearest:b", "--dry-run"]) == 0
    assert (
        "would play 2 of 2 episodes (0 done) of codraw from data, val of splits.json"
        in capsys.readouterr().out
    )


def test_any_game_of_two_seats_can_be_crossed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    who = ["--givers", "gold", "--givers", "random", "--followers", "rule"]
    assert main(["cross", "reference", "--limit", "4", *who]) == 0
    out = capsys.readouterr().out
    assert "reference: success, giver by follower" in out
    assert re.search(r"^gold +1\.000 \[", out, re.MULTILINE)
    assert "people" not in out
    assert main(["make", "reference", "-n", "3", "-o", "set.jsonl"]) == 0
    assert main(["cross", "reference", "--on", "set.jsonl", *who]) == 0
    assert "planned 3 = played 3" in capsys.readouterr().out


@pytest.mark.usefixtures("halves")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "cross which game? groundling cross GAME: choose from"),
        ("codraw --drawers gold", "nobody sits as teller: add --tellers PLAYER"),
        ("codraw --tellers gold", "nobody sits as drawer: add --drawers PLAYER"),
        ("codraw --tellers gold --tellers gold --drawers gold", "teller gold is given twice"),
        ("codraw --tellers gold --drawers chess", "codraw has no player 'chess'"),
        ("codraw --tellers gold --drawers nearest:gone", "gone: No such file or directory"),
        ("codraw --data data --on dev --tellers gold --drawers gold", "no part 'dev'"),
        ("codraw --splits data --tellers gold --drawers gold", "add --data PATH"),
        (
            "codraw --data data --splits s.json --on dev --tellers gold --drawers gold",
            "s.json has no split 'dev': choose from val",
        ),
        (
            "codraw --data data --splits s.json --on val --tellers gold --drawers gold",
            "has none of the instances that s.json puts into val",
        ),
        ("codraw --jobs 0 --tellers gold --drawers gold", "--jobs"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.json").write_text('{"splits": {"val": ["val_99999"]}}')
    assert main(["cross", *words.split()]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.no_cover
@pytest.mark.slow
def test_the_effect_shows_in_the_released_dialogs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(released())
    monkeypatch.chdir(tmp_path)
    for half in ("a", "b"):
        assert main(["train", "codraw-nearest", "--data", data, "--half", half, "-o", half]) == 0
    script = ["--tellers", "replay", "--limit", "100", "--silent", "--peeks", "0"]
    assert main(["cross", "codraw", "--data", data, "--on", "val", *LEARNED, *script]) == 0
    found = rows(capsys.readouterr().out)
    assert found["nearest a"][0].endswith("*")
    scores = {name: [float(cell.rstrip("*")) for cell in cells] for name, cells in found.items()}
    assert min(scores["nearest a"][0], scores["nearest b"][1]) > 4.6
    assert max(scores["nearest a"][1], scores["nearest b"][0]) < 1.4
    assert 0.7 < min(scores["replay"]) <= max(scores["replay"]) < 1.2
