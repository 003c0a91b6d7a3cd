"""What a training asks of the thing to be learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from torch import Tensor, nn


class Task(Protocol):
    """A model, what it gets wrong, and how good it is."""

    @property
    def model(self) -> nn.Module: ...

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        """What is learned, each part with its share of the learning rate."""
        ...

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Of one batch, which depends on nothing but the seed and its number (with one a step, that of the
        step); and what to note of it in the curve."""
        ...

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        """How good a model with the same shape is on what was set aside. The first number decides: the
        higher, the better."""
        ...
