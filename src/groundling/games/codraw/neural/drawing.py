"""Trains the Drawer that reads the whole dialog: its losses are from the target, from people's canvas at that
turn, and from the expected similarity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.dialogs import Dialogs, Order, Rows
from groundling.games.codraw.neural.drawers import scores
from groundling.games.codraw.neural.scenes import Shown, mirrored, people, shown
from groundling.games.codraw.neural.transformer import Guess, TransformerDrawer
from groundling.games.codraw.neural.words import END, START, UNKNOWN
from groundling.games.codraw.similarity import BEST
from groundling.train.gpus import mixed

TOGETHER = 8
"""Batches that are sorted by length together, so that there is less padding."""


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Data augmentation and weights of the losses."""

    whole: float = 0.5
    """The share of dialogs that are heard to their end; the others are heard up to a random turn."""
    unknown: float = 0.15
    """The share of words that are replaced by the unknown word."""
    mirror: float = 0.5
    """The share of dialogs that are mirrored."""
    unseen: float = 0.5
    """The share of canvases that are hidden from a Drawer that sees its canvas."""
    similar: float = 1.0
    """The weight of the expected similarity, relative to the likelihoods."""
    drawn: float = 0.5
    """The weight of predicting what people had drawn by then."""
    slow: float = 1.0
    """The reader's share of the learning rate."""


class DrawingTask:
    def __init__(
        self, model: TransformerDrawer, learned: Dialogs, held: Dialogs, batch: int, seed: int, lesson: Lesson
    ) -> None:
        self.model, self.lesson = model, lesson
        self.learned, self.held = learned, held
        self.order, self.seed = Order(len(learned), batch, seed), seed
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

    def turns(self, step: int) -> Rows:
        """Choose one turn of each dialog in this batch. Turns of similar length are put together, over
        `SORTED_BATCHES` batches."""
        chunk = step // TOGETHER
        rows = np.concatenate(
            [self.order.at(number) for number in range(chunk * TOGETHER, (chunk + 1) * TOGETHER)]
        )
        lot = np.random.default_rng([self.seed, chunk, 1])
        starts = self.learned.starts
        any_turn = starts[rows] + lot.integers(0, starts[rows + 1] - starts[rows])
        turns: Rows = np.where(lot.random(len(rows)) < self.lesson.whole, starts[rows + 1] - 1, any_turn)
        length = self.learned.end[turns] - self.learned.first[turns]
        batches = turns[np.argsort(length, kind="stable")].reshape(TOGETHER, -1)
        found: Rows = batches[lot.permutation(TOGETHER)[step % TOGETHER]]
        return found

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        turns, lesson = self.turns(step), self.lesson
        heard = self.learned.so_far(turns, self.model.longest)
        target, after = self.learned.targets[self.learned.dialog[turns]], self.learned.after[turns]
        canvas = self.learned.before[turns] if self.model.looks else None
        turned = torch.rand(len(turns), device=self.where) < lesson.mirror
        heard = torch.where(turned[:, None], self.model.mirror[heard], heard)  # type: ignore[index]
        target, after = (
            torch.where(turned[:, None, None], mirrored(scene), scene) for scene in (target, after)
        )
        lost = (
            (torch.rand(heard.shape, device=self.where) < lesson.unknown) & (heard > START) & (heard != END)
        )
        heard = heard.masked_fill(lost, UNKNOWN)
        if canvas is not None:
            canvas = torch.where(turned[:, None, None], mirrored(canvas), canvas)
            hidden = torch.rand(len(turns), device=self.where) < lesson.unseen
            canvas = torch.where(hidden[:, None, None], torch.full_like(canvas, -1), canvas)
        with mixed(self.where):
            guess = self.model(heard, canvas, turned.long())
        return losses(guess, shown(target), shown(after), lesson)

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, TransformerDrawer)
        with mixed(self.where):
            return scores(model, self.held)


def losses(guess: Guess, target: Shown, after: Shown, lesson: Lesson) -> tuple[Tensor, dict[str, Tensor]]:
    there = target.there.float()
    each = 1 / there.sum(1, keepdim=True).clamp(min=1) / len(there)
    person = people(there).float()

    def chosen(guessed: Tensor, right: Tensor) -> Tensor:
        return F.cross_entropy(guessed.transpose(1, 2), right, reduction="none")

    figure = 0.5 * person * (chosen(guess.pose, target.pose) + chosen(guess.expression, target.expression))
    away = ((guess.xy - target.xy).square().sum(-1) + 1e-6).sqrt()
    parts = {
        "kinds": F.binary_cross_entropy_with_logits(guess.target, there, reduction="none").sum(1).mean() / 4,
        "drawn": F.binary_cross_entropy_with_logits(guess.drawn, after.there.float(), reduction="none")
        .sum(1)
        .mean()
        / 4,
        "sizes": (chosen(guess.size, target.size) * there * each).sum(),
        "flips": (chosen(guess.flip, target.flip) * there * each).sum(),
        "figures": (figure * there * each).sum(),
        "places": (away * there * each).sum() * 3,
        "similar": (BEST - expected(guess, target, away)).mean(),
    }
    weight = {"drawn": lesson.drawn, "similar": lesson.similar}
    total = sum(
        (weight.get(name, 1.0) * part for name, part in parts.items()), torch.zeros((), device=there.device)
    )
    return total, parts


def expected(guess: Guess, target: Shown, away: Tensor, sharp: float = 0.03) -> Tensor:
    """Compute a differentiable similarity, with likelihoods instead of drawn pieces: pieces count by their
    likelihood, and pairs in the wrong order by their distance."""
    there, likely = target.there.float(), torch.sigmoid(guess.target)
    person = people(there).float()

    def wrong(guessed: Tensor, right: Tensor) -> Tensor:
        return 1 - F.softmax(guessed, -1).gather(-1, right[..., None])[..., 0]

    lost = wrong(guess.flip, target.flip) + wrong(guess.size, target.size) + away.clamp(max=1)
    lost = lost + 0.5 * person * (wrong(guess.pose, target.pose) + wrong(guess.expression, target.expression))
    both = there * likely
    apart, should = (where[:, :, None] - where[:, None, :] for where in (guess.xy, target.xy))
    order = torch.sigmoid(-apart * should.sign() / sharp).sum(-1)
    order = (order * both[:, :, None] * both[:, None, :]).triu(1).sum((1, 2))
    union = there.sum(1) + ((1 - there) * likely).sum(1)
    return ((BEST - lost) * both).sum(1) / union - order / (union * (both.sum(1) - 1).clamp(min=1))
