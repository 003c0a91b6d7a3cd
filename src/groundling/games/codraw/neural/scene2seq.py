"""The paper's Teller: an LSTM that attends to the scene's pieces before and after each step."""

from __future__ import annotations

from typing import ClassVar

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.scene import EXPRESSIONS, POSES, SIZES
from groundling.games.codraw.neural.scene_tensors import KIND_COUNT, person_tensor_mask
from groundling.games.codraw.neural.teller_base import (
    ScenePieces,
    Teller,
    TellerOutput,
    TellerState,
    gather_teller_pieces,
)
from groundling.games.codraw.neural.vocabulary import PAD

COLUMNS, ROWS = 3, 2
"""The grid in which it knows the place of a piece."""


class Scene2seqSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    word_size: int = 256
    tag_size: int = 128
    hidden: int = 1024
    heads: int = 4
    attention: int = 128
    dropout: float = 0.2
    longest: int = 256


class Scene2seqTeller(Teller):
    batch: ClassVar[int] = 128

    def __init__(self, settings: Scene2seqSettings) -> None:
        super().__init__(settings.hidden)
        self.settings = settings
        self.longest = settings.longest
        self.words = nn.Embedding(settings.words, settings.word_size, padding_idx=PAD)
        many = (KIND_COUNT, COLUMNS * ROWS, len(SIZES), 2, len(POSES) + 1, len(EXPRESSIONS) + 1)
        self.tags = nn.ModuleList(nn.Embedding(of, settings.tag_size) for of in many)
        self.before = _PieceAttention(
            settings.word_size, settings.tag_size, settings.attention, settings.heads
        )
        self.cell = nn.LSTM(settings.word_size + settings.attention, settings.hidden, batch_first=True)
        self.after = _PieceAttention(settings.hidden, settings.tag_size, settings.attention, settings.heads)
        self.out = nn.Linear(settings.hidden + settings.attention, settings.words)
        self.drop = nn.Dropout(settings.dropout)

    def _encode_scene(self, found: ScenePieces) -> Tensor:
        """Embed each piece as the sum of its six tags. "No pose" and "no expression" are tags too."""
        seen = found.seen
        column = (seen.xy[..., 0] * COLUMNS).long().clamp(0, COLUMNS - 1)
        row = (seen.xy[..., 1] * ROWS).long().clamp(0, ROWS - 1)
        person = person_tensor_mask(seen.there.new_zeros(KIND_COUNT))[found.kind].long()
        tags = (
            found.kind,
            column + COLUMNS * row,
            seen.size,
            seen.flip,
            (seen.pose + 1) * person,
            (seen.expression + 1) * person,
        )
        return torch.stack([tag(of) for tag, of in zip(self.tags, tags, strict=True)]).sum(0)

    def forward(self, targets: Tensor, heard: Tensor) -> TellerOutput:
        found = gather_teller_pieces(targets)
        scene = self._encode_scene(found)
        words = self.drop(self.words(heard))
        row, _ = self.cell(
            torch.cat(
                [words, self.before(words, *self.before.project_keys(scene), found.hidden_mask)], dim=-1
            )
        )
        row = self.drop(row)
        seen = self.after(row, *self.after.project_keys(scene), found.hidden_mask)
        return TellerOutput(
            self.out(torch.cat([row, seen], dim=-1)).float(),
            self.undrawn(row).float(),
            self.worth(row.detach())[..., 0].float(),
        )

    def start_state(self, targets: Tensor) -> TellerState:
        found = gather_teller_pieces(targets)
        scene = self._encode_scene(found)
        before, after = self.before.project_keys(scene), self.after.project_keys(scene)
        empty = scene.new_zeros(len(targets), self.settings.hidden)
        return {
            "before keys": before[0],
            "before values": before[1],
            "after keys": after[0],
            "after values": after[1],
            "hidden": found.hidden_mask,
            "row": empty,
            "cell": empty,
        }

    def score_next_word(self, state: TellerState, word: Tensor) -> tuple[Tensor, TellerState]:
        hidden = state["hidden"]
        heard = self.words(word)[:, None]
        seen = self.before(heard, state["before keys"], state["before values"], hidden)
        row, (last, cell) = self.cell(
            torch.cat([heard, seen], dim=-1), (state["row"][None], state["cell"][None])
        )
        seen = self.after(row, state["after keys"], state["after values"], hidden)
        scores: Tensor = self.out(torch.cat([row, seen], dim=-1))[:, 0]
        return scores.float(), {**state, "row": last[0], "cell": cell[0]}


class _PieceAttention(nn.Module):
    def __init__(self, asks: int, seen: int, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.ask, self.key, self.value = nn.Linear(asks, size), nn.Linear(seen, size), nn.Linear(seen, size)

    def project_keys(self, scene: Tensor) -> tuple[Tensor, Tensor]:
        return self._split_heads(self.key(scene)), self._split_heads(self.value(scene))

    def _split_heads(self, row: Tensor) -> Tensor:
        return row.view(*row.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, row: Tensor, keys: Tensor, values: Tensor, hidden: Tensor) -> Tensor:
        asked = self._split_heads(self.ask(row))
        mask = hidden[:, None, None].to(asked.dtype)
        found = F.scaled_dot_product_attention(
            asked, keys.to(asked.dtype), values.to(asked.dtype), attn_mask=mask
        )
        return found.transpose(1, 2).flatten(2)
