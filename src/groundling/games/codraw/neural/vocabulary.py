"""The vocabulary of a model: words and their numbers."""

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
"""Padding, an unknown word, the start of a dialog, the end of a message."""
PART_PREFIX = "##"
"""The prefix of a part that continues a word."""
_TOKEN = re.compile(r"n't|'\w+|\w+?(?=n't)|\w+|[^\w\s]")
_MIRRORED = (
    ("left", "right"),
    ("lefts", "rights"),
    ("leftmost", "rightmost"),
    ("l", "r"),
    ("leftward", "rightward"),
)


def tokenize_vocabulary_text(text: str) -> str:
    """Tokenize as in the published messages: lower case, with blanks between words and punctuation."""
    return " ".join(_TOKEN.findall(text.lower()))


class Vocabulary(Struct, frozen=True, dict=True):
    words: tuple[str, ...]
    blind: bool = False
    """Encode every message as if it had no words."""

    @classmethod
    def from_messages(cls, messages: Iterable[str], least: int = 2, blind: bool = False) -> Vocabulary:
        """Make a vocabulary of all words said at least `least` times. Rarer words train the unknown word."""
        counts = Counter(word for message in messages for word in message.lower().split())
        known = sorted(word for word, count in counts.items() if count >= least)
        return cls((*MARKS, *([] if blind else known)), blind)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def word_index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _known_words(self) -> dict[str, list[int]]:
        return {word: [number] for word, number in self.word_index.items()}

    def encode_message(self, text: str) -> list[int]:
        """Encode a message as numbers, with the end mark."""
        if self.blind:
            return [END]
        return [*(number for word in text.lower().split() for number in self._word_numbers(word)), END]

    def _word_numbers(self, word: str) -> list[int]:
        """Encode a word. An unknown one may be several words, or words with punctuation."""
        if word not in self._known_words:
            several = _TOKEN.findall(word)
            numbers = (
                (self._word_numbers(one) for one in several) if len(several) > 1 else [self._split_word(word)]
            )
            self._known_words[word] = [number for found in numbers for number in found]
        return self._known_words[word]

    @cached_property
    def _word_pieces(self) -> WordPiece | None:
        """A tokenizer for parts of words, if the vocabulary has such parts."""
        if not any(known.startswith(PART_PREFIX) for known in self.words[len(MARKS) :]):
            return None
        from tokenizers.models import WordPiece

        return WordPiece(self.word_index, unk_token=MARKS[UNKNOWN], max_input_chars_per_word=40)

    def _split_word(self, word: str) -> list[int]:
        if self._word_pieces is None:
            return [UNKNOWN]
        return [token.id for token in self._word_pieces.tokenize(word)]

    def mirror_index(self) -> list[int]:
        """Return for each word the word for the mirrored scene."""
        found = list(range(len(self)))
        for one, other in _MIRRORED:
            if one in self.word_index and other in self.word_index:
                found[self.word_index[one]] = self.word_index[other]
                found[self.word_index[other]] = self.word_index[one]
        return found
