"""Repeats painted objects: elsewhere, several times, or in other colours."""

from __future__ import annotations

import re
from collections.abc import Sequence as Many

from msgspec import Struct, field

from groundling.boards.hexes import COLUMNS, Tile, on_board
from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    HeadingPhrase,
    Phrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
    VerbPhrase,
)
from groundling.games.hexagons.players.parser.copies import (
    PaintedObject,
    last_object,
    last_shift,
    object_from_marks,
    object_in_columns,
    paint_object,
    shifted_copy,
)
from groundling.games.hexagons.players.parser.deeds.recolour import ColourChange, colour_changes
from groundling.games.hexagons.players.parser.gaps import read_gap, read_repeat_count
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.target import Target, is_word, read_noun

_ALL = re.compile(
    r"across|until|till|end of|fill|complete|rest of|entire grid|run out|all the way|whole grid|remaining|"
    r"every other column|as far as"
)
_DOWN = re.compile(r"end of the column|fill the column|(?:the |this )column")


class _Request(Struct):
    """What to repeat, where, in which colours and direction."""

    source: PaintedObject | None = None
    places: list[Target] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    sequence: list[str] = field(default_factory=list)
    way: str | None = None


def perform_repeat(finder: TargetFinder, chunks: Many[Phrase], text: str) -> None:
    """Carry out a clause that requests a repetition; do nothing if it lacks information."""
    scene = finder.scene
    asked = _read_request(finder, chunks)
    source = asked.source or last_object(scene)
    if source is None:
        return
    colours = colour_changes(source, asked.sequence or asked.colours, text)
    goals = _copy_goals(finder, source, asked.places)
    if goals:
        for number, (start, end) in enumerate(goals):
            paint_object(scene, source.with_colours(colours[number % len(colours)]).move_between(start, end))
        scene.columns = sorted({end[1] for _, end in goals})
        return
    moved = last_shift(scene) if asked.way is None and not re.search(r"column|row", text) else None
    if moved is not None:
        _repeat_onward(finder, source, colours, moved, text)
    else:
        _repeat_in_line(finder, source, colours, asked.way, text)


def _repeat_in_line(
    finder: TargetFinder, source: PaintedObject, colours: list[ColourChange], way: str | None, text: str
) -> None:
    """Paint copies side by side."""
    way = way or ("down" if _DOWN.search(text) and len(source.columns) == 1 else "right")
    if way == "right" and source.columns[-1] == COLUMNS and len(source.columns) > COLUMNS // 2:
        way = "down"
    gap, times = read_gap(text), read_repeat_count(text)
    if gap is None:
        gap = source.column_spacing if way in ("left", "right") else 0
    if times is None and not _ALL.search(text):
        times = 1
    for number in range(1, (times or COLUMNS) + 1):
        copy = shifted_copy(source.with_colours(colours[(number - 1) % len(colours)]), way, gap, number)
        if copy.count_on_board == 0 or (times is None and copy.count_on_board * 2 < len(copy.tiles)):
            break
        paint_object(finder.scene, copy)


def _repeat_onward(
    finder: TargetFinder,
    source: PaintedObject,
    colours: list[ColourChange],
    moved: tuple[Tile, Tile],
    text: str,
) -> None:
    """Continue the shift between the last two objects."""
    for number in range(read_repeat_count(text) or (COLUMNS if _ALL.search(text) else 1)):
        source = source.move_between(*moved)
        if source.count_on_board == 0:
            break
        paint_object(finder.scene, source.with_colours(colours[number % len(colours)]))


def _read_request(finder: TargetFinder, chunks: Many[Phrase]) -> _Request:
    asked = _Request()
    at = 0
    while at < len(chunks):
        at = _take_phrase(finder, asked, chunks, at)
    return asked


