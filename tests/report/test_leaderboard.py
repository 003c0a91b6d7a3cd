"""What a leaderboard says of a tournament, and the files that it is written to."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from groundling.cli.main import main
from groundling.report.leaderboard import Leaderboard, LeaderboardSeat
from groundling.report.leaderboard_data import gather_leaderboard
from groundling.report.leaderboard_skill import SkillPart, estimate_skill
from groundling.runs.tournament_folder import read_pairs

PLAYERS = """
[[players]]
player = "gold"
[[players]]
player = "rule"
[[players]]
player = "fullest"
[[players]]
player = "random"
name = "chance.1"

[games.reference]
recipe = {seed = 1}
"""
"""The seed: by luck alone, one tournament in fifty shows a follower that guesses as one that wins."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two games, whose reference sets have the shortcut of the fullest grid."""
    place = tmp_path_factory.mktemp("tournament")
    (place / "players.toml").write_text(PLAYERS)
    command = ["tournament", "reference", "image", "--players", str(place / "players.toml")]
    assert main([*command, "-n", "8", "-o", str(place / "t")]) == 0
    return place / "t"


@pytest.fixture(scope="module")
def board(folder: Path) -> Leaderboard:
    return gather_leaderboard(folder)


def seat_of(board: Leaderboard, game: str, seat: str, player: str) -> LeaderboardSeat:
    return next(one for one in board.seats if (one.game, one.seat, one.player) == (game, seat, player))


def test_a_follower_that_wins_without_words_is_marked_and_no_other_is(board: Leaderboard) -> None:
    assert [(one.game, one.player) for one in board.seats if one.wordless] == [("reference", "fullest")]
    assert [(one.player, one.wordless) for one in board.skills if one.wordless] == [
        ("fullest", ["reference"])
    ]


def test_self_play_is_marked_and_no_part_of_a_players_score(board: Leaderboard) -> None:
    own = [pair for pair in board.pairs if pair.self_play]
    assert {(pair.game, pair.giver) for pair in own} == {
        *(("image", name) for name in ("gold", "rule", "chance.1")),
        *(("reference", name) for name in ("gold", "chance.1")),
    }
    gold = seat_of(board, "reference", "giver", "gold")
    others = [
        pair.score
        for pair in board.pairs
        if (pair.game, pair.giver) == ("reference", "gold") and not pair.self_play
    ]
    assert gold.partners == len(others) == 3
    assert gold.score.mean == pytest.approx(sum(one.mean for one in others) / 3)
    assert gold.score.n == 24


def test_skill_is_0_for_guessing_and_1_for_the_top(board: Leaderboard) -> None:
    skills = {(one.player, one.seat): one.skill for one in board.skills}
    assert skills["fullest", "follower"].mean == pytest.approx(1)
    assert skills["fullest", "follower"].low < 1, "eight instances do not make certain"
    rule = [seat_of(board, game, "follower", "rule").score.mean for game in ("image", "reference")]
    chances = {game.name: game.chance for game in board.games}
    assert chances["reference"] == pytest.approx(1 / 3)
    expected = (rule[0] + (rule[1] - 1 / 3) / (2 / 3)) / 2
    assert skills["rule", "follower"].mean == pytest.approx(expected)


def test_a_player_that_always_fails_has_an_interval_around_its_skill() -> None:
    failed = SkillPart(np.zeros(3), -0.5, np.array([-0.5, -0.5, -0.5]), np.ones(3))
    found = estimate_skill([failed])
    assert found.mean == found.low == -0.5
    assert -0.5 < found.high < 1
    solved = estimate_skill([SkillPart(np.ones(3), -0.5, np.ones(3), np.ones(3))])
    assert solved.mean == solved.high == 1
    assert -0.5 < solved.low < 1


def test_abilities_are_those_of_rank_and_reciting_is_measured(board: Leaderboard) -> None:
    assert all(game.ranked for game in board.games)
    gold, chance = (seat_of(board, "reference", "giver", name) for name in ("gold", "chance.1"))
    assert gold.ability is not None
    assert chance.ability is not None
    assert gold.ability.ability > chance.ability.ability
    assert seat_of(board, "image", "giver", "gold").recited == 1, "it names cell after cell"


def test_the_page_has_the_data_beside_it_and_loads_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "best.html"
    assert main(["leaderboard", str(folder), "-o", str(page)]) == 0
    assert f"{page}: " in capsys.readouterr().out
    text = page.read_text()
    assert not re.search(r'(src|href)="(https?:)?//', text)
    for pair in (pair for pair in read_pairs(folder) if not pair.control):
        place = f"#pair={pair.game}%2F{pair.giver}%2F{pair.follower}"
        assert f'href="{place}"' in text, "every cell leads to its episodes"
    data = msgspec.json.decode((tmp_path / "best-leaderboard.json").read_bytes())
    assert len(data["pairs"]) == 9 + 8
    rows = list(csv.DictReader((tmp_path / "best-pairs.csv").open()))
    assert len(rows) == 9 + 8
    assert rows[0].keys() >= {"game", "giver", "follower", "score", "score_low", "silent", "self_play"}
    players = list(csv.DictReader((tmp_path / "best-players.csv").open()))
    assert players[0].keys() >= {
        "player",
        "seat",
        "played",
        "quality",
        "ability_score",
        "dollars",
        "usage_calls",
    }


def test_the_folder_has_a_report_of_each_pair(folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert main(["leaderboard", str(folder), "-o", str(site), "--episodes", "1"]) == 0
    reports = {path.relative_to(site).as_posix() for path in (site / "runs").rglob("*.html")}
    assert len(reports) == 9 + 8
    listed = re.search(r'id="data">(.*?)</script>', (site / "index.html").read_text(), re.DOTALL)
    assert listed is not None
    pairs = json.loads(listed[1])
    assert {one["report"] for one in pairs.values()} == reports
    assert all(len(one["episodes"]) == 8 for one in pairs.values())
    assert json.loads((site / "schema.json").read_text())["$ref"] == "#/$defs/Leaderboard"


def test_what_cannot_be_shown_is_reported_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, told in (
        (["leaderboard"], "leaderboard of which tournament?"),
        (["leaderboard", str(tmp_path / "none")], "is not a folder: give one made by groundling tournament"),
        (["leaderboard", str(tmp_path)], "has no runs of a tournament"),
        (["leaderboard", str(folder), "-o", "board.pdf"], "neither a page nor a folder: write -o PAGE.html"),
    ):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert told in err
        assert err.count("\n") == 1
    assert main(["leaderboard", "--schema"]) == 0
    assert "LeaderboardPair" in capsys.readouterr().out
