"""Tables as values, and the runs that a pack makes the tables of its paper from (`groundling score --as`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame

if TYPE_CHECKING:
    from groundling.core.pack import Scores


class Column(Struct, frozen=True):
    """A right-aligned column."""

    name: str
    joined: bool = False
    """It stands beside the column on its left, in the same block."""


class TableRow(Struct, frozen=True):
    keys: tuple[str, ...]
    cells: tuple[str, ...]
    """The first cells; the others are empty."""


class TextTable(Struct, frozen=True):
    title: str
    keys: tuple[str, ...]
    """Headers of the left-aligned columns that name a row. They are repeated in every block; where they leave
    too little room, all but the last become headings above groups of rows."""
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()


class ScoredRun(Struct, frozen=True):
    """A run with the scores of its episodes."""

    name: str
    game: AnyGame
    episodes: Sequence[tuple[Transcript, Scores]]
    """Those that were played or aborted."""


PaperTables: TypeAlias = Callable[[Sequence[ScoredRun]], Sequence[TextTable]]
"""Makes the tables of a publication with runs as further rows, or raises Problem if these do not fit."""
