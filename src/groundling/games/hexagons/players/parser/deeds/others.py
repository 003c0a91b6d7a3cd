"""Connects things, and skips tiles."""

from __future__ import annotations

from groundling.boards.hexes import HEADINGS, step_tile
from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColumnsPhrase,
    CornerPhrase,
    Phrase,
    PronounPhrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
)
from groundling.games.hexagons.players.parser.geometry import vertical_runs
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.target import Target, read_noun


def perform_connect(finder: TargetFinder, chunks: list[Phrase], text: str) -> None:
    """Paint lines between painted things."""
    places: list[Target] = []
    colour: str | None = None
    at = 0
    while at < len(chunks):
        chunk = chunks[at]
        at += 1
        if isinstance(chunk, ColourPhrase):
            colour = chunk.name
        elif isinstance(chunk, ShapePhrase | TilesPhrase) and _made_of(chunk):
            colour = chunk.colours[0] if chunk.colours else colour
        elif isinstance(chunk, TilesPhrase | ShapePhrase | ColumnsPhrase | CornerPhrase | PronounPhrase) and (
            found := read_noun(chunks, at - 1)
        ):
            places.append(found[0])
            at = found[1]
    colour = colour or finder.scene.colour
    if colour:
        finder.scene.paint_tiles(finder.connecting_tiles(places, closed="triangle" in text), colour, "line")


def _made_of(chunk: ShapePhrase | TilesPhrase) -> bool:
    """Whether the phrase is the line itself or its material, not one of its ends."""
    if chunk.definite:
        return False
    if isinstance(chunk, ShapePhrase):
        return True
    return (
        chunk.axis is None and not chunk.each and not chunk.all and (bool(chunk.colours) or not chunk.count)
    )


def perform_skip(finder: TargetFinder, chunks: list[Phrase]) -> None:
    """Move past tiles, or unpaint those that should stay blank."""
    scene = finder.scene
    verb = chunks[0].name if isinstance(chunks[0], VerbPhrase) else ""
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, ShapePhrase):
            return
        if isinstance(chunk, ColumnsPhrase):
            if chunk.axis is None and scene.columns:
                scene.columns = [max(scene.columns) + chunk.count]
                scene.skipped = True
            return
        if isinstance(chunk, TilesPhrase):
            found = read_noun(chunks, at)
            _skip_tiles(finder, found[0] if found else Target(tiles=chunk), chunk, verb)
            return


def _skip_tiles(finder: TargetFinder, target: Target, chunk: TilesPhrase, verb: str) -> None:
    scene = finder.scene
    if chunk.axis is not None and verb == "skip":
        scene.focus_on(finder.resolve_target(target))
        scene.heading = "down"
    elif chunk.axis is not None and (target.columns is not None or scene.columns):
        left = finder.resolve_target(target)
        gone = [
            tile for tile in left if tile in scene.painted and scene.painted[tile] == scene.board.get(tile)
        ]
        for tile in gone:
            del scene.painted[tile], scene.board[tile]
        if not gone:
            scene.focus_on(left)
            scene.heading = "down"
    elif not (chunk.order == "last" or (chunk.definite and not chunk.next and not chunk.count)):
        way = scene.heading if scene.heading in HEADINGS else "down"
        ends = [run[0] if way == "up" else run[-1] for run in vertical_runs(scene.focus)]
        scene.focus = [step_tile(end, way, chunk.count or 1) for end in ends]
