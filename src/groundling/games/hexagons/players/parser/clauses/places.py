"""Reads columns, rows, relations and directions, which precede or follow their target."""

from __future__ import annotations

from groundling.games.hexagons.players.parser.chunks import (
    Axis,
    Columns,
    Corner,
    Relation,
    Rows,
    Shape,
    Tiles,
    Verb,
    Word,
)
from groundling.games.hexagons.players.parser.clauses.colours import Colours
from groundling.games.hexagons.players.parser.target import Target, noun

_PLACES = (Tiles, Columns, Rows, Corner, Shape)


class Places(Colours):
    def on_columns(self, chunk: Columns, at: int) -> int:
        last, here, ahead = self.last, self.at_hand, self.tiles_ahead(at)
        loose = [
            target
            for target in self.targets
            if not target.located
            and target.corner is None
            and (target.tiles or target.shape)
            and not target.start
        ]
        if self.excepting and last:
            if last.excepted and last.excepted[-1].tiles and not last.excepted[-1].columns:
                last.excepted[-1].columns = chunk
            else:
                last.excepted.append(Target(columns=chunk))
        elif here and not here.columns and self._completes(here, ahead):
            here.columns = chunk
        elif (
            here
            and not self.coloured
            and not here.located
            and here.corner is None
            and not (self.separated and ahead)
        ):
            self._locate(here, chunk)
        elif self.coloured and loose and (not ahead or not self.separated) and not self.lead.located:
            for target in loose:
                target.columns = chunk
        elif last and last.columns and not ahead and (self.separated or self.coloured) and last.tiles:
            self.add(Target(tiles=last.tiles, shape=last.shape, columns=chunk))
        elif ahead or not self._whole(at):
            start = self.lead.start if self.lead.start and not self.lead.start.columns else None
            self.lead = Target(columns=chunk, side=self.lead.side, start=start, sequence=self.lead.sequence)
            self.fresh = False
        else:
            self.add(Target(columns=chunk))
        return at + 1

    def _completes(self, here: Target, ahead: bool) -> bool:
        """Whether columns only restrict the target just named."""
        if here.relation in ("above", "below"):
            return not ahead
        return here.rows is not None and not (self.coloured and ahead)

    def _locate(self, here: Target, chunk: Columns) -> None:
        """Set the columns of the target just named and of those listed with it."""
        for target in reversed(self.targets):
            if target.located or (target is not here and target.firm):
                break
            target.columns = chunk

    def _whole(self, at: int) -> bool:
        """Whether whole columns are to be painted, as opposed to a place in them."""
        before = at - 1
        while self.said(before, "the", "all", "of", "entire", "whole", "out"):
            before -= 1
        if self.verb is not None or not self.said(
            before, "in", "on", "for", "to", "at", "into", "with", "from"
        ):
            return True
        following = [chunk for chunk in self.chunks[at + 1 :] if not isinstance(chunk, Word)]
        return not following or (
            isinstance(following[0], Verb) and not any(isinstance(chunk, _PLACES) for chunk in following)
        )

    def on_rows(self, chunk: Rows, at: int) -> int:
        here = self.at_hand
        if here and (not here.located or (here.columns and not here.tiles)):
            here.rows = chunk
        elif self.lead.columns:
            self.add(Target(columns=self.lead.columns, rows=chunk))
        elif any(isinstance(ahead, Tiles) for ahead in self.chunks[at + 1 :]):
            self.lead = Target(rows=chunk)
            self.fresh = False
        else:
            self.add(Target(rows=chunk))
        return at + 1

    def on_relation(self, chunk: Relation, at: int) -> int:
        found = noun(self.chunks, at + 1)
        of, after = found or (None, at + 1)
        second = self.chunks[at + 2] if at + 2 < len(self.chunks) else None
        if of is None and self.at_hand and self.said(at + 1, "and") and isinstance(second, Relation):
            self.at_hand.besides.append(chunk.name)
            return at + 2
        begins = self.verb is None and not self.targets and not self.lead.located
        if (
            chunk.name == "around"
            and chunk.other
            and begins
            and of
            and (at == 0 or isinstance(self.chunks[at - 1], Word))
        ):
            self.verb = "surrounding"
            self.add(Target(tiles=Tiles(all=True, plural=True), relation="around", of=of))
            return after
        both: Target | None = None
        if (
            chunk.name == "between"
            and of
            and self.said(after, "and", "to")
            and (other := noun(self.chunks, after + 1))
        ):
            both, after = other
        here = self.at_hand
        if here and here.relation is None:
            here.relation, here.of, here.both = chunk.name, of, both
            here.its = chunk.other and of is None and chunk.name != "around"
        else:
            self.lead.relation, self.lead.of, self.lead.both = chunk.name, of, both
            self.fresh = False
        return after

    def on_heading(self, name: str) -> None:
        here = self.at_hand
        if here and here.heading is None:
            here.heading = name
        elif here and here.generic and name != here.heading:
            here.turns.append(name)
        else:
            self.lead.heading = name

    def add(self, target: Target) -> None:
        """Add a target with the places and colours that preceded it."""
        self._place(target)
        self._colour(target)
        self.targets.append(target)
        self.fresh, self.coloured, self.separated = True, False, False

    def _place(self, target: Target) -> None:
        lead, tiles = self.lead, target.tiles
        if target.columns is not None and tiles is not None and not lead.located:
            for other in reversed(self.targets):
                if (
                    other.located
                    or other.firm
                    or other.tiles is None
                    or other.tiles.axis is None
                    or other.corner
                ):
                    break
                other.columns = target.columns
        if not target.located and target.corner is None:
            target.columns, target.rows = lead.columns, lead.rows
            if target.generic or (tiles and tiles.order):
                target.relation, target.of, target.both = lead.relation, lead.of, lead.both
        if lead.columns and target.columns:
            target.columns = starting(target.columns, lead.columns)
            every = target.columns.axis is not None and target.columns.axis.picks[0][0] == "all"
            several = bool(lead.columns.more) or (
                lead.columns.axis is not None and len(lead.columns.axis.picks) > 1
            )
            if (every and several) or target.columns.relative == "same":
                target.columns = lead.columns
        target.middle = target.middle or lead.middle
        strides = tiles is not None and tiles.axis is not None and tiles.axis.picks[0][0] == "every"
        if target.generic or strides:
            target.heading = target.heading or lead.heading
        if lead.start and not target.start:
            target.start, target.end = lead.start, lead.end
            lead.start = None
        target.until = target.until or lead.until
        target.side = target.side or lead.side

    def _colour(self, target: Target) -> None:
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


def starting(every: Columns, first: Columns) -> Columns:
    """Return every n-th column, starting at the column named before."""
    if every.axis is None or first.axis is None or len(first.axis.picks) != 1:
        return every
    (kind, stride, known), (how, number, _) = every.axis.picks[0], first.axis.picks[0]
    if kind != "every" or known or how != "at":
        return every
    return Columns(Axis((("every", stride, number),), first.axis.side))
