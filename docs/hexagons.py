"""Maintains the built-in gallery of HEXAGONS; nothing here is needed to play.

    python docs/hexagons.py published DATA   # fingerprints of the published images, which are not drawn again
    python docs/hexagons.py gallery          # writes builtin.jsonl
    python docs/hexagons.py table DATA       # compares our families with the published categories

DATA is the folder with the published files: train.jsonl, dev.jsonl, and test.jsonl if it is there. The images
themselves may not be passed on; a fingerprint is a hash of an image's canonical form, from which the image
cannot be reconstructed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from groundling.boards.hexes import Board
from groundling.games.hexagons.families.canonical_form import canonical_fingerprint
from groundling.games.hexagons.make import FAMILIES, builtin, make_hexagons_builtin
from groundling.runs.instances import encode_instances

GAME = Path(__file__).parent.parent / "src" / "groundling" / "games" / "hexagons"
HEADINGS = ("", "images", "painted", "", "colours", "", "program", "", "", "told in", "", "")
BELOW = ("", "", "median", "range", "median", "range", "lines", "words", "range", "steps", "words", "range")


def procedures(data: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(data / f"{name}.jsonl" for name in ("train", "dev", "test")):
        if path.exists():
            with open(path, encoding="utf-8") as lines:
                yield from map(json.loads, lines)


def published(data: Path) -> str:
    """Every board that a published procedure ends with."""
    boards = {Board.from_digits(told["drawing_procedure"][-1][2]) for told in procedures(data)}
    return "\n".join(sorted({canonical_fingerprint(board) for board in boards})) + "\n"


def table(data: Path) -> str:
    """Painted tiles, colours and length: of our families, and below each of the category it is to be like."""
    rows: list[tuple[str, ...]] = [HEADINGS, BELOW]
    ours = builtin()
    theirs = list(procedures(data))
    for name, family in FAMILIES.items():
        images = [image for image in ours if image.set == name]
        lines = [len(image.program.splitlines()) for image in images]
        words = [len(_words(image.program)) for image in images]
        rows.append(
            (
                name,
                *_boards([image.target for image in images]),
                _mid(lines),
                _mid(words),
                _span(words),
                "",
                "",
                "",
            )
        )
        rows.append(_category(family.category, theirs))
    rows.append(_category("NONE", theirs))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    )


def _category(category: str, procedures: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    told = [procedure for procedure in procedures if procedure["category"] == category]
    boards = {
        procedure["image_id"].rstrip("a"): Board.from_digits(procedure["drawing_procedure"][-1][2])
        for procedure in told
    }
    steps = [procedure["drawing_procedure"][1:] for procedure in told]
    words = [sum(len(_words(text)) for _, text, _ in procedure) for procedure in steps]
    name = "drawn by crowdworkers" if category == "NONE" else category
    return (
        f"  {name}",
        *_boards(list(boards.values())),
        "",
        "",
        "",
        _mid(map(len, steps)),
        _mid(words),
        _span(words),
    )


def _boards(boards: list[Board]) -> tuple[str, ...]:
    tiles = [board.painted_count for board in boards]
    colours = [len(set(board.painted_tiles().values())) for board in boards]
    return str(len(boards)), _mid(tiles), _span(tiles), _mid(colours), _span(colours)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


def _mid(numbers: Iterable[int]) -> str:
    return f"{median(numbers):g}"


def _span(numbers: list[int]) -> str:
    return f"{min(numbers)}-{max(numbers)}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["published", data]:
            (GAME / "families" / "published.txt").write_text(published(Path(data)), encoding="ascii")
        case ["gallery"]:
            (GAME / "builtin.jsonl").write_bytes(encode_instances(make_hexagons_builtin()))
        case ["table", data]:
            print(table(Path(data)))
        case _:
            sys.exit(__doc__)
