"""Doing something again: elsewhere, more often, in other colours."""

from __future__ import annotations

import re
from collections.abc import Sequence as Many

from .....boards.hexes import COLUMNS, ROWS, Tile, on_board
from .chunks import Chunk, Colour, Columns, Corner, Heading, Relation, Rows, Sequence, Shape, Step, Tiles, Verb
from .copies import Thing, drift, fits, last_thing, lay, stretch, thing_in, thing_of
from .resolve import columns_of, resolve
from .phrases import COL
from .scene import Scene
from .target import Target, is_word, noun

_TIMES = re.compile(
    r"(?:(\d+|another|once|twice|thrice)(?: additional| more| other)? ?times?|(\d+) more|(once|twice|thrice)(?: more| again)?|1 more time)"
)
_WORDS = {"once": 1, "twice": 2, "thrice": 3, "another": 1}
_ALL = re.compile(
    r"across|until|till|end of|fill|complete|rest of|entire grid|run out|all the way|whole grid|remaining|every other column|as far as"
)
_SWAP = re.compile(r"(?:revers|swap|opposite|invert|switch|exchang|flip)\w*|alternate")
_GAP = re.compile(
    r"(?:leave|skip|with|separated by|leaving|but) (?:(?:\w+|,) ){0,3}?(?:a |an |the )?(\d+)?(?: ?(?:single|whole|full))?(?: (?:blank|white|open))? ?"
    r"(column|row|tile|line|gap)s?(?: left)?(?: (?:blank|white|open|of|between|gap|in)|$| )"
)


def times_of(text: str) -> int | None:
    match = _TIMES.search(text)
    if not match:
        return None
    said = match[1] or match[2] or match[3] or "1"
    return _WORDS.get(said) or int(said)


def gap_of(text: str) -> int | None:
    """How much is left blank between copies."""
    match = _GAP.search(text)
    if match and re.search(r"(?:blank|white|open|between|leave|skip|gap)", match.group()):
        return int(match[1] or 1)
    return 0 if re.search(r"no (?:blank|gap|space|white|tile)|touch", text) else None


def repeat(scene: Scene, chunks: Many[Chunk], text: str) -> bool:
    """Carries out a clause that says to do something again; False where it does not say enough."""
    source, places, colours, sequence, way = _read(scene, chunks)
    if source is None or not source.tiles:
        return False
    kinds = _recolour(
        source, colours, sequence, bool(_SWAP.search(text)), "alternate" in text or "each time" in text, _instead(text)
    )
    goals = _goals(scene, source, places)
    if goals:
        for number, (start, end) in enumerate(goals):
            lay(scene, kinds[number % len(kinds)](source).moved(start, end))
        scene.columns = sorted({end[1] for _, end in goals})
        return True
    moved = drift(scene) if way is None else None
    if moved is not None and not re.search(r"column|row", text):
        return _onward(scene, source, kinds, moved, times_of(text), bool(_ALL.search(text)))
    way = way or (
        "down"
        if re.search(r"end of the column|fill the column|(?:the |this )column", text) and len(source.columns) == 1
        else "right"
    )
    gap = gap_of(text)
    times = times_of(text)
    everything = bool(_ALL.search(text))
    if times is None and not everything:
        times = 1
    if gap is None:
        gap = source.spacing if way in ("left", "right") else 0
    if way == "right" and source.columns[-1] == COLUMNS and len(source.columns) > COLUMNS // 2:
        way = "down"
    before = len(scene.painted)
    for number in range(1, (times or COLUMNS) + 1):
        copy = stretch(kinds[(number - 1) % len(kinds)](source), way, gap, number)
        if copy.on_board == 0 or (times is None and not fits(copy) and copy.on_board * 2 < len(copy.tiles)):
            break
        lay(scene, copy)
    return len(scene.painted) > before


def _onward(
    scene: Scene, source: Thing, kinds: list[_Change], moved: tuple[Tile, Tile], times: int | None, everything: bool
) -> bool:
    """Goes on in the way that the last two things lie to each other."""
    before = len(scene.painted)
    start, end = moved
    for number in range(1, (times or (COLUMNS if everything else 1)) + 1):
        source = source.moved(start, end)
        if source.on_board == 0:
            break
        lay(scene, kinds[(number - 1) % len(kinds)](source))
    return len(scene.painted) > before


