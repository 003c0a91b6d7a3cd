"""Colours that are told apart by everybody, as far as they can be."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import dist

import pytest

from groundling.boards.hexes import COLOURS
from groundling.boards.hexes.board_picture import FILLS, INKS
from groundling.boards.things import PAINTS
from groundling.web.colourblind_palette import THINGS, TILES, colourblind_safe_colours, palette_stylesheet

EYES = {
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of red, green and blue light, by Machado, Oliveira and Fernandes (2009)."""


def light(colour: str) -> list[float]:
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """In OKLab, in which like distances look alike."""
    given = light(colour)
    r, g, b = (min(1.0, max(0.0, sum(x * y for x, y in zip(row, given, strict=True)))) for row in EYES[eyes])
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)  # noqa: E741
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def nearest(colours: Mapping[str, str]) -> float:
    """How far the two are from each other that look most alike, to any eyes."""
    return min(
        dist(seen(one, eyes), seen(other, eyes))
        for eyes in EYES
        for one, other in combinations(colours.values(), 2)
    )


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(
        sum(x * y for x, y in zip((0.2126, 0.7152, 0.0722), light(each), strict=True))
        for each in (one, other)
    )
    return (bright + 0.05) / (dark + 0.05)


TILES_USUAL = dict(zip(COLOURS, FILLS, strict=True))
THINGS_USUAL = {name: paint.base for name, paint in PAINTS.items()}


def test_hexagons_that_look_most_alike_are_three_times_as_far_apart_as_usual() -> None:
    assert nearest(TILES_USUAL) < 0.05
    assert nearest({**TILES_USUAL, **TILES}) > 3 * nearest(TILES_USUAL)


def test_things_that_look_most_alike_are_twice_as_far_apart_as_usual() -> None:
    assert nearest({**THINGS_USUAL, **THINGS}) > 2 * nearest(THINGS_USUAL)


@pytest.mark.parametrize("name", TILES)
def test_the_letter_on_a_tile_can_be_read(name: str) -> None:
    assert contrast(TILES[name], INKS[COLOURS.index(name)]) > 3


def test_every_colour_becomes_one_other_and_none_is_changed_twice() -> None:
    changed = colourblind_safe_colours()
    assert not set(changed) & set(changed.values())
    assert len(set(changed.values())) == len(changed)
    for usual, safe in changed.items():
        assert f'svg [fill="{usual}"] {{ fill: {safe}; }}' in palette_stylesheet()
