"""What `groundling codraw` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from .cast import Halves, find
from .printing import component_table, control_table, main_table
from .rows import Company, rows
from .stage import Data, Stage

_SPLITS = {"paper": "The paper's halves", "grouped": "Grouped halves: no scene of one prompt on two sides"}


def companies(
    folders: Sequence[Path], data: Path, part: str, kept: Path | None, limit: int | None, notes: list[str]
) -> Iterator[Company]:
    """One for each way to halve the dialogs that any of the weights were trained by."""
    weights, left_out = find(folders)
    notes += left_out
    dialogs = Data(data)
    for halves in get_args(Halves):
        if any(one.halves == halves for one in weights):
            company = Company(Stage(dialogs, halves, part, kept, limit), weights)
            yield company
            notes += company.notes


def results(folders: Sequence[Path], data: Path, part: str, kept: Path | None, limit: int | None) -> Iterator[str]:
    notes: list[str] = []
    for company in companies(folders, data, part, kept, limit, notes):
        yield f"# {_SPLITS[company.stage.halves]}"
        found = list(rows(company))
        yield from main_table(company, found)
        yield from ("", "## What the similarities are made of")
        yield from component_table(company, found)
        yield from ("", "## Without words")
        yield from control_table(company)
        yield ""
    yield from dict.fromkeys(notes)
