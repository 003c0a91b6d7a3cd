"""Trains a Teller by REINFORCE with Drawers of its half, within a bound of divergence from people's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy

import torch
from msgspec import Struct
from torch import Tensor, nn

from groundling.games.codraw.neural.batch_games import GameTrace, Partner, play_games
from groundling.games.codraw.neural.dialog_tensors import BatchOrder, DialogTensors
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.teller_generation import (
    GeneratedDialogs,
    WordConstraints,
    generate_dialogs,
)
from groundling.games.codraw.neural.teller_imitation import MEASURE_BATCH, score_imitation_partners
from groundling.games.codraw.neural.vocabulary import PAD

WORTH_RATE = 30.0
"""The learning rate of the value head relative to the rest, because it starts from zero."""


class RewardLesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    idle: float = 0.3
    """The cost of a message at which the Drawer does nothing."""
    discount: float = 0.995
    """The discount per word."""
    baseline: float = 0.8
    """The expected reward at every word, unless it is learned."""
    learned: bool = False
    """Learn the expected reward."""
    bound: float = 0.0
    """How far a word's distribution may be from the imitating Teller's (KL, in nats per word) at no cost."""
    strict: float = 0.0
    """The cost of each nat beyond the bound; 0: no bound."""
    spread: float = 0.0
    """The weight of a nat of entropy per word."""


class ReinforceTask:
    """Samples descriptions of training scenes. The reward of a message is the gain in similarity."""

    def __init__(
        self,
        model: Teller,
        learned: DialogTensors,
        held: DialogTensors,
        batch: int,
        seed: int,
        lesson: RewardLesson,
        partners: Sequence[Partner],
    ) -> None:
        self.model, self.lesson, self.partners = model, lesson, partners
        self.before = deepcopy(model).requires_grad_(False)
        self.before.disable_dropout()
        """The Teller that imitates people."""
        self.targets, self.held = learned.targets, held.targets
        self.order = BatchOrder(len(learned), batch, seed)
        self.manners = WordConstraints(learned.words, learned.where)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        worth = [*self.model.worth.parameters()]
        known = set(map(id, worth))
        return [(1.0, [p for p in self.model.parameters() if id(p) not in known]), (WORTH_RATE, worth)]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        lesson = self.lesson
        targets = self.targets[self.order.batch_at(step)]
        self.model.disable_dropout()
        told = generate_dialogs(self.model, targets, self.manners, by_lot=True, keep=True)
        course = play_games(self.partners[step % len(self.partners)], targets, told)
        gained = reinforce_returns(
            reinforce_word_rewards(course, told.words.shape[1], lesson.idle), lesson.discount
        )
        heard, following = told.words[:, :-1], told.words[:, 1:]
        said = following != PAD
        many = said.sum()
        found = self.model(targets, heard)
        likely = _log_likelihoods(found.next, told)
        expected = found.worth if lesson.learned else torch.full_like(gained, lesson.baseline)
        better = (gained - expected).detach()
        chosen = likely.gather(-1, following[..., None])[..., 0].masked_fill(~said, 0)
        lost = -(chosen * better).sum() / many
        if lesson.learned:
            lost = lost + 0.5 * ((gained - found.worth).square() * said).sum() / many
        away = self._mean_divergence(targets, heard, told, likely, said)
        lost = lost + lesson.strict * (away - lesson.bound).clamp(min=0)
        spread = -((likely.exp() * likely.clamp(min=-50)).sum(-1) * said).sum() / many
        lost = lost - lesson.spread * spread
        return lost, {"kl": away, "entropy": spread, "by_lot": course.similarity[:, -1].mean()}

    def _mean_divergence(
        self, targets: Tensor, heard: Tensor, told: GeneratedDialogs, likely: Tensor, said: Tensor
    ) -> Tensor:
        """Return the mean divergence from the imitating Teller, in nats per word."""
        with torch.no_grad():
            theirs = _log_likelihoods(self.before(targets, heard).next, told)
        apart = likely.exp() * (likely.clamp(min=-50) - theirs.clamp(min=-50))
        return (apart.sum(-1) * said).sum() / said.sum()

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, Teller)
        away, many = 0.0, 0
        for start in range(0, len(self.held), MEASURE_BATCH):
            targets = self.held[start : start + MEASURE_BATCH]
            told = generate_dialogs(model, targets, self.manners, keep=True)
            heard, said = told.words[:, :-1], told.words[:, 1:] != PAD
            count = int(said.sum())
            likely = _log_likelihoods(model(targets, heard).next, told)
            away += self._mean_divergence(targets, heard, told, likely, said).item() * count
            many += count
        return {
            **score_imitation_partners(model, self.held, self.manners, self.partners),
            "divergence": away / max(many, 1),
        }


def _log_likelihoods(scores: Tensor, told: GeneratedDialogs) -> Tensor:
    """Return the log-likelihoods of all words, among those that are allowed."""
    assert told.allowed is not None
    return scores.masked_fill(~told.allowed, -torch.inf).log_softmax(-1)


def reinforce_word_rewards(course: GameTrace, length: int, idle: float) -> Tensor:
    """Return the reward of each word: the message's gain at its last word, elsewhere 0."""
    gained = torch.where(course.changed, course.similarity.diff(dim=1), -idle)
    ended = course.ends >= 0
    found = torch.zeros(len(gained), length, device=gained.device)
    found.scatter_add_(1, course.ends.clamp(min=0), gained * ended)
    return found[:, 1:]


def reinforce_returns(gained: Tensor, discount: float) -> Tensor:
    """Return the discounted sum of rewards from each word on, including its own."""
    place = torch.arange(gained.shape[1], device=gained.device)
    after = (place[:, None] - place).clamp(min=0)
    weight = torch.where(place[:, None] >= place, discount**after, torch.zeros((), device=gained.device))
    return gained @ weight
