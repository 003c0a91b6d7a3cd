"""Our episodes by clembench's rules: where the numbers are the same, where they are not, and its table over
our runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.bridges.compare import PAIRS, compare_all
from tests.helpers import Fails, Says

from groundling.boards.letter_grid import Grid
from groundling.bridges.clem import clembench_replies, replay, to_clembench
from groundling.bridges.clem.clembench_table import ClemTally, compute_clemscore, tally_clembench_runs
from groundling.bridges.clem.clembench_table import clembench_table as clem_table
from groundling.cli.main import main
from groundling.core.events import Transcript
from groundling.core.pack import Measure, find, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Instance, Problem
from groundling.games.image.rules import ImageSettings, Picture
from groundling.games.reference.make import LineupRecipe, make
from groundling.games.reference.rules import Lineup
from groundling.runs.run_folder import RunFolder
from groundling.runs.sampling import order_by_rotation

LINEUP: Lineup = load(find("reference").builtin)()[0]
PICTURE = Picture(id="p", target=Grid("XX.../X..../...../...../....."))
RIGHT, WRONG = (("first", "second", "third")[(LINEUP.answer - 1 + step) % 3] for step in (0, 1))
SAID, PUT, DONE = "Expression: it", "Instruction: it", "Instruction: DONE"


def played(
    instance: Instance, giver: Player, follower: Player, settings: Any = None, **options: Any
) -> Transcript:
    game = find("image" if isinstance(instance, Picture) else "reference").new(settings)
    players = {"giver": giver, "follower": follower}

    async def go() -> Transcript:
        return Transcript(
            tuple([e async for e in play(game, instance, players, seed=0, clock=lambda: 0.0, **options)])
        )

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("pairs", "limit"), [(PAIRS[1::3], 4), pytest.param(PAIRS, None, marks=pytest.mark.slow)]
)
def test_the_built_in_episodes_score_the_same_where_both_measure_the_same(
    pairs: list[tuple[str, str, str]], limit: int | None, tmp_path: Path
) -> None:
    rows = compare_all(tmp_path, pairs, limit)
    assert {(row.game, row.n) for row in rows} == {("reference", limit or 36), ("image", limit or 40)}
    for row in rows:
        assert row.inspect_mean == pytest.approx(row.our_mean)
        if row.measure == "success":
            assert row.equal == row.n
        elif row.game == "reference" and row.measure == "characters":
            assert (row.equal, row.largest) == (0, len("Expression: "))
        elif row.measure in ("f1", "precision", "recall"):
            assert row.largest <= 0.005
            assert row.equal == row.n or row.players.endswith("random")
        elif row.measure in ("changed", "characters"):
            assert row.largest <= 0.00005
        else:
            assert row.measure == "tokens"
            assert row.equal < row.n
        assert bool(row.why) == (row.equal < row.n)


def test_an_instance_is_written_as_clembench_has_it() -> None:
    theirs = to_clembench(LINEUP)
    assert theirs["player_1_target_grid"] == LINEUP.grids[0].text()
    shown = [theirs[f"player_2_{place}_grid"] for place in ("first", "second", "third")]
    assert shown == [LINEUP.grids[i].text() for i in LINEUP.follower]
    assert shown[int(theirs["target_grid_name"][1]) - 1] == theirs["player_1_target_grid"]
    assert len({theirs[f"player_1_{place}_grid"] for place in ("target", "second", "third")}) == 3
    assert to_clembench(PICTURE) == {
        "game_id": "p",
        "target_grid": PICTURE.target.text(),
        "grid_dimension": 5,
    }


def test_what_clembench_has_no_game_for_is_refused() -> None:
    (lineup,) = make(LineupRecipe(n=1, distractors=3, edits="2"))
    for instance in (lineup, Instance(id="other")):
        with pytest.raises(ValueError, match="clembench has no game for"):
            to_clembench(instance)


def test_replies_end_with_the_first_that_we_refused() -> None:
    mended = played(LINEUP, Says("", SAID), Says(f"Answer: {RIGHT}"))
    assert mended.status == "played"
    assert clembench_replies(mended) == [""]
    assert (
        replay("referencegame", to_clembench(LINEUP), clembench_replies(mended))[1]["Aborted at Player 1"]
        == 1
    )


def test_a_picture_that_our_limit_ended_is_ended_for_clembench_too() -> None:
    drawn = PICTURE.target.text()
    limited = played(PICTURE, Says(PUT), Says(drawn), ImageSettings(turns=2))
    assert clembench_replies(limited) == [PUT, drawn, PUT, drawn, DONE]
    ended = played(PICTURE, Says(PUT, DONE), Says(drawn))
    assert clembench_replies(ended) == [PUT, drawn, DONE]


def test_an_episode_that_stopped_is_not_ended() -> None:
    assert clembench_replies(played(PICTURE, Says(PUT), Fails(1, ""))) == [PUT]


def test_figures_are_by_its_definitions_and_rounded_as_its_are() -> None:
    nan = float("nan")
    reference, image = ClemTally([100.0, 0.0, nan]), ClemTally([50.0, 25.0, 30.0, nan])
    assert (reference.percent_played, reference.mean_quality) == (66.67, 50.0)
    assert (image.percent_played, image.mean_quality) == (75.0, 35.0)
    assert compute_clemscore([reference, image]) == (30.11, 70.84, 42.5)
    assert compute_clemscore([reference, ClemTally()]) == (33.34, 66.67, 50.0)
    assert compute_clemscore([reference, ClemTally([nan])]) == (16.67, 33.34, 50.0)


def first_instances(n: int) -> list[Any]:
    pack = find("reference")
    return order_by_rotation(pack, load(pack.builtin)())[:n]


def run(path: Path, pairs: list[tuple[str, str]], *options: str) -> RunFolder:
    """A run on the first instances of the built-in set, an episode for each pair of texts."""
    instances = [one.id for one in first_instances(len(pairs))]
    for seat, texts in enumerate(("giver", "follower")):
        lines = [
            f'{{"episode": "{one}", "replies": ["{pair[seat]}", "?"]}}'
            for one, pair in zip(instances, pairs, strict=True)
        ]
        (path.parent / f"{texts}.jsonl").write_text("\n".join(lines))
    seats = [
        word
        for seat in ("giver", "follower")
        for word in ("--seat", f"{seat}=script:{path.parent / seat}.jsonl")
    ]
    main(["play", "reference", "--limit", str(len(pairs)), *seats, "-o", str(path), *options])
    return RunFolder(path)


def test_the_three_readings_of_a_run(tmp_path: Path) -> None:
    """Right and well-formed; right, but not strictly; a label that only clembench reads; no answer at all."""
    answers = [lineup.answer for lineup in first_instances(4)]
    pairs = [
        (SAID, f"Answer: {answers[0]}"),
        (SAID, f"I think it is {('first', 'second', 'third')[answers[1] - 1]}"),
        (SAID, f"Answer: {answers[2]}, or {answers[2] % 3 + 1}"),
        (SAID, "no idea"),
    ]
    tallies = tally_clembench_runs([run(tmp_path / "run", pairs)])
    figures = {
        reading: (tally.percent_played, tally.mean_quality, len(tally.scores))
        for (_, _, reading), tally in tallies.items()
    }
    assert figures == {
        "clembench": (50.0, 100.0, 4),
        "strict": (25.0, 100.0, 4),
        "tolerant": (50.0, 100.0, 4),
    }


def test_a_strict_run_has_no_tolerant_reading(tmp_path: Path) -> None:
    tallies = tally_clembench_runs([run(tmp_path / "run", [(SAID, "Answer: 1")], "--strict")])
    assert {reading for _, _, reading in tallies} == {"clembench", "strict"}


def test_what_has_no_score_by_its_rules_is_left_out_and_told(tmp_path: Path) -> None:
    """We refuse an expression of blanks, clembench takes it: what would have been answered nobody knows."""
    folder = run(tmp_path / "run", [("Expression:  ", "Answer: 1"), (SAID, "Answer: 1")])
    tally = tally_clembench_runs([folder])["script → script", "reference", "clembench"]
    assert (len(tally.scores), tally.without) == (1, 1)
    assert clem_table([folder]).notes[0].startswith("1 episodes have no score")


def test_a_game_that_clembench_does_not_have_has_only_our_readings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundling.bridges.clem.clembench_table.GAMES", {"image": "imagegame"})
    tallies = tally_clembench_runs([run(tmp_path / "run", [(SAID, "Answer: 1")])])
    assert {reading for _, _, reading in tallies} == {"strict", "tolerant"}


def test_a_game_without_a_best_score_has_no_quality(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run(tmp_path / "run", [(SAID, "Answer: 1")])
    monkeypatch.setattr("groundling.games.reference.score.MEASURES", (Measure("points", "without end"),))
    with pytest.raises(Problem, match="reference has no best points"):
        tally_clembench_runs([folder])


def test_errored_episodes_are_left_out(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(
        "from groundling.core.player import Unable\n\n\nclass Silent:\n"
        "    async def act(self, ask):\n        raise Unable('asleep', 'not today')\n"
    )
    seats = ["--seat", "giver=gold", "--seat", f"follower={silent}:Silent"]
    assert main(["play", "reference", "--limit", "2", *seats, "-o", str(tmp_path / "run")]) == 1
    assert tally_clembench_runs([RunFolder(tmp_path / "run")]) == {}


def test_score_as_clembench_prints_its_table_beneath_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run(tmp_path / "run", [(SAID, f"Answer: {LINEUP.answer}")])
    picture = tmp_path / "picture"
    seats = ["--seat", "giver=gold", "--seat", "follower=gold"]
    main(["play", "image", *seats, "--limit", "2", "-o", str(picture)])
    capsys.readouterr()
    assert main(["score", str(folder.path), str(picture), "--as", "clembench"]) == 0
    out = capsys.readouterr().out
    ours, theirs = out.split("as clembench: ")
    assert "reference: 1 if the follower picked" in ours
    rows = [line.split() for line in theirs.splitlines() if "→" in line]
    assert [row[:3] + row[3:5] for row in rows] == [
        [who, "→", who, reading, "100.00"]
        for who in ("gold", "script")
        for reading in ("clembench", "strict", "tolerant")
    ]
    assert rows[0][5:] == ["100.00", "100.00", "2", "100.00", "100.00", "0", "—", "—"]


def test_an_unknown_table_is_reported_in_one_line_before_anything_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run(tmp_path / "run", [(SAID, "Answer: 1")])
    capsys.readouterr()
    assert main(["score", str(folder.path), "--as", "nothing"]) == 2
    shown = capsys.readouterr()
    told = "there is no table in the format of 'nothing': choose from clembench, hexagons-paper"
    assert shown.err == f"groundling: {told}\n"
    assert shown.out == ""
    assert not (folder.path / "scores.parquet").exists()
