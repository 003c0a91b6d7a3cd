"""Scenes for tests: any, and a small one that we made up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import strategies as st

from groundling.boards.scene import KINDS, PEOPLE, Piece, Scene

ROOT = Path(__file__).parents[2]

PARK = Scene.of(
    [
        Piece("sun", 60, 40, 0),
        Piece("Mike", 150, 250, 0, flip=True, pose=6, expression=1),
        Piece("Jenny", 330, 260, 1, pose=4, expression=3),
        Piece("oak tree", 430, 150, 1),
        Piece("beach ball", 240, 330, 2),
        Piece("crown", 152, 160, 0),
    ]
)


def pieces(kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[Piece]:
    place = st.integers(-60, 560) | st.sampled_from((120, 121))  # the latter so that some are equal
    numbers = st.tuples(
        st.sampled_from(kinds), place, place, st.integers(0, 2), st.booleans(), st.integers(0, 34)
    )
    return numbers.map(_piece)


def _piece(numbers: tuple[str, int, int, int, bool, int]) -> Piece:
    kind, x, y, size, flip, figure = numbers
    return Piece(kind, x, y, size, flip, *(divmod(figure, 5) if kind in PEOPLE else (None, None)))


def scenes(most: int = 20, kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[Scene]:
    """Of several pieces of a kind the last one stays."""
    return st.lists(pieces(kinds), max_size=most).map(
        lambda found: Scene.of({p.kind: p for p in found}.values())
    )


def released() -> Path:
    """The published data, where it is."""
    folder = Path(os.environ.get("GROUNDLING_DATA", ROOT.parent / "shared" / "data")) / "codraw"
    if not folder.is_dir():
        pytest.skip("the CoDraw data is not here: set GROUNDLING_DATA to the folder that holds codraw/")
    return folder
