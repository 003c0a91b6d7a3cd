"""A causal language model of the Llama kind, whose matrices or ternary differences to them are learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

from groundling.train.ternary import round_to_ternary

EPSILON = 1e-5
KEPT_TOKENS = 8_000
"""Of a larger batch, a layer's numbers are computed again when gradients need them: SmolLM2 would keep more
than a megabyte a token."""


class LlamaSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 256
    layers: int = 6
    heads: int = 8
    kv_heads: int = 8
    inner: int = 768
    theta: float = 10000.0
    """The base of the rotary frequencies."""
    longest: int = 1536
    """Tokens of a prompt and its answer together."""
    ternary: bool = False
    """Whether the matrices are frozen, and differences to them are learned: -1, 0 or 1 times a step for each
    row."""


class AdaptedLinear(nn.Module):
    """A matrix that is learned; or one that is frozen, with a ternary difference that is learned."""

    weight: Tensor
    sum: Tensor | None = None
    """While it is learned: the matrix with its ternary difference, as `Llama.add_changes` made it."""

    def __init__(self, given: int, found: int, settings: LlamaSettings) -> None:
        super().__init__()
        self.ternary = settings.ternary
        if self.ternary:
            self.register_buffer("weight", torch.zeros(found, given), persistent=False)
            self.change = nn.Parameter(torch.zeros(found, given))
        else:
            self.weight = nn.Parameter(torch.randn(found, given) / given**0.5)

    def forward(self, rows: Tensor) -> Tensor:
        if self.sum is not None:
            return F.linear(rows, self.sum)
        weight = self.weight + self.change if self.ternary else self.weight
        return F.linear(rows, weight.to(rows.dtype))

    def merge_weights(self) -> Tensor:
        """The matrix with its difference."""
        return (self.weight + self.change if self.ternary else self.weight).detach()


class _LearnedSum(torch.autograd.Function):
    """A sum that was computed elsewhere, whose gradient is that of a term."""

    @staticmethod
    def forward(ctx: Any, term: Tensor, total: Tensor) -> Tensor:
        return total.view_as(total)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient.float(), None


class HalfLinear(nn.Module):
    """A matrix in half precision by which numbers in full precision are multiplied: a CPU takes most of its
    time to read matrices from memory."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.packed = torch.ops.quantized.linear_prepack_fp16(weight, None)

    def forward(self, rows: Tensor) -> Tensor:
        found: Tensor = torch.ops.quantized.linear_dynamic_fp16(rows, self.packed)
        return found


def make_merged_linear(weight: Tensor) -> nn.Module:
    """A matrix that is not learned any more, as this CPU or a GPU multiplies by it soonest."""
    if not weight.is_cuda and torch.backends.quantized.engine in ("x86", "fbgemm"):
        return HalfLinear(weight)
    whole = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    whole.weight.data = weight.bfloat16() if weight.is_cuda else weight.contiguous()
    return whole


