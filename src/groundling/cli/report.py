"""`groundling report` writes runs as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.cli.options import GameOption, SetOption
from groundling.cli.run_reading import open_read_run
from groundling.core.values import Problem
from groundling.files import write_output


def report_command(
    runs: Annotated[
        list[str], Argument(help="Folders made by groundling play, all of one game.", metavar="DIR...")
    ],
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("report.html"),
    episodes: Annotated[
        str, Option(help="Number of episodes with a replay, or all.", metavar="N|all")
    ] = "200",
    seed: Annotated[int, Option(help="Random seed for the choice of episodes.")] = 0,
    game: GameOption = "",
    sets: SetOption = None,
) -> None:
    """Write one HTML file with scores, plots and replays."""
    from groundling.report.html import render_html_report

    for name in runs:
        open_read_run(name, game)
    if episodes != "all" and not episodes.isdecimal():
        raise Problem(f"--episodes {episodes}: give a number, or all")
    count = None if episodes == "all" else int(episodes)
    text = render_html_report(runs, count, seed, game, sets or ()).encode()
    write_output(out, text)
    size = f"{len(text) / 1e6:.1f} MB" if len(text) >= 1e6 else f"{len(text) / 1e3:.0f} kB"
    print(f"{out}: {size}")
