"""The plan of a training: number of steps, learning rate schedule, and early stopping."""

from __future__ import annotations

from math import ceil, cos, pi

from msgspec import Struct
from msgspec.structs import replace

CHECKPOINT_FILE = "checkpoint.pt"
"""The file from which a training resumes."""


class TrainingPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that a training depends on, besides the task itself."""

    seed: int = 0
    steps: int = 1000
    seconds: float = 0.0
    """In place of steps: the training ends after this time, and its learning rate falls with time; 0: by
    steps."""
    batches: int = 1
    """Batches per step; several processes share them."""
    rate: float = 1e-3
    """The peak learning rate."""
    warmup: int = 0
    """Steps in which the rate rises to its peak."""
    falling: bool = True
    """After the warm-up the rate falls to 0 along a cosine; else it is constant."""
    restart: int = 0
    """The step at which the rate rises again, to half the peak, and falls once more; 0: it does not."""
    weight_decay: float = 0.0
    clip: float = 0.0
    """The maximum norm of gradients; 0 for no clipping."""
    average: float = 0.0
    """The decay of the running average of the weights; 0: the weights themselves are measured and saved."""
    every: int = 200
    """Steps between two measurements."""
    patience: int = 0
    """Stop after this many measurements without improvement; 0: never stop early."""

    def share_done(self, steps: int, seconds: float) -> float:
        """Return the share of the training that is done after these steps, which took this time."""
        return min(1.0, seconds / self.seconds if self.seconds else steps / self.steps)

    def rate_share_after(self, steps: int, seconds: float) -> float:
        """Return the learning rate as a share of the peak. Where time counts, the warm-up still has its
        number of steps, and there is no restart."""
        if not self.seconds or steps < self.warmup:
            return self.rate_share_at(steps)
        return _fall(self.share_done(steps, seconds)) if self.falling else 1.0

    def rate_share_at(self, step: int) -> float:
        """Return the learning rate at a step, counted from 0, as a share of the peak."""
        peak, steps = 1.0, self.restart or self.steps
        if self.restart and step >= self.restart:
            peak, step, steps = 0.5, step - self.restart, self.steps - self.restart
        warmup = min(self.warmup, steps // 5) if self.restart else self.warmup
        if step < warmup:
            return peak * (step + 1) / warmup
        if not self.falling:
            return peak
        return peak * _fall((step - warmup) / max(steps - warmup, 1))

    def for_processes(self, processes: int) -> TrainingPlan:
        """Return the plan for several processes, each with its own batches: fewer steps with more batches."""
        fewer = {
            name: ceil(getattr(self, name) / processes) for name in ("steps", "warmup", "restart", "every")
        }
        return replace(self, batches=self.batches * processes, **fewer)


def _fall(done: float) -> float:
    """From 1 to 0 along a cosine."""
    return 0.5 + 0.5 * cos(pi * done)
