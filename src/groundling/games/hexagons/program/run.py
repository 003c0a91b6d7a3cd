"""Interprets programs, and stops those that take too many steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from msgspec.structs import replace

from groundling.boards.hexes import Board, Symmetry, Tile, mirror, on_board, ring, rotation
from groundling.games.hexagons.program.drawn import Action, Drawn, Stroke
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.look import Scene, compare, holds, stops, tiles_of
from groundling.games.hexagons.program.shapes import LEAVE, Count, Is, ProgramError, Shape, Stop, Whole
from groundling.games.hexagons.program.values import (
    AnyStatement,
    At,
    Axis,
    Call,
    Cycle,
    Define,
    Grow,
    If,
    Mirror,
    Paint,
    Program,
    Recolour,
    Repeat,
    Rotate,
    Turn,
)

MOST_COPIES = 200
DEEPEST = 40
"""The limit for nested calls."""


def run(program: Program, board: Board | None = None) -> Board:
    """Return the board after the program. Tiles off the board are clipped."""
    return trace(program, board).board


def actions(program: Program, board: Board | None = None) -> list[Action]:
    """Return the painted tiles with their colours, in order."""
    return trace(program, board).actions


def trace(program: Program, board: Board | None = None) -> Drawn:
    """Return the board after the program, and its strokes."""
    start = board or Board.empty()
    machine = _Machine(start.painted())
    try:
        machine.block(program.statements, Frame())
    except RecursionError:
        raise ProgramError("the program is nested too deeply") from None
    return Drawn(Board.of(machine.painted), tuple(machine.strokes), tuple(machine.runs))


class _Machine(Scene):
    def __init__(self, painted: Mapping[Tile, str]) -> None:
        super().__init__(painted)
        self.strokes: list[Stroke] = []

    def tiles(self, shape: Shape, frame: Frame) -> list[Tile]:
        return tiles_of(shape, frame, self)

    def stroke(self, tiles: Iterable[Tile], colours: Iterable[str]) -> None:
        pairs = list(zip(tiles, colours, strict=True))
        done = [(tile, colour) for tile, colour in pairs if on_board(tile) and colour != LEAVE]
        for tile, colour in done:
            if colour == "white":
                self.painted.pop(tile, None)
            else:
                self.painted[tile] = colour
        kept = tuple(tile for tile, colour in pairs if colour != LEAVE)
        self.strokes.append(Stroke(kept, tuple((*tile, colour) for tile, colour in done)))

    def block(self, statements: Iterable[AnyStatement], frame: Frame) -> None:
        for statement in statements:
            if isinstance(statement, Define):
                frame = replace(frame, defined={**frame.defined, statement.name: statement})
            else:
                self.statement(statement, frame)

    def statement(self, statement: AnyStatement, frame: Frame) -> None:
        self.count()
        match statement:
            case Paint(colours, shape):
                tiles = self.tiles(shape, frame)
                meant = [frame.colour(colour) for colour in colours]
                self.stroke(tiles, (meant[n % len(meant)] for n in range(len(tiles))))
            case At(shape, body, cycles):
                back = frame.motion.inverse
                for n, tile in enumerate(self.tiles(shape, frame)):
                    self.block(body, replace(frame, here=back(tile)).with_names(_turns(cycles, n, frame)))
            case Repeat():
                self.repeat(statement, frame)
            case Turn(sixths, body):
                self.block(body, frame.moved(rotation([frame.here], frame.number(sixths))))
            case Mirror(axis, about, body, cycles, source):
                motion = _checked(lambda: mirror(map(frame.place, about), axis))
                self.copies([Symmetry(), motion], body, cycles, source, frame)
            case Rotate(times, about, body, cycles, source):
                once = _checked(lambda: rotation(map(frame.place, about), 6 // times))
                motions = [Symmetry()]
                for _ in range(times - 1):
                    motions.append(motions[-1].then(once))
                self.copies(motions, body, cycles, source, frame)
            case Recolour(colours, body, source):
                self.recolour(colours, body, source, frame)
            case Grow():
                self.grow(statement, frame)
            case Call(name, arguments):
                self.call(name, arguments, frame)
            case If(left, sign, right, body):
                if compare(frame.number(left), sign, frame.number(right)):
                    self.block(body, frame)
            case Define():
                raise AssertionError("definitions are taken by the block they stand in")

    def repeat(self, loop: Repeat, frame: Frame) -> None:
        """Draw copies along one axis, or over the lattice of several. Only one axis can have an `until`."""
        stopping = [axis for axis in loop.axes if not isinstance(axis.times, int | Count)]
        if len(stopping) > 1:
            raise ProgramError("only one axis of a repeat can have an until")
        spans = [range(self.times(axis, frame)) for axis in loop.axes if axis not in stopping]
        for places in product(*spans):
            counts = list(places)
            if not stopping:
                self.copy(loop, counts, frame)
                continue
            stop, slot = stopping[0].times, loop.axes.index(stopping[0])
            assert not isinstance(stop, int | Count)
            for n in range(MOST_COPIES + 1):
                if n == MOST_COPIES:
                    raise ProgramError(f"the repeat does not end: stopped after {MOST_COPIES} copies")
                counts = [*places[:slot], n, *places[slot:]]
                if not self.fits(loop, counts, stop, frame):
                    self.runs.append(n)
                    break

    def times(self, axis: Axis, frame: Frame) -> int:
        assert isinstance(axis.times, int | Count)
        times = frame.number(axis.times)
        if times > MOST_COPIES:
            raise ProgramError(f"a repeat makes at most {MOST_COPIES} copies, not {times}")
        return times

    def copy(self, loop: Repeat, counts: list[int], frame: Frame) -> None:
        here = frame.here
        for axis, count in zip(loop.axes, counts, strict=True):
            here = frame.walk(here, axis.path, count)
        total = sum(counts)
        names = _turns(loop.cycles, total, frame)
        if loop.counter:
            names[loop.counter] = loop.first + loop.grows * total
        self.block(loop.body, frame.carried(here).with_names(names))

    def fits(self, loop: Repeat, counts: list[int], stop: Stop, frame: Frame) -> bool:
        """Draw a copy if it lies on the board and meets nothing that stops it."""
        before, number = Scene(self.painted), len(self.strokes)
        self.copy(loop, counts, frame)
        tiles = [tile for stroke in self.strokes[number:] for tile in stroke.tiles]
        if tiles and all(on_board(tile) and not stops(stop, tile, frame, before) for tile in tiles):
            return True
        self.painted = before.painted
        del self.strokes[number:]
        return False

    def copies(
        self,
        motions: list[Symmetry],
        body: tuple[AnyStatement, ...],
        cycles: tuple[Cycle, ...],
        source: Shape | None,
        frame: Frame,
    ) -> None:
        if body:
            for n, motion in enumerate(motions):
                self.block(body, frame.moved(motion).with_names(_turns(cycles, n, frame)))
            return
        seen = [
            (tile, self.painted[tile])
            for tile in self.tiles(source or Whole(), frame)
            if tile in self.painted
        ]
        for motion in motions[1:]:
            world = frame.motion.inverse.then(motion).then(frame.motion)
            self.stroke([world(tile) for tile, _ in seen], [colour for _, colour in seen])

    def recolour(
        self,
        colours: tuple[tuple[str, str], ...],
        body: tuple[AnyStatement, ...],
        source: Shape | None,
        frame: Frame,
    ) -> None:
        if body:
            self.block(body, frame.recolour({frame.plain(old): frame.plain(new) for old, new in colours}))
            return
        exchange = {frame.colour(old): frame.colour(new) for old, new in colours}
        tiles = [
            tile
            for tile in self.tiles(source or Whole(), frame)
            if self.painted.get(tile, "white") in exchange
        ]
        self.stroke(tiles, [exchange[self.painted.get(tile, "white")] for tile in tiles])

    def grow(self, growth: Grow, frame: Frame) -> None:
        grown = dict.fromkeys(tile for tile in self.tiles(growth.seed, frame) if on_board(tile))
        test = growth.test or Is("white")
        for n in range(frame.number(growth.times)):
            near = dict.fromkeys(tile for old in grown for tile in ring(old, 1) if on_board(tile))
            self.count(len(near) + 1)
            new = [tile for tile in near if tile not in grown and tile not in self.painted]
            new = [tile for tile in new if holds(test, tile, frame, self)]
            colour = frame.colour(growth.colours[n % len(growth.colours)])
            self.stroke(new, [colour] * len(new))
            grown |= dict.fromkeys(new)

    def call(self, name: str, arguments: tuple[int | Count | str, ...], frame: Frame) -> None:
        found = frame.defined.get(name)
        if not found:
            raise ProgramError(f"nothing called {name!r} was defined above")
        if len(arguments) != len(found.parameters):
            raise ProgramError(f"{name} takes {len(found.parameters)} arguments, not {len(arguments)}")
        if frame.depth >= DEEPEST:
            raise ProgramError(
                f"the program does not end: {name} calls itself more than {DEEPEST} times deep"
            )
        values = {
            parameter: frame.names.get(argument, argument)
            if isinstance(argument, str)
            else frame.number(argument)
            for parameter, argument in zip(found.parameters, arguments, strict=True)
        }
        self.block(found.body, replace(frame, names=values, depth=frame.depth + 1))


def _checked(make: Callable[[], Symmetry]) -> Symmetry:
    try:
        return make()
    except ValueError as trouble:
        raise ProgramError(str(trouble)) from None


def _turns(cycles: tuple[Cycle, ...], number: int, frame: Frame) -> dict[str, int | str]:
    """Return the current colour of each cycle. A cycle may contain names of outer cycles."""
    return {
        cycle.name: frame.names.get(colour, colour)
        for cycle in cycles
        for colour in [cycle.colours[number % len(cycle.colours)]]
    }
