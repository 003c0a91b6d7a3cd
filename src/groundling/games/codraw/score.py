"""How like the target the drawing became."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...boards.scene import Scene
from .similarity import Components, Ties, components, similarity

if TYPE_CHECKING:
    from .batches import Floats, Scenes

__all__ = ["Components", "Ties", "against", "components", "similarities", "similarity", "top"]


def similarities(targets: Scenes, drawn: Scenes, ties: Ties = "release") -> Floats:
    """The similarity of the first with the first, the second with the second and so on; packed scenes are quickest."""
    from .batches import similarities as work

    return work(targets, drawn, ties)


def against(scene: Scene | str, many: Scenes, ties: Ties = "release") -> Floats:
    """The similarity of one scene with each of many."""
    from .batches import against as work

    return work(scene, many, ties)


def top(target: Scene | str, ties: Ties = "release") -> float:
    """The most that can be had: with ties as in the release, a scene with equal coordinates is a little unlike itself."""
    return similarity(target, target, ties)
