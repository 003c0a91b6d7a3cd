"""Random simple shapes on a square grid, for pictures that are easy to describe."""

from __future__ import annotations

from random import Random

from groundling.boards.letter_grid import Cell


def random_pattern(rng: Random, size: int) -> list[Cell]:
    """Draw one or two simple shapes on top of each other."""
    return [cell for _ in range(rng.choice((1, 1, 2))) for cell in rng.choice(_SHAPES)(rng, size)]


def _random_rows(rng: Random, size: int) -> list[Cell]:
    return [
        (r, c) for r in rng.sample(range(1, size + 1), rng.randint(1, size - 1)) for c in range(1, size + 1)
    ]


def _random_columns(rng: Random, size: int) -> list[Cell]:
    return [(r, c) for c, r in _random_rows(rng, size)]


def _random_diagonals(rng: Random, size: int) -> list[Cell]:
    falling = [(i, i) for i in range(1, size + 1)]
    rising = [(size + 1 - i, i) for i in range(1, size + 1)]
    return rng.choice((falling, rising, falling + rising))


def _random_block(rng: Random, size: int) -> list[Cell]:
    (top, bottom), (left, right) = (sorted(rng.sample(range(1, size + 1), 2)) for _ in "rc")
    return [(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]


def _random_frame(rng: Random, size: int) -> list[Cell]:
    block = _random_block(rng, size)
    (top, left), (bottom, right) = block[0], block[-1]
    return [(r, c) for r, c in block if r in (top, bottom) or c in (left, right)]


def _random_cross(rng: Random, size: int) -> list[Cell]:
    row, column = rng.randint(1, size), rng.randint(1, size)
    return [(row, c) for c in range(1, size + 1)] + [(r, column) for r in range(1, size + 1)]


def _random_stairs(rng: Random, size: int) -> list[Cell]:
    cells = [(r, c) for r in range(1, size + 1) for c in range(1, r + 1)]
    down, right = rng.random() < 0.5, rng.random() < 0.5
    return [(r if down else size + 1 - r, c if right else size + 1 - c) for r, c in cells]


def _random_checkerboard(rng: Random, size: int) -> list[Cell]:
    start = rng.randint(0, 1)
    return [(r, c) for r in range(1, size + 1) for c in range(1, size + 1) if (r + c) % 2 == start]


_SHAPES = (
    _random_rows,
    _random_columns,
    _random_diagonals,
    _random_block,
    _random_frame,
    _random_cross,
    _random_stairs,
    _random_checkerboard,
)
