"""What is understood of a message: facts about kinds, and what to keep in mind for the next one."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Fact(Struct, frozen=True, gc=False):
    """Something said of a kind; with an anchor, with respect to other kinds."""

    kind: str
    rule: str
    said: dict[str, Any] = {}
    anchors: tuple[str, ...] = ()


class Memory(Struct):
    """What has been spoken of so far, the latest last."""

    known: list[str] = []
    focus: list[str] = []
    """What the last statement was about."""
    guesses: dict[str, tuple[str, ...]] = {}
    """Kinds taken for granted from a word such as "tree", and what it might have meant."""
    asked: str = ""
    """A guess that the Drawer has just asked about."""

    def note(self, kind: str) -> None:
        if kind in self.known:
            self.known.remove(kind)
        self.known.append(kind)

    def rename(self, old: str, new: str) -> None:
        for names in (self.known, self.focus):
            names[:] = [new if name == old else name for name in names]
