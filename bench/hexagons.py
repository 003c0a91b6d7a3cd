"""How well the rule-based executor does on the published data, context by context: `python -m bench.hexagons --split dev`.

`--split held` is a fifth of the train images of each category, chosen by a hash: rules were written from the others."""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import process_time

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from groundling.boards.hexes import Board
from groundling.games.hexagons.copies import base
from groundling.games.hexagons.data import images_of
from groundling.games.hexagons.image import Image
from groundling.games.hexagons.likeness import emitted_scores
from groundling.games.hexagons.players.parser import read
from groundling.games.hexagons.rules import CONTEXTS

DATA = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[2] / "shared" / "data")) / "hexagons"
NEAR_DEV = ("P02M01T02", "P02M11T01")
"""Train images that are nearly copies of dev images: in neither part."""


class Row(Struct, frozen=True):
    """One step, carried out."""

    category: str
    level: str
    f1: float
    exact: float


def chosen(split: str) -> list[Image]:
    if split not in ("held", "open"):
        return images_of(DATA, split)
    images = [image for image in images_of(DATA, "train") if base(image.image) not in NEAR_DEV]
    groups: dict[str, set[str]] = defaultdict(set)
    for image in images:
        groups[_kind(image)].add(base(image.image))
    held: set[str] = set()
    for names in groups.values():
        ordered = sorted(names, key=lambda name: sha256(f"held:{name}".encode()).hexdigest())
        held |= set(ordered[: round(len(ordered) / 5)])
    return [image for image in images if (base(image.image) in held) == (split == "held")]


def _kind(image: Image) -> str:
    return image.image[:6] if image.image.startswith("P01") else image.image[:3]


def steps(image: Image, context: str) -> Iterator[Row]:
    """The recorded steps of a procedure, each with what the context shows."""
    drawn = Board.empty()
    for number, step in enumerate(image.steps):
        before, after = image.gold(number)
        told = [earlier.words for earlier in image.steps[:number]]
        history = told if "full" in context else told[-1:] if context == "1-previous" else []
        board = before if "oracle" in context else drawn if "predicted" in context else None
        reading = read(step.words, history, board.painted() if board is not None else None)
        drawn = drawn.with_tiles({(row, column): colour for row, column, colour in reading.actions})
        found = emitted_scores(before.digits(), after.digits(), reading.actions)
        yield Row(image.category or "none", "" if step.level is None else str(step.level), found.f1, found.exact)


def mean(rows: list[Row]) -> str:
    return f"{100 * sum(row.f1 for row in rows) / len(rows):.2f} / {100 * sum(row.exact for row in rows) / len(rows):.2f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--split", default="dev", help="train, dev, test; held or open: the fifth of train kept aside, or the rest")
    options.add_argument("--context", action="append", choices=CONTEXTS, help="all seven, unless said")
    asked = options.parse_args()
    images, begun = chosen(asked.split), process_time()
    columns: dict[str, list[Row]] = {}
    for context in asked.context or CONTEXTS:
        columns[context] = [row for image in images for row in steps(image, context)]
    table = Table(title=f"{asked.split}: F1 / exact match, action-based, mean over {len(next(iter(columns.values())))} steps")
    for name in ("", "steps", *columns):
        table.add_column(name, justify="left" if not name else "right")
    first = next(iter(columns.values()))
    groups = [("all", lambda row: True)]
    groups += [(name, lambda row, name=name: row.category == name) for name in sorted({row.category for row in first})]
    groups += [(f"level {name}", lambda row, name=name: row.level == name) for name in sorted({row.level for row in first if row.level})]
    for name, belongs in groups:
        chosen_rows = {context: [row for row in rows if belongs(row)] for context, rows in columns.items()}
        table.add_row(name, str(len(next(iter(chosen_rows.values())))), *(mean(rows) for rows in chosen_rows.values()))
    console = Console(width=190)
    console.print(table)
    spent = process_time() - begun
    console.print(f"{sum(map(len, columns.values())) / spent:,.0f} steps a second")


if __name__ == "__main__":
    main()
