"""Similarity of texts to a corpus: shares of known n-grams, and the perplexity of a Kneser-Ney model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from typing import TypeAlias

Ngram: TypeAlias = tuple[str, ...]

UNKNOWN, BEGIN, END = "\N{WHITE SQUARE}", "\N{START OF HEADING}", "\N{END OF TRANSMISSION}"
"""Tokens for an unknown word and for the begin and end of a text; none can occur in a text."""


def word_ngrams(words: Sequence[str], long: int) -> Iterator[Ngram]:
    """Yield all n-grams of length `long`."""
    return zip(*(words[start:] for start in range(long)), strict=False)


class KnownNgrams:
    """The n-grams of one to four words that occur in some texts."""

    LONGEST = 4

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._grams: list[set[Ngram]] = [set() for _ in range(self.LONGEST)]
        for words in texts:
            for long, found in enumerate(self._grams, 1):
                found.update(word_ngrams(words, long))

    def known_shares(self, texts: Iterable[Sequence[str]]) -> tuple[float | None, ...]:
        """Return the share of known n-grams in other texts for each length; None where there are no
        n-grams."""
        seen, all_ = Counter[int](), Counter[int]()
        for words in texts:
            for long, known in enumerate(self._grams, 1):
                for gram in word_ngrams(words, long):
                    all_[long] += 1
                    seen[long] += gram in known
        return tuple(seen[long] / all_[long] if all_[long] else None for long in range(1, self.LONGEST + 1))


class KneserNey:
    """An interpolated Kneser-Ney language model with one discount per n-gram length (n₁ / (n₁ + 2 n₂)). Words
    that occur only once train the unknown word, so that every text has a likelihood above 0."""

    def __init__(self, texts: Sequence[Sequence[str]], order: int = 4) -> None:
        counts = Counter(word for words in texts for word in words)
        self.words = frozenset(word for word, count in counts.items() if count > 1)
        self.order = order
        self._flat = 1 / (len(self.words) + 2)
        top = Counter(gram for words in texts for gram in self._padded_ngrams(words))
        self._counts, self._after, self._types, self._discount = [], [], [], []
        for table in self._count_tables(top):
            self._counts.append(table)
            after, types = Counter[Ngram](), Counter[Ngram]()
            for gram, count in table.items():
                after[gram[:-1]] += count
                types[gram[:-1]] += 1
            self._after.append(after)
            self._types.append(types)
            met = Counter(table.values())
            self._discount.append(met[1] / (met[1] + 2 * met[2]) if met[1] and met[2] else 0.5)

    def _count_tables(self, top: Counter[Ngram]) -> list[Counter[Ngram]]:
        """Return the n-gram counts for each length. For all but the longest length they are the numbers of
        different words that precede the n-gram."""
        tables = [top]
        for _ in range(self.order - 1):
            tables.append(Counter(gram[1:] for gram in tables[-1]))
        return tables[::-1]

    def _padded_ngrams(self, words: Sequence[str]) -> Iterator[Ngram]:
        """Yield the n-grams that end in each word and in the end of the text, padded at the beginning."""
        known = [word if word in self.words else UNKNOWN for word in words]
        return word_ngrams([*[BEGIN] * (self.order - 1), *known, END], self.order)

    def word_likelihood(self, before: Ngram, word: str) -> float:
        """Return the probability of a word (or END, or UNKNOWN) after `order - 1` others, padded with
        BEGIN."""
        found = self._flat
        for shorter in range(self.order):
            context = before[len(before) - shorter :]
            if not (total := self._after[shorter][context]):
                break
            discount = self._discount[shorter]
            count = max(self._counts[shorter][*context, word] - discount, 0.0)
            found = (count + discount * self._types[shorter][context] * found) / total
        return found

    def perplexity(self, texts: Iterable[Sequence[str]]) -> float | None:
        """Return the perplexity per word, ends of texts included; None without texts."""
        lost, many = 0.0, 0
        for words in texts:
            for *before, word in self._padded_ngrams(words):
                lost -= log(self.word_likelihood(tuple(before), word))
                many += 1
        return exp(lost / many) if many else None
