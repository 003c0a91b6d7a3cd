"""What all Drawers that learn have in common: they hear words, see their canvas, and draw it anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from groundling.games.codraw.neural.dialogs import Dialogs, Rows
from groundling.games.codraw.neural.scenes import similarities

MEASURED = 512
"""Dialogs that are drawn together."""


class Drawer(nn.Module, ABC):
    settings: Any
    whole: ClassVar[bool]
    """Hears the whole dialog so far; else the last message."""
    longest: int
    """Words that it can hear at once."""
    looks: bool = True
    """At its canvas."""

    @abstractmethod
    def draw(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        """The packed canvases after words (padded rows of numbers) were heard before these canvases. Where
        not all kinds are allowed, the others are not added."""


def replayed(drawer: Drawer, dialogs: Dialogs, unaided: bool = False) -> Tensor:
    """The canvases after the Drawer has heard all that people said, message by message; or what they said
    before the peek."""
    drawn = [
        _replayed(drawer, dialogs, np.arange(start, min(start + MEASURED, len(dialogs))), unaided)
        for start in range(0, len(dialogs), MEASURED)
    ]
    return torch.cat(drawn)


def _replayed(drawer: Drawer, dialogs: Dialogs, rows: Rows, unaided: bool) -> Tensor:
    last, first = dialogs.last(unaided)[rows], dialogs.starts[rows]
    canvas = torch.zeros_like(dialogs.targets[rows])
    canvas[:, 2] = -1
    length = int((last - first).max(initial=-1)) + 1
    begin = 0 if drawer.looks else length - 1
    for place in range(begin, length):
        turn = first + place if drawer.looks else last
        now = np.flatnonzero((turn <= last) & (last >= 0))
        heard = dialogs.so_far(turn[now], drawer.longest) if drawer.whole else dialogs.message(turn[now])
        canvas[now] = drawer.draw(heard, canvas[now])
    return canvas


def scores(drawer: Drawer, dialogs: Dialogs) -> dict[str, float]:
    """With people's own words, all of them and those before the peek."""
    return {
        "similarity": similarities(dialogs.targets, replayed(drawer, dialogs)).mean().item(),
        "unaided": similarities(dialogs.targets, replayed(drawer, dialogs, unaided=True)).mean().item(),
    }
