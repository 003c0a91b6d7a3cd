"""Reads an instruction as a drawing program and the tiles that it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from groundling.boards.hexes import Tile
from groundling.games.hexagons.players.parser.deeds import perform
from groundling.games.hexagons.players.parser.drawing import drawing
from groundling.games.hexagons.players.parser.scene import Scene
from groundling.games.hexagons.program import Action, Program


class Reading(Struct, frozen=True):
    """The interpretation of an instruction."""

    program: Program
    actions: tuple[Action, ...]
    """Its changes, as far as the board is known."""


def read(instruction: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None) -> Reading:
    """Read an instruction after the visible earlier ones, on a board whose painted tiles are given. Without a
    board, the earlier instructions are carried out first."""
    scene = _after(tuple(history)).copy()
    if board is not None:
        scene.settle(board)
    before = dict(scene.board)
    perform(scene, instruction)
    actions = tuple(
        (*tile, colour) for tile, colour in scene.painted.items() if before.get(tile, "white") != colour
    )
    return Reading(drawing(scene.marks_of([scene.step - 1]), scene.painted), actions)


@lru_cache(maxsize=256)
def _after(history: tuple[str, ...]) -> Scene:
    """Return the scene after some instructions; callers must copy it before they change it."""
    if not history:
        return Scene()
    scene = _after(history[:-1]).copy() if len(history) < _DEEP else _replayed(history[:-1])
    perform(scene, history[-1])
    return scene


_DEEP = 150


def _replayed(history: tuple[str, ...]) -> Scene:
    scene = Scene()
    for text in history:
        perform(scene, text)
    return scene
