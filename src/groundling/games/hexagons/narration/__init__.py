"""Descriptions of programs in English, at a chosen level of abstraction."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from groundling.boards.hexes import Board
from groundling.games.hexagons.narration.mechanism_sentences import describe_mechanisms
from groundling.games.hexagons.narration.narration_steps import NarrationStep, run_narration_steps
from groundling.games.hexagons.narration.object_sentences import (
    describe_line_cover,
    describe_line_objects,
    describe_objects,
    describe_tile_objects,
)
from groundling.games.hexagons.narration.wording import WORDINGS, SentenceWording
from groundling.games.hexagons.program import Program, ProgramError, interpret_program, parse_statements

__all__ = ["LEVELS", "WORDINGS", "NarrationStep", "narrate_changes", "narrate_image"]

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
    voice = SentenceWording(rng, wordings)
    if isinstance(what, Board) or level < 2:
        board = what if isinstance(what, Board) else interpret_program(_as_program(what)).board
        return run_narration_steps(
            describe_line_objects(board, voice) if level else describe_tile_objects(board, voice)
        )
    program = _as_program(what)
    drawn = interpret_program(program)
    told: list[NarrationStep] = []
    if level == 3:
        with suppress(ProgramError):  # a call that cannot be expanded: describe what the program draws
            told = run_narration_steps(describe_mechanisms(program, voice))
    # the same where the first copy does not represent the others
    if not told or told[-1].board != drawn.board:
        told = run_narration_steps(describe_objects(drawn.strokes, voice))
    return told


def narrate_changes(before: Board, after: Board, level: int, wordings: str = "open") -> str:
    """Describe what changes between two boards, in tiles (0) or in lines (1), as one text that is always the
    same."""
    voice = SentenceWording(Random(f"{level} {before.cells} {after.cells}"), wordings)
    changes = before.changes_to(after)
    erased = [tile for tile, colour in changes.items() if colour == "white"]
    painted = Board.empty().with_tiles(changes)
    sentences = [
        *(describe_line_objects(painted, voice) if level else describe_tile_objects(painted, voice)),
        *describe_line_cover(erased, "white", voice),
    ]
    return " ".join(one.text for one in sentences)


def _as_program(program: str | Program) -> Program:
    return parse_statements(program) if isinstance(program, str) else program
