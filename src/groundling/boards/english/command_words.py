"""Words and phrases that only instructions use: verbs, and how to draw rather than what is there."""

from __future__ import annotations

import re
from collections.abc import Callable

from groundling.boards.english.lexicon import WordToken
from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.english.text_tables import read_rewrite_table, read_table_entries

_VERB = (
    "put place fill draw write add set make paint insert mark color colour print enter type use clear erase "
    "remove delete leave change replace turn take"
).replace(" ", "|")
_LINE = r"(?:row|col(?:umn)?|line)s?"
_NTH = dict(zip(CARDINALS[1:5], ORDINALS[1:5], strict=True))

_COMPUTED: dict[str, Callable[[re.Match[str]], str]] = {
    "NTH": lambda m: f"{_NTH.get(m[1].lower(), m[1] + 'th')} cell from the {m[2]}",
    "BLOCK": lambda m: f"{CARDINALS.index(m[1].lower())}x{CARDINALS.index(m[2].lower())}",
}
COMMAND_PHRASES = [
    (re.compile(pattern.replace("VERB", _VERB).replace("LINE", _LINE), re.I), _COMPUTED.get(instead, instead))
    for pattern, instead in read_rewrite_table(__package__, "vocabulary/command_phrases.txt")
]

_STARTS = re.compile(
    r",?\s*(?:start|begin)\w*\s+(?:with|at|from|in|on)\s+(?:the\s+|an?\s+)?(?:(?:row|column|cell|position)\s+)?(?:number\s+)?"
    r"(first|1st|1|one|second|2nd|2|two|third|3|top|left|leftmost|topmost|empty|blank|gap)\b"
    r"(?!\s+(?:left|right|corner))(?:\s+(?:row|column|cell|one|position|square))?",
    re.I,
)
_ALTERNATING = re.compile(r"every (?:other|second|third)|alternat", re.I)
_SECOND = ("second", "2nd", "2", "two", "empty", "blank", "gap")

COMMANDS: dict[str, WordToken] = {
    word: WordToken(kind, word)
    for kind, lines in read_table_entries(__package__, "vocabulary/command_words.txt")
    for word in " ".join(lines).split()
}
COMMANDS |= {"startsone": WordToken("starts", value=1), "startstwo": WordToken("starts", value=2)}


_SENTENCE = re.compile(r"[^.;!?\n]+")
_BARE_PAIR = re.compile(
    r"\b(at|in|to|into|on|cells?|squares?|positions?|coordinates?) (\d{1,2}) ?, ?(\d{1,2})\b"
    r"(?! ?(?:,|and|&|-|–|to) ?\d)",
    re.I,
)
_OF_A_LINE = re.compile(rf"\b{_LINE}\b", re.I)


def _bracket_pairs(sentence: re.Match[str]) -> str:
    """Bracket the pair in "at 2,3", unless the sentence names a line whose cells the numbers could be."""
    return sentence[0] if _OF_A_LINE.search(sentence[0]) else _BARE_PAIR.sub(r"\1 (\2,\3)", sentence[0])


def normalize_command_words(text: str) -> str:
    """Rewrite instruction phrases into the words that the tokenizer knows."""
    if _ALTERNATING.search(text):
        text = _STARTS.sub(lambda m: " startstwo " if m[1].lower() in _SECOND else " startsone ", text)
    for pattern, instead in COMMAND_PHRASES:
        text = pattern.sub(instead, text)
    return _SENTENCE.sub(_bracket_pairs, text)
