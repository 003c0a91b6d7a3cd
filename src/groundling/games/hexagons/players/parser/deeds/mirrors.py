"""Mirror images: which axis is meant, and what is mirrored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many

from groundling.boards.hexes import COLUMNS, ROWS, Tile, on_board
from groundling.games.hexagons.players.parser.chunks import Chunk, Colour, Columns, Shape, Step, Tiles
from groundling.games.hexagons.players.parser.copies import Thing, last_thing, lay, thing_in, thing_of
from groundling.games.hexagons.players.parser.deeds.recolour import Change, swap
from groundling.games.hexagons.players.parser.meaning import Finder
from groundling.games.hexagons.players.parser.scene import Scene

_FLAT = re.compile(r"below|bottom|above|upside|top|horizontal axis|x axis|lower|upper|vertically|underneath")
_SIDE = re.compile(
    r"(?:left|right|other|opposite|either|each)(?: hand)? side|to the (?:left|right)|across|horizontally|"
    r"on the (?:left|right)"
)
_BOTH = re.compile(r"horizontal\w* and|vertical\w* and|both")
_SWAP = re.compile(r"revers\w*|swap\w*|opposite color|opposite colors|invert\w*|switch\w*|alternate")
Image = Callable[[Tile], Tile]


def across(column: int) -> Image:
    """Return the left-right mirror about a column."""
    return lambda tile: (tile[0], 2 * column - tile[1])


def flat(height: int) -> Image:
    """Return the top-bottom mirror about a height, counted in half tiles from the top."""

    def image(tile: Tile) -> Tile:
        row, column = tile
        return height - row - (column % 2 == 0), column

    return image


def mirror(finder: Finder, chunks: Many[Chunk], text: str) -> None:
    """Carry out a clause that requests a mirror image."""
    scene = finder.scene
    if re.search(r"previous (?:column|tile)", text) and not any(
        isinstance(chunk, Shape | Step) for chunk in chunks
    ):
        _next_column(scene)
        return
    source, given = _source(finder, chunks)
    if source is None:
        return
    change = _change(source, chunks, text)
    image = dict(source.tiles)
    for axis in [across(given)] if given is not None else _axes(scene, source, text):
        image |= {axis(tile): colour for tile, colour in image.items()}
    new = {tile: change.get(colour, colour) for tile, colour in image.items() if tile not in source.tiles}
    lay(scene, Thing({tile: colour for tile, colour in new.items() if tile not in scene.board}), "mirror")


def _change(source: Thing, chunks: Many[Chunk], text: str) -> Change:
    own, said = source.colours, [chunk.name for chunk in chunks if isinstance(chunk, Colour)]
    if len(own) == 2 and _SWAP.search(text):
        return swap(own)
    return {own[0]: said[-1]} if len(own) == 1 and said else {}


def _axes(scene: Scene, source: Thing, text: str) -> list[Image]:
    """Return the axes for left-right, top-bottom or both, as stated or by best fit."""
    sideways, standing = bool(_SIDE.search(text)), bool(_FLAT.search(text))
    middle = 9 if source.columns[0] % 2 else 10
    axes: list[Image] = []
    if sideways or not standing:
        axes.append(_best(scene, source, {across(n): -0.01 * abs(n - middle) for n in range(2, COLUMNS)}))
    if standing and (not sideways or _BOTH.search(text)):
        axes.append(_best(scene, source, {flat(n): 0.0 for n in range(3, 2 * ROWS)}))
    return axes


def _best(scene: Scene, source: Thing, axes: Mapping[Image, float]) -> Image:
    """Return the axis about which the board is already most symmetric, with a slight preference for some."""

    def merit(image: Image) -> float:
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

    return max(axes, key=merit)


def _source(finder: Finder, chunks: Many[Chunk]) -> tuple[Thing | None, int | None]:
    """Return what is mirrored, and the column of the axis if stated."""
    scene = finder.scene
    source: Thing | None = None
    axis: int | None = None
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, Step):
            source = source or thing_of(scene.marks_of(chunk.numbers))
        elif isinstance(chunk, Columns):
            columns = finder.columns(chunk)
            if len(columns) == 1:
                axis = columns[0]
            else:
                source = source or thing_in(scene, columns)
        elif isinstance(chunk, Shape | Tiles) and source is None and chunk.definite and at:
            if chunk.colours:
                source = thing_of([mark for mark in scene.marks if mark.colour in chunk.colours])
            elif isinstance(chunk, Shape) and {"this", "that", "these", "those"} & set(chunk.words):
                source = last_thing(scene)
    if source is None:
        source = Thing(dict(scene.board)) if scene.board else None
    if (
        axis is not None
        and source is not None
        and not any(on_board(across(axis)(tile)) for tile in source.tiles)
    ):
        axis = None
    return source, axis


def _next_column(scene: Scene) -> None:
    """Paint the last column upside down into the next one."""
    last = max((column for _, column in scene.board), default=0)
    lay(
        scene,
        Thing(
            {
                (ROWS + 1 - row, last + 1): colour
                for (row, column), colour in scene.board.items()
                if column == last
            }
        ),
    )
