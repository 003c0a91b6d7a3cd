"""Trains a Teller to imitate people: the next word, and the pieces still undrawn after a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.batch_games import Partner, play_games
from groundling.games.codraw.neural.dialog_tensors import BatchOrder, DialogTensors, RowNumbers
from groundling.games.codraw.neural.scene_tensors import mirror_scene_tensors, split_scene_tensors
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.teller_generation import WordConstraints, generate_dialogs
from groundling.games.codraw.neural.vocabulary import END, PAD, START, UNKNOWN
from groundling.train.devices import device_precision

MEASURE_BATCH = 256
"""Dialogs per batch of a measurement."""


class ImitationLesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    aux: float = 0.0
    """The weight of predicting which pieces are still undrawn."""
    smooth: float = 0.05
    """Label smoothing."""
    mirror: float = 0.0
    """The share of dialogs that are mirrored."""
    unknown: float = 0.0
    """The share of its own earlier words that are hidden."""


class TellerDialogs:
    """The Teller's side of dialogs before the peek: words so far, next words, and undrawn pieces."""

    def __init__(self, dialogs: DialogTensors, longest: int) -> None:
        self.dialogs = dialogs
        self.last = _last_turns(dialogs, longest)
        self.rows = np.flatnonzero(self.last >= 0)
        self.drawn = split_scene_tensors(dialogs.after).there
        self.mirror = torch.tensor(dialogs.words.mirror_index(), device=dialogs.where)

    def __len__(self) -> int:
        return len(self.rows)

    def batch_at(self, places: RowNumbers) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return targets, words, next words, and undrawn kinds (0 or 1). The last is -1 where it does not
        count: within a message, and for kinds that are not in the target."""
        rows = self.rows[places]
        dialogs = self.dialogs
        heard = dialogs.words_so_far(self.last[rows], dialogs.tokens.shape[0])
        ended = heard == END
        following = torch.cat([heard[:, 1:], torch.full_like(heard[:, :1], PAD)], dim=1)
        following = torch.where(ended & (following == PAD), START, following)
        targets = dialogs.targets[rows]
        there = split_scene_tensors(targets).there
        first = torch.from_numpy(dialogs.starts[rows]).to(dialogs.where)
        turn = first[:, None] + ended.cumsum(1) - 1
        drawn = self.drawn[turn.clamp(min=0)] & ended[..., None]
        asked = (ended | (heard == START))[..., None] & there[:, None]
        undrawn = torch.where(asked, (~drawn).long(), -1)
        return targets, heard, following, undrawn


def _last_turns(dialogs: DialogTensors, longest: int) -> RowNumbers:
    """Return each dialog's last turn before the peek that fits `longest` words; -1 where there is none."""
    last = dialogs.last_turns(unaided=True)
    for row in range(len(dialogs)):
        while last[row] >= 0 and dialogs.end[last[row]] - dialogs.first[last[row]] >= longest:
            last[row] = last[row] - 1 if last[row] > dialogs.starts[row] else -1
    return last


class ImitationTask:
    def __init__(
        self,
        model: Teller,
        learned: DialogTensors,
        held: DialogTensors,
        batch: int,
        seed: int,
        lesson: ImitationLesson,
        partners: Sequence[Partner] = (),
    ) -> None:
        self.model, self.lesson = model, lesson
        self.learned, self.held = (TellerDialogs(dialogs, model.longest) for dialogs in (learned, held))
        self.order = BatchOrder(len(self.learned), batch, seed)
        self.where = learned.where
        self.manners = WordConstraints(learned.words, self.where)
        self.partners = partners

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        return [(1.0, self.model.parameters())]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        lesson = self.lesson
        targets, heard, following, undrawn = self.learned.batch_at(self.order.batch_at(step))
        if lesson.mirror:
            turned = torch.rand(len(targets), device=self.where) < lesson.mirror
            targets = torch.where(turned[:, None, None], mirror_scene_tensors(targets), targets)
            heard, following = (
                torch.where(turned[:, None], self.learned.mirror[row], row) for row in (heard, following)
            )
        if lesson.unknown:
            lost = (
                (torch.rand(heard.shape, device=self.where) < lesson.unknown)
                & (heard > START)
                & (heard != END)
            )
            heard = heard.masked_fill(lost, UNKNOWN)
        with device_precision(self.where):
            said = self.model(targets, heard)
        words = F.cross_entropy(
            said.next.flatten(0, 1), following.flatten(), ignore_index=PAD, label_smoothing=lesson.smooth
        )
        left = imitation_undrawn_loss(said.undrawn, undrawn)
        return words + lesson.aux * left, {"words": words, "undrawn": left}

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        """Measure the similarity with Drawers of its half, if any, and the likelihood of people's words."""
        assert isinstance(model, Teller)
        found = (
            score_imitation_partners(model, self.held.dialogs.targets, self.manners, self.partners)
            if self.partners
            else {}
        )
        lost, many = torch.zeros((), device=self.where), 0
        for start in range(0, len(self.held), MEASURE_BATCH):
            places = np.arange(start, min(start + MEASURE_BATCH, len(self.held)))
            targets, heard, following, _ = self.held.batch_at(places)
            with device_precision(self.where):
                scores = model(targets, heard).next
            lost += F.cross_entropy(
                scores.flatten(0, 1), following.flatten(), ignore_index=PAD, reduction="sum"
            )
            many += int((following != PAD).sum())
        return {**found, "likelihood": -lost.item() / max(many, 1)}


def imitation_undrawn_loss(scores: Tensor, undrawn: Tensor) -> Tensor:
    """Compute the loss of predicting what is undrawn."""
    counts = undrawn >= 0
    lost = F.binary_cross_entropy_with_logits(scores, undrawn.clamp(min=0).float(), reduction="none")
    return (lost * counts).sum() / counts.sum().clamp(min=1)


def score_imitation_partners(
    teller: Teller, targets: Tensor, manners: WordConstraints, partners: Sequence[Partner]
) -> dict[str, float]:
    """Measure the mean similarity over all Drawers, with each of them, and how much is said."""
    each: dict[str, list[Tensor]] = {partner.name: [] for partner in partners}
    said = rounds = 0
    for start in range(0, len(targets), MEASURE_BATCH):
        some = targets[start : start + MEASURE_BATCH]
        told = generate_dialogs(teller, some, manners)
        said += int((told.words > END).sum())
        rounds += int((told.words == END).sum())
        for partner in partners:
            each[partner.name].append(play_games(partner, some, told).similarity[:, -1])
    with_each = {name: torch.cat(found).mean().item() for name, found in each.items()}
    mean = sum(with_each.values()) / len(with_each)
    others = {f"with {name}": value for name, value in with_each.items()} if len(with_each) > 1 else {}
    return {"similarity": mean, **others, "messages": rounds / len(targets), "words": said / max(rounds, 1)}
