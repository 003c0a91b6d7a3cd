"""Splits a line of a program into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TypeVar

from groundling.boards.hexes import AXES, COLOURS, HEADINGS
from groundling.games.hexagons.program.shapes import LEAVE, Amount, Colour, LinearExpression, ProgramError

T = TypeVar("T")

WAYS = (*HEADINGS, "right", "left")
"""The headings of a path or a line: straight, or zigzag along a row."""
SHAPES = frozenset(
    re.findall(
        r"\S+",
        "here tiles line ring disc flower triangle rhombus column row board border outline around inside (",
    )
)
KEYWORDS = frozenset(
    re.findall(
        r"\S+",
        "paint at repeat turn mirror rotate recolour grow define if until edge painted by with counting from "
        "step about of to where and or not is touching in odd even plus moved more x",
    )
)
_RESERVED = {*KEYWORDS, *SHAPES, *COLOURS, *WAYS, *AXES}

_HYPHENED = sorted((word for word in (*WAYS, *AXES) if "-" in word), key=len, reverse=True)
_WORD = re.compile(rf"\s*({'|'.join(_HYPHENED)}|[a-z_][a-z_0-9]*|\d+|[-+*(),:=<>])")


class TokenReader:
    """Reads the words of one line in order."""

    def __init__(self, line: str, number: int) -> None:
        self.number = number
        self.words: list[str] = []
        self.next = 0
        at, line = 0, line.lower().rstrip()
        while at < len(line):
            found = _WORD.match(line, at)
            if not found:
                raise self.syntax_error(f"what is {line[at:].strip()!r}?")
            self.words.append(found[1])
            at = found.end()

    def syntax_error(self, why: str) -> ProgramError:
        return ProgramError(f"line {self.number}: {why}")

    @property
    def next_word(self) -> str:
        """The next word; empty at the end of the line."""
        return self.words[self.next] if self.next < len(self.words) else ""

    def peek_word(self, count: int = 1) -> str:
        return self.words[self.next + count] if self.next + count < len(self.words) else ""

    def take_words(self, *words: str) -> bool:
        """Take these words if they are next."""
        if self.words[self.next : self.next + len(words)] != list(words):
            return False
        self.next += len(words)
        return True

    def expect_word(self, word: str) -> None:
        if not self.take_words(word):
            raise self.expected_error(repr(word))

    def expected_error(self, what: str) -> ProgramError:
        return self.syntax_error(
            f"expected {what}, found {self.next_word!r}" if self.next_word else f"expected {what} at the end"
        )

    def read_one_of(self, known: Container[str], what: str) -> str:
        if not self.next_word or self.next_word not in known:
            raise self.expected_error(what)
        self.next += 1
        return self.words[self.next - 1]

    def read_name(self, what: str = "a name") -> str:
        if not self.is_name():
            raise self.expected_error(what)
        self.next += 1
        return self.words[self.next - 1]

    def is_name(self) -> bool:
        return bool(re.match("[a-z_]", self.next_word)) and self.next_word not in _RESERVED

    def read_heading(self) -> str:
        return self.read_one_of(WAYS, f"a heading ({', '.join(WAYS)})")

    def read_integer(self) -> int:
        if not self.next_word.isdecimal():
            raise self.expected_error("a number")
        self.next += 1
        return int(self.words[self.next - 1])

    def read_signed(self) -> int:
        return -self.read_integer() if self.take_words("-") else self.read_integer()

    def read_amount(self) -> Amount:
        """Read a number or a linear expression of a name: `n`, `n-1`, `2*n+1`."""
        times = 1
        if self.next_word.isdecimal() or self.next_word == "-":
            times = self.read_signed()
            if not self.take_words("*"):
                return times
        name = self.read_name("a number or the name of one")
        plus = 0
        if self.next_word in ("+", "-") and self.peek_word().isdecimal():
            plus = self.read_integer() if self.take_words("+") else self.read_signed()
        return LinearExpression(name, times, plus)

    def is_colour(self) -> bool:
        return self.next_word in COLOURS or self.next_word == LEAVE or self.is_name()

    def read_colour(self) -> Colour:
        if not self.is_colour():
            raise self.expected_error(f"a colour ({', '.join(COLOURS)})")
        self.next += 1
        return self.words[self.next - 1]

    def read_colours(self) -> tuple[Colour, ...]:
        return self.read_many(self.read_colour, self.is_colour)

    def read_many(self, take: Callable[[], T], more: Callable[[], bool]) -> tuple[T, ...]:
        """Read one or more items."""
        found = [take()]
        while more():
            found.append(take())
        return tuple(found)

    def read_list(self, take: Callable[[], T]) -> tuple[T, ...]:
        """Read one or more items separated by commas."""
        return self.read_many(take, lambda: self.take_words(","))
