"""Actions as text, and back: runs of tiles in a column (`red 3:1-4,6 5:2; blue 1:1`), the paper's triplets
(`0 4 red, 0 5 blue`: row and column, counted from 0), or a program in the drawing language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from groundling.boards.hexes import COLOURS, TILES, Board
from groundling.games.hexagons.program import (
    Program,
    ProgramError,
    format_program,
    interpret_actions,
    parse_statements,
)
from groundling.games.hexagons.program.synthesis import synthesize_program

Notation: TypeAlias = Literal["runs", "triplets", "program"]
NOTHING = "none"
Tile: TypeAlias = tuple[int, int]

_ON_BOARD = frozenset(TILES)
_EMPTY = Board.empty().cells
_COLUMN = re.compile(r"(\d+):([\d,-]+)")
_TIGHT = re.compile(r"\s*([:,-])\s*")
_STATEMENT = re.compile(r"^(?=\S)", re.MULTILINE)


def changed_notation_tiles(before: str, after: str) -> dict[Tile, str]:
    """What has to be painted to get from one board to the other; boards are 180 digits."""
    return {
        tile: COLOURS[int(new)] for tile, old, new in zip(TILES, before, after, strict=True) if old != new
    }


def paint_notation_cells(cells: str, painted: Mapping[Tile, str]) -> str:
    """The digits of a board after these tiles were painted."""
    digits = [
        str(COLOURS.index(painted[tile])) if tile in painted else old
        for tile, old in zip(TILES, cells, strict=True)
    ]
    return "".join(digits)


def write_action_notation(painted: Mapping[Tile, str], notation: Notation) -> str:
    """The one text for a set of actions."""
    if not painted:
        return NOTHING
    if notation == "program":
        return format_program(synthesize_program(painted))
    if notation == "triplets":
        return ", ".join(f"{row - 1} {column - 1} {painted[row, column]}" for row, column in sorted(painted))
    parts = []
    for colour in COLOURS:
        columns: dict[int, list[int]] = {}
        for row, column in sorted(tile for tile, found in painted.items() if found == colour):
            columns.setdefault(column, []).append(row)
        if columns:
            told = " ".join(f"{column}:{_write_rows(rows)}" for column, rows in sorted(columns.items()))
            parts.append(f"{colour} {told}")
    return "; ".join(parts)


def read_action_notation(text: str, notation: Notation, cells: str = "") -> dict[Tile, str]:
    """What a model wrote to paint on a board; pieces that are malformed or off the board are left out. Of a
    program also tiles that have their colour already: it may name whole shapes."""
    if notation == "program":
        found = _run_statements(text, cells or _EMPTY)
        known = changed_notation_tiles(_EMPTY, cells) if cells else {}
        return {
            tile: colour for tile, colour in found.items() if not cells or known.get(tile, "white") != colour
        }
    return _read_triplets(text) if notation == "triplets" else _read_runs(text)


def answer_runs(text: str, notation: Notation, cells: str = "") -> bool:
    """Whether all of an answer that follows the grammar can be carried out on a board."""
    if notation == "program" and text != NOTHING:
        try:
            interpret_actions(parse_statements(text), Board(cells or _EMPTY))
        except ProgramError:
            return False
    return True


def _write_rows(rows: list[int]) -> str:
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and runs[-1][1] == row - 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _read_runs(text: str) -> dict[Tile, str]:
    found: dict[Tile, str] = {}
    for part in text.split(";"):
        colour, _, rest = part.strip().partition(" ")
        if colour not in COLOURS:
            continue
        for column, rows in _COLUMN.findall(_TIGHT.sub(r"\1", rest)):
            for run in rows.split(","):
                first, _, last = run.partition("-")
                if first.isdecimal() and (last or first).isdecimal():
                    tiles = [(row, int(column)) for row in range(int(first), min(int(last or first), 99) + 1)]
                    found |= {tile: colour for tile in tiles if tile in _ON_BOARD}
    return found


def _run_statements(text: str, cells: str) -> dict[Tile, str]:
    found: dict[Tile, str] = {}
    before = Program()
    for piece in _STATEMENT.split(text):
        try:
            # definitions hold for what follows them
            program = Program((*before.statements, *parse_statements(piece).statements))
            actions = interpret_actions(program, Board(cells))
        except ProgramError:
            continue
        before = program
        found = {(row, column): colour for row, column, colour in actions}
    return found


def _read_triplets(text: str) -> dict[Tile, str]:
    found: dict[Tile, str] = {}
    for piece in text.split(","):
        match piece.split():
            case [row, column, colour] if row.isdecimal() and column.isdecimal() and colour in COLOURS:
                if (tile := (int(row) + 1, int(column) + 1)) in _ON_BOARD:
                    found[tile] = colour
            case _:
                pass
    return found
