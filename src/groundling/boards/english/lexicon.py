"""The words that people use for grids: synonyms, and phrases that are read as one word."""

from __future__ import annotations

import re

from msgspec import Struct

from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.english.text_tables import read_rewrite_table, read_table_entries


class WordToken(Struct, frozen=True):
    kind: str
    text: str = ""
    value: int = 0
    """A number or an ordinal; ordinals from the end are negative."""


PHRASES = [
    (re.compile(pattern, re.I), instead)
    for pattern, instead in read_rewrite_table(__package__, "vocabulary/phrases.txt")
]
WORDS: dict[str, WordToken] = {word: WordToken("num", word, n) for n, word in enumerate(CARDINALS)}
WORDS |= {word: WordToken("ord", value=n) for n, word in enumerate(ORDINALS[1:13], 1)}
WORDS |= {
    "single": WordToken("num", value=1),
    "lone": WordToken("num", value=1),
    "pair": WordToken("num", value=2),
    "twenty": WordToken("num", value=20),
}
WORDS |= {word: WordToken("ord", value=-1) for word in ("last", "final")}
WORDS |= {
    "penultimate": WordToken("ord", value=-2),
    "antepenultimate": WordToken("ord", value=-3),
    "beginning": WordToken("ord", value=1),
    "start": WordToken("ord", value=1),
}
for _kind, _lines in read_table_entries(__package__, "vocabulary/words.txt"):
    WORDS |= {word: WordToken(_kind, word) for word in " ".join(_lines).split() if word not in WORDS}
WORDS["\n"] = WordToken("stop", "\n")
WORDS |= {"square": WordToken("square", "square")}
for _side, _listed in {
    "top": "top topmost upper uppermost highest",
    "bottom": "bottom bottommost lower lowermost lowest",
    "left": "left leftmost lefthand leftward",
    "right": "right rightmost righthand",
    "middle": "middle centre center central mid",
}.items():
    WORDS |= {word: WordToken("side", _side) for word in _listed.split()}
