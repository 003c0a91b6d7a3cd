"""Reads columns, rows, relations and directions, which precede or follow their target."""

from __future__ import annotations

from groundling.games.hexagons.players.parser.chunks import (
    AxisSelection,
    ColumnsPhrase,
    CornerPhrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
    WordPhrase,
)
from groundling.games.hexagons.players.parser.clauses.colours import ColourClause
from groundling.games.hexagons.players.parser.target import Target, read_noun

_PLACES = (TilesPhrase, ColumnsPhrase, RowsPhrase, CornerPhrase, ShapePhrase)


class PlaceClause(ColourClause):
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
            if last.excepted and last.excepted[-1].tiles and not last.excepted[-1].columns:
                last.excepted[-1].columns = chunk
            else:
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
        found = read_noun(self.chunks, at + 1)
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
            and (other := read_noun(self.chunks, after + 1))
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
            target.columns = start_columns_at(target.columns, lead.columns)
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
        target.until = target.until or lead.until
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


def start_columns_at(every: ColumnsPhrase, first: ColumnsPhrase) -> ColumnsPhrase:
    """Return every n-th column, starting at the column named before."""
    if every.axis is None or first.axis is None or len(first.axis.picks) != 1:
        return every
    (kind, stride, known), (how, number, _) = every.axis.picks[0], first.axis.picks[0]
    if kind != "every" or known or how != "at":
        return every
    return ColumnsPhrase(AxisSelection((("every", stride, number),), first.axis.side))
