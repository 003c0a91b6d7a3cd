"""The panel of a game: who hears words again, and who speaks for comparison, to find out who failed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

_CUTS = re.compile(r"[.;:!?,\n]+\s*|\s+(?=(?:and|then|but)\b)", re.I)
_SENTENCES = re.compile(r"(?<=[.;!?\n])\s+")


class PanelHints(Struct, frozen=True, kw_only=True):
    """What a pack says about its panel. All of it can be left out."""

    listeners: tuple[str, ...] = ()
    """Players of the listening seat that cost nothing; default: the partner in the browser, unless it is
    `gold`, which needs no words."""
    speaker: str = ""
    """The player whose words are the reference; default: the partner in the browser."""
    settings: Mapping[str, Any] = {}
    """Settings with which words are heard again, where those of a run have no listener."""
    measure: str = ""
    """The measure of losses; default: the main one."""
    clauses: str | Callable[[str], Sequence[str]] = ""
    """Returns the clauses of a text as the game's reader cuts it; default: sentences."""


def find_clause_spans(text: str, cut: Callable[[str], Sequence[str]] | None = None) -> list[tuple[int, int]]:
    """Return where the clauses of a text begin and end: it is cut where the reader, which returns the
    clauses of a text in words of its own, finds the same clauses in both parts as in the whole."""
    read = cut or _split_sentences
    spans: list[tuple[int, int]] = []
    start, whole = 0, list(read(text))
    for found in _CUTS.finditer(text):
        left, right = list(read(text[start : found.end()])), list(read(text[found.end() :]))
        if left and right and left + right == whole:
            spans.append((start, found.end()))
            start, whole = found.end(), right
    return [*spans, (start, len(text))] if text[start:].strip() else spans


def _split_sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCES.split(text) if part.strip()]
