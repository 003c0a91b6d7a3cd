"""A clause that is being read: what was named so far, and what is still open."""

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
    """Where things are, said before they are named."""
    open: list[Target] = field(default_factory=list)
    """Targets whose colour may still come."""
    colour: str | None = None
    order: str | None = None
    """Whether colours come before or after what they are said of, once that is clear."""
    fresh: bool = False
    """Whether the last phrase was a target."""
    coloured: bool = False
    """Whether a colour was said since the last target."""
    separated: bool = False
    """Whether a comma or "and" came since the last target."""
    excepting: bool = False
    verb: str | None = None
    alternate: bool = False
    lining: bool = False
    """Whether a line is made by painting what follows."""

    @property
    def last(self) -> Target | None:
        return self.targets[-1] if self.targets else None

    @property
    def at_hand(self) -> Target | None:
        """The target that was just named."""
        return self.last if self.fresh else None

    def said(self, at: int, *words: str) -> bool:
        """Whether one of these words stands there."""
        return 0 <= at < len(self.chunks) and is_word(self.chunks[at], *words)

    def past(self, at: int, *words: str) -> int:
        """The first place from here that has none of these words."""
        while self.said(at, *words):
            at += 1
        return at

    def put(self, name: str, value: object) -> None:
        """Says more of the target just named, or else of the next."""
        setattr(self.at_hand or self.lead, name, value)

    def close(self, colour: str) -> None:
        """Gives the open targets their colour."""
        for target in self.open:
            target.colour, target.firm = colour, True
        self.open = []

    def settle(self) -> None:
        """Gives what is still without colour the last one said."""
        if self.open and self.colour:
            self.close(self.colour)

    def drop(self) -> Target:
        """Takes back the last target."""
        dropped = self.targets.pop()
        self.open = [target for target in self.open if target is not dropped]
        return dropped

    def target_ahead(self, at: int) -> bool:
        """Whether something to paint is named before the next verb or colour."""
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, Colour | Sequence):
                return False
            if isinstance(chunk, Verb) and chunk.name not in ("paint", "make", "add"):
                return False
            if isinstance(chunk, Tiles | Shape | Corner | Columns):
                return True
        return False

    def tiles_ahead(self, at: int) -> bool:
        """Whether tiles are named after these columns, before other columns are or a new deed begins."""
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
    """Whether it is "red tiles", and no more."""
    return (
        bool(chunk.colours) and chunk.plural and not chunk.count and chunk.axis is None and not chunk.definite
    )
