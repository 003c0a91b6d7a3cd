"""The base class of Tellers that learn: they see a scene as pieces, and generate one word after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.scenes import MANY, Shown, shown

State: TypeAlias = Mapping[str, Tensor]
"""The state between two words, with a row for each dialog. Its keys depend on the model."""


class Pieces(NamedTuple):
    """The pieces of each scene, padded to the scene with most pieces."""

    kind: Tensor
    seen: Shown

    @property
    def hidden(self) -> Tensor:
        """A mask to add before a softmax over pieces: 0, or minus infinity where there is no piece. In an
        empty scene nothing is masked."""
        there = self.seen.there
        return torch.zeros(there.shape, device=there.device).masked_fill(
            ~there & there.any(1, keepdim=True), -torch.inf
        )


def pieces(targets: Tensor) -> Pieces:
    """Gather the pieces of packed scenes."""
    whole = shown(targets)
    many = max(1, int(whole.there.sum(1).max()))
    kind = (~whole.there).byte().argsort(dim=1, stable=True)[:, :many]
    there, size, flip, figure = (
        part.gather(1, kind) for part in (whole.there, whole.size, whole.flip, whole.figure)
    )
    xy = whole.xy.gather(1, kind[..., None].expand(-1, -1, 2))
    return Pieces(kind, Shown(there, xy, size, flip, figure))


class Said(NamedTuple):
    """Outputs after each word."""

    next: Tensor
    """The scores of all words as the next one."""
    undrawn: Tensor
    """The scores of all kinds, that they are still undrawn."""
    worth: Tensor
    """The expected reward from here on."""


_NOTHING = {"hidden": -torch.inf}


def _alike(one: Tensor, other: Tensor, nothing: float) -> list[Tensor]:
    """Pad two tensors at their ends to the same shape."""
    form = [max(sizes) for sizes in zip(one.shape[1:], other.shape[1:], strict=True)]

    def filled(of: Tensor) -> Tensor:
        lacks = [
            add for size, most in zip(of.shape[:0:-1], form[::-1], strict=True) for add in (0, most - size)
        ]
        return F.pad(of, lacks, value=nothing) if any(lacks) else of

    return [filled(one), filled(other)]


class Teller(nn.Module, ABC):
    """A dialog is START, then messages that each end with END. A Teller that has finished says START
    again."""

    settings: Any
    longest: int
    """The number of words in a dialog, at most."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.undrawn = nn.Linear(hidden, MANY)
        self.worth = nn.Linear(hidden, 1)
        nn.init.zeros_(self.worth.weight)

    @abstractmethod
    def forward(self, targets: Tensor, heard: Tensor) -> Said:
        """Compute outputs for packed scenes and the words so far, padded rows of numbers."""

    @abstractmethod
    def begin(self, targets: Tensor) -> State:
        """Return the state before the first word."""

    @abstractmethod
    def go_on(self, state: State, word: Tensor) -> tuple[Tensor, State]:
        """Return the scores of all words after this one, and the new state."""

    def only(self, state: State, rows: Tensor) -> State:
        """Select some of the dialogs."""
        return {name: of[rows] for name, of in state.items()}

    def joined(self, one: State, other: State) -> State:
        """Concatenate the dialogs of two states, with padding where they differ in pieces or words."""
        return {name: torch.cat(_alike(one[name], other[name], _NOTHING.get(name, 0.0))) for name in one}

    def steady(self) -> None:
        """Disable dropout, but keep training possible: the gradient must belong to the sampled words. On a
        GPU, LSTMs have gradients only in training mode; ours have no dropout of their own."""
        self.eval()
        for part in self.modules():
            if isinstance(part, nn.RNNBase):
                part.train()
                part.flatten_parameters()
