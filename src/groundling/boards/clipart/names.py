"""Which drawing is meant: kinds by name or by their number in the data."""

from __future__ import annotations

from typing import NamedTuple

from groundling.boards.scene.kinds import EXPRESSIONS, INDEX, KINDS, PEOPLE, POSES


class Meant(NamedTuple):
    kind: str
    place: int
    """In KINDS."""
    figure: int
    """5 × pose + expression, as the data counts figures; 0 for what has neither."""


def checked(kind: int | str, pose: int = 0, expression: int = 0) -> Meant:
    """A kind that exists, in a pose and with an expression that exist; others than people have neither."""
    if isinstance(kind, str):
        if kind not in INDEX:
            raise ValueError(f"there is no clip art called {kind!r}: see KINDS")
        index = INDEX[kind]
    else:
        if kind not in range(len(KINDS)):
            raise ValueError(f"there is no clip art number {kind}: kinds are 0 to {len(KINDS) - 1}")
        index = kind
    if KINDS[index] not in PEOPLE:
        return Meant(KINDS[index], index, 0)
    if pose not in range(len(POSES)) or expression not in range(len(EXPRESSIONS)):
        raise ValueError(
            f"{KINDS[index]} has poses 0 to {len(POSES) - 1} and expressions 0 to {len(EXPRESSIONS) - 1}"
        )
    return Meant(KINDS[index], index, len(EXPRESSIONS) * pose + expression)
