"""Random choices for the programs of an image family, under the constraints of a recipe, and helpers to
compose their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

CHEERFUL = ("yellow", "green", "red", "blue", "purple", "orange")


class ImageWish(Struct, frozen=True):
    """The constraints of a recipe; 0 means any value."""

    size: int = 0
    """1 small, 2 medium, 3 large."""
    colours: int = 0
    depth: int = 0


class ProgramSampler:
    def __init__(self, rng: Random, wish: ImageWish | None = None) -> None:
        self.rng = rng
        self.wish = wish or ImageWish()

    def sample_colours(self, least: int, most: int | None = None) -> list[str]:
        """Return different colours, as many as were requested if possible. Black is less frequent."""
        most = least if most is None else most
        count = (
            min(max(self.wish.colours, least), most) if self.wish.colours else self.rng.randint(least, most)
        )
        found = self.rng.sample(CHEERFUL, min(count, len(CHEERFUL)))
        if count > len(CHEERFUL) or self.rng.random() < 0.12:
            found[len(found) - 1 :] = ["black"] if count <= len(CHEERFUL) else [found[-1], "black"]
        return found

    def sample_size(self, least: int, most: int) -> int:
        """Return a number of a range; the requested size selects its lower, middle or upper part."""
        return self._sample_part(self.wish.size, 3, least, most)

    def sample_depth(self, least: int, most: int) -> int:
        return min(max(self.wish.depth, least), most) if self.wish.depth else self.rng.randint(least, most)

    def _sample_part(self, wanted: int, parts: int, least: int, most: int) -> int:
        if not wanted:
            return self.rng.randint(least, most)
        span = most - least + 1
        low, high = least + span * (wanted - 1) // parts, least + span * wanted // parts - 1
        return self.rng.randint(min(low, most), max(low, high))

    def sample_one(self, *choices: T) -> T:
        return self.rng.choice(choices)

    def choose_some(self, choices: Sequence[T], count: int) -> list[T]:
        return self.rng.sample(list(choices), count)

    def sample_between(self, least: int, most: int) -> int:
        return self.rng.randint(least, most)

    def sample_tile(self, rows: tuple[int, int], columns: tuple[int, int]) -> str:
        return f"{self.rng.randint(*rows)},{self.rng.randint(*columns)}"


class ProgramDraft(Struct, frozen=True):
    """A program, and properties that its image must have."""

    text: str
    apart: bool = False
    """Whether copies must not touch each other."""
    level: int | None = None
    """The abstraction level of a short description, if it differs from the family's."""
    parts: int = 0
    """The number of connected pieces, if known."""
    tiles: int = 0
    """The number of tiles, if known."""
    groups: tuple[str, ...] = ()
    """The allowed symmetry groups; any if empty."""


Idea = Callable[[ProgramSampler], ProgramDraft]
"""Draws one kind of image. The caller may reject the result."""


def indent_sampled_block(head: str, *lines: str) -> str:
    """Return a statement with others indented below it."""
    inner = "\n".join(lines).splitlines()
    return "\n".join([f"{head}:", *(f"    {line}" for line in inner)])


def join_sampled_statements(*statements: str) -> str:
    return "\n".join(statement for statement in statements if statement)


def turn_sampled_statements(sixths: int, *lines: str) -> str:
    """Return statements turned about `here` by some sixths."""
    return indent_sampled_block(f"turn {sixths}", *lines) if sixths else join_sampled_statements(*lines)
