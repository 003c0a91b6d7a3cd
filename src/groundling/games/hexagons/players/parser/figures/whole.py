"""Sentences that describe one figure in full: which, how big, in which colour, and one tile to put it by, in any order."""

from __future__ import annotations

import re

from ......boards.hexes import Tile, disc, ring
from ..chunks import Chunk, Colour, Columns, Middle, Sequence, Shape, Tiles, Verb
from ..meaning import Finder
from ..target import Target, noun
from .polygons import POINTING, diamond, side_length, triangle
from .rounds import FULL, radius_of

_NAMES = ("triangle", "diamond", "hexring", "ring", "flower")
_MIDDLE = re.compile(r"middle|around|surround|radius|distance|away")
_HOLLOW = re.compile(r"hollow|trace|(?:inside|middle) (?:is |stays )?blank|blank (?:\w+ )?(?:triangle|diamond)")


def whole_figure(finder: Finder, chunks: list[Chunk], text: str) -> bool:
    """Paints the figure, if the sentence says all of it and nothing else."""
    shapes = [chunk for chunk in chunks if isinstance(chunk, Shape) and chunk.name in _NAMES]
    if len(shapes) != 1 or shapes[0].definite or shapes[0].plural or shapes[0].count:
        return False
    other = [chunk for chunk in chunks if isinstance(chunk, Verb) and chunk.name in ("repeat", "mirror", "connect", "skip")]
    if other or any(isinstance(chunk, Middle) for chunk in chunks):
        return False
    place, colour = _place(chunks), _colour(chunks)
    if place is None or colour is None:
        return False
    tiles = _tiles(finder, shapes[0], place, text)
    if not tiles:
        return False
    finder.scene.paint(tiles, colour, shapes[0].name)
    finder.scene.colour = colour
    return True


def _place(chunks: list[Chunk]) -> Target | None:
    """The one tile that is named by its column and its number in it."""
    places: list[Target] = []
    at = 0
    while at < len(chunks):
        chunk = chunks[at]
        at += 1
        if isinstance(chunk, Tiles | Columns) and (found := noun(chunks, at - 1)):
            places.append(found[0])
            at = found[1]
    named = [
        place for place in places if place.tiles is not None and place.tiles.axis is not None and place.columns is not None
    ]
    others = [place for place in places if place not in named and not (place.tiles is not None and place.tiles.count)]
    return named[0] if len(named) == 1 and not any(place.columns or _pointing(place.tiles) for place in others) else None


def _pointing(tiles: Tiles | None) -> bool:
    """Whether they are tiles that are there."""
    return tiles is not None and bool(tiles.colours) and (tiles.definite or tiles.each)


def _colour(chunks: list[Chunk]) -> str | None:
    """The one colour that is named."""
    named = {chunk.name for chunk in chunks if isinstance(chunk, Colour)}
    named |= {colour for chunk in chunks if isinstance(chunk, Shape | Tiles) for colour in chunk.colours}
    named -= {"white", "blank"}
    several = any(isinstance(chunk, Sequence) for chunk in chunks)
    return named.pop() if len(named) == 1 and not several else None


def _tiles(finder: Finder, shape: Shape, place: Target, text: str) -> list[Tile]:
    hollow = " hollow" if _HOLLOW.search(text) else ""
    target = Target(shape=shape, start=place)
    if shape.name in ("triangle", "diamond"):
        if not POINTING.search(text) or not side_length(text, shape.size):
            return []
        build = triangle if shape.name == "triangle" else diamond
        return build(finder, target, f"{text} , tip at{hollow}")
    if not _MIDDLE.search(text):
        return []
    full = FULL.search(text) and not hollow
    return [tile for middle in finder.resolve(place) for tile in (disc if full else ring)(middle, radius_of(text))]
