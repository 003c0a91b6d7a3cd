"""A sentence's phrases put together: which tiles, where, in which colour."""

from __future__ import annotations

from collections.abc import Sequence as Many

from msgspec import Struct, field, structs

from .chunks import (
    Axis,
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
from .target import Target, attach, is_word, noun

_MEASURES = ("arms", "arm", "sides", "side", "legs", "total", "height", "width", "length", "thickness", "distance")
_PLACES = (Tiles, Columns, Rows, Corner, Shape)


class Builder(Struct):
    """Reads the phrases of one clause from left to right."""

    chunks: Many[Chunk]
    targets: list[Target] = field(default_factory=list)
    lead: Target = field(default_factory=Target)
    """Where things are, said before they are named."""
    open: list[Target] = field(default_factory=list)
    """Targets whose colour may still come."""
    colour: str | None = None
    order: str | None = None
    """Whether colours come before or after what they are said of, once that is clear."""
    fresh: bool = False
    """Whether the last phrase was a target."""
    coloured: bool = False
    """Whether a colour was said since the last target."""
    excepting: bool = False
    verb: str | None = None
    alternate: bool = False
    separated: bool = False
    called: str = "tiles"
    """The name of what is painted, if it has one."""

    def build(self) -> list[Target]:
        at = 0
        while at < len(self.chunks):
            at = self.take(self.chunks[at], at)
        self.finish()
        return self.targets

    def take(self, chunk: Chunk, at: int) -> int:
        if isinstance(chunk, Word):
            return self.word(chunk.text, at)
        if isinstance(chunk, Verb):
            return self.on_verb(chunk.name, at)
        if isinstance(chunk, Colour):
            self.on_colour(chunk, at)
        elif isinstance(chunk, Sequence):
            self.on_sequence(chunk)
        elif isinstance(chunk, Relation):
            return self.on_relation(chunk, at)
        elif isinstance(chunk, Heading):
            self.on_heading(chunk.name)
        elif isinstance(chunk, Columns):
            return self.on_columns(chunk, at)
        elif isinstance(chunk, Rows):
            return self.on_rows(chunk, at)
        elif isinstance(chunk, Tiles | Shape | Corner | Pronoun):
            return self.on_noun(chunk, at)
        elif isinstance(chunk, Middle):
            self.put("middle", chunk.colour)
        elif isinstance(chunk, Step) and self.targets:
            self.targets[-1].steps = chunk.numbers
        return at + 1

    # Words between the phrases.

    def word(self, text: str, at: int) -> int:
        if text in (",", "and", "then", "but", "&", "also"):
            self.separated = True
        elif text == "except":
            self.excepting = bool(self.targets)
        elif text == "from" and at + 1 < len(self.chunks) and (found := noun(self.chunks, self.past(at + 1))):
            place, after = found
            if place.tiles or place.corner or place.pronoun or place.shape or (place.columns and self.fresh):
                self.put("start", place)
                return after
        elif text in ("to", "until", "till", "at", "towards", "toward") and at + 1 < len(self.chunks):
            return self.on_end(text, at)
        elif text in ("top", "bottom"):
            self.put("side", text)
        return at + 1

    def past(self, at: int) -> int:
        """Goes over words like "the top edge of"."""
        here = at
        while here < len(self.chunks) and is_word(
            self.chunks[here], "the", "top", "bottom", "edge", "side", "end", "tip", "point", "of", "each"
        ):
            here += 1
        return here

    def on_end(self, text: str, at: int) -> int:
        """Where a line or a range ends."""
        here = at + 1
        while here < len(self.chunks) and (
            is_word(
                self.chunks[here],
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
                "opposite",
            )
            or isinstance(self.chunks[here], Pronoun)
        ):
            here += 1
        chunk = self.chunks[here] if here < len(self.chunks) else None
        if is_word(chunk, "edge", "edges", "grid", "end", "side", "wall") and text != "at":
            self.put("until", "edge")
            return here + 1
        if is_word(chunk, "top", "bottom") and text != "at":
            self.put("until", "edge")
            return here + 1
        if is_word(chunk, "top", "bottom") and text == "at" and isinstance(chunk, Word):
            self.put("side", chunk.text)
            return here + 1
        going = self.targets[-1] if self.targets and self.fresh else self.lead
        begun = going.start is not None or (going.shape is not None and going.shape.name in ("line", "diagonal"))
        if text != "at" and begun and (found := noun(self.chunks, at + 1)):
            going.end = found[0]
            return found[1]
        return at + 1

    def put(self, name: str, value: object) -> None:
        """Says more of the target just named, or else of the next."""
        setattr(self.targets[-1] if self.fresh and self.targets else self.lead, name, value)

    # Verbs.

    def on_verb(self, name: str, at: int) -> int:
        if name == "start":
            return self.on_start(at)
        if name == "alternate":
            self.alternate = True
            return at + 1
        if name == "erase":
            self.colour, self.order = "white", "before"
        if name in ("paint", "make", "add", "using", "choose", "switch", "surrounding", "erase"):
            self.verb = name
            if (
                at
                and is_word(self.chunks[at - 1], "by")
                and self.fresh
                and self.targets[-1].columns
                and not self.targets[-1].tiles
                and not self.targets[-1].shape
            ):
                self.open = [target for target in self.open if target is not self.targets[-1]]
                self.targets.pop()
                self.fresh = False
            if (
                at
                and (is_word(self.chunks[at - 1], "by", ",") or name == "using")
                and self.fresh
                and self.targets[-1].shape
                and name in ("paint", "using")
            ):
                self.name_only()
            self.fresh = False
            self.excepting = False
            if self.order == "after":
                self.settle()
                self.order = None
        elif name == "end":
            return self.on_stop(at)
        elif name in ("move", "continue", "count", "locate", "find", "extend"):
            self.verb = self.verb or name
        return at + 1

    def name_only(self) -> None:
        """Takes a shape for the name of what the following words make."""
        last = self.targets[-1]
        if last.shape is None or last.shape.name in ("line", "diagonal") or last.relation is not None:
            return
        self.targets.pop()
        self.open = [target for target in self.open if target is not last]
        self.called = last.shape.name
        if last.colour:
            self.colour, self.order = last.colour, "before"

    def on_stop(self, at: int) -> int:
        here = at + 1
        while here < len(self.chunks) and is_word(self.chunks[here], "with", "at", "in", "on", "up", "when", "by", "the"):
            here += 1
        if here < len(self.chunks) and isinstance(self.chunks[at + 1], Colour):
            return at + 2
        found = noun(self.chunks, here)
        if found is None or not self.targets:
            return here
        self.targets[-1].end = found[0]
        return found[1]

    def on_start(self, at: int) -> int:
        here = at + 1
        while here < len(self.chunks) and is_word(
            self.chunks[here], "with", "at", "in", "from", "on", "by", "off", "out", "the", "counting"
        ):
            here += 1
        chunk = self.chunks[here] if here < len(self.chunks) else None
        if is_word(chunk, "top", "bottom", "left", "right") and isinstance(chunk, Word):
            if chunk.text in ("top", "bottom"):
                self.put("side", chunk.text)
            return here + 1
        found = noun(self.chunks, here)
        if found is None:
            return here
        place, after = found
        last = self.targets[-1] if self.targets else None
        every = last.columns.axis if last and last.columns else None
        if (
            last
            and every
            and every.picks[0][0] == "every"
            and ((place.columns and not place.tiles) or (place.tiles and place.tiles.axis and not last.tiles))
        ):
            first = place.columns.axis if place.columns else place.tiles.axis if place.tiles else None
            if first is not None and first.picks[0][0] in ("at", "first"):
                at_column = first.picks[0][1] if first.picks[0][0] == "at" else 1
                last.columns = Columns(Axis((("every", every.picks[0][1], at_column),), first.side))
            return after
        if place.columns and not place.tiles and not place.corner:
            return self.on_columns(place.columns, here)
        self.put("start", place)
        return after

    # Colours.

    def on_colour(self, chunk: Colour, at: int) -> None:
        if self.excepting and self.targets and self.targets[-1].excepted:
            other = self.targets[-1].excepted[-1]
            if any(is_word(before, "which", "should") for before in self.chunks[max(0, at - 5) : at]):
                self.excepting = False
                other.columns = other.columns or self.targets[-1].columns
                other.colour, other.firm = chunk.name, True
                self.targets.append(other)
            elif self.open:
                self.close(chunk.name)
                self.excepting = False
            elif other.tiles is not None:
                other.tiles = structs.replace(other.tiles, colours=(chunk.name,), definite=True, plural=True, count=None)
            return
        if self.open and (self.order != "before" or not self.target_ahead(at)):
            self.close(chunk.name)
            self.order = "after" if self.order is None else self.order
        elif not self.targets or self.order == "before" or self.target_ahead(at):
            self.order = "before"
        self.colour = chunk.name
        self.coloured = True

    def on_sequence(self, chunk: Sequence) -> None:
        names = [name for _, name in chunk.runs]
        into = self.open or (self.targets[-1:] if self.fresh else [])
        if not into:
            self.lead.sequence, self.lead.alternate = chunk.runs, self.alternate
            self.colour = names[0]
            self.order = "before"
            return
        for target in into:
            target.sequence, target.firm, target.alternate = chunk.runs, True, self.alternate
        self.open = []
        self.colour = names[-1]
        self.coloured = True

    def close(self, colour: str) -> None:
        for target in self.open:
            target.colour, target.firm = colour, True
        self.open = []

    def settle(self) -> None:
        """Gives what is still without colour the last one said."""
        if self.open and self.colour:
            self.close(self.colour)

    def target_ahead(self, at: int) -> bool:
        """Whether something to paint is named before the next verb or colour."""
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, Colour | Sequence):
                return False
            if isinstance(chunk, Verb) and chunk.name not in ("paint", "make", "add"):
                return False
            if isinstance(chunk, Tiles | Shape | Corner | Columns):
                return True
        return False

    # Places.

    def on_columns(self, chunk: Columns, at: int) -> int:
        last = self.targets[-1] if self.targets else None
        loose = [
            target
            for target in self.targets
            if not target.located and target.corner is None and (target.tiles or target.shape) and not target.start
        ]
        ahead = self.tiles_ahead(at)
        if self.excepting and last:
            if last.excepted and last.excepted[-1].tiles and not last.excepted[-1].columns:
                last.excepted[-1].columns = chunk
            else:
                last.excepted.append(Target(columns=chunk))
        elif self.fresh and last and last.relation in ("above", "below") and not last.columns and not ahead:
            last.columns = chunk
        elif self.fresh and last and last.rows and not last.columns and not (self.coloured and ahead):
            last.columns = chunk
        elif (
            self.fresh
            and not self.coloured
            and last
            and not last.located
            and last.corner is None
            and not (self.separated and ahead)
        ):
            for target in reversed(self.targets):
                if target.located or (target is not last and target.firm):
                    break
                target.columns = chunk
        elif self.coloured and loose and (not ahead or not self.separated) and not self.lead.located:
            for target in loose:
                target.columns = chunk
        elif last and last.columns and not ahead and (self.separated or self.coloured) and last.tiles:
            self.add(Target(tiles=last.tiles, shape=last.shape, columns=chunk))
        elif ahead or not self.whole(at):
            self.lead = Target(
                columns=chunk,
                side=self.lead.side,
                start=self.lead.start if self.lead.start and not self.lead.start.columns else None,
                sequence=self.lead.sequence,
            )
            self.fresh = False
        else:
            self.add(Target(columns=chunk))
        return at + 1

    def whole(self, at: int) -> bool:
        """Whether columns are to be painted as a whole, not the place where something is."""
        before = at - 1
        while before >= 0 and is_word(self.chunks[before], "the", "all", "of", "entire", "whole", "out"):
            before -= 1
        if (
            before >= 0
            and is_word(self.chunks[before], "in", "on", "for", "to", "at", "into", "with", "from")
            and self.verb is None
        ):
            following = [chunk for chunk in self.chunks[at + 1 :] if not isinstance(chunk, Word)]
            return not following or (
                isinstance(following[0], Verb) and all(not isinstance(chunk, _PLACES) for chunk in following)
            )
        return True

    def tiles_ahead(self, at: int) -> bool:
        """Whether tiles are named after these columns, before other columns are."""
        for chunk in self.chunks[at + 1 :]:
            if isinstance(chunk, Columns) or (isinstance(chunk, Verb) and chunk.name in ("start", "end", "skip", "leave")):
                return False
            if isinstance(chunk, Tiles | Relation | Shape | Rows):
                return True
        return False

    def on_rows(self, chunk: Rows, at: int) -> int:
        last = self.targets[-1] if self.targets else None
        if self.fresh and last and last.columns and not last.tiles:
            last.rows = chunk
        elif self.fresh and last and not last.located:
            last.rows = chunk
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
        after = at + 1
        of: Target | None = None
        if (
            chunk.name == "around"
            and self.verb is None
            and not self.targets
            and found
            and not self.lead.located
            and (at == 0 or isinstance(self.chunks[at - 1], Word))
        ):
            self.verb = "surrounding"
            self.add(Target(tiles=Tiles(all=True, plural=True), relation="around", of=found[0]))
            return found[1]
        if found:
            of, after = found
        last = self.targets[-1] if self.targets else None
        both: Target | None = None
        if (
            chunk.name == "between"
            and of
            and after < len(self.chunks)
            and is_word(self.chunks[after], "and", "to")
            and (other := noun(self.chunks, after + 1))
        ):
            both, after = other
        if self.fresh and last and last.relation is None:
            last.relation, last.of, last.both = chunk.name, of, both
            last.its = chunk.other and of is None
            if not last.columns and self.lead.columns and last.generic:
                last.columns = self.lead.columns
        else:
            self.lead.relation, self.lead.of, self.lead.both = chunk.name, of, both
            self.fresh = False
        return after

    def on_heading(self, name: str) -> None:
        last = self.targets[-1] if self.targets else None
        if self.fresh and last and last.heading is None:
            last.heading = name
        elif self.fresh and last and last.heading and name != last.heading and last.generic:
            last.turns.append(name)
        else:
            self.lead.heading = name

    def on_noun(self, chunk: Tiles | Shape | Corner | Pronoun, at: int) -> int:
        if isinstance(chunk, Pronoun):
            if chunk.word not in ("it", "them", "these", "those") or self.verb is None:
                return at + 1
            made, after = Target(pronoun=chunk.word), at + 1
        else:
            base = Target(
                tiles=chunk if isinstance(chunk, Tiles) else None,
                shape=chunk if isinstance(chunk, Shape) else None,
                corner=chunk if isinstance(chunk, Corner) else None,
            )
            made, after = attach(base, self.chunks, at + 1) if not isinstance(chunk, Shape) else (base, at + 1)
        if isinstance(chunk, Tiles) and self.alternate and len(chunk.colours) > 1 and not chunk.definite:
            self.on_sequence(Sequence(tuple((1, name) for name in chunk.colours)))
            return after
        if (
            isinstance(chunk, Tiles)
            and chunk.count
            and at > 1
            and is_word(self.chunks[at - 1], "of")
            and is_word(self.chunks[at - 2], *_MEASURES)
        ):
            return at + 1
        whole = (
            at + 2 < len(self.chunks)
            and is_word(self.chunks[at + 1], "in", "of")
            and is_word(self.chunks[at + 2], "all", "total")
        )
        if (
            isinstance(chunk, Tiles)
            and chunk.count
            and chunk.axis is None
            and self.targets
            and (whole or (at > 1 and is_word(self.chunks[at - 1], "are", "have")))
        ):
            self.targets[-1].total = chunk.count
            return at + 1
        if (
            isinstance(chunk, Tiles)
            and chunk.count == 1
            and not chunk.definite
            and chunk.colours
            and not made.located
            and self.open
            and not self.fresh
        ):
            if (last := self.open[-1]).tiles and last.tiles.axis and last.located and last is self.targets[-1]:
                self.close(chunk.colours[0])
                self.colour = chunk.colours[0]
                return after
        long = at + 1 < len(self.chunks) and is_word(self.chunks[at + 1], "long", "tall", "in")
        if (
            isinstance(chunk, Tiles)
            and chunk.count
            and chunk.axis is None
            and at
            and is_word(self.chunks[at - 1], "for")
            and self.fresh
        ):
            last = self.targets[-1]
            if last.shape:
                last.shape = structs.replace(last.shape, size=chunk.count)
                return after
        if (
            isinstance(chunk, Shape)
            and chunk.name in ("pattern", "sequence", "manner")
            and at
            and is_word(self.chunks[at - 1], "in", "following", "with", "of", "to", "the", "a")
        ):
            return at + 1
        if (
            isinstance(chunk, Tiles)
            and self.fresh
            and self.targets[-1].shape
            and ((is_word(self.chunks[at - 1], "of") and chunk.axis is None and not chunk.definite) or (long and chunk.count))
        ):
            shape = self.targets[-1].shape
            self.targets[-1].shape = structs.replace(shape, size=chunk.count, colours=shape.colours or chunk.colours)
            if chunk.colours and not self.targets[-1].firm:
                self.close(chunk.colours[0])
                self.targets[-1].colour, self.targets[-1].firm, self.colour = chunk.colours[0], True, chunk.colours[0]
            return at + 1
        if self.excepting and self.targets:
            self.targets[-1].excepted.append(made)
            return after
        if (
            isinstance(chunk, Shape)
            and chunk.name == "line"
            and at > 1
            and (is_word(self.chunks[at - 1], "for", "into") or is_word(self.chunks[at - 2], "for"))
        ):
            return after
        if (
            isinstance(chunk, Shape | Tiles)
            and chunk.colours
            and not chunk.definite
            and self.fresh
            and self.open
            and self.targets[-1].relation == "around"
            and is_word(self.chunks[at - 1], "with", "in", "by", "using")
        ):
            self.close(chunk.colours[0])
            self.colour = chunk.colours[0]
            return after
        if (
            self.verb == "surrounding"
            and not made.pronoun
            and (made.shape or (made.tiles and (made.tiles.colours or made.tiles.axis or made.tiles.definite)))
        ):
            made = Target(tiles=Tiles(all=True, plural=True), relation="around", of=made)
        last = self.targets[-1] if self.fresh and self.targets else None
        if last and last.tiles and chunk_merges(last, made):
            last.tiles = made.tiles
            last.columns = last.columns or made.columns
            last.rows = last.rows or made.rows
            return after
        if made.pronoun and self.lead.start and not self.lead.sequence:
            made, self.lead.start = self.lead.start, None
        self.add(made)
        return after

    def add(self, target: Target) -> None:
        lead = self.lead
        if target.columns is not None and target.tiles is not None and not lead.located:
            for other in reversed(self.targets):
                if other.located or other.firm or other.tiles is None or other.tiles.axis is None or other.corner:
                    break
                other.columns = target.columns
        if lead.rows and target.columns and not target.rows and (target.tiles is None or target.tiles.axis is None):
            target.rows = lead.rows
        if not target.located and target.corner is None:
            target.columns, target.rows = lead.columns, lead.rows
            if target.generic or (target.tiles and target.tiles.order):
                target.relation, target.of, target.both = lead.relation, lead.of, lead.both
        if (
            lead.columns
            and lead.columns.axis
            and len(lead.columns.axis.picks) == 1
            and lead.columns.axis.picks[0][0] == "at"
            and target.columns
            and target.columns.axis
        ):
            every = target.columns.axis.picks[0]
            if every[0] == "every" and not every[2]:
                target.columns = Columns(Axis((("every", every[1], lead.columns.axis.picks[0][1]),), lead.columns.axis.side))
        target.middle = target.middle or lead.middle
        strides = target.tiles is not None and target.tiles.axis is not None and target.tiles.axis.picks[0][0] == "every"
        if target.generic or strides:
            target.heading = target.heading or lead.heading
        if lead.start and not target.start:
            target.start, target.end = lead.start, lead.end
            lead.start = None
        target.until = target.until or lead.until
        target.side = target.side or lead.side
        said = target.tiles.colours if target.tiles else target.shape.colours if target.shape else ()
        given = said and not (target.tiles and target.tiles.definite) and "blank" not in said
        if lead.sequence:
            target.sequence, target.firm, target.alternate = lead.sequence, True, lead.alternate
            lead.sequence = ()
        elif given:
            target.colour, target.firm = said[0], True
            self.colour = said[0]
        elif self.order == "before" and self.colour:
            target.colour = self.colour
            self.open = [other for other in self.open if not other.colour] + [target] if self.coloured is False else [target]
        else:
            self.open.append(target)
        self.targets.append(target)
        self.fresh, self.coloured, self.separated = True, False, False

    def finish(self) -> None:
        self.settle()
        for target in self.targets:
            if target.start is not None and target.relation is not None and target.of is not None and target.of.pronoun:
                target.of, target.start = target.start, None
            target.alternate = target.alternate or (self.alternate and bool(target.sequence))
        if not self.targets and self.lead.sequence and (self.lead.columns or self.lead.rows):
            self.targets.append(
                Target(
                    columns=self.lead.columns,
                    rows=self.lead.rows,
                    sequence=self.lead.sequence,
                    alternate=True,
                    firm=True,
                    colour=self.colour,
                )
            )
        if not self.targets and self.lead.middle:
            self.targets.append(Target(relation="inside", colour=self.lead.middle, firm=True))
            self.colour = self.lead.middle
        going = self.verb in ("continue", "extend") and self.lead.heading is not None
        if not self.targets and going:
            count = sum(count for count, _ in self.lead.sequence) or None
            self.targets.append(
                Target(
                    heading=self.lead.heading,
                    until=self.lead.until or "edge",
                    end=self.lead.end,
                    colour=self.colour,
                    tiles=Tiles(plural=True, count=count),
                    sequence=self.lead.sequence,
                    alternate=self.alternate,
                )
            )
        if self.lead.middle and self.targets and self.targets[-1].shape:
            self.targets[-1].middle = self.lead.middle
        if not self.targets and (self.lead.relation or self.lead.start) and (self.colour or self.lead.sequence):
            self.targets.append(
                Target(
                    relation=self.lead.relation,
                    of=self.lead.of,
                    start=self.lead.start,
                    heading=self.lead.heading,
                    end=self.lead.end,
                    colour=self.colour,
                    sequence=self.lead.sequence,
                    until=self.lead.until,
                )
            )


def chunk_merges(last: Target, made: Target) -> bool:
    """Whether the second phrase only says which tile the first one is."""
    old, new = last.tiles, made.tiles
    if old is None or new is None or old.axis is not None or new.axis is None or last.relation is not None:
        return False
    return (
        (old.definite and not old.count and not old.colours or old.count == 1)
        and not old.plural
        and not old.next
        and old.order is None
    )
