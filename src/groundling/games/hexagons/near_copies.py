"""Images that are nearly the same, so that a player may have memorised one from the other."""

from __future__ import annotations

from collections.abc import Iterable
from operator import ne

from groundling.games.hexagons.image import HexagonsImage

NEAR_COPY_SHARE = 0.4
"""Images are near-copies if fewer than this share of the painted tiles differ."""


def near_copy_base_id(name: str) -> str:
    """Return an image's id without the letter that marks a near-copy of an earlier image."""
    return name.removesuffix("a")


def find_near_copies(
    images: Iterable[HexagonsImage], others: Iterable[HexagonsImage]
) -> dict[str, tuple[str, ...]]:
    """Return the near-copies of each image among the others, as `SET ID`, by the image's id."""
    theirs = {image.image: image for image in others}
    found = {}
    for name, image in {image.image: image for image in images}.items():
        like = [f"{other.set} {other.image}" for other in theirs.values() if are_near_copies(image, other)]
        if like:
            found[name] = tuple(like)
    return found


def are_near_copies(one: HexagonsImage, other: HexagonsImage) -> bool:
    if near_copy_base_id(one.image) == near_copy_base_id(other.image):
        return True
    painted = max(one.target.painted_count, other.target.painted_count)
    return bool(sum(map(ne, one.target.cells, other.target.cells)) < NEAR_COPY_SHARE * painted)
