"""A park scene of clip art on a canvas of 500 × 400: kinds, pieces, scenes, palettes, and changes between
scenes.

`batches` holds many scenes in one array and needs numpy; `draw` writes a scene as SVG, `descriptions` in
words."""

from groundling.boards.scene.changes import (
    Change,
    Express,
    Flip,
    Pose,
    Put,
    Remove,
    Resize,
    Shift,
    apply_change,
    apply_changes,
    find_scene_changes,
)
from groundling.boards.scene.kinds import (
    CATEGORIES,
    CATEGORY,
    EXPRESSIONS,
    FRONTS,
    HEIGHT,
    HORIZON,
    INDEX,
    KINDS,
    PEOPLE,
    POSES,
    SCALES,
    SIZES,
    WIDTH,
)
from groundling.boards.scene.pieces import Palette, PersonFigure, Piece, Scene

__all__ = [
    "CATEGORIES",
    "CATEGORY",
    "EXPRESSIONS",
    "FRONTS",
    "HEIGHT",
    "HORIZON",
    "INDEX",
    "KINDS",
    "PEOPLE",
    "POSES",
    "SCALES",
    "SIZES",
    "WIDTH",
    "Change",
    "Express",
    "Flip",
    "Palette",
    "PersonFigure",
    "Piece",
    "Pose",
    "Put",
    "Remove",
    "Resize",
    "Scene",
    "Shift",
    "apply_change",
    "apply_changes",
    "find_scene_changes",
]
