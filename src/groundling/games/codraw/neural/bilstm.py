"""The paper's Drawer: a bidirectional LSTM reads the last message, and pieces are added to the canvas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.rnn import pack_padded_sequence

from groundling.boards.scene import SIZES
from groundling.boards.scene.batches import LOOK
from groundling.games.codraw.neural.dialog_tensors import BatchOrder, DialogTensors, RowNumbers
from groundling.games.codraw.neural.drawer_base import Drawer, score_drawer
from groundling.games.codraw.neural.scene_tensors import (
    FIGURE_COUNT,
    KIND_COUNT,
    SceneTensors,
    join_scene_tensors,
    person_tensor_mask,
    split_scene_tensors,
)
from groundling.games.codraw.neural.vocabulary import PAD

_PARTS = (1, 2, FIGURE_COUNT, len(SIZES), 2)
"""Outputs per kind: whether to add it, where, with which figure, size and flip."""


class BilstmSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    word_size: int = 256
    hidden: int = 256
    """The size in each direction."""
    dropout_words: float = 0.4
    dropout_canvas: float = 0.2
    dropout: float = 0.4
    """Dropout after words and canvas are combined."""
    positives: float = 3.0
    """The weight of missing a kind, relative to adding a wrong one."""


class BilstmLesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    places: float = 1.0


class BilstmDrawer(Drawer):
    whole: ClassVar[bool] = False
    batch: ClassVar[int] = 64
    longest = 0

    def __init__(self, settings: BilstmSettings) -> None:
        super().__init__()
        both = 2 * settings.hidden
        self.settings = settings
        self.words = nn.Embedding(settings.words, settings.word_size, padding_idx=PAD)
        self.reader = nn.LSTM(settings.word_size, settings.hidden, batch_first=True, bidirectional=True)
        self.marks = nn.Linear(KIND_COUNT * (1 + FIGURE_COUNT + len(SIZES) + 2), both, bias=False)
        self.places = nn.Linear(KIND_COUNT * 2, both, bias=False)
        self.out = nn.Linear(both, KIND_COUNT * sum(_PARTS))
        self.drop_words = nn.Dropout(settings.dropout_words)
        self.drop_canvas = nn.Dropout(settings.dropout_canvas)
        self.drop = nn.Dropout(settings.dropout)

    def forward(self, heard: Tensor, canvas: Tensor) -> tuple[Tensor, ...]:
        """Return for each kind whether to add it, where, and three sets of scores."""
        lengths = (heard != PAD).sum(1).clamp(min=1).cpu()
        row = pack_padded_sequence(
            self.drop_words(self.words(heard)), lengths, batch_first=True, enforce_sorted=False
        )
        # The cell is unbounded, unlike the hidden state, so a confident reading outweighs the canvas.
        _, (_, cell) = self.reader(row)
        here = split_scene_tensors(canvas)
        on = here.there[..., None].float()
        marks = [
            on,
            F.one_hot(here.figure, FIGURE_COUNT) * on,
            F.one_hot(here.size, len(SIZES)) * on,
            F.one_hot(here.flip, 2) * on,
        ]
        seen = self.marks(self.drop_canvas(torch.cat(marks, dim=-1).flatten(1))) + self.places(
            here.xy.flatten(1)
        )
        mixed = F.relu(self.drop(cell.transpose(0, 1).flatten(1) + seen))
        found: Tensor = self.out(mixed).unflatten(1, (KIND_COUNT, sum(_PARTS)))
        add, xy, *looks = torch.split(found, list(_PARTS), dim=-1)
        # A flat sigmoid keeps the loss of uncertain places from dominating.
        return add, 2 * torch.sigmoid(xy / 5), *looks

    def draw_canvas(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        add, xy, figure, size, flip = self(heard, canvas)
        there = (add[..., 0] > 0) & (canvas[:, LOOK] < 0)
        there = there if allowed is None else there & allowed
        new = SceneTensors(
            there, xy, size.argmax(-1), flip.argmax(-1), figure.argmax(-1) * person_tensor_mask(there).long()
        )
        return torch.where(new.there[:, None], join_scene_tensors(new), canvas)


def bilstm_learned_turns(learned: DialogTensors) -> RowNumbers:
    """Return the turns in which people added something; where they did not, they often could have."""
    added = (learned.after[:, LOOK] >= 0) & (learned.before[:, LOOK] < 0)
    found: RowNumbers = np.flatnonzero(added.any(1).cpu().numpy())
    return found


class BilstmTask:
    """Predicts which pieces people added after a message, and how; turns with many pieces count for more."""

    def __init__(
        self,
        model: BilstmDrawer,
        learned: DialogTensors,
        held: DialogTensors,
        batch: int,
        seed: int,
        lesson: BilstmLesson,
    ) -> None:
        self.model, self.lesson = model, lesson
        self.learned, self.held = learned, held
        self.turns = bilstm_learned_turns(learned)
        self.order = BatchOrder(len(self.turns), batch, seed)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        return [(1.0, self.model.parameters())]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        turns, lesson = self.turns[self.order.batch_at(step)], self.lesson
        before, after = self.learned.before[turns], split_scene_tensors(self.learned.after[turns])
        add, xy, figure, size, flip = self.model(self.learned.message_words(turns), before)
        new = after.there & (before[:, LOOK] < 0)
        weight = 1 + (self.model.settings.positives - 1) * new.float()
        kinds = F.binary_cross_entropy_with_logits(add[..., 0], new.float(), weight, reduction="sum") / len(
            turns
        )

        def choice_loss(guessed: Tensor, right: Tensor, where: Tensor) -> Tensor:
            lost = F.cross_entropy(guessed.flatten(0, 1), right.flatten(), reduction="none")
            return (lost * where.flatten()).sum() / len(turns)

        parts = {
            "kinds": kinds,
            "places": ((xy - after.xy).square().sum(-1) * new).sum() / len(turns),
            "figures": choice_loss(figure, after.figure, new & person_tensor_mask(new)),
            "sizes": choice_loss(size, after.size, new),
            "flips": choice_loss(flip, after.flip, new),
        }
        weights = {"places": lesson.places}
        return sum(
            (weights.get(name, 1.0) * part for name, part in parts.items()), torch.zeros_like(kinds)
        ), parts

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, BilstmDrawer)
        return score_drawer(model, self.held)
