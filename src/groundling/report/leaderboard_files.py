"""The files of a leaderboard: one page with JSON and CSV beside it, or a folder with reports of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from groundling.csv_cells import encode_csv_records
from groundling.files import write_output, write_whole_file
from groundling.report.html import render_html_report
from groundling.report.leaderboard import Leaderboard, leaderboard_schema, pair_key
from groundling.report.leaderboard_data import gather_leaderboard
from groundling.report.leaderboard_games import EpisodeNotes
from groundling.report.leaderboard_page import LeaderboardFiles, render_leaderboard
from groundling.runs.prices import ModelPrice
from groundling.scores.intervals import Estimate

REPLAYS = 20
"""How many episodes of a pair can be replayed in its report."""


def write_leaderboard_page(folder: Path, page: Path, prices: Mapping[str, ModelPrice]) -> list[Path]:
    """Write the leaderboard of a tournament as one page, with its data beside it; return the files."""
    notes = EpisodeNotes()
    board = gather_leaderboard(folder, prices, notes)
    files = _write_data(board, page.parent, f"{page.stem}-")
    beside = LeaderboardFiles({path.name: path.name for path in files}, {})
    write_output(page, render_leaderboard(board, notes.episodes, beside).encode())
    return [page, *files]


def write_leaderboard_site(
    folder: Path,
    site: Path,
    prices: Mapping[str, ModelPrice],
    replays: int | None = REPLAYS,
    on_report: Callable[[int, int], None] = lambda done, of: None,
) -> list[Path]:
    """Write the leaderboard as a folder for a web server, with a report of each pair; return the files."""
    notes = EpisodeNotes()
    board = gather_leaderboard(folder, prices, notes)
    site.mkdir(parents=True, exist_ok=True)
    reports = {}
    for number, pair in enumerate(board.pairs):
        on_report(number, len(board.pairs))
        path = site / "runs" / f"{pair.run}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(path, render_html_report([str(folder / pair.run)], replays).encode())
        reports[pair_key(pair)] = path.relative_to(site).as_posix()
    files = _write_data(board, site, "")
    schema = site / "schema.json"
    write_whole_file(schema, msgspec.json.format(msgspec.json.encode(leaderboard_schema()), indent=2))
    beside = LeaderboardFiles({path.name: path.name for path in (*files, schema)}, reports)
    page = site / "index.html"
    write_whole_file(page, render_leaderboard(board, notes.episodes, beside).encode())
    return [page, *files, schema]


def _write_data(board: Leaderboard, folder: Path, prefix: str) -> list[Path]:
    paths = [folder / f"{prefix}{name}" for name in ("leaderboard.json", "players.csv", "pairs.csv")]
    contents = [
        msgspec.json.format(msgspec.json.encode(board), indent=1),
        encode_csv_records(map(flatten_struct, board.seats)),
        encode_csv_records(map(flatten_struct, board.pairs)),
    ]
    for path, content in zip(paths, contents, strict=True):
        write_whole_file(path, content)
    return paths


def flatten_struct(found: Any) -> dict[str, Any]:
    """Return the fields of a struct as columns: those of an inner one as `outer_inner`, and of an estimate
    its mean under its own name."""
    columns: dict[str, Any] = {}
    for key, value in msgspec.structs.asdict(found).items():
        if isinstance(value, Estimate):
            columns |= {
                key: value.mean,
                f"{key}_low": value.low,
                f"{key}_high": value.high,
                f"{key}_n": value.n,
            }
        elif isinstance(value, msgspec.Struct):
            columns |= {f"{key}_{inner}": part for inner, part in flatten_struct(value).items()}
        else:
            columns[key] = value
    return {
        key: "" if isinstance(value, float) and not isfinite(value) else value
        for key, value in columns.items()
    }
