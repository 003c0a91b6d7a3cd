"""The state of a clause while it is read: its targets so far, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence as Many

from msgspec import Struct, field

from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    Phrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
)
from groundling.games.hexagons.players.parser.target import Target, is_word


class Clause(Struct):
    chunks: Many[Phrase]
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
    def last_target(self) -> Target | None:
        return self.targets[-1] if self.targets else None

    @property
    def current_target(self) -> Target | None:
        """The target that was just named."""
        return self.last_target if self.fresh else None

    def has_word_at(self, at: int, *words: str) -> bool:
        """Whether one of these words is at that position."""
        return 0 <= at < len(self.chunks) and is_word(self.chunks[at], *words)

    def skip_words(self, at: int, *words: str) -> int:
        """Return the first position from here that has none of these words."""
        while self.has_word_at(at, *words):
            at += 1
        return at

    def set_target_field(self, name: str, value: object) -> None:
        """Set a field of the target just named, or of the next one."""
        setattr(self.current_target or self.lead, name, value)

    def colour_open_targets(self, colour: str) -> None:
        """Set the colour of the open targets."""
        for target in self.open:
            target.colour, target.firm = colour, True
        self.open = []

    def settle_colours(self) -> None:
        """Give targets without a colour the last colour stated."""
        if self.open and self.colour:
            self.colour_open_targets(self.colour)

    def drop_last_target(self) -> Target:
        """Remove the last target."""
        dropped = self.targets.pop()
        self.open = [target for target in self.open if target is not dropped]
        return dropped

    def target_ahead(self, at: int) -> bool:
        """Whether a target follows before the next verb or colour."""
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, ColourPhrase | ColourSequencePhrase):
                return False
            if isinstance(chunk, VerbPhrase) and chunk.name not in ("paint", "make", "add"):
                return False
            if isinstance(chunk, TilesPhrase | ShapePhrase | CornerPhrase | ColumnsPhrase):
                return True
        return False

    def tiles_ahead(self, at: int) -> bool:
        """Whether tiles follow before other columns or a new deed."""
        coloured = False
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, ColumnsPhrase) or is_word(chunk, "except"):
                return False
            if isinstance(chunk, VerbPhrase) and (
                coloured or chunk.name in ("start", "end", "skip", "leave")
            ):
                return False
            coloured = coloured or isinstance(chunk, ColourPhrase)
            if isinstance(chunk, TilesPhrase) and only_colours(chunk):
                continue
            if isinstance(chunk, TilesPhrase | RelationPhrase | ShapePhrase | RowsPhrase):
                return True
        return False


def only_colours(chunk: TilesPhrase) -> bool:
    """Whether the phrase is just "red tiles"."""
    return (
        bool(chunk.colours) and chunk.plural and not chunk.count and chunk.axis is None and not chunk.definite
    )
