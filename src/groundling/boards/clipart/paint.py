"""The colours of the clip art, with one soft dark colour for every outline."""

from __future__ import annotations

INK = "#4a3a4c"
WHITE, CREAM, STEEL, SLATE, BLACK = "#fffdf8", "#fff1d0", "#c3c8d6", "#70768c", "#3a3641"
RED, BRICK, ORANGE, YELLOW, SAND = "#e8574a", "#b93f3f", "#f4913a", "#fbcb43", "#f3dca4"
PINK, VIOLET, PLUM, BLUE, NAVY = "#f591b2", "#8d67b8", "#5d4389", "#4389cf", "#35518f"
GLASS, TEAL, LEAF, PINE = "#c4e7f5", "#2ba59c", "#4fa056", "#2b7560"
BROWN, BARK, TAN = "#8f5b3c", "#6d4433", "#cf955c"
