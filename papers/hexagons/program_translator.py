"""Runs programs that people wrote for HEXAGONS, and writes what they do in the drawing language.

Every call that paints becomes a statement of ours: by the shape that it names where that paints the same
tiles, else by a figure that has these tiles, else by the shortest statements that are found for them. A copy
that is painted over at once becomes one statement."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, Board, Tile, enclosed_tiles, is_on_lattice
from groundling.games.hexagons.neural.notation import changed_notation_tiles
from groundling.games.hexagons.neural.procedures import BLANK
from groundling.games.hexagons.program import ProgramError, format_program, parse_statements, run_program
from groundling.games.hexagons.program.evaluation import EvaluationState, evaluate_shape_tiles
from groundling.games.hexagons.program.formatting import format_shape
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import TilesShape
from groundling.games.hexagons.program.statements import PaintStatement
from groundling.games.hexagons.program.synthesis import synthesize_program

FOLDER = "gold_programs"
AXES = ("vertical", "horizontal", "rising", "falling", "steep-rising", "steep-falling")
MAKES = ("neighbors", "get", "__add__", "__sub__", "__mul__", "get_color", "get_column", "get_entire_board")
"""Calls that return a shape which can be named; single tiles are named by their place."""
PAINTS = ("draw", "copy_paste", "grid", "reflect", "rotate", "recolor")
STEP = "_begin_step"


def heading_of(direction: str) -> str:
    return direction.replace("_", "-")


class ProgramTranslator:
    """Runs people's programs and writes down what they paint."""

    def __init__(self, folder: Path) -> None:
        self.library = _import_library(folder)
        self.named, self.unnamed, self.idle = Counter[str](), Counter[str](), Counter[str]()
        self._depth = 0
        self._painted: dict[Tile, str] = {}
        self._steps: list[tuple[int, list[str], str]] = []
        self._cells = BLANK
        self._said: dict[int, tuple[Any, str]] = {}
        self._copied: tuple[Any, str, list[str], int, str] | None = None
        """A copy, its name, the statements of its step, how many came before it, and the board then."""
        library = self.library
        self._wrap(library._Hexagon, "_draw", self._note_tile, always=True)
        for kind in (library.Line, library.Circle, library.Triangle):
            self._wrap(kind, "__init__", self._name_new)
        for name in MAKES:
            self._wrap(library.Shape, name, self._name_made)
        for name in PAINTS:
            for kind in (library.Shape, library.Line, library.Circle, library.Triangle):
                if name in vars(kind):
                    self._wrap(kind, name, self._write_statement)
        library.Game.plot = lambda *given, **named: None

    def translate(self, source: str) -> Iterator[tuple[int, str, str]]:
        """Each step's number, statements, and board; up to where a program fails."""
        self._steps, self._cells = [], BLANK
        self._said.clear()
        names = {STEP: self._begin_step, "__name__": "program"}
        try:
            exec(compile(mark_program_steps(source), "program", "exec"), names)
        except Exception as trouble:  # a program of the data may fail in any way
            print(f"stopped after step {len(self._steps)}: {trouble}", file=sys.stderr)
        for number, statements, cells in self._steps:
            yield number, "\n".join(statements), cells

    def _begin_step(self, number: int) -> None:
        self._steps.append((number, [], self._cells))

    def _wrap(self, kind: Any, name: str, after: Callable[..., None], *, always: bool = False) -> None:
        """Call `after` with the name, what the call returned or made, and what it was given."""
        original = getattr(kind, name)

        @wraps(original)
        def call(*given: Any, **named: Any) -> Any:
            outermost = self._depth == 0
            if outermost and not always:
                self._painted = {}
            self._depth += not always
            try:
                found = original(*given, **named)
            finally:
                self._depth -= not always
            if always or outermost:
                after(name, given[0] if name == "__init__" else found, given, named)
            return found

        setattr(kind, name, call)

    def _note_tile(self, _: str, hexagon: Any, given: Sequence[Any], named: dict[str, Any]) -> None:
        colour = given[1] if len(given) > 1 else named["color"]
        if hexagon._lind is not None:
            place = int(hexagon._row), int(hexagon._column)
            self._painted.pop(place, None)
            self._painted[place] = colour if isinstance(colour, str) else COLOURS[colour]

    def _name_new(self, _: str, shape: Any, given: Sequence[Any], named: dict[str, Any]) -> None:
        tiles, kind = _tiles(shape), type(shape).__name__
        if not tiles:
            return
        row, column = tiles[0]
        texts = []
        if kind == "Line":
            texts = [f"line {row},{column} {heading_of(shape.direction)} {len(tiles)}"]
        elif kind == "Circle":
            centre, radius = [*given[1:], *named.values(), 1][:2]
            (place,) = _tiles(centre) or [(0, 0)]
            texts = [f"ring {place[0]},{place[1]} {radius}"]
        elif kind == "Triangle":
            side = named.get("side_length", 2)
            texts = [
                f"{rim}(triangle {at[0]},{at[1]} {heading} {side})"
                for rim in ("outline ", "")
                for at in tiles
                for heading in ("up", "up-right", "down-right", "down", "down-left", "up-left")
            ]
        self._name(shape, texts)

    def _name_made(self, name: str, shape: Any, given: Sequence[Any], named: dict[str, Any]) -> None:
        said = [self._named(one) for one in given if hasattr(one, "_hexagons")]
        asked = next((str(one) for one in [*given, *named.values()] if isinstance(one, str | int)), "all")
        own = said[0] if said else ""
        texts = {
            "neighbors": _name_neighbours(own, asked),
            "get": [f"inside ({own})", f"line ({own} {_ABOVE.get(asked)} 1) {_ABOVE.get(asked)} until edge"],
            "get_color": ["board where painted" if asked in ("all", "any") else f"board where {asked}"],
            "get_column": [f"column {asked}"],
            "get_entire_board": ["board"],
            "__add__": [" plus ".join(f"({one})" for one in said)],
            "__sub__": [f"({own}) where not in ({said[-1]})"] if said else [],
            "__mul__": [f"({own}) where in ({said[-1]})"] if said else [],
        }[name]
        self._name(shape, texts)

    def _name(self, shape: Any, texts: Sequence[str]) -> None:
        """Keep the first name that means the tiles of the shape, on the board as it is."""
        if found := next((text for text in texts if self._means(text, shape)), ""):
            self._said[id(shape)] = shape, found

    def _means(self, text: str, shape: Any) -> bool:
        return _shape_tiles(text, self._cells) == set(_tiles(shape))

    def _find_name(self, shape: Any) -> str:
        """A name that holds on the board as it is, a single figure in place of one that is put together;
        empty if there is none but the list of the tiles."""
        kept, tiles = self._said.get(id(shape)), _tiles(shape)
        said = kept[1] if kept is not None and kept[0] is shape and self._means(kept[1], shape) else ""
        if said and not re.search(r"moved [^()]*$|plus", said):
            return said
        if figure := _name_figure(tiles):
            return figure
        middle = enclosed_tiles(tiles)
        around = f"around ({_name_figure(middle) or _list_places(middle)})"
        return around if middle and self._means(around, shape) else said

    def _named(self, shape: Any) -> str:
        return self._find_name(shape) or _list_places(_tiles(shape))

    def _write_statement(self, name: str, made: Any, given: Sequence[Any], named: dict[str, Any]) -> None:
        if not self._steps:
            self._begin_step(0)
        number, statements, _ = self._steps[-1]
        before, texts = (
            self._cells,
            self._propose_statements(name, made, [*given[1:], *named.values()], given[0]),
        )
        moved = (
            f"({self._named(given[0])}) moved {_shift_path(given[0], made)}" if name == "copy_paste" else ""
        )
        self._cells = _paint(before, self._painted)
        found = next((text for text in texts if run_statements(text, before) == self._cells), None)
        counted = self.named if found is not None else self.idle if self._cells == before else self.unnamed
        counted[name] += 1
        if not self._paint_copy(name, given[0], statements):
            self._copied = (made, moved, statements, len(statements), before) if moved else None
            if found is None and self._cells != before:
                changed = changed_notation_tiles(before, self._cells)
                found = format_program(synthesize_program(changed)).rstrip("\n")
            statements += [] if found is None else [found]
        if moved:
            self._name(made, [moved])
        self._steps[-1] = number, statements, self._cells

    def _paint_copy(self, name: str, shape: Any, statements: list[str]) -> bool:
        """Whether a copy that was just made is painted over: both calls become one statement."""
        if name != "draw" or self._copied is None:
            return False
        copy, moved, those, place, before = self._copied
        colour = next(iter(self._painted.values()), "white")
        text = f"paint {colour} {moved}"
        if copy is not shape or those is not statements or run_statements(text, before) != self._cells:
            return False
        statements[place:] = [text]
        return True

    def _propose_statements(self, name: str, made: Any, given: Sequence[Any], shape: Any) -> list[str]:
        """Statements that may mean what the call does."""
        said = self._named(shape)
        if name == "draw":
            known = len(_tiles(shape)) == 1 or self._find_name(shape)
            return [f"paint {colour} {said}" for colour in dict.fromkeys(self._painted.values()) if known]
        if name == "recolor":
            pairs = ", ".join(f"{old} to {new}" for old, new in given[0].items())
            return [f"recolour {pairs} of ({said})"]
        if name == "reflect":
            tiles = [tile for one in given if hasattr(one, "_hexagons") for tile in _tiles(one)[:1]]
            tiles += [(ROWS // 2, one % (COLUMNS + 1)) for one in given if isinstance(one, int)]
            return [
                f"mirror {axis} about {row},{column} of ({said})" for axis in AXES for row, column in tiles
            ]
        if name == "copy_paste":
            path = _shift_path(shape, made)
            colours = dict.fromkeys(self._painted.values())
            return [
                *(f"paint {colour} ({said}) moved {path}" for colour in colours),
                f"repeat 2 {path}:\n{self._paint_again(shape)}",
            ]
        if name == "grid":
            heading = heading_of(next(one for one in given if isinstance(one, str)))
            steps = ((times, apart) for times in range(2, COLUMNS + 1) for apart in range(1, ROWS))
            body = self._paint_again(shape)
            return [f"repeat {times} {heading} {apart}:\n{body}" for times, apart in steps]
        return []

    def _paint_again(self, shape: Any) -> str:
        """Indented statements that paint a shape as it is on the board."""
        known, parts = Board(self._cells).painted_tiles(), dict[str, list[Tile]]()
        for tile in sorted(_tiles(shape)):
            parts.setdefault(known.get(tile, "white"), []).append(tile)
        if len(parts) == 1:
            return f"    paint {next(iter(parts))} {self._named(shape)}"
        return "\n".join(f"    paint {colour} {_list_places(tiles)}" for colour, tiles in parts.items())


_ABOVE = {"above": "up", "below": "down"}


def _name_neighbours(shape: str, asked: str) -> list[str]:
    """Names of the neighbours of a shape: all, those of a colour, those in a direction, inside or outside."""
    around = f"around ({shape})"
    if asked in ("all", "white", *COLOURS):
        where = {"all": "", "white": " where not painted"}.get(asked, f" where {asked}")
        return [f"{around}{where}", f"flower {shape}{where}"]
    if asked == "inside":
        return [f"inside ({shape})", f"{around} where in (inside ({shape}))"]
    if asked == "outside":
        return [f"{around} where not in (inside ({shape}))"]
    moved = f"({shape}) moved {_ABOVE.get(asked) or heading_of(asked)} 1"
    return [moved, f"{moved} where not in ({shape})"]


def _name_figure(tiles: Sequence[Tile]) -> str:
    """The single figure that has these tiles, or the place of a tile; empty if there is none."""
    match synthesize_program(dict.fromkeys(tiles, "red")).statements:
        case (PaintStatement(_, shape),) if not isinstance(shape, TilesShape):
            return format_shape(shape)
    return ""


def _list_places(tiles: Iterable[Tile]) -> str:
    return " ".join(f"{row},{column}" for row, column in sorted(tiles))


def _shift_path(shape: Any, copy: Any) -> str:
    """How far the copy is from the shape: along the row where that is the same for all tiles."""
    (q, r, _), (other_q, other_r, _) = (one._hexagons[0]._cube for one in (shape, copy))
    across, down = other_q - q, other_r - r
    ways = [("down-right", "up-left", across), ("down", "up", down)]
    if across % 2 == 0:
        ways = [("right", "left", across), ("down", "up", down + across // 2)]
    return " ".join(f"{ahead if far > 0 else back} {abs(far)}" for ahead, back, far in ways if far)


def mark_program_steps(source: str) -> ast.Module:
    """The program with a call in place of each text that begins with the number of an instruction."""

    class Marker(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.AST:
            if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, str):
                return node
            number, dot, _ = node.value.value.strip().partition(".")
            if not dot or not number.isdecimal():
                return node
            call = ast.Call(ast.Name(STEP, ast.Load()), [ast.Constant(int(number))], [])
            return ast.copy_location(ast.Expr(call), node)

    marked: ast.Module = Marker().visit(ast.parse(source))
    return ast.fix_missing_locations(marked)


def _tiles(shape: Any) -> list[Tile]:
    """Those on the board; some programs compute places as fractions."""
    return [(int(one._row), int(one._column)) for one in shape._hexagons if one._lind is not None]


def _shape_tiles(text: str, cells: str) -> set[Tile] | None:
    """The tiles on the board that a shape means."""
    try:
        (statement,) = parse_statements(f"paint red {text}").statements
        assert isinstance(statement, PaintStatement)
        scene = EvaluationState(Board(cells).painted_tiles())
        return set(filter(is_on_lattice, evaluate_shape_tiles(statement.shape, Frame(), scene)))
    except ProgramError:
        return None


def run_statements(text: str, cells: str) -> str | None:
    try:
        return run_program(parse_statements(text), Board(cells)).cells
    except ProgramError:
        return None


def _paint(cells: str, painted: dict[Tile, str]) -> str:
    digits = list(cells)
    for (row, column), colour in painted.items():
        digits[(row - 1) * COLUMNS + column - 1] = str(COLOURS.index(colour))
    return "".join(digits)


def _import_library(folder: Path) -> ModuleType:
    """The library, without its plots and its way to read the data, which are not there."""
    for name in ("utils", "utils.reading_tasks", "hexagen.plot_board"):
        sys.modules[name] = ModuleType(name)
    sys.modules["utils.reading_tasks"].read_task = lambda index: {"gold_boards": [[]]}  # type: ignore[attr-defined]
    sys.path.insert(0, str(folder))
    try:
        import hexagen.hexagen as library  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(folder))
    found: ModuleType = library
    return found
