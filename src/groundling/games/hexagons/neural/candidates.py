"""Several answers to one instruction: how they are written under the grammar, and which is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import Any, TypeGuard
from zlib import crc32

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor

from groundling.core.values import Problem
from groundling.games.hexagons.neural.answer_grammar import DEAD, AnswerTokens, FreeTokens
from groundling.games.hexagons.neural.executor import LearnedExecutor
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import Notation, Tile, answer_runs, read_action_notation
from groundling.games.hexagons.neural.reader_choice import painted_f1
from groundling.games.hexagons.neural.situations import Situation
from groundling.games.hexagons.neural.tokens import WordTokens

CANDIDATE_FEATURES = (
    "one",
    "paints nothing",
    "the likeliest",
    "likelihood",
    "likelihood of a token",
    "mean F1 with the others",
    "hundreds of tokens",
)
USUAL_RANKING = (0.0, 0.0, 0.0, 0.2, 0.2, 1.0, -0.1)
"""Set by hand: agreement above all, then how likely an answer is, then how short."""


class WrittenAnswer(Struct, frozen=True):
    text: str
    painted: dict[Tile, str]
    likely: float
    """The logarithm of its probability."""
    length: int
    """In tokens."""
    ended: bool
    """Else there was no room for the rest of it."""


class GrammarSearch:
    """Chooses the next tokens of many answers. Each `times` of them answer the same instruction: the first by
    the likeliest tokens, the others by draws."""

    def __init__(
        self,
        tokens: AnswerTokens | FreeTokens,
        end: int,
        seeds: Sequence[int],
        times: int,
        runs: Callable[[int, list[int]], bool],
        temperature: float = 1.0,
    ) -> None:
        """There is a seed for the draws of each instruction. `runs` is asked whether the answer of a row, as
        places of tokens, can be carried out. A temperature below 1 draws likely tokens more often."""
        rows = len(seeds) * times
        self._tokens, self._end, self._runs, self._times = tokens, end, runs, times
        self._lots = [np.random.default_rng(seed) for seed in seeds]
        self._temperature = temperature
        self.states = np.full(rows, tokens.start)
        self.over = np.zeros(rows, bool)
        self.likely = np.zeros(rows)
        self.places: list[list[int]] = [[] for _ in range(rows)]

    def choose_tokens(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The places of the next tokens, by the log-probability of each token in each row."""
        after = self._tokens.after_tokens(self.states.tolist())
        wishes = np.where(after == DEAD, -np.inf, scores + self._draw_noise(scores.shape[1]))
        chosen: np.ndarray[Any, Any] = wishes.argmax(1)
        for row in np.nonzero((chosen == self._end) & ~self.over)[0].tolist():
            if not self._runs(row, self.places[row]):
                wishes[row, self._end] = -np.inf
                chosen[row] = wishes[row].argmax()
        chosen[self.over] = self._end
        every = np.arange(len(chosen))
        self.likely += np.where(self.over, 0.0, scores[every, chosen])
        for row in np.nonzero(~self.over)[0].tolist():
            self.places[row].append(int(chosen[row]))
        self.states = np.where(self.over, self.states, after[every, chosen])
        self.over |= chosen == self._end
        return chosen

    def _draw_noise(self, width: int) -> np.ndarray[Any, Any]:
        """What makes the likeliest token a draw, for all rows but the first of each instruction."""
        noise = np.zeros((len(self._lots), self._times, width))
        for part, lot in zip(noise, self._lots, strict=True):
            part[1:] = self._temperature * lot.gumbel(size=(self._times - 1, width))
        return noise.reshape(-1, width)


def can_follow_grammar(model: LearnedExecutor) -> TypeGuard[Generator]:
    """Whether it writes letter by letter: classifiers do not write, and new models write whole words."""
    return isinstance(model, Generator) and not isinstance(model.tokens, WordTokens)


class GrammarExecutor:
    """A generator that writes only what its grammar allows, and takes the best of several such answers."""

    def __init__(
        self, model: LearnedExecutor, draws: int = 0, ranking: Sequence[float] = USUAL_RANKING
    ) -> None:
        if not can_follow_grammar(model):
            raise Problem("only generators over SmolLM2 write under a grammar, so that draws= is of no use")
        self.model, self.draws, self.ranking = model, draws, ranking
        self._allowed = model.answer_grammar

    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        found = self.write_candidates(situations)
        return [rank_answers(candidates, self.ranking).painted for candidates in found]

    def write_candidates(self, situations: Sequence[Situation]) -> list[list[WrittenAnswer]]:
        """For each situation the likeliest answer under the grammar, then those that are drawn."""
        times, notation = 1 + self.draws, self.model.settings.notation

        def read_row(row: int, places: Sequence[int]) -> tuple[str, Notation, str]:
            boards = situations[row // times].boards
            text = "".join(self._allowed.pieces[place] for place in places)
            return text, notation, boards[-1] if boards else ""

        def runs(row: int, places: Sequence[int]) -> bool:
            return answer_runs(*read_row(row, places))

        seeds = [crc32("\n".join(one.texts).encode()) for one in situations]
        search = GrammarSearch(self._allowed, self._allowed.end, seeds, times, runs)

        def choose(scores: Tensor) -> tuple[Tensor, Tensor]:
            return torch.from_numpy(search.choose_tokens(scores.numpy())), torch.from_numpy(search.over)

        self.model.write_by_choice(situations, times, choose)
        written = [
            WrittenAnswer(
                text=read_row(row, places)[0],
                painted=read_action_notation(*read_row(row, places)),
                likely=float(search.likely[row]),
                length=len(places),
                ended=bool(search.over[row]),
            )
            for row, places in enumerate(search.places)
        ]
        return [written[first : first + times] for first in range(0, len(written), times)]


def describe_answers(candidates: Sequence[WrittenAnswer]) -> np.ndarray[Any, Any]:
    """A row of features for each; the first of the candidates is the likeliest."""
    rows = []
    for place, one in enumerate(candidates):
        others = [other.painted for number, other in enumerate(candidates) if number != place]
        agrees = float(np.mean([painted_f1(one.painted, other) for other in others])) if others else 1.0
        rows.append(
            [
                1.0,
                float(not one.painted),
                float(not place),
                exp(one.likely),
                exp(one.likely / one.length),
                agrees,
                one.length / 100,
            ]
        )
    return np.array(rows)


def rank_answers(candidates: Sequence[WrittenAnswer], ranking: Sequence[float]) -> WrittenAnswer:
    """The candidate that is expected to be best, of those that were written to their end."""
    scores = describe_answers(candidates) @ np.array(ranking)
    ended = np.array([one.ended for one in candidates])
    return candidates[int(np.where(ended | ~ended.any(), scores, -np.inf).argmax())]
