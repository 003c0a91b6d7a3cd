"""What the director asks for, and the cells that can be meant by it."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import force_setattr

from groundling.boards.shelf import Ordered, Shelf, Side

Select: TypeAlias = Literal["smallest", "largest", "leftmost", "rightmost", "topmost", "bottommost"]
SELECTS: tuple[Select, ...] = get_args(Select)
SIDES: tuple[Side, ...] = get_args(Side)
SIDEWAYS: tuple[Select, ...] = ("leftmost", "rightmost")
"""Those that are another for who stands on the other side."""


class Request(Struct, frozen=True):
    """The one thing that has all these properties and, where several have, is the most extreme of them."""

    tags: frozenset[str]
    select: Select | None = None
    frame: Side = "participant"
    """Whose left and right are meant. Top, bottom and size are the same for both."""

    def __post_init__(self) -> None:
        if self.select is not None and self.select not in SELECTS:
            raise ValueError(
                f"a request selects by one of {', '.join(SELECTS)}, or None: {self.select!r} is none of them"
            )
        if self.frame not in SIDES:
            raise ValueError(f"a frame is one of {', '.join(SIDES)}: {self.frame!r} is not")
        force_setattr(self, "tags", Ordered(self.tags))


def turned(select: Select | None) -> Select | None:
    """The same from the other side: left and right change places."""
    return SIDEWAYS[1 - SIDEWAYS.index(select)] if select in SIDEWAYS else select


def as_in_front(request: Request) -> Request:
    """The same request with left and right as the participant has them."""
    return Request(request.tags, turned(request.select) if request.frame == "director" else request.select)


def answers(shelf: Shelf, request: Request, sees: Side = "director") -> frozenset[str]:
    """The cells that the request fits for somebody who sees that much: several where they tie, none where
    nothing fits. What is hidden from the director is left out for `sees="director"`, whoever's left and right
    are meant."""
    if sees not in SIDES:
        raise ValueError(f"who sees is one of {', '.join(SIDES)}: {sees!r} is not")
    closed = shelf.hidden if sees == "director" else frozenset()
    fitting = {
        cell: item for cell, item in shelf.items.items() if cell not in closed and request.tags <= item.tags
    }
    select = request.select
    if select is None or not fitting:
        return frozenset(fitting)
    match select:
        case "smallest" | "largest":
            along = {cell: item.size for cell, item in fitting.items()}
        case "leftmost" | "rightmost":
            along = {cell: shelf.column(cell, request.frame) for cell in fitting}
        case "topmost" | "bottommost":
            along = {cell: shelf.row(cell) for cell in fitting}
    extreme = (min if select in ("smallest", "leftmost", "topmost") else max)(along.values())
    return frozenset(cell for cell, value in along.items() if value == extreme)
