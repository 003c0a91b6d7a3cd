"""A Drawer that reads the whole dialog: an encoder of words, and one query per kind that attends to them.

Words attend to their own message and to earlier ones, not to later ones. So each message is read once, when
it arrives, and its keys and values are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import ClassVar, NamedTuple

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.scene import EXPRESSIONS, POSES, SIZES
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.layers import AnswerLayer, AttentionFunction, ReaderLayer
from groundling.games.codraw.neural.scene_choice import choose_scenes
from groundling.games.codraw.neural.scene_tensors import KIND_COUNT, split_scene_tensors
from groundling.games.codraw.neural.vocabulary import END, PAD
from groundling.train.int8_linear import quantize_linear_layers

_PARTS = (1, 1, 2, len(SIZES), 2, len(POSES), len(EXPRESSIONS))


class TransformerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 256
    heads: int = 4
    layers: int = 4
    """Layers of the reader."""
    deep: int = 3
    """Layers of the queries."""
    inner: int = 4
    """The inner width of the reader's layers, relative to their width."""
    dropout: float = 0.2
    longest: int = 384
    after: bool = False
    """Norms come after each step, as in BERT; otherwise before."""
    mirror: tuple[int, ...] = ()
    """For each word, the word for the mirrored scene."""


class SceneGuess(NamedTuple):
    """Predictions by kind and scene; but for places, scores before a softmax or sigmoid, or likelihoods."""

    target: Tensor
    """The kind is in the target."""
    drawn: Tensor
    """People have drawn it by now."""
    xy: Tensor
    size: Tensor
    flip: Tensor
    pose: Tensor
    expression: Tensor

    def only_allowed(self, allowed: Tensor | None) -> SceneGuess:
        """Restrict likelihoods to the allowed kinds."""
        return self if allowed is None else self._replace(target=self.target * allowed)