def _take_phrase(finder: TargetFinder, asked: _Request, chunks: Many[Phrase], at: int) -> int:
    """Read a phrase, and return the position of the next one."""
    chunk, before, scene = chunks[at], chunks[at - 1] if at else None, finder.scene
    unknown = asked.source is None
    if isinstance(chunk, StepPhrase) and unknown:
        asked.source = object_from_marks(scene.marks_of_steps(chunk.numbers))
    elif isinstance(chunk, ColourPhrase):
        asked.colours.append(chunk.name)
    elif isinstance(chunk, ColourSequencePhrase):
        asked.sequence += [name for count, name in chunk.runs for _ in range(count)]
    elif isinstance(chunk, HeadingPhrase):
        asked.way = chunk.name if chunk.name in ("up", "down", "left", "right") else asked.way
    elif isinstance(chunk, RelationPhrase) and chunk.name in ("above", "below", "left", "right"):
        asked.way = {"above": "up", "below": "down"}.get(chunk.name, chunk.name)
        if found := read_noun(chunks, at + 1):
            return found[1]
    elif (
        isinstance(chunk, ColumnsPhrase)
        and unknown
        and is_word(before, "of", "from", "in")
        and _other_columns(chunks, at)
    ):
        asked.source = object_in_columns(scene, finder.find_columns(chunk))
    elif isinstance(chunk, ShapePhrase):
        if unknown and not asked.places and (chunk.definite or chunk.name not in ("line", "row", "diagonal")):
            asked.source = last_object(scene, chunk.colours, chunk.name)
            own = asked.source.colours if asked.source is not None else []
            if not chunk.definite and chunk.colours and not set(chunk.colours) & set(own):
                asked.colours.append(chunk.colours[0])
    elif isinstance(chunk, ColumnsPhrase | CornerPhrase | RowsPhrase) or (
        isinstance(chunk, TilesPhrase) and chunk.axis and not _is_named_by_colour(chunk)
    ):
        skipping = isinstance(before, VerbPhrase) and before.name in ("leave", "skip")
        if not skipping and (found := read_noun(chunks, at)):
            asked.places.append(found[0])
            return found[1]
    return at + 1


def _is_named_by_colour(chunk: TilesPhrase) -> bool:
    """Whether the tiles are identified by their colour."""
    return bool(chunk.colours) and chunk.definite


def _other_columns(chunks: Many[Phrase], at: int) -> bool:
    return any(isinstance(chunk, ColumnsPhrase) for number, chunk in enumerate(chunks) if number != at)


def _copy_goals(finder: TargetFinder, source: PaintedObject, places: list[Target]) -> list[tuple[Tile, Tile]]:
    """Return for each copy which tile of the object moves where."""
    goals: list[tuple[Tile, Tile]] = []
    for place in places:
        if place.tiles is None and place.corner is None and place.rows is None and place.columns is not None:
            row, handle = source.anchor_tile
            goals += [
                ((row, handle), (row, column)) for column in _goal_columns(finder, source, place.columns)
            ]
        else:
            if place.columns is None and place.tiles is not None and place.tiles.axis is not None:
                finder.scene.columns = [source.first_tile[1]]
            goals += [
                (source.centre_tile or source.first_tile, tile) for tile in finder.resolve_target(place)
            ]
    return [goal for goal in goals if on_board(goal[1])]


def _goal_columns(finder: TargetFinder, source: PaintedObject, chunk: ColumnsPhrase) -> list[int]:
    """Return the columns in which copies begin."""
    kind, stride, first = chunk.axis.picks[0] if chunk.axis is not None else ("", 0, 0)
    if kind == "every" and not first:
        return list(range(source.columns[0] + stride, COLUMNS + 1, stride))
    columns = finder.find_columns(chunk)
    width = source.columns[-1] - source.columns[0] + 1
    if width > 1 and len(columns) > 1 and columns == list(range(columns[0], columns[-1] + 1)):
        return columns[::width] if len(columns) % width == 0 else columns[:1]
    return columns
