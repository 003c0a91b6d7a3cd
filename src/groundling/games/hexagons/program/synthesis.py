"""Finds a short program for tiles in given colours: a cover by lines, rings, triangles and the like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import (
    COLOURS,
    COLUMNS,
    HEADINGS,
    ROWS,
    TILES,
    Tile,
    lattice_disc,
    lattice_ray,
    lattice_rhombus,
    lattice_ring,
    lattice_triangle,
)
from groundling.games.hexagons.program.formatting import format_program
from groundling.games.hexagons.program.frame import move_frame_tile
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    DiscShape,
    FlowerShape,
    LineShape,
    OutlineShape,
    PathStep,
    RhombusShape,
    RingShape,
    RowShape,
    Shape,
    StopAtEdge,
    TileReference,
    TilesShape,
    TriangleShape,
)
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    PaintStatement,
    Program,
    RepeatAxis,
    RepeatStatement,
)

HERE = TileReference()
_HEADINGS = ("down", "down-right", "up-right")
"""Those of lines: the opposite ones give the same tiles."""
_PLACE = {tile: 1 << number for number, tile in enumerate(TILES)}
_LONG = 4
"""From this length on, a line that ends at the edge is written as one until the edge."""
_LARGEST = 5
"""Of radii and side lengths."""
_MOST_ORDERED = 4
"""The most colours of which all orders are tried."""
_MOST_FIGURES = 4
"""Of a step: people's steps on the published train set have 3.8 figures on average, half of them 1 or 2."""
_AGAIN = 1.0
"""The cost of a figure of a shape that is drawn elsewhere as well."""


class _Figure(Struct, frozen=True):
    """A shape with a place of its own."""

    mask: int
    """Its tiles on the board, one bit each."""
    shape: Shape
    """At `here`, or at a fixed place."""
    place: Tile | None
    cost: float
    """The number of single tiles that are as long to write."""


def synthesize_program(painted: Mapping[Tile, str]) -> Program:
    """Return a program that paints these tiles in these colours and no others, on any board."""
    return _synthesize(tuple(sorted(painted.items())))


@lru_cache(maxsize=50_000)
def _synthesize(painted: tuple[tuple[Tile, str], ...]) -> Program:
    statements: list[AnyStatement] = []
    for colour in COLOURS:
        wanted = [tile for tile, found in painted if found == colour]
        if wanted:
            statements += _cover_tiles(wanted, wanted, colour)
    return Program(tuple(statements))


def synthesize_layers(painted: Mapping[Tile, str]) -> Program:
    """Return the shortest program that is found for a picture on a blank board, where a colour may be painted
    over by a later one, and copies at equal distances are a repetition."""
    colours = sorted({colour for colour in painted.values() if colour != "white"})
    orders = permutations(colours) if len(colours) <= _MOST_ORDERED else [tuple(colours)]
    found = [_synthesize_order(painted, order) for order in orders]
    return min(found, key=lambda program: len(format_program(program).split()))


def _synthesize_order(painted: Mapping[Tile, str], order: Sequence[str]) -> Program:
    statements: list[AnyStatement] = []
    for number, colour in enumerate(order):
        wanted = [tile for tile, found in painted.items() if found == colour]
        covered = [tile for tile, found in painted.items() if found in order[number:]]
        statements += map(_repeat_copies, _cover_tiles(wanted, covered, colour))
    return Program(tuple(statements))


def divide_into_steps(program: Program) -> list[Program]:
    """Divide a program of `synthesize_layers` into steps of about the size of people's: a few figures of one
    colour. Copies at equal distances count as one."""
    steps: list[list[AnyStatement]] = []
    colour, count = None, 0
    for part, figures in (part for statement in program.statements for part in _split_places(statement)):
        its = _painted_colour(part)
        if its != colour or count + figures > _MOST_FIGURES:
            steps.append([])
            colour, count = its, 0
        steps[-1].append(part)
        count += figures
    return [Program(tuple(statements)) for statements in steps]


