"""How well the rule-based executor does on the published data, context by context: `python -m bench.hexagons
--split dev`.

`--split held` is a fifth of the train images of each category, chosen by a hash: rules were written from the
others. `--narrator` takes the narrator's sentences, in the open or the held-out wordings."""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from time import process_time

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from groundling.boards.hexes import Board
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import builtin
from groundling.games.hexagons.narration import WORDINGS, narrate_image
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.players.parser import parse_instruction
from groundling.games.hexagons.rules import CONTEXTS
from groundling.games.hexagons.tile_scores import emitted_scores

DATA = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[2] / "shared" / "data")) / "hexagons"
NEAR_DEV = ("P02M01T02", "P02M11T01")
"""Train images that are nearly copies of dev images: in neither part."""


class Row(Struct, frozen=True):
    """One step, carried out."""

    category: str
    level: str
    f1: float
    exact: float


def chosen(split: str) -> list[HexagonsImage]:
    if split not in ("held", "open"):
        return read_data_images(DATA, split)
    images = [
        image for image in read_data_images(DATA, "train") if near_copy_base_id(image.image) not in NEAR_DEV
    ]
    groups: dict[str, set[str]] = defaultdict(set)
    for image in images:
        groups[_kind(image)].add(near_copy_base_id(image.image))
    held: set[str] = set()
    for names in groups.values():
        ordered = sorted(names, key=lambda name: sha256(f"held:{name}".encode()).hexdigest())
        held |= set(ordered[: round(len(ordered) / 5)])
    return [image for image in images if (near_copy_base_id(image.image) in held) == (split == "held")]


def _kind(image: HexagonsImage) -> str:
    return image.image[:6] if image.image.startswith("P01") else image.image[:3]


def steps(image: HexagonsImage, context: str) -> Iterator[Row]:
    """The recorded steps of a procedure, each with what the context shows."""
    drawn = Board.empty()
    for number, step in enumerate(image.steps):
        before, after = image.gold_boards(number)
        told = [earlier.spoken_text for earlier in image.steps[:number]]
        history = told if "full" in context else told[-1:] if context == "1-previous" else []
        board = before if "oracle" in context else drawn if "predicted" in context else None
        reading = parse_instruction(
            step.spoken_text, history, board.painted_tiles() if board is not None else None
        )
        drawn = drawn.with_tiles({(row, column): colour for row, column, colour in reading.actions})
        found = emitted_scores(before.to_digits(), after.to_digits(), reading.actions)
        yield Row(
            image.category or "none", "" if step.level is None else str(step.level), found.f1, found.exact
        )


def mean(rows: list[Row]) -> str:
    f1, exact = (
        100 * sum(values) / len(rows) for values in ([row.f1 for row in rows], [row.exact for row in rows])
    )
    return f"{f1:.2f} / {exact:.2f}"


def groups(rows: list[Row]) -> dict[str, list[int]]:
    """The numbers of the steps of each category and level."""
    found: dict[str, list[int]] = {"all": list(range(len(rows)))}
    for number, row in sorted(enumerate(rows), key=lambda pair: pair[1].category):
        found.setdefault(row.category, []).append(number)
    for number, row in sorted(enumerate(rows), key=lambda pair: pair[1].level):
        if row.level:
            found.setdefault(f"level {row.level}", []).append(number)
    return found


def evaluate(split: str, contexts: list[str]) -> None:
    images, begun = chosen(split), process_time()
    columns = {context: [row for image in images for row in steps(image, context)] for context in contexts}
    spent = process_time() - begun
    first = columns[contexts[0]]
    table = Table(title=f"{split}: F1 / exact match, action-based, mean over {len(first)} steps")
    for name in ("", "steps", *columns):
        table.add_column(name, justify="left" if not name else "right")
    for name, numbers in groups(first).items():
        table.add_row(
            name, str(len(numbers)), *(mean([rows[n] for n in numbers]) for rows in columns.values())
        )
    console = Console(width=190)
    console.print(table)
    console.print(f"{len(first) * len(contexts) / spent:,.0f} steps a second")


def narrator(wordings: str) -> None:
    """How many of the narrator's sentences on the gallery are understood exactly, level by level."""
    counts: dict[int, list[bool]] = defaultdict(list)
    for number, image in enumerate(builtin()):
        for level in (0, 1, 2):
            board = Board.empty()
            said: list[str] = []
            for told in narrate_image(image.program, level, Random(10 * number + level), wordings):
                found = {
                    (row, column): colour
                    for row, column, colour in parse_instruction(
                        told.text, said, board.painted_tiles()
                    ).actions
                }
                counts[told.level].append(found == board.changes_to(told.board))
                board = told.board
                said.append(told.text)
    for level, right in sorted(counts.items()):
        print(
            f"{wordings} wordings, level {level}: "
            f"{sum(right)} of {len(right)} sentences, {100 * sum(right) / len(right):.1f} %"
        )
    everything = [one for right in counts.values() for one in right]
    print(
        f"{wordings} wordings: {sum(everything)} of {len(everything)}, "
        f"{100 * sum(everything) / len(everything):.1f} %"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--split",
        default="dev",
        help="train, dev, test; held or open: the fifth of train kept aside, or the rest",
    )
    options.add_argument("--context", action="append", choices=CONTEXTS, help="all seven, unless said")
    options.add_argument("--narrator", choices=WORDINGS, help="measure on the narrator's sentences instead")
    asked = options.parse_args()
    if asked.narrator:
        narrator(asked.narrator)
    else:
        evaluate(asked.split, asked.context or list(CONTEXTS))


if __name__ == "__main__":
    main()
