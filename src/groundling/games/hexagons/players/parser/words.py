"""Normalises instruction texts to plain words: numbers as digits, one word for synonyms, corrected spelling.

The result is a string of words separated by single spaces. Ordinals are written `#3` (`#-2` counts from the
end), numbers `3`, and punctuation stands alone. The tables are in `vocabulary/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from groundling.boards.hexes import COLOURS

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen"
)
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth"
)
_NUMBERS = {word: str(n) for n, word in enumerate(re.findall(r"\w+", _UNITS)) if n}
_NUMBERS |= {word: f"#{n}" for n, word in enumerate(re.findall(r"\w+", _ORDINALS)) if n}
_TOKEN = re.compile(r"\d+|[a-z]+(?:'(?:s|t|re|ll|ve|d)\b)?|[^\w\s]")
MOST_WORDS, MOST_LETTERS = 600, 6_000
_OURS = (
    "leftmost",
    "rightmost",
    "every",
    "other",
    "except",
    "remaining",
    "diagonally",
    "vertical",
    "horizontal",
    "previous",
)


def _table_lines(name: str) -> Iterator[str]:
    """Return the lines of a table without comments."""
    text = (files(__package__) / "vocabulary" / name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("# "))


def _rewrite_rules(name: str) -> Iterator[tuple[str, str]]:
    for line in _table_lines(name):
        left, _, right = line.partition("=>")
        yield left.strip(), right.strip()


_CANON = {
    other: word
    for word, _, others in (line.partition(": ") for line in _table_lines("synonyms.txt"))
    for other in others.split()
}
_KNOWN = frozenset(word for line in _table_lines("known.txt") for word in line.split()) | frozenset(
    (*_CANON, *_CANON.values(), *_NUMBERS, *COLOURS)
)
_TARGETS = sorted(
    {
        word
        for word in (*_CANON, *_CANON.values(), *_NUMBERS, *COLOURS, *_OURS, "directly", "bottom")
        if len(word) > 3
    }
)
_EARLY = [(re.compile(left), right.replace("_", " ")) for left, right in _rewrite_rules("early.txt")]
_ANY = "|".join(COLOURS)
_LATE = [
    (re.compile(rf"(?<!\S){re.sub('COLOUR(?!S)', f'({_ANY})', left).replace('COLOURS', _ANY)}(?!\S)"), right)
    for left, right in _rewrite_rules("rewrites.txt")
]


@cache
def _canonical_word(word: str) -> str:
    word = _correct_spelling(word.removesuffix("'s"))
    word = _CANON.get(word, word)
    return _NUMBERS.get(word, word)


def _correct_spelling(word: str) -> str:
    """Replace a misspelt word by a known one."""
    if word in _KNOWN or len(word) < 5:
        return word
    close = get_close_matches(word, _TARGETS, 1, 0.85)
    return close[0] if close and close[0][0] == word[0] else word


def to_plain_words(text: str) -> str:
    """Return the text in plain words, ready to be cut into phrases, and truncated if it is too long."""
    text = re.sub(r"\d{3,}", "999", " ".join(text.lower().split()[:MOST_WORDS])[:MOST_LETTERS])
    for pattern, put in _EARLY:
        text = pattern.sub(put, text)
    text = " ".join(_canonical_word(token) if token[0].isalpha() else token for token in _TOKEN.findall(text))
    text = re.sub(r"# (\d+)", r"#\1", text)
    for pattern, put in _LATE:
        text = pattern.sub(put, text)
    return " ".join(text.split())
