"""Interprets programs, and stops those that take too many steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from msgspec.structs import replace

from groundling.boards.hexes import (
    Board,
    Symmetry,
    Tile,
    is_on_lattice,
    lattice_ring,
    make_mirror,
    make_rotation,
)
from groundling.games.hexagons.program.evaluation import (
    EvaluationState,
    evaluate_comparison,
    evaluate_condition,
    evaluate_shape_tiles,
    evaluate_stop,
)
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import (
    LEAVE,
    IsCondition,
    LinearExpression,
    ProgramError,
    Shape,
    Stop,
    WholeShape,
)
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    CallStatement,
    ColourCycle,
    DefineStatement,
    GrowStatement,
    IfStatement,
    MirrorStatement,
    PaintStatement,
    Program,
    RecolourStatement,
    RepeatAxis,
    RepeatStatement,
    RotateStatement,
    TurnStatement,
)
from groundling.games.hexagons.program.trace_result import Action, ProgramStroke, ProgramTrace

MOST_COPIES = 200
DEEPEST = 40
"""The limit for nested calls."""


def run_program(program: Program, board: Board | None = None) -> Board:
    """Return the board after the program. Tiles off the board are clipped."""
    return interpret_program(program, board).board


def interpret_actions(program: Program, board: Board | None = None) -> list[Action]:
    """Return the painted tiles with their colours, in order."""
    return interpret_program(program, board).all_actions


def interpret_program(program: Program, board: Board | None = None) -> ProgramTrace:
    """Return the board after the program, and its strokes."""
    start = board or Board.empty()
    machine = _Interpreter(start.painted_tiles())
    try:
        machine.run_block(program.statements, Frame())
    except RecursionError:
        raise ProgramError("the program is nested too deeply") from None
    return ProgramTrace(Board.from_tiles(machine.painted), tuple(machine.strokes), tuple(machine.runs))


class _Interpreter(EvaluationState):
    def __init__(self, painted: Mapping[Tile, str]) -> None:
        super().__init__(painted)
        self.strokes: list[ProgramStroke] = []

    def evaluate_shape(self, shape: Shape, frame: Frame) -> list[Tile]:
        return evaluate_shape_tiles(shape, frame, self)

    def paint_stroke(self, tiles: Iterable[Tile], colours: Iterable[str]) -> None:
        pairs = list(zip(tiles, colours, strict=True))
        done = [(tile, colour) for tile, colour in pairs if is_on_lattice(tile) and colour != LEAVE]
        for tile, colour in done:
            if colour == "white":
                self.painted.pop(tile, None)
            else:
                self.painted[tile] = colour
        kept = tuple(tile for tile, colour in pairs if colour != LEAVE)
        self.strokes.append(ProgramStroke(kept, tuple((*tile, colour) for tile, colour in done)))

    def run_block(self, statements: Iterable[AnyStatement], frame: Frame) -> None:
        for statement in statements:
            if isinstance(statement, DefineStatement):
                frame = replace(frame, defined={**frame.defined, statement.name: statement})
            else:
                self.run_statement(statement, frame)

    def run_statement(self, statement: AnyStatement, frame: Frame) -> None:
        self.count_steps()
        match statement:
            case PaintStatement(colours, shape):
                tiles = self.evaluate_shape(shape, frame)
                meant = [frame.resolve_colour(colour) for colour in colours]
                self.paint_stroke(tiles, (meant[n % len(meant)] for n in range(len(tiles))))
            case AtStatement(shape, body, cycles):
                back = frame.motion.inverse
                for n, tile in enumerate(self.evaluate_shape(shape, frame)):
                    self.run_block(
                        body, replace(frame, here=back(tile)).with_names(_cycle_colours(cycles, n, frame))
                    )
            case RepeatStatement():
                self.run_repeat(statement, frame)
            case TurnStatement(sixths, body):
                self.run_block(
                    body, frame.with_motion(make_rotation([frame.here], frame.resolve_number(sixths)))
                )
            case MirrorStatement(axis, about, body, cycles, source):
                motion = _checked_symmetry(lambda: make_mirror(map(frame.resolve_place, about), axis))
                self.draw_copies([Symmetry(), motion], body, cycles, source, frame)
            case RotateStatement(times, about, body, cycles, source):
                once = _checked_symmetry(lambda: make_rotation(map(frame.resolve_place, about), 6 // times))
                motions = [Symmetry()]
                for _ in range(times - 1):
                    motions.append(motions[-1].followed_by(once))
                self.draw_copies(motions, body, cycles, source, frame)
            case RecolourStatement(colours, body, source):
                self.run_recolour(colours, body, source, frame)
            case GrowStatement():
                self.run_grow(statement, frame)
            case CallStatement(name, arguments):
                self.run_call(name, arguments, frame)
            case IfStatement(left, sign, right, body):
                if evaluate_comparison(frame.resolve_number(left), sign, frame.resolve_number(right)):
                    self.run_block(body, frame)
            case DefineStatement():
                raise AssertionError("definitions are taken by the block they stand in")

    def run_repeat(self, loop: RepeatStatement, frame: Frame) -> None:
        """Draw copies along one axis, or over the lattice of several. Only one axis can have an `until`."""
        stopping = [axis for axis in loop.axes if not isinstance(axis.times, int | LinearExpression)]
        if len(stopping) > 1:
            raise ProgramError("only one axis of a repeat can have an until")
        spans = [range(self.repeat_times(axis, frame)) for axis in loop.axes if axis not in stopping]
        for places in product(*spans):
            counts = list(places)
            if not stopping:
                self.draw_copy(loop, counts, frame)
                continue
            stop, slot = stopping[0].times, loop.axes.index(stopping[0])
            assert not isinstance(stop, int | LinearExpression)
            for n in range(MOST_COPIES + 1):
                if n == MOST_COPIES:
                    raise ProgramError(f"the repeat does not end: stopped after {MOST_COPIES} copies")
                counts = [*places[:slot], n, *places[slot:]]
                if not self.draw_fitting_copy(loop, counts, stop, frame):
                    self.runs.append(n)
                    break

    def repeat_times(self, axis: RepeatAxis, frame: Frame) -> int:
        assert isinstance(axis.times, int | LinearExpression)
        times = frame.resolve_number(axis.times)
        if times > MOST_COPIES:
            raise ProgramError(f"a repeat makes at most {MOST_COPIES} copies, not {times}")
        return times

    def draw_copy(self, loop: RepeatStatement, counts: list[int], frame: Frame) -> None:
        here = frame.here
        for axis, count in zip(loop.axes, counts, strict=True):
            here = frame.walk_path(here, axis.path, count)
        total = sum(counts)
        names = _cycle_colours(loop.cycles, total, frame)
        if loop.counter:
            names[loop.counter] = loop.first + loop.grows * total
        self.run_block(loop.body, frame.shifted_to(here).with_names(names))

    def draw_fitting_copy(self, loop: RepeatStatement, counts: list[int], stop: Stop, frame: Frame) -> bool:
        """Draw a copy if it lies on the board and meets nothing that stops it."""
        before, number = EvaluationState(self.painted), len(self.strokes)
        self.draw_copy(loop, counts, frame)
        tiles = [tile for stroke in self.strokes[number:] for tile in stroke.tiles]
        if tiles and all(
            is_on_lattice(tile) and not evaluate_stop(stop, tile, frame, before) for tile in tiles
        ):
            return True
        self.painted = before.painted
        del self.strokes[number:]
        return False

    def draw_copies(
        self,
        motions: list[Symmetry],
        body: tuple[AnyStatement, ...],
        cycles: tuple[ColourCycle, ...],
        source: Shape | None,
        frame: Frame,
    ) -> None:
        if body:
            for n, motion in enumerate(motions):
                self.run_block(body, frame.with_motion(motion).with_names(_cycle_colours(cycles, n, frame)))
            return
        seen = [
            (tile, self.painted[tile])
            for tile in self.evaluate_shape(source or WholeShape(), frame)
            if tile in self.painted
        ]
        for motion in motions[1:]:
            world = frame.motion.inverse.followed_by(motion).followed_by(frame.motion)
            self.paint_stroke([world(tile) for tile, _ in seen], [colour for _, colour in seen])

    def run_recolour(
        self,
        colours: tuple[tuple[str, str], ...],
        body: tuple[AnyStatement, ...],
        source: Shape | None,
        frame: Frame,
    ) -> None:
        if body:
            self.run_block(
                body,
                frame.with_exchange(
                    {frame.resolve_name(old): frame.resolve_name(new) for old, new in colours}
                ),
            )
            return
        exchange = {frame.resolve_colour(old): frame.resolve_colour(new) for old, new in colours}
        tiles = [
            tile
            for tile in self.evaluate_shape(source or WholeShape(), frame)
            if self.painted.get(tile, "white") in exchange
        ]
        self.paint_stroke(tiles, [exchange[self.painted.get(tile, "white")] for tile in tiles])

    def run_grow(self, growth: GrowStatement, frame: Frame) -> None:
        grown = dict.fromkeys(tile for tile in self.evaluate_shape(growth.seed, frame) if is_on_lattice(tile))
        test = growth.test or IsCondition("white")
        for n in range(frame.resolve_number(growth.times)):
            near = dict.fromkeys(
                tile for old in grown for tile in lattice_ring(old, 1) if is_on_lattice(tile)
            )
            self.count_steps(len(near) + 1)
            new = [tile for tile in near if tile not in grown and tile not in self.painted]
            new = [tile for tile in new if evaluate_condition(test, tile, frame, self)]
            colour = frame.resolve_colour(growth.colours[n % len(growth.colours)])
            self.paint_stroke(new, [colour] * len(new))
            grown |= dict.fromkeys(new)

    def run_call(self, name: str, arguments: tuple[int | LinearExpression | str, ...], frame: Frame) -> None:
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
            else frame.resolve_number(argument)
            for parameter, argument in zip(found.parameters, arguments, strict=True)
        }
        self.run_block(found.body, replace(frame, names=values, depth=frame.depth + 1))


def _checked_symmetry(make: Callable[[], Symmetry]) -> Symmetry:
    try:
        return make()
    except ValueError as trouble:
        raise ProgramError(str(trouble)) from None


def _cycle_colours(cycles: tuple[ColourCycle, ...], number: int, frame: Frame) -> dict[str, int | str]:
    """Return the current colour of each cycle. A cycle may contain names of outer cycles."""
    return {
        cycle.name: frame.names.get(colour, colour)
        for cycle in cycles
        for colour in [cycle.colours[number % len(cycle.colours)]]
    }
