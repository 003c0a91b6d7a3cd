"""Reads the phrases of a clause from left to right and returns their targets."""

from __future__ import annotations

from itertools import pairwise

from groundling.games.hexagons.players.parser.chunks import (
    Chunk,
    Colour,
    Columns,
    Corner,
    Heading,
    Middle,
    Pronoun,
    Relation,
    Rows,
    Sequence,
    Shape,
    Step,
    Tiles,
    Verb,
    Word,
)
from groundling.games.hexagons.players.parser.clauses.verbs import Verbs
from groundling.games.hexagons.players.parser.target import Target


class Builder(Verbs):
    def build(self) -> list[Target]:
        at = 0
        while at < len(self.chunks):
            at = self._take(self.chunks[at], at)
        self._finish()
        return self.targets

    def _take(self, chunk: Chunk, at: int) -> int:
        match chunk:
            case Word():
                return self.on_word(chunk.text, at)
            case Verb():
                return self.on_verb(chunk.name, at)
            case Relation():
                return self.on_relation(chunk, at)
            case Columns():
                return self.on_columns(chunk, at)
            case Rows():
                return self.on_rows(chunk, at)
            case Tiles() | Shape() | Corner() | Pronoun():
                return self.on_noun(chunk, at)
            case Colour():
                self.on_colour(chunk, at)
            case Sequence():
                self.on_sequence(chunk)
            case Heading():
                self.on_heading(chunk.name)
            case Middle():
                self.put("middle", chunk.colour)
            case Step() if self.last:
                self.last.steps = chunk.numbers
        return at + 1

    def _finish(self) -> None:
        self.settle()
        for one, other in pairwise(self.targets):
            if (
                one.heading
                and one.generic
                and not one.start
                and not one.located
                and other.start
                and other.heading
            ):
                one.start = other.start
        for target in self.targets:
            if (
                target.start is not None
                and target.relation is not None
                and target.of is not None
                and target.of.pronoun
            ):
                target.of, target.start = target.start, None
            target.alternate = target.alternate or (self.alternate and bool(target.sequence))
        if self.targets:
            if self.lead.middle and self.targets[-1].shape:
                self.targets[-1].middle = self.lead.middle
        elif (implied := self._implied()) is not None:
            self.targets.append(implied)

    def _implied(self) -> Target | None:
        """Return the target of a clause that states only a place and colours."""
        lead = self.lead
        if lead.sequence and (lead.columns or lead.rows):
            return Target(
                columns=lead.columns,
                rows=lead.rows,
                sequence=lead.sequence,
                alternate=True,
                firm=True,
                colour=self.colour,
            )
        if lead.middle:
            self.colour = lead.middle
            return Target(relation="inside", colour=lead.middle, firm=True)
        if self.verb in ("continue", "extend") and lead.heading is not None:
            count = sum(count for count, _ in lead.sequence) or None
            return Target(
                heading=lead.heading,
                until=lead.until or "edge",
                end=lead.end,
                colour=self.colour,
                tiles=Tiles(plural=True, count=count),
                sequence=lead.sequence,
                alternate=self.alternate,
            )
        if (lead.relation or lead.start) and (self.colour or lead.sequence):
            return Target(
                columns=lead.columns if lead.relation in ("above", "below") else None,
                relation=lead.relation,
                of=lead.of,
                start=lead.start,
                heading=lead.heading,
                end=lead.end,
                colour=self.colour,
                sequence=lead.sequence,
                until=lead.until,
            )
        return None
