"""Paints the mirror image of what is painted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from groundling.boards.hexes import COLUMNS, ROWS, Tile, is_on_lattice
from groundling.games.hexagons.players.parser.parser_scene import (
    ParserObject,
    ParserScene,
    last_parser_object,
    paint_parser_object,
    parser_object_from_marks,
    parser_object_in_columns,
)
from groundling.games.hexagons.players.parser.phrases import (
    ColourPhrase,
    ColumnsPhrase,
    Phrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
)
from groundling.games.hexagons.players.parser.repetition import ColourChange, swap_colours
from groundling.games.hexagons.players.parser.target_finder import TargetFinder

_FLAT = re.compile(r"below|bottom|above|upside|top|horizontal axis|x axis|lower|upper|vertically|underneath")
_SIDE = re.compile(
    r"(?:left|right|other|opposite|either|each)(?: hand)? side|to the (?:left|right)|across|horizontally|"
    r"on the (?:left|right)"
)
_BOTH = re.compile(r"horizontal\w* and|vertical\w* and|both")
_MIRROR_SWAP = re.compile(r"revers\w*|swap\w*|opposite color|opposite colors|invert\w*|switch\w*|alternate")
_TileMapping = Callable[[Tile], Tile]


def _column_mirror(column: int) -> _TileMapping:
    """Return the left-right mirror about a column."""
    return lambda tile: (tile[0], 2 * column - tile[1])


def _height_mirror(height: int) -> _TileMapping:
    """Return the top-bottom mirror about a height, counted in half tiles from the top."""

    def mirror_tile(tile: Tile) -> Tile:
        row, column = tile
        return height - row - (column % 2 == 0), column

    return mirror_tile


def perform_mirror_repetition(finder: TargetFinder, chunks: Sequence[Phrase], text: str) -> None:
    """Carry out a clause that requests a mirror image."""
    scene = finder.scene
    if re.search(r"previous (?:column|tile)", text):
        _mirror_last_column(scene)
        return
    source, given = _mirror_source(finder, chunks)
    if source is None:
        return
    change = _mirror_colours(source, chunks, text)
    image = dict(source.tiles)
    for axis in [_column_mirror(given)] if given is not None else _mirror_axes(scene, source, text):
        image |= {axis(tile): colour for tile, colour in image.items()}
    new = {tile: change.get(colour, colour) for tile, colour in image.items() if tile not in source.tiles}
    paint_parser_object(
        scene,
        ParserObject({tile: colour for tile, colour in new.items() if tile not in scene.board}),
        "mirror",
    )


def _mirror_colours(source: ParserObject, chunks: Sequence[Phrase], text: str) -> ColourChange:
    own, said = source.colours, [chunk.name for chunk in chunks if isinstance(chunk, ColourPhrase)]
    if len(own) == 2 and _MIRROR_SWAP.search(text):
        return swap_colours(own)
    return {own[0]: said[-1]} if len(own) == 1 and said else {}


def _mirror_axes(scene: ParserScene, source: ParserObject, text: str) -> list[_TileMapping]:
    """Return the axes for left-right, top-bottom or both, as stated or by best fit."""
    sideways, standing = bool(_SIDE.search(text)), bool(_FLAT.search(text))
    middle = 9 if source.columns[0] % 2 else 10
    axes: list[_TileMapping] = []
    if sideways or not standing:
        axes.append(
            _best_axis(scene, source, {_column_mirror(n): -0.01 * abs(n - middle) for n in range(2, COLUMNS)})
        )
    if standing and (not sideways or _BOTH.search(text)):
        axes.append(_best_axis(scene, source, {_height_mirror(n): 0.0 for n in range(3, 2 * ROWS)}))
    return axes


def _best_axis(scene: ParserScene, source: ParserObject, axes: Mapping[_TileMapping, float]) -> _TileMapping:
    """Return the axis about which the board is already most symmetric, with a slight preference for some."""

    def axis_merit(image: _TileMapping) -> float:
        total = axes[image]
        for tile, colour in scene.board.items():
            there, own = image(tile), tile in source.tiles
            if not is_on_lattice(there):
                total -= 2 if own else 0.3
            elif there in scene.board:
                same = scene.board[there] == colour
                total += (0.2 if same else -1.0) if own and there in source.tiles else (1.0 if same else -2.0)
            elif not own:
                total -= 0.5
        return total

    return max(axes, key=axis_merit)


def _mirror_source(finder: TargetFinder, chunks: Sequence[Phrase]) -> tuple[ParserObject | None, int | None]:
    """Return what is mirrored, and the column of the axis if stated."""
    scene = finder.scene
    source: ParserObject | None = None
    axis: int | None = None
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, StepPhrase):
            source = source or parser_object_from_marks(scene.marks_of_steps(chunk.numbers))
        elif isinstance(chunk, ColumnsPhrase):
            columns = finder.find_columns(chunk)
            if len(columns) == 1:
                axis = columns[0]
            else:
                source = source or parser_object_in_columns(scene, columns)
        elif isinstance(chunk, ShapePhrase | TilesPhrase) and source is None and chunk.definite and at:
            if chunk.colours:
                source = parser_object_from_marks(
                    [mark for mark in scene.marks if mark.colour in chunk.colours]
                )
            elif isinstance(chunk, ShapePhrase) and {"this", "that", "these", "those"} & set(chunk.words):
                source = last_parser_object(scene)
    if source is None:
        source = ParserObject(dict(scene.board)) if scene.board else None
    if (
        axis is not None
        and source is not None
        and not any(is_on_lattice(_column_mirror(axis)(tile)) for tile in source.tiles)
    ):
        axis = None
    return source, axis


def _mirror_last_column(scene: ParserScene) -> None:
    """Paint the last column upside down into the next one."""
    last = max((column for _, column in scene.board), default=0)
    turned = {
        (ROWS + 1 - row, last + 1): colour for (row, column), colour in scene.board.items() if column == last
    }
    paint_parser_object(scene, ParserObject(turned))
