"""The director's request, and the cells that answer it."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import force_setattr

from groundling.boards.shelf import Shelf, Side, SortedSet

Select: TypeAlias = Literal["smallest", "largest", "leftmost", "rightmost", "topmost", "bottommost"]
SELECTS: tuple[Select, ...] = get_args(Select)
SIDES: tuple[Side, ...] = get_args(Side)
SIDEWAYS: tuple[Select, ...] = ("leftmost", "rightmost")
"""The selections that depend on the side from which the shelf is seen."""


class Request(Struct, frozen=True):
    """The item that has all these properties; of several, the one that `select` picks."""

    tags: frozenset[str]
    select: Select | None = None
    frame: Side = "participant"
    """The side whose left and right are meant. Top, bottom and size are the same for both."""

    def __post_init__(self) -> None:
        if self.select is not None and self.select not in SELECTS:
            raise ValueError(
                f"a request selects by one of {', '.join(SELECTS)}, or None: {self.select!r} is none of them"
            )
        if self.frame not in SIDES:
            raise ValueError(f"a frame is one of {', '.join(SIDES)}: {self.frame!r} is not")
        force_setattr(self, "tags", SortedSet(self.tags))


def mirror_request_select(select: Select | None) -> Select | None:
    """The selection as seen from the other side: left and right are exchanged."""
    return SIDEWAYS[1 - SIDEWAYS.index(select)] if select in SIDEWAYS else select


def request_in_front(request: Request) -> Request:
    """The same request with left and right as seen by the participant."""
    return Request(
        request.tags, mirror_request_select(request.select) if request.frame == "director" else request.select
    )


def answers(shelf: Shelf, request: Request, sees: Side = "director") -> frozenset[str]:
    """The cells that fit the request for a side: several where they tie, none where nothing fits. With
    `sees="director"` hidden cells are left out; `request.frame` alone decides left and right."""
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
