"""Descriptions of programs in English, at a chosen level of abstraction."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from groundling.boards.hexes import Board
from groundling.games.hexagons.narration.mechanism_sentences import describe_mechanisms
from groundling.games.hexagons.narration.narration_steps import NarrationStep, carry_out_sentences
from groundling.games.hexagons.narration.object_sentences import (
    describe_lines,
    describe_objects,
    describe_tiles,
)
from groundling.games.hexagons.narration.wording import WORDINGS, SentenceWriter
from groundling.games.hexagons.program import Program, ProgramError, parse_program, trace_program

__all__ = ["LEVELS", "WORDINGS", "NarrationStep", "narrate_image"]

LEVELS = ("tiles", "lines", "objects", "mechanisms")


def narrate_image(
    what: str | Program | Board, level: int, rng: Random, wordings: str = "open"
) -> list[NarrationStep]:
    """Return sentences that describe an image, each with its program and the resulting board. Levels: 0
    tiles, 1 lines, 2 objects, 3 mechanisms over objects. Some steps may be of lower levels. A board without a
    program is described in lines at most."""
    if level not in range(len(LEVELS)):
        raise ValueError(
            f"there is no level {level}: choose from "
            + ", ".join(f"{n} {name}" for n, name in enumerate(LEVELS))
        )
    voice = SentenceWriter(rng, wordings)
    if isinstance(what, Board) or level < 2:
        board = what if isinstance(what, Board) else trace_program(_as_program(what)).board
        return carry_out_sentences(describe_lines(board, voice) if level else describe_tiles(board, voice))
    program = _as_program(what)
    drawn = trace_program(program)
    told: list[NarrationStep] = []
    if level == 3:
        with suppress(ProgramError):  # a call that cannot be expanded: describe what the program draws
            told = carry_out_sentences(describe_mechanisms(program, voice))
    # the same where the first copy does not represent the others
    if not told or told[-1].board != drawn.board:
        told = carry_out_sentences(describe_objects(drawn.strokes, voice))
    return told


def _as_program(program: str | Program) -> Program:
    return parse_program(program) if isinstance(program, str) else program
