"""`groundling compare` compares two runs in pairs, or scores over the values of a facet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from typer import Argument, Option

from groundling.cli.options import GameOption, LabelsOption, SetOption
from groundling.cli.run_reading import describe_extent, name_damaged, open_read_run, read_labels
from groundling.core.values import Problem
from groundling.report.text_table import print_table, print_text
from groundling.runs.sampling import check_set_names
from groundling.runs.scoring import score_run


def compare_command(
    runs: Annotated[
        list[str],
        Argument(metavar="A B", help="Two runs, or sets of runs as DIR@SET; any number with --over."),
    ],
    over: Annotated[
        str,
        Option(help="Compare the scores of each run over the values of this facet instead.", metavar="FACET"),
    ] = "",
    adjust: Annotated[
        list[str] | None,
        Option(help="Adjust --over for this facet, a number; default: the game's.", metavar="FACET"),
    ] = None,
    labels: LabelsOption = None,
    game: GameOption = "",
    sets: SetOption = None,
) -> None:
    """Compare two runs or two sets in pairs, B minus A.

    With --over, any number of runs are tested for scores that depend on a facet, such as the level of an
    instruction."""
    if over:
        _compare_over(runs, over, adjust or (), game, sets or (), labels or ())
        return
    if adjust or labels:
        raise Problem(f"--{'adjust' if adjust else 'labels'} belongs to --over: add --over FACET")
    if len(runs) != 2:
        raise Problem(f"compare takes two runs, not {len(runs)}; with --over FACET any number")
    _compare_pair(runs[0], runs[1], game, sets or ())


def _compare_pair(a: str, b: str, game: str, sets: Sequence[str]) -> None:
    from groundling.report.comparison import compare_run_sides, comparison_table, read_comparison_side

    sides = []
    for name in (a, b):
        side = read_comparison_side(name, lambda path: open_read_run(path, game), sets)
        path = name.partition("@")[0]
        told = [f"{path}: {line}" for line in describe_extent(side.run, side.played)]
        for line in [*told, *name_damaged(side.run, side.played)]:
            print_text(line, "  ")
        sides.append(side)
    found, unpaired = compare_run_sides(*sides)
    print_table(comparison_table(a, b, found))
    if unpaired:
        print(f"{unpaired} episodes have no partner on the other side and are left out")


def _compare_over(
    names: Sequence[str],
    facet: str,
    adjust: Sequence[str],
    game: str,
    sets: Sequence[str],
    labels: Sequence[str],
) -> None:
    """Print how the scores of runs depend on a facet of turns or episodes."""
    from groundling.report.breakdown import Breakdown
    from groundling.report.label_comparison import label_comparison_tables

    chosen = [open_read_run(name, game) for name in dict.fromkeys(names)]
    packs = {run.find_pack().name: run.find_pack() for run in chosen}
    if len(packs) > 1:
        raise Problem(f"these are runs of {' and '.join(packs)}: compare runs of one game")
    (pack,) = packs.values()
    parts = Breakdown(pack, read_labels(labels))
    parts.sets = sets
    for run in chosen:
        parts.run = str(run.path)
        check_set_names(sets, {transcript.opened.instance.set for transcript in run.read_transcripts()})
        for line in name_damaged(run, score_run(run, "", parts.note_episode)):
            print_text(line, "  ")
    for number, table in enumerate(label_comparison_tables(parts, pack, facet, adjust)):
        print("\n" * (number > 0), end="")
        print_table(table)
