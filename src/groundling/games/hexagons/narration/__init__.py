"""Programs told in English, at a chosen level of abstraction."""

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
    """Sentences that have an image drawn, each with the program it stands for and the board it leads to: 0
    tile by tile, 1 in lines, 2 in objects, 3 by mechanisms over objects. Some steps may be of lower levels;
    and of a board whose program is not known there is nothing to say beyond lines."""
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
        with suppress(ProgramError):  # something that cannot be written out is told as what it draws
            told = carried_out(by_mechanisms(program, voice))
    # also where the first copy of something does not stand for the others
    if not told or told[-1].board != drawn.board:
        told = carried_out(by_objects(drawn.strokes, voice))
    return told


def _read(program: str | Program) -> Program:
    return parse(program) if isinstance(program, str) else program