class KeyValueCache:
    """What attention has computed of earlier tokens, one row a dialog; rows may be of different lengths."""

    def __init__(self, keys: Tensor, values: Tensor, lengths: Tensor) -> None:
        self.keys, self.values, self.lengths = keys, values, lengths

    @classmethod
    def make(cls, settings: LlamaSettings, rows: int, room: int, like: Tensor) -> KeyValueCache:
        shape = (settings.layers, rows, settings.kv_heads, room, settings.width // settings.heads)
        zeros = torch.zeros(shape, dtype=like.dtype, device=like.device)
        return cls(zeros, zeros.clone(), torch.zeros(rows, dtype=torch.long, device=like.device))

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Put new ones behind the old ones of each row, and return all."""
        end = self.reach(keys.shape[2])
        if len(keys) == 1 and not keys.is_cuda:
            self.keys[layer, :, :, end - keys.shape[2] : end] = keys
            self.values[layer, :, :, end - keys.shape[2] : end] = values
        else:
            places = self.lengths[:, None] + torch.arange(keys.shape[2], device=keys.device)
            rows = torch.arange(len(places), device=keys.device)[:, None]
            self.keys[layer, rows, :, places] = keys.transpose(1, 2)
            self.values[layer, rows, :, places] = values.transpose(1, 2)
        return self.keys[layer, :, :, :end], self.values[layer, :, :, :end]

    def reach(self, added: int) -> int:
        """The places of the longest row with these new tokens; on a GPU, which does not wait for this
        number, all places."""
        return self.keys.shape[3] if self.keys.is_cuda else int(self.lengths.max()) + added

    def pair_parts(self, other: KeyValueCache) -> tuple[tuple[Tensor, Tensor], ...]:
        return (self.keys, other.keys), (self.values, other.values)

    def repeat_rows(self, times: int) -> KeyValueCache:
        """Each row several times, one after the other."""
        keys, values = (part.repeat_interleave(times, 1) for part in (self.keys, self.values))
        return KeyValueCache(keys, values, self.lengths.repeat_interleave(times))

    def reorder_rows(self, order: Tensor) -> None:
        """Replace each row by the one of this number; all have to be of the same length."""
        for part in (self.keys, self.values):
            part.copy_(part[:, order])


class Norm(nn.RMSNorm):
    """In the precision of what it is given."""

    def forward(self, rows: Tensor) -> Tensor:
        return F.rms_norm(rows, self.normalized_shape, self.weight.to(rows.dtype), self.eps)


class LlamaLayer(nn.Module):
    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.heads, self.kv_heads = settings.heads, settings.kv_heads
        width, size = settings.width, settings.width // settings.heads
        self.norm1, self.norm2 = Norm(width, EPSILON), Norm(width, EPSILON)
        self.query = AdaptedLinear(width, settings.heads * size, settings)
        self.key = AdaptedLinear(width, settings.kv_heads * size, settings)
        self.value = AdaptedLinear(width, settings.kv_heads * size, settings)
        self.out = AdaptedLinear(settings.heads * size, width, settings)
        self.gate = AdaptedLinear(width, settings.inner, settings)
        self.up = AdaptedLinear(width, settings.inner, settings)
        self.down = AdaptedLinear(settings.inner, width, settings)

    def forward(
        self,
        rows: Tensor,
        turns: tuple[Tensor, ...],
        cache: KeyValueCache | None = None,
        layer: int = 0,
        mask: Tensor | None = None,
    ) -> Tensor:
        many, length, _ = rows.shape
        norm = self.norm1(rows)
        query = _rotate_heads(self.query(norm).view(many, length, self.heads, -1), turns).transpose(1, 2)
        key = _rotate_heads(self.key(norm).view(many, length, self.kv_heads, -1), turns).transpose(1, 2)
        value = self.value(norm).view(many, length, self.kv_heads, -1).transpose(1, 2)
        if cache is not None:
            key, value = cache.write(layer, key, value)
        if length == 1:
            # heads that share keys stand as rows beside each other: else keys are copied for each of them
            query = query.view(many, self.kv_heads, -1, query.shape[-1])
        grouped = query.shape[1] != self.kv_heads
        found = F.scaled_dot_product_attention(
            query, key, value, mask, is_causal=mask is None, enable_gqa=grouped
        ).reshape(many, self.heads, length, -1)
        rows = rows + self.out(found.transpose(1, 2).reshape(many, length, -1))
        norm = self.norm2(rows)
        added: Tensor = rows + self.down(F.silu(self.gate(norm)) * self.up(norm))
        return added


class Llama(nn.Module):
    cosines: Tensor
    sines: Tensor
    rounding: Tensor
    """1 while ternary differences are rounded, as they are kept; before, they are learned as they are."""

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.settings = settings
        self._run_layer: Callable[[nn.Module, Tensor, tuple[Tensor, ...]], Tensor] = _run_layer
        self.words = nn.Embedding(settings.words, settings.width)
        nn.init.normal_(self.words.weight, std=0.02)
        self.layers = nn.ModuleList(LlamaLayer(settings) for _ in range(settings.layers))
        self.norm = Norm(settings.width, EPSILON)
        size = settings.width // settings.heads
        speeds = settings.theta ** (-torch.arange(0, size, 2).float() / size)
        angles = torch.arange(settings.longest)[:, None] * speeds
        self.register_buffer("cosines", angles.cos(), persistent=False)
        self.register_buffer("sines", angles.sin(), persistent=False)
        self.register_buffer("rounding", torch.zeros(()), persistent=False)

    def add_changes(self) -> None:
        """Add ternary differences to their matrices, those of all layers together: in few computations."""
        kept = torch.get_autocast_dtype("cuda") if self.rounding.is_cuda else torch.float32
        names = [name for name, part in self.layers[0].named_children() if isinstance(part, AdaptedLinear)]
        for name in names:
            parts = [getattr(layer, name) for layer in self.layers]
            with torch.no_grad():
                change = torch.stack([part.change for part in parts])
                change += self.rounding * (round_to_ternary(change) - change)
                change += torch.stack([part.weight for part in parts])
                totals = change.to(kept)
            for part, total in zip(parts, totals, strict=True):
                part.sum = None  # what was computed for its gradient goes before a graph captures the new one
                part.sum = _LearnedSum.apply(part.change, total)  # type: ignore[no-untyped-call]

    def compile_layers(self) -> None:
        """Learn with layers whose small computations are done together."""
        from torch._dynamo import mark_dynamic  # takes a second

        compiled = torch.compile(_run_layer)

        def run_compiled(layer: nn.Module, rows: Tensor, turns: tuple[Tensor, ...]) -> Tensor:
            for part in (rows, *turns):
                mark_dynamic(part, 1)  # one program for texts of all lengths
            return compiled(layer, rows, turns)

        self._run_layer = run_compiled

    def forward(self, tokens: Tensor, cache: KeyValueCache | None = None) -> Tensor:
        """What is known at each token; with a cache, the tokens come after those that are in it."""
        past = cache.lengths if cache is not None else tokens.new_zeros(len(tokens))
        places = past[:, None] + torch.arange(tokens.shape[1], device=tokens.device)
        places = places.clamp(max=self.settings.longest - 1)
        rows: Tensor = self.words(tokens)
        if torch.is_autocast_enabled(rows.device.type):
            rows = rows.to(torch.get_autocast_dtype(rows.device.type))
        turns = tuple(part[places][:, :, None].to(rows.dtype) for part in (self.cosines, self.sines))
        mask = None
        if cache is not None:
            reach = torch.arange(cache.reach(tokens.shape[1]), device=tokens.device)
            mask = (reach <= places[:, :, None])[:, None]
        learning = torch.is_grad_enabled() and self.training and cache is None
        for number, layer in enumerate(self.layers):
            if learning and tokens.numel() > KEPT_TOKENS:
                # nothing random is computed twice, and a CUDA graph cannot ask for the seed
                rows = checkpoint(
                    self._run_layer, layer, rows, turns, use_reentrant=False, preserve_rng_state=False
                )
            elif learning:
                rows = self._run_layer(layer, rows, turns)
            else:
                rows = layer(rows, turns, cache, number, mask)
        found: Tensor = self.norm(rows)
        return found


def _run_layer(layer: nn.Module, rows: Tensor, turns: tuple[Tensor, ...]) -> Tensor:
    """A layer of a text that is read at once, from its beginning."""
    found: Tensor = layer(rows, turns)
    return found


def _rotate_heads(heads: Tensor, turns: tuple[Tensor, ...]) -> Tensor:
    """Turn each pair of numbers by the angle of its place."""
    cosines, sines = turns
    one, other = heads[..., 0::2], heads[..., 1::2]
    return torch.stack([one * cosines - other * sines, one * sines + other * cosines], dim=-1).flatten(-2)


def freeze_llama_base(model: Llama, state: Mapping[str, Tensor]) -> None:
    """Put pretrained weights under differences. Only those of the norms are learned and saved."""
    parts = dict(model.named_modules())
    with torch.no_grad():
        for name, value in state.items():
            part, _, end = name.rpartition(".")
            getattr(parts[part], end).copy_(value)
    words = model.words.weight.detach().clone()
    del model.words.weight
    model.words.register_buffer("weight", words, persistent=False)
