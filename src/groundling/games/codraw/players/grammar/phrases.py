"""The phrases of a message, from left to right: what is said of a piece, without yet knowing of which.

The text has its pieces as `@0`, `@1`…. At every word the rules are tried in order and the first that fits
takes its words."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from groundling.games.codraw.players.grammar.names import mentions
from groundling.games.codraw.players.grammar.nouns import Mention, available
from groundling.games.codraw.players.grammar.statements import RULES
from groundling.games.codraw.players.grammar.text import words


class Phrase(Struct, frozen=True, gc=False):
    rule: str
    start: int
    end: int
    said: dict[str, Any] = {}

    def get(self, name: str) -> Any:
        return self.said.get(name)


class Message(Struct, frozen=True, gc=False):
    text: str
    mentions: tuple[Mention, ...]
    phrases: tuple[Phrase, ...]


def within(message: Message, palette: frozenset[str]) -> Message:
    return replace(message, mentions=tuple(available(mention, palette) for mention in message.mentions))


READ = 2000
"""Characters of a message at most: more than anybody says at once."""
LONGEST = 200
"""Characters of a phrase at most."""


@lru_cache(maxsize=4096)
def read(message: str) -> Message:
    """A message as its phrases."""
    text, found = mentions(words(message[:READ]))
    phrases: list[Phrase] = []
    at = 0
    while at < len(text):
        phrase = _phrase(text, at)
        phrases.append(phrase)
        at = phrase.end
        while text.startswith(" ", at):
            at += 1
    return Message(text, tuple(found), tuple(phrases))


def _phrase(text: str, at: int) -> Phrase:
    """The one that begins here; any word alone, where no rule fits."""
    for rule, pattern in RULES:
        match = pattern.match(text, at, at + LONGEST)
        if match and match.end() > at:
            said = {name: value for name, value in match.groupdict().items() if value is not None}
            return Phrase(rule, at, match.end(), {**said, "text": match[0]})
    end = text.find(" ", at)
    end = len(text) if end < 0 else end
    return Phrase("word", at, end, {"text": text[at:end]})
