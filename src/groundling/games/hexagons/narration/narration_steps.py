"""Sentences of a narration with their programs and boards, and the places of these programs."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile
from groundling.games.hexagons.narration.shape_recognition import recognised_tile
from groundling.games.hexagons.narration.wording import SentenceWording, number_wording
from groundling.games.hexagons.program import (
    Program,
    ProgramStroke,
    format_program,
    interpret_program,
    run_program,
)
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import TileReference
from groundling.games.hexagons.program.statements import AnyStatement, AtStatement

PlacePath = tuple[TileReference, ...]
"""The nested places of a statement, from the outside inwards."""


class NarratedSentence(Struct, frozen=True):
    """A sentence and the program that it describes."""

    text: str
    program: Program
    level: int
    """Abstraction level: 0 tiles, 1 lines, 2 objects, 3 mechanisms over objects."""


class NarrationStep(Struct, frozen=True):
    """A step of a narration: a sentence, its program and the resulting board."""

    text: str
    program: Program
    level: int
    board: Board


def make_narrated_sentence(text: str, level: int, *statements: AnyStatement) -> NarratedSentence:
    return NarratedSentence(text, Program(statements), level)


def drop_narration_steps(pieces: Iterable[NarratedSentence], board: Board) -> list[NarratedSentence]:
    """Drop the sentences whose programs change nothing."""
    kept = []
    for one in pieces:
        after = run_program(one.program, board)
        if after != board:
            kept.append(one)
            board = after
    return kept


def run_narration_steps(pieces: Iterable[NarratedSentence]) -> list[NarrationStep]:
    """Run the sentences' programs and add the resulting boards."""
    board, told = Board.empty(), []
    for one in drop_narration_steps(pieces, board):
        board = run_program(one.program, board)
        told.append(NarrationStep(one.text, one.program, one.level, board))
    return told


def wrap_placed_statements(where: PlacePath, *statements: AnyStatement) -> AnyStatement:
    """Wrap statements in `at` blocks for these places."""
    body = statements
    for place in reversed(where or (recognised_tile((1, 1)),)):
        body = (AtStatement(place, body),)
    return body[0]


def placed_tile(where: PlacePath, place: TileReference | None = None) -> Tile:
    """Return the tile of `here`, or a place relative to it."""
    frame = Frame()
    for outer in where:
        frame = replace(frame, here=frame.resolve_place(outer))
    return frame.resolve_place(place) if place else frame.here


def placement_phrase(steps: int, before: list[AnyStatement], voice: SentenceWording) -> str:
    """Return a phrase for what the last steps drew; `before` is what they were drawn onto."""
    if steps == 1:
        return voice.choose_phrase("what one")
    if before:
        return voice.choose_phrase("what steps", steps=steps, three=number_wording(steps))
    return voice.choose_phrase("what all")


def placed_strokes(before: list[AnyStatement], statement: AnyStatement) -> list[ProgramStroke]:
    """Return the strokes of a statement after all that was drawn before it."""
    known = len(interpret_program(Program(tuple(before))).strokes)
    return list(interpret_program(Program((*before, statement))).strokes[known:])


def has_placed_until(statement: AnyStatement) -> bool:
    """Whether the body contains an `until`, so that copies of it may differ."""
    body = getattr(statement, "body", ())
    return any("until" in format_program(Program((inner,))) for inner in body)
