"""Repeats painted objects: elsewhere, several times, or in other colours."""

from __future__ import annotations

import re
from collections.abc import Sequence as Many

from msgspec import Struct, field

from groundling.boards.hexes import COLUMNS, Tile, on_board
from groundling.games.hexagons.players.parser.chunks import (
    Chunk,
    Colour,
    Columns,
    Corner,
    Heading,
    Relation,
    Rows,
    Sequence,
    Shape,
    Step,
    Tiles,
    Verb,
)
from groundling.games.hexagons.players.parser.copies import (
    Thing,
    drift,
    last_thing,
    lay,
    stretch,
    thing_in,
    thing_of,
)
from groundling.games.hexagons.players.parser.deeds.recolour import Change, changes
from groundling.games.hexagons.players.parser.gaps import gap_of, times_of
from groundling.games.hexagons.players.parser.meaning import Finder
from groundling.games.hexagons.players.parser.target import Target, is_word, noun

_ALL = re.compile(
    r"across|until|till|end of|fill|complete|rest of|entire grid|run out|all the way|whole grid|remaining|"
    r"every other column|as far as"
)
_DOWN = re.compile(r"end of the column|fill the column|(?:the |this )column")


class _Request(Struct):
    """What to repeat, where, in which colours and direction."""

    source: Thing | None = None
    places: list[Target] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    sequence: list[str] = field(default_factory=list)
    way: str | None = None


def repeat(finder: Finder, chunks: Many[Chunk], text: str) -> None:
    """Carry out a clause that requests a repetition; do nothing if it lacks information."""
    scene = finder.scene
    asked = _read(finder, chunks)
    source = asked.source or last_thing(scene)
    if source is None:
        return
    colours = changes(source, asked.sequence or asked.colours, text)
    goals = _goals(finder, source, asked.places)
    if goals:
        for number, (start, end) in enumerate(goals):
            lay(scene, source.recoloured(colours[number % len(colours)]).moved(start, end))
        scene.columns = sorted({end[1] for _, end in goals})
        return
    moved = drift(scene) if asked.way is None and not re.search(r"column|row", text) else None
    if moved is not None:
        _onward(finder, source, colours, moved, text)
    else:
        _in_line(finder, source, colours, asked.way, text)


def _in_line(finder: Finder, source: Thing, colours: list[Change], way: str | None, text: str) -> None:
    """Paint copies side by side."""
    way = way or ("down" if _DOWN.search(text) and len(source.columns) == 1 else "right")
    if way == "right" and source.columns[-1] == COLUMNS and len(source.columns) > COLUMNS // 2:
        way = "down"
    gap, times = gap_of(text), times_of(text)
    if gap is None:
        gap = source.spacing if way in ("left", "right") else 0
    if times is None and not _ALL.search(text):
        times = 1
    for number in range(1, (times or COLUMNS) + 1):
        copy = stretch(source.recoloured(colours[(number - 1) % len(colours)]), way, gap, number)
        if copy.on_board == 0 or (times is None and copy.on_board * 2 < len(copy.tiles)):
            break
        lay(finder.scene, copy)


def _onward(
    finder: Finder, source: Thing, colours: list[Change], moved: tuple[Tile, Tile], text: str
) -> None:
    """Continue the shift between the last two objects."""
    for number in range(times_of(text) or (COLUMNS if _ALL.search(text) else 1)):
        source = source.moved(*moved)
        if source.on_board == 0:
            break
        lay(finder.scene, source.recoloured(colours[number % len(colours)]))


def _read(finder: Finder, chunks: Many[Chunk]) -> _Request:
    asked = _Request()
    at = 0
    while at < len(chunks):
        at = _take(finder, asked, chunks, at)
    return asked


def _take(finder: Finder, asked: _Request, chunks: Many[Chunk], at: int) -> int:
    """Read a phrase, and return the position of the next one."""
    chunk, before, scene = chunks[at], chunks[at - 1] if at else None, finder.scene
    unknown = asked.source is None
    if isinstance(chunk, Step) and unknown:
        asked.source = thing_of(scene.marks_of(chunk.numbers))
    elif isinstance(chunk, Colour):
        asked.colours.append(chunk.name)
    elif isinstance(chunk, Sequence):
        asked.sequence += [name for count, name in chunk.runs for _ in range(count)]
    elif isinstance(chunk, Heading):
        asked.way = chunk.name if chunk.name in ("up", "down", "left", "right") else asked.way
    elif isinstance(chunk, Relation) and chunk.name in ("above", "below", "left", "right"):
        asked.way = {"above": "up", "below": "down"}.get(chunk.name, chunk.name)
        if found := noun(chunks, at + 1):
            return found[1]
    elif (
        isinstance(chunk, Columns)
        and unknown
        and is_word(before, "of", "from", "in")
        and _other_columns(chunks, at)
    ):
        asked.source = thing_in(scene, finder.columns(chunk))
    elif isinstance(chunk, Shape):
        if unknown and not asked.places and (chunk.definite or chunk.name not in ("line", "row", "diagonal")):
            asked.source = last_thing(scene, chunk.colours, chunk.name)
            own = asked.source.colours if asked.source is not None else []
            if not chunk.definite and chunk.colours and not set(chunk.colours) & set(own):
                asked.colours.append(chunk.colours[0])
    elif isinstance(chunk, Columns | Corner | Rows) or (
        isinstance(chunk, Tiles) and chunk.axis and not _told(chunk)
    ):
        skipping = isinstance(before, Verb) and before.name in ("leave", "skip")
        if not skipping and (found := noun(chunks, at)):
            asked.places.append(found[0])
            return found[1]
    return at + 1


def _told(chunk: Tiles) -> bool:
    """Whether the tiles are identified by their colour."""
    return bool(chunk.colours) and chunk.definite


def _other_columns(chunks: Many[Chunk], at: int) -> bool:
    return any(isinstance(chunk, Columns) for number, chunk in enumerate(chunks) if number != at)


def _goals(finder: Finder, source: Thing, places: list[Target]) -> list[tuple[Tile, Tile]]:
    """Return for each copy which tile of the object moves where."""
    goals: list[tuple[Tile, Tile]] = []
    for place in places:
        if place.tiles is None and place.corner is None and place.rows is None and place.columns is not None:
            row, handle = source.handle
            goals += [
                ((row, handle), (row, column)) for column in _goal_columns(finder, source, place.columns)
            ]
        else:
            if place.columns is None and place.tiles is not None and place.tiles.axis is not None:
                finder.scene.columns = [source.first[1]]
            goals += [(source.centre or source.first, tile) for tile in finder.resolve(place)]
    return [goal for goal in goals if on_board(goal[1])]


def _goal_columns(finder: Finder, source: Thing, chunk: Columns) -> list[int]:
    """Return the columns in which copies begin."""
    kind, stride, first = chunk.axis.picks[0] if chunk.axis is not None else ("", 0, 0)
    if kind == "every" and not first:
        return list(range(source.columns[0] + stride, COLUMNS + 1, stride))
    columns = finder.columns(chunk)
    width = source.columns[-1] - source.columns[0] + 1
    if width > 1 and len(columns) > 1 and columns == list(range(columns[0], columns[-1] + 1)):
        return columns[::width] if len(columns) % width == 0 else columns[:1]
    return columns
