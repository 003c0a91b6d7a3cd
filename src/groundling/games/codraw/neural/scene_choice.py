"""Chooses the scene with the best expected similarity, given likelihoods."""

from __future__ import annotations

import torch
from torch import Tensor

from groundling.boards.scene import EXPRESSIONS
from groundling.games.codraw.neural.scene_tensors import SceneTensors, join_scene_tensors, person_tensor_mask
from groundling.games.codraw.similarity import BEST

PLACE_LOSS = 0.35
"""The average loss by the place of a piece, including its order among the others."""


def choose_scenes(
    target: Tensor, drawn: Tensor, xy: Tensor, size: Tensor, flip: Tensor, pose: Tensor, expression: Tensor
) -> Tensor:
    """Return packed scenes, given the likelihoods of each kind and of each of its looks.

    Let kind k be in the target with likelihood p, and score v points if so. A canvas with the kinds K can
    expect about Σ p·v over K / (|K| + Σ p over the others). With kinds sorted by p·v / (1 - p), the best K is
    a prefix."""
    person = person_tensor_mask(target).float()
    sure = [part.max(-1).values for part in (size, flip, pose, expression)]
    lost = (1 - sure[0]) + (1 - sure[1]) + person * 0.5 * ((1 - sure[2]) + (1 - sure[3]))
    gain = target * (BEST - PLACE_LOSS - lost)
    order = (gain / (1 - target).clamp(min=1e-6)).argsort(-1, descending=True)
    ranked, likely = gain.gather(1, order), target.gather(1, order)
    count = torch.arange(1, target.shape[1] + 1, device=target.device)
    expected = ranked.cumsum(1) / (count + likely.sum(1, keepdim=True) - likely.cumsum(1))
    many = expected.argmax(1)
    rank = order.argsort(-1)
    there = (rank <= many[:, None]) & (target > 0)
    figure = (len(EXPRESSIONS) * pose.argmax(-1) + expression.argmax(-1)) * person.long()
    return join_scene_tensors(SceneTensors(there, xy, size.argmax(-1), flip.argmax(-1), figure))
