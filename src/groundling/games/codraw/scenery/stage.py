"""A scene under construction: where pieces stand, how they overlap, which hands and seats are free."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from groundling.boards.clipart import footprint
from groundling.boards.clipart.poses import JENNY, MIKE
from groundling.boards.scene import HEIGHT, INDEX, SCALES, WIDTH, Piece, Scene
from groundling.boards.scene.draw import drawing_order
from groundling.games.codraw.scenery.lore import FEET

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
TRIES = 12
FIGURES = {"Mike": MIKE, "Jenny": JENNY}


def extent(piece: Piece) -> Point:
    """Return width and height on the canvas."""
    width, height = footprint(piece.kind, piece.pose or 0)
    scale = SCALES[piece.size]
    return width * scale, height * scale


def box(piece: Piece) -> Box:
    """Return left, top, right and bottom."""
    width, height = extent(piece)
    return piece.x - width / 2, piece.y - height / 2, piece.x + width / 2, piece.y + height / 2


def shared(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def area(of: Box) -> float:
    return (of[2] - of[0]) * (of[3] - of[1])


def covers(scene: Scene) -> list[float]:
    """Return for each piece, from back to front, the largest share of its box that the box of one other
    piece in front covers."""
    boxes = [box(piece) for piece in drawing_order(scene)]
    return [
        max((shared(one, other) / area(one) for other in boxes[n + 1 :]), default=0.0)
        for n, one in enumerate(boxes)
    ]


def at(host: Piece, offset: Point) -> Point:
    """Convert a point relative to the middle of a piece, at full size and not mirrored, to the canvas."""
    scale = SCALES[host.size]
    return host.x + (-offset[0] if host.flip else offset[0]) * scale, host.y + offset[1] * scale


class Stage:
    """A scene under construction."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.pieces: dict[str, Piece] = {}
        self.hands: dict[str, list[Point]] = {}
        """Free hands, relative to the person's middle."""
        self.seats: dict[str, list[Point]] = {}
        """Free seats, relative to the middle of the piece."""
        self.worn: dict[str, list[str]] = {}

    def add(self, piece: Piece) -> Piece:
        self.pieces[piece.kind] = piece
        if piece.kind in FIGURES:
            pose = FIGURES[piece.kind][piece.pose or 0]
            middle = pose.size[0] / 2, pose.size[1] / 2
            self.hands[piece.kind] = [(arm[-1][0] - middle[0], arm[-1][1] - middle[1]) for arm in pose.arms]
        return piece

    def head(self, person: Piece) -> Point:
        """Return the head relative to the person's middle."""
        pose = FIGURES[person.kind][person.pose or 0]
        return pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2

    def standing(
        self, piece: Piece, across: Callable[[], float], feet: Callable[[], float] | None = None
    ) -> Piece:
        """Put a piece on the grass, at the sampled place with the least overlap."""
        height = extent(piece)[1]
        down = feet or (lambda: self.feet(piece.size))
        return self.best(piece, across, lambda: down() - height / 2)

    def feet(self, size: int) -> float:
        return self.rng.triangular(*FEET[size])

    def best(
        self, piece: Piece, across: Callable[[], float], down: Callable[[], float], tries: int = TRIES
    ) -> Piece:
        found = [replace(piece, x=round(across()), y=round(down())) for _ in range(tries)]
        return self.add(min(found, key=self.trouble))

    def put(self, piece: Piece, middle: Point, spread: float = 0) -> Piece:
        """Put a piece near a point."""
        x, y = (value + self.rng.uniform(-spread, spread) for value in middle)
        return self.add(replace(piece, x=round(x), y=round(y)))

    def trouble(self, piece: Piece) -> float:
        """Sum the overlaps with other pieces, each as a share of the smaller one. Overlaps of people weigh
        most."""
        mine = box(piece)
        total = 0.0
        for other in self.pieces.values():
            theirs = box(other)
            if (common := shared(mine, theirs)) > 0:
                people = sum(kind in FIGURES for kind in (piece.kind, other.kind))
                total += (1, 1.5, 4)[people] * common / min(area(mine), area(theirs))
        return total

    def anywhere(self, margin: float = 40) -> float:
        return self.rng.uniform(margin, WIDTH - margin)

    def sides(self, reach: float = 130) -> float:
        """Sample an x that is often near the left or right edge."""
        if self.rng.random() < 0.2:
            return self.anywhere(120)
        near = self.rng.uniform(-8, reach)
        return near if self.rng.random() < 0.5 else WIDTH - near

    def scene(self) -> Scene:
        """Return the scene, with all x and all y different and no piece out of sight."""
        found: list[Piece] = []
        for piece in sorted(self.pieces.values(), key=lambda piece: INDEX[piece.kind]):
            width, height = extent(piece)
            x = _free(_within(piece.x, width, WIDTH), {other.x for other in found})
            y = _free(_within(piece.y, height, HEIGHT), {other.y for other in found})
            found.append(replace(piece, x=x, y=y))
        return Scene.of(found)


def _within(value: int, length: float, end: int) -> int:
    """Keep at least a third of the piece on the canvas."""
    return round(min(max(value, -length / 6), end + length / 6))


def _free(value: int, taken: set[int]) -> int:
    """Return the value or the nearest one that is not taken."""
    return next(
        value + side * step
        for step in range(len(taken) + 1)
        for side in (1, -1)
        if value + side * step not in taken
    )
