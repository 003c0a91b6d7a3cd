"""An instruction, with what is known before it, as a drawing program and the tiles that it changes."""

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
    """What an instruction was understood to say."""

    program: Program
    actions: tuple[Action, ...]
    """What it changes, as far as the board is known."""


def read(instruction: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None) -> Reading:
    """Reads an instruction after those before it (or the last of them, or none), on a board whose painted
    tiles are given; where these are not, what was said before is carried out in thought."""
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
    """The scene after some instructions; only copies of it may be changed."""
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
