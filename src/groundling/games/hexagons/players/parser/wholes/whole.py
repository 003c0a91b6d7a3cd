"""Carries out a sentence that fully describes one thing."""

from __future__ import annotations

import re

from groundling.boards.hexes import COLOURS, COLUMNS, HEADINGS, step
from groundling.games.hexagons.players.parser.chunks import Axis
from groundling.games.hexagons.players.parser.scene import Scene
from groundling.games.hexagons.players.parser.wholes.figures import figure
from groundling.games.hexagons.players.parser.wholes.lines import Painted, line
from groundling.games.hexagons.players.parser.wholes.places import marked

_DEED = re.compile(r"(?<!\S)(?:paint|make|add|using|surrounding|repeat|skip)(?!\S)")
_SAME_DEED = re.compile(
    r"^ ?(?:(?:and|then|but|do|not|also) )*paint (?:it|the inside|the middle)(?: (?:in|completely|up|fully))*"
    r"$"
)
_PARTS = re.compile(r"(?<!\S)[.;!?](?!\S)")


def whole(scene: Scene, text: str) -> bool:
    """Carry out a text in plain words that fully describes one thing. Return whether it does."""
    text = text.rstrip(" .;!")
    found = marked(text)
    if found is None or _several(found.text):
        return False
    name, painted = figure(found)
    if not name:
        name, painted = "line", line(found)
    if not painted:
        return False
    scene.columns = (
        [found.tiles[-1][1]]
        if found.tiles
        else found.columns[0]
        if found.columns
        else list(range(1, COLUMNS + 1))
    )
    if rows := [row for row, _ in found.tiles[-1:]] or (found.rows[0] if found.rows else []):
        scene.axis = Axis(tuple(("at", row, 0) for row in rows))
    _paint(scene, painted, name)
    return True


def _several(text: str) -> bool:
    """Whether the text paints one thing and then another."""
    deeds = [part for part in _PARTS.split(text) if _DEED.search(part) and not _SAME_DEED.search(part)]
    return len(deeds) > 1 and (
        "@" in deeds[0] or sum(any(colour in part for colour in COLOURS) for part in deeds) > 1
    )


def _paint(scene: Scene, painted: Painted, name: str) -> None:
    tiles = [tile for tile, _ in painted]
    ahead = (
        next((way for way in HEADINGS if step(tiles[0], way) == tiles[1]), None) if len(tiles) > 1 else "down"
    )
    scene.heading = ahead if ahead and name == "line" else scene.heading
    for colour in dict.fromkeys(colour for _, colour in painted):
        scene.paint(
            [tile for tile, own in painted if own == colour], colour, name if len(tiles) > 1 else "tiles"
        )
        scene.colour = colour
    scene.look([tile for tile in tiles if tile in scene.painted])
