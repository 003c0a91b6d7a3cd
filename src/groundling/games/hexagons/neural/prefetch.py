"""Batches that are made in other processes while earlier ones are learned from."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

Arrays: TypeAlias = tuple[np.ndarray[Any, Any], ...]
WORKERS = 3
"""As many as make batches sooner than a GPU learns from them; several trainings may share the cores."""
AHEAD = 12
"""Batches that may be waiting."""
_MAKERS: dict[int, Callable[[int], Arrays]] = {}
"""Workers are forked and find here what they are to call: it cannot be sent to them."""


class Prefetch:
    def __init__(self, make: Callable[[int], Arrays], where: torch.device) -> None:
        self._make, self._where = make, where
        self._waiting: dict[int, AsyncResult[Arrays]] = {}
        self._key = id(self)
        _MAKERS[self._key] = make
        self._pool: Pool | None = None
        if where.type == "cuda":
            self._pool = get_context("fork").Pool(WORKERS)

    def batch_at(self, step: int) -> tuple[Tensor, ...]:
        """The batch of a step, on the device."""
        if self._pool is None:
            arrays = self._make(step)
        else:
            for number in range(step, step + AHEAD):
                if number not in self._waiting:
                    self._waiting[number] = self._pool.apply_async(_make_batch, (self._key, number))
            arrays = self._waiting.pop(step).get()
        return tuple(torch.from_numpy(part).to(self._where, non_blocking=True) for part in arrays)


def _make_batch(key: int, step: int) -> Arrays:
    torch.set_num_threads(1)
    return _MAKERS[key](step)
