"""The colours of a repetition."""

from __future__ import annotations

import re

from groundling.games.hexagons.players.parser.copies import PaintedObject
from groundling.games.hexagons.players.parser.phrases import COL

_SWAP = re.compile(r"(?:revers|swap|opposite|invert|switch|exchang|flip)\w*|alternate")
_INSTEAD = re.compile(rf"({COL})(?: tiles?)? instead of ({COL})")
ColourChange = dict[str, str]
"""Maps old colours to new ones."""


def swap_colours(own: list[str]) -> ColourChange:
    return {own[0]: own[1], own[1]: own[0]}


def colour_changes(source: PaintedObject, said: list[str], text: str) -> list[ColourChange]:
    """Return the change of colours for each copy, as a cycle."""
    own = source.colours
    instead = {old: new for new, old in _INSTEAD.findall(text)}
    if instead:
        return [instead]
    if len(own) > 1 and sorted(said) == sorted(own) and said != own:
        return [dict(zip(own, said, strict=True))]
    if len(own) == 2 and _SWAP.search(text) and set(said) <= set(own):
        return [swap_colours(own), {}] if "alternate" in text or "each time" in text else [swap_colours(own)]
    if len(own) == 1 and said:
        return [{own[0]: colour} for colour in said]
    if len(said) == 1 and len(own) == 2 and said[0] in own:
        return [{} if said[0] == own[0] else swap_colours(own)]
    if len(said) == 1 and said[0] not in own:
        return [dict.fromkeys(own, said[0])]
    if len(said) == len(own) and set(said) != set(own):
        return [dict(zip(own, said, strict=True))]
    return [{}]
