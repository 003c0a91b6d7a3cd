"""Trains a Teller by playing: REINFORCE with Drawers of its own half, and a bound on the divergence from
people's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy

import torch
from msgspec import Struct
from torch import Tensor, nn

from groundling.games.codraw.neural.dialogs import Dialogs, Order
from groundling.games.codraw.neural.saying import Manners, Told, tell
from groundling.games.codraw.neural.talks import Course, Partner, play
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.telling import MEASURED, together
from groundling.games.codraw.neural.words import PAD

WORTH = 30.0
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


class RewardTask:
    """Samples descriptions of training scenes. The reward of a message is the gain in similarity."""

    def __init__(
        self,
        model: Teller,
        learned: Dialogs,
        held: Dialogs,
        batch: int,
        seed: int,
        lesson: RewardLesson,
        partners: Sequence[Partner],
    ) -> None:
        self.model, self.lesson, self.partners = model, lesson, partners
        self.before = deepcopy(model).requires_grad_(False)
        self.before.steady()
        """The Teller that imitates people."""
        self.targets, self.held = learned.targets, held.targets
        self.order = Order(len(learned), batch, seed)
        self.manners = Manners(learned.words, learned.where)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        worth = [*self.model.worth.parameters()]
        known = set(map(id, worth))
        return [(1.0, [p for p in self.model.parameters() if id(p) not in known]), (WORTH, worth)]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        lesson = self.lesson
        targets = self.targets[self.order.at(step)]
        self.model.steady()
        told = tell(self.model, targets, self.manners, by_lot=True, keep=True)
        course = play(self.partners[step % len(self.partners)], targets, told)
        gained = returns(rewards(course, told.words.shape[1], lesson.idle), lesson.discount)
        heard, following = told.words[:, :-1], told.words[:, 1:]
        said = following != PAD
        many = said.sum()
        found = self.model(targets, heard)
        likely = _likely(found.next, told)
        expected = found.worth if lesson.learned else torch.full_like(gained, lesson.baseline)
        better = (gained - expected).detach()
        chosen = likely.gather(-1, following[..., None])[..., 0].masked_fill(~said, 0)
        lost = -(chosen * better).sum() / many
        if lesson.learned:
            lost = lost + 0.5 * ((gained - found.worth).square() * said).sum() / many
        away = self._away(targets, heard, told, likely, said)
        lost = lost + lesson.strict * (away - lesson.bound).clamp(min=0)
        spread = -((likely.exp() * likely.clamp(min=-50)).sum(-1) * said).sum() / many
        lost = lost - lesson.spread * spread
        return lost, {"kl": away, "entropy": spread, "by_lot": course.similarity[:, -1].mean()}

    def _away(self, targets: Tensor, heard: Tensor, told: Told, likely: Tensor, said: Tensor) -> Tensor:
        """Return the mean divergence from the imitating Teller, in nats per word."""
        with torch.no_grad():
            theirs = _likely(self.before(targets, heard).next, told)
        apart = likely.exp() * (likely.clamp(min=-50) - theirs.clamp(min=-50))
        return (apart.sum(-1) * said).sum() / said.sum()

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, Teller)
        away, many = 0.0, 0
        for start in range(0, len(self.held), MEASURED):
            targets = self.held[start : start + MEASURED]
            told = tell(model, targets, self.manners, keep=True)
            heard, said = told.words[:, :-1], told.words[:, 1:] != PAD
            count = int(said.sum())
            likely = _likely(model(targets, heard).next, told)
            away += self._away(targets, heard, told, likely, said).item() * count
            many += count
        return {**together(model, self.held, self.manners, self.partners), "divergence": away / max(many, 1)}


def _likely(scores: Tensor, told: Told) -> Tensor:
    """Return the log-likelihoods of all words, among those that are allowed."""
    assert told.allowed is not None
    return scores.masked_fill(~told.allowed, -torch.inf).log_softmax(-1)


def rewards(course: Course, length: int, idle: float) -> Tensor:
    """Return the reward of each word: the message's gain at its last word, elsewhere 0."""
    gained = torch.where(course.changed, course.similarity.diff(dim=1), -idle)
    ended = course.ends >= 0
    found = torch.zeros(len(gained), length, device=gained.device)
    found.scatter_add_(1, course.ends.clamp(min=0), gained * ended)
    return found[:, 1:]


def returns(gained: Tensor, discount: float) -> Tensor:
    """Return the discounted sum of rewards from each word on, including its own."""
    place = torch.arange(gained.shape[1], device=gained.device)
    after = (place[:, None] - place).clamp(min=0)
    weight = torch.where(place[:, None] >= place, discount**after, torch.zeros((), device=gained.device))
    return gained @ weight
