"""A rule-based executor that reads everyday English: instructions become drawing programs, and those tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....boards.hexes import Tile
from .act import perform
from .scene import Scene


def execute(instruction: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None) -> dict[Tile, str]:
    """The tiles that an instruction paints, with their colours, given the instructions before it (or some of them) and the
    painted tiles of the board before it, as far as these are known."""
    scene = Scene()
    for text in history:
        perform(scene, text)
    if board is not None:
        scene.board = {tile: colour for tile, colour in board.items() if colour != "white"}
    before = dict(scene.board)
    perform(scene, instruction)
    return {tile: colour for tile, colour in scene.painted.items() if before.get(tile, "white") != colour}
