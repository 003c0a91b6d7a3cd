"""The player that executes instructions with the parser."""

from __future__ import annotations

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.players.parser.instructions import parse_instruction
from groundling.games.hexagons.players.parser.phrases import UnreadableInstruction
from groundling.games.hexagons.program import format_program
from groundling.games.hexagons.rules import EXECUTOR


class ParserExecutor:
    name = "parser"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        told = list(view.earlier_instructions)
        board = view.board.painted_tiles() if view.board is not None else None
        moves: list[PaintTile | Next] = []
        programs: list[str] = []
        for text in view.current_instructions:
            try:
                reading = parse_instruction(text, told, board)
            except UnreadableInstruction:
                continue  # nothing is painted, and the game continues
            finally:
                told.append(text)
            programs.append(format_program(reading.program))
            moves += [PaintTile(*action) for action in reading.actions]
            if board is not None:
                board |= {(row, column): colour for row, column, colour in reading.actions}
        return Reply(moves=(*moves, Next()), detail={"program": "\n".join(programs)})


def make_parser_player(seat: Seat) -> Player:
    if seat.role != EXECUTOR:
        raise Problem(f"parser only executes: seat somebody else as {seat.role}")
    return ParserExecutor()
