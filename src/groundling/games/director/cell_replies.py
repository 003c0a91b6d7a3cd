"""Reads which cell a reply names. A reply that does not name exactly one is refused."""

from __future__ import annotations

import re

from groundling.boards.shelf import Shelf
from groundling.core.values import Illegal

_ONLY = re.compile(r"\s*([A-Z][1-9][0-9]?)\s*", re.ASCII)
_CELL = (
    r"(?: (?P<letter{0}>[A-Z])[ -]?(?P<number{0}>[1-9][0-9]?)"
    r" | (?P<small{0}>[a-z])-?(?P<digits{0}>[1-9][0-9]?) )"
)
_EDGE = r"(?![\w-]|[.,][0-9])"
_NAMED = re.compile(rf"(?<![\w.,-]) {_CELL.format('')} {_EDGE}", re.VERBOSE | re.ASCII)
_SPELT = re.compile(
    r"""\b(?: column\s+["'“]?(?P<letter>[A-Z])["'”]?,?\s+(?:and\s+|of\s+|in\s+)?row\s+(?P<number>[1-9][0-9]?)
    | row\s+(?P<digits>[1-9][0-9]?),?\s+(?:and\s+|of\s+|in\s+)?column\s+["'“]?(?P<small>[A-Z])["'”]? )\b""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_FINAL = re.compile(
    r"\b(?:answer|choice|pick)(?:\s+(?:is|would\s+be)|\s*:)(?:\s+(?:the\s+)?(?:item|one|cell)(?:\s+(?:in|at))?)?\W{0,6}$",
    re.IGNORECASE,
)
# "not C2", "it isn't C2", "C2 is not it" name a single cell, but are no answer.
_NO_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|except|unlike|excluding|(?:all|anything|any)\s+but)|n['’]t|\b(?:other|rather)\s+than)"
    r"(?:[ \t]+[\w']+){0,4}?\W*$",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(r"\W*(?:\s*(?:is|was|does|can|could)(?:n['’]t|\s*not)\b)", re.IGNORECASE)


def parse_cell_reply(text: str, shelf: Shelf) -> str:
    """Read strictly: a cell and nothing else."""
    found = _ONLY.fullmatch(text)
    if not found:
        raise Illegal("answer with one cell, column letter and row number, and nothing else")
    return _check_cell(found[1], shelf)


def find_cell_in_reply(text: str, shelf: Shelf) -> str:
    """Read tolerantly: one cell anywhere in the reply, repeated or not, and no other; if a phrase such as
    "the answer is" comes before a cell, only what follows counts."""
    found = cells_in_reply(text)
    if not found:
        raise Illegal("name one cell by its column letter and row number")
    final = [place for place, (start, _, _) in enumerate(found) if _FINAL.search(text[:start])]
    if final:
        found = found[final[0] :]
    if len({cell for _, _, cell in found}) > 1 or any(
        _is_denied(text, start, end) for start, end, _ in found
    ):
        raise Illegal("it is not clear which cell you mean: name only one")
    return _check_cell(found[0][2], shelf)


def cells_in_reply(text: str) -> list[tuple[int, int, str]]:
    """Find all cells that a text names, as start, end and cell, in order."""
    found = [
        (
            match.start(),
            match.end(),
            f"{(match['letter'] or match['small']).upper()}{match['number'] or match['digits']}",
        )
        for pattern in (_NAMED, _SPELT)
        for match in pattern.finditer(text)
    ]
    return sorted(found)


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_NO_BEFORE.search(text[max(0, start - 60) : start]) or _NO_AFTER.match(text, end))


def _check_cell(cell: str, shelf: Shelf) -> str:
    if cell not in shelf:
        columns = f"A to {shelf.cells[-1][0]}"
        raise Illegal(f"there is no cell {cell}: columns are {columns}, rows 1 to {shelf.rows}")
    return cell
