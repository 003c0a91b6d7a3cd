"""A Drawer that hears the whole dialog: a reader of words, and one question for each kind, which looks for
its answer in them.

Words look at those of their own message and of all before it, not at what is said later. So each message is
read once, when it is said, and what was made of it stays."""

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
from groundling.games.codraw.neural.choosing import choose
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.layers import Answers, Look, Reads
from groundling.games.codraw.neural.scenes import MANY, shown
from groundling.games.codraw.neural.words import END, PAD
from groundling.train.bytes import in_bytes

_PARTS = (1, 1, 2, len(SIZES), 2, len(POSES), len(EXPRESSIONS))
_SEEN = 1 + 2 + len(SIZES) + 2 + len(POSES) + len(EXPRESSIONS)


class TransformerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 256
    heads: int = 4
    layers: int = 4
    """That read."""
    deep: int = 3
    """Layers that answer."""
    inner: int = 4
    """How much wider the layers that read are inside."""
    dropout: float = 0.2
    longest: int = 384
    looks: bool = False
    """At the canvas. What it would find there are its own guesses from the same words."""
    after: bool = False
    """Norms after each step, as in BERT; else before."""
    mirror: tuple[int, ...] = ()
    """For each word, the one that is said of the mirrored scene."""


class Guess(NamedTuple):
    """Of each kind in each scene, all but the places as scores before a softmax or sigmoid, or after it as
    likelihoods."""

    target: Tensor
    """It is in the target."""
    drawn: Tensor
    """People have drawn it by now."""
    xy: Tensor
    size: Tensor
    flip: Tensor
    pose: Tensor
    expression: Tensor

    def among(self, allowed: Tensor | None) -> Guess:
        """Of likelihoods: only these kinds may be there."""
        return self if allowed is None else self._replace(target=self.target * allowed)


