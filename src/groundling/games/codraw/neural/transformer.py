"""A Drawer that hears the whole dialog: a reader of words, and one question for each kind, which looks for its answer in
them."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ....boards.scene import EXPRESSIONS, POSES, SIZES
from ....train.bytes import in_bytes
from .choosing import choose
from .drawers import Drawer
from .scenes import MANY, mirrored, shown
from .words import PAD

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
    """Of each kind in each scene, all but the places as scores before a softmax or sigmoid."""

    target: Tensor
    """It is in the target."""
    drawn: Tensor
    """People have drawn it by now."""
    xy: Tensor
    size: Tensor
    flip: Tensor
    pose: Tensor
    expression: Tensor


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
        form: dict[str, Any] = {
            "d_model": width,
            "nhead": settings.heads,
            "dropout": settings.dropout,
            "activation": "gelu",
            "batch_first": True,
        }
        inner = settings.inner * width
        reads = nn.TransformerEncoderLayer(**form, dim_feedforward=inner, layer_norm_eps=1e-12, norm_first=not settings.after)
        self.reader = nn.TransformerEncoder(reads, settings.layers, enable_nested_tensor=False)
        self.read = nn.LayerNorm(width)
        answers = nn.TransformerDecoderLayer(**form, dim_feedforward=2 * width, norm_first=True)
        self.answerer = nn.TransformerDecoder(answers, settings.deep, nn.LayerNorm(width))
        self.kinds = nn.Parameter(torch.randn(MANY, width) * 0.5)
        self.seen = nn.Linear(_SEEN, width)
        self.through = nn.Embedding(2, width)
        """Whether it looks through the mirror: how often a kind is flipped that nobody says anything of depends on it."""
        self.out = nn.Linear(width, sum(_PARTS))
        self.usual = nn.Parameter(torch.zeros(MANY, sum(_PARTS)))
        nn.init.normal_(self.words.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        nn.init.normal_(self.through.weight, std=0.02)
        nn.init.normal_(self.out.weight, std=0.02)
        self.register_buffer("mirror", torch.tensor(settings.mirror or range(settings.words)), persistent=False)

    def expect(self, targets: Tensor) -> None:
        """Start from what is usual in these scenes."""
        seen = shown(targets)
        often = (seen.there.float().mean(0)).clamp(0.005, 0.95)
        middle = seen.xy.sum(0) / seen.there.sum(0).clamp(min=1)[:, None]
        with torch.no_grad():
            self.usual[:, 0] = self.usual[:, 1] = torch.logit(often)
            self.usual[:, 2:4] = torch.where(seen.there.any(0)[:, None], middle - 0.5, 0)

    def forward(self, heard: Tensor, canvas: Tensor | None, mirror: Tensor) -> Guess:
        """Of words, a canvas to look at or none, and whether (0 or 1) all of it is mirrored."""
        places = torch.arange(heard.shape[1], device=heard.device)
        words = self.drop(self.norm(self.words(heard) + self.places(places)))
        padding = heard == PAD
        padded = None
        if self.training or padding.any():  # without a mask it is quicker, but on a GPU it costs time to look
            padded = torch.zeros(heard.shape, dtype=words.dtype, device=heard.device).masked_fill(padding, -torch.inf)
        memory = self.read(self.reader(words, src_key_padding_mask=padded))
        asked = self.kinds + self.through(mirror)[:, None]
        if canvas is not None:
            asked = asked + self.seen(_features(canvas).to(asked.dtype))
        answers = self.answerer(asked, memory, memory_key_padding_mask=padded)
        found = self.out(answers).float() + self.usual
        target, drawn, xy, size, flip, pose, expression = found.split(_PARTS, dim=-1)
        return Guess(target[..., 0], drawn[..., 0], xy + 0.5, size, flip, pose, expression)

    def guess(self, heard: Tensor, canvas: Tensor | None) -> Guess:
        """As likelihoods."""
        return _likely(self(heard, canvas, torch.zeros(len(heard), dtype=torch.long, device=heard.device)))

    def through_mirror(self, heard: Tensor, canvas: Tensor | None) -> Guess:
        """What it makes of the mirrored dialog, turned back. The mean of both guesses is no better than the first, but where
        they differ, it is in doubt."""
        turned = torch.ones(len(heard), dtype=torch.long, device=heard.device)
        found = self(self.mirror[heard], None if canvas is None else mirrored(canvas), turned)  # type: ignore[index]
        xy = torch.stack([1 - found.xy[..., 0], found.xy[..., 1]], dim=-1)
        return _likely(found._replace(xy=xy, flip=found.flip.flip(-1)))

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
        guess = self.guess(heard, canvas if self.looks else None)
        return choose(*(guess if allowed is None else guess._replace(target=guess.target * allowed)))


def _likely(guess: Guess) -> Guess:
    """As probabilities."""
    parts = [F.softmax(part, -1) for part in guess[3:]]
    return Guess(torch.sigmoid(guess.target), torch.sigmoid(guess.drawn), guess.xy, *parts)


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
