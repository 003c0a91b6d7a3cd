"""The base class of Tellers that learn: they see a scene as pieces, and generate one word after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.games.codraw.neural.scene_tensors import KIND_COUNT, SceneTensors, split_scene_tensors

TellerState: TypeAlias = Mapping[str, Tensor]
"""The state between two words, with a row for each dialog. Its keys depend on the model."""


class ScenePieces(NamedTuple):
    """The pieces of each scene, padded to the scene with most pieces."""

    kind: Tensor
    seen: SceneTensors

    @property
    def hidden_mask(self) -> Tensor:
        """A mask to add before a softmax: minus infinity where there is no piece, except in empty scenes."""
        there = self.seen.there
        return torch.zeros(there.shape, device=there.device).masked_fill(
            ~there & there.any(1, keepdim=True), -torch.inf
        )


def gather_teller_pieces(targets: Tensor) -> ScenePieces:
    """Gather the pieces of packed scenes."""
    whole = split_scene_tensors(targets)
    many = max(1, int(whole.there.sum(1).max()))
    kind = (~whole.there).byte().argsort(dim=1, stable=True)[:, :many]
    there, size, flip, figure = (
        part.gather(1, kind) for part in (whole.there, whole.size, whole.flip, whole.figure)
    )
    xy = whole.xy.gather(1, kind[..., None].expand(-1, -1, 2))
    return ScenePieces(kind, SceneTensors(there, xy, size, flip, figure))


class TellerOutput(NamedTuple):
    """Outputs after each word."""

    next: Tensor
    """The scores of all words as the next one."""
    undrawn: Tensor
    """The scores of all kinds, that they are still undrawn."""
    worth: Tensor
    """The expected reward from here on."""


_PAD_VALUES = {"hidden": -torch.inf}


def _pad_alike(one: Tensor, other: Tensor, nothing: float) -> list[Tensor]:
    """Pad two tensors at their ends to the same shape."""
    form = [max(sizes) for sizes in zip(one.shape[1:], other.shape[1:], strict=True)]

    def pad_tensor(of: Tensor) -> Tensor:
        lacks = [
            add for size, most in zip(of.shape[:0:-1], form[::-1], strict=True) for add in (0, most - size)
        ]
        return F.pad(of, lacks, value=nothing) if any(lacks) else of

    return [pad_tensor(one), pad_tensor(other)]


class Teller(nn.Module, ABC):
    """A dialog is START, then messages that each end with END. START again finishes."""

    settings: Any
    longest: int
    """The number of words in a dialog, at most."""
    batch: ClassVar[int]
    """Dialogs that it continues at once, as many as are fastest."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.undrawn = nn.Linear(hidden, KIND_COUNT)
        self.worth = nn.Linear(hidden, 1)
        nn.init.zeros_(self.worth.weight)

    @abstractmethod
    def forward(self, targets: Tensor, heard: Tensor) -> TellerOutput:
        """Compute outputs for packed scenes and the words so far, padded rows of numbers."""

    @abstractmethod
    def start_state(self, targets: Tensor) -> TellerState:
        """Return the state before the first word."""

    @abstractmethod
    def score_next_word(self, state: TellerState, word: Tensor) -> tuple[Tensor, TellerState]:
        """Return the scores of all words after this one, and the new state."""

    def select_rows(self, state: TellerState, rows: Tensor) -> TellerState:
        """Select some of the dialogs."""
        return {name: of[rows] for name, of in state.items()}

    def join_states(self, one: TellerState, other: TellerState) -> TellerState:
        """Concatenate the dialogs of two states, with padding where they differ in pieces or words."""
        return {
            name: torch.cat(_pad_alike(one[name], other[name], _PAD_VALUES.get(name, 0.0))) for name in one
        }

    def disable_dropout(self) -> None:
        """Disable dropout, but keep training possible: the gradient must belong to the sampled words. On a
        GPU, LSTMs have gradients only in training mode; ours have no dropout of their own."""
        self.eval()
        for part in self.modules():
            if isinstance(part, nn.RNNBase):
                part.train()
                part.flatten_parameters()
