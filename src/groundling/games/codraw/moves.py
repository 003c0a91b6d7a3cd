"""The moves of CoDraw: speaking for both seats, looking for the Teller, drawing for the Drawer."""

from __future__ import annotations

from typing import TypeAlias

from groundling.boards.scene import Express, Flip, Pose, Put, Remove, Resize, Shift
from groundling.core.values import Move, Say

OK = "ok"
"""The only message that a silent Drawer sends."""


class Wait(Move, frozen=True, gc=False):
    """The Teller lets the Drawer speak first, where the settings allow either to open."""


class Peek(Move, frozen=True, gc=False):
    """The Teller looks at the canvas."""


class Close(Move, frozen=True, gc=False):
    """The Teller closes the view of the canvas."""


class Finish(Move, frozen=True, gc=False):
    """A seat proposes to end the game: the Teller, or either where the settings say so."""


class Agree(Move, frozen=True, gc=False):
    """The Drawer accepts the proposal to end the game."""


Draw: TypeAlias = Put | Shift | Flip | Resize | Pose | Express | Remove
CodrawMove: TypeAlias = Say | Wait | Peek | Close | Finish | Agree | Draw


def one_line(text: str) -> str:
    """Join all lines of a text into one, as in a chat."""
    return " ".join(line for part in text.splitlines() if (line := part.strip()))
