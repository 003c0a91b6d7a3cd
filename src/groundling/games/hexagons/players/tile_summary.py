"""A few words for tiles that are painted: how many, in which colours, and where. Executors ask with them, and
instructors answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from groundling.boards.english.numbers import ordinal_number
from groundling.boards.hexes import Tile

Painted = Mapping[Tile, str]
_MOST_NAMED = 5
"""More columns than this are counted, not named."""


def join_words(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def count_tiles(painted: Painted) -> str:
    """Such as "1 red tile", or "6 tiles: 4 blue and 2 red"."""
    tiles = f"tile{'s' if len(painted) > 1 else ''}"
    counts = Counter(painted.values()).most_common()
    if len(counts) == 1:
        return f"{len(painted)} {counts[0][0]} {tiles}"
    return f"{len(painted)} {tiles}: {join_words([f'{count} {colour}' for colour, count in counts])}"


def place_tiles(painted: Painted) -> str:
    """Such as "in column 4, from the 2nd to the 5th tile", or "in columns 4 to 9"."""
    columns = sorted({column for _, column in painted})
    if len(columns) > 1:
        first, last = columns[0], columns[-1]
        if len(columns) == last - first + 1 > 2:
            return f"in columns {first} to {last}"
        if len(columns) > _MOST_NAMED:
            return f"in {len(columns)} columns from {first} to {last}"
        return f"in columns {join_words([str(one) for one in columns])}"
    rows = [ordinal_number(row) for row, _ in sorted(painted)]
    if len(rows) == max(painted)[0] - min(painted)[0] + 1 > 2:
        where = f"from the {rows[0]} to the {rows[-1]} tile"
    else:
        where = f"at the {join_words(rows)} tile{'s' if len(rows) > 1 else ''}"
    return f"in column {columns[0]}, {where}"


def first_tile(painted: Painted) -> str:
    """The highest tile of the leftmost column."""
    row, column = min(painted, key=lambda tile: (tile[1], tile[0]))
    return f"the {ordinal_number(row)} tile of column {column}"


def answer_directly(question: str, painted: Painted) -> str:
    """A short answer about the colour, the number or the place of these tiles; "" for other questions."""
    asked = question.lower()
    if not painted or asked.startswith("do you mean"):
        return ""
    if re.search(r"colou?r", asked):
        return f"{join_words(list(dict.fromkeys(painted.values()))).capitalize()}."
    if "how many" in asked:
        return f"{len(painted)} in all."
    return f"It begins at {first_tile(painted)}." if re.search(r"where|column|row|begin|start", asked) else ""
