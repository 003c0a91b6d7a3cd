"""Who is meant: every phrase of a message goes to the piece that it tells something about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .....boards.scene import CATEGORY, PEOPLE
from .nouns import Mention
from .phrases import Message, Phrase

_SKIPPED = ("is", "size", "trait", "adverb", "word", "hand")
_WHERE = ("place", "edge", "beside", "above", "below", "front", "behind", "next", "on", "in", "between", "corner", "over", "level", "aside")
_LOOSE = ("front", "behind", "in", "on", "next", "above", "below", "over", "level")
_PERSONAL = ("trait", "eachother", "hand")
_NEW = ("a", "an", "another", "second", "two", "large", "big", "medium", "med", "small", "size", "sized", "add", "lg", "tiny")
_TRAITS_OF = ("lightning", "rain", "bolt", "raining", "lightning bolt", "raindrops", "rain drops", "apples", "hole", "star", "horns", "raindrop", "thunder", "lighting", "propeller")
_ADJECTIVES = frozenset("a an the colored looking face faced plain sized size yellow with both whole and very".split())
_THEN = {"under": "below", "underneath": "below", "beneath": "below", "in front": "front", "on front": "front", "nearby": "next", "beside": "next", "next to": "next"}
_OLD = ("the", "this", "that", "move", "flip", "make", "of", "to", "under", "behind", "touching", "bring")


_GAMES = {"glove": "baseball", "bat": "baseball", "racket": "tennis ball"}


class Fact(Struct, frozen=True, gc=False):
    """Something said of a kind; with an anchor, with respect to other kinds."""

    kind: str
    rule: str
    said: dict[str, Any] = {}
    anchors: tuple[str, ...] = ()


class Memory(Struct):
    """What has been spoken of so far, the latest last."""

    known: list[str] = []
    focus: list[str] = []
    """What the last statement was about."""
    guesses: dict[str, tuple[str, ...]] = {}
    """Kinds taken for granted from a word such as "tree", and what it might have meant."""
    asked: str = ""
    """A guess that the Drawer has just asked about."""

    def note(self, kind: str) -> None:
        if kind in self.known:
            self.known.remove(kind)
        self.known.append(kind)


def _plain_side(phrase: Phrase) -> str:
    """Left or right and nothing more."""
    if phrase.rule == "aside":
        return str(phrase.said["side"])
    found = re.fullmatch(r"(?:is |are |on |at |in |to |the |just |more )*(left|right)(?: hand)?(?: side)?", phrase.said["text"])
    return found[1] if found and phrase.rule in ("place", "edge") and "amount" not in phrase.said else ""


class Reader:
    def __init__(self, memory: Memory, message: Message) -> None:
        self.memory, self.message = memory, message
        self.phrases = message.phrases
        self.subjects: list[str] = list(memory.focus)
        self.thing: str | None = None
        """What is held or worn, just now named."""
        self.waiting: list[Phrase] = []
        self.fresh = False
        """A subject was named since the last full stop."""
        self.placed = False
        """The subject has been told where it is, in this message."""
        self.facts: list[Fact] = []
        self.denied = False
        self.seen: list[str] = []
        self.previous: list[str] = []
        """What was spoken of before the subject."""
        self.moving = False

    def read(self) -> list[Fact]:
        for number, phrase in enumerate(self.phrases):
            self.take(number, phrase)
        for phrase in self.waiting:
            self.tell(phrase, self.subjects)
        self.memory.focus = list(self.subjects)
        return self.facts

    def take(self, number: int, phrase: Phrase) -> None:
        rule = phrase.rule
        if rule == "piece":
            self.piece(number, phrase)
        elif rule == "stop":
            self.fresh, self.thing, self.denied, self.moving = False, None, False, False
        elif rule == "next one":
            self.thing = None
            if self.subjects and self.leads(number)[0]:
                self.waiting.append(Phrase("after", phrase.start, phrase.end, {"text": "then", "kind": self.subjects[-1]}))
        elif rule in ("comma", "join"):
            self.thing = self.thing if rule == "join" else None
        elif rule == "shift":
            self.shift(number, phrase)
        elif rule == "not":
            self.denied = True
        elif rule in ("place", "edge") and self.of_part(number):
            self.part_side(number, phrase)
        elif rule == "face" and self.of_part(number):
            self.part_side(number, phrase)
        elif rule == "then":
            self.relative(number, phrase)
        elif rule == "then beside":
            self.then_beside(number, phrase)
        elif rule in _WHERE:
            self.where(number, phrase)
        elif rule in ("size", "trait"):
            if self.before_piece(number):
                self.waiting.append(phrase)
            else:
                self.tell(phrase, self.subjects)
        elif rule in ("inhand", "onhead"):
            self.on_body(phrase)
        elif rule in ("hold", "wear", "is", "adverb", "word", "listing"):
            self.overhear(phrase)
        elif rule == "swap":
            kinds = [kind for name in ("one", "two") if name in phrase.said for kind in self.resolve(int(phrase.said[name]), phrase.start)]
            if len(kinds) == 2:
                self.facts.append(Fact(kinds[0], "swap", {}, (kinds[1],)))
        elif rule == "move":
            self.moving = True
        elif rule in ("flip", "remove", "bigger", "smaller") and self.before_piece(number):
            self.waiting.append(phrase)
        else:
            self.tell(phrase, self.subjects)

    # pieces

    def piece(self, number: int, phrase: Phrase) -> None:
        mention = self.message.mentions[int(phrase.said["number"])]
        kinds = self.resolve(int(phrase.said["number"]), phrase.start)
        if not kinds:
            return
        before = self.phrases[number - 1] if number else None
        if self.denied:
            self.facts += [Fact(kind, "denied") for kind in kinds]
            self.denied = False
            return
        if mention.how == "part":
            self.facts.append(Fact(kinds[0], "named"))
            self.note(kinds)
            self.subjects = self.subjects if set(kinds) <= set(self.subjects) else kinds
            return
        if mention.owner:
            return
        last = self._last_content(number)
        if last is not None and last.rule in ("hold", "wear") and self.holder() and CATEGORY[kinds[0]] not in ("sky", "large", "boy", "girl"):
            self.hold(kinds)
        elif (
            last is not None
            and last.rule == "piece"
            and before is not None
            and before.rule in ("join", "comma")
            and self.thing is None
            and self.fresh
            and not self.waiting
            and mention.how != "pronoun"
            and not set(kinds) & set(self.subjects)
        ):
            self.facts += [Fact(kind, "named") for kind in kinds]
            self.subjects = [*self.subjects, *kinds]
        elif self.thing is not None and before is not None and before.rule == "join" and CATEGORY[kinds[0]] in ("food", "toy", "clothing") and self.holder():
            self.hold(kinds)
        else:
            if kinds != self.subjects:
                self.previous = self.subjects
            self.subjects, self.thing, self.placed = kinds, None, False
            self.facts += [Fact(kind, "named") for kind in kinds]
        self.note(kinds)
        self.fresh = True
        waiting, self.waiting = self.waiting, []
        for earlier in waiting:
            self.tell(earlier, [self.thing] if self.thing else self.subjects)

    def _last_content(self, number: int) -> Phrase | None:
        """The phrase before, adjectives left out."""
        for phrase in reversed(self.phrases[:number]):
            if phrase.rule not in ("size", "trait", "word", "join", "comma", "is", "adverb", "hand"):
                return phrase
        return None

    def holder(self) -> str | None:
        for kind in reversed(self.subjects):
            if CATEGORY[kind] in ("boy", "girl", "animal"):
                return kind
        return None

    def hold(self, kinds: list[str]) -> None:
        holder = self.holder()
        for kind in kinds:
            rule = "worn" if CATEGORY[kind] == "clothing" else "held"
            self.facts.append(Fact(kind, "named"))
            self.facts.append(Fact(kind, rule, {}, (holder,) if holder else ()))
        self.thing = kinds[-1]

    def on_body(self, phrase: Phrase) -> None:
        """ "In her left hand", "on his head": of what was named last, or of what comes."""
        owner = phrase.get("anchor") or phrase.get("anchor2")
        whose = self.resolve(int(owner), phrase.start) if owner else []
        things = [self.thing] if self.thing else [kind for kind in self.subjects if kind not in PEOPLE]
        rule = "inhand" if phrase.rule == "inhand" else "worn"
        if not things:
            return
        person = whose or [kind for kind in reversed(self.memory.known) if kind in PEOPLE][:1]
        for kind in things:
            if kind not in person:
                self.facts.append(Fact(kind, rule, phrase.said, tuple(person)))

    # what is said of them

    def where(self, number: int, phrase: Phrase) -> None:
        leads, through_is = self.leads(number)
        last = self.phrases[number - 1] if number else None
        before = last.rule if last else "stop"
        side = _plain_side(phrase)
        if side and last and "anchor" in last.said and last.rule in _LOOSE:
            aside = Phrase("aside", phrase.start, phrase.end, {"text": phrase.said["text"], "side": side, "anchor": last.said["anchor"]})
            phrase = Phrase("place", phrase.start, phrase.end, {"text": phrase.said["text"], "after": True})
            self.hand_on(number, aside, leads, through_is, before)
        elif side and self.seat(number, phrase, side):
            return
        elif side and self.thing and last and last.rule == "piece" and CATEGORY[self.thing] in ("food", "toy") and self.holder():
            self.facts.append(Fact(self.thing, "inhand", {"hand": side, "text": phrase.said["text"]}, (str(self.holder()),)))
            return
        self.hand_on(number, phrase, leads, through_is, before)

    def seat(self, number: int, phrase: Phrase, side: str) -> bool:
        """ "On the left swing" is no place on the canvas."""
        following = self.phrases[number + 1] if number + 1 < len(self.phrases) else None
        if following is None or following.rule != "piece" or not re.match(r"(?:is |sitting |sits )?(?:on|in)\b", phrase.said["text"]):
            return False
        if self.message.mentions[int(following.said["number"])].kinds != ("swing",) or "swing" not in self.memory.known:
            return False
        self.tell(Phrase("on", phrase.start, phrase.end, {"text": phrase.said["text"], "kind": "swing", "inner": side}), self.subjects)
        return True

    def hand_on(self, number: int, phrase: Phrase, leads: bool, through_is: bool, before: str) -> None:
        """To the piece that follows, or to the one that is spoken of."""
        if not self.fresh:
            later = leads or self.piece_later(number)
        elif before in ("comma", "join", "stop"):
            later = leads
        else:
            later = leads and (self.placed or through_is)
        if later:
            self.waiting.append(phrase)
        else:
            self.tell(phrase, [self.thing] if self.thing and phrase.rule in ("on", "in", "above", "next") and number and self.phrases[number - 1].rule == "piece" else self.subjects)

    def shift(self, number: int, phrase: Phrase) -> None:
        """ "Up a bit" moves a piece where moving is spoken of, or compares ("higher"); else "left" is a place and "up" nothing."""
        way = phrase.said["way"]
        if way in ("raise", "lower", "drop") and self.before_piece(number):
            self.waiting.append(phrase)
        elif self.moving or way in ("higher", "lower") or re.search(r"more|over|further|farther", phrase.said.get("bit", "")):
            self.tell(phrase, self.subjects)
        elif way in ("left", "right"):
            self.where(number, Phrase("place", phrase.start, phrase.end, {"text": phrase.said["text"]}))
        else:
            self.overhear(phrase)

    def relative(self, number: int, phrase: Phrase) -> None:
        """ "Below is a…" is below what was named last; "a boy below" is below what was named before the boy."""
        how = _THEN.get(phrase.said["how"], phrase.said["how"])
        leads = self.leads(number)[0]
        near = ([self.thing] if self.thing else self.subjects) if leads else self.previous
        if near:
            told = Phrase(how, phrase.start, phrase.end, {"text": phrase.said["text"], "kind": near[-1]})
            if leads:
                self.waiting.append(told)
            else:
                self.tell(told, self.subjects)

    def then_beside(self, number: int, phrase: Phrase) -> None:
        """ "To the right is a…": of what was named last, or of the canvas."""
        leads, _ = self.leads(number)
        near = self.subjects if leads else self.previous
        said = {**phrase.said, "kind": near[-1]} if near else phrase.said
        on = "on " in phrase.said["text"] and "amount" not in phrase.said
        if on or not near:
            self.where(number, Phrase("place", phrase.start, phrase.end, {"text": phrase.said["text"]}))
        elif leads:
            self.waiting.append(Phrase("then beside", phrase.start, phrase.end, said))
        else:
            self.tell(Phrase("then beside", phrase.start, phrase.end, said), self.subjects)

    def of_part(self, number: int) -> str:
        """The part that was just named: "the hole is on the left" does not place the tree."""
        before = [phrase for phrase in self.phrases[max(0, number - 3) : number] if phrase.rule not in ("is", "word")]
        if not before or before[-1].rule != "piece":
            return ""
        return self.message.mentions[int(before[-1].said["number"])].part

    def part_side(self, number: int, phrase: Phrase) -> None:
        side = next((word for word in phrase.said["text"].split() if word in ("left", "right")), None)
        if side and self.subjects:
            self.facts.append(Fact(self.subjects[-1], "partside", {"side": side, "part": self.of_part(number), "text": phrase.said["text"]}))

    def leads(self, number: int) -> tuple[bool, bool]:
        """Does a piece follow without a break, and is it said to be there ("left of it is a…")?"""
        through, near = False, True
        for phrase in self.phrases[number + 1 :]:
            if phrase.rule == "piece":
                mention = self.message.mentions[int(phrase.said["number"])]
                return mention.how != "part" and not mention.owner and (near or through), through
            if phrase.rule in ("comma", "stop", "join"):
                return False, through
            if phrase.rule == "is":
                through = True
            elif phrase.rule not in _SKIPPED and phrase.rule not in _WHERE:
                near, through = False, False
        return False, through

    def piece_later(self, number: int) -> bool:
        """Before the next full stop, with nothing but places on the way."""
        for phrase in self.phrases[number + 1 :]:
            if phrase.rule == "piece":
                mention = self.message.mentions[int(phrase.said["number"])]
                return mention.how not in ("part", "pronoun", "it")
            if phrase.rule not in _SKIPPED and phrase.rule not in _WHERE and phrase.rule not in ("comma", "whole", "cut"):
                return phrase.rule == "stop" and not self.seen and self.stop_then_piece(number)
        return False

    def stop_then_piece(self, number: int) -> bool:
        """ "Left side. A big boy…": a place alone, and then a piece without one before it."""
        stopped = False
        for phrase in self.phrases[number + 1 :]:
            if phrase.rule == "piece":
                mention = self.message.mentions[int(phrase.said["number"])]
                return stopped and mention.how not in ("part", "pronoun", "it")
            if phrase.rule == "stop":
                stopped = True
            elif phrase.rule not in ("size", "trait", "word", "is") and (stopped or phrase.rule not in _WHERE):
                return False
        return False

    def before_piece(self, number: int) -> bool:
        """An adjective of what comes next."""
        for phrase, following in zip(self.phrases[number:], self.phrases[number + 1 :], strict=False):
            if following.rule == "piece":
                mention = self.message.mentions[int(following.said["number"])]
                return not mention.owner and mention.how != "part" and (mention.how not in ("pronoun", "it") or self.phrases[number].rule not in ("size", "trait"))
            if following.rule == "word":
                if following.said["text"] not in _ADJECTIVES:
                    return False
            elif following.rule not in ("size", "trait"):
                return False
        return False

    def tell(self, phrase: Phrase, whom: list[str]) -> None:
        if phrase.rule in _PERSONAL:
            people = [kind for kind in whom if kind in PEOPLE]
            whom = people or [kind for kind in reversed(self.memory.known) if kind in PEOPLE][:1]
        if owner := phrase.get("owner"):
            whom = self.resolve(int(owner), phrase.start) or whom
        anchors: list[str] = []
        for name in ("anchor", "anchor2"):
            if number := phrase.get(name):
                anchors += self.resolve(int(number), phrase.start, anchor=True, besides=whom)
        if kind := phrase.get("kind"):
            anchors = [kind]
        if phrase.get("anchor") and not anchors:
            return
        for kind in anchors:
            if kind not in self.memory.known:
                self.facts.append(Fact(kind, "named"))
                self.note([kind])
        if phrase.rule in _WHERE:
            self.placed = True
        if phrase.rule not in _PERSONAL:
            self.overhear(phrase)
        for kind in whom:
            others = tuple(anchor for anchor in anchors if anchor != kind)
            if others or not anchors:
                self.facts.append(Fact(kind, phrase.rule, phrase.said, others))

    def overhear(self, phrase: Phrase) -> None:
        """All words about a person may tell how they stand and look."""
        people = [kind for kind in self.subjects if kind in PEOPLE]
        self.facts += [Fact(kind, "word", phrase.said) for kind in people]

    # who is meant

    def note(self, kinds: list[str]) -> None:
        for kind in kinds:
            self.memory.note(kind)
            self.seen.append(kind)

    def resolve(self, number: int, at: int, anchor: bool = False, besides: list[str] = []) -> list[str]:  # noqa: B006
        mention = self.message.mentions[number]
        known = self.memory.known
        if mention.how == "absent":
            return []
        if mention.how in ("name", "part"):
            self.settle(mention, number)
            return [mention.kinds[0]]
        if mention.how == "both":
            return list(PEOPLE)
        if mention.how == "all":
            return list(known)
        if mention.how == "they":
            if len(self.subjects) > 1:
                return list(self.subjects)
            return list(PEOPLE)
        if mention.how == "pronoun":
            return [self.person(mention, besides)]
        if mention.how == "that":
            return [kind for kind in (*reversed(self.subjects), *reversed(known)) if kind not in besides][:1]
        if mention.how == "it":
            for kind in (*reversed(self.subjects), *reversed(known)):
                if kind not in PEOPLE and kind not in besides:
                    return [kind]
            return []
        return [self.member(mention, number, anchor)]

    def settle(self, mention: Mention, number: int) -> None:
        """ "A tree…", and then "the pine tree", "it is a pine": what was guessed to be an oak is that pine."""
        kind = mention.kinds[0]
        guess = next((g for g, family in self.memory.guesses.items() if kind in family and g != kind), None)
        if guess is None or kind in self.memory.known:
            self.memory.guesses.pop(kind, None)
            return
        before = self.message.text.partition(f"@{number}")[0].split()[-2:]
        if mention.word in _TRAITS_OF:
            same = guess in self.seen
        else:
            plain = before[-1:] == [] or before[-1] not in _NEW
            same = before[-1:] == ["the"] or "is" in before or (plain and guess != "cloud")
        if not same and guess != self.memory.asked:
            return
        del self.memory.guesses[guess]
        self.facts.append(Fact(guess, "renamed", {"to": kind}))
        for names in (self.memory.known, self.memory.focus, self.subjects, self.previous, self.seen):
            names[:] = [kind if name == guess else name for name in names]
        self.thing = kind if self.thing == guess else self.thing

    def person(self, mention: Mention, besides: list[str]) -> str:
        """He and she are Mike and Jenny, unless an animal was spoken of and they were not."""
        kind = mention.kinds[0]
        animals = [name for name in (*reversed(self.subjects[-1:]), *reversed(self.memory.known)) if CATEGORY[name] == "animal"]
        if kind not in self.memory.known and animals and animals[0] not in besides:
            return animals[0]
        if self.subjects and CATEGORY[self.subjects[-1]] == "animal" and self.subjects[-1] not in besides and kind not in self.seen:
            return self.subjects[-1]
        return kind

    def member(self, mention: Mention, number: int, anchor: bool) -> str:
        """Which tree: one that is known, unless a new one is spoken of."""
        family = mention.kinds
        known = [kind for kind in reversed(self.memory.known) if kind in family]
        before = self.message.text.partition(f"@{number}")[0].split()[-2:]
        another = any(word in ("another", "second", "other", "2nd", "add") for word in before)
        new = before[-1:] != [] and before[-1] in _NEW
        fresh = [kind for kind in family if kind not in known]
        if known and not (another and not anchor) and (anchor or not new or family[0] in known or not fresh):
            return known[0]
        chosen = fresh[0] if fresh else family[0]
        if mention.word.startswith("ball") and mention.kinds[0] == "hot air balloon" and self.in_hand(number):
            chosen = "balloons"
        for sign, ball in _GAMES.items():
            if sign in self.memory.known and ball in fresh and "ball" in mention.word and ball in family:
                chosen = ball
        self.memory.guesses[chosen] = family
        return chosen

    def in_hand(self, number: int) -> bool:
        return bool(re.search(r"hold\w* (?:\w+ ){0,3}$|carr\w+ (?:\w+ ){0,3}$|has (?:\w+ ){0,2}$", self.message.text.partition(f"@{number}")[0]))


def facts(memory: Memory, message: Message) -> Iterator[Fact]:
    """What a message says, piece by piece; the memory is brought up to date."""
    yield from Reader(memory, message).read()
