"""Repeats painted objects: elsewhere, several times, or in other colours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from groundling.boards.hexes import COLUMNS, Tile, is_on_lattice
from groundling.games.hexagons.players.parser.parser_scene import (
    ParserObject,
    ParserScene,
    last_parser_object,
    last_parser_shift,
    paint_parser_object,
    parser_object_from_marks,
    parser_object_in_columns,
    shifted_parser_object,
)
from groundling.games.hexagons.players.parser.phrases import (
    COL,
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
from groundling.games.hexagons.players.parser.target_finder import TargetFinder
from groundling.games.hexagons.players.parser.targets import Target, is_target_word, read_target_noun
from groundling.games.hexagons.players.parser.tile_geometry import step_along_tiles

_TIMES = re.compile(
    r"(\d+|another|once|twice|thrice)(?: additional| more| other)? ?times?|(\d+) more|(once|twice|thrice)"
    r"(?: more| again)?|1 more time"
)
_TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3, "another": 1}
_GAP = re.compile(
    r"(?:leave|skip|with|separated by|leaving|but) (?:(?:\w+|,) ){0,3}?(?:a |an |the )?(\d+)?"
    r"(?: ?(?:single|whole|full))?"
    r"(?: (?:blank|white|open))? ?(?:column|row|tile|line|gap)s?(?: left)?"
    r"(?: (?:blank|white|open|of|between|gap|in)|$| )"
)
_BLANK = re.compile(r"blank|white|open|between|leave|skip|gap")
_NO_GAP = re.compile(r"no (?:blank|gap|space|white|tile)|touch")


def _read_repeat_count(text: str) -> int | None:
    """Return the number of further copies."""
    match = _TIMES.search(text)
    if not match:
        return None
    said = match[1] or match[2] or match[3] or "1"
    return _TIMES_WORDS.get(said) or int(said)


def read_repetition_gap(text: str) -> int | None:
    """Return the number of blank columns or rows between copies."""
    match = _GAP.search(text)
    if match and _BLANK.search(match.group()):
        return int(match[1] or 1)
    return 0 if _NO_GAP.search(text) else None


_SWAPPED = re.compile(r"(?:revers|swap|opposite|invert|switch|exchang|flip)\w*|alternate")
_INSTEAD = re.compile(rf"({COL})(?: tiles?)? instead of ({COL})")
ColourChange = dict[str, str]
"""Maps old colours to new ones."""


def swap_colours(own: list[str]) -> ColourChange:
    return {own[0]: own[1], own[1]: own[0]}


def _colour_changes(source: ParserObject, said: list[str], text: str) -> list[ColourChange]:
    """Return the change of colours for each copy, as a cycle."""
    own = source.colours
    instead = {old: new for new, old in _INSTEAD.findall(text)}
    if instead:
        return [instead]
    if len(own) > 1 and sorted(said) == sorted(own) and said != own:
        return [dict(zip(own, said, strict=True))]
    if len(own) == 2 and _SWAPPED.search(text) and set(said) <= set(own):
        return [swap_colours(own), {}] if "alternate" in text or "each time" in text else [swap_colours(own)]
    if len(own) == 1 and said:
        return [{own[0]: colour} for colour in said]
    if len(said) == 1 and len(own) == 2 and said[0] in own:
        return [{} if said[0] == own[0] else swap_colours(own)]
    if len(said) == 1 and said[0] not in own:
        return [dict.fromkeys(own, said[0])]
    if len(said) == len(own) and set(said) != set(own):
        return [dict(zip(own, said, strict=True))]
    return [{}]


_ALL = re.compile(
    r"across|until|till|end of|fill|complete|rest of|entire grid|run out|all the way|whole grid|remaining|"
    r"every other column|as far as"
)
_DOWN = re.compile(r"end of the column|fill the column|(?:the |this )column")


class _Request(Struct):
    """What to repeat, where, in which colours and direction."""

    source: ParserObject | None = None
    places: list[Target] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    sequence: list[str] = field(default_factory=list)
    way: str | None = None


def perform_repeat(finder: TargetFinder, chunks: Sequence[Phrase], text: str) -> None:
    """Carry out a clause that requests a repetition; do nothing if it lacks information."""
    scene = finder.scene
    asked = _read_request(finder, chunks)
    source = asked.source or last_parser_object(scene)
    if source is None:
        return
    colours = _colour_changes(source, asked.sequence or asked.colours, text)
    if (offset := _OFFSET.search(text)) and "times" in text:
        _repeat_at_offset(scene, source, colours, offset, text)
        return
    goals = _copy_goals(finder, source, asked.places)
    if goals:
        for number, (start, end) in enumerate(goals):
            paint_parser_object(
                scene, source.with_colours(colours[number % len(colours)]).move_between(start, end)
            )
        scene.columns = sorted({end[1] for _, end in goals})
        return
    moved = last_parser_shift(scene) if asked.way is None and not re.search(r"column|row", text) else None
    if moved is not None:
        _repeat_onward(finder, source, colours, moved, text)
    else:
        _repeat_in_line(finder, source, colours, asked.way, text)


_OFFSET = re.compile(
    r"each(?: (?:time|copy|tile))?(?: (?:is|being|shifted|move))* (\d+) (?:tiles?|columns?|steps?)"
    r"(?: (?:straight|directly|further|over|to|the))* (left|right|up|down|below|above|lower|higher)(?:wards)?"
    r"(?: and (?:to the )?(left|right))?(?!\S)"
)
_OFFSET_WAYS = {"below": "down", "lower": "down", "above": "up", "higher": "up"}


def _repeat_at_offset(
    scene: ParserScene, source: ParserObject, colours: list[ColourChange], offset: re.Match[str], text: str
) -> None:
    """Paint copies, each at the stated distance from the last."""
    way = _OFFSET_WAYS.get(offset[2], offset[2]) + (f"-{offset[3]}" if offset[3] else "")
    for number in range(1, (_read_repeat_count(text) or 1) + 1):
        goal = step_along_tiles(source.corner_tile, way, int(offset[1]) * number)
        copy = source.with_colours(colours[(number - 1) % len(colours)])
        paint_parser_object(scene, copy.move_between(source.corner_tile, goal))


def _repeat_in_line(
    finder: TargetFinder, source: ParserObject, colours: list[ColourChange], way: str | None, text: str
) -> None:
    """Paint copies side by side."""
    way = way or ("down" if _DOWN.search(text) and len(source.columns) == 1 else "right")
    if way == "right" and source.columns[-1] == COLUMNS and len(source.columns) > COLUMNS // 2:
        way = "down"
    gap, times = read_repetition_gap(text), _read_repeat_count(text)
    if gap is None:
        gap = source.column_spacing if way in ("left", "right") else 0
    if times is None and not _ALL.search(text):
        times = 1
    for number in range(1, (times or COLUMNS) + 1):
        copy = shifted_parser_object(
            source.with_colours(colours[(number - 1) % len(colours)]), way, gap, number
        )
        if copy.count_on_board == 0 or (times is None and copy.count_on_board * 2 < len(copy.tiles)):
            break
        paint_parser_object(finder.scene, copy)


def _repeat_onward(
    finder: TargetFinder,
    source: ParserObject,
    colours: list[ColourChange],
    moved: tuple[Tile, Tile],
    text: str,
) -> None:
    """Continue the shift between the last two objects."""
    for number in range(_read_repeat_count(text) or (COLUMNS if _ALL.search(text) else 1)):
        source = source.move_between(*moved)
        if source.count_on_board == 0:
            break
        paint_parser_object(finder.scene, source.with_colours(colours[number % len(colours)]))


def _read_request(finder: TargetFinder, chunks: Sequence[Phrase]) -> _Request:
    asked = _Request()
    at = 0
    while at < len(chunks):
        at = _take_phrase(finder, asked, chunks, at)
    return asked


def _take_phrase(finder: TargetFinder, asked: _Request, chunks: Sequence[Phrase], at: int) -> int:
    """Read a phrase, and return the position of the next one."""
    chunk, before, scene = chunks[at], chunks[at - 1] if at else None, finder.scene
    unknown = asked.source is None
    if isinstance(chunk, StepPhrase) and unknown:
        asked.source = parser_object_from_marks(scene.marks_of_steps(chunk.numbers))
    elif isinstance(chunk, ColourPhrase):
        asked.colours.append(chunk.name)
    elif isinstance(chunk, ColourSequencePhrase):
        asked.sequence += [name for count, name in chunk.runs for _ in range(count)]
    elif isinstance(chunk, HeadingPhrase):
        asked.way = chunk.name if chunk.name in ("up", "down", "left", "right") else asked.way
    elif isinstance(chunk, RelationPhrase) and chunk.name in ("above", "below", "left", "right"):
        asked.way = {"above": "up", "below": "down"}.get(chunk.name, chunk.name)
        if found := read_target_noun(chunks, at + 1):
            return found[1]
    elif (
        isinstance(chunk, ColumnsPhrase)
        and unknown
        and is_target_word(before, "of", "from", "in")
        and any(isinstance(other, ColumnsPhrase) for other in (*chunks[:at], *chunks[at + 1 :]))
    ):
        asked.source = parser_object_in_columns(scene, finder.find_columns(chunk))
    elif isinstance(chunk, ShapePhrase):
        if unknown and not asked.places and (chunk.definite or chunk.name not in ("line", "row", "diagonal")):
            asked.source = last_parser_object(scene, chunk.colours, chunk.name)
            own = asked.source.colours if asked.source is not None else []
            if not chunk.definite and chunk.colours and not set(chunk.colours) & set(own):
                asked.colours.append(chunk.colours[0])
    elif isinstance(chunk, ColumnsPhrase | CornerPhrase | RowsPhrase) or (
        isinstance(chunk, TilesPhrase) and chunk.axis and not (chunk.colours and chunk.definite)
    ):
        skipping = isinstance(before, VerbPhrase) and before.name in ("leave", "skip")
        if not skipping and (found := read_target_noun(chunks, at)):
            asked.places.append(found[0])
            return found[1]
    return at + 1


def _copy_goals(finder: TargetFinder, source: ParserObject, places: list[Target]) -> list[tuple[Tile, Tile]]:
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
    return [goal for goal in goals if is_on_lattice(goal[1])]


def _goal_columns(finder: TargetFinder, source: ParserObject, chunk: ColumnsPhrase) -> list[int]:
    """Return the columns in which copies begin."""
    kind, stride, first = chunk.axis.picks[0] if chunk.axis is not None else ("", 0, 0)
    if kind == "every" and not first:
        return list(range(source.columns[0] + stride, COLUMNS + 1, stride))
    columns = finder.find_columns(chunk)
    width = source.columns[-1] - source.columns[0] + 1
    if width > 1 and len(columns) > 1 and columns == list(range(columns[0], columns[-1] + 1)):
        return columns[::width] if len(columns) % width == 0 else columns[:1]
    return columns
