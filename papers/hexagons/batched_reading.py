"""Carries out many procedures at a time with the networks of `reader`, for a GPU; the player answers one
instruction at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from statistics import fmean
from typing import TypeAlias

import torch
from msgspec import Struct

from groundling.games.hexagons.neural.candidates import GrammarExecutor, WrittenAnswer
from groundling.games.hexagons.neural.generator import Generator, write_generator_turns
from groundling.games.hexagons.neural.hints import RuleReading, add_hint, read_by_rules
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.reader import CONTEXT
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PROGRAM,
    SURE,
    AnswerCandidate,
    Painted,
    ReadingEvidence,
    describe_program,
    is_program,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation
from groundling.train.devices import device_precision

GOLD = "oracle+full"
AT_ONCE = 96
"""Situations that are answered together."""
SCORED = 48
"""Answers whose likelihood is computed together."""
RULES = "rules"
DRAWN = "drawn, "
"""Before the prompt: who proposes an answer that is drawn."""
Choose: TypeAlias = Callable[[int, ReadingEvidence], Painted]
"""Takes the place of the procedure among those that are read."""
AnswerKey: TypeAlias = frozenset[tuple[Tile, str]]
"""Answers that paint the same are one."""
Proposed: TypeAlias = dict[AnswerKey, tuple[Painted, Counter[str]]]
"""With who proposes them."""
Scored: TypeAlias = tuple[float, int]
"""The logarithm of how likely a text is, and its tokens."""


class ProposedAnswer(AnswerCandidate, frozen=True):
    views: tuple[str, ...] = ()
    """The prompts after which it is as likely as `likely` says."""
    by: dict[str, int] = {}
    """How often who proposes it: the rules, the network after each of its prompts, or a draw of it."""
    programs: dict[str, Scored] = {}
    """Its likeliest program after each prompt of the network that answers by programs."""


def proposals(evidence: ReadingEvidence) -> list[ProposedAnswer]:
    """The candidates that a batched reader found."""
    return [one for one in evidence.candidates if isinstance(one, ProposedAnswer)]


class CandidateSet(Struct, frozen=True):
    """Which of the proposals are candidates, and after which prompts the networks judge them."""

    views: tuple[str, ...] = (HINT,)
    draws: int = 0
    """After each prompt, beside the likeliest answer."""

    @property
    def tile_views(self) -> tuple[str, ...]:
        return tuple(view for view in self.views if not is_program(view))

    @property
    def program_views(self) -> tuple[str, ...]:
        return tuple(view for view in self.views if is_program(view))

    @property
    def proposers(self) -> tuple[str, ...]:
        return (RULES, *self.views, *(f"{DRAWN}{view}" for view in self.views if self.draws))

    def keep_candidates(self, evidence: ReadingEvidence) -> ReadingEvidence:
        """The evidence of a reader that may have more prompts or draws, as one with this set has it: where
        the rules are sure, without candidates, as the network is not asked."""
        if evidence.rules.whole >= SURE:
            return ReadingEvidence(evidence.rules)
        kept = []
        for one in proposals(evidence):
            if votes := sum(one.by.get(name, 0) for name in self.proposers):
                likely = tuple(one.likely[one.views.index(view)] for view in self.tile_views)
                program = tuple(
                    feature
                    for view in self.program_views
                    for feature in describe_program(*one.programs[view])
                )
                kept.append(AnswerCandidate(one.painted, likely, one.length, votes, program))
        return ReadingEvidence(evidence.rules, tuple(kept))


class ReadProcedure(Struct, frozen=True):
    """How a procedure was carried out."""

    procedure: Procedure
    evidence: list[ReadingEvidence]
    painted: list[dict[Tile, str]]


class BatchedReader(Struct, frozen=True):
    """What `Reader` does with one network and one instruction, for several networks and many instructions.
    Each network proposes answers after each prompt, and an answer is as likely as they think on average."""

    models: Sequence[Generator]
    candidates: CandidateSet = CandidateSet()
    sure: float = SURE
    """From which share of sentences read in full on the networks are not asked; above 1: they always are."""
    program: Generator | None = None
    """The network that answers by programs, if the candidates have views of it."""

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
                self._show_situation(procedures[row], boards[row], readings[row], number)
                for row, number in asked
            ]
            known = self.gather_evidence(made, [readings[row][number] for row, number in asked])
            for (row, number), evidence in zip(asked, known, strict=True):
                found[row].evidence.append(evidence)
                found[row].painted.append(dict(choose(row, evidence)))
                if context != GOLD:
                    boards[row].append(paint_notation_cells(boards[row][number], found[row].painted[-1]))
        return found

    def _show_situation(
        self, procedure: Procedure, boards: Sequence[str], readings: Sequence[RuleReading], number: int
    ) -> list[Situation]:
        """A situation for each prompt."""
        plain = make_situation(CONTEXT, procedure.texts, boards, number)
        texts = tuple(add_hint(text, one) for text, one in zip(plain.texts, readings, strict=False))
        hinted = Situation(texts, plain.boards)
        views = (view.removeprefix(PROGRAM) for view in self.candidates.views)
        return [hinted if view == HINT else plain for view in views]

    def gather_evidence(
        self, situations: Sequence[Sequence[Situation]], readings: Sequence[RuleReading]
    ) -> list[ReadingEvidence]:
        """What the rules and the networks propose in situations; readings are the rules' last."""
        asked = [number for number, one in enumerate(readings) if one.whole < self.sure]
        asked.sort(key=lambda number: sum(map(len, situations[number][0].texts)))
        candidates: dict[int, tuple[AnswerCandidate, ...]] = {}
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            shown = [situations[number] for number in part]
            candidates |= zip(part, self._propose(shown, [readings[number] for number in part]), strict=True)
        return [ReadingEvidence(one, candidates.get(number, ())) for number, one in enumerate(readings)]

    def _propose(
        self, situations: Sequence[Sequence[Situation]], readings: Sequence[RuleReading]
    ) -> list[tuple[AnswerCandidate, ...]]:
        proposed: list[Proposed] = [
            {frozenset(reading.painted.items()): (reading.painted, Counter([RULES]))} for reading in readings
        ]
        written: dict[str, list[dict[AnswerKey, Scored]]] = {}
        for place, view in enumerate(self.candidates.views):
            shown = [one[place] for one in situations]
            for model in self._networks_of(view):
                answers = self._write_answers(model, shown)
                for known, row in zip(proposed, answers, strict=True):
                    for number, one in enumerate(row):
                        empty: Counter[str] = Counter()
                        _, by = known.setdefault(frozenset(one.painted.items()), (one.painted, empty))
                        by[DRAWN + view if number else view] += 1
                if is_program(view):
                    written[view] = [_likeliest_texts(row) for row in answers]
        flat = [
            (row, shown, painted)
            for row, (known, shown) in enumerate(zip(proposed, situations, strict=True))
            for painted, _ in known.values()
        ]
        lengths = iter([len(self.models[0].encode_painted(painted)) for _, _, painted in flat])
        views, programs = [], {}
        for place, view in enumerate(self.candidates.views):
            asked = [(shown[place], painted) for _, shown, painted in flat]
            networks = self._networks_of(view)
            tokens = [networks[0].encode_painted(painted) for _, painted in asked]
            texts = [(shown, one) for (shown, _), one in zip(asked, tokens, strict=True)]
            each = map(fmean, zip(*(score_answers(model, texts) for model in networks), strict=True))
            if is_program(view):
                found = zip(each, map(len, tokens), strict=True)
                own = (written[view][row].get(frozenset(painted.items())) for row, _, painted in flat)
                programs[view] = [max(filter(None, pair)) for pair in zip(found, own, strict=True)]
            else:
                views.append(list(each))
        likely = iter(list(zip(*views, strict=True)) or [()] * len(flat))
        scored = iter([{view: programs[view][n] for view in programs} for n in range(len(flat))])
        tile_views = self.candidates.tile_views
        return [
            tuple(
                ProposedAnswer(
                    painted,
                    next(likely),
                    next(lengths),
                    by.total(),
                    views=tile_views,
                    by=dict(by),
                    programs=next(scored),
                )
                for painted, by in known.values()
            )
            for known in proposed
        ]

    def _networks_of(self, view: str) -> Sequence[Generator]:
        if not is_program(view):
            return self.models
        assert self.program is not None, "there is no network that answers by programs"
        return [self.program]

    def _write_answers(self, model: Generator, situations: Sequence[Situation]) -> list[list[WrittenAnswer]]:
        """For each situation the likeliest answer, then those that are drawn. Programs always follow the
        grammar, as they do at play."""
        if self.candidates.draws or model.writes_programs:
            return GrammarExecutor(model, self.candidates.draws).write_candidates(situations)
        return [[WrittenAnswer("", one, 0.0, 0, ended=True)] for one in model.paint_tiles(situations)]


def _likeliest_texts(answers: Sequence[WrittenAnswer]) -> dict[AnswerKey, Scored]:
    found: dict[AnswerKey, Scored] = {}
    for one in answers:
        key = frozenset(one.painted.items())
        if one.ended:
            found[key] = max(found.get(key, (-inf, 0)), (one.likely, one.length))
    return found


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
            if token in model.places  # rare tokens of programs are not learned either
        ]
        owner, end, right = torch.tensor(ends, device=model.where).T
        with device_precision(model.where):
            hidden = model.llama(padded.to(model.where))[owner, end]
            scores = model.score_tokens(hidden).float().log_softmax(-1)
        each = scores.gather(1, right[:, None])[:, 0]
        sums = torch.zeros(len(part), device=model.where).index_add_(0, owner, each)
        found |= zip(part, sums.tolist(), strict=True)
    return [found[n] for n in range(len(rows))]
