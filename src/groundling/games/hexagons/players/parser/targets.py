"""Targets: what an instruction refers to, as read from noun phrases and collected by a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field, structs

from groundling.games.hexagons.players.parser.phrases import (
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    HeadingPhrase,
    Phrase,
    PronounPhrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
    UnreadableInstruction,
    VerbPhrase,
    WordPhrase,
)


class Target(Struct):
    tiles: TilesPhrase | None = None
    shape: ShapePhrase | None = None
    columns: ColumnsPhrase | None = None
    rows: RowsPhrase | None = None
    corner: CornerPhrase | None = None
    pronoun: str | None = None
    relation: str | None = None
    of: Target | None = None
    """What the relation starts from; the focus, if not stated."""
    both: Target | None = None
    """The second thing of "between the one and the other"."""
    steps: tuple[int, ...] = ()
    start: Target | None = None
    end: Target | None = None
    heading: str | None = None
    side: str | None = None
    """top or bottom: where tiles of a column are counted from, if stated separately."""
    excepted: list[Target] = field(default_factory=list)
    colour: str | None = None
    firm: bool = False
    """Whether the colour was stated for this target."""
    sequence: tuple[tuple[int, str], ...] = ()
    alternate: bool = False
    middle: str | None = None
    """The colour inside a shape."""
    also: list[Target] = field(default_factory=list)
    """Further targets of the same kind."""
    total: int | None = None
    """The total number of tiles."""
    besides: list[str] = field(default_factory=list)
    """Further relations to the same thing."""
    its: bool = False
    """Whether the relation has the same reference as an earlier one of the sentence."""
    turns: list[str] = field(default_factory=list)
    """Further headings."""

    @property
    def is_generic(self) -> bool:
        """Whether it states at most a number of tiles, but no position."""
        return self.shape is not None or (self.tiles is not None and self.tiles.axis is None)

    @property
    def is_located(self) -> bool:
        return self.columns is not None or self.relation is not None or self.rows is not None

    @property
    def can_be_surrounded(self) -> bool:
        tiles = self.tiles
        return self.shape is not None or (
            tiles is not None and (bool(tiles.colours) or tiles.axis is not None or tiles.definite)
        )

    def can_merge(self, following: Target) -> bool:
        """Whether the following phrase only states which tile this one is."""
        old, new = self.tiles, following.tiles
        if (
            old is None
            or new is None
            or old.axis is not None
            or new.axis is None
            or self.relation is not None
        ):
            return False
        one = (
            (old.definite and not old.count and not old.colours)
            or old.count == 1
            or (old.each and not old.colours)
        )
        return one and not old.plural and not old.next and old.order is None


def is_target_word(chunk: Phrase | None, *words: str) -> bool:
    return isinstance(chunk, WordPhrase) and chunk.text in words


_SKIPPED = re.findall(
    r"\S+",
    "the of all each both a an any located only other just exact very same outer outermost parts part "
    "portion edge edges outside",
)
"""Words at the start of a noun phrase."""
_LINKS = re.findall(
    r"\S+",
    "in of on at from for into along within inside is are was were the that which you we have just already "
    "painted filled made created drawn mentioned tile located situated found positioned , and",
)
"""Words between a noun and its attributes."""
_DEEPEST = 20
"""How many relations may be nested: "the tile above the tile above the red tile"."""


def read_target_noun(chunks: Sequence[Phrase], at: int, depth: int = 0) -> tuple[Target, int] | None:
    """Return the noun phrase that begins here, and the position after it."""
    if depth > _DEEPEST:
        raise UnreadableInstruction(f"more than {_DEEPEST} nested relations")
    while at < len(chunks) and is_target_word(chunks[at], *_SKIPPED):
        at += 1
    if at >= len(chunks):
        return None
    chunk = chunks[at]
    made = Target()
    if isinstance(chunk, PronounPhrase):
        made.pronoun = chunk.word
    elif isinstance(chunk, TilesPhrase):
        made.tiles = chunk
    elif isinstance(chunk, ColumnsPhrase):
        made.columns = chunk
    elif isinstance(chunk, RowsPhrase):
        made.rows = chunk
    elif isinstance(chunk, CornerPhrase):
        made.corner = chunk
    elif isinstance(chunk, ShapePhrase):
        made.shape = chunk
    elif (
        isinstance(chunk, ColourPhrase)
        and at
        and is_target_word(chunks[at - 1], "the", "each", "every", "all")
    ):
        made.tiles = TilesPhrase(colours=(chunk.name,), definite=True, all=True, plural=True)
    else:
        return None
    return attach_target_phrases(made, chunks, at + 1, depth)


def attach_target_phrases(
    made: Target, chunks: Sequence[Phrase], at: int, depth: int = 0
) -> tuple[Target, int]:
    """Add the attributes after a noun phrase: the column of a tile, the step of a shape."""
    while True:
        here = at
        while here < len(chunks) and is_target_word(chunks[here], *_LINKS):
            here += 1
        words = [chunk.text for chunk in chunks[at:here] if isinstance(chunk, WordPhrase)]
        if "just" in words and not made.steps and made.tiles is not None and made.tiles.colours:
            made.steps = (0,)
        parted = "," in words or "and" in words
        if here >= len(chunks):
            return made, at
        chunk = chunks[here]
        if isinstance(chunk, RelationPhrase) and not parted and _can_relate(made, chunk):
            inner = read_target_noun(chunks, here + 1, depth + 1)
            if inner is None:
                return made, at
            made.relation = chunk.name
            made.of, at = inner
        elif _takes_phrase(made, chunk, parted, tiles_ahead=_tiles_follow(chunks, here + 1)):
            at = here + 1
        else:
            return made, at


def _takes_phrase(made: Target, chunk: Phrase, parted: bool, *, tiles_ahead: bool) -> bool:
    """Whether a phrase belongs to the noun phrase before it; if so, add it."""
    tiles = made.tiles
    if isinstance(chunk, StepPhrase) and not made.steps and not parted:
        made.steps = chunk.numbers
    elif isinstance(chunk, ColumnsPhrase) and made.columns is None:
        free = tiles is not None and not tiles.next and not (parted and tiles_ahead)
        if not free and not (made.shape is not None and not parted) and made.rows is None:
            return False
        made.columns = chunk
    elif (
        isinstance(chunk, RowsPhrase)
        and made.rows is None
        and ((tiles is not None and tiles.axis is None) or (tiles is None) != (made.columns is None))
    ):
        made.rows = chunk
    elif (
        isinstance(chunk, CornerPhrase)
        and tiles is not None
        and tiles.axis is None
        and not made.is_located
        and not parted
    ):
        made.corner, made.tiles = chunk, None
    elif (
        isinstance(chunk, TilesPhrase)
        and made.columns is not None
        and chunk.axis is not None
        and _is_bare_tile(tiles)
    ):
        made.tiles = chunk
    else:
        return False
    return True


def _can_relate(made: Target, chunk: RelationPhrase) -> bool:
    tiles = made.tiles
    if tiles is None or tiles.axis is not None or tiles.colours or made.is_located:
        return False
    return chunk.name != "between"


def _is_bare_tile(tiles: TilesPhrase | None) -> bool:
    """Whether the phrase is only "the tile", or absent."""
    if tiles is None:
        return True
    return (
        tiles.axis is None
        and tiles.definite
        and not (tiles.plural or tiles.count or tiles.colours or tiles.order)
    )


def _tiles_follow(chunks: Sequence[Phrase], at: int) -> bool:
    """Whether a tile phrase follows before any colour, verb or column."""
    for chunk in chunks[at:]:
        if isinstance(chunk, TilesPhrase):
            return True
        if isinstance(
            chunk,
            ColourPhrase | ColourSequencePhrase | VerbPhrase | ColumnsPhrase | ShapePhrase | HeadingPhrase,
        ):
            return False
    return False


class TargetClause(Struct):
    """The state of a clause while it is read: its targets so far with their colours, and what is open."""

    chunks: Sequence[Phrase]
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
        return 0 <= at < len(self.chunks) and is_target_word(self.chunks[at], *words)

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
        """Whether tiles follow before other columns or a new action."""
        coloured = False
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, ColumnsPhrase) or is_target_word(chunk, "except"):
                return False
            if isinstance(chunk, VerbPhrase) and (
                coloured or chunk.name in ("start", "end", "skip", "leave")
            ):
                return False
            coloured = coloured or isinstance(chunk, ColourPhrase)
            if isinstance(chunk, TilesPhrase) and is_colour_target(chunk):
                continue
            if isinstance(chunk, TilesPhrase | RelationPhrase | ShapePhrase | RowsPhrase):
                return True
        return False

    def on_colour(self, chunk: ColourPhrase, at: int) -> None:
        last = self.last_target
        if self.excepting and last is not None and last.excepted:
            self._colour_exception(chunk, at, last)
            return
        if self.open and (self.order != "before" or not self.target_ahead(at)):
            self.colour_open_targets(chunk.name)
            self.order = self.order or "after"
        elif not self.targets or self.order == "before" or self.target_ahead(at):
            self.order = "before"
        self.colour = chunk.name
        self.coloured = True

    def _colour_exception(self, chunk: ColourPhrase, at: int, last: Target) -> None:
        """Read "except the first, which is red", its colour, or "except those already red", its choice."""
        other = last.excepted[-1]
        if any(self.has_word_at(before, "which", "should") for before in range(at - 5, at)):
            self.excepting = False
            other.columns = other.columns or last.columns
            other.tiles = other.tiles or last.tiles
            other.colour, other.firm = chunk.name, True
            self.targets.append(other)
        elif self.open:
            self.colour_open_targets(chunk.name)
            self.excepting = False
        elif other.tiles is not None:
            other.tiles = structs.replace(
                other.tiles, colours=(chunk.name,), definite=True, plural=True, count=None
            )

    def on_sequence(self, chunk: ColourSequencePhrase) -> None:
        names = [name for _, name in chunk.runs]
        into = self.open or (self.targets[-1:] if self.fresh else [])
        if not into:
            self.lead.sequence, self.lead.alternate = chunk.runs, self.alternate
            self.colour, self.order = names[0], "before"
            return
        for target in into:
            target.sequence, target.firm, target.alternate = chunk.runs, True, self.alternate
        self.open = []
        self.colour = names[-1]
        self.coloured = True


def is_colour_target(chunk: TilesPhrase) -> bool:
    """Whether the phrase is just "red tiles"."""
    return (
        bool(chunk.colours) and chunk.plural and not chunk.count and chunk.axis is None and not chunk.definite
    )
