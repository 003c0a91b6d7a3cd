"""New splits: by image, with the same mixture of mechanisms and rounds in each, or by instructor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Literal

from msgspec import Meta, Struct

from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.near_copies import are_near_copies


class HexagonsSplitRecipe(Struct, frozen=True, kw_only=True):
    by: Annotated[
        Literal["image", "instructor"], Meta(description="what no two splits share: images or instructors")
    ] = "image"
    seed: Annotated[int, Meta(description="random seed for the assignment of images or instructors")] = 0
    dev: Annotated[float, Meta(ge=0, le=0.5, description="the share of procedures in dev")] = 0.1
    test: Annotated[
        float, Meta(ge=0, le=0.5, description="the share of procedures in test; train gets the rest")
    ] = 0.1


def split_hexagons_images(path: Path, recipe: HexagonsSplitRecipe) -> dict[str, list[str]]:
    """Return the ids of the procedures in each split."""
    from groundling.games.hexagons.data import source

    images = [
        image
        for part in source.read_collections(path)
        for image in part.instances
        if isinstance(image, HexagonsImage)
    ]
    return deal_split_images(images, recipe)


def deal_split_images(images: Sequence[HexagonsImage], recipe: HexagonsSplitRecipe) -> dict[str, list[str]]:
    """Distribute images so that each mixture is split in proportion: each group goes to the split that lacks
    most. Rounding errors are compensated in the next mixture. Instructors, who wrote for all mixtures, come
    in random order."""
    shares = {"train": 1 - recipe.dev - recipe.test, "dev": recipe.dev, "test": recipe.test}
    if shares["train"] <= 0:
        raise Problem(
            f"dev {recipe.dev:g} and test {recipe.test:g} leave nothing for train: lower one of them"
        )
    by_image = recipe.by == "image"
    groups = _group_related(images) if by_image else _group_by_instructor(images)
    Random(recipe.seed).shuffle(groups)
    if by_image:
        groups.sort(key=lambda group: (group[0].category, str(group[0].round)))
    found: dict[str, list[str]] = {name: [] for name in shares}
    dealt = 0
    for group in groups:
        dealt += len(group)
        poorest = max(shares, key=lambda name: shares[name] * dealt - len(found[name]))
        found[poorest] += [image.id for image in group]
    return {name: sorted(ids) for name, ids in found.items()}


def _group_related(images: Sequence[HexagonsImage]) -> list[list[HexagonsImage]]:
    """Group procedures for the same image and its near-copies."""
    groups: list[list[HexagonsImage]] = []
    for image in sorted(images, key=lambda image: (image.image, image.id)):
        together = [image]
        apart = []
        for group in groups:
            if any(are_near_copies(image, other) for other in {one.image: one for one in group}.values()):
                together = group + together
            else:
                apart.append(group)
        groups = [*apart, together]
    return groups


def _group_by_instructor(images: Sequence[HexagonsImage]) -> list[list[HexagonsImage]]:
    groups: dict[int, list[HexagonsImage]] = defaultdict(list)
    for image in sorted(images, key=lambda image: image.id):
        groups[image.facts.instructor if image.facts else 0].append(image)
    return list(groups.values())
