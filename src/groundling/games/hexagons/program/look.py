"""Evaluates shapes to tiles, and conditions on a tile."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.boards import hexes
from groundling.boards.hexes import HEADINGS, TILES, Tile, check, neighbours, on_board
from groundling.games.hexagons.program.frame import Frame, move
from groundling.games.hexagons.program.shapes import (
    All,
    AnyTest,
    Around,
    Beside,
    Between,
    Border,
    Column,
    Compare,
    Count,
    Disc,
    Edge,
    Flower,
    Is,
    Joined,
    Line,
    Met,
    Not,
    Outline,
    Parity,
    Place,
    ProgramError,
    Reached,
    Rhombus,
    Ring,
    Row,
    Shape,
    Some,
    Stop,
    Tiles,
    Touching,
    Triangle,
    Where,
    Whole,
    Within,
)

LONGEST = 40
"""The limit for lengths and radii; the board is 18 tiles wide."""
MOST_STEPS = 100_000
"""The limit for evaluated tiles and statements, after which a program counts as endless."""


class Scene:
    """The painted tiles, and the number of steps so far."""

    def __init__(self, painted: Mapping[Tile, str]) -> None:
        self.painted = dict(painted)
        """The colours of all tiles that are not white."""
        self.steps = 0
        self.runs: list[int] = []
        """The length of each `until`: tiles of a line, copies of a repeat."""

    def count(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise ProgramError(f"the program does not end: stopped after {MOST_STEPS} steps")

    def has(self, tile: Tile, colour: str) -> bool:
        return tile in self.painted if colour == "painted" else self.painted.get(tile, "white") == colour


def tiles_of(shape: Shape, frame: Frame, scene: Scene) -> list[Tile]:
    """Return the tiles of a shape on and off the board, in order."""
    tiles = _tiles(shape, frame, scene)
    scene.count(1 + len(tiles))
    return tiles


def _tiles(shape: Shape, frame: Frame, scene: Scene) -> list[Tile]:
    match shape:
        case Line(start, heading, length):
            return _line(frame, frame.place(start), heading, length, scene)
        case Column(number):
            return _band(frame, 1, frame.number(number))
        case Row(number):
            return _band(frame, 0, frame.number(number))
        case Whole():
            return list(TILES)
        case Border():
            return [tile for tile in TILES if len(neighbours(*tile)) < 6]
        case Outline(inner):
            tiles = tiles_of(inner, frame, scene)
            inside = set(tiles)
            return [tile for tile in tiles if not inside.issuperset(_near(tile))]
        case Around(inner):
            tiles = tiles_of(inner, frame, scene)
            inside = set(tiles)
            return list(dict.fromkeys(near for tile in tiles for near in _near(tile) if near not in inside))
        case Joined(shapes):
            return list(dict.fromkeys(tile for part in shapes for tile in tiles_of(part, frame, scene)))
        case Where(inner, test):
            return [
                tile
                for tile in tiles_of(inner, frame, scene)
                if on_board(tile) and holds(test, tile, frame, scene)
            ]
        case _:
            return [frame.motion(tile) for tile in _figure(shape, frame)]


def _figure(
    shape: Place | Tiles | Between | Ring | Disc | Flower | Triangle | Rhombus, frame: Frame
) -> list[Tile]:
    """Return the tiles before the motion."""
    match shape:
        case Place():
            return [frame.place(shape)]
        case Tiles(places):
            return [frame.place(place) for place in places]
        case Between(start, end):
            try:
                return hexes.line_between(frame.place(start), frame.place(end))
            except ValueError as trouble:
                raise ProgramError(str(trouble)) from None
        case Ring(centre, radius):
            return hexes.ring(frame.place(centre), _size(frame.number(radius), 0))
        case Disc(centre, radius):
            return hexes.disc(frame.place(centre), _size(frame.number(radius), 0))
        case Flower(centre):
            return hexes.ring(frame.place(centre), 1)
        case Triangle(corner, heading, side):
            return hexes.triangle(frame.place(corner), _straight(heading), _size(frame.number(side)))
        case Rhombus(corner, heading, side, other):
            sides = _size(frame.number(side)), None if other is None else _size(frame.number(other))
            return hexes.rhombus(frame.place(corner), _straight(heading), *sides)


def _line(frame: Frame, start: Tile, heading: str, length: int | Count | Stop, scene: Scene) -> list[Tile]:
    if isinstance(length, int | Count):
        return [frame.motion(move(start, heading, count)) for count in range(_size(frame.number(length)))]
    found: list[Tile] = []
    while on_board(tile := frame.motion(move(start, heading, len(found)))):
        if found and stops(length, tile, frame, scene):
            break
        found.append(tile)
    scene.runs.append(len(found))
    return found


def _band(frame: Frame, part: int, number: int) -> list[Tile]:
    """Return the row (part 0) or column (1) of that number, as long as the board in any motion."""
    back = frame.motion.inverse
    found = [(back(tile), tile) for tile in TILES]
    return [tile for before, tile in sorted(found) if before[part] == number]


def _size(number: int, least: int = 1) -> int:
    if not least <= number <= LONGEST:
        raise ProgramError(f"a size is {least} to {LONGEST}, not {number}")
    return number


def _straight(heading: str) -> str:
    if heading not in HEADINGS:
        raise ProgramError(f"a side cannot run {heading}: choose from {', '.join(HEADINGS)}")
    return heading


def _near(tile: Tile) -> list[Tile]:
    return hexes.ring(tile, 1)


def stops(stop: Stop, tile: Tile, frame: Frame, scene: Scene) -> bool:
    """Whether something must stop before this tile of the board."""
    match stop:
        case Edge():
            return False
        case Met(colour):
            return scene.has(tile, frame.seen(colour))
        case Reached(shape):
            return tile in tiles_of(shape, frame, scene)


def holds(test: AnyTest, tile: Tile, frame: Frame, scene: Scene) -> bool:
    match test:
        case Is(colour):
            return scene.has(tile, frame.seen(colour))
        case Touching(colour, low, high):
            seen = frame.seen(colour)
            count = sum(scene.has(near, seen) for near in neighbours(*check(tile)))
            return low <= count and (high is None or count <= high)
        case Beside(heading, colour):
            near = frame.motion(move(frame.motion.inverse(tile), heading, 1))
            return on_board(near) and scene.has(near, frame.seen(colour))
        case Within(shape):
            return tile in tiles_of(shape, frame, scene)
        case Compare(what, sign, number):
            return compare(frame.motion.inverse(tile)[what == "column"], sign, frame.number(number))
        case Parity(what, odd):
            return frame.motion.inverse(tile)[what == "column"] % 2 == odd
        case Not(inner):
            return not holds(inner, tile, frame, scene)
        case All(tests):
            return all(holds(part, tile, frame, scene) for part in tests)
        case Some(tests):
            return any(holds(part, tile, frame, scene) for part in tests)


def compare(left: int, sign: str, right: int) -> bool:
    return left < right if sign == "<" else left > right if sign == ">" else left == right
