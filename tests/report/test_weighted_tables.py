"""Every mean of an uneven sample stands for the whole: in tables, comparisons, breakdowns, plots and crosses.

Of 18 instances of edits-2 and 6 of edits-4, four each are played. `Partial` is right in edits-2 alone, so
its mean over the whole is 0.75, where the mean of the episodes is 0.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from msgspec.structs import replace
from tests.helpers import GOLD, session

from groundling.cli import main
from groundling.core.events import Transcript
from groundling.core.pack import Scores, find, load
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Instance
from groundling.games.reference.make import LineupRecipe, make
from groundling.games.reference.rules import Pick
from groundling.report.breakdown import Breakdown
from groundling.report.comparison import compare_report_sides
from groundling.report.cross_matrix import recorded_matrix_estimate
from groundling.report.facets import facet_plots
from groundling.report.plot_data import _length_series, gather_plot_data
from groundling.report.report_data import gather_report_runs
from groundling.report.score_table import score_rows, score_table
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.scoring_table import FACET

reference = find("reference")
builtin: list[Instance] = load(reference.builtin)()
UNEVEN = [one for one in builtin if one.set == "edits-2"] + [one for one in builtin if one.set == "edits-4"][
    :6
]


class Partial:
    """Answers as gold does in edits-2, and takes the next grid in edits-4."""

    name = "partial"

    def __init__(self, gold: Player) -> None:
        self.gold = gold

    async def act(self, ask: Ask) -> Reply:
        reply = await self.gold.act(ask)
        (pick,) = reply.moves or ()
        wrong = Reply(moves=(Pick(pick.place % 3 + 1),))
        return reply if ask.episode.startswith("edits-2") else wrong


def play(folder: Path, *, partial: bool = True, **fields: Any) -> RunFolder:
    at_table = session(folder, GOLD, **{"instances": UNEVEN, "limit": 8, **fields})
    if partial:
        follower = Partial(at_table.players["follower"])
        at_table = replace(at_table, players={**at_table.players, "follower": follower})
    at_table.play_missing(1)
    return at_table.folder


def compare(a: RunFolder, b: RunFolder) -> dict[str, tuple[float, float]]:
    found, _ = compare_report_sides(load(reference.measures), score_run(a), score_run(b))
    return {one.name: (round(one.a, 3), round(one.b, 3)) for one in found if one.name.startswith("success")}


@pytest.mark.parametrize("limit", [8, 12, None])
def test_pairs_are_weighted_to_the_whole_also_if_one_side_played_more(
    tmp_path: Path, limit: int | None
) -> None:
    one, other = play(tmp_path / "a"), play(tmp_path / "b", partial=False, limit=limit)
    expected = {"success": (0.75, 1.0), "success, edits-2": (1.0, 1.0), "success, edits-4": (0.0, 1.0)}
    assert compare(one, other) == expected
    assert compare(other, one) == {name: (b, a) for name, (a, b) in expected.items()}


def test_independent_samples_are_weighted_each_to_its_own_whole(tmp_path: Path) -> None:
    made = make(LineupRecipe(n=12, seed=9))
    others = [one for one in made if one.set == "edits-2"][:2] + [one for one in made if one.set == "edits-4"]
    one, other = play(tmp_path / "a"), play(tmp_path / "b", instances=others, limit=4)
    assert compare(one, other) == {"success": (0.75, 0.25)}


def test_the_score_table_weights_means_and_shares(tmp_path: Path) -> None:
    found = score_run(play(tmp_path))
    (whole,) = [row for row in score_rows(reference, found) if row.set == "all" and not row.control]
    assert (whole.main.mean, whole.strict, whole.tolerant) == (0.75, 0.75, 0.75)
    even = {one.id: 18 / 4 if one.set == "edits-2" else 6 / 4 for one in UNEVEN}
    shares: dict[int, float] = {}
    for episode, chosen in found.select("episode", "chosen").rows():
        shares[chosen] = shares.get(chosen, 0) + even[episode]
    told = " ".join(f"{value}:{100 * shares[value] / 24:.0f}" for value in sorted(shares)) + " %"
    assert any(told in row.cells for row in score_table(reference, found, all_measures=True).rows)


def test_a_breakdown_weights_scores_and_expected_scores(tmp_path: Path) -> None:
    part = Breakdown(reference)
    part.run = "run"

    def note(transcript: Transcript, scores: Scores) -> None:
        expected = float(transcript.opened.instance.set == "edits-4")
        part.note_episode(transcript, replace(scores, facets={"kind": "any"}, baselines={"simple": expected}))

    folder = play(tmp_path)
    score_run(folder, "", note)
    part.whole["run"] = folder.read_about()["plan"]["strata"]
    (row,) = part.facet_table("kind").rows
    assert (row.cells[0], row.cells[2], row.cells[-1]) == ("8", "0.750", "0.250")


def test_plots_have_the_means_of_the_table(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    pack, runs = gather_report_runs([str(folder.path)])
    (by_set,) = gather_plot_data(pack, runs, score_rows(pack, runs[0].episodes))
    assert [row[4] for row in by_set.numbers if row[:2] == ("all", "gold → partial")] == ["0.750"]
    one_bin = _length_series(
        runs[0].episodes.collect(), load(pack.measures)[0], {runs[0].name: 0}, several=False
    )
    assert one_bin is not None
    assert [point.y for point in one_bin.points] == [0.75]


def test_plots_by_turn_end_at_the_mean_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seats = ["--seat", "giver=gold", "--seat", "follower=random", "--limit", "5"]
    assert main(["play", "image", *seats, "-o", "run"]) == 0
    pack, runs = gather_report_runs(["run"])
    rows = score_rows(pack, runs[0].episodes)
    assert runs[0].episodes.collect()["sampling_weight"].n_unique() > 1
    (by_turn,) = [plot for plot in gather_plot_data(pack, runs, rows) if "turn" in plot.title]
    (whole,) = [row for row in rows if row.set == "all" and not row.control]
    assert by_turn.numbers[-1][-2] == f"{whole.main.mean:.3f}"


def test_plots_by_facet_weight_chance_and_expected_scores(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    _, (run,) = gather_report_runs([str(folder.path)])
    easy = (pl.col("set") == "edits-2").cast(pl.Float64)
    columns = {f"{FACET}kind": pl.lit("any"), "chance": easy, "baseline_simple": 1 - easy}
    known = run.episodes.with_columns(**columns)
    other = known.with_columns(**{f"{FACET}kind": pl.lit("other")})
    pack = replace(reference, report=replace(reference.report, shown=("kind",), offsets=None))
    (plot,) = facet_plots(pack, [replace(run, episodes=pl.concat([known, other]))])
    assert [row[4] for row in plot.numbers if row[0] == "any"] == ["0.750", "0.250", "0.750"]


def test_the_row_of_recorded_games_is_of_what_is_crossed_and_weighted(tmp_path: Path) -> None:
    recorded = read_run_recordings(play(tmp_path / "people", limit=None).path).values()
    asked = session(tmp_path / "pair", instances=UNEVEN, limit=8).asked
    found = recorded_matrix_estimate(reference, asked, recorded)
    assert found is not None
    assert (found.n, found.mean) == (8, 0.75)
    hard = session(tmp_path / "hard", instances=UNEVEN, sets=["edits-4"]).asked
    assert (found := recorded_matrix_estimate(reference, hard, recorded)) is not None
    assert (found.n, found.mean) == (6, 0.0)
    assert recorded_matrix_estimate(reference, asked, []) is None


CROSS = [
    "cross",
    "reference",
    "--givers",
    "gold",
    "--followers",
    "rule",
    "--followers",
    "gold",
    "-o",
    "pairs",
]


def test_a_cross_plays_and_shows_only_the_chosen_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*CROSS, "--set", "edits-2", "--sample", "6", "--seed", "3"]) == 0
    first = capsys.readouterr().out
    assert "6 instances in 6 clusters, a part of 18" in " ".join(first.split())
    for folder in Path("pairs").iterdir():
        opened = [transcript.opened.instance for transcript in read_run_recordings(folder).values()]
        assert {one.set for one in opened} == {"edits-2"}
        assert len(opened) == 6
    one, other = (sorted(read_run_recordings(folder)) for folder in Path("pairs").iterdir())
    assert one == other, "every pair plays the same sample"


def test_the_matrix_is_of_what_was_asked_for_where_folders_hold_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*CROSS, "--limit", "4"]) == 0
    shown = capsys.readouterr().out.partition("reference: success")[2]
    assert main([*CROSS, "--limit", "20"]) == 0
    assert capsys.readouterr().out.partition("reference: success")[2] != shown
    assert main([*CROSS, "--limit", "4"]) == 0
    assert capsys.readouterr().out.partition("reference: success")[2] == shown
