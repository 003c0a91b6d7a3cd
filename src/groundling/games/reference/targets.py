"""Target grids: eighteen drawn by hand for the built-in set, and random patterns of any size."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random
from string import ascii_uppercase

from groundling.boards.grid_patterns import random_pattern
from groundling.boards.letter_grid import Grid

_DRAWN = """
HHHHH KKKKK ..A.. T...T XXXXX BBB.. ..D.. .OOO. L.... W.W.W U...U ZZZZZ N...N P.... S.S.S .V.V. EE.EE ....G
..... K...K ..A.. .T.T. ....X B.B.. .DDD. O...O LL... W.W.W U...U ...Z. NN..N .P... .S.S. VVVVV EE.EE ...GG
HHHHH K.K.K AAAAA ..T.. ..XX. BBB.. DDDDD O...O LLL.. W.W.W U...U ..Z.. N.N.N PPPPP S.S.S VVVVV ..... ..GGG
..... K...K ..A.. .T.T. .X... ..BBB .DDD. O...O LLLL. W.W.W U...U .Z... N..NN ...P. .S.S. .VVV. EE.EE .GGGG
HHHHH KKKKK ..A.. T...T X.... ..BBB ..D.. .OOO. LLLLL W.W.W UUUUU ZZZZZ N...N ....P S.S.S ..V.. EE.EE GGGGG
"""

DRAWN = tuple(
    Grid.from_rows(rows) for rows in zip(*(line.split() for line in _DRAWN.strip().splitlines()), strict=True)
)
"""Stripes, a framed dot, a plus, a saltire, a seven, a diamond, a ring, stairs, columns, letters, a heart…"""


def count_possible_targets(size: int, least: int) -> int:
    """Count the one-letter grids of this size that have at least `least` filled cells."""
    return len(ascii_uppercase) * sum(comb(size * size, filled) for filled in range(least, size * size + 1))


def generate_targets(rng: Random, size: int, least: int) -> Iterator[Grid]:
    """Yield endless one-letter grids: patterns first, scattered cells where they repeat; new ones first."""
    seen: set[Grid] = set()
    cells = [(r, c) for r in range(1, size + 1) for c in range(1, size + 1)]
    counts = range(least, size * size + 1)
    weights = [comb(size * size, count) for count in counts]
    while True:
        for attempt in range(1000):
            drawn = (
                random_pattern(rng, size)
                if attempt < 5
                else rng.sample(cells, rng.choices(counts, weights)[0])
            )
            grid = Grid.from_cells(size, drawn, rng.choice(ascii_uppercase))
            if len(set(drawn)) >= least and grid not in seen:
                break
        seen.add(grid)
        yield grid
