"""How like somebody's language other texts are: which runs of words it has, and how likely it finds
theirs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from typing import TypeAlias

Gram: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(r"\w+|[^\w\s]")
UNKNOWN, BEGIN, END = "\N{WHITE SQUARE}", "\N{START OF HEADING}", "\N{END OF TRANSMISSION}"
"""A word that is not known, and where a text begins and ends: none can be a word or mark that somebody wrote."""


def spoken(text: str) -> list[str]:
    """Words and punctuation marks, in small letters."""
    return _TOKEN.findall(text.lower())


def grams(words: Sequence[str], long: int) -> Iterator[Gram]:
    """All runs of so many words."""
    return zip(*(words[start:] for start in range(long)), strict=False)


class Known:
    """The runs of one to four words that occur in some texts."""

    LONGEST = 4

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._grams: list[set[Gram]] = [set() for _ in range(self.LONGEST)]
        for words in texts:
            for long, found in enumerate(self._grams, 1):
                found.update(grams(words, long))

    def shares(self, texts: Iterable[Sequence[str]]) -> tuple[float | None, ...]:
        """Of the runs of one word in other texts, of two and so on, how many are known; None where there are
        none."""
        seen, all_ = Counter[int](), Counter[int]()
        for words in texts:
            for long, known in enumerate(self._grams, 1):
                for gram in grams(words, long):
                    all_[long] += 1
                    seen[long] += gram in known
        return tuple(seen[long] / all_[long] if all_[long] else None for long in range(1, self.LONGEST + 1))


class KneserNey:
    """A model of texts: interpolated Kneser-Ney, with one discount for each length of run (n₁ / (n₁ + 2 n₂)).
    Words that it has met only once teach it what an unknown word is like, so that every text has a likelihood
    above 0."""

    def __init__(self, texts: Sequence[Sequence[str]], order: int = 4) -> None:
        counts = Counter(word for words in texts for word in words)
        self.words = frozenset(word for word, count in counts.items() if count > 1)
        self.order = order
        self._flat = 1 / (len(self.words) + 2)
        top = Counter(gram for words in texts for gram in self._runs(words))
        self._counts, self._after, self._types, self._discount = [], [], [], []
        for table in self._tables(top):
            self._counts.append(table)
            after, types = Counter[Gram](), Counter[Gram]()
            for gram, count in table.items():
                after[gram[:-1]] += count
                types[gram[:-1]] += 1
            self._after.append(after)
            self._types.append(types)
            met = Counter(table.values())
            self._discount.append(met[1] / (met[1] + 2 * met[2]) if met[1] and met[2] else 0.5)

    def _tables(self, top: Counter[Gram]) -> list[Counter[Gram]]:
        """For each length, how often a run occurs; of runs shorter than the longest, after how many words it
        does."""
        tables = [top]
        for _ in range(self.order - 1):
            tables.append(Counter(gram[1:] for gram in tables[-1]))
        return tables[::-1]

    def _runs(self, words: Sequence[str]) -> Iterator[Gram]:
        """Of each word, and of the end, with all before it that counts."""
        known = [word if word in self.words else UNKNOWN for word in words]
        return grams([*[BEGIN] * (self.order - 1), *known, END], self.order)

    def likelihood(self, before: Gram, word: str) -> float:
        """Of a word (or END, or UNKNOWN) after as many others as count; BEGIN stands where there are not so
        many."""
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
        """Of a word, or the end, on average; None of nothing."""
        lost, many = 0.0, 0
        for words in texts:
            for *before, word in self._runs(words):
                lost -= log(self.likelihood(tuple(before), word))
                many += 1
        return exp(lost / many) if many else None
