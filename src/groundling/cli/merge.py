"""`groundling merge` joins the shards of a run or of a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.report.cost_table import cost_line
from groundling.report.text_table import count_noun, print_text
from groundling.runs.merge_shards import merge_shards


def merge_command(
    sources: Annotated[
        list[Path],
        Argument(help="Folders of shards, or single shards, of one run or tournament.", metavar="DIR..."),
    ],
    out: Annotated[Path, Option("-o", "--out", help="The folder to write.")],
) -> None:
    """Join the shards of a run or of a tournament to one folder.

    Shards of controls are joined, too. A run in shards can be scored as it is. Where a shard was played
    twice, one copy is taken, and what both have used is printed."""
    for run in merge_shards(sources, out):
        print(f"{run.path}: {count_noun(run.episodes, 'episode')} of {count_noun(run.shards, 'shard')}")
        for copy in run.twice:
            print_text(
                f"shard {copy.shard} was played twice: {copy.kept} is taken, not {copy.left_out}", "  "
            )
            for path, seats in copy.used.items():
                for role, used in seats.items():
                    print_text(f"used by {cost_line(role, str(path), used, None)}", "  ")
