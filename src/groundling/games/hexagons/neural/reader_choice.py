"""The choice of `reader` among what the rules and the network propose: the answer with the highest expected
F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.games.hexagons.neural.hints import RuleReading
from groundling.games.hexagons.neural.notation import Tile

Painted: TypeAlias = Mapping[Tile, str]
_RIDGE = 3.0
FEATURES = (
    "one",
    "paints nothing",
    "rules",
    "F1 with the other",
    "likelihood",
    "likelihood of a token",
    "rules, likelihood",
    "rules, likelihood of a token",
    "rules that paint nothing",
    "rules, words unread",
)
"""Of an answer: whether it is the rules', how likely the network thinks it, and how near the others are."""
SURE = 1.0
"""The share of sentences read in full from which on the rules are not doubted."""
_MOST_UNREAD = 12


class AnswerCandidate(Struct, frozen=True):
    """A possible answer, the logarithm of how likely the network thinks it, and its length in tokens."""

    painted: Painted
    likely: float
    length: int


class ReadingEvidence(Struct, frozen=True):
    """What is known of an instruction before an answer is chosen."""

    rules: RuleReading
    candidates: tuple[AnswerCandidate, ...] = ()
    """Different answers, that of the rules first; none where the rules are sure."""


def painted_f1(one: Painted, other: Painted) -> float:
    """F1 of two sets of actions; two empty ones agree."""
    if not one and not other:
        return 1.0
    return 2 * len(one.items() & other.items()) / (len(one) + len(other))


def describe_candidates(evidence: ReadingEvidence) -> np.ndarray[Any, Any]:
    """A row of features for each candidate."""
    answers = [one.painted for one in evidence.candidates]
    unread = min(evidence.rules.unread, _MOST_UNREAD) / _MOST_UNREAD
    rows = []
    for number, one in enumerate(evidence.candidates):
        others = [painted_f1(one.painted, other) for other in answers[:number] + answers[number + 1 :]]
        agrees = sum(others) / len(others) if others else 1.0
        mine, nothing = float(number == 0), float(not one.painted)
        whole, each = exp(one.likely), exp(one.likely / one.length)
        rows.append(
            [
                1.0,
                nothing,
                mine,
                agrees,
                whole,
                each,
                mine * whole,
                mine * each,
                mine * nothing,
                mine * unread,
            ]
        )
    return np.array(rows)


def choose_answer(evidence: ReadingEvidence, weights: Sequence[float]) -> tuple[Painted, float]:
    """The answer with the highest expected F1, and that F1."""
    if not evidence.candidates:
        return evidence.rules.painted, 1.0
    expected = describe_candidates(evidence) @ np.array(weights)
    best = int(expected.argmax())
    return evidence.candidates[best].painted, float(expected[best])


def fit_choice(found: Sequence[tuple[ReadingEvidence, Painted]]) -> list[float]:
    """Weights of the features by which F1 is predicted best, of these instructions with their right answers.
    Each instruction counts the same."""
    left = _RIDGE * np.eye(len(FEATURES))
    right = np.zeros(len(FEATURES))
    for evidence, gold in found:
        if not evidence.candidates:
            continue
        rows = describe_candidates(evidence)
        aims = np.array([painted_f1(one.painted, gold) for one in evidence.candidates])
        left += rows.T @ rows / len(rows)
        right += rows.T @ aims / len(rows)
    return [float(weight) for weight in np.linalg.solve(left, right)]
