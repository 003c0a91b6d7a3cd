"""Cells that an English text names one by one: "row 2, column 3", "row 1: columns 1, 2 and 5", "(2, 3)", "the
second tile of the third column", and rows that are spelled out, "X ▢ ▢ X X". Whole lines and ranges name no
single cell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.letter_grid import Cell, Grid

_VALUES = {word: number for words in (ORDINALS, CARDINALS) for number, word in enumerate(words)}
_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(CARDINALS[1:])})\b"
_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(ORDINALS[1:])})\b"
_JOIN = r"\s*(?:,\s*and\b|,|&|\band\b)\s*(?:the\s+)?"
_NOUN = r"(?:rows?|col(?:umn)?s?|cells?|tiles?|squares?|boxe?s?|positions?|hexagons?)\b"
_MENTION = rf"""\(\s*(?P<row>\d{{1,2}})\s*,\s*(?P<column>\d{{1,2}})\s*\)
    | \bR(?P<r>\d{{1,2}})\s?C(?P<c>\d{{1,2}})\b
    | \b(?P<noun>{_NOUN})\s+(?P<list>{_NUMBER}(?:{_JOIN}{_NUMBER})*)(?P<range>\s*(?:[-–]|to\b|through\b))?
    | \b(?P<ordinals>{_ORDINAL}(?:{_JOIN}{_ORDINAL})*)\s+(?P<after>{_NOUN})
    | (?P<stop>[.!?\n])"""
_WHOLE = re.compile(r"\b(?:full|filled|complete\w*|entire\w*|empty|blank|all)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"\band\s+(?:the\s+)?$", re.IGNORECASE)
_INSIDE = re.compile(r"(?:\b(?:in|at|of|on)|:)\s*(?:the\s+)?$", re.IGNORECASE)
_OTHER = {"row": "column", "column": "row"}


@lru_cache(4096)
def named_cells(text: str) -> frozenset[Cell]:
    """Return the cells that a text names by row and column, as numbers from 1. The line that is named first
    holds until another of its kind is named: "row 1, column 2, column 4" are two cells."""
    cells: set[Cell] = set()
    first, line, spots = "", list[int](), list[int]()
    end = 0
    for found in _mention_pattern().finditer(text):
        gap, end = text[end : found.start()], found.end()
        if found["row"] or found["r"]:
            cells.add((int(found["row"] or found["r"]), int(found["column"] or found["c"])))
            continue
        # what came before was a whole line, as in "fill row 1 and column 3"
        whole = _ANOTHER.search(gap) or (_WHOLE.search(gap) and not _INSIDE.search(gap))
        if found["stop"] or whole:
            first, line, spots = "", [], []
        if found["stop"]:
            continue
        kind = _noun_kind(found["noun"] or found["after"])
        numbers = [] if found["range"] else _list_numbers(found["list"] or found["ordinals"])
        if kind in _OTHER and (not first or kind == first):
            first, line = kind, numbers
        elif first:
            spots = numbers
        if kind == "cell" and not first:
            spots = numbers
        elif first and spots:
            cells |= {(at, spot) if first == "row" else (spot, at) for at in line for spot in spots}
            spots = []
    return frozenset(cells)


def recited_cells(text: str, grid: Grid) -> frozenset[Cell]:
    """Return the cells of a grid that a text names one by one, also in rows that it spells out."""
    found, rows = named_cells(text), _spelled_row(grid.size).findall(text)
    left = dict(enumerate(grid.rows, 1)) if rows else {}
    for words in rows:
        spelled = re.sub(r"[ ,|]+", "", words).replace("▢", ".").replace("□", ".")
        row = next((row for row, cells in left.items() if cells == spelled), None)
        if row is not None:
            del left[row]
            found |= {(row, column) for column in range(1, grid.size + 1)}
    return found


def recited_share(grid: Grid, texts: Iterable[str]) -> float | None:
    """Return the share of a grid's letters that texts name one by one; None if it has none."""
    letters = grid.letters_by_cell.keys()
    named = {cell for text in set(texts) for cell in recited_cells(text, grid)}
    return len(letters & named) / len(letters) if letters else None


@cache
def _mention_pattern() -> re.Pattern[str]:
    """Compile the pattern when it is needed: that takes as long as scoring a small run."""
    return re.compile(_MENTION, re.IGNORECASE | re.VERBOSE)


@cache
def _spelled_row(size: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w▢□])[A-Z▢□.](?:[ ,|]{{1,3}}[A-Z▢□.]){{{size - 1}}}(?![\w▢□])")


def _noun_kind(noun: str) -> str:
    return {"r": "row", "c": "column"}[noun[0].lower()] if noun[:3].lower() in ("row", "col") else "cell"


def _list_numbers(words: str) -> list[int]:
    found = re.findall(r"\d+|[a-z]{3,}", words.lower())
    return [int(word) if word.isdecimal() else _VALUES[word] for word in found if word not in ("and", "the")]
