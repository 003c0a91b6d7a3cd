"""Descriptions of programs in English, at a chosen level of abstraction."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from groundling.boards.hexes import Board
from groundling.games.hexagons.narration.mechanisms import by_mechanisms
from groundling.games.hexagons.narration.things import by_lines, by_objects, by_tiles
from groundling.games.hexagons.narration.told import Told, carried_out
from groundling.games.hexagons.narration.voice import WORDINGS, Voice
from groundling.games.hexagons.program import Program, ProgramError, parse, trace

__all__ = ["LEVELS", "WORDINGS", "Told", "narrate"]

LEVELS = ("tiles", "lines", "objects", "mechanisms")


def narrate(what: str | Program | Board, level: int, rng: Random, wordings: str = "open") -> list[Told]:
    """Return sentences that describe an image, each with its program and the resulting board. Levels: 0
    tiles, 1 lines, 2 objects, 3 mechanisms over objects. Some steps may be of lower levels. A board without a
    program is described in lines at most."""
    if level not in range(len(LEVELS)):
        raise ValueError(
            f"there is no level {level}: choose from "
            + ", ".join(f"{n} {name}" for n, name in enumerate(LEVELS))
        )
    voice = Voice(rng, wordings)
    if isinstance(what, Board) or level < 2:
        board = what if isinstance(what, Board) else trace(_read(what)).board
        return carried_out(by_lines(board, voice) if level else by_tiles(board, voice))
    program = _read(what)
    drawn = trace(program)
    told: list[Told] = []
    if level == 3:
        with suppress(ProgramError):  # a call that cannot be expanded: describe what the program draws
            told = carried_out(by_mechanisms(program, voice))
    # the same where the first copy does not represent the others
    if not told or told[-1].board != drawn.board:
        told = carried_out(by_objects(drawn.strokes, voice))
    return told


def _read(program: str | Program) -> Program:
    return parse(program) if isinstance(program, str) else program
