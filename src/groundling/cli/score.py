"""`groundling score` prints the scores of runs."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from groundling.cli.options import GameOption, LabelsOption, SetOption
from groundling.cli.run_reading import (
    describe_extent,
    name_damaged,
    open_read_run,
    read_labels,
    unbroken_counts,
)
from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.report.text_table import print_table, print_text
from groundling.runs.run import open_run
from groundling.runs.scoring import count_scoring_statuses, describe_scoring_counts, score_with_controls
from groundling.runs.scoring_table import (
    choose_table_sets,
    count_outcomes,
    count_statuses,
    join_scoring_tables,
    scan_scoring_table,
    write_scoring_table,
)
from groundling.runs.stored_run import Run

if TYPE_CHECKING:
    import polars as pl


def score_command(
    runs: Annotated[list[str], Argument(help="Folders made by groundling play.", metavar="DIR...")],
    manner: Annotated[
        str, Option("--as", help="Also print the tables of this benchmark or paper.", metavar="NAME")
    ] = "",
    by: Annotated[list[str] | None, Option(help="Also print the scores by this facet of the game.")] = None,
    labels: LabelsOption = None,
    game: GameOption = "",
    all_measures: Annotated[
        bool, Option("--all", help="Print all measures, not only the main ones.")
    ] = False,
    sets: SetOption = None,
) -> None:
    """Score runs from their transcripts and print the table.

    Scores that play has computed are taken if neither the log nor the code has changed since. The file
    scores.parquet is written into each run's folder."""
    from groundling.report.breakdown import Breakdown
    from groundling.report.cost_table import cost_table
    from groundling.report.external_tables import find_external_tables
    from groundling.report.score_table import score_table
    from groundling.report.variance import variance_lines

    facets, joined_labels = by or [], read_labels(labels or ())
    tables: dict[str, list[pl.LazyFrame]] = {}
    packs: dict[str, Pack] = {}
    parts: dict[str, Breakdown] = {}
    scored: list[tuple[Run, bytes]] = []
    unplayed: list[str] = []
    counts: list[str] = []
    chosen = {Path(name).resolve(): name for name in reversed(runs)}.values()
    others = (
        find_external_tables(manner, [open_run(name, game).find_pack() for name in chosen])
        if manner
        else None
    )
    for name in chosen:
        folder = open_read_run(name, game)
        pack = folder.find_pack()
        packs.setdefault(pack.name, pack)
        part = parts.setdefault(pack.name, Breakdown(pack, joined_labels))
        about = folder.read_about()
        part.run, part.sets = name, sets or ()
        part.whole[name] = about["plan"].get("strata", {})
        found = list(score_with_controls(folder, part.note_episode if facets else None))
        for _, run, content in found:
            episodes = scan_scoring_table(content)
            counts += _count_episodes(run, episodes)
            counts += [f"{run.path}: {line}" for line in describe_extent(run, episodes)]
            scored.append((run, content))
            tables.setdefault(pack.name, []).append(episodes)
        told = about["plan"].get("seats", {})
        # controls cannot be added to runs that were not played by groundling
        ours = folder.path.is_dir() and pack.speaker in told
        unplayed += [name] if ours and len(found) <= len(CONTROLS) else []
    for facet in facets:
        for part in parts.values():
            part.check_facet(facet)
    joined = {name: choose_table_sets(join_scoring_tables(some), sets or ()) for name, some in tables.items()}
    for line in counts:
        print_text(line, "  ")
    for played, episodes in joined.items():
        if not episodes.collect_schema():
            raise Problem(
                f"nothing has been played yet in {', '.join(runs)}: run the groundling play command again"
            )
        print()
        print_table(score_table(packs[played], episodes, all_measures=all_measures))
        for line in variance_lines(packs[played], episodes):
            print_text(line, "  ")
        if costs := cost_table(packs[played], episodes):
            print()
            print_table(costs)
        for facet in facets:
            print()
            print_table(parts[played].facet_table(facet))
    if others:
        for table in others([open_run(name, game) for name in chosen]):
            print()
            print_table(table)
    for name in unplayed:
        print_text(
            f"{name}: the controls were not played; groundling play … --controls adds them to the table", "  "
        )
    for run, content in scored:
        if content:
            _keep_scores(run, content)


def _count_episodes(folder: Run, episodes: pl.LazyFrame) -> list[str]:
    """Return lines that say how many of a run's episodes are played, and which are damaged."""
    statuses = count_statuses(count_outcomes(episodes))
    counts = count_scoring_statuses(statuses, folder.read_about()["episodes"])
    told = unbroken_counts(describe_scoring_counts(counts))
    return [f"{folder.path}: {told}", *name_damaged(folder, episodes)]


def _keep_scores(run: Run, content: bytes) -> None:
    """Write the scores into the run's folder; somebody else's run can be scored too."""
    try:
        write_scoring_table(run, content)
    except OSError as trouble:
        if trouble.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        print(f"warning: {run.scores_path} was not written ({trouble.strerror})", file=sys.stderr)