def _split_places(statement: AnyStatement) -> Iterator[tuple[AnyStatement, int]]:
    """Statements with few places each, and the number of figures."""
    match statement:
        case AtStatement(TilesShape(places)) | PaintStatement(_, TilesShape(places)):
            parts = -(-len(places) // _MOST_FIGURES)
            each = -(-len(places) // parts)
            for start in range(0, len(places), each):
                some = places[start : start + each]
                yield replace(statement, shape=TilesShape(some) if len(some) > 1 else some[0]), len(some)
        case _:
            yield statement, 1


def _painted_colour(statement: AnyStatement) -> str | None:
    match statement:
        case PaintStatement((str(colour),)):
            return colour
        case AtStatement(_, (inner,)) | RepeatStatement(_, (inner,)):
            return _painted_colour(inner)
    return None


def _repeat_copies(statement: AnyStatement) -> AnyStatement:
    """Write copies at equal distances as a repetition."""
    match statement:
        case AtStatement(TilesShape((TileReference(first), *others)), body) if first and len(others) > 1:
            tiles = [first, *(place.tile for place in others if place.tile)]
            for heading in (*HEADINGS, "right"):
                for steps in range(1, COLUMNS):
                    if tiles == [move_frame_tile(first, heading, steps * n) for n in range(len(tiles))]:
                        axis = RepeatAxis(len(tiles), (PathStep(heading, steps),))
                        return AtStatement(TileReference(first), (RepeatStatement((axis,), body),))
    return statement


def _cover_tiles(wanted: list[Tile], allowed: list[Tile], colour: str) -> Iterator[AnyStatement]:
    """Yield statements for the shapes that save most, then for the single tiles that are left. Shapes may
    contain all tiles that are allowed."""
    left, target = (sum(_PLACE[tile] for tile in tiles) for tiles in (wanted, allowed))
    fitting: dict[Shape, list[_Figure]] = {}
    for tile in allowed:
        for figure in _figures_by_first_tile()[tile]:
            if not figure.mask & ~target and figure.mask & left:
                fitting.setdefault(figure.shape, []).append(figure)
    while fitting:
        packed = {shape: _pack_figures(figures, left) for shape, figures in fitting.items()}
        fitting = {shape: fitting[shape] for shape, (saved, _) in packed.items() if saved > 0}
        if not fitting:
            break
        best = max(fitting, key=lambda shape: packed[shape][0])
        figures = packed[best][1]
        for figure in figures:
            left &= ~figure.mask
        yield _paint_figures(colour, best, figures)
    if single := [tile for tile in wanted if left & _PLACE[tile]]:
        yield PaintStatement((colour,), _list_tiles(single))


def _pack_figures(figures: list[_Figure], left: int) -> tuple[float, list[_Figure]]:
    """Return what figures of one shape save, and those that are needed for it."""
    chosen, saved = list[_Figure](), 0.0
    for figure in sorted(figures, key=lambda one: -(one.mask & left).bit_count()):
        new = (figure.mask & left).bit_count()
        if new > _AGAIN:
            saved += new - (_AGAIN if chosen else figure.cost)
            chosen.append(figure)
            left &= ~figure.mask
    return saved, chosen


def _paint_figures(colour: str, shape: Shape, figures: list[_Figure]) -> AnyStatement:
    places = [figure.place for figure in figures if figure.place is not None]
    if not places:
        return PaintStatement((colour,), shape)
    if len(places) == 1:
        return PaintStatement((colour,), place_figure(shape, places[0]))
    return AtStatement(_list_tiles(places), (PaintStatement((colour,), shape),))


def _list_tiles(tiles: list[Tile]) -> Shape:
    """Column by column, as people number tiles."""
    places = tuple(TileReference(tile) for tile in sorted(tiles, key=lambda tile: tile[::-1]))
    return places[0] if len(places) == 1 else TilesShape(places)


def place_figure(shape: Shape, tile: Tile) -> Shape:
    """The same figure at a fixed place."""
    place = TileReference(tile)
    match shape:
        case TileReference():
            return place
        case ColumnShape():
            return ColumnShape(tile[1])
        case RowShape():
            return RowShape(tile[0])
        case LineShape(_, heading, length):
            return LineShape(place, heading, length)
        case RingShape(_, radius):
            return RingShape(place, radius)
        case DiscShape(_, radius):
            return DiscShape(place, radius)
        case FlowerShape():
            return FlowerShape(place)
        case TriangleShape(_, heading, side):
            return TriangleShape(place, heading, side)
        case RhombusShape(_, heading, side, other):
            return RhombusShape(place, heading, side, other)
        case OutlineShape(inner):
            return OutlineShape(place_figure(inner, tile))
        case _:
            raise AssertionError(shape)


@cache
def _figures_by_first_tile() -> dict[Tile, list[_Figure]]:
    """All figures, each once, by the first of their tiles."""
    known: dict[int, _Figure] = {}
    for shape, place, tiles, cost in _list_figures():
        inside = [tile for tile in tiles if tile in _PLACE]
        mask = sum(_PLACE[tile] for tile in inside)
        if len(inside) > 1 and (mask not in known or known[mask].cost > cost):
            known[mask] = _Figure(mask, shape, place, cost)
    found: dict[Tile, list[_Figure]] = {tile: [] for tile in TILES}
    for figure in known.values():
        found[TILES[(figure.mask & -figure.mask).bit_length() - 1]].append(figure)
    return found


def _list_figures() -> Iterator[tuple[Shape, Tile | None, list[Tile], float]]:
    """Yield shapes with their places, tiles and costs; of equal costs the first is kept."""
    for column in range(1, COLUMNS + 1):
        yield ColumnShape(column), None, [(row, column) for row in range(1, ROWS + 1)], 1.5
    for row in range(1, ROWS + 1):
        yield RowShape(row), None, [(row, column) for column in range(1, COLUMNS + 1)], 1.5
    for tile in TILES:
        yield FlowerShape(HERE), tile, lattice_ring(tile, 1), 1.8
        for radius in range(2, _LARGEST + 1):
            yield RingShape(HERE, radius), tile, lattice_ring(tile, radius), 2.2
        for radius in range(1, _LARGEST + 1):
            yield DiscShape(HERE, radius), tile, lattice_disc(tile, radius), 2.0
        yield from _list_lines(tile)
        for heading in HEADINGS:
            for side in range(2, _LARGEST + 2):
                triangle = TriangleShape(HERE, heading, side)
                tiles = lattice_triangle(tile, heading, side)
                yield triangle, tile, tiles, 2.4
                inside = set(tiles)
                rim = [one for one in tiles if not inside.issuperset(lattice_ring(one, 1))]
                yield OutlineShape(triangle), tile, rim, 2.8
        for heading in _HEADINGS:
            for side in range(2, _LARGEST + 1):
                for other in range(2, _LARGEST + 1):
                    rhombus = RhombusShape(HERE, heading, side, None if side == other else other)
                    yield rhombus, tile, lattice_rhombus(tile, heading, side, other), 2.8


def _list_lines(tile: Tile) -> Iterator[tuple[Shape, Tile | None, list[Tile], float]]:
    row, column = tile
    rays = {heading: lattice_ray(tile, heading) for heading in _HEADINGS}
    rays["right"] = [(row, other) for other in range(column, COLUMNS + 1)]
    for heading, ray in rays.items():
        if len(ray) >= _LONG:
            yield LineShape(HERE, heading, StopAtEdge()), tile, ray, 2.0
        for length in range(2, len(ray) + 1):
            yield LineShape(HERE, heading, length), tile, ray[:length], 2.0
