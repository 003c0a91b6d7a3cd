"""The state of a clause while it is read: its targets so far, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence as Many

from msgspec import Struct, field

from groundling.games.hexagons.players.parser.chunks import (
    Chunk,
    Colour,
    Columns,
    Corner,
    Relation,
    Rows,
    Sequence,
    Shape,
    Tiles,
    Verb,
)
from groundling.games.hexagons.players.parser.target import Target, is_word


class Clause(Struct):
    chunks: Many[Chunk]
    targets: list[Target] = field(default_factory=list)
    lead: Target = field(default_factory=Target)
    """Places and headings that were stated before their target."""
    open: list[Target] = field(default_factory=list)
    """Targets whose colour may still follow."""
    colour: str | None = None
    order: str | None = None
    """Whether colours precede or follow their targets, once known."""
    fresh: bool = False
    """Whether the last phrase was a target."""
    coloured: bool = False
    """Whether a colour followed the last target."""
    separated: bool = False
    """Whether a comma or "and" followed the last target."""
    excepting: bool = False
    verb: str | None = None
    alternate: bool = False
    lining: bool = False
    """Whether painting the following tiles makes a line."""

    @property
    def last(self) -> Target | None:
        return self.targets[-1] if self.targets else None

    @property
    def at_hand(self) -> Target | None:
        """The target that was just named."""
        return self.last if self.fresh else None

    def said(self, at: int, *words: str) -> bool:
        """Whether one of these words is at that position."""
        return 0 <= at < len(self.chunks) and is_word(self.chunks[at], *words)

    def past(self, at: int, *words: str) -> int:
        """Return the first position from here that has none of these words."""
        while self.said(at, *words):
            at += 1
        return at

    def put(self, name: str, value: object) -> None:
        """Set a field of the target just named, or of the next one."""
        setattr(self.at_hand or self.lead, name, value)

    def close(self, colour: str) -> None:
        """Set the colour of the open targets."""
        for target in self.open:
            target.colour, target.firm = colour, True
        self.open = []

    def settle(self) -> None:
        """Give targets without a colour the last colour stated."""
        if self.open and self.colour:
            self.close(self.colour)

    def drop(self) -> Target:
        """Remove the last target."""
        dropped = self.targets.pop()
        self.open = [target for target in self.open if target is not dropped]
        return dropped

    def target_ahead(self, at: int) -> bool:
        """Whether a target follows before the next verb or colour."""
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, Colour | Sequence):
                return False
            if isinstance(chunk, Verb) and chunk.name not in ("paint", "make", "add"):
                return False
            if isinstance(chunk, Tiles | Shape | Corner | Columns):
                return True
        return False

    def tiles_ahead(self, at: int) -> bool:
        """Whether tiles follow before other columns or a new deed."""
        coloured = False
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, Columns) or is_word(chunk, "except"):
                return False
            if isinstance(chunk, Verb) and (coloured or chunk.name in ("start", "end", "skip", "leave")):
                return False
            coloured = coloured or isinstance(chunk, Colour)
            if isinstance(chunk, Tiles) and only_colours(chunk):
                continue
            if isinstance(chunk, Tiles | Relation | Shape | Rows):
                return True
        return False


def only_colours(chunk: Tiles) -> bool:
    """Whether the phrase is just "red tiles"."""
    return (
        bool(chunk.colours) and chunk.plural and not chunk.count and chunk.axis is None and not chunk.definite
    )
