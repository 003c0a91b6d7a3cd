"""Carries out a sentence that fully describes one thing."""

from __future__ import annotations

import re

from groundling.boards.hexes import COLOURS, COLUMNS, HEADINGS, step_tile
from groundling.games.hexagons.players.parser.chunks import AxisSelection
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.players.parser.wholes.figures import read_figure
from groundling.games.hexagons.players.parser.wholes.lines import Painted, read_line
from groundling.games.hexagons.players.parser.wholes.places import mark_places

_DEED = re.compile(r"(?<!\S)(?:paint|make|add|using|surrounding|repeat|skip)(?!\S)")
_SAME_DEED = re.compile(
    r"^ ?(?:(?:and|then|but|do|not|also) )*paint (?:it|the inside|the middle)(?: (?:in|completely|up|fully))*"
    r"$"
)
_PARTS = re.compile(r"(?<!\S)[.;!?](?!\S)")


def perform_whole(scene: ParserScene, text: str) -> bool:
    """Carry out a text in plain words that fully describes one thing. Return whether it does."""
    text = text.rstrip(" .;!")
    found = mark_places(text)
    if found is None or _has_several_deeds(found.text):
        return False
    name, painted = read_figure(found)
    if not name:
        name, painted = "line", read_line(found)
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
        scene.axis = AxisSelection(tuple(("at", row, 0) for row in rows))
    _paint_figure(scene, painted, name)
    return True


def _has_several_deeds(text: str) -> bool:
    """Whether the text paints one thing and then another."""
    deeds = [part for part in _PARTS.split(text) if _DEED.search(part) and not _SAME_DEED.search(part)]
    return len(deeds) > 1 and (
        "@" in deeds[0] or sum(any(colour in part for colour in COLOURS) for part in deeds) > 1
    )


def _paint_figure(scene: ParserScene, painted: Painted, name: str) -> None:
    tiles = [tile for tile, _ in painted]
    ahead = (
        next((way for way in HEADINGS if step_tile(tiles[0], way) == tiles[1]), None)
        if len(tiles) > 1
        else "down"
    )
    scene.heading = ahead if ahead and name == "line" else scene.heading
    for colour in dict.fromkeys(colour for _, colour in painted):
        scene.paint_tiles(
            [tile for tile, own in painted if own == colour], colour, name if len(tiles) > 1 else "tiles"
        )
        scene.colour = colour
    scene.focus_on([tile for tile in tiles if tile in scene.painted])
