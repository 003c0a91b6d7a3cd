"""Reads an instruction as a drawing program and the tiles that it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from groundling.boards.hexes import Tile
from groundling.games.hexagons.players.parser.deeds import perform_instruction
from groundling.games.hexagons.players.parser.drawing import marks_to_program
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.program import Action, Program


class InstructionReading(Struct, frozen=True):
    """The interpretation of an instruction."""

    program: Program
    actions: tuple[Action, ...]
    """Its changes, as far as the board is known."""


def read_instruction(
    instruction: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None
) -> InstructionReading:
    """Read an instruction after the visible earlier ones, on a board whose painted tiles are given. Without a
    board, the earlier instructions are carried out first."""
    scene = _scene_after(tuple(history)).copy()
    if board is not None:
        scene.adopt_board(board)
    before = dict(scene.board)
    perform_instruction(scene, instruction)
    actions = tuple(
        (*tile, colour) for tile, colour in scene.painted.items() if before.get(tile, "white") != colour
    )
    return InstructionReading(
        marks_to_program(scene.marks_of_steps([scene.step - 1]), scene.painted), actions
    )


@lru_cache(maxsize=256)
def _scene_after(history: tuple[str, ...]) -> ParserScene:
    """Return the scene after some instructions; callers must copy it before they change it."""
    if not history:
        return ParserScene()
    scene = _scene_after(history[:-1]).copy() if len(history) < _DEEP else _replay_history(history[:-1])
    perform_instruction(scene, history[-1])
    return scene


_DEEP = 150


def _replay_history(history: tuple[str, ...]) -> ParserScene:
    scene = ParserScene()
    for text in history:
        perform_instruction(scene, text)
    return scene
