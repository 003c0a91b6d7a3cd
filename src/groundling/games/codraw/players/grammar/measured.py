"""Numbers that were measured on scenes and messages of the training part, by `python -m bench.codraw_measure`. No sentence of
the data is among them: they say how large, where and which way round things usually are, and how people's words for that
are meant."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Line(Struct, frozen=True, array_like=True):
    """A place as a + b · half its own length + c · half the anchor's + d · inches, give or take `spread`."""

    a: float
    b: float
    c: float
    d: float
    spread: float
    trust: float
    """How often the cue was about this piece at all."""


class Measured(Struct, frozen=True):
    sizes: dict[str, tuple[float, float, float]]
    """By kind: how often large, medium, small."""
    beside: dict[str, tuple[tuple[float, ...], ...]]
    """By category: how often in each size, by the size of the people."""
    couples: tuple[tuple[float, ...], ...]
    """Mike's and Jenny's sizes together."""
    size_words: dict[str, tuple[tuple[float, ...], ...]]
    """By group: how often each size is called large, medium, small, nothing."""
    flips: dict[str, tuple[float, float, float]]
    """By kind: how often mirrored, at the left, in the middle, at the right."""
    fronts: dict[str, tuple[float, float]]
    """By kind: how often mirrored when said to face left, and right."""
    parts: dict[str, tuple[float, float]]
    """The same by the part that was said to be on the left, and on the right."""
    poses: dict[str, tuple[float, ...]]
    """By cue: for and against each pose."""
    expressions: dict[str, tuple[float, ...]]
    places: dict[str, Line]
    """By axis, name of the cue, and where it differs, group."""
    heights: dict[str, tuple[float, float, float, float]]
    """By kind: the usual y of a large, a medium, a small one, and the spread."""
    alike: dict[str, tuple[float, float]]
    """By kind, carried or worn: how often it has the size of its holder, and is mirrored as its holder is."""
    carried: dict[str, tuple[float, float, float]]
    """By kind: from the head or hand to its middle, at full size, and the spread."""


@cache
def measured() -> Measured:
    text = files(__package__).joinpath("measured.json").read_bytes()
    return msgspec.json.decode(text, type=Measured)
