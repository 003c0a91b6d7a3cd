"""The scene similarity of CoDraw's appendix C, from 0 to 5.

Each kind that both scenes have counts 5 points, less 1 for a wrong flip, 1 for a wrong size, 0.5 for a wrong
pose, 0.5 for a wrong expression and up to 1 for the distance (x as a share of the width, y of the height);
the sum is divided by the number of kinds that either scene has. Every pair of shared kinds loses 1 point for
each axis on which the two stand in another order, divided by the size of the union and by one less than the
number of shared kinds.

Two pieces with equal coordinates in either scene have no order. The published scores count that as a loss
("release"); the printed formula does not ("paper")."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.scene import HEIGHT, WIDTH, Piece, Scene

BEST = 5.0
Ties: TypeAlias = Literal["release", "paper"]


class Components(Struct, frozen=True):
    """The components of a similarity: 5 × `kinds` less all others."""

    kinds: float
    """The share of shared kinds among all kinds of either scene."""
    flip: float
    """Points lost, as in all fields below."""
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
"""The components for two empty scenes, by definition."""


def similarity_components(target: Scene | str, drawn: Scene | str, ties: Ties = "release") -> Components:
    check_similarity_ties(ties)
    one, other = _to_scene(target), _to_scene(drawn)
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
    """Return the similarity, from 0 (nothing in common) to 5. It is symmetric."""
    return similarity_components(target, drawn, ties).similarity


def _out_of_order(a: Piece, a2: Piece, b: Piece, b2: Piece, strictly: bool) -> int:
    """Count the axes on which a and b stand in another order than in the other scene."""
    across, down = (a.x - b.x) * (a2.x - b2.x), (a.y - b.y) * (a2.y - b2.y)
    return (across <= 0) + (down <= 0) if strictly else (across < 0) + (down < 0)


def check_similarity_ties(ties: str) -> None:
    if ties not in ("release", "paper"):
        raise ValueError(f'there are no ties {ties!r}: "release" or "paper"')


def _to_scene(given: Scene | str) -> Scene:
    return Scene.parse(given) if isinstance(given, str) else given
