"""Sentences of the form: for every tile like this, do that."""

from __future__ import annotations

from groundling.boards.english.numbers import ordinal_number
from groundling.boards.hexes import HEADINGS
from groundling.games.hexagons.narration.narration_steps import NarratedSentence, make_narrated_sentence
from groundling.games.hexagons.narration.wording import SentenceWording, join_wording, number_wording
from groundling.games.hexagons.program.shapes import (
    AllCondition,
    AnyCondition,
    ColumnShape,
    FlowerShape,
    IsCondition,
    LineShape,
    ParityCondition,
    PathStep,
    RowShape,
    Shape,
    StopAtColour,
    StopAtEdge,
    TileReference,
    TilesShape,
    TouchingCondition,
    WhereShape,
    WholeShape,
)
from groundling.games.hexagons.program.statements import AnyStatement, AtStatement, PaintStatement


def describe_condition(loop: AtStatement, voice: SentenceWording) -> list[NarratedSentence] | None:
    """Describe a conditional block, or return None if there is no wording for a part of it."""
    assert isinstance(loop.shape, WhereShape)
    which = _condition_phrase(loop.shape.shape, loop.shape.test, voice)
    deeds = [_deed_phrase(statement, voice) for statement in loop.body]
    if which is None or None in deeds:
        return None
    return [
        make_narrated_sentence(
            voice.write_sentence(
                "for each", which=which, deeds=join_wording([deed for deed in deeds if deed])
            ),
            3,
            loop,
        )
    ]


def _condition_phrase(shape: Shape, test: AnyCondition, voice: SentenceWording) -> str | None:
    match shape, test:
        case WholeShape(), IsCondition(colour):
            return voice.choose_phrase("each tile", colour=colour)
        case WholeShape(), AllCondition((IsCondition(colour), ParityCondition(what, odd))):
            return voice.choose_phrase(f"each tile {what}", colour=colour, parity="odd" if odd else "even")
        case WholeShape(), TouchingCondition(colour, 6, 6):
            return voice.choose_phrase("each heart", colour=colour)
        case ColumnShape(int(number)), ParityCondition("row", odd):
            return voice.choose_phrase(
                "each of column", mth=ordinal_number(number), column=number, parity="odd" if odd else "even"
            )
        case RowShape(int(number)), ParityCondition("column", odd):
            return voice.choose_phrase(
                "each of row", nth=ordinal_number(number), row=number, parity="odd" if odd else "even"
            )
        case RowShape(int(number)), AllCondition((IsCondition("white"), ParityCondition("column", odd))):
            return voice.choose_phrase(
                "each white of row", nth=ordinal_number(number), row=number, parity="odd" if odd else "even"
            )
    return None


def _deed_phrase(statement: AnyStatement, voice: SentenceWording) -> str | None:
    """Return what is done at such a tile, which the phrase calls "it"."""
    match statement:
        case PaintStatement((colour,), TileReference(None, ())):
            return voice.choose_phrase("paint it", colour=colour)
        case PaintStatement((colour,), FlowerShape(TileReference(None, ()))):
            return voice.choose_phrase("paint around it", colour=colour)
        case PaintStatement((colour,), TileReference(None, (PathStep(way, int(steps)),))):
            return voice.choose_phrase("paint near it", colour=colour, spots=_spot_phrase(way, steps, voice))
        case PaintStatement((colour,), TilesShape(places)) if all(_is_adjacent(place) for place in places):
            spots = join_wording([_spot_phrase(place.path[0].heading, 1, voice) for place in places])
            return voice.choose_phrase("paint near it", colour=colour, spots=spots)
        case PaintStatement(colours, LineShape(TileReference(None, path), way, length)):
            return _line_phrase(colours, path, way, length, voice)
    return None


def _is_adjacent(place: TileReference) -> bool:
    return place.tile is None and len(place.path) == 1 and place.path[0].steps == 1


def _spot_phrase(way: str, steps: int, voice: SentenceWording) -> str:
    if steps == 1:
        return voice.choose_phrase(f"spot {way}")
    return voice.choose_phrase(
        "further", steps=steps, two=number_wording(steps), way=voice.heading_phrase(way)
    )


def _line_phrase(
    colours: tuple[str, ...], path: tuple[PathStep, ...], way: str, length: object, voice: SentenceWording
) -> str | None:
    """Return the phrase for a line that starts at the tile or next to it."""
    if way not in HEADINGS or path not in ((), (PathStep(way, 1),)):
        return None
    reach = condition_reach_phrase(length, voice)
    return (
        condition_striped_phrase(
            "line from it" if path else "line with it",
            colours,
            voice,
            way=voice.heading_phrase(way),
            far=reach,
        )
        if reach
        else None
    )


def condition_reach_phrase(length: object, voice: SentenceWording) -> str | None:
    """Return the phrase for the length of a line."""
    match length:
        case int(count):
            return voice.choose_phrase("far", count=count, four=number_wording(count))
        case StopAtEdge():
            return voice.choose_phrase("far edge")
        case StopAtColour("painted"):
            return voice.choose_phrase("far painted")
        case StopAtColour(colour):
            return voice.choose_phrase("far colour", colour=colour)
    return None


def condition_striped_phrase(
    key: str, colours: tuple[str, ...], voice: SentenceWording, **slots: str
) -> str | None:
    """Return the phrase for a line that is plain, dotted or in two alternating colours."""
    match colours:
        case (colour,):
            return voice.choose_phrase(key, colour=colour, **slots)
        case (colour, "-"):
            return voice.choose_phrase(f"dotted {key}", colour=colour, **slots)
        case (one, two):
            return voice.choose_phrase(f"alternating {key}", colours=f"{one} and {two}", **slots)
    return None
