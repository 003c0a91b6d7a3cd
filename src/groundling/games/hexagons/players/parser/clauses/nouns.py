"""Reads tiles, shapes, corners and pronouns, which name a new target or describe the last one."""

from __future__ import annotations

from msgspec import structs

from groundling.games.hexagons.players.parser.chunks import (
    AxisSelection,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    PronounPhrase,
    ShapePhrase,
    TilesPhrase,
)
from groundling.games.hexagons.players.parser.clauses.clause import only_colours
from groundling.games.hexagons.players.parser.clauses.places import PlaceClause
from groundling.games.hexagons.players.parser.target import Target, attach_phrases

_MEASURES = (
    "arms",
    "arm",
    "sides",
    "side",
    "legs",
    "total",
    "height",
    "width",
    "length",
    "thickness",
    "distance",
    "gaps",
)


class NounClause(PlaceClause):
    def on_noun(self, chunk: TilesPhrase | ShapePhrase | CornerPhrase | PronounPhrase, at: int) -> int:
        if isinstance(chunk, PronounPhrase):
            if chunk.word not in ("it", "them", "these", "those") or self.verb is None:
                return at + 1
            made, after = Target(pronoun=chunk.word), at + 1
        elif isinstance(chunk, ShapePhrase):
            made, after = Target(shape=chunk), at + 1
        elif isinstance(chunk, CornerPhrase):
            made, after = attach_phrases(Target(corner=chunk), self.chunks, at + 1)
        else:
            made, after = attach_phrases(Target(tiles=chunk), self.chunks, at + 1)
        if isinstance(chunk, TilesPhrase) and (end := self._about_tiles(chunk, made, at, after)) is not None:
            return end
        if isinstance(chunk, ShapePhrase) and self._no_shape(chunk, at):
            self.alternate = self.alternate or (chunk.name == "pattern" and not chunk.definite)
            return after
        if self.excepting and self.last_target:
            self.last_target.excepted.append(made)
            return after
        if isinstance(chunk, ShapePhrase | TilesPhrase) and self._only_colour(chunk, at):
            self._paint_open(chunk.colours[0])
            return after
        if self.verb == "surrounding" and _can_be_surrounded(made):
            made = Target(tiles=TilesPhrase(all=True, plural=True), relation="around", of=made)
        if (
            isinstance(chunk, TilesPhrase)
            and chunk.colours
            and self.verb is None
            and not self.targets
            and self.has_word_at(at - 1, "for")
        ):
            self.lead.start = made
            return after
        here = self.current_target
        if here and here.tiles and _can_merge(here, made):
            if here.tiles.each and not here.columns and not made.columns:
                here.columns = ColumnsPhrase(AxisSelection((("all", 0, 0),)))
            here.tiles = made.tiles
            here.columns = here.columns or made.columns
            here.rows = here.rows or made.rows
            return after
        if made.pronoun and self.lead.start and not self.lead.sequence:
            made, self.lead.start = self.lead.start, None
        self.add_target(made)
        return after

    def _about_tiles(self, chunk: TilesPhrase, made: Target, at: int, after: int) -> int | None:
        """Return the next position if tiles only state the number, length or colours of the last target."""
        here, last = self.current_target, self.last_target
        if self.alternate and len(chunk.colours) > 1 and not chunk.definite:
            self.on_sequence(ColourSequencePhrase(tuple((1, name) for name in chunk.colours)))
            return after
        in_all = self.has_word_at(at + 1, "in", "of") and self.has_word_at(at + 2, "all", "total")
        every = (
            last is not None
            and last.tiles is not None
            and last.tiles.axis
            and last.tiles.axis.picks[0][0] == "every"
        )
        in_all = in_all or (
            bool(every)
            and (
                self.has_word_at(at - 1, ":")
                or (self.has_word_at(at - 1, "of") and self.has_word_at(at - 2, "total"))
            )
        )
        if (
            chunk.count
            and chunk.axis is None
            and last
            and (in_all or self.has_word_at(at - 1, "are", "have"))
        ):
            last.total = chunk.count
            return at + 1
        if chunk.count and (
            (self.has_word_at(at - 1, "of") and self.has_word_at(at - 2, *_MEASURES))
            or self.has_word_at(at + 1, "away")
        ):
            return at + 1
        if (
            self._is_end(chunk, at)
            and here
            and here.tiles
            and here.tiles.count
            and not here.is_located
            and chunk.axis
        ):
            here.tiles = structs.replace(
                here.tiles, axis=AxisSelection((("first", here.tiles.count, 0),), chunk.axis.side)
            )
            here.columns = made.columns
            return after
        if (
            here
            and not here.shape
            and self.open
            and self.has_word_at(at - 1, "with", "in", "using")
            and only_colours(chunk)
        ):
            self._paint_open(chunk.colours[0])
            return after
        if here is None or here.shape is None:
            return None
        if chunk.count and chunk.axis is None and self.has_word_at(at - 1, "for"):
            here.shape = structs.replace(here.shape, size=chunk.count)
            return after
        long = bool(chunk.count) and self.has_word_at(at + 1, "long", "tall", "in")
        made_of = self.has_word_at(at - 1, "of") or (
            self.has_word_at(at - 1, "in", "with") and bool(chunk.colours) and not chunk.count
        )
        if long or (made_of and chunk.axis is None and not chunk.definite):
            here.shape = structs.replace(
                here.shape, size=chunk.count, colours=here.shape.colours or chunk.colours
            )
            if chunk.colours and not here.firm:
                self._paint_open(chunk.colours[0])
                here.colour, here.firm = chunk.colours[0], True
            return at + 1
        return None

    def _is_end(self, chunk: TilesPhrase, at: int) -> bool:
        """Whether the phrase is "at the bottom of" a column."""
        return (
            chunk.axis is not None
            and chunk.axis.picks == (("first", 1, 0),)
            and self.has_word_at(at - 1, "at", "from", "on")
        )

    def _no_shape(self, chunk: ShapePhrase, at: int) -> bool:
        """Whether the word only states a manner or a total length."""
        if chunk.name in ("pattern", "sequence") and self.has_word_at(
            at - 1, "in", "following", "with", "of", "to", "the", "a"
        ):
            return True
        if (
            chunk.name in ("line", "diagonal")
            and chunk.definite
            and self.has_word_at(at - 1, "along", "on")
            and self.current_target
        ):
            return self.current_target.tiles is not None
        return chunk.name == "line" and (
            self.has_word_at(at - 1, "for", "into") or self.has_word_at(at - 2, "for")
        )

    def _only_colour(self, chunk: ShapePhrase | TilesPhrase, at: int) -> bool:
        """Whether the phrase is "with a red ring" after "surround it"."""
        here = self.current_target
        if not here or here.relation != "around" or not self.open:
            return False
        return (
            bool(chunk.colours)
            and not chunk.definite
            and self.has_word_at(at - 1, "with", "in", "by", "using")
        )

    def _paint_open(self, colour: str) -> None:
        self.colour_open_targets(colour)
        self.colour = colour


def _can_be_surrounded(made: Target) -> bool:
    tiles = made.tiles
    return made.shape is not None or (
        tiles is not None and (bool(tiles.colours) or tiles.axis is not None or tiles.definite)
    )


def _can_merge(last: Target, made: Target) -> bool:
    """Whether the second phrase only states which tile the first one is."""
    old, new = last.tiles, made.tiles
    if old is None or new is None or old.axis is not None or new.axis is None or last.relation is not None:
        return False
    one = (
        (old.definite and not old.count and not old.colours)
        or old.count == 1
        or (old.each and not old.colours)
    )
    return one and not old.plural and not old.next and old.order is None
