"""`groundling leaderboard DIR` writes the results of a tournament as a page or a folder of pages."""

from __future__ import annotations

import os
from pathlib import Path

from groundling.core.values import Problem, missing_extra
from groundling.progress import progress_bar
from groundling.runs.prices import COST_CONFIG, read_price_file


def write_leaderboard(folder: Path, out: Path, prices: Path | None, replays: int) -> None:
    try:
        from groundling.report.leaderboard_files import write_leaderboard_page, write_leaderboard_site
    except ImportError:
        raise missing_extra("score") from None
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
                folder, out, listed, replays, lambda done, of: bar.set_progress("reports", done, of)
            )
    for path in files:
        print(f"{path}: {path.stat().st_size / 1e3:,.0f} kB")


def print_leaderboard_schema() -> None:
    import json

    from groundling.report.leaderboard import leaderboard_schema

    print(json.dumps(leaderboard_schema(), indent=2))
