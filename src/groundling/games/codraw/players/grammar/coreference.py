"""Coreference: resolves names, general words and pronouns to the kinds mentioned so far."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundling.boards.scene import CATEGORY, PEOPLE
from groundling.games.codraw.players.grammar.facts import DiscourseState, Fact
from groundling.games.codraw.players.grammar.lexicon import Mention
from groundling.games.codraw.players.grammar.phrases import ParsedMessage

_NEW = re.findall(r"\S+", "a an another second two large big medium med small size sized add lg tiny")
_ANOTHER = ("another", "second", "other", "2nd", "add")
_TRAITS = (
    *("lightning", "rain", "bolt", "raining", "lightning bolt", "raindrops", "rain drops", "raindrop"),
    *("thunder", "lighting", "apples", "hole", "star", "horns", "propeller"),
)
"""Names that are also features of a piece."""
_GAMES = {"glove": "baseball", "bat": "baseball", "racket": "tennis ball"}
_CARRYING = re.compile(r"(?:hold|carr|has)\w* (?:\w+ ){0,3}$")


class ReferenceResolver:
    def __init__(self, memory: DiscourseState, message: ParsedMessage) -> None:
        self.memory, self.message = memory, message
        self.subjects: list[str] = list(memory.focus)
        """The current subjects."""
        self.previous: list[str] = []
        """The subjects before them."""
        self.thing: str | None = None
        """The held or worn thing that was just named."""
        self.seen: list[str] = []
        """The kinds that this message has named."""
        self.facts: list[Fact] = []

    def note_kinds(self, kinds: Sequence[str]) -> None:
        for kind in kinds:
            self.memory.note_kind(kind)
            self.seen.append(kind)

    def current_holder(self) -> str | None:
        return next(
            (kind for kind in reversed(self.subjects) if CATEGORY[kind] in ("boy", "girl", "animal")), None
        )

    def last_person(self) -> list[str]:
        return [kind for kind in reversed(self.memory.known) if kind in PEOPLE][:1]

    def resolve_mention(self, number: int, besides: Sequence[str] = (), anchor: bool = False) -> list[str]:
        """Return the kinds that a mention means. An anchor is never new, and never one of `besides`."""
        mention, known = self.message.mentions[number], self.memory.known
        match mention.how:
            case "name" | "part":
                self._settle_guess(mention, number)
                return [mention.kinds[0]]
            case "family":
                return [self._resolve_family(mention, number, anchor)]
            case "both":
                return list(mention.kinds)
            case "all":
                return list(known)
            case "they":
                return self._resolve_they(besides)
            case "pronoun":
                return [self._resolve_pronoun(mention, besides)]
            case "that" | "it":
                near = (*reversed(self.subjects), *reversed(known))
                return [
                    kind
                    for kind in near
                    if kind not in besides and (mention.how == "that" or kind not in PEOPLE)
                ][:1]
        return []

    def _resolve_they(self, besides: Sequence[str]) -> list[str]:
        """Return several current subjects; else the people, or the last two kinds."""
        last = [kind for kind in self.memory.known if kind not in besides][-2:]
        if len(self.subjects) > 1:
            return list(self.subjects)
        return last if len(last) == 2 and not set(PEOPLE) & set(self.memory.known) else list(PEOPLE)

    def _words_before(self, number: int) -> list[str]:
        """Return the two words before a mention."""
        return self.message.text.partition(f"@{number}")[0].split()[-2:]

    def _settle_guess(self, mention: Mention, number: int) -> None:
        """ "A tree…", then "the pine tree" or "it is a pine": replace the guessed oak by the pine."""
        kind, memory = mention.kinds[0], self.memory
        guess = next(
            (guess for guess, family in memory.guesses.items() if kind in family and guess != kind), None
        )
        if guess is None or kind in memory.known:
            memory.guesses.pop(kind, None)
            return
        before = self._words_before(number)
        if mention.word in _TRAITS:
            same = guess in self.seen
        else:
            plain = not before or before[-1] not in _NEW
            same = before[-1:] == ["the"] or "is" in before or (plain and guess != "cloud")
        if not same and guess != memory.asked:
            return
        del memory.guesses[guess]
        self.facts.append(Fact(guess, "renamed", {"to": kind}))
        memory.rename_kind(guess, kind)
        for names in (self.subjects, self.previous, self.seen):
            names[:] = [kind if name == guess else name for name in names]
        self.thing = kind if self.thing == guess else self.thing

    def _resolve_pronoun(self, mention: Mention, besides: Sequence[str]) -> str:
        """Resolve he and she to Mike and Jenny, unless an animal was mentioned and they were not."""
        kind = mention.kinds[0]
        animals = [
            name for name in (*self.subjects[-1:], *reversed(self.memory.known)) if CATEGORY[name] == "animal"
        ]
        if kind not in self.memory.known and animals and animals[0] not in besides:
            return animals[0]
        last = self.subjects[-1] if self.subjects else kind
        return last if CATEGORY[last] == "animal" and last not in besides and kind not in self.seen else kind

    def _resolve_family(self, mention: Mention, number: int, anchor: bool) -> str:
        """Choose a member of a family: a known one, unless a new one is introduced."""
        family = mention.kinds
        known = [kind for kind in reversed(self.memory.known) if kind in family]
        fresh = [kind for kind in family if kind not in known]
        before = self._words_before(number)
        another = not anchor and any(word in _ANOTHER for word in before)
        new = before[-1:] != [] and before[-1] in _NEW
        if known and not another and (anchor or not new or family[0] in known or not fresh):
            return known[0]
        chosen = fresh[0] if fresh else family[0]
        if mention.word.startswith("ball") and "balloons" in fresh and self._is_carried(number):
            chosen = "balloons"
        if "ball" in mention.word:
            chosen = next(
                (ball for sign, ball in _GAMES.items() if sign in self.memory.known and ball in fresh), chosen
            )
        self.memory.guesses[chosen] = family
        return chosen

    def _is_carried(self, number: int) -> bool:
        return bool(_CARRYING.search(self.message.text.partition(f"@{number}")[0]))
