"""Reads verbs, and function words that state where something starts, ends or stops."""

from __future__ import annotations

from groundling.games.hexagons.players.parser.chunks import (
    AxisSelection,
    ColourPhrase,
    ColumnsPhrase,
    PronounPhrase,
    WordPhrase,
)
from groundling.games.hexagons.players.parser.clauses.nouns import NounClause
from groundling.games.hexagons.players.parser.target import Target, read_noun

_PAINTING = ("paint", "make", "add", "using", "choose", "switch", "surrounding", "erase")
_GOING = ("move", "continue", "count", "locate", "find", "extend")
_REACHING = (
    *(
        "the",
        "you",
        "it",
        "they",
        "reach",
        "reaches",
        "reaching",
        "hit",
        "meets",
        "meet",
        "far",
        "very",
        "all",
        "way",
        "of",
    ),
    "opposite",
)


class VerbClause(NounClause):
    def on_word(self, text: str, at: int) -> int:
        if text in (",", "and", "then", "but", "&", "also"):
            self.separated = True
        elif text == "except":
            self.excepting = bool(self.targets)
        elif text == "from" and (found := read_noun(self.chunks, self.skip_words(at + 1, *_OF_IT))):
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
            self.set_target_field("until", "edge")
            return here + 1
        chunk = self.chunks[here] if here < len(self.chunks) else None
        if self.has_word_at(here, "top", "bottom") and isinstance(chunk, WordPhrase):
            self.set_target_field("side", chunk.text)
            return here + 1
        going = self.current_target or self.lead
        begun = going.start is not None or (
            going.shape is not None and going.shape.name in ("line", "diagonal")
        )
        begun = begun or (self.lining and going.tiles is not None)
        if text != "at" and begun and (found := read_noun(self.chunks, at + 1)):
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
        if at + 1 < len(self.chunks) and isinstance(self.chunks[at + 1], ColourPhrase):
            return at + 2
        found = read_noun(self.chunks, here)
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
        chunk = self.chunks[here] if here < len(self.chunks) else None
        if self.has_word_at(here, "top", "bottom", "left", "right") and isinstance(chunk, WordPhrase):
            if chunk.text in ("top", "bottom"):
                self.set_target_field("side", chunk.text)
            return here + 1
        found = read_noun(self.chunks, here)
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


_OF_IT = ("the", "top", "bottom", "edge", "side", "end", "tip", "point", "of", "each")
"""Words as in "the top edge of", which only introduce the following noun."""
