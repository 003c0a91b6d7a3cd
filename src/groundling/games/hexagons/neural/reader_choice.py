"""The choice of `reader` among what the rules and the network propose: the answer with the highest expected
F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    "F1 with the rules",
    "F1 without hint",
    "F1 with hint",
    "rules that paint nothing",
    "paints nothing, F1 with hint",
    "rules, words unread",
)
"""Of an answer: whether it is the rules', and its mean F1 with what else is proposed."""
SURE = 1.0
"""The share of sentences read in full from which on the rules are not doubted."""
_MOST_UNREAD = 12


class ReadingEvidence(Struct, frozen=True):
    """What is known of an instruction before an answer is chosen."""

    rules: RuleReading
    plain: tuple[Painted, ...]
    """Answers that the network drew without a hint …"""
    hinted: tuple[Painted, ...]
    """… and with one."""


def painted_f1(one: Painted, other: Painted) -> float:
    """F1 of two sets of actions; two empty ones agree."""
    if not one and not other:
        return 1.0
    return 2 * len(one.items() & other.items()) / (len(one) + len(other))


def describe_candidates(evidence: ReadingEvidence) -> tuple[list[Painted], np.ndarray[Any, Any]]:
    """The different answers that are proposed, the rules' first, and a row of features for each."""
    rules = evidence.rules
    candidates: list[Painted] = [rules.painted]
    for answer in (*evidence.plain, *evidence.hinted):
        if answer not in candidates:
            candidates.append(answer)
    unread = min(rules.unread, _MOST_UNREAD) / _MOST_UNREAD
    rows = []
    for place, answer in enumerate(candidates):
        nothing, mine = float(not answer), float(place == 0)
        plain, hinted = (_mean_f1(answer, part) for part in (evidence.plain, evidence.hinted))
        agrees = painted_f1(answer, rules.painted)
        rows.append(
            [1.0, nothing, mine, agrees, plain, hinted, mine * nothing, nothing * hinted, mine * unread]
        )
    return candidates, np.array(rows)


def _mean_f1(answer: Painted, others: Sequence[Painted]) -> float:
    return sum(painted_f1(answer, other) for other in others) / len(others)


def choose_answer(evidence: ReadingEvidence, weights: Sequence[float]) -> tuple[Painted, float]:
    """The answer with the highest expected score, and that score."""
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
        candidates, rows = describe_candidates(evidence)
        aims = np.array([painted_f1(one, gold) for one in candidates])
        left += rows.T @ rows / len(rows)
        right += rows.T @ aims / len(rows)
    return [float(weight) for weight in np.linalg.solve(left, right)]
