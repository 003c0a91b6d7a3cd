"""A Teller that knows exactly where each piece stands, and looks back at all that it has said."""

from __future__ import annotations

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ....boards.scene import EXPRESSIONS, POSES, SIZES
from .scenes import MANY, people
from .tellers import Pieces, Said, State, Teller, pieces
from .words import END, PAD, START

WAVES = 5
"""Of halving length, by which a place is told."""
_MARKS = len(SIZES) + 2 + len(POSES) + len(EXPRESSIONS) + 2 * (1 + 2 * WAVES)


class DecoderSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 384
    heads: int = 6
    layers: int = 4
    sees: int = 2
    """Layers in which the pieces see each other."""
    dropout: float = 0.3
    longest: int = 256


class DecoderTeller(Teller):
    def __init__(self, settings: DecoderSettings) -> None:
        width = settings.width
        super().__init__(width)
        self.settings = settings
        self.longest = settings.longest
        self.words = nn.Embedding(settings.words, width, padding_idx=PAD)
        self.places = nn.Embedding(settings.longest, width)
        self.since = nn.Embedding(64, width)
        """How many words ago a message began."""
        self.kinds = nn.Embedding(MANY, width)
        self.marks = nn.Linear(_MARKS, width)
        sees = nn.TransformerEncoderLayer(
            width, settings.heads, 2 * width, settings.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.scene = nn.TransformerEncoder(sees, settings.sees, nn.LayerNorm(width), enable_nested_tensor=False)
        self.layers = nn.ModuleList(_Layer(width, settings.heads, settings.dropout) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, settings.words)
        self.drop = nn.Dropout(settings.dropout)
        for table in (self.words, self.places, self.since):
            nn.init.normal_(table.weight, std=0.02)

    def _scene(self, found: Pieces) -> Tensor:
        seen = found.seen
        person = people(seen.there.new_zeros(MANY))[found.kind][..., None]
        waves = [seen.xy - 0.5]
        for wave in range(WAVES):
            turned = seen.xy * torch.pi * 2**wave
            waves += [turned.sin(), turned.cos()]
        marks = [
            F.one_hot(seen.size, len(SIZES)),
            F.one_hot(seen.flip, 2),
            F.one_hot(seen.pose, len(POSES)) * person,
            F.one_hot(seen.expression, len(EXPRESSIONS)) * person,
            *waves,
        ]
        row = self.kinds(found.kind) + self.marks(torch.cat(marks, dim=-1))
        encoded: Tensor = self.scene(row, src_key_padding_mask=found.hidden)
        return encoded

    def _layers(self) -> list[_Layer]:
        return [layer for layer in self.layers if isinstance(layer, _Layer)]

    def _words(self, heard: Tensor, first: int, since: Tensor) -> Tensor:
        places = torch.arange(first, first + heard.shape[1], device=heard.device)
        row: Tensor = self.words(heard) + self.places(places) + self.since(since.clamp(max=self.since.num_embeddings - 1))
        return row

    def forward(self, targets: Tensor, heard: Tensor) -> Said:
        found = pieces(targets)
        scene = self._scene(found)
        row = self.drop(self._words(heard, 0, _since(heard)))
        for layer in self._layers():
            row, _ = layer(row, layer.keys(scene), found.hidden, None)
        row = self.norm(row)
        return Said(self.out(row).float(), self.undrawn(row).float(), self.worth(row.detach())[..., 0].float())

    def begin(self, targets: Tensor) -> State:
        found = pieces(targets)
        scene = self._scene(found)
        since = torch.zeros(len(targets), dtype=torch.long, device=targets.device)
        return [layer.keys(scene) for layer in self._layers()], found.hidden, [None] * len(self.layers), 0, since

    def go_on(self, state: State, word: Tensor) -> tuple[Tensor, State]:
        keys, hidden, past, place, since = state
        since = torch.where(_fresh(word), 0, since + 1)
        row = self._words(word[:, None], place, since[:, None])
        now = []
        for layer, seen, before in zip(self.layers, keys, past, strict=True):
            row, kept = layer(row, seen, hidden, before)
            now.append(kept)
        scores: Tensor = self.out(self.norm(row))[:, 0]
        return scores.float(), (keys, hidden, now, place + 1, since)


def _fresh(heard: Tensor) -> Tensor:
    """After these words a message begins."""
    return (heard == START) | (heard == END)


def _since(heard: Tensor) -> Tensor:
    places = torch.arange(heard.shape[1], device=heard.device).expand(heard.shape)
    begun = torch.where(_fresh(heard), places, 0).cummax(1).values
    return places - begun


class _Layer(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.own, self.own_out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.ask, self.seen, self.seen_out = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.think = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(4 * width, width))
        self.drop = nn.Dropout(dropout)

    def _split(self, row: Tensor) -> Tensor:
        return row.view(*row.shape[:2], self.heads, -1).transpose(1, 2)

    def keys(self, scene: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = self.seen(scene).chunk(2, dim=-1)
        return self._split(keys), self._split(values)

    def forward(
        self, row: Tensor, seen: tuple[Tensor, Tensor], hidden: Tensor, past: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Of whole dialogs; or of one more word of each, after the keys and values of all before it."""
        asked, *new = (self._split(part) for part in self.own(self.norms[0](row)).chunk(3, dim=-1))
        keys, values = new if past is None else (torch.cat([old, add], dim=2) for old, add in zip(past, new, strict=True))
        said = F.scaled_dot_product_attention(asked, keys, values, is_causal=row.shape[1] > 1)
        row = row + self.drop(self.own_out(said.transpose(1, 2).flatten(2)))
        asked = self._split(self.ask(self.norms[1](row)))
        mask = hidden[:, None, None].to(asked.dtype)
        looked = F.scaled_dot_product_attention(asked, *seen, attn_mask=mask)
        row = row + self.drop(self.seen_out(looked.transpose(1, 2).flatten(2)))
        return row + self.drop(self.think(self.norms[2](row))), (keys, values)
