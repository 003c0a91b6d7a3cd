"""Reads sentences that fully describe a line or some tiles: by start and end, or by length and direction."""

from __future__ import annotations

import re

from groundling.boards.hexes import COLUMNS, ROWS, Tile, turn_heading
from groundling.games.hexagons.players.parser.geometry import step_along, straight_line
from groundling.games.hexagons.players.parser.wholes.fillers import has_only_fillers
from groundling.games.hexagons.players.parser.wholes.places import MarkedText
from groundling.games.hexagons.players.parser.wholes.slots import SentenceSlots

_FROM_TO = re.compile(
    r"(?<!\S)(?:(?:from|to|through|until|till|between|connect|start|end|stop|reach|reaches)"
    r"(?: (?:at|on|with|in|the|by|all|tiles?))* @|"
    r"lines?|diagonal|stripe|streak|bar)(?!\S)"
)
_GOING_ON = re.compile(r"(?<!\S)(?:start|end|stop|until|till|continue|extend|through)(?!\S)")
_ENDS = re.compile(r"(?<!\S)(?:end|stop|reach|reaches)(?: (?:at|on|with|in|the|by))* @")
_STARTS = re.compile(r"(?<!\S)(?:start|from)(?: (?:at|on|with|in|from|the|by))* @")
_FROM_COLUMN = re.compile(
    r"(?<!\S)(?:start|from)(?: (?:in|at|with|from|on))* @columns .*?(?:end|stop|to|until|through)"
    r"(?: (?:in|at|with|on))* @columns(?!\S)"
)
_ALL_COLUMNS = re.compile(r"(?<!\S)(?:(?:every|each|all)(?: single| of)?(?: the)?(?: 18)? columns?)(?!\S)")
_ALL_OF = re.compile(
    r"(?<!\S)(?:(?:all|every)(?: of)?(?: the)? (?:10 |18 )?tiles?|all of|all|whole|entire|complete|full|"
    r"from (?:1|the left|the top) (?:side|end|edge) .*?to the (?:other|right|bottom)(?: (?:side|end|edge))?)"
    r"(?!\S)"
)

Painted = list[tuple[Tile, str]]


def read_line(found: MarkedText) -> Painted:
    """Return the tiles of a line or a list with their colours, in order; none if the description is
    incomplete."""
    slots = SentenceSlots(found.text)
    listed, colours = slots.has_one_colour_list(), slots.take_colours()
    said, stride, way = slots.text, slots.take_stride(), slots.take_heading()
    colours = [colour for colour in colours if colour not in ("white", "blank")] if stride > 1 else colours
    several = len(set(colours)) > 1
    if not colours or "blank" in colours or (several and ("white" in colours or not listed)):
        return []
    every_column = bool(slots.take_matches(_ALL_COLUMNS))
    slots.take_matches(_ALL_OF)
    count = slots.take_count()
    if count == 0 or way == "" or not has_only_fillers(slots.text):
        return []
    if not found.tiles:
        tiles = _numbered_tiles(found, every_column=every_column)
        known = has_only_fillers(slots.text, 0) and not (
            len(tiles) in (1, ROWS) and _GOING_ON.search(slots.text)
        )
        if (
            several
            or stride > 1
            or way not in (None, "up", "down")
            or count not in (None, len(tiles))
            or not known
        ):
            return []
    elif found.rows or found.columns:
        return []
    else:
        tiles = _tiles_along(
            list(dict.fromkeys(found.tiles)), said, way, count or (len(colours) if several else None), stride
        )
    cycle = colours if several else colours[:1]
    return [(tile, cycle[n % len(cycle)]) for n, tile in enumerate(tiles)]


def _tiles_along(
    places: list[Tile], said: str, way: str | None, count: int | None, stride: int
) -> list[Tile]:
    """Return tiles in a line, or those that are listed."""
    if len(places) == 2 and _FROM_TO.search(said):
        return straight_line(places[0], places[1])[::stride]
    if way is None:
        return places if stride == 1 and count in (None, len(places)) and not _FROM_TO.search(said) else []
    if len(places) > 1 or count is None:
        return []
    if _ENDS.search(said) and not _STARTS.search(said):
        back = {"left": "right", "right": "left"}.get(way) or turn_heading(way, 3)
        return [step_along(places[0], back, n * stride) for n in reversed(range(count))]
    return [step_along(places[0], way, n * stride) for n in range(count)]


def _numbered_tiles(found: MarkedText, *, every_column: bool) -> list[Tile]:
    """Return tiles of columns: some, all, or the same ones in every column."""
    rows, columns = found.rows, found.columns
    if len(columns) == 2 and _FROM_COLUMN.search(found.text):
        (first, *_), (last, *_) = columns
        columns = [list(range(min(first, last), max(first, last) + 1))]
    if len(rows) > 1 or len(columns) > 1 or not (rows or columns):
        return []
    if rows and columns:
        return [(row, column) for column in columns[0] for row in rows[0]]
    if columns:
        return (
            [(row, column) for column in columns[0] for row in range(1, ROWS + 1)]
            if len(columns[0]) == 1
            else []
        )
    if len(rows[0]) == 1 and (every_column or "@row " in f"{found.text} "):
        return [(rows[0][0], column) for column in range(1, COLUMNS + 1)]
    return []
