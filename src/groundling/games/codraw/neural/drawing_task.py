"""Trains the Drawer that reads the whole dialog: its losses are from the target, from people's canvas at that
turn, and from the expected similarity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.dialog_tensors import BatchOrder, DialogTensors, RowNumbers
from groundling.games.codraw.neural.drawer_base import score_drawer
from groundling.games.codraw.neural.scene_tensors import (
    SceneTensors,
    mirror_scene_tensors,
    person_tensor_mask,
    split_scene_tensors,
)
from groundling.games.codraw.neural.transformer import SceneGuess, TransformerDrawer
from groundling.games.codraw.neural.vocabulary import END, START, UNKNOWN
from groundling.games.codraw.similarity import BEST
from groundling.train.devices import device_precision

SORTED_BATCHES = 8
"""Batches that are sorted by length together, so that there is less padding."""


class DrawingLesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Data augmentation and weights of the losses."""

    whole: float = 0.5
    """The share of dialogs that are heard to their end; the others are heard up to a random turn."""
    unknown: float = 0.15
    """The share of words that are replaced by the unknown word."""
    mirror: float = 0.5
    """The share of dialogs that are mirrored."""
    similar: float = 1.0
    """The weight of the expected similarity, relative to the likelihoods."""
    drawn: float = 0.5
    """The weight of predicting what people had drawn by then."""
    slow: float = 1.0
    """The reader's share of the learning rate."""


class DrawingTask:
    def __init__(
        self,
        model: TransformerDrawer,
        learned: DialogTensors,
        held: DialogTensors,
        batch: int,
        seed: int,
        lesson: DrawingLesson,
    ) -> None:
        self.model, self.lesson = model, lesson
        self.learned, self.held = learned, held
        self.order, self.seed = BatchOrder(len(learned), batch, seed), seed
        self.where = learned.where

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        model = self.model
        reads = [
            *model.words.parameters(),
            *model.places.parameters(),
            *model.norm.parameters(),
            *model.reader.parameters(),
        ]
        known = set(map(id, reads))
        return [(self.lesson.slow, reads), (1.0, [p for p in model.parameters() if id(p) not in known])]

    def batch_turns(self, step: int) -> RowNumbers:
        """Choose one turn of each dialog in this batch. Within `SORTED_BATCHES`, lengths are alike."""
        chunk = step // SORTED_BATCHES
        rows = np.concatenate(
            [
                self.order.batch_at(number)
                for number in range(chunk * SORTED_BATCHES, (chunk + 1) * SORTED_BATCHES)
            ]
        )
        lot = np.random.default_rng([self.seed, chunk, 1])
        starts = self.learned.starts
        any_turn = starts[rows] + lot.integers(0, starts[rows + 1] - starts[rows])
        turns: RowNumbers = np.where(
            lot.random(len(rows)) < self.lesson.whole, starts[rows + 1] - 1, any_turn
        )
        length = self.learned.end[turns] - self.learned.first[turns]
        batches = turns[np.argsort(length, kind="stable")].reshape(SORTED_BATCHES, -1)
        found: RowNumbers = batches[lot.permutation(SORTED_BATCHES)[step % SORTED_BATCHES]]
        return found

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        turns, lesson = self.batch_turns(step), self.lesson
        heard = self.learned.words_so_far(turns, self.model.longest)
        target, after = self.learned.targets[self.learned.dialog[turns]], self.learned.after[turns]
        turned = torch.rand(len(turns), device=self.where) < lesson.mirror
        heard = torch.where(turned[:, None], self.model.mirror[heard], heard)  # type: ignore[index]
        target, after = (
            torch.where(turned[:, None, None], mirror_scene_tensors(scene), scene)
            for scene in (target, after)
        )
        lost = (
            (torch.rand(heard.shape, device=self.where) < lesson.unknown) & (heard > START) & (heard != END)
        )
        heard = heard.masked_fill(lost, UNKNOWN)
        with device_precision(self.where):
            guess = self.model(heard, turned.long())
        return drawing_task_losses(guess, split_scene_tensors(target), split_scene_tensors(after), lesson)

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, TransformerDrawer)
        with device_precision(self.where):
            return score_drawer(model, self.held)


def drawing_task_losses(
    guess: SceneGuess, target: SceneTensors, after: SceneTensors, lesson: DrawingLesson
) -> tuple[Tensor, dict[str, Tensor]]:
    there = target.there.float()
    each = 1 / there.sum(1, keepdim=True).clamp(min=1) / len(there)
    person = person_tensor_mask(there).float()

    def choice_loss(guessed: Tensor, right: Tensor) -> Tensor:
        return F.cross_entropy(guessed.transpose(1, 2), right, reduction="none")

    figure = (
        0.5
        * person
        * (choice_loss(guess.pose, target.pose) + choice_loss(guess.expression, target.expression))
    )
    away = ((guess.xy - target.xy).square().sum(-1) + 1e-6).sqrt()
    parts = {
        "kinds": F.binary_cross_entropy_with_logits(guess.target, there, reduction="none").sum(1).mean() / 4,
        "drawn": F.binary_cross_entropy_with_logits(guess.drawn, after.there.float(), reduction="none")
        .sum(1)
        .mean()
        / 4,
        "sizes": (choice_loss(guess.size, target.size) * there * each).sum(),
        "flips": (choice_loss(guess.flip, target.flip) * there * each).sum(),
        "figures": (figure * there * each).sum(),
        "places": (away * there * each).sum() * 3,
        "similar": (BEST - drawing_task_similarity(guess, target, away)).mean(),
    }
    weight = {"drawn": lesson.drawn, "similar": lesson.similar}
    total = sum(
        (weight.get(name, 1.0) * part for name, part in parts.items()), torch.zeros((), device=there.device)
    )
    return total, parts


def drawing_task_similarity(
    guess: SceneGuess, target: SceneTensors, away: Tensor, sharp: float = 0.03
) -> Tensor:
    """Compute a differentiable similarity, with likelihoods instead of drawn pieces: pieces count by their
    likelihood, and pairs in the wrong order by their distance."""
    there, likely = target.there.float(), torch.sigmoid(guess.target)
    person = person_tensor_mask(there).float()

    def error_likelihood(guessed: Tensor, right: Tensor) -> Tensor:
        return 1 - F.softmax(guessed, -1).gather(-1, right[..., None])[..., 0]

    lost = (
        error_likelihood(guess.flip, target.flip)
        + error_likelihood(guess.size, target.size)
        + away.clamp(max=1)
    )
    lost = lost + 0.5 * person * (
        error_likelihood(guess.pose, target.pose) + error_likelihood(guess.expression, target.expression)
    )
    both = there * likely
    apart, should = (where[:, :, None] - where[:, None, :] for where in (guess.xy, target.xy))
    order = torch.sigmoid(-apart * should.sign() / sharp).sum(-1)
    order = (order * both[:, :, None] * both[:, None, :]).triu(1).sum((1, 2))
    union = there.sum(1) + ((1 - there) * likely).sum(1)
    return ((BEST - lost) * both).sum(1) / union - order / (union * (both.sum(1) - 1).clamp(min=1))
