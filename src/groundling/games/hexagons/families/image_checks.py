"""Checks that an image shows its mechanism and no other by accident."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile, lattice_disc, lattice_distance, neighbours
from groundling.games.hexagons.families.canonical_form import canonical_symmetry_group
from groundling.games.hexagons.families.sampling import ProgramDraft
from groundling.games.hexagons.program import Program, ProgramTrace, run_program
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    DefineStatement,
    IfStatement,
    MirrorStatement,
    RecolourStatement,
    RepeatStatement,
    RotateStatement,
    TurnStatement,
)

FEWEST, MOST = 6, 150
"""Limits for the number of painted tiles."""


def check_image(family: str, draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    """Return what is wrong with an image of that family, or None."""
    board = drawn.board
    if drawn.is_clipped:
        return "something falls off the board"
    if not FEWEST <= board.painted_count <= MOST:
        return "it is nearly empty or nearly full"
    if draft.parts and len(connected_image_pieces(board)) != draft.parts:
        return "parts of it touch"
    if draft.tiles and board.painted_count != draft.tiles:
        return "parts of it cover each other"
    if draft.groups and canonical_symmetry_group(board) not in draft.groups:
        return "it has another symmetry"
    check = _CHECKS.get(family)
    return check(draft, program, drawn) if check else None


def _check_single(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    if not _is_central(drawn.board, 5, 3):
        return "it lies in a corner"
    return None


def _check_bounded(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    board = drawn.board
    copies, motif = _unroll_repeats(program)
    if copies < 3 or board.painted_count != copies * motif.painted_count:
        return "copies cover each other"
    if draft.apart and len(connected_image_pieces(board)) != copies * len(connected_image_pieces(motif)):
        return "copies touch"
    if canonical_symmetry_group(board)[1] in "36":
        return "it is a rosette by accident"
    if not _is_central(board, 2, 2):
        return "it lies to one side"
    return None


def _check_conditional(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    lengths = [run for run in drawn.runs if run]
    if len(set(lengths)) < min(3, len(lengths)) or len(lengths) < 2:
        return "the lengths hardly differ"
    return None


def _check_conditions(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    return "it is symmetric by accident" if canonical_symmetry_group(drawn.board) != "C1" else None


def _check_symmetry(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    if canonical_symmetry_group(drawn.board) == "D6" and _is_all_rings(drawn.board):
        return "it is nothing but rings"
    if drawn.board.painted_count < 16:
        return "there is too little to see the symmetry"
    return _check_single(draft, program, drawn)


def _check_recursion(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    if drawn.board.painted_count < 12:
        return "it has hardly grown"
    return _check_single(draft, program, drawn)


def _check_composed(draft: ProgramDraft, program: Program, drawn: ProgramTrace) -> str | None:
    if len(program.statements) < 2 and len(_inner_statements(program.statements)) < 3:
        return "it has only one part"
    return None


_CHECKS: dict[str, Callable[[ProgramDraft, Program, ProgramTrace], str | None]] = {
    "objects": _check_single,
    "bounded": _check_bounded,
    "conditional": _check_conditional,
    "conditions": _check_conditions,
    "symmetry": _check_symmetry,
    "recursion": _check_recursion,
    "composed": _check_composed,
}


def connected_image_pieces(board: Board) -> list[set[Tile]]:
    """Return the connected sets of painted tiles, regardless of colours."""
    left, found = set(board.painted_tiles()), []
    while left:
        part, edge = set[Tile](), {left.pop()}
        while edge:
            part |= edge
            edge = {near for tile in edge for near in neighbours(*tile)} & left
            left -= edge
        found.append(part)
    return found


def _is_central(board: Board, across: int, down: int) -> bool:
    """Whether the middle of the painted tiles is at most this far from the middle of the board."""
    rows, columns = [row for row, _ in board.painted_tiles()], [column for _, column in board.painted_tiles()]
    return abs(min(rows) + max(rows) - 11) <= 2 * down and abs(min(columns) + max(columns) - 19) <= 2 * across


def _unroll_repeats(program: Program) -> tuple[int, Board]:
    """Return the number of copies that all repeats of a program make together, and one of them."""
    copies = 1

    def keep_one_copy(statements: Iterable[AnyStatement]) -> tuple[AnyStatement, ...]:
        nonlocal copies
        found: list[AnyStatement] = []
        for statement in statements:
            if isinstance(statement, RepeatStatement):
                for axis in statement.axes:
                    assert isinstance(axis.times, int)
                    copies *= axis.times
                statement = replace(statement, axes=tuple(replace(axis, times=1) for axis in statement.axes))
            if isinstance(
                statement,
                AtStatement
                | RepeatStatement
                | TurnStatement
                | MirrorStatement
                | RotateStatement
                | RecolourStatement
                | DefineStatement
                | IfStatement,
            ):
                statement = replace(statement, body=keep_one_copy(statement.body))
            found.append(statement)
        return tuple(found)

    motif = run_program(Program(keep_one_copy(program.statements)))
    return copies, motif


def _inner_statements(statements: tuple[AnyStatement, ...]) -> tuple[AnyStatement, ...]:
    return statements[0].body if statements and isinstance(statements[0], AtStatement) else ()


def _is_all_rings(board: Board) -> bool:
    """Whether each ring around the middle is either blank or painted in one colour."""
    painted = board.painted_tiles()
    columns = [column for _, column in painted]
    middle = round(sum(columns) / len(columns))
    centre = (
        round(sum(r + (0 if c % 2 else 0.5) for r, c in painted) / len(painted) - (0 if middle % 2 else 0.5)),
        middle,
    )
    around: dict[int, set[str]] = {}
    for tile in lattice_disc(centre, 6):
        around.setdefault(lattice_distance(centre, tile), set()).add(painted.get(tile, "white"))
    return all(len(colours) == 1 for colours in around.values())
