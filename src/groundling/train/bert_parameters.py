"""The parameters of encoders of the BERT kind under the names of our networks."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def rename_bert_parameters(
    state: Mapping[str, Tensor], layers: str, attend: str, names: Mapping[str, str]
) -> dict[str, Tensor]:
    """Return the parameters as `words`, `places` (with those of the one kind of token), `norm`, and in each
    of `layers` query, key and value as `attend`, and the others by `names`."""
    table = "embeddings."
    found = {
        "words.weight": state[f"{table}word_embeddings.weight"],
        "places.weight": state[f"{table}position_embeddings.weight"]
        + state[f"{table}token_type_embeddings.weight"][0],
        "norm.weight": state[f"{table}LayerNorm.weight"],
        "norm.bias": state[f"{table}LayerNorm.bias"],
    }
    for layer in {name.split(".")[2] for name in state if name.startswith("encoder.layer.")}:
        theirs, ours = f"encoder.layer.{layer}.", f"{layers}.{layer}."
        for end in ("weight", "bias"):
            heads = [state[f"{theirs}attention.self.{part}.{end}"] for part in ("query", "key", "value")]
            found[f"{ours}{attend}.{end}"] = torch.cat(heads)
            for name, other in names.items():
                found[f"{ours}{other}.{end}"] = state[f"{theirs}{name}.{end}"]
    return found
