"""The table of known English phrases for items on a shelf, and the match of a text against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.english.numbers import CARDINALS, ORDINALS, ordinal_number
from groundling.boards.shelf import Shelf
from groundling.games.director.item_sheet import Property
from groundling.games.director.items import load_items

Way: TypeAlias = Literal["smallest", "largest", "leftmost", "rightmost", "topmost", "bottommost"]
Who: TypeAlias = Literal["me", "you"]
"""From the speaker's point of view: "me" is the director."""


class PhraseSense(Struct, frozen=True, omit_defaults=True):
    """What a phrase says; words without meaning have an empty sense."""

    tags: frozenset[str] = frozenset()
    """The item has one of these properties: words may have several meanings."""
    way: Way | None = None
    who: Who | None = None
    row: int | None = None
    """Counted from the top; from the bottom if below 0."""
    column: int | None = None
    """Counted from the left; from the right if below 0."""
    no: bool = False
    """A negation or relation that we cannot interpret."""


Words: TypeAlias = tuple[str, ...]
Table: TypeAlias = Mapping[Words, PhraseSense]

_WAYS: dict[Way, str] = {
    "smallest": "smallest|littlest|tiniest|shortest|least big|most little",
    "largest": "largest|biggest|hugest|greatest|tallest|least small",
    "topmost": "topmost|top most|uppermost|upper most|highest|highest up|top|upper|nearest the top|"
    "nearest to the top|closest to the top|furthest up|farthest up|at the top|at the very top|on top|"
    "on the top|very top|all the way up",
    "bottommost": "bottommost|bottom most|lowermost|lower most|lowest|lowest down|bottom|lower|"
    "nearest the bottom|undermost|nearest to the bottom|closest to the bottom|furthest down|farthest down|"
    "at the bottom|at the very bottom|on the bottom|very bottom|all the way down",
}
_SIDEWAYS = (
    "{0}most|{0} most|{0}hand most|furthest {0}|farthest {0}|furthest to the {0}|farthest to the {0}|"
    "furthest on the {0}|far {0}|on the far {0}|to the far {0}|most to the {0}|the most {0}|on the {0}|"
    "to the {0}|at the {0}|on the very {0}|{0}|{0} hand|{0} hand side|on the {0} hand side|on the {0} side|"
    "all the way to the {0}|all the way {0}|nearest the {0}|closest to the {0}|nearest to the {0}"
)
_OWN_SIDE = (
    "{1} {0}|on {1} {0}|to {1} {0}|on {1} far {0}|to {1} far {0}|furthest to {1} {0}|farthest to {1} {0}|"
    "most to {1} {0}|{1} {0}most|at {1} {0}|on {1} {0} hand side|to {1} {0} hand side|{1} far {0}|"
    "on {1} {0} side|closest to {1} {0}|nearest to {1} {0}|all the way to {1} {0}|nearest {1} {0}"
)
_VIEWS = (
    "point of view|pov|perspective|side|viewpoint|view|angle|position|end|seat|standpoint|vantage point|"
    "eyes|side of it"
)
_LOOKS: dict[Who, str] = {
    "me": "from where i stand|from where i sit|from where i am|from where i look|as i see it|as i look at it|"
    "as i see them|the way i see it|when i look at it|seen by me|as seen by me|for me|from behind|"
    "from behind the shelf|where i stand|when i look|the way i look at it|looking from my side|from here|"
    "mine|from mine",
    "you": "from where you stand|from where you sit|from where you are|from where you look|as you see it|"
    "as you look at it|as you see them|the way you see it|when you look at it|seen by you|as seen by you|"
    "for you|from in front|where you stand|when you look|from the front|looking from your side|yours|"
    "from yours",
}
_EMPTY = """
a an the this that these those which who what it its is are be was one ones please pick select choose find
take get give hand pass show point touch grab fetch bring click put move me i i'm i'd i'll you your my mine
yours can could would will should want need like looking look see mean meant have has there here now of in on
at to for with by from and or so just only all kind some us let's lets ok okay hi hello then next cell box
shelf grid row column compartment place slot located lying sitting standing stands sits lies placed among
amongst between them they do does don't mind kindly over up down out onto into pair pieces piece set thanks
thank exactly simply right's really also both am i've ask asking asked after select. would've that's it's
target myself yourself ours we our side sides actually well yes no. sort type called named something answer
"""
_NO = (
    "not|isn't|aren't|without|except|but|no|never|neither|nor|other than|rather than|don't|doesn't|instead|"
    "below|above|under|underneath|beneath|beside|next to|between|in between|near|close to|opposite|"
    + "|".join(ORDINALS[2:9])
)
HARD = frozenset(word for phrase in _NO.split("|") for word in phrase.split())
"""The words of these phrases: a text with one of them counts as not understood."""
LONGEST = 8
"""The most words of a phrase."""
_CUT = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")


def split_phrase_words(text: str) -> Words:
    """Split into lower-case words without punctuation; parts of compounds stand alone."""
    return tuple(_CUT.findall(text.lower().replace("’", "'")))


def match_phrase_table(text: str, table: Table) -> Iterator[tuple[Words, PhraseSense | None]]:
    """Match a text phrase by phrase, the longest known at each place; None for an unknown word."""
    said, place = split_phrase_words(text), 0
    while place < len(said):
        for length in range(min(LONGEST, len(said) - place), 0, -1):
            phrase = said[place : place + length]
            if phrase in table:
                yield phrase, table[phrase]
                break
        else:
            length = 1
            yield said[place : place + 1], None
        place += length


