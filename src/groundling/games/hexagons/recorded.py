"""What an image's own recording has of a seat: its author's words, and, where one seat does both, the author's painting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.pack import Seat
from ...core.player import Reply
from .gold import recite
from .image import Image
from .rules import INSTRUCTOR, HexagonsGame


def recorded(seat: Seat) -> Callable[[Image], Sequence[Reply]]:
    """Nobody's painting in the executor's seat was published."""
    game = seat.game
    assert isinstance(game, HexagonsGame)
    return lambda image: recite(game, image, seat.role) if image.steps and seat.role == INSTRUCTOR else ()
