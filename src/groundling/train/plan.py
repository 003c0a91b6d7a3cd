"""How a training goes: how long, how fast, and when it is enough."""

from __future__ import annotations

from math import ceil, cos, pi

from msgspec import Struct
from msgspec.structs import replace

CHECKPOINT = "checkpoint.pt"
"""The file from which a training goes on."""


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that the course of a training depends on, beside the task itself."""

    seed: int = 0
    steps: int = 1000
    batches: int = 1
    """In each step; several processes share them out."""
    rate: float = 1e-3
    """Of learning, at its highest."""
    warmup: int = 0
    """Steps in which the rate rises to it."""
    falling: bool = True
    """Afterwards the rate falls to 0 along a cosine; else it stays."""
    weight_decay: float = 0.0
    clip: float = 0.0
    """The longest gradient; 0: any."""
    average: float = 0.0
    """How much of the running average of the weights each step keeps; 0: the weights themselves are measured and saved."""
    every: int = 200
    """Steps between two measurements."""
    patience: int = 0
    """So many measurements without a better one end it; 0: it goes to the last step."""

    def rate_at(self, step: int) -> float:
        """As a share of the highest; steps count from 0."""
        if step < self.warmup:
            return (step + 1) / self.warmup
        if not self.falling:
            return 1.0
        return 0.5 + 0.5 * cos(pi * (step - self.warmup) / max(self.steps - self.warmup, 1))

    def shared(self, processes: int) -> Plan:
        """For several, each with a batch of its own in each step: as much is learned from in fewer steps."""
        fewer = {name: ceil(getattr(self, name) / processes) for name in ("steps", "warmup", "every")}
        return replace(self, batches=self.batches * processes, **fewer)
