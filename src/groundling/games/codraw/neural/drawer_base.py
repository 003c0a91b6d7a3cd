"""The base class of Drawers that learn, and their replay of recorded dialogs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from groundling.games.codraw.neural.dialog_tensors import DialogTensors, RowNumbers
from groundling.games.codraw.neural.scene_tensors import tensor_similarities

REPLAY_BATCH = 512
"""The number of dialogs that are drawn in one batch."""


class Drawer(nn.Module, ABC):
    settings: Any
    whole: ClassVar[bool]
    """The Drawer reads the whole dialog so far and redraws; else it reads the last message and its canvas."""
    longest: int
    """The number of words that it can read at once."""
    batch: ClassVar[int]
    """Dialogs that it answers at once, as many as are fastest."""

    @abstractmethod
    def draw_canvas(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        """Return the packed canvases after these words (padded rows); only allowed kinds are added."""


def replay_dialogs_with_drawer(drawer: Drawer, dialogs: DialogTensors, unaided: bool = False) -> Tensor:
    """Return the canvases after the Drawer has heard all of people's messages, or those before the peek."""
    drawn = [
        _replay_batch(drawer, dialogs, np.arange(start, min(start + REPLAY_BATCH, len(dialogs))), unaided)
        for start in range(0, len(dialogs), REPLAY_BATCH)
    ]
    return torch.cat(drawn)


def _replay_batch(drawer: Drawer, dialogs: DialogTensors, rows: RowNumbers, unaided: bool) -> Tensor:
    last, first = dialogs.last_turns(unaided)[rows], dialogs.starts[rows]
    canvas = torch.zeros_like(dialogs.targets[rows])
    canvas[:, 2] = -1
    length = int((last - first).max(initial=-1)) + 1
    begin = length - 1 if drawer.whole else 0
    for place in range(begin, length):
        turn = last if drawer.whole else first + place
        now = np.flatnonzero((turn <= last) & (last >= 0))
        heard = (
            dialogs.words_so_far(turn[now], drawer.longest)
            if drawer.whole
            else dialogs.message_words(turn[now])
        )
        canvas[now] = drawer.draw_canvas(heard, canvas[now])
    return canvas


def score_drawer(drawer: Drawer, dialogs: DialogTensors) -> dict[str, float]:
    """Measure the similarity with people's own words: with all of them, and with those before the peek."""
    return {
        "similarity": tensor_similarities(dialogs.targets, replay_dialogs_with_drawer(drawer, dialogs))
        .mean()
        .item(),
        "unaided": tensor_similarities(
            dialogs.targets, replay_dialogs_with_drawer(drawer, dialogs, unaided=True)
        )
        .mean()
        .item(),
    }
