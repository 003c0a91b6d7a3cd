"""Mirror images: which axis is meant, and what is mirrored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many

from groundling.boards.hexes import COLUMNS, ROWS, Tile, on_board
from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColumnsPhrase,
    Phrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
)
from groundling.games.hexagons.players.parser.copies import (
    PaintedObject,
    last_object,
    object_from_marks,
    object_in_columns,
    paint_object,
)
from groundling.games.hexagons.players.parser.deeds.recolour import ColourChange, swap_colours
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.scene import ParserScene

_FLAT = re.compile(r"below|bottom|above|upside|top|horizontal axis|x axis|lower|upper|vertically|underneath")
_SIDE = re.compile(
    r"(?:left|right|other|opposite|either|each)(?: hand)? side|to the (?:left|right)|across|horizontally|"
    r"on the (?:left|right)"
)
_BOTH = re.compile(r"horizontal\w* and|vertical\w* and|both")
_SWAP = re.compile(r"revers\w*|swap\w*|opposite color|opposite colors|invert\w*|switch\w*|alternate")
TileMapping = Callable[[Tile], Tile]


def column_mirror(column: int) -> TileMapping:
    """Return the left-right mirror about a column."""
    return lambda tile: (tile[0], 2 * column - tile[1])


def height_mirror(height: int) -> TileMapping:
    """Return the top-bottom mirror about a height, counted in half tiles from the top."""

    def mirror_tile(tile: Tile) -> Tile:
        row, column = tile
        return height - row - (column % 2 == 0), column

    return mirror_tile


def perform_mirror(finder: TargetFinder, chunks: Many[Phrase], text: str) -> None:
    """Carry out a clause that requests a mirror image."""
    scene = finder.scene
    if re.search(r"previous (?:column|tile)", text) and not any(
        isinstance(chunk, ShapePhrase | StepPhrase) for chunk in chunks
    ):
        _mirror_last_column(scene)
        return
    source, given = _mirror_source(finder, chunks)
    if source is None:
        return
    change = _mirror_colours(source, chunks, text)
    image = dict(source.tiles)
    for axis in [column_mirror(given)] if given is not None else _mirror_axes(scene, source, text):
        image |= {axis(tile): colour for tile, colour in image.items()}
    new = {tile: change.get(colour, colour) for tile, colour in image.items() if tile not in source.tiles}
    paint_object(
        scene,
        PaintedObject({tile: colour for tile, colour in new.items() if tile not in scene.board}),
        "mirror",
    )


def _mirror_colours(source: PaintedObject, chunks: Many[Phrase], text: str) -> ColourChange:
    own, said = source.colours, [chunk.name for chunk in chunks if isinstance(chunk, ColourPhrase)]
    if len(own) == 2 and _SWAP.search(text):
        return swap_colours(own)
    return {own[0]: said[-1]} if len(own) == 1 and said else {}


def _mirror_axes(scene: ParserScene, source: PaintedObject, text: str) -> list[TileMapping]:
    """Return the axes for left-right, top-bottom or both, as stated or by best fit."""
    sideways, standing = bool(_SIDE.search(text)), bool(_FLAT.search(text))
    middle = 9 if source.columns[0] % 2 else 10
    axes: list[TileMapping] = []
    if sideways or not standing:
        axes.append(
            _best_axis(scene, source, {column_mirror(n): -0.01 * abs(n - middle) for n in range(2, COLUMNS)})
        )
    if standing and (not sideways or _BOTH.search(text)):
        axes.append(_best_axis(scene, source, {height_mirror(n): 0.0 for n in range(3, 2 * ROWS)}))
    return axes


def _best_axis(scene: ParserScene, source: PaintedObject, axes: Mapping[TileMapping, float]) -> TileMapping:
    """Return the axis about which the board is already most symmetric, with a slight preference for some."""

    def axis_merit(image: TileMapping) -> float:
        total = axes[image]
        for tile, colour in scene.board.items():
            there, own = image(tile), tile in source.tiles
            if not on_board(there):
                total -= 2 if own else 0.3
            elif there in scene.board:
                same = scene.board[there] == colour
                total += (0.2 if same else -1.0) if own and there in source.tiles else (1.0 if same else -2.0)
            elif not own:
                total -= 0.5
        return total

    return max(axes, key=axis_merit)


def _mirror_source(finder: TargetFinder, chunks: Many[Phrase]) -> tuple[PaintedObject | None, int | None]:
    """Return what is mirrored, and the column of the axis if stated."""
    scene = finder.scene
    source: PaintedObject | None = None
    axis: int | None = None
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, StepPhrase):
            source = source or object_from_marks(scene.marks_of_steps(chunk.numbers))
        elif isinstance(chunk, ColumnsPhrase):
            columns = finder.find_columns(chunk)
            if len(columns) == 1:
                axis = columns[0]
            else:
                source = source or object_in_columns(scene, columns)
        elif isinstance(chunk, ShapePhrase | TilesPhrase) and source is None and chunk.definite and at:
            if chunk.colours:
                source = object_from_marks([mark for mark in scene.marks if mark.colour in chunk.colours])
            elif isinstance(chunk, ShapePhrase) and {"this", "that", "these", "those"} & set(chunk.words):
                source = last_object(scene)
    if source is None:
        source = PaintedObject(dict(scene.board)) if scene.board else None
    if (
        axis is not None
        and source is not None
        and not any(on_board(column_mirror(axis)(tile)) for tile in source.tiles)
    ):
        axis = None
    return source, axis


def _mirror_last_column(scene: ParserScene) -> None:
    """Paint the last column upside down into the next one."""
    last = max((column for _, column in scene.board), default=0)
    paint_object(
        scene,
        PaintedObject(
            {
                (ROWS + 1 - row, last + 1): colour
                for (row, column), colour in scene.board.items()
                if column == last
            }
        ),
    )
