"""Reads the phrases of a clause that name a target or say where it is: tiles, shapes, corners, pronouns,
columns, rows, relations and headings, before or after their target."""

from __future__ import annotations

import re

from msgspec import structs

from groundling.games.hexagons.players.parser.phrases import (
    AxisSelection,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    PronounPhrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
    WordPhrase,
)
from groundling.games.hexagons.players.parser.targets import (
    Target,
    TargetClause,
    attach_target_phrases,
    is_colour_target,
    read_target_noun,
)

_PLACES = (TilesPhrase, ColumnsPhrase, RowsPhrase, CornerPhrase, ShapePhrase)
_MEASURES = re.findall(r"\S+", "arms arm sides side legs total height width length thickness distance gaps")


class NounClause(TargetClause):
    def on_columns(self, chunk: ColumnsPhrase, at: int) -> int:
        last, here, ahead = self.last_target, self.current_target, self.tiles_ahead(at)
        loose = [
            target
            for target in self.targets
            if not target.is_located
            and target.corner is None
            and (target.tiles or target.shape)
            and not target.start
        ]
        if self.excepting and last:
            last.excepted.append(Target(columns=chunk))
        elif here and not here.columns and self._completes_target(here, ahead):
            here.columns = chunk
        elif (
            here
            and not self.coloured
            and not here.is_located
            and here.corner is None
            and not (self.separated and ahead)
        ):
            self._locate_targets(here, chunk)
        elif self.coloured and loose and (not ahead or not self.separated) and not self.lead.is_located:
            for target in loose:
                target.columns = chunk
        elif last and last.columns and not ahead and (self.separated or self.coloured) and last.tiles:
            self.add_target(Target(tiles=last.tiles, shape=last.shape, columns=chunk))
        elif ahead or not self._paints_whole_columns(at):
            start = self.lead.start if self.lead.start and not self.lead.start.columns else None
            self.lead = Target(columns=chunk, side=self.lead.side, start=start, sequence=self.lead.sequence)
            self.fresh = False
        else:
            self.add_target(Target(columns=chunk))
        return at + 1

    def _completes_target(self, here: Target, ahead: bool) -> bool:
        """Whether columns only restrict the target just named."""
        if here.relation in ("above", "below"):
            return not ahead
        return here.rows is not None and not (self.coloured and ahead)

    def _locate_targets(self, here: Target, chunk: ColumnsPhrase) -> None:
        """Set the columns of the target just named and of those listed with it."""
        for target in reversed(self.targets):
            if target.is_located or (target is not here and target.firm):
                break
            target.columns = chunk

    def _paints_whole_columns(self, at: int) -> bool:
        """Whether whole columns are to be painted, as opposed to a place in them."""
        before = at - 1
        while self.has_word_at(before, "the", "all", "of", "entire", "whole", "out"):
            before -= 1
        if self.verb is not None or not self.has_word_at(
            before, "in", "on", "for", "to", "at", "into", "with", "from"
        ):
            return True
        following = [chunk for chunk in self.chunks[at + 1 :] if not isinstance(chunk, WordPhrase)]
        return not following or (
            isinstance(following[0], VerbPhrase)
            and not any(isinstance(chunk, _PLACES) for chunk in following)
        )

    def on_rows(self, chunk: RowsPhrase, at: int) -> int:
        here = self.current_target
        if here and (not here.is_located or (here.columns and not here.tiles)):
            here.rows = chunk
        elif self.lead.columns:
            self.add_target(Target(columns=self.lead.columns, rows=chunk))
        elif any(isinstance(ahead, TilesPhrase) for ahead in self.chunks[at + 1 :]):
            self.lead = Target(rows=chunk)
            self.fresh = False
        else:
            self.add_target(Target(rows=chunk))
        return at + 1

    def on_relation(self, chunk: RelationPhrase, at: int) -> int:
        found = read_target_noun(self.chunks, at + 1)
        of, after = found or (None, at + 1)
        second = self.chunks[at + 2] if at + 2 < len(self.chunks) else None
        if (
            of is None
            and self.current_target
            and self.has_word_at(at + 1, "and")
            and isinstance(second, RelationPhrase)
        ):
            self.current_target.besides.append(chunk.name)
            return at + 2
        begins = self.verb is None and not self.targets and not self.lead.is_located
        if (
            chunk.name == "around"
            and chunk.other
            and begins
            and of
            and (at == 0 or isinstance(self.chunks[at - 1], WordPhrase))
        ):
            self.verb = "surrounding"
            self.add_target(Target(tiles=TilesPhrase(all=True, plural=True), relation="around", of=of))
            return after
        both: Target | None = None
        if (
            chunk.name == "between"
            and of
            and self.has_word_at(after, "and", "to")
            and (other := read_target_noun(self.chunks, after + 1))
        ):
            both, after = other
        here = self.current_target
        if here and here.relation is None:
            here.relation, here.of, here.both = chunk.name, of, both
            here.its = chunk.other and of is None and chunk.name != "around"
        else:
            self.lead.relation, self.lead.of, self.lead.both = chunk.name, of, both
            self.fresh = False
        return after

    def on_heading(self, name: str) -> None:
        here = self.current_target
        if here and here.heading is None:
            here.heading = name
        elif here and here.is_generic and name != here.heading:
            here.turns.append(name)
        else:
            self.lead.heading = name

    def add_target(self, target: Target) -> None:
        """Add a target with the places and colours that preceded it."""
        self._place_target(target)
        self._colour_target(target)
        self.targets.append(target)
        self.fresh, self.coloured, self.separated = True, False, False

    def _place_target(self, target: Target) -> None:
        lead, tiles = self.lead, target.tiles
        if target.columns is not None and tiles is not None and not lead.is_located:
            for other in reversed(self.targets):
                if (
                    other.is_located
                    or other.firm
                    or other.tiles is None
                    or other.tiles.axis is None
                    or other.corner
                ):
                    break
                other.columns = target.columns
        if not target.is_located and target.corner is None:
            target.columns, target.rows = lead.columns, lead.rows
            if target.is_generic or (tiles and tiles.order):
                target.relation, target.of, target.both = lead.relation, lead.of, lead.both
        if lead.columns and target.columns:
            target.columns = _start_columns_at(target.columns, lead.columns)
            every = target.columns.axis is not None and target.columns.axis.picks[0][0] == "all"
            several = bool(lead.columns.more) or (
                lead.columns.axis is not None and len(lead.columns.axis.picks) > 1
            )
            if (every and several) or target.columns.relative == "same":
                target.columns = lead.columns
        target.middle = target.middle or lead.middle
        strides = tiles is not None and tiles.axis is not None and tiles.axis.picks[0][0] == "every"
        if target.is_generic or strides:
            target.heading = target.heading or lead.heading
        if lead.start and not target.start:
            target.start, target.end = lead.start, lead.end
            lead.start = None
        target.side = target.side or lead.side

    def _colour_target(self, target: Target) -> None:
        lead, tiles = self.lead, target.tiles
        said = tiles.colours if tiles else target.shape.colours if target.shape else ()
        if lead.sequence:
            target.sequence, target.firm, target.alternate = lead.sequence, True, lead.alternate
            lead.sequence = ()
        elif said and not (tiles and tiles.definite) and "blank" not in said:
            target.colour, target.firm = said[0], True
            self.colour = said[0]
        elif self.order == "before" and self.colour:
            target.colour = self.colour
            kept = [] if self.coloured else [other for other in self.open if not other.colour]
            self.open = [*kept, target]
        else:
            self.open.append(target)

    def on_noun(self, chunk: TilesPhrase | ShapePhrase | CornerPhrase | PronounPhrase, at: int) -> int:
        if isinstance(chunk, PronounPhrase):
            if chunk.word not in ("it", "them", "these", "those") or self.verb is None:
                return at + 1
            made, after = Target(pronoun=chunk.word), at + 1
        elif isinstance(chunk, ShapePhrase):
            made, after = Target(shape=chunk), at + 1
        elif isinstance(chunk, CornerPhrase):
            made, after = attach_target_phrases(Target(corner=chunk), self.chunks, at + 1)
        else:
            made, after = attach_target_phrases(Target(tiles=chunk), self.chunks, at + 1)
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
        if self.verb == "surrounding" and made.can_be_surrounded:
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
        if here and here.tiles and here.can_merge(made):
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
        if chunk.count and chunk.axis is None and last and self._is_total(last, at):
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
            and is_colour_target(chunk)
        ):
            self._paint_open(chunk.colours[0])
            return after
        return self._about_shape(chunk, here, here.shape, at, after) if here and here.shape else None

    def _is_total(self, last: Target, at: int) -> bool:
        """Whether a number of tiles is the total of the last target."""
        if self.has_word_at(at - 1, "are", "have"):
            return True
        if self.has_word_at(at + 1, "in", "of") and self.has_word_at(at + 2, "all", "total"):
            return True
        axis = last.tiles.axis if last.tiles else None
        of_total = self.has_word_at(at - 1, "of") and self.has_word_at(at - 2, "total")
        every = axis is not None and axis.picks[0][0] == "every"
        return every and (of_total or self.has_word_at(at - 1, ":"))

    def _about_shape(
        self, chunk: TilesPhrase, here: Target, shape: ShapePhrase, at: int, after: int
    ) -> int | None:
        """Return the next position if tiles only state the size or the colour of the shape just named."""
        if chunk.count and chunk.axis is None and self.has_word_at(at - 1, "for"):
            here.shape = structs.replace(shape, size=chunk.count)
            return after
        long = bool(chunk.count) and self.has_word_at(at + 1, "long", "tall", "in")
        made_of = self.has_word_at(at - 1, "of") or (
            self.has_word_at(at - 1, "in", "with") and bool(chunk.colours) and not chunk.count
        )
        if long or (made_of and chunk.axis is None and not chunk.definite):
            here.shape = structs.replace(shape, size=chunk.count, colours=shape.colours or chunk.colours)
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


def _start_columns_at(every: ColumnsPhrase, first: ColumnsPhrase) -> ColumnsPhrase:
    """Return every n-th column, starting at the column named before."""
    if every.axis is None or first.axis is None or len(first.axis.picks) != 1:
        return every
    (kind, stride, known), (how, number, _) = every.axis.picks[0], first.axis.picks[0]
    if kind != "every" or known or how != "at":
        return every
    return ColumnsPhrase(AxisSelection((("every", stride, number),), first.axis.side))
