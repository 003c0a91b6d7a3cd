"""Carries out many procedures at a time with the networks of `reader`, for a GPU; the player answers one
instruction at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypeAlias

import torch
from msgspec import Struct

from groundling.games.hexagons.neural.generator import Generator, write_generator_turns
from groundling.games.hexagons.neural.hints import RuleReading, add_hint, read_by_rules
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells, write_action_notation
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.reader import CONTEXT
from groundling.games.hexagons.neural.reader_choice import SURE, AnswerCandidate, Painted, ReadingEvidence
from groundling.games.hexagons.neural.situations import Situation, make_situation
from groundling.train.devices import device_precision

GOLD = "oracle+full"
AT_ONCE = 96
"""Situations that are answered together."""
SCORED = 48
"""Answers whose likelihood is computed together."""
Choose: TypeAlias = Callable[[Procedure, ReadingEvidence], Painted]


class ReadProcedure(Struct, frozen=True):
    """How a procedure was carried out."""

    procedure: Procedure
    evidence: list[ReadingEvidence]
    painted: list[dict[Tile, str]]


class BatchedReader(Struct, frozen=True):
    """What `Reader` does with one network and one instruction, for several networks and many instructions.
    Each network proposes an answer, and an answer is as likely as they think on average."""

    models: Sequence[Generator]
    hints: bool = True
    """Whether the networks see what the rules paint."""
    sure: float = SURE
    """From which share of sentences read in full on the networks are not asked; above 1: they always are."""

    def read_procedures(
        self, procedures: Sequence[Procedure], context: str, choose: Choose
    ) -> list[ReadProcedure]:
        """Boards are those that the chosen answers lead to, or gold boards."""
        boards = [list(one.boards) if context == GOLD else [BLANK] for one in procedures]
        readings: list[list[RuleReading]] = [[] for _ in procedures]
        found = [ReadProcedure(one, [], []) for one in procedures]
        rounds: list[list[tuple[int, int]]] = []
        for row, one in enumerate(procedures):
            for number in range(len(one.texts)):
                place = 0 if context == GOLD else number
                rounds += [[] for _ in range(place + 1 - len(rounds))]
                rounds[place].append((row, number))
        for asked in rounds:
            for row, number in asked:
                texts = procedures[row].texts[: number + 1]
                readings[row].append(read_by_rules(texts, boards[row][number]))
            made = [
                self._make_situation(procedures[row], boards[row], readings[row], number)
                for row, number in asked
            ]
            known = self.gather_evidence(made, [readings[row][number] for row, number in asked])
            for (row, number), evidence in zip(asked, known, strict=True):
                found[row].evidence.append(evidence)
                found[row].painted.append(dict(choose(procedures[row], evidence)))
                if context != GOLD:
                    boards[row].append(paint_notation_cells(boards[row][number], found[row].painted[-1]))
        return found

    def _make_situation(
        self, procedure: Procedure, boards: Sequence[str], readings: Sequence[RuleReading], number: int
    ) -> Situation:
        plain = make_situation(CONTEXT, procedure.texts, boards, number)
        if not self.hints:
            return plain
        texts = tuple(add_hint(text, one) for text, one in zip(plain.texts, readings, strict=False))
        return Situation(texts, plain.boards)

    def gather_evidence(
        self, situations: Sequence[Situation], readings: Sequence[RuleReading]
    ) -> list[ReadingEvidence]:
        """What the rules and the networks propose in situations with hints; readings are the rules' last."""
        asked = [number for number, one in enumerate(readings) if one.whole < self.sure]
        asked.sort(key=lambda number: sum(map(len, situations[number].texts)))
        candidates: dict[int, tuple[AnswerCandidate, ...]] = {}
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            shown = [situations[number] for number in part]
            candidates |= zip(part, self._propose(shown, [readings[number] for number in part]), strict=True)
        return [ReadingEvidence(one, candidates.get(number, ())) for number, one in enumerate(readings)]

    def _propose(
        self, situations: Sequence[Situation], readings: Sequence[RuleReading]
    ) -> list[tuple[AnswerCandidate, ...]]:
        first = self.models[0]
        # answers that paint the same are one, in the words of the first
        proposed: list[dict[frozenset[tuple[Tile, str]], tuple[Painted, list[int]]]] = []
        for reading in readings:
            text = write_action_notation(reading.painted, first.settings.notation)
            tokens = first.tokens.encode_answer(text)[: first.settings.answer]
            proposed.append({frozenset(reading.painted.items()): (reading.painted, tokens)})
        for model in self.models:
            for known, situation, row in zip(
                proposed, situations, model.write_answers(situations), strict=True
            ):
                painted = model.read_answer(row, situation)
                tokens = [*row, model.tokens.end][: model.settings.answer]
                known.setdefault(frozenset(painted.items()), (painted, tokens))
        flat = [
            (situation, tokens)
            for known, situation in zip(proposed, situations, strict=True)
            for _, tokens in known.values()
        ]
        each = zip(*(score_answers(model, flat) for model in self.models), strict=True)
        likely = map(fmean, each)
        return [
            tuple(AnswerCandidate(painted, next(likely), len(tokens)) for painted, tokens in known.values())
            for known in proposed
        ]


@torch.inference_mode()
def score_answers(model: Generator, answers: Sequence[tuple[Situation, list[int]]]) -> list[float]:
    """How likely the tokens of each answer are after its situation, as a logarithm."""
    rows = []
    for situation, tokens in answers:
        prompt = model.encode_prompt(write_generator_turns(situation, model.settings.notation))
        rows.append((prompt, tokens))
    found = dict[int, float]()
    ordered = sorted(range(len(rows)), key=lambda n: len(rows[n][0]) + len(rows[n][1]))
    for start in range(0, len(ordered), SCORED):
        part = ordered[start : start + SCORED]
        longest = max(len(rows[n][0]) + len(rows[n][1]) - 1 for n in part)
        padded = torch.zeros((len(part), longest), dtype=torch.long)
        for place, n in enumerate(part):
            whole = [*rows[n][0], *rows[n][1][:-1]]
            padded[place, : len(whole)] = torch.tensor(whole)
        ends = [
            (place, len(rows[n][0]) - 1 + number, model.places[token])
            for place, n in enumerate(part)
            for number, token in enumerate(rows[n][1])
        ]
        owner, end, right = torch.tensor(ends, device=model.where).T
        with device_precision(model.where):
            hidden = model.llama(padded.to(model.where))[owner, end]
            scores = model.score_tokens(hidden).float().log_softmax(-1)
        each = scores.gather(1, right[:, None])[:, 0]
        sums = torch.zeros(len(part), device=model.where).index_add_(0, owner, each)
        found |= zip(part, sums.tolist(), strict=True)
    return [found[n] for n in range(len(rows))]
