"""Training steps as CUDA graphs: a GPU runs hundreds of small kernels sooner than Python can start them.

A step is captured when a shape of a batch comes for the second time, so batches should have few shapes."""

from __future__ import annotations

from typing import Protocol, TypeAlias, runtime_checkable

import torch
from torch import Tensor, nn

from groundling.train.training_task import TrainingTask

Batch: TypeAlias = tuple[Tensor, ...]
LENGTH_UNIT = 64
"""Rows are padded to a multiple of this length."""


@runtime_checkable
class CapturableTask(TrainingTask, Protocol):
    """A task whose loss is computed on the device alone, from a batch of tensors."""

    capturable: bool
    """Whether its model computes nothing that a graph cannot contain."""

    def batch_at(self, step: int) -> Batch:
        """Return the batch of a step, on the device."""
        ...

    def batch_loss(self, batch: Batch) -> Tensor:
        """Return the loss of a batch, without waiting for the device."""
        ...


def padded_length(length: int) -> int:
    """Return the length to which the rows of a batch are padded."""
    return -(-length // LENGTH_UNIT) * LENGTH_UNIT


class CapturedSteps:
    """Gradients, clipping and the optimizer's step, replayed. The optimizer has to be capturable."""

    def __init__(self, task: CapturableTask, optimizer: torch.optim.Optimizer, clip: float) -> None:
        self._task, self._optimizer, self._clip = task, optimizer, clip
        self._graphs: dict[tuple[torch.Size, ...], tuple[torch.cuda.CUDAGraph, Batch, Tensor]] = {}
        self._pool = torch.cuda.graph_pool_handle()
        self._seen: set[tuple[torch.Size, ...]] = set()

    def take_step(self, step: int) -> Tensor:
        """Take a step and return its loss, which the next step overwrites."""
        batch = self._task.batch_at(step)
        shapes = tuple(part.shape for part in batch)
        if shapes not in self._seen:
            # this prepares libraries, compiled layers and the optimizer's state, which no graph may do
            self._seen.add(shapes)
            loss = self._compute_step(batch)
            torch.cuda.empty_cache()  # graphs have memory of their own
            return loss
        if shapes not in self._graphs:
            self._optimizer.zero_grad(set_to_none=True)
            graph, given = torch.cuda.CUDAGraph(), tuple(part.clone() for part in batch)
            with torch.cuda.graph(graph, pool=self._pool):
                loss = self._compute_step(given)
            self._graphs[shapes] = graph, given, loss
        graph, given, loss = self._graphs[shapes]
        for old, new in zip(given, batch, strict=True):
            old.copy_(new)
        graph.replay()
        return loss

    def _compute_step(self, batch: Batch) -> Tensor:
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._task.batch_loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        if self._clip:
            nn.utils.clip_grad_norm_(self._task.model.parameters(), self._clip)
        self._optimizer.step()
        return loss.detach()
