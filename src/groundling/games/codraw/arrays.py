"""Scenes as arrays, for policies that learn. Both seats act in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundling.boards.scene import KINDS, Scene
from groundling.games.codraw.rules import CodrawView, TellerView


def boards(view: CodrawView) -> Mapping[str, Sequence[Any]]:
    """Return the scenes that the seat sees. The Teller sees an empty canvas unless it peeks."""
    seen = {"canvas": view.canvas or Scene()}
    if isinstance(view, TellerView):
        seen["target"] = view.target
    return {name: _scene_rows(scene) for name, scene in seen.items()}


def _scene_rows(scene: Scene) -> list[list[int]]:
    """For each of the 58 kinds: whether it is there, x, y, size, flip, and the number of its figure."""
    rows = [[0] * 6 for _ in KINDS]
    for piece in scene.pieces:
        placed = piece.placed_piece
        rows[placed.kind] = [1, placed.x, placed.y, placed.size, placed.flip, placed.figure]
    return rows