def _read(scene: Scene, chunks: Many[Chunk]) -> tuple[Thing | None, list[Target], list[str], list[str], str | None]:
    """What is repeated, where, in which colours, which way."""
    source: Thing | None = None
    places: list[Target] = []
    colours: list[str] = []
    sequence: list[str] = []
    way: str | None = None
    at = 0
    while at < len(chunks):
        chunk = chunks[at]
        before = chunks[at - 1] if at else None
        if isinstance(chunk, Step) and source is None:
            source = thing_of(scene.marks_of(chunk.numbers))
        elif isinstance(chunk, Colour):
            colours.append(chunk.name)
        elif isinstance(chunk, Sequence):
            sequence += [name for count, name in chunk.runs for _ in range(count)]
        elif (
            isinstance(chunk, Columns)
            and source is None
            and is_word(chunks[at - 1] if at else None, "of", "from", "in")
            and _columns_later(chunks, at)
        ):
            source = thing_in(scene, columns_of(scene, chunk))
        elif isinstance(chunk, Heading):
            way = _simple(chunk.name) or way
        elif isinstance(chunk, Relation) and chunk.name in ("above", "below", "left", "right"):
            way = {"above": "up", "below": "down"}.get(chunk.name, chunk.name)
            if found := noun(chunks, at + 1):
                at = found[1]
                continue
        elif (
            isinstance(chunk, Shape)
            and (chunk.definite or chunk.name not in ("line", "row", "diagonal"))
            and source is None
            and not places
        ):
            source = last_thing(scene, chunk.colours, chunk.name)
            if not chunk.definite and chunk.colours and source is not None and not set(chunk.colours) & set(source.colours):
                colours.append(chunk.colours[0])
        elif isinstance(chunk, Columns | Tiles | Corner | Rows) and not (
            isinstance(chunk, Tiles) and chunk.colours and chunk.definite
        ):
            if isinstance(chunk, Tiles) and chunk.axis is None:
                at += 1
                continue
            if isinstance(before, Verb) and before.name in ("leave", "skip"):
                at += 1
                continue
            if found := noun(chunks, at):
                places.append(found[0])
                at = found[1]
                continue
        at += 1
    if source is None:
        source = last_thing(scene)
    return source, places, colours, sequence, way


def _columns_later(chunks: Many[Chunk], at: int) -> bool:
    return any(isinstance(chunk, Columns) for chunk in chunks[at + 1 :]) or any(
        isinstance(chunk, Columns) for chunk in chunks[:at]
    )


def _simple(heading: str) -> str | None:
    return heading if heading in ("up", "down", "left", "right") else None


def _recolour(
    source: Thing, colours: list[str], sequence: list[str], swap: bool, turns: bool, pairs: dict[str, str]
) -> list[_Change]:
    own = source.colours
    said = sequence or colours
    if pairs:
        return [_Change(pairs)]
    if len(said) == len(own) and len(own) > 1 and set(said) == set(own) and said != own:
        return [_Change(dict(zip(own, said, strict=True)))]
    if swap and len(own) == 2 and (not said or set(said) <= set(own)):
        turned = _Change({own[0]: own[1], own[1]: own[0]})
        return [turned, _Change({})] if turns else [turned]
    if len(own) == 1 and said:
        return [_Change({own[0]: colour}) for colour in said]
    if len(said) == 1 and len(own) == 2 and said[0] in own:
        return [_Change({}) if said[0] == own[0] else _Change({own[0]: own[1], own[1]: own[0]})]
    if len(said) == 1 and said[0] not in own:
        return [_Change({colour: said[0] for colour in own})]
    if len(said) == len(own) and set(said) != set(own):
        return [_Change(dict(zip(own, said, strict=True)))]
    return [_Change({})]


def _instead(text: str) -> dict[str, str]:
    """Colours that take the place of others."""
    return {old: new for new, old in re.findall(rf"({COL})(?: tiles?)? instead of ({COL})", text)}


class _Change:
    def __init__(self, colours: dict[str, str]) -> None:
        self.colours = colours

    def __call__(self, thing: Thing) -> Thing:
        return thing.recoloured(self.colours) if self.colours else thing


def _goals(scene: Scene, source: Thing, places: list[Target]) -> list[tuple[Tile, Tile]]:
    """Which tile of the thing goes where, for each copy."""
    goals: list[tuple[Tile, Tile]] = []
    for place in places:
        if place.tiles is None and place.corner is None and place.rows is None and place.columns is not None:
            axis = place.columns.axis
            if axis is not None and axis.picks[0][0] == "every" and not axis.picks[0][2]:
                columns = list(range(source.columns[0] + axis.picks[0][1], COLUMNS + 1, axis.picks[0][1]))
            else:
                columns = columns_of(scene, place.columns)
            goals += _column_goals(scene, source, columns)
        else:
            anchor = source.centre or source.first
            if place.columns is None and place.tiles is not None and place.tiles.axis is not None:
                scene.columns = [source.first[1]]
            goals += [(anchor, tile) for tile in resolve(scene, place)]
    return [goal for goal in goals if on_board(goal[1])]


def _column_goals(scene: Scene, source: Thing, columns: list[int]) -> list[tuple[Tile, Tile]]:
    row, left = source.corner
    width = source.columns[-1] - left + 1
    here = columns
    if width > 1 and len(columns) > 1 and columns == list(range(columns[0], columns[-1] + 1)):
        here = columns[::width] if len(columns) % width == 0 else columns[:1]
    return [((row, left), (row, column)) for column in here if column != left or True]


def rows_below(thing: Thing) -> int:
    return ROWS - max(row for row, _ in thing.tiles)
