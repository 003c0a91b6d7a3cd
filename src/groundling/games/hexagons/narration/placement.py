"""The place of a statement in the program, and phrases that refer to earlier drawings."""

from __future__ import annotations

from msgspec.structs import replace

from groundling.boards.hexes import Tile
from groundling.games.hexagons.narration.shape_recognition import place_at
from groundling.games.hexagons.narration.wording import SentenceWriter, spell_number
from groundling.games.hexagons.program import Program, ProgramStroke, trace_program, write_program
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import TileReference
from groundling.games.hexagons.program.statements import AnyStatement, AtStatement

PlacePath = tuple[TileReference, ...]
"""The nested places of a statement, from the outside inwards."""


def wrap_statements(where: PlacePath, *statements: AnyStatement) -> AnyStatement:
    """Wrap statements in `at` blocks for these places."""
    body = statements
    for place in reversed(where or (place_at((1, 1)),)):
        body = (AtStatement(place, body),)
    return body[0]


def tile_at(where: PlacePath, place: TileReference | None = None) -> Tile:
    """Return the tile of `here`, or a place relative to it."""
    frame = Frame()
    for outer in where:
        frame = replace(frame, here=frame.resolve_place(outer))
    return frame.resolve_place(place) if place else frame.here


def reference_phrase(steps: int, before: list[AnyStatement], voice: SentenceWriter) -> str:
    """Return a phrase for what the last steps drew; `before` is what they were drawn onto."""
    if steps == 1:
        return voice.choose_phrase("what one")
    return (
        voice.choose_phrase("what steps", steps=steps, three=spell_number(steps))
        if before
        else voice.choose_phrase("what all")
    )


def statement_strokes(before: list[AnyStatement], statement: AnyStatement) -> list[ProgramStroke]:
    """Return the strokes of a statement after all that was drawn before it."""
    known = len(trace_program(Program(tuple(before))).strokes)
    return list(trace_program(Program((*before, statement))).strokes[known:])


def has_until(statement: AnyStatement) -> bool:
    """Whether the body contains an `until`, so that copies of it may differ."""
    body = getattr(statement, "body", ())
    return any("until" in write_program(Program((inner,))) for inner in body)
