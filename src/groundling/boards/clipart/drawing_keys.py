"""Keys of drawings: a kind, by name or by its number in the data, a pose and an expression."""

from __future__ import annotations

from typing import NamedTuple

from groundling.boards.scene.kinds import EXPRESSIONS, INDEX, KINDS, PEOPLE, POSES


class DrawingKey(NamedTuple):
    kind: str
    place: int
    """The index in KINDS."""
    figure: int
    """5 × pose + expression, as the data numbers figures; 0 for kinds that have neither."""


def check_drawing_key(kind: int | str, pose: int = 0, expression: int = 0) -> DrawingKey:
    """Check that the kind, pose and expression exist; only people have a pose and an expression."""
    if isinstance(kind, str):
        if kind not in INDEX:
            raise ValueError(f"there is no clip art called {kind!r}: see KINDS")
        index = INDEX[kind]
    else:
        if kind not in range(len(KINDS)):
            raise ValueError(f"there is no clip art number {kind}: kinds are 0 to {len(KINDS) - 1}")
        index = kind
    if KINDS[index] not in PEOPLE:
        return DrawingKey(KINDS[index], index, 0)
    if pose not in range(len(POSES)) or expression not in range(len(EXPRESSIONS)):
        raise ValueError(
            f"{KINDS[index]} has poses 0 to {len(POSES) - 1} and expressions 0 to {len(EXPRESSIONS) - 1}"
        )
    return DrawingKey(KINDS[index], index, len(EXPRESSIONS) * pose + expression)
