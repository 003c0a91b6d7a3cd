"""Sentences of levels 0, 1 and 2: tiles, lines and objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundling.boards.english.numbers import ordinal_number
from groundling.boards.hexes import Board, Tile, step_on_lattice
from groundling.games.hexagons.narration.narration_steps import NarratedSentence, make_narrated_sentence
from groundling.games.hexagons.narration.shape_recognition import (
    recognise_line_cover,
    recognise_line_heading,
    recognise_shape,
    recognised_tile,
)
from groundling.games.hexagons.narration.wording import SentenceWording, join_wording, number_wording
from groundling.games.hexagons.program import ProgramStroke
from groundling.games.hexagons.program.frame import move_frame_tile
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    DiscShape,
    FlowerShape,
    LineShape,
    OutlineShape,
    RhombusShape,
    RingShape,
    RowShape,
    Shape,
    TileReference,
    TilesShape,
    TriangleShape,
)
from groundling.games.hexagons.program.statements import PaintStatement

MOST_LISTED = 4
"""The most tiles that a sentence names one by one."""


def describe_tile_objects(board: Board, voice: SentenceWording) -> Iterator[NarratedSentence]:
    """Describe a board at level 0: column by column, a few tiles of one colour at a time."""
    last: Tile | None = None
    for colour, tiles in _column_runs(board):
        below = last is not None and tiles == [step_on_lattice(last, "down")]
        if below and voice.rng.random() < 0.5:
            text = voice.write_sentence("tile below", colour=colour)
        elif len(tiles) == 1:
            text = voice.tile_sentence(tiles[0], colour)
        else:
            text = voice.column_sentence([row for row, _ in tiles], tiles[0][1], colour)
        yield make_narrated_sentence(text, 0, PaintStatement((colour,), _list_tiles(tiles)))
        last = tiles[-1]


def _column_runs(board: Board) -> Iterator[tuple[str, list[Tile]]]:
    painted = board.painted_tiles()
    for column in range(1, 19):
        tiles = [tile for tile in sorted(painted) if tile[1] == column]
        while tiles:
            colour = painted[tiles[0]]
            same = [tile for tile in tiles if painted[tile] == colour][:MOST_LISTED]
            yield colour, same
            tiles = [tile for tile in tiles if tile not in same]


def describe_line_objects(board: Board, voice: SentenceWording) -> Iterator[NarratedSentence]:
    """Describe a board at level 1: straight lines of one colour, and remaining tiles one by one."""
    painted = board.painted_tiles()
    for colour in dict.fromkeys(painted.values()):
        yield from describe_line_cover(
            [tile for tile, its in painted.items() if its == colour], colour, voice
        )


def describe_line_cover(tiles: list[Tile], colour: str, voice: SentenceWording) -> Iterator[NarratedSentence]:
    for line in recognise_line_cover(tiles):
        yield describe_shape_object(line, colour, voice)


def describe_objects(strokes: Sequence[ProgramStroke], voice: SentenceWording) -> Iterator[NarratedSentence]:
    """Describe at level 2 what each stroke of the program draws."""
    for stroke in strokes:
        yield from describe_stroke_object(stroke, voice)


def describe_stroke_object(stroke: ProgramStroke, voice: SentenceWording) -> Iterator[NarratedSentence]:
    colours = [colour for _, _, colour in stroke.actions]
    tiles = [(row, column) for row, column, _ in stroke.actions]
    if not tiles:
        return
    whole = _describe_striped(tiles, colours, voice)
    if whole:
        yield whole
        return
    for colour in dict.fromkeys(colours):
        same = [tile for tile, its in zip(tiles, colours, strict=True) if its == colour]
        if recognise_shape(same):
            yield describe_shape_object(same, colour, voice)
        elif len(same) <= MOST_LISTED + 2 and not any(len(line) > 2 for line in recognise_line_cover(same)):
            yield make_narrated_sentence(
                voice.write_sentence("scattered", colour=colour, places=voice.places_phrase(same)),
                0,
                PaintStatement((colour,), _list_tiles(same)),
            )
        else:
            yield from describe_line_cover(same, colour, voice)


def _describe_striped(
    tiles: list[Tile], colours: list[str], voice: SentenceWording
) -> NarratedSentence | None:
    """Describe a line in several colours or with gaps in one sentence."""
    for gap in (1, 2, 3, 4):
        way = recognise_line_heading(tiles, gap) if len(tiles) > 2 else None
        if not way or (gap == 1 and len(set(colours)) == 1):
            continue
        spaced = [part for colour in colours for part in (colour, *"-" * (gap - 1))]
        line = PaintStatement(
            tuple(spaced), LineShape(recognised_tile(tiles[0]), way, len(tiles) * gap - gap + 1)
        )
        slots = {
            "place": voice.place_phrase(tiles[0]),
            "way": voice.heading_phrase(way),
            "count": len(tiles),
            "four": number_wording(len(tiles)),
        }
        spread = " spaced" if gap > 1 else ""
        slots |= {"every": voice.choose_phrase(f"every {gap}")} if spread else {}
        period = next(
            n for n in range(1, len(colours) + 1) if colours == (colours[:n] * len(colours))[: len(colours)]
        )
        cycle = join_wording(colours[:period])
        if period == 1:
            return make_narrated_sentence(voice.write_sentence("dotted", colour=colours[0], **slots), 1, line)
        if period <= 3 and 2 * period <= len(colours) and len(set(colours[:period])) == period:
            return make_narrated_sentence(
                voice.write_sentence(f"alternating{spread}", colours=cycle, **slots),
                1 if way != "right" else 2,
                line,
            )
        return make_narrated_sentence(
            voice.write_sentence(f"sequence{spread}", colours=", ".join(colours), **slots), 1, line
        )
    return None


def describe_shape_object(tiles: list[Tile], colour: str, voice: SentenceWording) -> NarratedSentence:
    """Describe the shape that the tiles form."""
    shape = recognise_shape(tiles)
    assert shape is not None, "only what was recognised is told as a thing"
    paint = PaintStatement((colour,), shape)
    if isinstance(shape, TileReference):
        return make_narrated_sentence(voice.tile_sentence(tiles[0], colour), 0, paint)
    key, level, slots = _shape_wording(shape, voice)
    return make_narrated_sentence(voice.write_sentence(key, colour=colour, **slots), level, paint)


def _shape_wording(shape: Shape, voice: SentenceWording) -> tuple[str, int, dict[str, object]]:
    """Return the key of the wording, the level, and the values of the slots."""

    def at_place(tile: Tile, **slots: object) -> dict[str, object]:
        return {"place": voice.place_phrase(tile), **slots}

    match shape:
        case LineShape(TileReference(tile), way, int(count)) if tile:
            return _line_wording(tile, way, count, voice)
        case ColumnShape(int(number)):
            nths = {"mth": ordinal_number(number), "from_right": ordinal_number(19 - number)}
            return "column", 1, {"column": number, **nths}
        case RowShape(int(number)):
            nths = {"nth": ordinal_number(number), "from_bottom": ordinal_number(11 - number)}
            return "row", 2, {"row": number, **nths}
        case FlowerShape(TileReference(tile)) if tile:
            return "flower", 2, at_place(tile)
        case RingShape(TileReference(tile), int(radius)) if tile:
            return "ring", 2, at_place(tile, radius=radius, two=number_wording(radius))
        case DiscShape(TileReference(tile), int(radius)) if tile:
            slots = at_place(tile, radius=radius, two=number_wording(radius))
            return "dot" if radius == 1 else "disc", 2, slots
        case TriangleShape(TileReference(tile), way, int(side)) if tile:
            facing = "left" if way == "up-right" else "right"
            return "triangle", 2, at_place(tile, side=side, three=number_wording(side), facing=facing)
        case RhombusShape(TileReference(tile), _, int(side)) if tile:
            return "rhombus", 2, at_place(tile, side=side, three=number_wording(side))
        case OutlineShape(inner):
            key, level, slots = _shape_wording(inner, voice)
            return f"{key} outline", level, slots
    raise AssertionError(f"nothing is recognised as {shape}")


def _line_wording(
    tile: Tile, way: str, count: int, voice: SentenceWording
) -> tuple[str, int, dict[str, object]]:
    end = move_frame_tile(tile, way, count - 1)
    slots: dict[str, object] = {
        "place": voice.place_phrase(tile),
        "end": voice.place_phrase(end),
        "way": voice.heading_phrase(way),
        "count": count,
        "four": number_wording(count),
        "column": tile[1],
        "mth": ordinal_number(tile[1]),
        "row": tile[0],
        "nth": ordinal_number(tile[0]),
    }
    if way not in ("up", "down", "right", "left"):
        return "slanting line", 1, slots
    upright = way in ("up", "down")
    first, last = sorted((tile[not upright], end[not upright]))
    slots |= {"first": first, "first_nth": ordinal_number(first)}
    slots |= {"last": last, "last_nth": ordinal_number(last)}
    return ("upright line", 1, slots) if upright else ("level line", 2, slots)


def _list_tiles(tiles: list[Tile]) -> TileReference | TilesShape:
    return recognised_tile(tiles[0]) if len(tiles) == 1 else TilesShape(tuple(map(recognised_tile, tiles)))
