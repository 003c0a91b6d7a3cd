"""Phrases of a message from left to right: statements about pieces, not yet assigned to one.

The text has its mentions as `@0`, `@1`…. At every word the rules are tried in order, and the first match
consumes its words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.english.text_tables import read_pattern_table
from groundling.games.codraw.players.grammar.lexicon import Mention, restrict_lexicon_mention
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message

PHRASE_BLOCKS: dict[str, str] = {}
"""The building blocks of the patterns."""
RULES = tuple(
    (name, re.compile(pattern))
    for name, pattern in read_pattern_table(__package__, "vocabulary/phrase_rules.txt", PHRASE_BLOCKS)
)


class Phrase(Struct, frozen=True, gc=False):
    rule: str
    start: int
    end: int
    said: dict[str, Any] = {}

    def said_value(self, name: str) -> Any:
        return self.said.get(name)


class ParsedMessage(Struct, frozen=True, gc=False):
    text: str
    mentions: tuple[Mention, ...]
    phrases: tuple[Phrase, ...]


def restrict_phrase_mentions(message: ParsedMessage, palette: frozenset[str]) -> ParsedMessage:
    return replace(
        message, mentions=tuple(restrict_lexicon_mention(mention, palette) for mention in message.mentions)
    )


MAX_MESSAGE = 2000
"""The most characters of a message that are read."""
MAX_PHRASE = 200
"""The most characters of a phrase."""


@lru_cache(maxsize=4096)
def parse_message_phrases(message: str) -> ParsedMessage:
    """Parse a message into phrases."""
    text, found = find_mentions(tokenize_message(message[:MAX_MESSAGE]))
    phrases: list[Phrase] = []
    at = 0
    while at < len(text):
        phrase = _match_phrase(text, at)
        phrases.append(phrase)
        at = phrase.end
        while text.startswith(" ", at):
            at += 1
    return ParsedMessage(text, tuple(found), tuple(phrases))


def codraw_clauses(message: str) -> list[str]:
    """Return the clauses of a message, each as the rules and words of its phrases, without the numbers of
    mentions, which depend on what was said before."""
    clauses: list[list[str]] = [[]]
    for phrase in parse_message_phrases(message).phrases:
        if phrase.rule in ("stop", "comma", "join"):
            clauses.append([])
        else:
            clauses[-1].append(f"{phrase.rule} {re.sub(r'@[0-9]+', '@', phrase.said['text'])}")
    return [" / ".join(clause) for clause in clauses if clause]


def _match_phrase(text: str, at: int) -> Phrase:
    """Match the phrase that begins here, or a single word if no rule fits."""
    for rule, pattern in RULES:
        match = pattern.match(text, at, at + MAX_PHRASE)
        if match and match.end() > at:
            said = {name: value for name, value in match.groupdict().items() if value is not None}
            return Phrase(rule, at, match.end(), {**said, "text": match[0]})
    end = text.find(" ", at)
    end = len(text) if end < 0 else end
    return Phrase("word", at, end, {"text": text[at:end]})
