"""Texts as rows of numbers: the byte pairs of a language model, or words and pieces of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import Protocol

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS
from groundling.games.hexagons.neural.answer_grammar import DEEPEST, GRAMMARS, INDENT, AnswerGrammar
from groundling.games.hexagons.neural.notation import NOTHING, Notation
from groundling.scores.token_count import split_lower_words

PAD, UNKNOWN, START, END = range(4)
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
PIECE = "##"
_NUMBERS = tuple(str(number) for number in range(max(ROWS, COLUMNS) + 1))
_ANSWER_WORDS = (*COLOURS, NOTHING, *_NUMBERS, ":", "-", ",", ";")
_SAMPLES = (
    NOTHING,
    " ".join(f"{number}:{number}" for number in _NUMBERS),
    *(f"{colour} 10:2-3,4 15:6-7,8 9:1; {other} 1:2" for colour in COLOURS for other in COLOURS),
    *(f"0 12 {colour}, 3 4 {colour}, 5 16 {colour}, 7 8 {colour}, 9 9 {colour}" for colour in COLOURS),
)
"""Texts in which everything occurs that an answer in runs or triplets may be made of."""
_SPACED = re.compile(r" (?=[.,;:!?)])|(?<=\() | (?=[-'/] \w)|(?<=\w [-'/]) ")
"""The spaces around marks, which are words of their own."""
_PROGRAM_SAMPLES = 3000
"""Programs drawn at random, in which about everything occurs that a program may be made of."""


class ChatTokens(Protocol):
    """What a generator needs to know of its tokens."""

    @property
    def end(self) -> int:
        """Ends an answer."""
        ...

    def encode_turn(self, text: str) -> list[int]:
        """What somebody else says, and the opening of the answer."""
        ...

    def encode_answer(self, text: str) -> list[int]:
        """With its end."""
        ...

    def decode(self, numbers: Sequence[int]) -> str: ...


class TextTokens(Protocol):
    """What a classifier needs to know of its tokens."""

    @property
    def pad(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    def encode(self, text: str) -> list[int]: ...


def answer_tokens(tokens: ChatTokens, notation: Notation) -> list[int]:
    """All tokens that an answer may consist of: a generator chooses among these alone."""
    samples = set(_SAMPLES)
    if notation == "program":
        lot, grammar = Random(0), AnswerGrammar(GRAMMARS[notation])
        samples = {grammar.write_sample(lot) for _ in range(_PROGRAM_SAMPLES)}
        samples |= {f"{NOTHING}\n{INDENT * depth}paint" for depth in range(DEEPEST + 1)}
        samples |= {letter for sample in samples for letter in sample}  # no beginning is a dead end
    return sorted({number for sample in samples for number in tokens.encode_answer(sample)})


class BytePairTokens:
    """Those of SmolLM2, in its chat form."""

    def __init__(self, pieces: Sequence[str], merges: Sequence[str], marks: Sequence[str]) -> None:
        pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
        self._cut = Tokenizer(models.BPE({piece: number for number, piece in enumerate(pieces)}, pairs))
        digits, bytes_ = (
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        )
        self._cut.pre_tokenizer = pre_tokenizers.Sequence([digits, bytes_])
        self._cut.decoder = decoders.ByteLevel()
        self._cut.add_special_tokens([AddedToken(mark, special=True) for mark in marks])
        self._open, self.end = pieces.index("<|im_start|>"), pieces.index("<|im_end|>")
        # of a dialog that continues, all but the end was encoded before
        self._encode = lru_cache(maxsize=50_000)(self._encode_text)
        self._line = self._encode("\n")

    def _encode_text(self, text: str) -> tuple[int, ...]:
        return tuple(self._cut.encode(text, add_special_tokens=False).ids)

    @cached_property
    def _roles(self) -> tuple[list[int], list[int]]:
        return [self._open, *self._encode("user\n")], [self._open, *self._encode("assistant\n")]

    def encode_turn(self, text: str) -> list[int]:
        user, assistant = self._roles
        # the marks of the chat form cannot be said: an instruction that spells them is read without them
        said = self._encode(text.replace("<|", "<").replace("|>", ">"))
        return [*user, *said, self.end, *self._line, *assistant]

    def encode_answer(self, text: str) -> list[int]:
        return [*self._encode(text), self.end]

    def decode(self, numbers: Sequence[int]) -> str:
        return self._cut.decode(numbers)


class WordTokens:
    """Words, marks and, where the vocabulary has them, pieces of words; in small letters."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.pad, self.start, self.end = PAD, START, END
        index = {word: number for number, word in enumerate(self.words)}
        pieces = any(word.startswith(PIECE) for word in self.words)
        model = (
            models.WordPiece(index, unk_token=MARKS[UNKNOWN], max_input_chars_per_word=40)
            if pieces
            else models.WordLevel(index, unk_token=MARKS[UNKNOWN])
        )
        self._cut = Tokenizer(model)
        self._cut.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._cut.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        self._encode = lru_cache(maxsize=50_000)(self._encode_text)

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, text: str) -> list[int]:
        return list(self._encode(text))

    def _encode_text(self, text: str) -> tuple[int, ...]:
        return tuple(self._cut.encode(text, add_special_tokens=False).ids)

    def encode_turn(self, text: str) -> list[int]:
        return [START, *self.encode(text), END]

    def encode_answer(self, text: str) -> list[int]:
        return [*self.encode(text), END]

    def decode(self, numbers: Sequence[int]) -> str:
        return _SPACED.sub("", " ".join(self.words[number] for number in numbers if number != END))


def build_word_tokens(texts: Iterable[str], least: int = 2) -> WordTokens:
    """All words that occur at least so often, and those of answers."""
    counts = Counter(word for text in texts for word in split_lower_words(text))
    known = sorted({word for word, count in counts.items() if count >= least} - set(_ANSWER_WORDS))
    return WordTokens((*MARKS, *_ANSWER_WORDS, *known))


def cut_word_tokens(pieces: Sequence[str], texts: Iterable[str]) -> tuple[WordTokens, list[int]]:
    """Of a pretrained model's pieces those that these texts need, and single letters; with their numbers."""
    known = WordTokens(pieces)
    used = {number for text in {*texts, *_ANSWER_WORDS} for number in known.encode(text)}
    single = {
        number
        for number, piece in enumerate(pieces)
        if len(piece.removeprefix(PIECE)) == 1 and piece.isascii()
    }
    index = {piece: number for number, piece in enumerate(pieces)}
    marks = [index[mark] for mark in MARKS]
    kept = [*marks, *sorted((used | single) - set(marks))]
    return WordTokens([pieces[number] for number in kept]), kept
