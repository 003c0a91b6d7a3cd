"""Several answers to one instruction: how they are written under the grammar, and which is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.games.hexagons.neural.answer_grammar import DEAD, AnswerTokens
from groundling.games.hexagons.neural.notation import Tile

Painted: TypeAlias = Mapping[Tile, str]
_RIDGE = 3.0
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


class AnswerCandidate(Struct, frozen=True):
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
        self, tokens: AnswerTokens, end: int, rows: int, times: int, runs: Callable[[int, list[int]], bool]
    ) -> None:
        """`runs` is asked whether the answer of a row, as places of tokens, can be carried out."""
        self._tokens, self._end, self._runs = tokens, end, runs
        self._drawn = np.arange(rows) % times != 0
        self._lot = np.random.default_rng(rows)
        self.states = np.full(rows, tokens.start)
        self.over = np.zeros(rows, bool)
        self.likely = np.zeros(rows)
        self.places: list[list[int]] = [[] for _ in range(rows)]

    def choose_tokens(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The places of the next tokens, by the log-probability of each token in each row."""
        after = self._tokens.after_tokens(self.states.tolist())
        noise = self._lot.gumbel(size=scores.shape) * self._drawn[:, None]
        wishes = np.where(after == DEAD, -np.inf, scores + noise)
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


def painted_f1(one: Painted, other: Painted) -> float:
    """F1 of two sets of actions; two empty ones agree."""
    if not one and not other:
        return 1.0
    return 2 * len(one.items() & other.items()) / (len(one) + len(other))


def describe_answers(candidates: Sequence[AnswerCandidate]) -> np.ndarray[Any, Any]:
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


def rank_answers(candidates: Sequence[AnswerCandidate], ranking: Sequence[float]) -> AnswerCandidate:
    """The candidate that is expected to be best, of those that were written to their end."""
    scores = describe_answers(candidates) @ np.array(ranking or USUAL_RANKING)
    ended = np.array([one.ended for one in candidates])
    return candidates[int(np.where(ended | ~ended.any(), scores, -np.inf).argmax())]


def fit_expected_f1(
    found: Sequence[tuple[np.ndarray[Any, Any], Sequence[float]]], features: int
) -> list[float]:
    """Weights of features by which F1 is predicted best: for each instruction the rows of its candidates, and
    what each of them reached. Each instruction counts the same."""
    left, right = _RIDGE * np.eye(features), np.zeros(features)
    for rows, aims in found:
        left += rows.T @ rows / len(rows)
        right += rows.T @ np.array(aims) / len(rows)
    return [float(weight) for weight in np.linalg.solve(left, right)]