class TransformerDrawer(Drawer):
    whole: ClassVar[bool] = True

    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__()
        width = settings.width
        self.settings = settings
        self.longest, self.looks = settings.longest, settings.looks
        self.words = nn.Embedding(settings.words, width, padding_idx=PAD)
        self.places = nn.Embedding(settings.longest, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(settings.dropout)
        form = width, settings.heads, settings.dropout
        self.reader = nn.ModuleList(
            Reads(*form, settings.inner, settings.after) for _ in range(settings.layers)
        )
        self.read = nn.LayerNorm(width)
        self.answerer = nn.ModuleList(Answers(*form, inner=2) for _ in range(settings.deep))
        self.answered = nn.LayerNorm(width)
        self.kinds = nn.Parameter(torch.randn(MANY, width) * 0.5)
        self.seen = nn.Linear(_SEEN, width)
        self.through = nn.Embedding(2, width)
        """Whether it looks through the mirror: how often a kind is flipped that nobody says anything of depends on it."""
        self.out = nn.Linear(width, sum(_PARTS))
        self.usual = nn.Parameter(torch.zeros(MANY, sum(_PARTS)))
        _start(self)
        nn.init.normal_(self.words.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        nn.init.normal_(self.through.weight, std=0.02)
        nn.init.normal_(self.out.weight, std=0.02)
        self.register_buffer(
            "mirror", torch.tensor(settings.mirror or range(settings.words)), persistent=False
        )

    def expect(self, targets: Tensor) -> None:
        """Start from what is usual in these scenes."""
        seen = shown(targets)
        often = (seen.there.float().mean(0)).clamp(0.005, 0.95)
        middle = seen.xy.sum(0) / seen.there.sum(0).clamp(min=1)[:, None]
        with torch.no_grad():
            self.usual[:, 0] = self.usual[:, 1] = torch.logit(often)
            self.usual[:, 2:4] = torch.where(seen.there.any(0)[:, None], middle - 0.5, 0)

    def forward(self, heard: Tensor, canvas: Tensor | None, mirror: Tensor) -> Guess:
        """Of the words of whole dialogs, a canvas to look at or none, and whether (0 or 1) all of it is
        mirrored."""
        places = torch.arange(heard.shape[1], device=heard.device)
        row = self.drop(self.norm(self.words(heard) + self.places(places)))
        ended, said = heard == END, heard != PAD
        message = ended.cumsum(1) - ended.long()
        earlier = (message[:, None] <= message[:, :, None]) & said[:, None] | ~said[:, :, None]
        among = self._look(earlier[:, None])
        for layer in self.reader:
            row = layer(row, among)
        memory = self.read(row)
        look = self._look(said[:, None, None])
        return self._answer(canvas, mirror, lambda layer: _beside(look, layer.keys(memory)))

    def _look(self, seen: Tensor | None = None) -> Look:
        dropout = self.settings.dropout if self.training else 0.0
        return partial(F.scaled_dot_product_attention, attn_mask=seen, dropout_p=dropout)

    def _answer(
        self, canvas: Tensor | None, mirror: Tensor, beside: Callable[[Answers], Callable[[Tensor], Tensor]]
    ) -> Guess:
        """What each kind's question finds beside it, at each layer."""
        row = self.kinds + self.through(mirror)[:, None]
        if canvas is not None:
            row = row + self.seen(_features(canvas).to(row.dtype))
        among = self._look()
        for layer in self.answerer:
            assert isinstance(layer, Answers)
            row = layer(row, among, beside(layer))
        found = self.out(self.answered(row)).float() + self.usual
        target, drawn, xy, size, flip, pose, expression = found.split(_PARTS, dim=-1)
        return Guess(target[..., 0], drawn[..., 0], xy + 0.5, size, flip, pose, expression)

    def hear(self, before: Sequence[Reading], messages: Sequence[Sequence[int]]) -> list[Reading]:
        """One message more of each dialog, after what was heard of it before. There is no padding: the words
        of all messages stand in one row."""
        where = self.kinds.device
        words = torch.tensor([word for message in messages for word in message], device=where)
        ends = list(accumulate(map(len, messages)))
        parts = [slice(end - len(message), end) for end, message in zip(ends, messages, strict=True)]
        places = torch.cat(
            [torch.arange(one.words, one.words + len(new)) for one, new in zip(before, messages, strict=True)]
        )
        known: list[list[_Seen]] = [[] for _ in messages]

        def remember(*new: Tensor) -> None:
            """Keys and values of one layer."""
            for old, kept, part in zip(before, known, parts, strict=True):
                keys, values = (table[:, part] for table in new)
                earlier = old.known[len(kept)] if old.words else (keys[:, :0], values[:, :0])
                kept.append((torch.cat([earlier[0], keys], 1), torch.cat([earlier[1], values], 1)))

        def among(asked: Tensor, keys: Tensor, values: Tensor) -> Tensor:
            remember(keys, values)
            return torch.cat(
                [_attend(asked[:, part], kept[-1]) for part, kept in zip(parts, known, strict=True)], 1
            )

        row = self.norm(self.words(words) + self.places(places.to(where)))
        for layer in self.reader:
            row = layer(row, among)
        memory = self.read(row)
        for layer in self.answerer:
            assert isinstance(layer, Answers)
            remember(*layer.keys(memory))
        return [
            Reading(old.words + len(new), kept)
            for old, new, kept in zip(before, messages, known, strict=True)
        ]

    def answer(self, readings: Sequence[Reading], canvas: Tensor | None, mirror: bool = False) -> Guess:
        """The same as of whole dialogs, as likelihoods. Without a canvas the first question is the same for
        all of them, and is thought of once."""
        turned = torch.full((1 if canvas is None else len(canvas),), int(mirror), device=self.kinds.device)
        numbers = {layer: number for number, layer in enumerate(self.answerer, len(self.reader))}

        def beside(layer: Answers) -> Callable[[Tensor], Tensor]:
            known = [one.known[numbers[layer]] for one in readings]
            return lambda asked: torch.stack(
                [
                    _attend(one, seen)
                    for one, seen in zip(asked.expand(len(known), -1, -1, -1), known, strict=True)
                ]
            )

        return _likely(self._answer(canvas, turned, beside), mirror)

    def lighten(self) -> None:
        """Half precision, but for what is usual of each kind: places are told in it to the pixel."""
        usual = self.usual.detach().clone()
        self.to(torch.bfloat16)
        self.usual.data = usual

    def quicken(self) -> None:
        """Bytes, but for the numbers by which places are told to the pixel."""
        in_bytes(self.reader)
        in_bytes(self.answerer)

    def draw(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        straight = torch.zeros(len(heard), dtype=torch.long, device=heard.device)
        return choose(*_likely(self(heard, canvas if self.looks else None, straight)).among(allowed))


def _start(model: nn.Module) -> None:
    """With questions, keys and values of the size that torch's own attention begins with: from scratch it
    learns faster."""
    for layer in model.modules():
        if isinstance(layer, (Reads, Answers)):
            size = (1.5 / layer.own.in_features) ** 0.5
            look = [layer.own, *([layer.ask, layer.seen] if isinstance(layer, Answers) else [])]
            out = [layer.own_out, *([layer.seen_out] if isinstance(layer, Answers) else [])]
            for part in look:
                nn.init.uniform_(part.weight, -size, size)
            for part in look + out:
                nn.init.zeros_(part.bias)


_Seen = tuple[Tensor, Tensor]
"""Keys and values."""


class Reading(NamedTuple):
    """What was made of a dialog so far."""

    words: int = 0
    """That were heard."""
    known: Sequence[_Seen] = ()
    """Of all words at each layer that reads, and then at each that answers."""


def _attend(asked: Tensor, seen: _Seen) -> Tensor:
    return F.scaled_dot_product_attention(asked[None], seen[0][None], seen[1][None])[0]


def _beside(look: Look, seen: _Seen) -> Callable[[Tensor], Tensor]:
    return lambda asked: look(asked, *seen)


def _likely(guess: Guess, mirror: bool = False) -> Guess:
    """As likelihoods; what was guessed in the mirror, turned back."""
    xy, size, flip = guess.xy, guess.size, guess.flip
    if mirror:
        xy, flip = torch.stack([1 - xy[..., 0], xy[..., 1]], dim=-1), flip.flip(-1)
    parts = [F.softmax(part, -1) for part in (size, flip, guess.pose, guess.expression)]
    return Guess(torch.sigmoid(guess.target), torch.sigmoid(guess.drawn), xy, *parts)


def _features(canvas: Tensor) -> Tensor:
    here = shown(canvas)
    on = here.there[..., None].float()
    marks = [
        F.one_hot(of, many)
        for of, many in (
            (here.size, len(SIZES)),
            (here.flip, 2),
            (here.pose, len(POSES)),
            (here.expression, len(EXPRESSIONS)),
        )
    ]
    return torch.cat([torch.ones_like(on), here.xy, *marks], dim=-1) * on
