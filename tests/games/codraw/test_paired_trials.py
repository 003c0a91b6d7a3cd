"""What questions and peeks gain: real games of the same pair, each as `groundling play` would play it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import TinyWeights  # noqa: E402

from groundling.cli import main  # noqa: E402
from groundling.core.pack import find  # noqa: E402
from groundling.games.codraw.instance import CodrawInstance  # noqa: E402
from groundling.games.codraw.neural.evaluation.paired_trials import (  # noqa: E402
    TrialOutcome,
    _events_before_finish,
    _play_scenes,
    _trial_pairs,
)
from groundling.games.codraw.recorded.dialogs import WHOLE  # noqa: E402
from groundling.games.codraw.recorded.transcripts import load_instances  # noqa: E402
from groundling.runs.session import new_plan, prepare_session  # noqa: E402

WAYS = {
    False: ["ask=no", "ask=there", "ask=side", "ask=size", "ask=way", "ask=all"],
    True: ["peek=no", "peek=end", "peek=end"],
}


@pytest.fixture(scope="module")
def home(narrated_data: Path, weights: TinyWeights, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dialogs, and weights of three players that learned a little from them."""
    place = tmp_path_factory.mktemp("home")
    (place / "data").symlink_to(narrated_data)
    (place / "drawer").symlink_to(weights("transformer"))
    (place / "bilstm").symlink_to(weights("bilstm"))
    (place / "teller").symlink_to(weights("scene2seq", "b"))
    return place


@pytest.fixture(scope="module")
def parks(home: Path) -> list[CodrawInstance]:
    return list(load_instances(home / "data", "val", WHOLE))


@pytest.mark.slow
@pytest.mark.parametrize("peek", [False, True])
@pytest.mark.parametrize("teller", ["template", "teller"])
def test_each_way_is_the_game_that_groundling_plays(
    teller: str, peek: bool, home: Path, parks: list[CodrawInstance], tmp_path: Path
) -> None:
    codraw = find("codraw")
    who = teller if teller == "template" else str(home / teller)
    pairs = _trial_pairs(codraw.new(), str(home / "drawer"), who, peek=peek)
    assert [pair.way.split(",")[0] for pair in pairs] == WAYS[peek]
    without = TrialOutcome(pairs[0], _play_scenes(codraw.new(), parks, pairs[0], (), lambda done: None))
    asked = 0.0
    for pair in pairs:
        found = TrialOutcome(pair, _play_scenes(codraw.new(), parks, pair, without.games, lambda done: None))
        tells = who if teller == "template" else f"weights:{who}"
        way = {True: {"teller": f"{tells},{pair.way}", "drawer": f"weights:{home / 'drawer'}"}}
        way[False] = {"teller": f"{tells},peek=no", "drawer": f"weights:{home / 'drawer'},{pair.way}"}
        plan = new_plan(codraw, parks, None, settings=codraw.new().settings, source="val", seats=way[peek])
        session = prepare_session(codraw, plan, tmp_path / pair.way)
        session.play_missing(jobs=4)
        done = {one.opened.instance.id: one for one in session.folder.read_transcripts()}
        for park, game in zip(parks, found.games, strict=True):
            assert game.moves() == done[park.id].moves()
            assert game.result == done[park.id].result
        asked += found.mean_questions
    assert asked > 0 or peek


def test_a_beginning_is_all_that_came_before_the_teller_finished(
    home: Path, parks: list[CodrawInstance]
) -> None:
    game = find("codraw").new()
    (pair, *_) = _trial_pairs(game, str(home / "drawer"), "template", peek=False)
    (found,) = _play_scenes(game, parks[:1], pair, (), lambda done: None)
    begun = _events_before_finish(found)
    assert 1 < len(begun) < len(found.events)
    assert begun == found.events[: len(begun)]
    assert [type(event).__name__ for event in found.events[len(begun) :]] == [
        "Replied",
        "Moved",
        "Replied",
        "Moved",
        "Closed",
    ]
    assert _events_before_finish(replace(found, events=begun)) == ()


@pytest.mark.slow
def test_the_command_prints_what_each_way_gains(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        "codraw",
        "asking",
        "--data",
        str(home / "data"),
        "--limit",
        "3",
        "--drawer",
        str(home / "drawer"),
    ]
    tellers = ["--teller", "template", "--teller", str(home / "teller")]
    assert main([*asked, *tellers, "-o", str(tmp_path / "asking.txt")]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "asking.txt").read_text() == printed
    rows = [line.split() for line in printed.splitlines()[1:13]]
    assert [row[1] for row in rows] == WAYS[False] * 2
    assert [row[3] for row in rows if row[1] == "ask=no"] == ["-", "-"]
    assert "3 scenes of val in" in printed
    assert main([*asked[:-1], "grammar", "--peek"]) == 0
    printed = capsys.readouterr().out
    assert "peek=end,mend=anew" in printed
    assert "grammar draws" in printed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--drawer", "teller"], "seat it as teller"),
        (["--drawer", "bilstm"], "leave out ask"),
        (["--drawer", "gone"], "neither grammar nor a folder"),
        (["--drawer", "data"], "no weights.safetensors"),
        (["--drawer", "grammar"], "grammar cannot have ask=there"),
        (["--drawer", "drawer", "--teller", "drawer"], "seat it as drawer"),
        (["--drawer", "drawer", "--teller", "gold"], "neither template nor a folder"),
        (["--drawer", "drawer", "--split", "test"], "no dialogs of test"),
        (["--drawer", "drawer", "--split", "nothing"], "there is no split"),
    ],
)
def test_what_cannot_play_is_told_in_one_line_before_anything_is_printed(
    options: list[str], told: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {path.name: str(path) for path in home.iterdir()}
    words = [places.get(word, word) for word in options]
    assert main(["codraw", "asking", "--data", str(home / "data"), *words]) == 2
    found = capsys.readouterr()
    assert told in found.err
    assert (found.out, found.err.count("\n")) == ("", 1)
