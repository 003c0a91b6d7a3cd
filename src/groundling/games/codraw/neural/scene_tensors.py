"""Scenes as torch tensors: unpacking, packing, mirroring, and similarity."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from groundling.boards.scene import EXPRESSIONS, HEIGHT, INDEX, KINDS, PEOPLE, POSES, SIZES, WIDTH
from groundling.boards.scene.batches import ABSENT, LOOK, X, Y
from groundling.games.codraw.similarity import BEST

KIND_COUNT = len(KINDS)
FIGURE_COUNT = len(POSES) * len(EXPRESSIONS)
PERSON_KINDS = tuple(INDEX[kind] for kind in PEOPLE)


class SceneTensors(NamedTuple):
    """The attributes of each kind in each scene, with zeros for absent kinds."""

    there: Tensor
    xy: Tensor
    """As a share of the width and height."""
    size: Tensor
    flip: Tensor
    figure: Tensor
    """5 × pose + expression."""

    @property
    def pose(self) -> Tensor:
        return self.figure // len(EXPRESSIONS)

    @property
    def expression(self) -> Tensor:
        return self.figure % len(EXPRESSIONS)


def split_scene_tensors(packed: Tensor) -> SceneTensors:
    """Unpack packed scenes of shape (n, 3, 58)."""
    there = packed[:, LOOK] >= 0
    look = packed[:, LOOK].long().clamp(min=0)
    xy = torch.stack([packed[:, X] / WIDTH, packed[:, Y] / HEIGHT], dim=-1)
    rest, size = look // len(SIZES), look % len(SIZES)
    return SceneTensors(there, xy * there[..., None], size, rest % 2, rest // 2)


def join_scene_tensors(scene: SceneTensors) -> Tensor:
    """Pack scenes, with places rounded to whole pixels."""
    look = scene.size + len(SIZES) * (scene.flip + 2 * scene.figure)
    x, y = (scene.xy[..., 0] * WIDTH).round(), (scene.xy[..., 1] * HEIGHT).round()
    x, y = x.clamp(-WIDTH, 2 * WIDTH), y.clamp(-HEIGHT, 2 * HEIGHT)
    found = torch.stack(
        [x.long() * scene.there, y.long() * scene.there, torch.where(scene.there, look, ABSENT)], dim=1
    )
    return found.to(torch.int16)


def person_tensor_mask(like: Tensor) -> Tensor:
    """Return a mask over the kinds, the last axis of `like`, of those with a pose and an expression."""
    found = torch.zeros(KIND_COUNT, dtype=torch.bool, device=like.device)
    found[list(PERSON_KINDS)] = True
    return found.expand(like.shape)


def mirror_scene_tensors(scenes: Tensor) -> Tensor:
    """Mirror packed scenes left to right."""
    found = scenes.clone()
    there = scenes[:, LOOK] >= 0
    found[:, X] = torch.where(there, WIDTH - scenes[:, X], 0)
    flip = scenes[:, LOOK] // len(SIZES) % 2
    found[:, LOOK] = torch.where(there, scenes[:, LOOK] + len(SIZES) * (1 - 2 * flip), ABSENT)
    return found


def tensor_similarities(targets: Tensor, drawn: Tensor) -> Tensor:
    """Compute each pair's similarity like `games.codraw.similarity`, with ties as in the release."""
    one, other = split_scene_tensors(targets), split_scene_tensors(drawn)
    both = one.there & other.there
    common = both.sum(1)
    union = one.there.sum(1) + other.there.sum(1) - common
    figure = (
        0.5
        * ((one.pose != other.pose).float() + (one.expression != other.expression).float())
        * person_tensor_mask(both)
    )
    lost = (one.flip != other.flip).float() + (one.size != other.size).float() + figure
    lost = lost + (one.xy - other.xy).square().sum(-1).sqrt().clamp(max=1.0)
    wrong = _count_order_errors(targets, drawn, both)
    each = (BEST * common - (lost * both).sum(1)) / union.clamp(min=1)
    found = each - wrong / (union * (common - 1)).clamp(min=1)
    return torch.where(union > 0, found, torch.full_like(found, BEST))


def _count_order_errors(targets: Tensor, drawn: Tensor, both: Tensor) -> Tensor:
    """Count pairs of common pieces in the wrong order, over both axes."""
    wrong = torch.zeros(len(targets), device=targets.device)
    pairs = both[:, :, None] & both[:, None, :]
    pairs &= torch.ones(KIND_COUNT, KIND_COUNT, dtype=torch.bool, device=targets.device).triu(1)
    for axis in (X, Y):
        mine, theirs = targets[:, axis].int(), drawn[:, axis].int()
        product = (mine[:, :, None] - mine[:, None, :]) * (theirs[:, :, None] - theirs[:, None, :])
        wrong += ((product <= 0) & pairs).sum((1, 2))
    return wrong
