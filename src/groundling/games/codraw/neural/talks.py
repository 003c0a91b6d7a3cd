"""Plays many games of a Teller and a Drawer at once on one device."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from groundling.boards.scene.packed import ABSENT, LOOK
from groundling.games.codraw.neural.building import load_drawer
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.saying import Told, Translation
from groundling.games.codraw.neural.scenes import similarities
from groundling.games.codraw.neural.words import END, PAD, Vocabulary
from groundling.train.gpus import mixed

FAR = 5
"""A piece that moved by fewer pixels has not changed. A Drawer that redraws the whole canvas always moves
pieces slightly."""


class Partner(NamedTuple):
    """A Drawer that a Teller plays with."""

    name: str
    drawer: Drawer
    translation: Translation
    seen: tuple[str, ...]
    """The dialogs that it learned from."""
    digest: str
    """The checksum of its weights."""


def partner(folder: Path, words: Vocabulary, where: torch.device) -> Partner:
    """Load a Drawer from its weights; `words` are the Teller's."""
    drawer, card, digest = load_drawer(folder)
    translation = Translation(words, Vocabulary(card.words, card.blind), where)
    return Partner(folder.name, drawer.to(where).eval().requires_grad_(False), translation, card.seen, digest)


class Course(NamedTuple):
    """The progress of games, message by message."""

    ends: Tensor
    """The index of each message's last word; -1 where there is none."""
    similarity: Tensor
    """The similarity before the first message, after it, and so on; the final value is repeated."""
    changed: Tensor
    """Whether the Drawer changed anything after each message."""


@torch.no_grad()
def play(partner: Partner, targets: Tensor, told: Told) -> Course:
    words = told.words
    over = words == END
    rounds = max(1, int(over.sum(1).max()))
    place = torch.arange(words.shape[1], device=words.device).expand(words.shape)
    ends = torch.where(over, place, words.shape[1]).sort(1).values[:, :rounds]
    ends = torch.where(ends < words.shape[1], ends, -1)
    canvas = torch.zeros_like(targets)
    canvas[:, LOOK] = ABSENT
    found, changed = [similarities(targets, canvas)], []
    begin = torch.zeros_like(ends[:, 0])
    for number in range(rounds):
        end = ends[:, number]
        new = canvas.clone()
        now = (end >= 0).nonzero()[:, 0]
        first = torch.zeros_like(begin) if partner.drawer.whole else begin + 1
        heard = torch.where((place >= first[:, None]) & (place <= end[:, None]), words, PAD)[now]
        new[now] = _draw(partner, heard, canvas[now])
        changed.append(differs(canvas, new))
        found.append(similarities(targets, new))
        canvas, begin = new, torch.where(end >= 0, end, begin)
    return Course(ends, torch.stack(found, dim=1), torch.stack(changed, dim=1))


def _draw(partner: Partner, heard: Tensor, canvas: Tensor) -> Tensor:
    theirs = partner.translation(heard)
    if partner.drawer.whole and theirs.shape[1] > partner.drawer.longest:
        theirs = last_words(theirs, partner.drawer.longest)
    with mixed(heard.device):
        return partner.drawer.draw(theirs, canvas)


def last_words(heard: Tensor, most: int) -> Tensor:
    """Cut padded rows to their last `most` words."""
    first = ((heard != PAD).sum(1) - most).clamp(min=0)
    return heard.gather(1, first[:, None] + torch.arange(most, device=heard.device))


def differs(one: Tensor, other: Tensor) -> Tensor:
    """Check whether looks have changed, or places by more than `MOVED_PIXELS`."""
    looks = (one[:, LOOK] != other[:, LOOK]).any(1)
    moved = (one[:, :LOOK].int() - other[:, :LOOK].int()).abs().amax((1, 2)) > FAR
    return looks | moved
