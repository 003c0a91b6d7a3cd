"""What a classifier learns from: steps of people's and of the narrator's procedures, drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.hexes import COLOURS, TILES
from groundling.games.hexagons.neural.classifier import UNTOUCHED, TileClassifier
from groundling.games.hexagons.neural.executor import measure_executor
from groundling.games.hexagons.neural.lesson import Lesson, LessonBatches, vary_lesson_step
from groundling.games.hexagons.neural.prefetch import Arrays, Prefetch
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.train.captured_steps import Batch, padded_length
from groundling.train.devices import device_precision


class ClassifierTask:
    def __init__(
        self, model: TileClassifier, batches: LessonBatches, held: Sequence[Procedure], lesson: Lesson
    ) -> None:
        self.model, self.batches, self.held, self.lesson = model, batches, held, lesson
        self.capturable = model.where.type == "cuda" and not model.settings.base
        self.prefetch = Prefetch(self.make_batch, model.where)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        reads = list(self.model.encoder.parameters())
        known = set(map(id, reads))
        others = [parameter for parameter in self.model.parameters() if id(parameter) not in known]
        return [(self.lesson.slow, reads), (1.0, others)]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        return self.batch_loss(self.batch_at(step)), {}

    def batch_at(self, step: int) -> Batch:
        return self.prefetch.batch_at(step)

    def batch_loss(self, batch: Batch) -> Tensor:
        *given, right = batch
        with device_precision(right.device):
            found = self.model(*given)
        each = F.cross_entropy(found.float().transpose(1, 2), right, reduction="none")
        painted = (right != UNTOUCHED).float()
        weight = 1 + painted * self.lesson.painted
        return (each * weight).sum() / weight.sum()

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, TileClassifier)
        return measure_executor(model, self.held, model.settings.context)

    def make_batch(self, step: int) -> Arrays:
        """What the model is given, and the class of each tile."""
        context = self.model.settings.context
        pairs = [vary_lesson_step(one, context, self.lesson) for one in self.batches.batch_at(step)]
        encoded = self.model.encode_situations([situation for situation, _ in pairs])
        right = [
            [COLOURS.index(changes[tile]) if tile in changes else UNTOUCHED for tile in TILES]
            for _, changes in pairs
        ]
        tokens, *others = (part.numpy() for part in encoded)
        if self.capturable:
            added = padded_length(tokens.shape[1]) - tokens.shape[1]
            tokens = np.pad(tokens, ((0, 0), (0, added)), constant_values=self.model.tokens.pad)
        return (tokens, *others, np.array(right))
