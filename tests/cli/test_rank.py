"""`groundling rank`: abilities from tournaments and from single runs, and what cannot be ranked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.helpers import session

from groundling.cli.main import main
from groundling.runs.tournament_folder import TOURNAMENT_FILE, pair_folder

PAIRS = [(giver, follower) for giver in ("gold", "shuffled") for follower in ("rule", "random", "fullest")]


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament")
    (folder / TOURNAMENT_FILE).write_text("")
    for giver, follower in PAIRS:
        play(pair_folder(folder, "reference", giver, follower), giver, follower)
    return folder


def play(folder: Path, giver: str, follower: str) -> None:
    session(folder, {"giver": giver, "follower": follower}, limit=12).play_missing(8)


def test_a_tournament_is_ranked_by_seat(
    tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ranks.json"
    assert main(["rank", str(tournament), "--all", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert (
        "reference: abilities in the seat giver, over 12 instances in 12 clusters and 3 partners" in printed
    )
    assert "differences of success in the seat follower" in printed
    assert "smallest difference found with a power of 80 %" in printed
    (found,) = json.loads(out.read_bytes())
    assert found["link"] == "chance-logit"
    players = {one["name"]: one for one in found["seats"]["follower"]["players"]}
    assert players["fullest"]["score"] > players["random"]["score"]
    assert players["fullest"]["high"] is None  # it wins all: no upper bound
    assert len(found["pairs"]) == len(PAIRS)


def test_single_runs_are_ranked_like_a_tournament(
    tournament: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(pair_folder(tournament, "reference", *pair)) for pair in PAIRS]
    assert main(["rank", *runs]) == 0
    single = capsys.readouterr().out
    assert main(["rank", str(tournament / "reference")]) == 0
    assert capsys.readouterr().out == single


def test_abilities_are_printed_by_facet_and_equivalence_is_tested(
    tournament: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rank", str(tournament), "--by", "set", "--equal", "0.9"]) == 0
    printed = capsys.readouterr().out
    assert "reference: abilities by set" in printed
    assert "edits-4" in printed
    assert "equivalent within 0.9 (two one-sided tests, Holm): gold = shuffled" in printed


def test_what_cannot_be_ranked_is_refused_in_one_line(
    tournament: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path / "one", "gold", "rule")
    play(tmp_path / "other", "shuffled", "random")
    for words, told in (
        ([tmp_path / "one"], "nothing to rank"),
        ([tmp_path / "one", tmp_path / "other"], "reference: the pairs are not connected (gold → rule;"),
        ([tmp_path / "nothing"], "is not there"),
        ([tournament, "--by", "weather"], "cannot be broken down by 'weather'"),
        ([tournament, "--equal", "-1"], "give a number above 0"),
        ([tournament, "--equal", "nan"], "give a number above 0"),
        ([tournament, "-o", "ranks.csv"], "ranks.csv is not a .json file"),
        ([tournament, "--set", "edits-9"], "edits-9"),
    ):
        assert main(["rank", *map(str, words)]) == 2
        printed, error = capsys.readouterr()
        assert printed == ""
        assert told in error
        assert error.count("\n") == 1
