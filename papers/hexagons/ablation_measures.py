"""What a row of the ablation reaches: by the rules, the network and the choice, with gold and own boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from papers.hexagons.batched_reading import GOLD, BatchedReader, Choose, ReadProcedure

from groundling.games.hexagons.neural.executor import score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import Tile
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.games.hexagons.neural.reader import CONTEXT
from groundling.games.hexagons.neural.reader_choice import (
    SURE,
    Painted,
    ReadingEvidence,
    choose_answer,
    fit_choice,
    painted_f1,
)

ALWAYS = 2.0
"""No share of sentences is that high: the network is asked even where the rules are sure."""


class InstructionScores(Struct, frozen=True):
    """F1 in thousandths, and exact match as a digit, of each instruction."""

    f1: list[int]
    exact: str

    @property
    def told(self) -> str:
        exact = self.exact.count("1") / len(self.exact)
        return f"{sum(self.f1) / len(self.f1) / 10:.1f} / {100 * exact:.1f}"


def score_answers_of(
    procedures: Sequence[Procedure], done: Sequence[Sequence[Mapping[Tile, str]]]
) -> InstructionScores:
    found = score_executor_actions(procedures, done)
    return InstructionScores(
        [round(1000 * one) for one in found[:, 2].tolist()], "".join(str(int(one)) for one in found[:, 3])
    )


def network_answer(procedure: Procedure, evidence: ReadingEvidence) -> Painted:
    """The answer of a single network; where there is but one candidate, the rules have the same."""
    return evidence.candidates[-1].painted


def trust_sure_rules(evidence: ReadingEvidence) -> ReadingEvidence:
    """What `reader` would know: where the rules are sure, the network is not asked."""
    return ReadingEvidence(evidence.rules) if evidence.rules.whole >= SURE else evidence


def fit_on(found: Sequence[ReadProcedure]) -> list[float]:
    """Weights of the features, from instructions of which the right answer is known."""
    return fit_choice(
        [
            (trust_sure_rules(evidence), one.procedure.step_changes(number))
            for one in found
            for number, evidence in enumerate(one.evidence)
        ]
    )


def choose_by(weights: Sequence[float]) -> Choose:
    return lambda procedure, evidence: choose_answer(trust_sure_rules(evidence), weights)[0]


def choose_across(found: Sequence[ReadProcedure]) -> Choose:
    """The choice for every second image is fitted on the other images."""
    images = sorted({one.procedure.image for one in found})
    halves = [set(images[start::2]) for start in (0, 1)]
    fitted = [fit_on([one for one in found if one.procedure.image not in half]) for half in halves]
    return lambda procedure, evidence: choose_by(fitted[procedure.image in halves[1]])(procedure, evidence)


def best_answer(evidence: ReadingEvidence, gold: Painted) -> Painted:
    """The candidate nearest to the right answer."""
    return max((one.painted for one in evidence.candidates), key=lambda one: painted_f1(one, gold))


def measure_row(
    models: Sequence[Generator], held: Sequence[Procedure], dev: Sequence[Procedure], *, hints: bool
) -> Iterator[tuple[str, InstructionScores]]:
    """Scores under names such as `held gold choice`. Without dev, own boards are the choice's alone. An
    ensemble has no answer of the network alone."""
    alone = len(models) == 1
    asking = BatchedReader(models, hints, ALWAYS)
    reader = BatchedReader(models, hints)

    def answers(found: Sequence[ReadProcedure], choose: Choose) -> list[list[Painted]]:
        return [[choose(one.procedure, evidence) for evidence in one.evidence] for one in found]

    known = asking.read_procedures(held, GOLD, lambda procedure, evidence: {})
    across, fitted = choose_across(known), fit_on(known)
    yield "held gold rules", score_answers_of(held, answers(known, lambda _, one: one.rules.painted))
    if alone:
        yield "held gold network", score_answers_of(held, answers(known, network_answer))
    yield "held gold choice", score_answers_of(held, answers(known, across))
    best = [
        [best_answer(evidence, one.procedure.step_changes(n)) for n, evidence in enumerate(one.evidence)]
        for one in known
    ]
    yield "held gold best candidate", score_answers_of(held, best)
    if alone and hints:
        blind = BatchedReader(models, hints=False, sure=ALWAYS)
        found = blind.read_procedures(held, GOLD, network_answer)
        yield "held gold network without hint", score_answers_of(held, [one.painted for one in found])
    own = reader.read_procedures(held, CONTEXT, across)
    yield "held own choice", score_answers_of(held, [one.painted for one in own])
    if not dev:
        return
    if alone:
        found = asking.read_procedures(held, CONTEXT, network_answer)
        yield "held own network", score_answers_of(held, [one.painted for one in found])
    found = asking.read_procedures(dev, GOLD, choose_by(fitted))
    yield "dev gold choice", score_answers_of(dev, [one.painted for one in found])
    if alone:
        yield "dev gold network", score_answers_of(dev, answers(found, network_answer))
    found = reader.read_procedures(dev, CONTEXT, choose_by(fit_on(own)))
    yield "dev own choice", score_answers_of(dev, [one.painted for one in found])


def mean_scores(scores: Sequence[InstructionScores]) -> np.ndarray[Any, Any]:
    """F1 and exact match in per cent, a row for each instruction, means over seeds."""
    each = [
        [[f1 / 10, 100 * int(exact)] for f1, exact in zip(one.f1, one.exact, strict=True)] for one in scores
    ]
    found: np.ndarray[Any, Any] = np.mean(each, 0)
    return found
