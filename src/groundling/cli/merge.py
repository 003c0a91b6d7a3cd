"""`groundling merge` joins the shards of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option


def merge_command(
    sources: Annotated[
        list[Path], Argument(help="Folders of shards, or single shards, of one run.", metavar="DIR...")
    ],
    out: Annotated[Path, Option("-o", "--out", help="The folder to write.")],
) -> None:
    """Join the shards of a run, and of its controls, to one folder.

    A folder of shards can be scored as it is. Where a shard was played twice, one copy is taken, and what
    the other has used is printed."""
    from groundling.report.cost_table import cost_line
    from groundling.report.text_table import count_noun, print_text
    from groundling.runs.merge_shards import merge_shards

    for run in merge_shards(sources, out):
        print(f"{run.path}: {count_noun(run.episodes, 'episode')} of {count_noun(run.shards, 'shard')}")
        for copy in run.twice:
            print_text(
                f"shard {copy.shard} was played twice: {copy.kept} is taken, not {copy.left_out}", "  "
            )
            for role, used in copy.seats.items():
                print_text(f"used there, too: {cost_line(role, str(copy.left_out), used, None)}", "  ")
