"""Drawings of the two people at the shelf: head and shoulders above it, a silhouette through open cells."""

from __future__ import annotations

from typing import NamedTuple

from groundling.boards.shelf import Side
from groundling.boards.things.paint import INK

TALL = 62
"""The height and width of a bust; its shoulders continue behind the shelf."""


class PersonStyle(NamedTuple):
    skin: str
    hair: str
    shirt: str
    collar: str
    shade: tuple[str, str]
    """The colours of shirt and trousers behind the shelf."""
    locks: str
    """The hair behind the head."""
    fringe: str


PEOPLE: dict[Side, PersonStyle] = {
    "director": PersonStyle(
        *("#e9b48f", "#5a4038", "#2f8f8b", "#f6efe0", ("#cfe3e3", "#d3d8e4")),
        "M-19 -30C-24 -56 -10 -61 0 -61C12 -61 24 -54 19 -30Z",
        "M-18 -34C-20 -50 -10 -56 2 -55C14 -56 20 -46 18 -34C14 -40 10 -44 4 -44C-4 -42 -14 -42 -18 -34Z",
    ),
    "participant": PersonStyle(
        *("#c98d63", "#2f2a33", "#b8557e", "#f6efe0", ("#efdbe3", "#d9d5e2")),
        "M-21 -8C-29 -44 -18 -61 0 -61C18 -61 29 -44 21 -8C14 -4 -14 -4 -21 -8Z",
        "M-18 -32C-20 -50 -12 -56 0 -56C12 -56 20 -50 18 -32C12 -38 6 -44 -6 -46C-10 -42 -14 -38 -18 -32Z",
    ),
}


def draw_person_bust(side: Side, x: float, y: float, scale: float = 1) -> str:
    """Draw a person who looks over an edge at this height."""
    who = PEOPLE[side]
    return (
        f'<g id="{side}" transform="translate({x:g} {y:g}) scale({scale:g})" stroke="{INK}" '
        'stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{who.locks}" fill="{who.hair}"/>'
        f'<path d="M-42 8C-42 -8 -28 -11 -14 -13H14C28 -11 42 -8 42 8Z" fill="{who.shirt}"/>'
        f'<path d="M-9 -22V-13Q0 -5 9 -13V-22Z" fill="{who.skin}"/>'
        f'<path d="M-13 -14L-9 -16Q0 -5 9 -16L13 -14Q0 4 -13 -14Z" fill="{who.collar}" stroke-width="1.6"/>'
        f'<ellipse cx="0" cy="-35" rx="17.5" ry="19" fill="{who.skin}"/>'
        f'<path d="{who.fringe}" fill="{who.hair}"/>'
        f'<g stroke="none" fill="{INK}"><circle cx="-6.5" cy="-33" r="2.2"/>'
        '<circle cx="6.5" cy="-33" r="2.2"/></g>'
        '<path d="M-6 -24Q0 -19 6 -24" fill="none" stroke-width="1.8"/></g>'
    )


def draw_person_silhouette(side: Side, x: float, y: float, wide: float, tall: float) -> str:
    """Draw the part of a person that shows through open cells: just enough to see that they are open."""
    shirt, trousers = PEOPLE[side].shade
    a, b, c = wide / 2, wide * 0.42, wide * 0.38
    waist, knee, floor = y + tall * 0.55, y + tall * 0.66, y + tall
    legs = (
        f"M{x - c:g} {waist:g}H{x + c:g}L{x + b:g} {floor:g}H{x + 8:g}L{x:g} {knee:g}"
        f"L{x - 8:g} {floor:g}H{x - b:g}Z"
    )
    bend = y + tall * 0.2
    chest = (
        f"M{x - a:g} {y:g}H{x + a:g}Q{x + b:g} {bend:g} {x + c:g} {waist:g}H{x - c:g}"
        f"Q{x - b:g} {bend:g} {x - a:g} {y:g}Z"
    )
    return f'<path d="{legs}" fill="{trousers}"/><path d="{chest}" fill="{shirt}"/>'
