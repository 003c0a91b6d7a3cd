"""Phrases for places, numbers, headings and shapes, chosen from a pool such as `wordings/open.txt`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from groundling.boards.english.numbers import CARDINALS, ORDINALS, ordinal_number
from groundling.boards.english.text_tables import read_table_entries
from groundling.boards.hexes import COLUMNS, ROWS, Tile

WordingPool = Mapping[str, Sequence[str]]

WORDINGS = ("open", "held-out")
"""The pools of wordings, which are in `wordings/`."""

_SINGULAR = re.compile(r"\b(1|one) (more |further )?(tile|column|hexagon|step|line|layer|ring|border)s\b")


@cache
def load_wordings(wordings: str) -> WordingPool:
    """Return the wordings by key. A key has the same slots in every pool."""
    if wordings not in WORDINGS:
        raise ValueError(f"there are no wordings {wordings!r}: choose from {', '.join(WORDINGS)}")
    return dict(read_table_entries(__package__, f"wordings/{wordings}.txt"))


def join_wording(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


class SentenceWording:
    def __init__(self, rng: Random, wordings: str = "open") -> None:
        self.rng = rng
        self.pool = load_wordings(wordings)

    def choose_phrase(self, key: str, **slots: object) -> str:
        """Return a random wording of a key with its slots filled."""
        return self.rng.choice(self.pool[key]).format(**slots)

    def write_sentence(self, key: str, **slots: object) -> str:
        """Return a random wording of a key as a sentence."""
        return self.finish_sentence(self.choose_phrase(key, **slots))

    def finish_sentence(self, text: str) -> str:
        text = re.sub(r"\b([Aa]) orange", r"\1n orange", text)
        text = _SINGULAR.sub(r"\1 \2\3", text).replace("1 more copies", "1 more copy")
        return text[0].upper() + text[1:] + "."

    def place_phrase(self, tile: Tile) -> str:
        return self.choose_phrase("place", **_tile_slots(tile))

    def tile_sentence(self, tile: Tile, colour: str) -> str:
        """Return a sentence that paints one tile."""
        return self.write_sentence("tile", colour=colour, place=self.place_phrase(tile), **_tile_slots(tile))

    def column_sentence(self, rows: Sequence[int], column: int, colour: str) -> str:
        """Return a sentence that paints some tiles of a column."""
        slots = _tile_slots((rows[0], column)) | {
            "numbers": join_wording(list(map(str, rows))),
            "ordinals": join_wording(list(map(ordinal_number, rows))),
        }
        return self.write_sentence("tiles", colour=colour, **slots)

    def heading_phrase(self, heading: str) -> str:
        return self.choose_phrase(f"way {heading}")

    def places_phrase(self, tiles: Sequence[Tile]) -> str:
        """Name several tiles with the same wording, which contains no comma."""
        wording = self.rng.choice([wording for wording in self.pool["place"] if "," not in wording])
        return join_wording([wording.format(**_tile_slots(tile)) for tile in tiles])


def _tile_slots(tile: Tile) -> dict[str, object]:
    row, column = tile
    return {
        "row": row,
        "column": column,
        "nth": ordinal_number(row),
        "mth": ordinal_number(column),
        "third": ORDINALS[row],
        "fifth": ORDINALS[column],
        "from_bottom": ordinal_number(ROWS + 1 - row),
        "from_right": ordinal_number(COLUMNS + 1 - column),
    }


def number_wording(number: int) -> str:
    """Write a number up to twelve as a word."""
    return CARDINALS[number] if 0 <= number <= 12 else str(number)
