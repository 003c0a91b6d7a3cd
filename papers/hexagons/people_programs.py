"""Writes programs of the drawing language for train's steps, for `groundling train … --programs`.

    python -m papers.hexagons.people_programs DATA OUT.jsonl [--without-people]

DATA/gold_programs holds programs that people wrote, and the library that they use. Each program is run, and
every call that paints becomes a statement of ours: by the shape that it names where that paints the same
tiles, else by the shortest statements that are found for these tiles. The steps that could be kept and the
calls that our language could not name are counted at the end.

OUT gets a line for each program that leads from the gold board before its step to the one after it, if it is
short enough to be learned: people's, the shortest first, then the program that the parser finds. A training
takes the first for each step."""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.json import encode
from papers.commands import report_problems

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, Board, Tile
from groundling.games.hexagons.neural.notation import changed_notation_tiles
from groundling.games.hexagons.neural.procedures import BLANK, Procedure, StepProgram, read_procedures
from groundling.games.hexagons.players.parser import UnreadableInstruction, parse_instruction
from groundling.games.hexagons.program import ProgramError, format_program, parse_statements, run_program
from groundling.games.hexagons.program.synthesis import synthesize_program

FOLDER = "gold_programs"
AXES = ("vertical", "horizontal", "rising", "falling", "steep-rising", "steep-falling")
MAKES = ("neighbors", "__add__", "__sub__", "__mul__", "get_color", "get_column", "get_entire_board")
"""Calls that return a shape which can be named; single tiles are named by their place."""
PAINTS = ("draw", "copy_paste", "grid", "reflect", "rotate", "recolor")
STEP = "_begin_step"
LONGEST = 400
"""Letters of a program that is learned from: about 180 tokens."""


def heading_of(direction: str) -> str:
    return direction.replace("_", "-")


class ProgramTranslator:
    """Runs people's programs and writes down what they paint."""

    def __init__(self, folder: Path) -> None:
        self.library = _import_library(folder)
        self.named, self.unnamed = Counter[str](), Counter[str]()
        self._depth = 0
        self._painted: dict[Tile, str] = {}
        self._steps: list[tuple[int, list[str], str]] = []
        self._cells = BLANK
        self._said: dict[int, tuple[Any, str]] = {}
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
            place = hexagon._row, hexagon._column
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
        asked = next((one for one in [*given, *named.values()] if isinstance(one, str | int)), "all")
        where = {"all": "", "white": " where not painted"}.get(str(asked), f" where {asked}")
        texts = {
            "neighbors": [f"{part}{where}" for one in said for part in (f"around ({one})", f"flower {one}")],
            "get_color": ["board where painted" if asked in ("all", "any") else f"board{where}"],
            "get_column": [f"column {asked}"],
            "get_entire_board": ["board"],
            "__add__": [" plus ".join(said)],
            "__sub__": [f"({said[0]}) where not in ({said[-1]})"] if said else [],
            "__mul__": [f"({said[0]}) where in ({said[-1]})"] if said else [],
        }[name]
        self._name(shape, texts)

    def _name(self, shape: Any, texts: Sequence[str]) -> None:
        """Keep the first name that means the tiles of the shape, on the board as it is."""
        wanted = set(_tiles(shape))
        for text in texts:
            for colour in COLOURS[1:3]:
                # a colour that some tile has already says nothing about that tile
                board = Board(self._cells)
                after = _run(f"paint {colour} {text}", board.cells)
                if after is None or not changed_notation_tiles(board.cells, after).keys() <= wanted:
                    break
                if any(Board(after).painted_tiles().get(tile) != colour for tile in wanted):
                    break
            else:
                self._said[id(shape)] = shape, text
                return

    def _named(self, shape: Any) -> str:
        kept = self._said.get(id(shape))
        if kept is not None and kept[0] is shape:
            return kept[1]
        return " ".join(f"{row},{column}" for row, column in sorted(_tiles(shape)))

    def _write_statement(self, name: str, made: Any, given: Sequence[Any], named: dict[str, Any]) -> None:
        before, self._cells = self._cells, _paint(self._cells, self._painted)
        if not self._steps:
            self._begin_step(0)
        number, statements, _ = self._steps[-1]
        texts = self._propose_statements(name, made, [*given[1:], *named.values()], given[0], before)
        found = next((text for text in texts if _run(text, before) == self._cells), None)
        (self.unnamed if found is None else self.named)[name] += 1
        if found is None and self._cells != before:
            changed = changed_notation_tiles(before, self._cells)
            found = format_program(synthesize_program(changed)).rstrip("\n")
        if found is not None:
            statements.append(found)
        self._steps[-1] = number, statements, self._cells

    def _propose_statements(
        self, name: str, made: Any, given: Sequence[Any], shape: Any, before: str
    ) -> list[str]:
        """Statements that may mean what the call does."""
        said = self._named(shape)
        if name == "draw":
            known = id(shape) in self._said or len(_tiles(shape)) == 1
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
            return [f"repeat 2 {_shift_path(shape, made)}:\n{self._paint_again(shape, before)}"]
        if name == "grid":
            heading = heading_of(next(one for one in given if isinstance(one, str)))
            steps = ((times, apart) for times in range(2, COLUMNS + 1) for apart in range(1, ROWS))
            body = self._paint_again(shape, before)
            return [f"repeat {times} {heading} {apart}:\n{body}" for times, apart in steps]
        return []

    def _paint_again(self, shape: Any, cells: str) -> str:
        """Indented statements that paint a shape as it is on a board."""
        known, parts = Board(cells).painted_tiles(), dict[str, list[Tile]]()
        for tile in sorted(_tiles(shape)):
            parts.setdefault(known.get(tile, "white"), []).append(tile)
        if len(parts) == 1:
            return f"    paint {next(iter(parts))} {self._named(shape)}"
        return "\n".join(
            f"    paint {colour} " + " ".join(f"{row},{column}" for row, column in tiles)
            for colour, tiles in parts.items()
        )


