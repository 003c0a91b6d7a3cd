"""The player that executes instructions with the parser."""

from __future__ import annotations

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.moves import ExecutorView, Next, Paint
from groundling.games.hexagons.players.parser.read import Reading, read
from groundling.games.hexagons.program import write
from groundling.games.hexagons.rules import EXECUTOR


class Parser:
    name = "parser"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        told = list(view.history)
        board = view.board.painted() if view.board is not None else None
        moves: list[Paint | Next] = []
        programs: list[str] = []
        for text in view.current:
            reading = _read(text, told, board)
            told.append(text)
            if reading is None:
                continue
            programs.append(write(reading.program))
            moves += [Paint(*action) for action in reading.actions]
            if board is not None:
                board |= {(row, column): colour for row, column, colour in reading.actions}
        return Reply(moves=(*moves, Next()), detail={"program": "\n".join(programs)})


def _read(text: str, told: list[str], board: dict[tuple[int, int], str] | None) -> Reading | None:
    """Return None where the rules fail on a sentence, so that a long run continues."""
    try:
        return read(text, told, board)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return None


def parser(seat: Seat) -> Player:
    if seat.role != EXECUTOR:
        raise Problem(f"parser only executes: seat somebody else as {seat.role}")
    return Parser()
