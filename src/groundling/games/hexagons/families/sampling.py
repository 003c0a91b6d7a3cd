"""Random choices for the programs of image families within a recipe's limits, and how to write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

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

    def colours(self, least: int, most: int | None = None) -> list[str]:
        """Return different colours, as many as were requested if possible. Black is less frequent."""
        most = least if most is None else most
        count = (
            min(max(self.wish.colours, least), most) if self.wish.colours else self.rng.randint(least, most)
        )
        found = self.rng.sample(CHEERFUL, min(count, len(CHEERFUL)))
        if count > len(CHEERFUL) or self.rng.random() < 0.12:
            found[len(found) - 1 :] = ["black"] if count <= len(CHEERFUL) else [found[-1], "black"]
        return found

    def size(self, least: int, most: int) -> int:
        """Return a number of a range; the requested size selects its lower, middle or upper part."""
        if not self.wish.size:
            return self.rng.randint(least, most)
        span = most - least + 1
        low, high = least + span * (self.wish.size - 1) // 3, least + span * self.wish.size // 3 - 1
        return self.rng.randint(min(low, most), max(low, high))

    def depth(self, least: int, most: int) -> int:
        return min(max(self.wish.depth, least), most) if self.wish.depth else self.rng.randint(least, most)

    def one_of(self, *choices: T) -> T:
        return self.rng.choice(choices)

    def some_of(self, choices: Sequence[T], count: int) -> list[T]:
        return self.rng.sample(list(choices), count)

    def between(self, least: int, most: int) -> int:
        return self.rng.randint(least, most)

    def tile(self, rows: tuple[int, int], columns: tuple[int, int]) -> str:
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


def block(head: str, *lines: str) -> str:
    """Return a statement with others indented below it."""
    inner = "\n".join(lines).splitlines()
    return "\n".join([f"{head}:", *(f"    {line}" for line in inner)])


def join_lines(*statements: str) -> str:
    return "\n".join(statements)


def draft_program(*statements: str, **properties: Any) -> ProgramDraft:
    return ProgramDraft(join_lines(*statements), **properties)


def turn_lines(sixths: int, *lines: str) -> str:
    """Return statements turned about `here` by some sixths."""
    return block(f"turn {sixths}", *lines) if sixths else join_lines(*lines)
