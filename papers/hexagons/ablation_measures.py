"""What a row of the ablation reaches: by the rules, the network and the choice, with gold and own boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from papers.hexagons.batched_reading import GOLD, BatchedReader, CandidateSet, Choose, ReadProcedure

from groundling.games.hexagons.neural.executor import score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import Tile
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.games.hexagons.neural.reader import CONTEXT
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PLAIN,
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


def network_answer(row: int, evidence: ReadingEvidence) -> Painted:
    """The answer of a single network after one prompt; a single candidate is the rules' answer as well."""
    return evidence.candidates[-1].painted


def fit_on(found: Iterable[ReadProcedure], candidates: CandidateSet) -> list[float]:
    """Weights of the features, from instructions of which the right answer is known."""
    return fit_choice(
        [
            (candidates.keep_candidates(evidence), one.procedure.step_changes(number))
            for one in found
            for number, evidence in enumerate(one.evidence)
        ]
    )


def choose_by(weights: Sequence[float], candidates: CandidateSet) -> Choose:
    return lambda row, evidence: choose_answer(candidates.keep_candidates(evidence), weights)[0]


def choose_across(found: Sequence[ReadProcedure], candidates: CandidateSet) -> Choose:
    """The choice for every second image is fitted on the other images."""
    images = sorted({one.procedure.image for one in found})
    halves = [set(images[start::2]) for start in (0, 1)]
    fitted = [
        choose_by(fit_on([one for one in found if one.procedure.image not in half], candidates), candidates)
        for half in halves
    ]
    return lambda row, evidence: fitted[found[row].procedure.image in halves[1]](row, evidence)


def answers_by(found: Sequence[ReadProcedure], choose: Choose) -> list[list[Painted]]:
    """What is chosen in the situations of an earlier reading."""
    return [[choose(row, evidence) for evidence in one.evidence] for row, one in enumerate(found)]


def best_answer(evidence: ReadingEvidence, gold: Painted) -> Painted:
    """The candidate nearest to the right answer; where there is none, the answer of the rules."""
    if not evidence.candidates:
        return evidence.rules.painted
    return max((one.painted for one in evidence.candidates), key=lambda one: painted_f1(one, gold))


def measure_row(
    models: Sequence[Generator], held: Sequence[Procedure], dev: Sequence[Procedure], *, hints: bool
) -> Iterator[tuple[str, InstructionScores]]:
    """Scores under names such as `held gold choice`. Without dev, own boards are the choice's alone. An
    ensemble has no answer of the network alone."""
    alone, candidates = len(models) == 1, CandidateSet((HINT,) if hints else (PLAIN,))
    asking = BatchedReader(models, candidates, ALWAYS)
    reader = BatchedReader(models, candidates)
    known = asking.read_procedures(held, GOLD, lambda row, evidence: {})
    across, fitted = choose_across(known, candidates), fit_on(known, candidates)
    yield "held gold rules", score_answers_of(held, answers_by(known, lambda _, one: one.rules.painted))
    if alone:
        yield "held gold network", score_answers_of(held, answers_by(known, network_answer))
    yield "held gold choice", score_answers_of(held, answers_by(known, across))
    best = [
        [best_answer(evidence, one.procedure.step_changes(n)) for n, evidence in enumerate(one.evidence)]
        for one in known
    ]
    yield "held gold best candidate", score_answers_of(held, best)
    if alone and hints:
        blind = BatchedReader(models, CandidateSet((PLAIN,)), ALWAYS)
        found = blind.read_procedures(held, GOLD, network_answer)
        yield "held gold network without hint", score_answers_of(held, [one.painted for one in found])
    own = reader.read_procedures(held, CONTEXT, across)
    yield "held own choice", score_answers_of(held, [one.painted for one in own])
    if not dev:
        return
    if alone:
        found = asking.read_procedures(held, CONTEXT, network_answer)
        yield "held own network", score_answers_of(held, [one.painted for one in found])
    found = asking.read_procedures(dev, GOLD, choose_by(fitted, candidates))
    yield "dev gold choice", score_answers_of(dev, [one.painted for one in found])
    if alone:
        yield "dev gold network", score_answers_of(dev, answers_by(found, network_answer))
    found = reader.read_procedures(dev, CONTEXT, choose_by(fit_on(own, candidates), candidates))
    yield "dev own choice", score_answers_of(dev, [one.painted for one in found])


def mean_scores(scores: Sequence[InstructionScores]) -> np.ndarray[Any, Any]:
    """F1 and exact match in per cent, a row for each instruction, means over seeds."""
    each = [
        [[f1 / 10, 100 * int(exact)] for f1, exact in zip(one.f1, one.exact, strict=True)] for one in scores
    ]
    found: np.ndarray[Any, Any] = np.mean(each, 0)
    return found
