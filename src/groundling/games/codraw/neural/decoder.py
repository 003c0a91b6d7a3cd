"""A transformer decoder as Teller: it knows the exact place of each piece, and attends to all its earlier
words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, groupby
from typing import NamedTuple

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.scene import EXPRESSIONS, POSES, SIZES
from groundling.games.codraw.neural.layers import Answers, Look
from groundling.games.codraw.neural.scenes import MANY, people
from groundling.games.codraw.neural.tellers import Pieces, Said, State, Teller, pieces
from groundling.games.codraw.neural.words import END, PAD, START

WAVES = 5
"""The number of sine waves, each half as long as the one before, that encode a coordinate."""
_ROOM = 32
"""Tables of keys and values grow by this many words."""
_MARKS = len(SIZES) + 2 + len(POSES) + len(EXPRESSIONS) + 2 * (1 + 2 * WAVES)


class DecoderSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: int
    width: int = 384
    heads: int = 6
    layers: int = 4
    sees: int = 2
    """Layers of self-attention between the pieces."""
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
        """The number of words since the message began."""
        self.kinds = nn.Embedding(MANY, width)
        self.marks = nn.Linear(_MARKS, width)
        sees = nn.TransformerEncoderLayer(
            width, settings.heads, 2 * width, settings.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.scene = nn.TransformerEncoder(
            sees, settings.sees, nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.layers = nn.ModuleList(
            Answers(width, settings.heads, settings.dropout, inner=4) for _ in range(settings.layers)
        )
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

    def _layers(self) -> list[Answers]:
        return [layer for layer in self.layers if isinstance(layer, Answers)]

    def _words(self, heard: Tensor, places: Tensor, since: Tensor) -> Tensor:
        row: Tensor = (
            self.words(heard)
            + self.places(places)
            + self.since(since.clamp(max=self.since.num_embeddings - 1))
        )
        return row

    def forward(self, targets: Tensor, heard: Tensor) -> Said:
        found = pieces(targets)
        scene = self._scene(found)
        row = self.drop(self._words(heard, torch.arange(heard.shape[1], device=heard.device), _since(heard)))
        for layer in self._layers():
            row = layer(row, _BEFORE, _seen(layer.keys(scene), found.hidden))
        row = self.norm(row)
        return Said(
            self.out(row).float(), self.undrawn(row).float(), self.worth(row.detach())[..., 0].float()
        )

    def begin(self, targets: Tensor) -> State:
        found = pieces(targets)
        scene = self._scene(found)
        none = torch.zeros(len(targets), dtype=torch.long, device=targets.device)
        kept: dict[str, Tensor] = {"hidden": found.hidden, "place": none, "since": none}
        for number, layer in enumerate(self._layers()):
            keys, values = layer.keys(scene)
            empty = keys.new_zeros(
                len(targets), layer.heads, self.longest if targets.is_cuda else 0, keys.shape[-1]
            )
            kept |= {f"seen keys {number}": keys, f"seen values {number}": values}
            kept |= {f"said keys {number}": empty, f"said values {number}": empty.clone()}
        return kept

    def go_on(self, state: State, word: Tensor) -> tuple[Tensor, State]:
        place = state["place"].clamp(max=self.longest - 1)
        since = torch.where(_fresh(word), 0, state["since"] + 1)
        row = self._words(word[:, None], place[:, None], since[:, None])
        kept = {**state, "place": place + 1, "since": since}
        now = _Now.unseen(place, self.longest) if place.is_cuda else _Now.counted(place)
        for number, layer in enumerate(self._layers()):
            said = {name: now.room(state[name]) for name in (f"said keys {number}", f"said values {number}")}
            seen = state[f"seen keys {number}"], state[f"seen values {number}"]
            row = layer(row, now.among(*said.values()), _seen(seen, state["hidden"]))
            kept |= said
        scores: Tensor = self.out(self.norm(row))[:, 0]
        return scores.float(), kept


class _Now(NamedTuple):
    """The next words to be said, one in each dialog."""

    place: Tensor
    many: int
    """The number of words up to the longest dialog's next word."""
    later: Tensor | None
    """An attention mask that hides words not said yet, where all dialogs attend to equally many."""
    alike: list[tuple[slice, int]]
    """Slices of dialogs that are equally long, with that length. They attend to their own words only."""

    @classmethod
    def counted(cls, place: Tensor) -> _Now:
        places = place.tolist()
        many = [(reached + 1, len(list(those))) for reached, those in groupby(places)]
        ends = accumulate(those for _, those in many)
        alike = [(slice(end - those, end), words) for end, (words, those) in zip(ends, many, strict=True)]
        return cls(place, max(places) + 1, None, alike)

    @classmethod
    def unseen(cls, place: Tensor, longest: int) -> _Now:
        """Attend to the longest length with a mask, because reading the places on a GPU costs time."""
        later = torch.arange(longest, device=place.device) > place[:, None]
        hides = torch.zeros(later.shape, device=place.device).masked_fill(later, -torch.inf)[:, None, None]
        return cls(place, longest, hides, [(slice(None), longest)])

    def room(self, table: Tensor) -> Tensor:
        """Pad a table, so that it has room for these words."""
        lacks = self.many - table.shape[2]
        return table if lacks <= 0 else F.pad(table, (0, 0, 0, lacks + -self.many % _ROOM))

    def among(self, said_keys: Tensor, said_values: Tensor) -> Look:
        """Return an attention function that writes these words into the tables and attends to them."""

        def look(asked: Tensor, keys: Tensor, values: Tensor) -> Tensor:
            each = torch.arange(len(asked), device=asked.device)
            said_keys[each, :, self.place], said_values[each, :, self.place] = keys[:, :, 0], values[:, :, 0]
            found = []
            for those, words in self.alike:
                known = said_keys[those, :, :words], said_values[those, :, :words]
                found.append(F.scaled_dot_product_attention(asked[those], *known, attn_mask=self.later))
            return torch.cat(found)

        return look


_BEFORE: Look = partial(F.scaled_dot_product_attention, is_causal=True)


def _seen(scene: tuple[Tensor, Tensor], hidden: Tensor) -> Callable[[Tensor], Tensor]:
    def look(asked: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(asked, *scene, attn_mask=hidden[:, None, None].to(asked.dtype))

    return look


def _fresh(heard: Tensor) -> Tensor:
    """Check after which of these words a message begins."""
    return (heard == START) | (heard == END)


def _since(heard: Tensor) -> Tensor:
    places = torch.arange(heard.shape[1], device=heard.device).expand(heard.shape)
    begun = torch.where(_fresh(heard), places, 0).cummax(1).values
    return places - begun
