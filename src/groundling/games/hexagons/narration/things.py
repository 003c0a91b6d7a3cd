"""Sentences of levels 0, 1 and 2: tiles, lines and objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundling.boards.hexes import Board, Tile, step
from groundling.games.hexagons.narration.recognise import at, lines_of, recognise, straight
from groundling.games.hexagons.narration.told import Piece, piece
from groundling.games.hexagons.narration.voice import Voice, joined, nth, spelled
from groundling.games.hexagons.program import Stroke
from groundling.games.hexagons.program.frame import move
from groundling.games.hexagons.program.shapes import (
    Column,
    Disc,
    Flower,
    Line,
    Outline,
    Place,
    Rhombus,
    Ring,
    Row,
    Shape,
    Tiles,
    Triangle,
)
from groundling.games.hexagons.program.values import Paint

MOST_LISTED = 4
"""The most tiles that a sentence names one by one."""


def by_tiles(board: Board, voice: Voice) -> Iterator[Piece]:
    """Describe a board at level 0: column by column, a few tiles of one colour at a time."""
    last: Tile | None = None
    for colour, tiles in _runs(board):
        below = last is not None and tiles == [step(last, "down")]
        if below and voice.rng.random() < 0.5:
            text = voice.say("tile below", colour=colour)
        elif len(tiles) == 1:
            text = voice.tile(tiles[0], colour)
        else:
            text = voice.column([row for row, _ in tiles], tiles[0][1], colour)
        yield piece(text, 0, Paint((colour,), _listed(tiles)))
        last = tiles[-1]


def _runs(board: Board) -> Iterator[tuple[str, list[Tile]]]:
    painted = board.painted()
    for column in range(1, 19):
        tiles = [tile for tile in sorted(painted) if tile[1] == column]
        while tiles:
            colour = painted[tiles[0]]
            same = [tile for tile in tiles if painted[tile] == colour][:MOST_LISTED]
            yield colour, same
            tiles = [tile for tile in tiles if tile not in same]


def by_lines(board: Board, voice: Voice) -> Iterator[Piece]:
    """Describe a board at level 1: straight lines of one colour, and remaining tiles one by one."""
    painted = board.painted()
    for colour in dict.fromkeys(painted.values()):
        yield from _lines([tile for tile, its in painted.items() if its == colour], colour, voice)


def _lines(tiles: list[Tile], colour: str, voice: Voice) -> Iterator[Piece]:
    for line in lines_of(tiles):
        yield thing(line, colour, voice)


def by_objects(strokes: Sequence[Stroke], voice: Voice) -> Iterator[Piece]:
    """Describe at level 2 what each stroke of the program draws."""
    for stroke in strokes:
        yield from told_stroke(stroke, voice)


def told_stroke(stroke: Stroke, voice: Voice) -> Iterator[Piece]:
    colours = [colour for _, _, colour in stroke.actions]
    tiles = [(row, column) for row, column, _ in stroke.actions]
    if not tiles:
        return
    whole = _striped(tiles, colours, voice)
    if whole:
        yield whole
        return
    for colour in dict.fromkeys(colours):
        same = [tile for tile, its in zip(tiles, colours, strict=True) if its == colour]
        if recognise(same):
            yield thing(same, colour, voice)
        elif len(same) <= MOST_LISTED + 2 and not any(len(line) > 2 for line in lines_of(same)):
            yield piece(
                voice.say("scattered", colour=colour, places=voice.places(same)),
                0,
                Paint((colour,), _listed(same)),
            )
        else:
            yield from _lines(same, colour, voice)


def _striped(tiles: list[Tile], colours: list[str], voice: Voice) -> Piece | None:
    """Describe a line in several colours or with gaps in one sentence."""
    for gap in (1, 2, 3, 4):
        way = straight(tiles, gap) if len(tiles) > 2 else None
        if not way or (gap == 1 and len(set(colours)) == 1):
            continue
        spaced = [part for colour in colours for part in (colour, *"-" * (gap - 1))]
        line = Paint(tuple(spaced), Line(at(tiles[0]), way, len(tiles) * gap - gap + 1))
        slots = {
            "place": voice.place(tiles[0]),
            "way": voice.way(way),
            "count": len(tiles),
            "four": spelled(len(tiles)),
        }
        spread = " spaced" if gap > 1 else ""
        slots |= {"every": voice.phrase(f"every {gap}")} if spread else {}
        period = next(
            n for n in range(1, len(colours) + 1) if colours == (colours[:n] * len(colours))[: len(colours)]
        )
        cycle = joined(colours[:period])
        if period == 1:
            return piece(voice.say("dotted", colour=colours[0], **slots), 1, line)
        if period <= 3 and 2 * period <= len(colours) and len(set(colours[:period])) == period:
            return piece(
                voice.say(f"alternating{spread}", colours=cycle, **slots), 1 if way != "right" else 2, line
            )
        return piece(voice.say(f"sequence{spread}", colours=", ".join(colours), **slots), 1, line)
    return None


def thing(tiles: list[Tile], colour: str, voice: Voice) -> Piece:
    """Describe the shape that the tiles form."""
    shape = recognise(tiles)
    assert shape is not None, "only what was recognised is told as a thing"
    paint = Paint((colour,), shape)
    if isinstance(shape, Place):
        return piece(voice.tile(tiles[0], colour), 0, paint)
    key, level, slots = _described(shape, voice)
    return piece(voice.say(key, colour=colour, **slots), level, paint)


def _described(shape: Shape, voice: Voice) -> tuple[str, int, dict[str, object]]:
    """Return the key of the wording, the level, and the values of the slots."""
    match shape:
        case Line(Place(tile), way, int(count)) if tile:
            return _line(tile, way, count, voice)
        case Column(int(number)):
            return "column", 1, {"column": number, "mth": nth(number), "from_right": nth(19 - number)}
        case Row(int(number)):
            return "row", 2, {"row": number, "nth": nth(number), "from_bottom": nth(11 - number)}
        case Flower(Place(tile)) if tile:
            return "flower", 2, {"place": voice.place(tile)}
        case Ring(Place(tile), int(radius)) if tile:
            return "ring", 2, {"place": voice.place(tile), "radius": radius, "two": spelled(radius)}
        case Disc(Place(tile), int(radius)) if tile:
            return (
                "dot" if radius == 1 else "disc",
                2,
                {"place": voice.place(tile), "radius": radius, "two": spelled(radius)},
            )
        case Triangle(Place(tile), way, int(side)) if tile:
            facing = "left" if way == "up-right" else "right"
            return (
                "triangle",
                2,
                {"place": voice.place(tile), "side": side, "three": spelled(side), "facing": facing},
            )
        case Rhombus(Place(tile), _, int(side)) if tile:
            return "rhombus", 2, {"place": voice.place(tile), "side": side, "three": spelled(side)}
        case Outline(inner):
            key, level, slots = _described(inner, voice)
            return f"{key} outline", level, slots
    raise AssertionError(f"nothing is recognised as {shape}")


def _line(tile: Tile, way: str, count: int, voice: Voice) -> tuple[str, int, dict[str, object]]:
    end = move(tile, way, count - 1)
    slots: dict[str, object] = {
        "place": voice.place(tile),
        "end": voice.place(end),
        "way": voice.way(way),
        "count": count,
        "four": spelled(count),
        "column": tile[1],
        "mth": nth(tile[1]),
        "row": tile[0],
        "nth": nth(tile[0]),
    }
    if way in ("up", "down"):
        first, last = sorted((tile[0], end[0]))
        return (
            "upright line",
            1,
            slots | {"first": first, "last": last, "first_nth": nth(first), "last_nth": nth(last)},
        )
    if way in ("right", "left"):
        first, last = sorted((tile[1], end[1]))
        return (
            "level line",
            2,
            slots | {"first": first, "last": last, "first_nth": nth(first), "last_nth": nth(last)},
        )
    return "slanting line", 1, slots


def _listed(tiles: list[Tile]) -> Place | Tiles:
    return at(tiles[0]) if len(tiles) == 1 else Tiles(tuple(map(at, tiles)))
