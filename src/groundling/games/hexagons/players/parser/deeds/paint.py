"""Paints the targets of a clause."""

from __future__ import annotations

from groundling.boards.hexes import HEADINGS, Tile, step_tile
from groundling.games.hexagons.players.parser.figures import figure_tiles, paint_named_object
from groundling.games.hexagons.players.parser.geometry import enclosed_tiles
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.players.parser.target import Target

VAGUE = (
    *(
        "line",
        "diagonal",
        "row",
        "pattern",
        "sequence",
        "set",
        "group",
        "image",
        "section",
        "shape",
        "pair",
        "trio",
        "motif",
    ),
)
"""Names of shapes that do not determine their form."""
_LINES = ("line", "diagonal")


def paint_targets(finder: TargetFinder, targets: list[Target], text: str) -> None:
    for target in _merge_places(targets):
        _paint_target(finder, target, text)


def _merge_places(targets: list[Target]) -> list[Target]:
    """Merge a target that only states a place into the shape before it."""
    kept: list[Target] = []
    for target in targets:
        last = kept[-1] if kept else None
        if last is None or last.shape is None or last.shape.name in _LINES or not _only_place(target):
            kept.append(target)
        elif last.start is None and not last.relation:
            last.start = target
        elif last.start is not None and last.shape.plural and target.colour == last.colour:
            last.start.also.append(target)
        else:
            kept.append(target)
    return kept


def _only_place(target: Target) -> bool:
    """Whether the target names single tiles by their numbers."""
    tiles = target.tiles
    return target.corner is not None or (tiles is not None and tiles.axis is not None and target.is_located)


def _paint_target(finder: TargetFinder, target: Target, text: str) -> None:
    scene, kind = finder.scene, "tiles"
    colour = target.colour or scene.colour
    if target.shape is not None:
        tiles, kind = figure_tiles(finder, target, text), target.shape.name
        if not tiles and kind not in VAGUE:
            paint_named_object(finder, target, text)
        if target.middle:
            scene.paint_tiles(enclosed_tiles(set(tiles)), target.middle)
    else:
        tiles = finder.resolve_target(target)
    if not tiles:
        return
    if target.tiles is not None and (target.tiles.axis or target.relation in ("above", "below")):
        scene.heading = "up" if _goes_up(target, tiles) else "down"
    if target.sequence:
        _paint_sequence(scene, target, tiles, kind)
    elif colour:
        scene.paint_tiles(tiles, colour, kind)


def _goes_up(target: Target, tiles: list[Tile]) -> bool:
    """Whether the tiles go up a column."""
    if target.tiles is not None and target.tiles.axis is not None and target.tiles.axis.side == "bottom":
        return len(tiles) > 1
    return target.relation == "above" or (tiles[0][1] == tiles[-1][1] and tiles[0][0] > tiles[-1][0])


def _paint_sequence(scene: ParserScene, target: Target, tiles: list[Tile], kind: str) -> None:
    """Paint colours in turn along tiles; if the tiles lie in several columns, along each column."""
    colours = [name for count, name in target.sequence for _ in range(count)]
    if len(tiles) == 1:
        way = target.heading if target.heading in HEADINGS else "down"
        tiles = [step_tile(tiles[0], way, n) for n in range(len(colours))]
    columns = dict.fromkeys(column for _, column in tiles)
    if (
        len(columns) > 1
        and len(tiles) >= 2 * len(columns)
        and target.relation is None
        and target.shape is None
    ):
        for column in columns:
            _paint_sequence(scene, target, [tile for tile in tiles if tile[1] == column], kind)
        return
    everything: list[Tile] = []
    for n, tile in enumerate(tiles if target.alternate else tiles[: len(colours)]):
        if (colour := colours[n % len(colours)]) != "white":
            everything += scene.paint_tiles([tile], colour, kind)
    scene.focus_on(everything)
