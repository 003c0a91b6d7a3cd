"""Mirror images: which axis is meant, and what is mirrored."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Sequence as Many

from .....boards.hexes import COLUMNS, ROWS, Tile, on_board
from .chunks import Chunk, Colour, Columns, Shape, Step, Tiles
from .copies import Thing, last_thing, lay, thing_in, thing_of
from .resolve import columns_of
from .scene import Scene

_FLAT = re.compile(r"below|bottom|above|upside|top|horizontal axis|x axis|lower|upper|vertically|underneath")
_SIDE = re.compile(
    r"(?:left|right|other|opposite|either|each)(?: hand)? side|to the (?:left|right)|across|horizontally|on the (?:left|right)"
)
_SWAP = re.compile(r"revers\w*|swap\w*|opposite color|opposite colors|invert\w*|switch\w*|alternate")


def across(column: int) -> Callable[[Tile], Tile]:
    """The mirror left to right about a column."""
    return lambda tile: (tile[0], 2 * column - tile[1])


def flat(height: int) -> Callable[[Tile], Tile]:
    """The mirror top to bottom about a height, counted in half tiles from the top."""

    def image(tile: Tile) -> Tile:
        row, column = tile
        low = column % 2 == 0
        return (2 * height - (2 * row + low) - low) // 2, column

    return image


def mirror(scene: Scene, chunks: Many[Chunk], text: str) -> bool:
    """Carries out a clause that asks for a mirror image."""
    if re.search(r"previous (?:column|tile)", text) and not any(isinstance(chunk, Shape | Step) for chunk in chunks):
        return _next_column(scene)
    source, given = _source(scene, chunks)
    if source is None:
        return False
    axes: list[Callable[[Tile], Tile]] = []
    if given is not None:
        axes.append(across(given))
    else:
        sideways, standing = bool(_SIDE.search(text)), bool(_FLAT.search(text))
        if sideways or not standing:
            axes.append(_best(scene, source, [(across(n), _central(source, n)) for n in range(2, COLUMNS)]))
        if standing and not (sideways and not re.search(r"horizontal\w* and|vertical\w* and|both", text)):
            axes = [] if not sideways else axes
            axes.append(_best(scene, source, [(flat(n), 0.0) for n in range(3, 2 * ROWS)]))
    colours = [chunk.name for chunk in chunks if isinstance(chunk, Colour)]
    own = source.colours
    change: dict[str, str] = {}
    if _SWAP.search(text) and len(own) == 2:
        change = {own[0]: own[1], own[1]: own[0]}
    elif len(own) == 1 and colours:
        change = {own[0]: colours[-1]}
    whole = dict(source.tiles)
    for image in axes:
        whole |= {image(tile): colour for tile, colour in whole.items()}
    new = {tile: change.get(colour, colour) for tile, colour in whole.items() if tile not in source.tiles and on_board(tile)}
    free = {tile: colour for tile, colour in new.items() if tile not in scene.board}
    return bool(free) and lay(scene, Thing(free), "mirror") > 0


def _central(source: Thing, column: int) -> float:
    """A slight liking for axes that leave as much room on the one side as on the other."""
    middle = 9 if source.columns[0] % 2 else 10
    return -0.01 * abs(column - middle)


def _best(scene: Scene, source: Thing, axes: list[tuple[Callable[[Tile], Tile], float]]) -> Callable[[Tile], Tile]:
    """The axis about which the board is most nearly even already."""

    def merit(image: Callable[[Tile], Tile]) -> float:
        total = 0.0
        for tile, colour in scene.board.items():
            there = image(tile)
            if not on_board(there):
                total -= 2 if tile in source.tiles else 0.3
            elif there in scene.board:
                same = scene.board[there] == colour
                total += (
                    (1.0 if same else -2.0)
                    if tile not in source.tiles or there not in source.tiles
                    else (0.2 if same else -1.0)
                )
            elif tile not in source.tiles:
                total -= 0.5
        return total

    return max(axes, key=lambda pair: merit(pair[0]) + pair[1])[0]


def _source(scene: Scene, chunks: Many[Chunk]) -> tuple[Thing | None, int | None]:
    """What is mirrored, and the column about which, if said."""
    source: Thing | None = None
    axis: int | None = None
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, Step) and source is None:
            source = thing_of(scene.marks_of(chunk.numbers))
        elif isinstance(chunk, Columns):
            columns = columns_of(scene, chunk)
            if len(columns) == 1:
                axis = columns[0]
            elif columns:
                source = source or thing_in(scene, columns)
        elif isinstance(chunk, Shape | Tiles) and source is None and chunk.definite and at:
            colours = chunk.colours
            if colours:
                source = Thing({tile: scene.board[tile] for tile in scene.of_colour(colours) if tile in scene.board})
            elif isinstance(chunk, Shape) and any(word in ("this", "that", "these", "those") for word in chunk.words):
                source = last_thing(scene)
    if source is None or not source.tiles:
        source = Thing(dict(scene.board)) if scene.board else None
    if axis is not None and source is not None and all(not on_board(across(axis)(tile)) for tile in source.tiles):
        axis = None
    return source, axis


def _next_column(scene: Scene) -> bool:
    """The last column, upside down, in the next."""
    if not scene.board:
        return False
    last = max(column for _, column in scene.board)
    return (
        lay(
            scene,
            Thing({(ROWS + 1 - row, last + 1): colour for (row, column), colour in scene.board.items() if column == last}),
        )
        > 0
    )
