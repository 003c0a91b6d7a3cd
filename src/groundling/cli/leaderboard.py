"""`groundling leaderboard DIR` writes the results of a tournament as a page or a folder of pages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.core.values import Problem
from groundling.progress import progress_bar
from groundling.runs.prices import COST_CONFIG, read_price_file


def leaderboard_command(
    folder: Annotated[
        Path | None, Argument(metavar="DIR", help="A folder made by groundling tournament.")
    ] = None,
    out: Annotated[
        Path,
        Option("-o", "--out", help="The page, or a folder for a web server.", metavar="PAGE.html|FOLDER"),
    ] = Path("leaderboard.html"),
    prices: Annotated[
        Path | None, Option(help="File with the models' prices for a million tokens (TOML, JSON, YAML).")
    ] = None,
    episodes: Annotated[
        int,
        Option(help="Episodes of each pair with a replay in its report, in a folder.", metavar="N", min=1),
    ] = 20,
    schema: Annotated[bool, Option("--schema", help="Print the JSON schema of the data.")] = False,
) -> None:
    """Write the results of a tournament as a page.

    The same numbers are written beside it as JSON and CSV. A folder also has a report of each pair."""
    from groundling.report.leaderboard import leaderboard_schema
    from groundling.report.leaderboard_files import write_leaderboard_page, write_leaderboard_site

    if schema:
        print(json.dumps(leaderboard_schema(), indent=2))
        return
    if folder is None:
        raise Problem("leaderboard of which tournament? groundling leaderboard DIR")
    if not folder.is_dir():
        raise Problem(f"{folder} is not a folder: give one made by groundling tournament")
    named = prices or Path(os.environ.get(COST_CONFIG, ""))
    listed = read_price_file(named) if named.name else {}
    if out.suffix in (".html", ".htm"):
        files = write_leaderboard_page(folder, out, listed)
    elif out.suffix or out.is_file():
        raise Problem(f"{out} is neither a page nor a folder: write -o PAGE.html or -o FOLDER")
    else:
        with progress_bar() as bar:
            files = write_leaderboard_site(
                folder, out, listed, episodes, lambda done, of: bar.set_progress("reports", done, of)
            )
    for path in files:
        print(f"{path}: {path.stat().st_size / 1e3:,.0f} kB")
