"""Sentences of the form: for every tile like this, do that."""

from __future__ import annotations

from groundling.boards.hexes import HEADINGS
from groundling.games.hexagons.narration.told import Piece, piece
from groundling.games.hexagons.narration.voice import Voice, joined, nth, spelled
from groundling.games.hexagons.program.shapes import (
    All,
    AnyTest,
    Column,
    Edge,
    Flower,
    Go,
    Is,
    Line,
    Met,
    Parity,
    Place,
    Row,
    Shape,
    Tiles,
    Touching,
    Where,
    Whole,
)
from groundling.games.hexagons.program.values import AnyStatement, At, Paint


def told_each(loop: At, voice: Voice) -> list[Piece] | None:
    """Describe a conditional block, or return None if there is no wording for a part of it."""
    assert isinstance(loop.shape, Where)
    which = _which(loop.shape.shape, loop.shape.test, voice)
    deeds = [_deed(statement, voice) for statement in loop.body]
    if which is None or None in deeds:
        return None
    return [
        piece(voice.say("for each", which=which, deeds=joined([deed for deed in deeds if deed])), 3, loop)
    ]


def _which(shape: Shape, test: AnyTest, voice: Voice) -> str | None:
    match shape, test:
        case Whole(), Is(colour):
            return voice.phrase("each tile", colour=colour)
        case Whole(), All((Is(colour), Parity(what, odd))):
            return voice.phrase(f"each tile {what}", colour=colour, parity="odd" if odd else "even")
        case Whole(), Touching(colour, 6, 6):
            return voice.phrase("each heart", colour=colour)
        case Column(int(number)), Parity("row", odd):
            return voice.phrase(
                "each of column", mth=nth(number), column=number, parity="odd" if odd else "even"
            )
        case Row(int(number)), Parity("column", odd):
            return voice.phrase("each of row", nth=nth(number), row=number, parity="odd" if odd else "even")
        case Row(int(number)), All((Is("white"), Parity("column", odd))):
            return voice.phrase(
                "each white of row", nth=nth(number), row=number, parity="odd" if odd else "even"
            )
    return None


def _deed(statement: AnyStatement, voice: Voice) -> str | None:
    """Return what is done at such a tile, which the phrase calls "it"."""
    match statement:
        case Paint((colour,), Place(None, ())):
            return voice.phrase("paint it", colour=colour)
        case Paint((colour,), Flower(Place(None, ()))):
            return voice.phrase("paint around it", colour=colour)
        case Paint((colour,), Place(None, (Go(way, int(steps)),))):
            return voice.phrase("paint near it", colour=colour, spots=_spot(way, steps, voice))
        case Paint((colour,), Tiles(places)) if all(_near(place) for place in places):
            spots = joined([_spot(place.path[0].heading, 1, voice) for place in places])
            return voice.phrase("paint near it", colour=colour, spots=spots)
        case Paint(colours, Line(Place(None, path), way, length)):
            return _line(colours, path, way, length, voice)
    return None


def _near(place: Place) -> bool:
    return place.tile is None and len(place.path) == 1 and place.path[0].steps == 1


def _spot(way: str, steps: int, voice: Voice) -> str:
    if steps == 1:
        return voice.phrase(f"spot {way}")
    return voice.phrase("further", steps=steps, two=spelled(steps), way=voice.way(way))


def _line(
    colours: tuple[str, ...], path: tuple[Go, ...], way: str, length: object, voice: Voice
) -> str | None:
    """Return the phrase for a line that starts at the tile or next to it."""
    if way not in HEADINGS or path not in ((), (Go(way, 1),)):
        return None
    reach = far(length, voice)
    return (
        striped("line from it" if path else "line with it", colours, voice, way=voice.way(way), far=reach)
        if reach
        else None
    )


def far(length: object, voice: Voice) -> str | None:
    """Return the phrase for the length of a line."""
    match length:
        case int(count):
            return voice.phrase("far", count=count, four=spelled(count))
        case Edge():
            return voice.phrase("far edge")
        case Met("painted"):
            return voice.phrase("far painted")
        case Met(colour):
            return voice.phrase("far colour", colour=colour)
    return None


def striped(key: str, colours: tuple[str, ...], voice: Voice, **slots: str) -> str | None:
    """Return the phrase for a line that is plain, dotted or in two alternating colours."""
    match colours:
        case (colour,):
            return voice.phrase(key, colour=colour, **slots)
        case (colour, "-"):
            return voice.phrase(f"dotted {key}", colour=colour, **slots)
        case (one, two):
            return voice.phrase(f"alternating {key}", colours=f"{one} and {two}", **slots)
    return None
