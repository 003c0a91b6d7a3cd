"""Splits a line of a program into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TypeVar

from groundling.boards.hexes import AXES, COLOURS, HEADINGS
from groundling.games.hexagons.program.shapes import LEAVE, Amount, Colour, Count, ProgramError

T = TypeVar("T")

WAYS = (*HEADINGS, "right", "left")
"""The headings of a path or a line: straight, or zigzag along a row."""
SHAPES = frozenset(
    re.findall(
        r"\S+", "here tiles line ring disc flower triangle rhombus column row board border outline around ("
    )
)
KEYWORDS = frozenset(
    re.findall(
        r"\S+",
        "paint at repeat turn mirror rotate recolour grow define if until edge painted by with counting from "
        "step about of to where and or not is touching in odd even plus more x",
    )
)
_RESERVED = {*KEYWORDS, *SHAPES, *COLOURS, *WAYS, *AXES}

_HYPHENED = sorted((word for word in (*WAYS, *AXES) if "-" in word), key=len, reverse=True)
_WORD = re.compile(rf"\s*({'|'.join(_HYPHENED)}|[a-z_][a-z_0-9]*|\d+|[-+*(),:=<>])")


class Words:
    """Reads the words of one line in order."""

    def __init__(self, line: str, number: int) -> None:
        self.number = number
        self.words: list[str] = []
        self.next = 0
        at, line = 0, line.lower().rstrip()
        while at < len(line):
            found = _WORD.match(line, at)
            if not found:
                raise self.error(f"what is {line[at:].strip()!r}?")
            self.words.append(found[1])
            at = found.end()

    def error(self, why: str) -> ProgramError:
        return ProgramError(f"line {self.number}: {why}")

    @property
    def word(self) -> str:
        """The next word; empty at the end of the line."""
        return self.words[self.next] if self.next < len(self.words) else ""

    def ahead(self, count: int = 1) -> str:
        return self.words[self.next + count] if self.next + count < len(self.words) else ""

    def took(self, *words: str) -> bool:
        """Take these words if they are next."""
        if self.words[self.next : self.next + len(words)] != list(words):
            return False
        self.next += len(words)
        return True

    def need(self, word: str) -> None:
        if not self.took(word):
            raise self.wanted(repr(word))

    def wanted(self, what: str) -> ProgramError:
        return self.error(
            f"expected {what}, found {self.word!r}" if self.word else f"expected {what} at the end"
        )

    def one_of(self, known: Container[str], what: str) -> str:
        if not self.word or self.word not in known:
            raise self.wanted(what)
        self.next += 1
        return self.words[self.next - 1]

    def name(self, what: str = "a name") -> str:
        if not self.is_name():
            raise self.wanted(what)
        self.next += 1
        return self.words[self.next - 1]

    def is_name(self) -> bool:
        return bool(re.match("[a-z_]", self.word)) and self.word not in _RESERVED

    def heading(self) -> str:
        return self.one_of(WAYS, f"a heading ({', '.join(WAYS)})")

    def integer(self) -> int:
        if not self.word.isdecimal():
            raise self.wanted("a number")
        self.next += 1
        return int(self.words[self.next - 1])

    def signed(self) -> int:
        return -self.integer() if self.took("-") else self.integer()

    def amount(self) -> Amount:
        """Read a number or a linear expression of a name: `n`, `n-1`, `2*n+1`."""
        times = 1
        if self.word.isdecimal() or self.word == "-":
            times = self.signed()
            if not self.took("*"):
                return times
        name = self.name("a number or the name of one")
        plus = 0
        if self.word in ("+", "-") and self.ahead().isdecimal():
            plus = self.integer() if self.took("+") else self.signed()
        return Count(name, times, plus)

    def is_colour(self) -> bool:
        return self.word in COLOURS or self.word == LEAVE or self.is_name()

    def colour(self) -> Colour:
        if not self.is_colour():
            raise self.wanted(f"a colour ({', '.join(COLOURS)})")
        self.next += 1
        return self.words[self.next - 1]

    def colours(self) -> tuple[Colour, ...]:
        return self.many(self.colour, self.is_colour)

    def many(self, take: Callable[[], T], more: Callable[[], bool]) -> tuple[T, ...]:
        """Read one or more items."""
        found = [take()]
        while more():
            found.append(take())
        return tuple(found)

    def listed(self, take: Callable[[], T]) -> tuple[T, ...]:
        """Read one or more items separated by commas."""
        return self.many(take, lambda: self.took(","))