def _shift_path(shape: Any, copy: Any) -> str:
    """How far the copy is from the shape, along two headings."""
    (q, r, _), (other_q, other_r, _) = (one._hexagons[0]._cube for one in (shape, copy))
    ways = [("down-right", "up-left", other_q - q), ("down", "up", other_r - r)]
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
    """Those on the board."""
    return [(one._row, one._column) for one in shape._hexagons if one._lind is not None]


def _run(text: str, cells: str) -> str | None:
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


def translate_programs(data: Path) -> tuple[ProgramTranslator, list[StepProgram]]:
    """All programs of the data, step by step."""
    folder = data / FOLDER
    translator, found = ProgramTranslator(folder), list[StepProgram]()
    for file in sorted([*folder.glob("maor/*.py"), *folder.glob("shira/*.py")]):
        index = file.stem.split("_")[2]
        for number, program, _ in translator.translate(file.read_text("utf-8")):
            found.append(StepProgram(index, number, format_program(parse_statements(program))))
    return translator, found


def parse_steps(procedure: Procedure) -> Iterator[StepProgram]:
    """What the parser makes of each instruction, on gold boards."""
    for number, text in enumerate(procedure.texts):
        painted = Board(procedure.boards[number]).painted_tiles()
        with suppress(UnreadableInstruction):
            reading = parse_instruction(text, procedure.texts[:number], painted)
            yield StepProgram(procedure.id, number + 1, format_program(reading.program))


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without-people", action="store_true", help="programs of the parser alone")
    given = parser.parse_args()
    procedures = read_procedures(given.data, "train")
    known, steps = {one.id: one for one in procedures}, list[StepProgram]()
    if not given.without_people:
        translator, steps = translate_programs(given.data)
        steps = sorted((one for one in steps if one.is_right(known[one.procedure])), key=_program_length)
        right = len({(one.procedure, one.step) for one in steps})
        total = sum(len(known[one].texts) for one in {step.procedure for step in steps})
        print(f"{right} of {total} steps are expressed and right")
        for name in PAINTS:
            print(f"{name}: {translator.named[name]} calls named, {translator.unnamed[name]} by their tiles")
    parsed = [step for one in procedures for step in parse_steps(one) if step.is_right(one)]
    print(f"{len(parsed)} of {sum(len(one.texts) for one in procedures)} steps are right by the parser")
    kept = [one for one in (*steps, *parsed) if 0 < _program_length(one) <= LONGEST]
    given.out.write_bytes(b"".join(encode(one) + b"\n" for one in kept))
    print(f"{given.out}: programs for {len({(one.procedure, one.step) for one in kept})} steps")


def _program_length(step: StepProgram) -> int:
    return len(step.program)


if __name__ == "__main__":
    main()
