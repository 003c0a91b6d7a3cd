"""The choice of `reader` among what the rules and the network propose: the answer with the highest expected
F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.core.values import Problem
from groundling.games.hexagons.neural.hints import RuleReading
from groundling.games.hexagons.neural.notation import Tile

Painted: TypeAlias = Mapping[Tile, str]
_RIDGE = 3.0
HINT, PLAIN = "hint", "no hint"
"""The two prompts of the network: with and without what the rules paint."""
PROGRAM = "program, "
"""Before a prompt: it is shown to a second network, which answers by programs."""


def is_program(view: str) -> bool:
    return view.startswith(PROGRAM)


def list_features(views: Sequence[str]) -> tuple[str, ...]:
    """Features of an answer: whether it is the rules', how near the other proposals are, and how likely the
    network thinks it after each of the prompts; of its program, how likely and how long it is."""
    likely = [
        f"{whose}likelihood{of}, {view}"
        for view in views
        if not is_program(view)
        for whose in ("", "rules, ")
        for of in ("", " of a token")
    ]
    program = [
        f"{what}, {view}"
        for view in views
        if is_program(view)
        for what in ("likelihood", "likelihood of a token", "hundreds of tokens")
    ]
    return (
        "one",
        "paints nothing",
        "rules",
        "F1 with the other proposals",
        *likely,
        "rules that paint nothing",
        "rules, words unread",
        *program,
    )


SURE = 1.0
"""The share of sentences read in full from which on the rules are not doubted."""
_MOST_UNREAD = 12


class AnswerCandidate(Struct, frozen=True):
    """An answer that is proposed, and what the network thinks of it."""

    painted: Painted
    likely: tuple[float, ...]
    """The logarithm of how likely the network thinks it, after each of its prompts."""
    length: int
    """In tokens."""
    votes: int = 1
    """How many propose it."""
    program: tuple[float, ...] = ()
    """The features of its program, for each prompt of a network that answers by programs."""


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
    unread = min(evidence.rules.unread, _MOST_UNREAD) / _MOST_UNREAD
    others = sum(one.votes for one in evidence.candidates) - 1
    rows = []
    for number, one in enumerate(evidence.candidates):
        shared = sum(other.votes * painted_f1(one.painted, other.painted) for other in evidence.candidates)
        agrees = (shared - 1) / others if others else 1.0
        mine, nothing = float(number == 0), float(not one.painted)
        likely = [
            whose * share
            for view in one.likely
            for whose in (1.0, mine)
            for share in (exp(view), exp(view / one.length))
        ]
        rows.append([1.0, nothing, mine, agrees, *likely, mine * nothing, mine * unread, *one.program])
    return np.array(rows)


def describe_program(likely: float, tokens: int) -> tuple[float, float, float]:
    """The features of a program."""
    return exp(likely), exp(likely / tokens), tokens / 100


def choose_answer(evidence: ReadingEvidence, weights: Sequence[float]) -> tuple[Painted, float]:
    """The answer with the highest expected F1, and that F1."""
    if not evidence.candidates:
        return evidence.rules.painted, 1.0
    expected = describe_candidates(evidence) @ np.array(weights)
    best = int(expected.argmax())
    return evidence.candidates[best].painted, float(expected[best])


def can_be_chosen(evidence: ReadingEvidence, weights: Sequence[float]) -> bool:
    """Whether the second of two candidates may be chosen once it is written to its end: it only gets less
    likely. How near the two are counts the same for both."""
    own = zip(list_features((HINT,)), weights, strict=True)
    grows = any(weight < 0 for name, weight in own if name.startswith(("paints", "likelihood")))
    rules, other = describe_candidates(evidence) @ np.array(weights)
    return grows or bool(other > rules)


def fit_choice(found: Sequence[tuple[ReadingEvidence, Painted]]) -> list[float]:
    """Weights of the features by which F1 is predicted best, of these instructions with their right answers.
    Each instruction counts the same."""
    lefts, rights = [], []
    for evidence, gold in found:
        if not evidence.candidates:
            continue
        rows = describe_candidates(evidence)
        aims = np.array([painted_f1(one.painted, gold) for one in evidence.candidates])
        lefts.append(rows.T @ rows / len(rows))
        rights.append(rows.T @ aims / len(rows))
    if not rights:
        raise Problem("the rules are sure of all these instructions: fit a choice on images with others")
    left = np.sum(lefts, 0) + _RIDGE * np.eye(len(rights[0]))
    return [float(weight) for weight in np.linalg.solve(left, np.sum(rights, 0))]
