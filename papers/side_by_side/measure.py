"""Measures our rows of docs/papers.md that need no network and no model, and keeps them in figures.json.

    python -m papers.side_by_side.measure DATA

DATA holds the published data in the folders clembench, codraw, director and hexagons."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import polars as pl
from msgspec import Struct
from papers.commands import report_problems
from papers.hexagons.tables import RESULTS, read_results, write_tables

import groundling
from groundling.bridges.clem.clembench_table import tally_clembench_runs
from groundling.bridges.clem.instance_files import read_instance_file_part
from groundling.files import write_whole_file
from groundling.games.codraw.recorded.stats import codraw_stats_lines
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.stats import hexagons_stats_lines
from groundling.runs.instances import encode_instances
from groundling.runs.run import open_run

COLUMNS = re.compile(r"\S  +\S")
FIGURES = Path(__file__).parent / "figures.json"
PAIRS = {"reference": (("gold", "rule"), ("gold", "fullest")), "image": (("gold", "rule"), ("rule", "rule"))}
"""Givers and followers; the first pair is also played without its words."""
SPLITS = (("1.0", "v1.0"), ("1.6", "v1.6"), ("1.6", "v1.6-en"))
"""The versions of clembench whose results by model are in clembench.csv, and our names for their files."""
PARTICIPANTS = ("perfect", "egocentric", "frame-blind", "superlative-blind", "random")


class PrintedTable(Struct, frozen=True):
    title: str
    head: list[str]
    rows: list[list[str]]


class ClembenchRow(Struct, frozen=True):
    version: str
    game: str
    players: str
    n: int
    played: float
    quality: float
    low: float
    high: float
    """The 95 % interval of the main score, in per cent."""


class DirectorRow(Struct, frozen=True):
    samples: str
    kind: str
    participant: str
    n: int
    clusters: int
    success: float
    low: float
    high: float
    hidden: float
    """The share of picks that the director cannot see."""


class Figures(Struct, frozen=True):
    hexagons_data: list[PrintedTable]
    hexagons_executors: list[PrintedTable]
    codraw_data: list[PrintedTable]
    clembench: list[ClembenchRow]
    director: list[DirectorRow]

    def table(self, title: str) -> PrintedTable:
        tables = (*self.hexagons_data, *self.hexagons_executors, *self.codraw_data)
        return next(table for table in tables if table.title.startswith(title))


def read_figures() -> Figures:
    return msgspec.json.decode(FIGURES.read_bytes(), type=Figures)


def parse_text_tables(lines: Sequence[str]) -> Iterator[PrintedTable]:
    """Find tables in printed text: a title, unless an empty line is there, then lines whose columns are apart
    by two blanks or more. Any other line ends the table."""
    for block in "\n".join(lines).split("\n\n"):
        first, *rest = block.split("\n")
        title, body = ("", [first, *rest]) if COLUMNS.search(first) else (first, rest)
        body = list(takewhile(COLUMNS.search, body))
        if len(body) > 1:
            bounds = _column_bounds(body)
            head, *rows = [[line[start:end].rstrip() for start, end in bounds] for line in body]
            yield PrintedTable(title, [cell.strip() for cell in head], [_tidy_row(row) for row in rows])


def _tidy_row(row: Sequence[str]) -> list[str]:
    name, *cells = row
    return [f"… {name.strip()}" if name.startswith("  ") else name.strip(), *map(str.strip, cells)]


def _column_bounds(lines: Sequence[str]) -> list[tuple[int, int]]:
    width = max(map(len, lines))
    blank = "".join("01"[all(line[at : at + 1] in ("", " ") for line in lines)] for at in range(width))
    gaps = [found.span() for found in re.finditer("1{2,}", blank) if found.start()]
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), width]
    return list(zip(starts, ends, strict=True))


def parse_markdown_tables(lines: Sequence[str]) -> Iterator[PrintedTable]:
    for part in "\n".join(lines).split("## ")[1:]:
        title, _, table = part.partition("\n")
        rows = [line.strip("|").split("|") for line in table.split("\n") if line.startswith("| ")]
        head, *body = [[cell.strip() for cell in row] for row in rows]
        yield PrintedTable(title, head, body)


def measure_hexagons(data: Path) -> list[PrintedTable]:
    images = read_data_images(data, "dev")
    tables = parse_markdown_tables(list(write_tables(list(read_results(RESULTS, images)), len(images))))
    return [table for table in tables if re.match("Table [89]|By category|Kruskal", table.title)]


def measure_clembench(data: Path, folder: Path) -> Iterator[ClembenchRow]:
    for version, split in SPLITS:
        for part in read_instance_file_part(data, split):
            instances = folder / f"{part.name}.jsonl"
            instances.write_bytes(encode_instances(part.instances))
            for number, (giver, follower) in enumerate(PAIRS[part.game]):
                out, seats = folder / f"{part.name}-{number}", {"giver": giver, "follower": follower}
                run = groundling.play(part.game, instances, seat=seats, out=out, controls=not number)
                scores = groundling.score(run).filter(set="all").filter(pl.col("n") > 0)
                for row in scores.rows(named=True):
                    tallies = tally_clembench_runs([open_run(run / row["control"])])
                    (tally,) = (found for key, found in tallies.items() if key[2] == "clembench")
                    figures = (row["n"], tally.percent_played, tally.mean_quality)
                    interval = (100 * row["low"], 100 * row["high"])
                    yield ClembenchRow(version, part.game, row["players"], *figures, *interval)


def measure_director(data: Path, folder: Path) -> Iterator[DirectorRow]:
    like = groundling.make("director", folder / "like.jsonl", n=1000, seed=0, like_reference=True)
    strict = groundling.make("director", folder / "strict.jsonl", n=1000, seed=0)
    sets = {"the reference's": None, "generated like them": like, "generated, strict": strict}
    for name, instances in sets.items():
        for participant in PARTICIPANTS:
            out = folder / f"{name} {participant}"
            run = groundling.play(
                "director",
                instances,
                data=None if instances else data,
                seat={"participant": participant},
                out=out,
            )
            scores = groundling.score(run, all=True)
            for kind in ("control", "test"):
                rows = scores.filter(set=kind, control="").rows(named=True)
                main = next(row for row in rows if row["measure"] == "success")
                hidden = next(row for row in rows if row["measure"] == "hidden_distractor")
                numbers = (main["n"], main["clusters"], main["mean"], main["low"], main["high"])
                yield DirectorRow(name, kind, participant, *numbers, hidden["mean"])


def select_tables(lines: Iterable[str], titles: str) -> list[PrintedTable]:
    """The printed tables with such titles that have a column for the paper or figures of both in a cell."""
    tables = [table for table in parse_text_tables(list(lines)) if re.match(titles, table.title)]
    return [
        table for table in tables if {"paper", "in the paper"} & {*table.head} or " / " in table.rows[0][1]
    ]


def measure_figures(data: Path) -> Figures:
    with TemporaryDirectory() as name:
        folder = Path(name)
        return Figures(
            select_tables(hexagons_stats_lines(data / "hexagons"), "Table "),
            measure_hexagons(data / "hexagons"),
            select_tables(codraw_stats_lines(data / "codraw"), "Human similarity|$"),
            list(measure_clembench(data / "clembench", folder)),
            list(measure_director(data / "director", folder)),
        )


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    encoded = msgspec.json.encode(measure_figures(parser.parse_args().data))
    write_whole_file(FIGURES, msgspec.json.format(encoded, indent=1) + b"\n")


if __name__ == "__main__":
    main()
