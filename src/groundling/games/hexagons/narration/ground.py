"""The place of a statement in the program, and phrases that refer to earlier drawings."""

from __future__ import annotations

from msgspec.structs import replace

from groundling.boards.hexes import Tile
from groundling.games.hexagons.narration.recognise import at
from groundling.games.hexagons.narration.voice import Voice, spelled
from groundling.games.hexagons.program import Program, Stroke, trace, write
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import Place
from groundling.games.hexagons.program.values import AnyStatement, At

Wrap = tuple[Place, ...]
"""The nested places of a statement, from the outside inwards."""


def wrapped(where: Wrap, *statements: AnyStatement) -> AnyStatement:
    """Wrap statements in `at` blocks for these places."""
    body = statements
    for place in reversed(where or (at((1, 1)),)):
        body = (At(place, body),)
    return body[0]


def tile_at(where: Wrap, place: Place | None = None) -> Tile:
    """Return the tile of `here`, or a place relative to it."""
    frame = Frame()
    for outer in where:
        frame = replace(frame, here=frame.place(outer))
    return frame.place(place) if place else frame.here


def what(steps: int, before: list[AnyStatement], voice: Voice) -> str:
    """Return a phrase for what the last steps drew; `before` is what they were drawn onto."""
    if steps == 1:
        return voice.phrase("what one")
    return (
        voice.phrase("what steps", steps=steps, three=spelled(steps)) if before else voice.phrase("what all")
    )


def strokes_of(before: list[AnyStatement], statement: AnyStatement) -> list[Stroke]:
    """Return the strokes of a statement after all that was drawn before it."""
    known = len(trace(Program(tuple(before))).strokes)
    return list(trace(Program((*before, statement))).strokes[known:])


def goes_on(statement: AnyStatement) -> bool:
    """Whether the body contains an `until`, so that copies of it may differ."""
    body = getattr(statement, "body", ())
    return any("until" in write(Program((inner,))) for inner in body)
