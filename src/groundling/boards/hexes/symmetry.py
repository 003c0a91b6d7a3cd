"""The symmetries of the lattice: shifts, rotations by 60° and mirrors along six axes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from groundling.boards.hexes.lattice import Axial, Tile, from_axial, to_axial

AXES = ("vertical", "steep-rising", "rising", "horizontal", "falling", "steep-falling")
"""Mirror axes, each 30° clockwise from the last. Vertical, rising and falling ones run along tiles."""
_MIRRORS = dict(zip(AXES, (0, 1, 2, 3, 4, 5), strict=True))


def _apply_linear(turn: int, flip: bool, place: Axial) -> Axial:
    q, p = place
    if flip:
        q, p = -q, p + q
    for _ in range(turn % 6):
        q, p = -p, q + p
    return q, p


class Symmetry(Struct, frozen=True, dict=True):
    """An optional left-right flip about (1, 1), then rotations of 60° clockwise about it, then a shift."""

    turn: int = 0
    flip: bool = False
    shift: Axial = (0, 0)

    def __call__(self, tile: Tile) -> Tile:
        q, p = _apply_linear(self.turn, self.flip, to_axial(tile))
        return from_axial((q + self.shift[0], p + self.shift[1]))

    def followed_by(self, other: Symmetry) -> Symmetry:
        """Compose this symmetry with another that is applied after it."""
        turn = (other.turn + (-self.turn if other.flip else self.turn)) % 6
        q, p = _apply_linear(other.turn, other.flip, self.shift)
        return Symmetry(turn, self.flip != other.flip, (q + other.shift[0], p + other.shift[1]))

    @cached_property
    def inverse(self) -> Symmetry:
        turn = self.turn if self.flip else -self.turn % 6
        q, p = _apply_linear(turn, self.flip, self.shift)
        return Symmetry(turn, self.flip, (-q, -p))

    @property
    def order(self) -> int:
        """How many applications bring every tile back; 0 if none do."""
        whole, count = self, 1
        while whole != Symmetry():
            whole, count = whole.followed_by(self), count + 1
            if count > 6:
                return 0
        return count


def make_shift(start: Tile, end: Tile) -> Symmetry:
    """Make the symmetry that moves one tile to the other without a rotation."""
    (q, p), (to_q, to_p) = to_axial(start), to_axial(end)
    return Symmetry(shift=(to_q - q, to_p - p))


def make_rotation(about: Iterable[Tile], sixths: int) -> Symmetry:
    """Make rotations of 60° clockwise about the centre of the given tiles: one tile, two neighbours for the
    middle of their common side, three for their common corner. ValueError if that is no symmetry of the
    lattice."""
    return _make_symmetry_about(tuple(about), sixths % 6, False, f"a turn by {sixths % 6 * 60}°")


def make_mirror(about: Iterable[Tile], axis: str) -> Symmetry:
    """Make the mirror along an axis through the centre of the given tiles."""
    if axis not in _MIRRORS:
        raise ValueError(f"there is no axis {axis!r}: choose from {', '.join(AXES)}")
    return _make_symmetry_about(tuple(about), _MIRRORS[axis], True, f"the {axis} mirror")


def _make_symmetry_about(tiles: tuple[Tile, ...], turn: int, flip: bool, name: str) -> Symmetry:
    if not tiles:
        raise ValueError(f"{name} needs a tile to go about")
    places = [to_axial(tile) for tile in tiles]
    middle = sum(q for q, _ in places), sum(p for _, p in places)
    image = _apply_linear(turn, flip, middle)
    moved = [a - b for a, b in zip(middle, image, strict=True)]
    if any(amount % len(tiles) for amount in moved):
        raise ValueError(f"{name} about the middle of {_format_tiles(tiles)} does not take tiles to tiles")
    return Symmetry(turn, flip, (moved[0] // len(tiles), moved[1] // len(tiles)))


def _format_tiles(tiles: tuple[Tile, ...]) -> str:
    return ", ".join(f"({row}, {column})" for row, column in tiles)


POINT_GROUP: tuple[Symmetry, ...] = tuple(Symmetry(turn, flip) for flip in (False, True) for turn in range(6))
"""The twelve symmetries that keep tile (1, 1) in its place."""
