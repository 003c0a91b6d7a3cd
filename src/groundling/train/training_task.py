"""The protocol of a task that the training loop can learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from torch import Tensor, nn


class TrainingTask(Protocol):
    """A model with its loss and its validation measure."""

    @property
    def model(self) -> nn.Module: ...

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        """Return groups of parameters, each with its share of the learning rate."""
        ...

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Return the loss of one batch and values to note in the curve. The batch may depend only on the seed
        and on its number, which is the step if there is one batch per step."""
        ...

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        """Measure a model of the same shape on held-out data. The first number decides; higher is better."""
        ...


@runtime_checkable
class PacedTask(TrainingTask, Protocol):
    """A task that learns in another way from some share of the training on."""

    def reach_share(self, done: float) -> None:
        """Learn as after this share of the training, from 0 to 1. Called before every step."""
        ...
