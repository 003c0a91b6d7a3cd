"""The choice of `reader` among what the rules and the network propose: the answer with the highest expected
F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.games.hexagons.neural.generator import FollowedDraft
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
"""Of an answer: whether it is the rules', how likely the network thinks it, and how near the other one is."""
SURE = 1.0
"""The share of sentences read in full from which on the rules are not doubted."""
_MOST_UNREAD = 12


class ReadingEvidence(Struct, frozen=True):
    """What is known of an instruction before an answer is chosen."""

    rules: RuleReading
    network: FollowedDraft | None = None
    """It is not asked where the rules are sure."""


def painted_f1(one: Painted, other: Painted) -> float:
    """F1 of two sets of actions; two empty ones agree."""
    if not one and not other:
        return 1.0
    return 2 * len(one.items() & other.items()) / (len(one) + len(other))


def describe_candidates(evidence: ReadingEvidence) -> tuple[list[Painted], np.ndarray[Any, Any]]:
    """The answer of the rules, then that of the network if it differs, and a row of features for each."""
    rules, network = evidence.rules, evidence.network
    assert network is not None
    agrees = painted_f1(rules.painted, network.painted)
    unread = min(rules.unread, _MOST_UNREAD) / _MOST_UNREAD
    candidates = [
        (rules.painted, 1.0, network.draft_likely, network.draft_length),
        (network.painted, 0.0, network.likely, network.length),
    ]
    if rules.painted == network.painted:
        candidates.pop()
    rows = []
    for answer, mine, likely, length in candidates:
        nothing, whole, each = float(not answer), exp(likely), exp(likely / length)
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
    return [answer for answer, *_ in candidates], np.array(rows)


def choose_answer(evidence: ReadingEvidence, weights: Sequence[float]) -> tuple[Painted, float]:
    """The answer with the highest expected F1, and that F1."""
    if evidence.network is None:
        return evidence.rules.painted, 1.0
    candidates, rows = describe_candidates(evidence)
    expected = rows @ np.array(weights)
    best = int(expected.argmax())
    return candidates[best], float(expected[best])


def fit_choice(found: Sequence[tuple[ReadingEvidence, Painted]]) -> list[float]:
    """Weights of the features by which F1 is predicted best, of these instructions with their right answers.
    Each instruction counts the same."""
    left = _RIDGE * np.eye(len(FEATURES))
    right = np.zeros(len(FEATURES))
    for evidence, gold in found:
        if evidence.network is None:
            continue
        candidates, rows = describe_candidates(evidence)
        aims = np.array([painted_f1(one, gold) for one in candidates])
        left += rows.T @ rows / len(rows)
        right += rows.T @ aims / len(rows)
    return [float(weight) for weight in np.linalg.solve(left, right)]
