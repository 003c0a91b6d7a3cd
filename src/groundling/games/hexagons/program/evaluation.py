"""Evaluates shapes to tiles, and conditions on a tile."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.boards import hexes
from groundling.boards.hexes import HEADINGS, TILES, Tile, check_lattice_tile, is_on_lattice, neighbours
from groundling.games.hexagons.program import shapes
from groundling.games.hexagons.program.frame import Frame, move_frame_tile
from groundling.games.hexagons.program.shapes import ProgramError, Shape, Stop, TileReference

LONGEST = 40
"""The limit for lengths and radii; the board is 18 tiles wide."""
MOST_STEPS = 100_000
"""The limit for evaluated tiles and statements, after which a program counts as endless."""


class EvaluationState:
    """The painted tiles, and the number of steps so far."""

    def __init__(self, painted: Mapping[Tile, str]) -> None:
        self.painted = dict(painted)
        """The colours of all tiles that are not white."""
        self.steps = 0
        self.runs: list[int] = []
        """The length of each `until`: tiles of a line, copies of a repeat."""

    def count_steps(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise ProgramError(f"the program does not end: stopped after {MOST_STEPS} steps")

    def has_colour(self, tile: Tile, colour: str) -> bool:
        return tile in self.painted if colour == "painted" else self.painted.get(tile, "white") == colour


def evaluate_shape_tiles(shape: Shape, frame: Frame, scene: EvaluationState) -> list[Tile]:
    """Return the tiles of a shape on and off the board, in order."""
    tiles = _evaluate_shape(shape, frame, scene)
    scene.count_steps(1 + len(tiles))
    return tiles


def _evaluate_shape(shape: Shape, frame: Frame, scene: EvaluationState) -> list[Tile]:
    match shape:
        case shapes.LineShape(start, heading, length):
            return _line_tiles(frame, frame.resolve_place(start), heading, length, scene)
        case shapes.ColumnShape(number):
            return _band_tiles(frame, 1, frame.resolve_number(number))
        case shapes.RowShape(number):
            return _band_tiles(frame, 0, frame.resolve_number(number))
        case shapes.WholeShape():
            return list(TILES)
        case shapes.BorderShape():
            return [tile for tile in TILES if len(neighbours(*tile)) < 6]
        case shapes.OutlineShape(inner):
            tiles = evaluate_shape_tiles(inner, frame, scene)
            inside = set(tiles)
            return [tile for tile in tiles if not inside.issuperset(_adjacent_tiles(tile))]
        case shapes.AroundShape(inner):
            tiles = evaluate_shape_tiles(inner, frame, scene)
            inside = set(tiles)
            return list(
                dict.fromkeys(near for tile in tiles for near in _adjacent_tiles(tile) if near not in inside)
            )
        case shapes.InsideShape(inner):
            scene.count_steps(len(TILES))
            return hexes.enclosed_tiles(evaluate_shape_tiles(inner, frame, scene))
        case shapes.MovedShape(inner, path):
            return _moved_tiles(evaluate_shape_tiles(inner, frame, scene), path, frame)
        case shapes.JoinedShape(parts):
            return list(
                dict.fromkeys(tile for part in parts for tile in evaluate_shape_tiles(part, frame, scene))
            )
        case shapes.WhereShape(inner, test):
            return [
                tile
                for tile in evaluate_shape_tiles(inner, frame, scene)
                if is_on_lattice(tile) and evaluate_condition(test, tile, frame, scene)
            ]
        case _:
            return [frame.motion(tile) for tile in _unmoved_tiles(shape, frame)]


def _unmoved_tiles(
    shape: TileReference
    | shapes.TilesShape
    | shapes.BetweenShape
    | shapes.RingShape
    | shapes.DiscShape
    | shapes.FlowerShape
    | shapes.TriangleShape
    | shapes.RhombusShape,
    frame: Frame,
) -> list[Tile]:
    """Return the tiles before the motion."""
    match shape:
        case TileReference():
            return [frame.resolve_place(shape)]
        case shapes.TilesShape(places):
            return [frame.resolve_place(place) for place in places]
        case shapes.BetweenShape(start, end):
            try:
                return hexes.lattice_line_between(frame.resolve_place(start), frame.resolve_place(end))
            except ValueError as trouble:
                raise ProgramError(str(trouble)) from None
        case shapes.RingShape(centre, radius):
            return hexes.lattice_ring(
                frame.resolve_place(centre), _check_size(frame.resolve_number(radius), 0)
            )
        case shapes.DiscShape(centre, radius):
            return hexes.lattice_disc(
                frame.resolve_place(centre), _check_size(frame.resolve_number(radius), 0)
            )
        case shapes.FlowerShape(centre):
            return hexes.lattice_ring(frame.resolve_place(centre), 1)
        case shapes.TriangleShape(corner, heading, side):
            return hexes.lattice_triangle(
                frame.resolve_place(corner), _check_heading(heading), _check_size(frame.resolve_number(side))
            )
        case shapes.RhombusShape(corner, heading, side, other):
            sides = (
                _check_size(frame.resolve_number(side)),
                None if other is None else _check_size(frame.resolve_number(other)),
            )
            return hexes.lattice_rhombus(frame.resolve_place(corner), _check_heading(heading), *sides)


def _line_tiles(
    frame: Frame,
    start: Tile,
    heading: str,
    length: int | shapes.LinearExpression | Stop,
    scene: EvaluationState,
) -> list[Tile]:
    if isinstance(length, int | shapes.LinearExpression):
        return [
            frame.motion(move_frame_tile(start, heading, count))
            for count in range(_check_size(frame.resolve_number(length)))
        ]
    found: list[Tile] = []
    while is_on_lattice(tile := frame.motion(move_frame_tile(start, heading, len(found)))):
        if found and evaluate_stop(length, tile, frame, scene):
            break
        found.append(tile)
    scene.runs.append(len(found))
    return found


def _band_tiles(frame: Frame, part: int, number: int) -> list[Tile]:
    """Return the row (part 0) or column (1) of that number, as long as the board in any motion."""
    back = frame.motion.inverse
    found = [(back(tile), tile) for tile in TILES]
    return [tile for before, tile in sorted(found) if before[part] == number]


def _moved_tiles(tiles: list[Tile], path: tuple[shapes.PathStep, ...], frame: Frame) -> list[Tile]:
    if not tiles:
        return []
    first = frame.walk_path(frame.motion.inverse(tiles[0]), path)
    return list(map(hexes.make_shift(tiles[0], frame.motion(first)), tiles))


def _check_size(number: int, least: int = 1) -> int:
    if not least <= number <= LONGEST:
        raise ProgramError(f"a size is {least} to {LONGEST}, not {number}")
    return number


def _check_heading(heading: str) -> str:
    if heading not in HEADINGS:
        raise ProgramError(f"a side cannot run {heading}: choose from {', '.join(HEADINGS)}")
    return heading


def _adjacent_tiles(tile: Tile) -> list[Tile]:
    return hexes.lattice_ring(tile, 1)


def evaluate_stop(stop: Stop, tile: Tile, frame: Frame, scene: EvaluationState) -> bool:
    """Whether something must stop before this tile of the board."""
    match stop:
        case shapes.StopAtEdge():
            return False
        case shapes.StopAtColour(colour):
            return scene.has_colour(tile, frame.resolve_seen_colour(colour))
        case shapes.StopAtShape(shape):
            return tile in evaluate_shape_tiles(shape, frame, scene)


def evaluate_condition(test: shapes.AnyCondition, tile: Tile, frame: Frame, scene: EvaluationState) -> bool:
    match test:
        case shapes.IsCondition(colour):
            return scene.has_colour(tile, frame.resolve_seen_colour(colour))
        case shapes.TouchingCondition(colour, low, high):
            seen = frame.resolve_seen_colour(colour)
            count = sum(scene.has_colour(near, seen) for near in neighbours(*check_lattice_tile(tile)))
            return low <= count and (high is None or count <= high)
        case shapes.BesideCondition(heading, colour):
            near = frame.motion(move_frame_tile(frame.motion.inverse(tile), heading, 1))
            return is_on_lattice(near) and scene.has_colour(near, frame.resolve_seen_colour(colour))
        case shapes.WithinCondition(shape):
            return tile in evaluate_shape_tiles(shape, frame, scene)
        case shapes.CompareCondition(what, sign, number):
            return evaluate_comparison(
                frame.motion.inverse(tile)[what == "column"], sign, frame.resolve_number(number)
            )
        case shapes.ParityCondition(what, odd):
            return frame.motion.inverse(tile)[what == "column"] % 2 == odd
        case shapes.NotCondition(inner):
            return not evaluate_condition(inner, tile, frame, scene)
        case shapes.AllCondition(tests):
            return all(evaluate_condition(part, tile, frame, scene) for part in tests)
        case shapes.SomeCondition(tests):
            return any(evaluate_condition(part, tile, frame, scene) for part in tests)


def evaluate_comparison(left: int, sign: str, right: int) -> bool:
    return left < right if sign == "<" else left > right if sign == ">" else left == right
