"""An executor that chooses a class for each of the 180 tiles: one of eight colours, or no action.

The paper's model reads the text again for each tile. This one reads it once, and tiles attend to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, TILES
from groundling.games.hexagons.neural.encoder import EncoderSettings, TextEncoder
from groundling.games.hexagons.neural.executor import LearnedExecutor
from groundling.games.hexagons.neural.notation import Tile
from groundling.games.hexagons.neural.situations import Situation
from groundling.games.hexagons.neural.tokens import TextTokens
from groundling.train.devices import device_precision

UNTOUCHED = len(COLOURS)
"""The class of a tile that is not painted."""
UNSEEN = len(COLOURS)
"""Stands in place of a colour where no board is shown."""
AGES = 8
"""How many steps ago a tile was painted, at most; the last stands for more, 0 for never."""


class ClassifierSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    context: str
    encoder: EncoderSettings
    base: str = ""
    """The folder of a Hugging Face encoder, in place of our own."""
    layers: int = 4
    """Of the tiles."""
    width: int = 256
    heads: int = 8
    dropout: float = 0.1


class TileLayer(nn.Module):
    """Tiles look at each other, as far as they lie apart, and at the text."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.attend, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.ask, self.read, self.heard = (
            nn.Linear(width, width),
            nn.Linear(width, 2 * width),
            nn.Linear(width, width),
        )
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))
        self.apart = nn.Parameter(torch.zeros(2 * (2 * COLUMNS - 1) * (2 * ROWS - 1), heads))

    def forward(self, tiles: Tensor, text: Tensor, mask: Tensor, apart: Tensor) -> Tensor:
        many, length, width = tiles.shape
        norm = self.norm1(tiles)
        query, key, value = self.attend(norm).view(many, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        bias = self.apart[apart].permute(2, 0, 1).to(query.dtype)
        found = F.scaled_dot_product_attention(query, key, value, bias)
        tiles = tiles + self._drop(self.out(found.transpose(1, 2).reshape(many, length, width)))
        norm = self.norm2(tiles)
        query = self.ask(norm).view(many, length, self.heads, -1).transpose(1, 2)
        key, value = self.read(text).view(many, text.shape[1], 2, self.heads, -1).permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(query, key, value, mask)
        tiles = tiles + self._drop(self.heard(found.transpose(1, 2).reshape(many, length, width)))
        norm = self.norm3(tiles)
        return tiles + self._drop(self.outer(F.gelu(self.inner(norm))))

    def _drop(self, rows: Tensor) -> Tensor:
        return F.dropout(rows, self.dropout, self.training)


class TileClassifier(LearnedExecutor):
    apart: Tensor

    def __init__(
        self, settings: ClassifierSettings, tokens: TextTokens, encoder: nn.Module | None = None
    ) -> None:
        super().__init__()
        self.settings, self.tokens = settings, tokens
        self.encoder = encoder or TextEncoder(settings.encoder)
        width = settings.width
        self.current = nn.Parameter(torch.zeros(settings.encoder.width))
        self.narrow = nn.Linear(settings.encoder.width, width)
        self.rows, self.columns = nn.Embedding(ROWS, width), nn.Embedding(COLUMNS, width)
        self.colours, self.ages = nn.Embedding(UNSEEN + 1, width), nn.Embedding(AGES + 1, width)
        for table in (self.rows, self.columns, self.colours, self.ages):
            nn.init.normal_(table.weight, std=0.3)
        self.layers = nn.ModuleList(
            TileLayer(width, settings.heads, settings.dropout) for _ in range(settings.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, UNTOUCHED + 1)
        self.register_buffer("apart", _tile_offsets(), persistent=False)

    def encode_situations(self, situations: Sequence[Situation]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Tokens, where the current instruction begins, the tiles' colours, and how old these are."""
        longest = self.settings.encoder.longest
        texts, begins = [], []
        for situation in situations:
            *history, last = [[*self.tokens.encode(text), self.tokens.end] for text in situation.texts]
            last = last[: longest - 1]
            before = [number for text in history for number in text]
            before = before[max(0, len(before) + len(last) + 1 - longest) :]
            texts.append([self.tokens.start, *before, *last])
            begins.append(1 + len(before))
        length = max(map(len, texts))
        rows = torch.tensor([[*row, *[self.tokens.pad] * (length - len(row))] for row in texts])
        boards = [_board_features(situation) for situation in situations]
        return (
            rows,
            torch.tensor(begins),
            torch.from_numpy(np.stack([one for one, _ in boards])),
            torch.from_numpy(np.stack([one for _, one in boards])),
        )

    def forward(self, tokens: Tensor, begins: Tensor, colours: Tensor, ages: Tensor) -> Tensor:
        """The scores of nine classes for each tile."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        there = tokens != self.tokens.pad
        now = (places >= begins[:, None]) & there
        text = self.encoder(tokens, now[:, :, None] * self.current)
        text = self.narrow(text + now[:, :, None] * self.current)
        tiles = (
            (self.rows.weight[:, None] + self.columns.weight[None]).flatten(0, 1)
            + self.colours(colours)
            + self.ages(ages)
        )
        mask = there[:, None, None]
        for layer in self.layers:
            tiles = layer(tiles, text, mask, self.apart)
        found: Tensor = self.head(self.norm(tiles))
        return found

    @torch.inference_mode()
    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        given = [part.to(self.where) for part in self.encode_situations(situations)]
        with device_precision(self.where):
            chosen = self(*given).argmax(-1).tolist()
        return [
            {tile: COLOURS[one] for tile, one in zip(TILES, row, strict=True) if one != UNTOUCHED}
            for row in chosen
        ]


def _board_features(situation: Situation) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The colours of the tiles, and how many steps ago each was painted."""
    if not situation.boards:
        return np.full(len(TILES), UNSEEN), np.zeros(len(TILES), np.int64)
    digits = np.frombuffer("".join(situation.boards).encode("ascii"), np.uint8).reshape(-1, len(TILES))
    changed = (digits[1:] != digits[:-1])[::-1]
    ages = np.minimum(changed.argmax(0) + 1, AGES) * changed.any(0) if len(changed) else np.zeros(len(TILES))
    return digits[-1].astype(np.int64) - ord("0"), ages.astype(np.int64)


def _tile_offsets() -> Tensor:
    """For each pair of tiles the number of their offset; columns of odd and even number lie differently."""
    rows, columns = (torch.tensor(part) for part in zip(*TILES, strict=True))
    down = rows[None] - rows[:, None] + ROWS - 1
    right = columns[None] - columns[:, None] + COLUMNS - 1
    parity = (columns % 2)[:, None].expand_as(down)
    return (parity * (2 * COLUMNS - 1) + right) * (2 * ROWS - 1) + down
