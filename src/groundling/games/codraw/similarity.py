"""How like two scenes are, from 0 to 5: the scene similarity of CoDraw's appendix C.

Over the kinds that both scenes have: 5 points each, less 1 for a wrong flip, 1 for a wrong size, 0.5 for a
wrong pose, 0.5 for a wrong expression and up to 1 for the distance (of x as a share of the width and y of the
height); the sum is shared out over all kinds that either scene has. For every two kinds in common, 1 is lost
for each axis on which they do not stand in the same order, shared out over the union and over one less than
the kinds in common.

Where two pieces have equal coordinates in either scene there is no order. The published scores count that as
a loss ("release"); the formula as it is printed does not ("paper")."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.scene import HEIGHT, WIDTH, Piece, Scene

BEST = 5.0
Ties: TypeAlias = Literal["release", "paper"]


class Components(Struct, frozen=True):
    """What a similarity is made of: 5 × `kinds` less all the others."""

    kinds: float
    """The share of kinds in common among all that either scene has."""
    flip: float
    """Points lost, here and in all that follow."""
    size: float
    pose: float
    expression: float
    distance: float
    order: float

    @property
    def similarity(self) -> float:
        lost = self.flip + self.size + self.pose + self.expression + self.distance + self.order
        return BEST * self.kinds - lost


SAME = Components(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Two empty scenes are alike, by definition."""


def components(target: Scene | str, drawn: Scene | str, ties: Ties = "release") -> Components:
    check_ties(ties)
    one, other = _scene(target), _scene(drawn)
    both = [(piece, mate) for piece in one.pieces if (mate := other.get(piece.kind)) is not None]
    union = len(one) + len(other) - len(both)
    if not union:
        return SAME
    order = sum(_out_of_order(*first, *second, ties == "release") for first, second in combinations(both, 2))
    return Components(
        kinds=len(both) / union,
        flip=sum(a.flip != b.flip for a, b in both) / union,
        size=sum(a.size != b.size for a, b in both) / union,
        pose=0.5 * sum(a.pose != b.pose for a, b in both) / union,
        expression=0.5 * sum(a.expression != b.expression for a, b in both) / union,
        distance=sum(min(1.0, hypot((a.x - b.x) / WIDTH, (a.y - b.y) / HEIGHT)) for a, b in both) / union,
        order=order / (union * (len(both) - 1)) if order else 0.0,
    )


def similarity(target: Scene | str, drawn: Scene | str, ties: Ties = "release") -> float:
    """From 0 (nothing in common) to 5. It is the same both ways round."""
    return components(target, drawn, ties).similarity


def _out_of_order(a: Piece, a2: Piece, b: Piece, b2: Piece, strictly: bool) -> int:
    """On how many axes a and b do not stand as they do in the other scene."""
    across, down = (a.x - b.x) * (a2.x - b2.x), (a.y - b.y) * (a2.y - b2.y)
    return (across <= 0) + (down <= 0) if strictly else (across < 0) + (down < 0)


def check_ties(ties: str) -> None:
    if ties not in ("release", "paper"):
        raise ValueError(f'there are no ties {ties!r}: "release" or "paper"')


def _scene(given: Scene | str) -> Scene:
    return Scene.parse(given) if isinstance(given, str) else given
