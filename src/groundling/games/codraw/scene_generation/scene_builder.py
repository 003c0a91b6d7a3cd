"""A scene under construction: where pieces stand, how they overlap, which hands and seats are free."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from groundling.boards.clipart import clipart_piece_size
from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.scene import HEIGHT, INDEX, SCALES, WIDTH, Piece, Scene
from groundling.boards.scene.draw import scene_drawing_order
from groundling.games.codraw.scene_generation.priors import FEET_HEIGHTS

CanvasPoint: TypeAlias = tuple[float, float]
BoundingBox: TypeAlias = tuple[float, float, float, float]
TRIES = 12


def built_piece_extent(piece: Piece) -> CanvasPoint:
    """Return width and height on the canvas."""
    width, height = clipart_piece_size(piece.kind, piece.pose or 0)
    scale = SCALES[piece.size]
    return width * scale, height * scale


def built_bounding_box(piece: Piece) -> BoundingBox:
    """Return left, top, right and bottom."""
    width, height = built_piece_extent(piece)
    return piece.x - width / 2, piece.y - height / 2, piece.x + width / 2, piece.y + height / 2


def overlap_area(one: BoundingBox, other: BoundingBox) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def box_area(of: BoundingBox) -> float:
    return (of[2] - of[0]) * (of[3] - of[1])


def hidden_shares_in_scene(scene: Scene) -> list[float]:
    """Return the largest share of each piece's box that one piece in front covers, from back to front."""
    boxes = [built_bounding_box(piece) for piece in scene_drawing_order(scene)]
    return [
        max((overlap_area(one, other) / box_area(one) for other in boxes[n + 1 :]), default=0.0)
        for n, one in enumerate(boxes)
    ]


def offset_point(host: Piece, offset: CanvasPoint) -> CanvasPoint:
    """Convert a point relative to the middle of a piece, at full size and not mirrored, to the canvas."""
    scale = SCALES[host.size]
    return host.x + (-offset[0] if host.flip else offset[0]) * scale, host.y + offset[1] * scale


class SceneBuilder:
    """A scene under construction."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.pieces: dict[str, Piece] = {}
        self.hands: dict[str, list[CanvasPoint]] = {}
        """Free hands, relative to the person's middle."""
        self.seats: dict[str, list[CanvasPoint]] = {}
        """Free seats, relative to the middle of the piece."""
        self.worn: dict[str, list[str]] = {}

    def add_piece(self, piece: Piece) -> Piece:
        self.pieces[piece.kind] = piece
        if piece.kind in PERSON_POSES:
            pose = PERSON_POSES[piece.kind][piece.pose or 0]
            middle = pose.size[0] / 2, pose.size[1] / 2
            self.hands[piece.kind] = [(arm[-1][0] - middle[0], arm[-1][1] - middle[1]) for arm in pose.arms]
        return piece

    def head_offset(self, person: Piece) -> CanvasPoint:
        """Return the head relative to the person's middle."""
        pose = PERSON_POSES[person.kind][person.pose or 0]
        return pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2

    def put_standing(
        self, piece: Piece, across: Callable[[], float], feet: Callable[[], float] | None = None
    ) -> Piece:
        """Put a piece on the grass, at the sampled place with the least overlap."""
        height = built_piece_extent(piece)[1]
        down = feet or (lambda: self.random_feet(piece.size))
        return self.put_best(piece, across, lambda: down() - height / 2)

    def random_feet(self, size: int) -> float:
        return self.rng.triangular(*FEET_HEIGHTS[size])

    def put_best(
        self, piece: Piece, across: Callable[[], float], down: Callable[[], float], tries: int = TRIES
    ) -> Piece:
        found = [replace(piece, x=round(across()), y=round(down())) for _ in range(tries)]
        return self.add_piece(min(found, key=self.overlap_penalty))

    def put_near(self, piece: Piece, middle: CanvasPoint, spread: float = 0) -> Piece:
        """Put a piece near a point."""
        x, y = (value + self.rng.uniform(-spread, spread) for value in middle)
        return self.add_piece(replace(piece, x=round(x), y=round(y)))

    def overlap_penalty(self, piece: Piece) -> float:
        """Sum the overlaps with other pieces, each as a share of the smaller one. People's weigh most."""
        mine = built_bounding_box(piece)
        total = 0.0
        for other in self.pieces.values():
            theirs = built_bounding_box(other)
            if (common := overlap_area(mine, theirs)) > 0:
                people = sum(kind in PERSON_POSES for kind in (piece.kind, other.kind))
                total += (1, 1.5, 4)[people] * common / min(box_area(mine), box_area(theirs))
        return total

    def random_x(self, margin: float = 40) -> float:
        return self.rng.uniform(margin, WIDTH - margin)

    def random_side_x(self, reach: float = 130) -> float:
        """Sample an x that is often near the left or right edge."""
        if self.rng.random() < 0.2:
            return self.random_x(120)
        near = self.rng.uniform(-8, reach)
        return near if self.rng.random() < 0.5 else WIDTH - near

    def build_scene(self) -> Scene:
        """Return the scene, with all x and all y different and no piece out of sight."""
        found: list[Piece] = []
        for piece in sorted(self.pieces.values(), key=lambda piece: INDEX[piece.kind]):
            width, height = built_piece_extent(piece)
            x = _nearest_free(_clamp_to_canvas(piece.x, width, WIDTH), {other.x for other in found})
            y = _nearest_free(_clamp_to_canvas(piece.y, height, HEIGHT), {other.y for other in found})
            found.append(replace(piece, x=x, y=y))
        return Scene.of(found)


def _clamp_to_canvas(value: int, length: float, end: int) -> int:
    """Keep at least a third of the piece on the canvas."""
    return round(min(max(value, -length / 6), end + length / 6))


def _nearest_free(value: int, taken: set[int]) -> int:
    """Return the value or the nearest one that is not taken."""
    return next(
        value + side * step
        for step in range(len(taken) + 1)
        for side in (1, -1)
        if value + side * step not in taken
    )
