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
    """Layers of the reader."""
    deep: int = 3
    """Layers of the queries."""
    inner: int = 4
    """The inner width of the reader's layers, relative to their width."""
    dropout: float = 0.2
    longest: int = 384
    looks: bool = False
    """See the canvas. It holds only the Drawer's own guesses from the same words."""
    after: bool = False
    """Norms come after each step, as in BERT; otherwise before."""
    mirror: tuple[int, ...] = ()
    """For each word, the word for the mirrored scene."""


class Guess(NamedTuple):
    """Predictions for each kind in each scene. Except for places, they are scores before a softmax or
    sigmoid, or likelihoods after it."""

    target: Tensor
    """The kind is in the target."""
    drawn: Tensor
    """People have drawn it by now."""
    xy: Tensor
    size: Tensor
    flip: Tensor
    pose: Tensor
    expression: Tensor

    def among(self, allowed: Tensor | None) -> Guess:
        """Restrict likelihoods to the allowed kinds."""
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
        """Whether the scene is mirrored. How often unmentioned kinds are flipped depends on it."""
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
        """Initialise the output with the frequencies and mean places of these scenes."""
        seen = shown(targets)
        often = (seen.there.float().mean(0)).clamp(0.005, 0.95)
        middle = seen.xy.sum(0) / seen.there.sum(0).clamp(min=1)[:, None]
        with torch.no_grad():
            self.usual[:, 0] = self.usual[:, 1] = torch.logit(often)
            self.usual[:, 2:4] = torch.where(seen.there.any(0)[:, None], middle - 0.5, 0)

    def forward(self, heard: Tensor, canvas: Tensor | None, mirror: Tensor) -> Guess:
        """Predict from the words of whole dialogs, a canvas or none, and whether (0 or 1) all of it is
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
        """Let each kind's query attend, at each layer, with the functions from `beside`."""
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
        """Read one more message of each dialog. There is no padding: the words of all messages are in one
        row."""
        where = self.kinds.device
        words = torch.tensor([word for message in messages for word in message], device=where)
        ends = list(accumulate(map(len, messages)))
        parts = [slice(end - len(message), end) for end, message in zip(ends, messages, strict=True)]
        places = torch.cat(
            [torch.arange(one.words, one.words + len(new)) for one, new in zip(before, messages, strict=True)]
        )
        known: list[list[_Seen]] = [[] for _ in messages]

        def remember(*new: Tensor) -> None:
            """Append the keys and values of one layer."""
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
        """Predict likelihoods as for whole dialogs. Without a canvas the first query is the same for all
        dialogs, and is computed once."""
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
        """Convert to half precision, except for the output's bias, because places need pixel precision."""
        usual = self.usual.detach().clone()
        self.to(torch.bfloat16)
        self.usual.data = usual

    def quicken(self) -> None:
        """Convert linear layers to bytes, except for the output, because places need pixel precision."""
        in_bytes(self.reader)
        in_bytes(self.answerer)

    def draw(self, heard: Tensor, canvas: Tensor, allowed: Tensor | None = None) -> Tensor:
        straight = torch.zeros(len(heard), dtype=torch.long, device=heard.device)
        return choose(*_likely(self(heard, canvas if self.looks else None, straight)).among(allowed))


def _start(model: nn.Module) -> None:
    """Initialise queries, keys and values like torch's own attention, because training is then faster."""
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
    """The reader's state of a dialog so far."""

    words: int = 0
    """The number of words read."""
    known: Sequence[_Seen] = ()
    """Keys and values of all words, for each layer of the reader and then of the queries."""


def _attend(asked: Tensor, seen: _Seen) -> Tensor:
    return F.scaled_dot_product_attention(asked[None], seen[0][None], seen[1][None])[0]


def _beside(look: Look, seen: _Seen) -> Callable[[Tensor], Tensor]:
    return lambda asked: look(asked, *seen)


def _likely(guess: Guess, mirror: bool = False) -> Guess:
    """Convert scores to likelihoods, and mirror the guess back if it was mirrored."""
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