class TransformerDrawer(Drawer):
    whole: ClassVar[bool] = True
    batch: ClassVar[int] = 8  # what it reads fits into the processor's cache

    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__()
        width = settings.width
        self.settings = settings
        self.longest = settings.longest
        self.words = nn.Embedding(settings.words, width, padding_idx=PAD)
        self.places = nn.Embedding(settings.longest, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(settings.dropout)
        form = width, settings.heads, settings.dropout
        self.reader = nn.ModuleList(
            ReaderLayer(*form, settings.inner, settings.after) for _ in range(settings.layers)
        )
        self.read = nn.LayerNorm(width)
        self.answerer = nn.ModuleList(AnswerLayer(*form, inner=2) for _ in range(settings.deep))
        self.answered = nn.LayerNorm(width)
        self.kinds = nn.Parameter(torch.randn(KIND_COUNT, width) * 0.5)
        self.through = nn.Embedding(2, width)
        """Whether the scene is mirrored. How often unmentioned kinds are flipped depends on it."""
        self.out = nn.Linear(width, sum(_PARTS))
        self.usual = nn.Parameter(torch.zeros(KIND_COUNT, sum(_PARTS)))
        _init_attention(self)
        nn.init.normal_(self.words.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        nn.init.normal_(self.through.weight, std=0.02)
        nn.init.normal_(self.out.weight, std=0.02)
        self.register_buffer(
            "mirror", torch.tensor(settings.mirror or range(settings.words)), persistent=False
        )

    def set_priors(self, targets: Tensor) -> None:
        """Initialise the output with the frequencies and mean places of these scenes."""
        seen = split_scene_tensors(targets)
        often = (seen.there.float().mean(0)).clamp(0.005, 0.95)
        middle = seen.xy.sum(0) / seen.there.sum(0).clamp(min=1)[:, None]
        with torch.no_grad():
            self.usual[:, 0] = self.usual[:, 1] = torch.logit(often)
            self.usual[:, 2:4] = torch.where(seen.there.any(0)[:, None], middle - 0.5, 0)

    def forward(self, heard: Tensor, mirror: Tensor) -> SceneGuess:
        """Predict from the words of whole dialogs, and whether (0 or 1) they are mirrored."""
        places = torch.arange(heard.shape[1], device=heard.device)
        row = self.drop(self.norm(self.words(heard) + self.places(places)))
        ended, said = heard == END, heard != PAD
        message = ended.cumsum(1) - ended.long()
        earlier = (message[:, None] <= message[:, :, None]) & said[:, None] | ~said[:, :, None]
        among = self._make_attention(earlier[:, None])
        for layer in self.reader:
            row = layer(row, among)
        memory = self.read(row)
        look = self._make_attention(said[:, None, None])
        return self._answer_kinds(mirror, lambda layer: _attend_beside(look, layer.project_keys(memory)))

    def _make_attention(self, seen: Tensor | None = None) -> AttentionFunction:
        dropout = self.settings.dropout if self.training else 0.0
        return partial(F.scaled_dot_product_attention, attn_mask=seen, dropout_p=dropout)

    def _answer_kinds(
        self, mirror: Tensor, beside: Callable[[AnswerLayer], Callable[[Tensor], Tensor]]
    ) -> SceneGuess:
        """Let each kind's query attend, at each layer, with the functions from `beside`."""
        row = self.kinds + self.through(mirror)[:, None]
        among = self._make_attention()
        for layer in self.answerer:
            assert isinstance(layer, AnswerLayer)
            row = layer(row, among, beside(layer))
        found = self.out(self.answered(row)).float() + self.usual
        target, drawn, xy, size, flip, pose, expression = found.split(_PARTS, dim=-1)
        return SceneGuess(target[..., 0], drawn[..., 0], xy + 0.5, size, flip, pose, expression)

    def read_messages(
        self, before: Sequence[ReaderState], messages: Sequence[Sequence[int]]
    ) -> list[ReaderState]:
        """Read one more message of each dialog. All their words are in one row, unpadded."""
        where = self.kinds.device
        words = torch.tensor([word for message in messages for word in message], device=where)
        ends = list(accumulate(map(len, messages)))
        parts = [slice(end - len(message), end) for end, message in zip(ends, messages, strict=True)]
        places = torch.cat(
            [torch.arange(one.words, one.words + len(new)) for one, new in zip(before, messages, strict=True)]
        )
        known: list[list[_KeysValues]] = [[] for _ in messages]

        def remember_layer(*new: Tensor) -> None:
            """Append the keys and values of one layer."""
            for old, kept, part in zip(before, known, parts, strict=True):
                keys, values = (table[:, part] for table in new)
                earlier = old.known[len(kept)] if old.words else (keys[:, :0], values[:, :0])
                kept.append((torch.cat([earlier[0], keys], 1), torch.cat([earlier[1], values], 1)))

        def attend_known(asked: Tensor, keys: Tensor, values: Tensor) -> Tensor:
            remember_layer(keys, values)
            return torch.cat(
                [_attend_table(asked[:, part], kept[-1]) for part, kept in zip(parts, known, strict=True)], 1
            )

        row = self.norm(self.words(words) + self.places(places.to(where)))
        for layer in self.reader:
            row = layer(row, attend_known)
        memory = self.read(row)
        for layer in self.answerer:
            assert isinstance(layer, AnswerLayer)
            remember_layer(*layer.project_keys(memory))
        return [
            ReaderState(old.words + len(new), kept)
            for old, new, kept in zip(before, messages, known, strict=True)
        ]

    def guess_scenes(self, readings: Sequence[ReaderState], mirror: bool = False) -> SceneGuess:
        """Predict likelihoods as for whole dialogs. The first query is computed once for all."""
        turned = torch.full((1,), int(mirror), device=self.kinds.device)
        numbers = {layer: number for number, layer in enumerate(self.answerer, len(self.reader))}

        def attend_readings(layer: AnswerLayer) -> Callable[[Tensor], Tensor]:
            known = [one.known[numbers[layer]] for one in readings]
            return lambda asked: torch.stack(
                [
                    _attend_table(one, seen)
                    for one, seen in zip(asked.expand(len(known), -1, -1, -1), known, strict=True)
                ]
            )

        return _to_likelihoods(self._answer_kinds(turned, attend_readings), mirror)

    def to_half_precision(self) -> None:
        """Convert to half precision, except for the output's bias, because places need pixel precision."""
        usual = self.usual.detach().clone()
        self.to(torch.bfloat16)
        self.usual.data = usual

    def to_byte_weights(self) -> None:
        """Convert linear layers to bytes, except for the output, because places need pixel precision."""
        quantize_linear_layers(self.reader)
        quantize_linear_layers(self.answerer)

    def draw_canvas(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        straight = torch.zeros(len(heard), dtype=torch.long, device=heard.device)
        return choose_scenes(*_to_likelihoods(self(heard, straight)).only_allowed(allowed))


def _init_attention(model: nn.Module) -> None:
    """Initialise queries, keys and values like torch's own attention, because training is then faster."""
    for layer in model.modules():
        if isinstance(layer, (ReaderLayer, AnswerLayer)):
            size = (1.5 / layer.own.in_features) ** 0.5
            look = [layer.own, *([layer.ask, layer.seen] if isinstance(layer, AnswerLayer) else [])]
            out = [layer.own_out, *([layer.seen_out] if isinstance(layer, AnswerLayer) else [])]
            for part in look:
                nn.init.uniform_(part.weight, -size, size)
            for part in look + out:
                nn.init.zeros_(part.bias)


_KeysValues = tuple[Tensor, Tensor]
"""Keys and values."""


class ReaderState(NamedTuple):
    """The reader's state of a dialog so far."""

    words: int = 0
    """The number of words read."""
    known: Sequence[_KeysValues] = ()
    """Keys and values of all words, for each layer of the reader and then of the queries."""


def _attend_table(asked: Tensor, seen: _KeysValues) -> Tensor:
    return F.scaled_dot_product_attention(asked[None], seen[0][None], seen[1][None])[0]


def _attend_beside(look: AttentionFunction, seen: _KeysValues) -> Callable[[Tensor], Tensor]:
    return lambda asked: look(asked, *seen)


def _to_likelihoods(guess: SceneGuess, mirror: bool = False) -> SceneGuess:
    """Convert scores to likelihoods, and mirror the guess back if it was mirrored."""
    xy, size, flip = guess.xy, guess.size, guess.flip
    if mirror:
        xy, flip = torch.stack([1 - xy[..., 0], xy[..., 1]], dim=-1), flip.flip(-1)
    parts = [F.softmax(part, -1) for part in (size, flip, guess.pose, guess.expression)]
    return SceneGuess(torch.sigmoid(guess.target), torch.sigmoid(guess.drawn), xy, *parts)
