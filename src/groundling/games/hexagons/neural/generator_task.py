"""What a generator learns from: dialogs of people and of the narrator, with faults in earlier answers; or the
same turned around, for one that writes the words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from math import exp
from random import Random

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

from groundling.games.hexagons.neural.executor import measure_executor
from groundling.games.hexagons.neural.generator import (
    DialogTurn,
    Generator,
    write_generator_turns,
    write_step_turns,
)
from groundling.games.hexagons.neural.lesson import Example, Lesson, LessonBatches, vary_lesson_step
from groundling.games.hexagons.neural.notation import NOTHING, write_action_notation
from groundling.games.hexagons.neural.prefetch import Arrays, Prefetch
from groundling.games.hexagons.neural.procedures import (
    Procedure,
    permute_procedure_colours,
    spoil_procedure_boards,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation
from groundling.train.captured_steps import Batch, padded_length
from groundling.train.devices import device_precision

LEARNED_UNROUNDED = 0.4
"""The share of a training after which a ternary difference is rounded."""
SCORED = 256
"""Places of each row whose scores are computed together: there are 49,152 words to choose from, 3 MB a place
for a batch of 16."""
SKIPPED = -1
"""Stands where there is nothing to learn."""


class GeneratorTask:
    def __init__(
        self, model: Generator, batches: LessonBatches, held: Sequence[Procedure], lesson: Lesson
    ) -> None:
        self.model, self.batches, self.held, self.lesson = model, batches, held, lesson
        self.capturable = model.where.type == "cuda"
        if self.capturable and find_spec("triton"):  # with which a GPU's programs are compiled
            model.llama.compile_layers()
        self.prefetch = Prefetch(self.make_batch, model.where)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        return [(1.0, [parameter for parameter in self.model.parameters() if parameter.requires_grad])]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        return self.batch_loss(self.batch_at(step)), {}

    def reach_share(self, done: float) -> None:
        """A ternary difference is first learned as it is, then rounded."""
        self.model.round_changes(done >= LEARNED_UNROUNDED)

    def batch_at(self, step: int) -> Batch:
        return self.prefetch.batch_at(step)

    def batch_loss(self, batch: Batch) -> Tensor:
        rows, right = batch
        with device_precision(rows.device):
            if self.model.settings.llama.ternary:
                self.model.llama.add_changes()
            found = self.model.llama(rows)
            total = rows.new_zeros((), dtype=torch.float32)
            for part in zip(torch.split(found, SCORED, 1), torch.split(right, SCORED, 1), strict=True):
                # the scores of all words are computed again for the gradients rather than kept
                total = total + checkpoint(
                    self._sum_losses, *part, use_reentrant=False, preserve_rng_state=False
                )
        return total / (right != SKIPPED).sum().clamp(min=1)

    def _sum_losses(self, found: Tensor, right: Tensor) -> Tensor:
        # each row of scores lies together: else their softmax takes three times as long on a CPU
        scores = self.model.score_tokens(found).float().flatten(0, 1)
        return F.cross_entropy(scores, right.flatten(), ignore_index=SKIPPED, reduction="sum")

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, Generator)
        if model.settings.llama.ternary:
            model.llama.add_changes()
        if model.settings.writes == "words":
            return {"likelihood": self._measure_words(model)}
        # with gold boards all steps are answered at once; own answers, one after the other, take minutes
        context = model.settings.context
        return measure_executor(model, self.held, context.replace("predicted", "oracle"))

    def _measure_words(self, model: Generator) -> float:
        """The geometric mean of the probabilities of all tokens that people wrote for held-out images."""
        likely, count = 0.0, 0
        for procedure in self.held:
            row, right = self._encode_words(procedure, Random(procedure.id))
            learned = [place for place, token in enumerate(right) if token != SKIPPED]
            with device_precision(model.where):
                found = model.llama(torch.tensor([row], device=model.where))[0, learned]
                scores = model.score_tokens(found).float().log_softmax(-1)
            likely += scores[range(len(learned)), [right[place] for place in learned]].sum().item()
            count += len(learned)
        return exp(likely / max(count, 1))

    def make_batch(self, step: int) -> Arrays:
        """Rows of tokens, and for each the next one, as a place among those of answers, if learned."""
        made = [self._encode_example(one) for one in self.batches.batch_at(step)]
        longest = max(len(tokens) for tokens, _ in made)
        longest = padded_length(longest) if self.capturable else longest
        rows = np.zeros((len(made), longest), np.int64)
        right = np.full_like(rows, SKIPPED)
        for place, (tokens, next_ones) in enumerate(made):
            rows[place, : len(tokens)] = tokens
            right[place, : len(tokens)] = next_ones
        return rows, right

    def _encode_example(self, example: Example) -> tuple[list[int], list[int]]:
        """A whole procedure where its steps are one dialog, else one step of it."""
        settings = self.model.settings
        if settings.writes == "words":
            return self._encode_words(example.procedure, example.lot)
        if settings.context == "predicted+full":
            return self._encode_dialog(example.procedure, example.lot)
        situation, changes = vary_lesson_step(example, settings.context, self.lesson)
        return self._join_turns(
            write_generator_turns(situation, settings.notation),
            [write_action_notation(changes, settings.notation)],
            [False],
        )

    def _encode_dialog(self, procedure: Procedure, lot: Random) -> tuple[list[int], list[int]]:
        """What an executor did wrong is to be seen, and not to be learned."""
        settings = self.model.settings
        if lot.random() < self.lesson.colours:
            procedure = permute_procedure_colours(procedure, lot)
        last = len(procedure.texts) - 1
        slips = self.lesson.slips if lot.random() < self.lesson.spoiled else 0.0
        boards, wrong = spoil_procedure_boards(procedure, last, slips, lot)
        turns = write_generator_turns(
            make_situation(settings.context, procedure.texts, boards, last), settings.notation
        )
        answers, skipped = [], []
        for number, (turn, bad) in enumerate(zip(turns, [*wrong, False], strict=True)):
            found = write_action_notation(procedure.step_changes(number), settings.notation)
            known = procedure.programs[number] if procedure.programs and found != NOTHING else ""
            if settings.notation != "program" or not known:
                known = found
            shown = bad or (known != found and number < last and lot.random() < self.lesson.found)
            answers.append(turn.answer if bad else found if shown else known)
            skipped.append(shown)
        return self._join_turns(turns, answers, skipped)

    def _encode_words(self, procedure: Procedure, lot: Random) -> tuple[list[int], list[int]]:
        """Each step, shown by a program of which its words may be a description or by the one that is found
        for its tiles, and its words. What people say where nothing is painted is not learned."""
        notation = self.model.settings.notation
        if lot.random() < self.lesson.colours:
            procedure = permute_procedure_colours(procedure, lot)
        painted = [procedure.step_changes(number) for number in range(len(procedure.texts))]
        programs = [
            known if known and lot.random() >= self.lesson.found else write_action_notation(tiles, "program")
            for known, tiles in zip(procedure.programs or [""] * len(painted), painted, strict=True)
        ]
        turns = write_step_turns(Situation(procedure.texts[:-1], procedure.boards, tuple(programs)), notation)
        return self._join_turns(turns, procedure.texts, [not tiles for tiles in painted])

    def _join_turns(
        self, turns: Sequence[DialogTurn], answers: Sequence[str], skipped: Sequence[bool]
    ) -> tuple[list[int], list[int]]:
        """The tokens of a dialog, and what is to be learned at each of them."""
        encoded, tokens, learned = self.model.tokens, list[int](), list[bool]()
        for turn, answer, bad in zip(turns, answers, skipped, strict=True):
            said, written = encoded.encode_turn(turn.text), encoded.encode_answer(answer)
            tokens += [*said, *written]
            learned += [False] * len(said) + [not bad] * len(written)
        longest = self.model.settings.llama.longest
        tokens, learned = tokens[:longest], learned[:longest]
        places = [
            self.model.places.get(token, SKIPPED) if ok else SKIPPED
            for token, ok in zip(tokens, learned, strict=True)
        ]
        return tokens, [*places[1:], SKIPPED]