def phrase_table(shelf: Shelf, terms: Mapping[str, Words]) -> Table:
    """The phrases for the items on a shelf. `terms` are the words for properties that are not in our file."""
    known = load_items().properties
    return _build_table(
        frozenset([tag for item in shelf.items.values() for tag in item.tags if tag not in known]),
        tuple(terms.items()),
    )


@lru_cache(256)
def _build_table(tags: frozenset[str], terms: tuple[tuple[str, Words], ...]) -> Table:
    """Build the table for our properties and others; properties without words are known by their names."""
    properties = load_items().properties
    found = dict(_grammar_phrases())
    strange = {tag: [tag, re.sub(r"^(?:is|has|used for)[ _]", "", tag)] for tag in sorted(tags)}
    strange |= {
        tag: [form for word in words for form in _word_forms(word, noun=True)] for tag, words in terms if tag
    }
    found |= {
        split_phrase_words(form): PhraseSense()
        for tag, words in terms
        if not tag
        for word in words
        for form in _word_forms(word, noun=True)
    }
    known = {name: _property_forms(each) for name, each in properties.items() if not each.generic}
    for phrase in (form for each in properties.values() if each.generic for form in _property_forms(each)):
        found[split_phrase_words(phrase)] = PhraseSense()
    meant: dict[Words, set[str]] = {}
    for tag, forms in [*known.items(), *strange.items()]:
        for form in forms:
            meant.setdefault(split_phrase_words(form), set()).add(tag)
    found |= {phrase: PhraseSense(tags=frozenset(meanings)) for phrase, meanings in meant.items() if phrase}
    return {phrase: sense for phrase, sense in found.items() if len(phrase) <= LONGEST}


def _property_forms(found: Property) -> list[str]:
    return [form for word in found.all_words for form in _word_forms(word, noun=found.role == "category")]


def _word_forms(word: str, *, noun: bool) -> Iterator[str]:
    """Yield the forms of a word: nouns in both numbers, clauses without the relative pronoun."""
    bare = re.sub(r"^(?:that|which|who) (?:(?:is|are|can|could|will) )?", "", word)
    yield bare
    if noun:
        yield from (f"{bare}s", f"{bare}es", bare.removesuffix("s"))


@cache
def _grammar_phrases() -> Table:
    """The phrases that do not depend on the items."""
    found: dict[Words, PhraseSense] = {(word,): PhraseSense() for word in split_phrase_words(_EMPTY)}
    for phrase in _NO.split("|"):
        found[split_phrase_words(phrase)] = PhraseSense(no=True)
    found |= {
        split_phrase_words(phrase): PhraseSense(way=way)
        for way, phrases in _WAYS.items()
        for phrase in phrases.split("|")
    }
    sides: tuple[tuple[str, Way], ...] = (("left", "leftmost"), ("right", "rightmost"))
    owners: tuple[tuple[Who, str], ...] = (("me", "my"), ("you", "your"))
    for side, way in sides:
        found |= {
            split_phrase_words(phrase): PhraseSense(way=way) for phrase in _SIDEWAYS.format(side).split("|")
        }
        for who, own in owners:
            found |= {
                split_phrase_words(phrase): PhraseSense(way=way, who=who)
                for phrase in _OWN_SIDE.format(side, own).split("|")
            }
    for who, own in owners:
        for view, lead in product(
            _VIEWS.split("|"), ("from", "in", "on", "seen from", "as seen from", "when seen from", "")
        ):
            found[split_phrase_words(f"{lead} {own} {view}")] = PhraseSense(who=who)
        found |= {split_phrase_words(phrase): PhraseSense(who=who) for phrase in _LOOKS[who].split("|")}
    return found | dict(_place_phrases())


def _place_phrases() -> Iterator[tuple[Words, PhraseSense]]:
    """Yield the phrases for rows and columns by number."""
    for number, name, count in _number_words():
        for line, lead in product(
            ("row", "shelf", "level", "line"), ("", "in ", "in the ", "on the ", "on ")
        ):
            up = PhraseSense(row=-number)
            for sense, tail in (
                (PhraseSense(row=number), ""),
                (PhraseSense(row=number), " from the top"),
                (up, " from the bottom"),
            ):
                yield split_phrase_words(f"{lead}{_name_line(line, name, count)}{tail}"), sense
        for lead in ("", "in ", "in the ", "the "):
            for own, who in (("the", None), ("my", "me"), ("your", "you")):
                for side, sign in (("left", 1), ("right", -1)):
                    sense = PhraseSense(column=sign * number, who=who)  # type: ignore[arg-type]
                    for between in (" from ", " counted from ", " counting from ", ", counted from "):
                        yield (
                            split_phrase_words(
                                f"{lead}{_name_line('column', name, count)}{between}{own} {side}"
                            ),
                            sense,
                        )
                        if count is None:
                            yield split_phrase_words(f"{lead}{name}{between}{own} {side}"), sense
            yield split_phrase_words(f"{lead}{_name_line('column', name, count)}"), PhraseSense(column=number)
    for line, lead in product(("row", "shelf", "level", "line"), ("in the ", "on the ", "the ", "")):
        yield split_phrase_words(f"{lead}top {line}"), PhraseSense(row=1)
        yield split_phrase_words(f"{lead}bottom {line}"), PhraseSense(row=-1)


def _name_line(line: str, name: str, count: str | None) -> str:
    return f"{name} {line}" if count is None else f"{line} {count}"


def _number_words() -> Iterable[tuple[int, str, str | None]]:
    """Yield numbers with their words, an ordinal as in `second row` or a count as in `row two`."""
    for number in range(1, 9):
        yield from ((number, ORDINALS[number], None), (number, ordinal_number(number), None))
        yield from ((number, "", CARDINALS[number]), (number, "", str(number)))
