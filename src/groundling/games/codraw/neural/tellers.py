"""What all Tellers that learn have in common: they see a scene piece by piece, and say one word after the
other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.scenes import MANY, Shown, shown

State: TypeAlias = Mapping[str, Tensor]
"""What a Teller remembers between two words, a row for each dialog; what else it is, is its own business."""


class Pieces(NamedTuple):
    """Of each scene its pieces, as many as the fullest of the scenes has; the rest is not there."""

    kind: Tensor
    seen: Shown

    @property
    def hidden(self) -> Tensor:
        """To be added before a softmax over pieces: nothing, or where there is no piece, minus infinity. Of a
        scene without any, the empty places are seen."""
        there = self.seen.there
        return torch.zeros(there.shape, device=there.device).masked_fill(
            ~there & there.any(1, keepdim=True), -torch.inf
        )


def pieces(targets: Tensor) -> Pieces:
    """Of packed scenes."""
    whole = shown(targets)
    many = max(1, int(whole.there.sum(1).max()))
    kind = (~whole.there).byte().argsort(dim=1, stable=True)[:, :many]
    there, size, flip, figure = (
        part.gather(1, kind) for part in (whole.there, whole.size, whole.flip, whole.figure)
    )
    xy = whole.xy.gather(1, kind[..., None].expand(-1, -1, 2))
    return Pieces(kind, Shown(there, xy, size, flip, figure))


class Said(NamedTuple):
    """After each word that was heard."""

    next: Tensor
    """The scores of all words to say next."""
    undrawn: Tensor
    """The scores of all kinds, that they are still to be drawn."""
    worth: Tensor
    """What it expects to gain by all that is still to come."""


_NOTHING = {"hidden": -torch.inf}


def _alike(one: Tensor, other: Tensor, nothing: float) -> list[Tensor]:
    """Rows of the same form, filled up at the ends."""
    form = [max(sizes) for sizes in zip(one.shape[1:], other.shape[1:], strict=True)]

    def filled(of: Tensor) -> Tensor:
        lacks = [
            add for size, most in zip(of.shape[:0:-1], form[::-1], strict=True) for add in (0, most - size)
        ]
        return F.pad(of, lacks, value=nothing) if any(lacks) else of

    return [filled(one), filled(other)]


class Teller(nn.Module, ABC):
    """A dialog is START, then messages that each end with END; a Teller that has finished says START
    again."""

    settings: Any
    longest: int
    """Words in a dialog at most."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.undrawn = nn.Linear(hidden, MANY)
        self.worth = nn.Linear(hidden, 1)
        nn.init.zeros_(self.worth.weight)

    @abstractmethod
    def forward(self, targets: Tensor, heard: Tensor) -> Said:
        """Of packed scenes and what was said of each so far, padded rows of numbers."""

    @abstractmethod
    def begin(self, targets: Tensor) -> State:
        """Before the first word."""

    @abstractmethod
    def go_on(self, state: State, word: Tensor) -> tuple[Tensor, State]:
        """The scores of all words to say after this one, and what to remember."""

    def only(self, state: State, rows: Tensor) -> State:
        """Of some of the dialogs."""
        return {name: of[rows] for name, of in state.items()}

    def joined(self, one: State, other: State) -> State:
        """Of these dialogs and those. Where those have more pieces or words, nothing stands in the places
        that these lack."""
        return {name: torch.cat(_alike(one[name], other[name], _NOTHING.get(name, 0.0))) for name in one}

    def steady(self) -> None:
        """Drops nothing out, but can still learn: what is learned from must be what was said. On a GPU, LSTMs
        learn only as long as they train; ours drop nothing out themselves."""
        self.eval()
        for part in self.modules():
            if isinstance(part, nn.RNNBase):
                part.train()
                part.flatten_parameters()
