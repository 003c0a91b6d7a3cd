"""The words that a model knows, by number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tokenizers.models import WordPiece

PAD, UNKNOWN, START, END = range(4)
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
"""Nothing, a word that is not known, where a dialog begins, where a message ends."""
PART = "##"
"""Before what goes on a word."""
_TOGETHER = re.compile(r"n't|'\w+|\w+?(?=n't)|\w+|[^\w\s]")
_MIRRORED = (
    ("left", "right"),
    ("lefts", "rights"),
    ("leftmost", "rightmost"),
    ("l", "r"),
    ("leftward", "rightward"),
)


def parted(text: str) -> str:
    """As messages were published: in small letters, a blank between any two words and marks."""
    return " ".join(_TOGETHER.findall(text.lower()))


class Vocabulary(Struct, frozen=True, dict=True):
    words: tuple[str, ...]
    blind: bool = False
    """Hears that something was said, and none of the words."""

    @classmethod
    def of(cls, messages: Iterable[str], least: int = 2, blind: bool = False) -> Vocabulary:
        """All words that were said at least so often; the others show what it is not to know a word."""
        counts = Counter(word for message in messages for word in message.lower().split())
        known = sorted(word for word, count in counts.items() if count >= least)
        return cls((*MARKS, *([] if blind else known)), blind)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _known(self) -> dict[str, list[int]]:
        return {word: [number] for word, number in self.index.items()}

    def message(self, text: str) -> list[int]:
        """A message by number, with the mark that ends it."""
        if self.blind:
            return [END]
        return [*(number for word in text.lower().split() for number in self._numbers(word)), END]

    def _numbers(self, word: str) -> list[int]:
        """A word that is not known as a whole may be several, written together with their punctuation."""
        if word not in self._known:
            several = _TOGETHER.findall(word)
            numbers = (self._numbers(one) for one in several) if len(several) > 1 else [self._parts(word)]
            self._known[word] = [number for found in numbers for number in found]
        return self._known[word]

    @cached_property
    def _pieces(self) -> WordPiece | None:
        """What cuts words into parts, where some are known."""
        if not any(known.startswith(PART) for known in self.words[len(MARKS) :]):
            return None
        from tokenizers.models import WordPiece

        return WordPiece(self.index, unk_token=MARKS[UNKNOWN], max_input_chars_per_word=40)

    def _parts(self, word: str) -> list[int]:
        return [UNKNOWN] if self._pieces is None else [token.id for token in self._pieces.tokenize(word)]

    def mirrored(self) -> list[int]:
        """For each word, the one that is said of the mirrored scene."""
        found = list(range(len(self)))
        for one, other in _MIRRORED:
            if one in self.index and other in self.index:
                found[self.index[one]], found[self.index[other]] = self.index[other], self.index[one]
        return found
