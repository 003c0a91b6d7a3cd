"""Reads the phrases of a clause from left to right and returns their targets."""

from __future__ import annotations

from itertools import pairwise

from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    HeadingPhrase,
    MiddlePhrase,
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
from groundling.games.hexagons.players.parser.clauses.verbs import VerbClause
from groundling.games.hexagons.players.parser.target import Target


class ClauseBuilder(VerbClause):
    def build_targets(self) -> list[Target]:
        at = 0
        while at < len(self.chunks):
            at = self._take_phrase(self.chunks[at], at)
        self._finish_targets()
        return self.targets

    def _take_phrase(self, chunk: Phrase, at: int) -> int:
        match chunk:
            case WordPhrase():
                return self.on_word(chunk.text, at)
            case VerbPhrase():
                return self.on_verb(chunk.name, at)
            case RelationPhrase():
                return self.on_relation(chunk, at)
            case ColumnsPhrase():
                return self.on_columns(chunk, at)
            case RowsPhrase():
                return self.on_rows(chunk, at)
            case TilesPhrase() | ShapePhrase() | CornerPhrase() | PronounPhrase():
                return self.on_noun(chunk, at)
            case ColourPhrase():
                self.on_colour(chunk, at)
            case ColourSequencePhrase():
                self.on_sequence(chunk)
            case HeadingPhrase():
                self.on_heading(chunk.name)
            case MiddlePhrase():
                self.set_target_field("middle", chunk.colour)
            case StepPhrase() if self.last_target:
                self.last_target.steps = chunk.numbers
        return at + 1

    def _finish_targets(self) -> None:
        self.settle_colours()
        for one, other in pairwise(self.targets):
            if (
                one.heading
                and one.is_generic
                and not one.start
                and not one.is_located
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
        elif (implied := self._implied_target()) is not None:
            self.targets.append(implied)

    def _implied_target(self) -> Target | None:
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
                tiles=TilesPhrase(plural=True, count=count),
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
