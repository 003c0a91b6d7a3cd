"""Reads the phrases, verbs and function words of a clause from left to right, and returns their targets."""

from __future__ import annotations

import re
from itertools import pairwise

from groundling.games.hexagons.players.parser.clause_nouns import NounClause
from groundling.games.hexagons.players.parser.phrases import (
    AxisSelection,
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
from groundling.games.hexagons.players.parser.targets import Target, read_target_noun

_PAINTING = ("paint", "make", "add", "using", "choose", "switch", "surrounding", "erase")
_GOING = ("move", "continue", "count", "locate", "find", "extend")
_REACHING = re.findall(
    r"\S+", "the you it they reach reaches reaching hit meets meet far very all way of opposite"
)
_OF_IT = ("the", "top", "bottom", "edge", "side", "end", "tip", "point", "of", "each")
"""Words as in "the top edge of", which only introduce the following noun."""


class ClauseBuilder(NounClause):
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
        if not self.targets and (implied := self._implied_target()) is not None:
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
            )
        return None

    def on_word(self, text: str, at: int) -> int:
        if text in (",", "and", "then", "but", "&", "also"):
            self.separated = True
        elif text == "except":
            self.excepting = bool(self.targets)
        elif text == "from" and (found := read_target_noun(self.chunks, self.skip_words(at + 1, *_OF_IT))):
            place, after = found
            if place.tiles or place.corner or place.pronoun or place.shape or (place.columns and self.fresh):
                self.set_target_field("start", place)
                return after
        elif text in ("to", "until", "till", "at", "towards", "toward"):
            return self._on_end(text, at)
        elif text in ("top", "bottom"):
            self.set_target_field("side", text)
        elif text in ("painted", "filled") and self.has_word_at(at - 1, "be", "is", "are"):
            self.verb = self.verb or "paint"
        return at + 1

    def _on_end(self, text: str, at: int) -> int:
        """Read where a line or a range ends."""
        here = at + 1
        while self.has_word_at(here, *_REACHING) or (
            here < len(self.chunks) and isinstance(self.chunks[here], PronounPhrase)
        ):
            here += 1
        if text != "at" and self.has_word_at(
            here, "edge", "edges", "grid", "end", "side", "wall", "top", "bottom"
        ):
            return here + 1
        going = self.current_target or self.lead
        begun = going.start is not None or (
            going.shape is not None and going.shape.name in ("line", "diagonal")
        )
        begun = begun or (self.lining and going.tiles is not None)
        if text != "at" and begun and (found := read_target_noun(self.chunks, at + 1)):
            going.end = found[0]
            return found[1]
        return at + 1

    def on_verb(self, name: str, at: int) -> int:
        name = "make" if name == "making" else name
        if name == "start":
            return self._on_start(at)
        if name == "end":
            return self._on_stop(at)
        if name == "alternate":
            self.alternate = True
        elif name in _GOING:
            self.verb = self.verb or name
        elif name in _PAINTING:
            self._on_painting(name, at)
        return at + 1

    def _on_painting(self, name: str, at: int) -> None:
        if name == "erase":
            self.colour, self.order = "white", "before"
        self.verb = name
        here = self.current_target
        if here and here.columns and not here.tiles and not here.shape and self.has_word_at(at - 1, "by"):
            self.drop_last_target()
        elif (
            here
            and here.shape
            and ((name == "paint" and self.has_word_at(at - 1, "by", ",")) or name == "using")
        ):
            self._name_only(here)
        self.fresh = False
        self.excepting = False
        if self.order == "after":
            self.settle_colours()
            self.order = None

    def _name_only(self, here: Target) -> None:
        """Treat a shape as the name of what the following words make."""
        if here.shape is None or here.relation is not None or here.start is not None:
            return
        self.lining = here.shape.name in ("line", "diagonal")
        self.drop_last_target()
        self.colour, self.order = here.colour or self.colour, None

    def _on_stop(self, at: int) -> int:
        here = self.skip_words(at + 1, "with", "at", "in", "on", "up", "when", "by", "the")
        found = read_target_noun(self.chunks, here)
        if found is None or self.last_target is None:
            return here
        self.last_target.end, after = found
        return after

    def _on_start(self, at: int) -> int:
        named = self.current_target
        if named and named.shape and self.has_word_at(at + 1, "by"):
            self._name_only(named)
        here = self.skip_words(
            at + 1, "with", "at", "in", "from", "on", "by", "off", "out", "the", "counting"
        )
        found = read_target_noun(self.chunks, here)
        if found is None:
            return here
        place, after = found
        tiles = place.tiles
        if tiles is not None and tiles.colours and tiles.count and not tiles.definite and tiles.axis is None:
            self.add_target(place)
            return after
        if self._every_from(place):
            return after
        if place.columns and not place.tiles and not place.corner:
            return self.on_columns(place.columns, here)
        self.set_target_field("start", place)
        return after

    def _every_from(self, place: Target) -> bool:
        """Whether the place states the column at which "every other column" starts."""
        last = self.last_target
        axis = last.columns.axis if last is not None and last.columns else None
        if last is None or axis is None or axis.picks[0][0] != "every":
            return False
        if place.columns and not place.tiles:
            first = place.columns.axis
        elif place.tiles and place.tiles.axis and not last.tiles:
            first = place.columns.axis if place.columns else place.tiles.axis
        else:
            return False
        if first is not None and first.picks[0][0] in ("at", "first"):
            number = first.picks[0][1] if first.picks[0][0] == "at" else 1
            last.columns = ColumnsPhrase(AxisSelection((("every", axis.picks[0][1], number),), first.side))
        return True
