"""Changes from one scene to another: put, move, flip, resize, pose, expression, remove. Moves of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from groundling.boards.scene.pieces import Piece, Scene
from groundling.core.values import Move


class Put(Move, frozen=True, gc=False):
    """Adds a piece of a kind that is not on the canvas yet."""

    piece: Piece

    @property
    def kind(self) -> str:
        return self.piece.kind


class Shift(Move, frozen=True, gc=False, tag="move"):
    kind: str
    x: int
    y: int


class Flip(Move, frozen=True, gc=False):
    """Sets a piece to be mirrored, or not, whatever it was before."""

    kind: str
    flip: bool


class Resize(Move, frozen=True, gc=False):
    kind: str
    size: int


class Pose(Move, frozen=True, gc=False):
    kind: str
    pose: int


class Express(Move, frozen=True, gc=False, tag="expression"):
    kind: str
    expression: int


class Remove(Move, frozen=True, gc=False):
    kind: str


Change: TypeAlias = Put | Shift | Flip | Resize | Pose | Express | Remove


def find_scene_changes(before: Scene, after: Scene) -> tuple[Change, ...]:
    """List the changes between scenes: removals, changed pieces, additions, each in the order of KINDS."""
    gone: list[Change] = [Remove(kind) for kind in before.kinds if kind not in after.by_kind]
    come: list[Change] = [Put(piece) for piece in after.pieces if piece.kind not in before.by_kind]
    changed = [
        change
        for piece in after.pieces
        if (old := before.get(piece.kind)) is not None and old != piece
        for change in _piece_changes(old, piece)
    ]
    return (*gone, *changed, *come)


def _piece_changes(old: Piece, new: Piece) -> Iterable[Change]:
    if (old.x, old.y) != (new.x, new.y):
        yield Shift(new.kind, new.x, new.y)
    if old.flip != new.flip:
        yield Flip(new.kind, new.flip)
    if old.size != new.size:
        yield Resize(new.kind, new.size)
    if old.pose != new.pose and new.pose is not None:
        yield Pose(new.kind, new.pose)
    if old.expression != new.expression and new.expression is not None:
        yield Express(new.kind, new.expression)


def apply_change(scene: Scene, change: Change) -> Scene:
    """Return the scene after one change; ValueError where the piece is missing, or there already."""
    old = scene.get(change.kind)
    if isinstance(change, Put):
        if old is not None:
            raise ValueError(f"{change.kind} is on the canvas already: there is one piece of a kind at most")
        return scene.put(change.piece)
    if old is None:
        raise ValueError(f"{change.kind} is not on the canvas")
    match change:
        case Remove():
            return scene.without(change.kind)
        case Shift(x=x, y=y):
            return scene.put(replace(old, x=x, y=y))
        case Flip(flip=flip):
            return scene.put(replace(old, flip=flip))
        case Resize(size=size):
            return scene.put(replace(old, size=size))
        case Pose(pose=pose):
            return scene.put(replace(old, pose=pose))
        case Express(expression=expression):
            return scene.put(replace(old, expression=expression))


def apply_changes(scene: Scene, changes: Iterable[Change]) -> Scene:
    for change in changes:
        scene = apply_change(scene, change)
    return scene
