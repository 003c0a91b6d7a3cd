"""What can be done at the table: words for both, looking for the Teller, drawing for the Drawer."""

from __future__ import annotations

from typing import TypeAlias

from groundling.boards.scene import Express, Flip, Pose, Put, Remove, Resize, Shift
from groundling.core.values import Move, Say


class Wait(Move, frozen=True, gc=False):
    """The Teller lets the Drawer speak first, where either may."""


class Peek(Move, frozen=True, gc=False):
    """The Teller looks at the canvas."""


class Close(Move, frozen=True, gc=False):
    """The Teller has seen enough."""


class Finish(Move, frozen=True, gc=False):
    """The Teller thinks that the scene is there."""


class Agree(Move, frozen=True, gc=False):
    """So does the Drawer."""


Draw: TypeAlias = Put | Shift | Flip | Resize | Pose | Express | Remove
CodrawMove: TypeAlias = Say | Wait | Peek | Close | Finish | Agree | Draw
