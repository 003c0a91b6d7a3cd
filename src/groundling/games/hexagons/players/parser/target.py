"""Targets: what an instruction refers to, as phrases that `resolve_target` turns into tiles."""

from __future__ import annotations

from collections.abc import Sequence as Many

from msgspec import Struct, field

from groundling.games.hexagons.players.parser.chunks import (
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
    until: str | None = None
    """edge, or the colour to stop at."""
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


def is_word(chunk: Phrase | None, *words: str) -> bool:
    return isinstance(chunk, WordPhrase) and chunk.text in words


_SKIPPED = (
    *(
        "the",
        "of",
        "all",
        "each",
        "both",
        "a",
        "an",
        "any",
        "located",
        "only",
        "other",
        "just",
        "exact",
        "very",
        "same",
    ),
    *("outer", "outermost", "parts", "part", "portion", "edge", "edges", "outside"),
)
"""Words at the start of a noun phrase."""
_LINKS = (
    *(
        "in",
        "of",
        "on",
        "at",
        "from",
        "for",
        "into",
        "along",
        "within",
        "inside",
        "is",
        "are",
        "was",
        "were",
        "the",
        "that",
    ),
    *(
        "which",
        "you",
        "we",
        "have",
        "just",
        "already",
        "painted",
        "filled",
        "made",
        "created",
        "drawn",
        "mentioned",
        "tile",
    ),
    *("located", "situated", "found", "positioned", ",", "and"),
)
"""Words between a noun and its attributes."""


def read_noun(chunks: Many[Phrase], at: int) -> tuple[Target, int] | None:
    """Return the noun phrase that begins here, and the position after it."""
    while at < len(chunks) and is_word(chunks[at], *_SKIPPED):
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
    elif isinstance(chunk, ColourPhrase) and at and is_word(chunks[at - 1], "the", "each", "every", "all"):
        made.tiles = TilesPhrase(colours=(chunk.name,), definite=True, all=True, plural=True)
    else:
        return None
    return attach_phrases(made, chunks, at + 1)


def attach_phrases(made: Target, chunks: Many[Phrase], at: int) -> tuple[Target, int]:
    """Add the attributes after a noun phrase: the column of a tile, the step of a shape."""
    while True:
        here = at
        while here < len(chunks) and is_word(chunks[here], *_LINKS):
            here += 1
        words = [chunk.text for chunk in chunks[at:here] if isinstance(chunk, WordPhrase)]
        if "just" in words and not made.steps and made.tiles is not None and made.tiles.colours:
            made.steps = (0,)
        parted = "," in words or "and" in words
        if here >= len(chunks):
            return made, at
        chunk = chunks[here]
        if isinstance(chunk, RelationPhrase) and not parted and _can_relate(made, chunk):
            inner = read_noun(chunks, here + 1)
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
        and (_is_anywhere(tiles) or (tiles is None) != (made.columns is None))
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


def _is_anywhere(tiles: TilesPhrase | None) -> bool:
    """Whether these are tiles without a position in their column."""
    return tiles is not None and tiles.axis is None


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


def _tiles_follow(chunks: Many[Phrase], at: int) -> bool:
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
