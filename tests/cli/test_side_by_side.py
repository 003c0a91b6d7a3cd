"""`show RUN EPISODE --ROLEs PLAYER`: the games of several players side by side, played once."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundling.cli.main import main


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    seats = ["--seat", "teller=template", "--seat", "drawer=grammar"]
    assert main(["play", "codraw", "--limit", "1", "--silent", *seats, "-o", str(folder)]) == 0
    return folder


def first_episode(run: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    main(["show", str(run)])
    return capsys.readouterr().out.split()[0]


def test_followers_hear_the_same_words_and_are_played_once(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["show", str(run), first_episode(run, capsys), "--drawers", "grammar", "--drawers", "random"]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert "2 games played" in first
    assert "round 1" in first
    end = next(line.split() for line in first.splitlines() if line.startswith("end"))
    assert end[1] == end[2] != end[3]
    assert {file.suffix for file in (run / "side_by_side").glob("*.*")} == {".svg", ".png"}
    assert main(words) == 0
    again = capsys.readouterr().out
    assert "nothing was played again" in again
    assert again.splitlines()[:9] == first.splitlines()[:9]


def test_speakers_describe_the_same_instance_and_stand_in_the_report(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = first_episode(run, capsys)
    assert main(["show", str(run), episode, "--tellers", "gold", "--tellers", "template"]) == 0
    assert "gold:\n  1. " in capsys.readouterr().out
    page = tmp_path / "report.html"
    assert main(["report", str(run), "-o", str(page)]) == 0
    assert "Side by side" in page.read_text()
    assert f"{episode.replace('-', '_')}" in page.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["E", "--drawers", "nobody"], "no player 'nobody'"),
        (["E", "--drawers"], "--drawers needs a player"),
        (
            ["E", "--givers", "gold"],
            "show has no option --givers: for codraw there are --tellers and --drawers",
        ),
        (["nope", "--drawers", "grammar"], "has no episode 'nope'"),
        (["--drawers", "grammar"], "--drawers needs an episode"),
        (["E", "--drawers", "grammar", "--drawers", "grammar"], "given twice"),
        (["E", "--tellers", "gold", "--drawers", "gold", "--drawers", "random"], "one drawer, not with 2"),
        (["E", "--drawers", "template"], "template is a Teller"),
        (["E", "--drawers", "grammar", "--game", "hexagons"], "is a run of codraw, not of hexagons"),
    ],
)
def test_wrong_words_are_told_in_one_line(
    run: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    episode = first_episode(run, capsys)
    assert main(["show", str(run), *(episode if word == "E" else word for word in words)]) != 0
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.parametrize("game", ["reference", "image"])
def test_it_works_for_other_games_by_their_roles(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    seats = ["--seat", "giver=gold", "--seat", "follower=gold"]
    assert main(["play", game, "--limit", "1", *seats, "-o", str(folder)]) == 0
    episode = first_episode(folder, capsys)
    assert main(["show", str(folder), episode, "--followers", "gold", "--followers", "random"]) == 0
    assert "end" in capsys.readouterr().out
