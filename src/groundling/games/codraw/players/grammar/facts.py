"""The result of reading a message: facts about kinds, and the state of the discourse."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Fact(Struct, frozen=True, gc=False):
    """A statement about a kind, with anchors if it relates to other kinds."""

    kind: str
    rule: str
    said: dict[str, Any] = {}
    anchors: tuple[str, ...] = ()


class DiscourseState(Struct):
    """The kinds mentioned so far, the latest last."""

    known: list[str] = []
    focus: list[str] = []
    """The kinds that the last statement was about."""
    guesses: dict[str, tuple[str, ...]] = {}
    """Kinds guessed from a general word such as "tree", and all kinds that the word may mean."""
    asked: str = ""
    """The guess that the Drawer has just asked about."""

    def note_kind(self, kind: str) -> None:
        if kind in self.known:
            self.known.remove(kind)
        self.known.append(kind)

    def rename_kind(self, old: str, new: str) -> None:
        for names in (self.known, self.focus):
            names[:] = [new if name == old else name for name in names]
