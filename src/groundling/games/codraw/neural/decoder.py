"""A transformer decoder as Teller: it knows exact places, and attends to all its earlier words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, groupby
from typing import ClassVar, NamedTuple

import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from groundling.boards.scene import EXPRESSIONS, POSES, SIZES
from groundling.games.codraw.neural.layers import AnswerLayer, AttentionFunction
from groundling.games.codraw.neural.scene_tensors import KIND_COUNT, person_tensor_mask
from groundling.games.codraw.neural.teller_base import (
    ScenePieces,
    Teller,
    TellerOutput,
    TellerState,
    gather_teller_pieces,
)
from groundling.games.codraw.neural.vocabulary import END, PAD, START

WAVES = 5
"""The number of sine waves, each half as long as the one before, that encode a coordinate."""
_TABLE_STEP = 32
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
    batch: ClassVar[int] = 32  # a Drawer can read these while others are planned

    def __init__(self, settings: DecoderSettings) -> None:
        width = settings.width
        super().__init__(width)
        self.settings = settings
        self.longest = settings.longest
        self.words = nn.Embedding(settings.words, width, padding_idx=PAD)
        self.places = nn.Embedding(settings.longest, width)
        self.since = nn.Embedding(64, width)
        """The number of words since the message began."""
        self.kinds = nn.Embedding(KIND_COUNT, width)
        self.marks = nn.Linear(_MARKS, width)
        sees = nn.TransformerEncoderLayer(
            width, settings.heads, 2 * width, settings.dropout, "gelu", batch_first=True, norm_first=True
        )
        self.scene = nn.TransformerEncoder(
            sees, settings.sees, nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.layers = nn.ModuleList(
            AnswerLayer(width, settings.heads, settings.dropout, inner=4) for _ in range(settings.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, settings.words)
        self.drop = nn.Dropout(settings.dropout)
        for table in (self.words, self.places, self.since):
            nn.init.normal_(table.weight, std=0.02)

    def _encode_scene(self, found: ScenePieces) -> Tensor:
        seen = found.seen
        person = person_tensor_mask(seen.there.new_zeros(KIND_COUNT))[found.kind][..., None]
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
        encoded: Tensor = self.scene(row, src_key_padding_mask=found.hidden_mask)
        return encoded

    def _answer_layers(self) -> list[AnswerLayer]:
        return [layer for layer in self.layers if isinstance(layer, AnswerLayer)]

    def _embed_words(self, heard: Tensor, places: Tensor, since: Tensor) -> Tensor:
        row: Tensor = (
            self.words(heard)
            + self.places(places)
            + self.since(since.clamp(max=self.since.num_embeddings - 1))
        )
        return row

    def forward(self, targets: Tensor, heard: Tensor) -> TellerOutput:
        found = gather_teller_pieces(targets)
        scene = self._encode_scene(found)
        row = self.drop(
            self._embed_words(
                heard, torch.arange(heard.shape[1], device=heard.device), _words_since_start(heard)
            )
        )
        for layer in self._answer_layers():
            row = layer(row, _ATTEND_CAUSALLY, _attend_scene(layer.project_keys(scene), found.hidden_mask))
        row = self.norm(row)
        return TellerOutput(
            self.out(row).float(), self.undrawn(row).float(), self.worth(row.detach())[..., 0].float()
        )

    def start_state(self, targets: Tensor) -> TellerState:
        found = gather_teller_pieces(targets)
        scene = self._encode_scene(found)
        none = torch.zeros(len(targets), dtype=torch.long, device=targets.device)
        kept: dict[str, Tensor] = {"hidden": found.hidden_mask, "place": none, "since": none}
        for number, layer in enumerate(self._answer_layers()):
            keys, values = layer.project_keys(scene)
            empty = keys.new_zeros(
                len(targets), layer.heads, self.longest if targets.is_cuda else 0, keys.shape[-1]
            )
            kept |= {f"seen keys {number}": keys, f"seen values {number}": values}
            kept |= {f"said keys {number}": empty, f"said values {number}": empty.clone()}
        return kept

    def score_next_word(self, state: TellerState, word: Tensor) -> tuple[Tensor, TellerState]:
        place = state["place"].clamp(max=self.longest - 1)
        since = torch.where(_starts_message(word), 0, state["since"] + 1)
        row = self._embed_words(word[:, None], place[:, None], since[:, None])
        kept = {**state, "place": place + 1, "since": since}
        now = (
            _NextWords.pad_to_longest(place, self.longest)
            if place.is_cuda
            else _NextWords.group_by_length(place)
        )
        for number, layer in enumerate(self._answer_layers()):
            said = {
                name: now.grow_table(state[name]) for name in (f"said keys {number}", f"said values {number}")
            }
            seen = state[f"seen keys {number}"], state[f"seen values {number}"]
            row = layer(row, now.attend_among(*said.values()), _attend_scene(seen, state["hidden"]))
            kept |= said
        scores: Tensor = self.out(self.norm(row))[:, 0]
        return scores.float(), kept


class _NextWords(NamedTuple):
    """The next words to be said, one in each dialog."""

    place: Tensor
    many: int
    """The number of words up to the longest dialog's next word."""
    later: Tensor | None
    """An attention mask that hides words not said yet, where all dialogs attend to equally many."""
    alike: list[tuple[slice, int]]
    """Slices of dialogs that are equally long, with that length. They attend to their own words only."""

    @classmethod
    def group_by_length(cls, place: Tensor) -> _NextWords:
        places = place.tolist()
        many = [(reached + 1, len(list(those))) for reached, those in groupby(places)]
        ends = accumulate(those for _, those in many)
        alike = [(slice(end - those, end), words) for end, (words, those) in zip(ends, many, strict=True)]
        return cls(place, max(places) + 1, None, alike)

    @classmethod
    def pad_to_longest(cls, place: Tensor, longest: int) -> _NextWords:
        """Attend to the longest length with a mask, because reading the places on a GPU costs time."""
        later = torch.arange(longest, device=place.device) > place[:, None]
        hides = torch.zeros(later.shape, device=place.device).masked_fill(later, -torch.inf)[:, None, None]
        return cls(place, longest, hides, [(slice(None), longest)])

    def grow_table(self, table: Tensor) -> Tensor:
        """Pad a table, so that it has room for these words."""
        lacks = self.many - table.shape[2]
        return table if lacks <= 0 else F.pad(table, (0, 0, 0, lacks + -self.many % _TABLE_STEP))

    def attend_among(self, said_keys: Tensor, said_values: Tensor) -> AttentionFunction:
        """Return an attention function that writes these words into the tables and attends to them."""

        def attend_words(asked: Tensor, keys: Tensor, values: Tensor) -> Tensor:
            each = torch.arange(len(asked), device=asked.device)
            said_keys[each, :, self.place], said_values[each, :, self.place] = keys[:, :, 0], values[:, :, 0]
            found = []
            for those, words in self.alike:
                known = said_keys[those, :, :words], said_values[those, :, :words]
                found.append(F.scaled_dot_product_attention(asked[those], *known, attn_mask=self.later))
            return torch.cat(found)

        return attend_words


_ATTEND_CAUSALLY: AttentionFunction = partial(F.scaled_dot_product_attention, is_causal=True)


def _attend_scene(scene: tuple[Tensor, Tensor], hidden: Tensor) -> Callable[[Tensor], Tensor]:
    def attend_pieces(asked: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(asked, *scene, attn_mask=hidden[:, None, None].to(asked.dtype))

    return attend_pieces


def _starts_message(heard: Tensor) -> Tensor:
    """Check after which of these words a message begins."""
    return (heard == START) | (heard == END)


def _words_since_start(heard: Tensor) -> Tensor:
    places = torch.arange(heard.shape[1], device=heard.device).expand(heard.shape)
    begun = torch.where(_starts_message(heard), places, 0).cummax(1).values
    return places - begun
