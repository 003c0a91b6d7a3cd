"""Assigns colours to targets, whether stated before or after them."""

from __future__ import annotations

from msgspec import structs

from groundling.games.hexagons.players.parser.chunks import ColourPhrase, ColourSequencePhrase
from groundling.games.hexagons.players.parser.clauses.clause import Clause
from groundling.games.hexagons.players.parser.target import Target


class ColourClause(Clause):
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
        """Read "except the first, which is red", which gives the exception a colour, or "except those already
        red", which selects it."""
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
