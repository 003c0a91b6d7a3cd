"""Plays many games of a Teller and a Drawer at once on one device."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from groundling.boards.scene.batches import ABSENT, LOOK
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.model_factory import load_model_as
from groundling.games.codraw.neural.scene_tensors import tensor_similarities
from groundling.games.codraw.neural.teller_generation import GeneratedDialogs, WordTranslation
from groundling.games.codraw.neural.vocabulary import END, PAD, Vocabulary
from groundling.train.devices import device_precision

MOVED_PIXELS = 5
"""A piece that moved by fewer pixels has not changed: a Drawer that redraws all moves pieces slightly."""


class Partner(NamedTuple):
    """A Drawer that a Teller plays with."""

    name: str
    drawer: Drawer
    translation: WordTranslation
    seen: tuple[str, ...]
    """The dialogs that it learned from."""
    digest: str
    """The checksum of its weights."""


def load_partner(folder: Path, words: Vocabulary, where: torch.device) -> Partner:
    """Load a Drawer from its weights; `words` are the Teller's."""
    drawer, card, digest = load_model_as(Drawer, folder)  # type: ignore[type-abstract]
    translation = WordTranslation(words, Vocabulary(card.words, card.blind), where)
    return Partner(folder.name, drawer.to(where).eval().requires_grad_(False), translation, card.seen, digest)


class GameTrace(NamedTuple):
    """The progress of games, message by message."""

    ends: Tensor
    """The index of each message's last word; -1 where there is none."""
    similarity: Tensor
    """The similarity before the first message, after it, and so on; the final value is repeated."""
    changed: Tensor
    """Whether the Drawer changed anything after each message."""


@torch.no_grad()
def play_games(partner: Partner, targets: Tensor, told: GeneratedDialogs) -> GameTrace:
    words = told.words
    over = words == END
    rounds = max(1, int(over.sum(1).max()))
    place = torch.arange(words.shape[1], device=words.device).expand(words.shape)
    ends = torch.where(over, place, words.shape[1]).sort(1).values[:, :rounds]
    ends = torch.where(ends < words.shape[1], ends, -1)
    canvas = torch.zeros_like(targets)
    canvas[:, LOOK] = ABSENT
    found, changed = [tensor_similarities(targets, canvas)], []
    begin = torch.zeros_like(ends[:, 0])
    for number in range(rounds):
        end = ends[:, number]
        new = canvas.clone()
        now = (end >= 0).nonzero()[:, 0]
        first = torch.zeros_like(begin) if partner.drawer.whole else begin + 1
        heard = torch.where((place >= first[:, None]) & (place <= end[:, None]), words, PAD)[now]
        new[now] = _draw_canvases(partner, heard, canvas[now])
        changed.append(canvas_changed(canvas, new))
        found.append(tensor_similarities(targets, new))
        canvas, begin = new, torch.where(end >= 0, end, begin)
    return GameTrace(ends, torch.stack(found, dim=1), torch.stack(changed, dim=1))


def _draw_canvases(partner: Partner, heard: Tensor, canvas: Tensor) -> Tensor:
    theirs = partner.translation(heard)
    if partner.drawer.whole and theirs.shape[1] > partner.drawer.longest:
        theirs = last_words(theirs, partner.drawer.longest)
    with device_precision(heard.device):
        return partner.drawer.draw_canvas(theirs, canvas)


def last_words(heard: Tensor, most: int) -> Tensor:
    """Cut padded rows to their last `most` words."""
    first = ((heard != PAD).sum(1) - most).clamp(min=0)
    return heard.gather(1, first[:, None] + torch.arange(most, device=heard.device))


def canvas_changed(one: Tensor, other: Tensor) -> Tensor:
    """Check whether looks have changed, or places by more than `MOVED_PIXELS`."""
    looks = (one[:, LOOK] != other[:, LOOK]).any(1)
    moved = (one[:, :LOOK].int() - other[:, :LOOK].int()).abs().amax((1, 2)) > MOVED_PIXELS
    return looks | moved
