"""What a family of images draws with: chance, and what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct

from groundling.boards.hexes import HEADINGS

T = TypeVar("T")

CHEERFUL = ("yellow", "green", "red", "blue", "purple", "orange")


class Wish(Struct, frozen=True):
    """What was asked for; 0 is anything."""

    size: int = 0
    """1 small, 2 middling, 3 large."""
    colours: int = 0
    depth: int = 0


class Pen:
    def __init__(self, rng: Random, wish: Wish | None = None) -> None:
        self.rng = rng
        self.wish = wish or Wish()

    def colours(self, least: int, most: int | None = None) -> list[str]:
        """Different colours, as many as were asked for as far as that is possible. Black comes up less
        often."""
        most = least if most is None else most
        count = (
            min(max(self.wish.colours, least), most) if self.wish.colours else self.rng.randint(least, most)
        )
        found = self.rng.sample(CHEERFUL, min(count, len(CHEERFUL)))
        if count > len(CHEERFUL) or self.rng.random() < 0.12:
            found[len(found) - 1 :] = ["black"] if count <= len(CHEERFUL) else [found[-1], "black"]
        return found

    def size(self, least: int, most: int) -> int:
        """A number out of a range; the wanted size chooses the lower, middle or upper part of it."""
        return self._part(self.wish.size, 3, least, most)

    def depth(self, least: int, most: int) -> int:
        return min(max(self.wish.depth, least), most) if self.wish.depth else self.rng.randint(least, most)

    def _part(self, wanted: int, parts: int, least: int, most: int) -> int:
        if not wanted:
            return self.rng.randint(least, most)
        span = most - least + 1
        low, high = least + span * (wanted - 1) // parts, least + span * wanted // parts - 1
        return self.rng.randint(min(low, most), max(low, high))

    def one(self, *choices: T) -> T:
        return self.rng.choice(choices)

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        return self.rng.sample(list(choices), count)

    def between(self, least: int, most: int) -> int:
        return self.rng.randint(least, most)

    def heading(self) -> str:
        return self.rng.choice(HEADINGS)

    def tile(self, rows: tuple[int, int], columns: tuple[int, int]) -> str:
        return f"{self.rng.randint(*rows)},{self.rng.randint(*columns)}"


class Draft(Struct, frozen=True):
    """A program, and what must be true of the image it draws."""

    text: str
    apart: bool = False
    """Copies do not touch each other."""
    level: int | None = None
    """How abstract a short description is, where that is not what the family's images usually need."""
    parts: int = 0
    """How many pieces it falls into, if that is known."""
    tiles: int = 0
    """How many tiles it has, if that is known."""
    groups: tuple[str, ...] = ()
    """The symmetry groups it may have; any, if none is named."""


Idea = Callable[[Pen], Draft]
"""Draws one kind of image. What comes out may be refused."""


def block(head: str, *lines: str) -> str:
    """A statement with others indented below it."""
    inner = "\n".join(lines).splitlines()
    return "\n".join([f"{head}:", *(f"    {line}" for line in inner)])


def steps(*statements: str) -> str:
    return "\n".join(statement for statement in statements if statement)


def turned(sixths: int, *lines: str) -> str:
    """Statements turned about `here`, if at all."""
    return block(f"turn {sixths}", *lines) if sixths else steps(*lines)
