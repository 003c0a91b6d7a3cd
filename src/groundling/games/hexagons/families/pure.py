"""Checks that an image shows its mechanism and no other by accident."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile, disc, distance, neighbours
from groundling.games.hexagons.families.canon import group
from groundling.games.hexagons.families.pen import Draft
from groundling.games.hexagons.program import Drawn, Program, run
from groundling.games.hexagons.program.values import (
    AnyStatement,
    At,
    Define,
    If,
    Mirror,
    Recolour,
    Repeat,
    Rotate,
    Turn,
)

FEWEST, MOST = 6, 150
"""Limits for the number of painted tiles."""


def why_not(family: str, draft: Draft, program: Program, drawn: Drawn) -> str | None:
    """Return what is wrong with an image of that family, or None."""
    board = drawn.board
    if drawn.clipped:
        return "something falls off the board"
    if not FEWEST <= board.count <= MOST:
        return "it is nearly empty or nearly full"
    if draft.parts and len(pieces(board)) != draft.parts:
        return "parts of it touch"
    if draft.tiles and board.count != draft.tiles:
        return "parts of it cover each other"
    if draft.groups and group(board) not in draft.groups:
        return "it has another symmetry"
    check = _CHECKS.get(family)
    return check(draft, program, drawn) if check else None


def _single(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    if not _central(drawn.board, 5, 3):
        return "it lies in a corner"
    return None


def _bounded(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    board = drawn.board
    copies, motif = _unrolled(program)
    if copies < 3 or board.count != copies * motif.count:
        return "copies cover each other"
    if draft.apart and len(pieces(board)) != copies * len(pieces(motif)):
        return "copies touch"
    if group(board)[1] in "36":
        return "it is a rosette by accident"
    if not _central(board, 2, 2):
        return "it lies to one side"
    return None


def _conditional(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    lengths = [run for run in drawn.runs if run]
    if len(set(lengths)) < min(3, len(lengths)) or len(lengths) < 2:
        return "the lengths hardly differ"
    return None


def _conditions(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    return "it is symmetric by accident" if group(drawn.board) != "C1" else None


def _symmetry(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    if group(drawn.board) == "D6" and _all_rings(drawn.board):
        return "it is nothing but rings"
    if drawn.board.count < 16:
        return "there is too little to see the symmetry"
    return _single(draft, program, drawn)


def _recursion(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    if drawn.board.count < 12:
        return "it has hardly grown"
    return _single(draft, program, drawn)


def _composed(draft: Draft, program: Program, drawn: Drawn) -> str | None:
    return (
        "it has only one part"
        if len(program.statements) < 2 and len(_inner(program.statements)) < 3
        else None
    )


_CHECKS: dict[str, Callable[[Draft, Program, Drawn], str | None]] = {
    "objects": _single,
    "bounded": _bounded,
    "conditional": _conditional,
    "conditions": _conditions,
    "symmetry": _symmetry,
    "recursion": _recursion,
    "composed": _composed,
}


def pieces(board: Board) -> list[set[Tile]]:
    """Return the connected sets of painted tiles, regardless of colours."""
    left, found = set(board.painted()), []
    while left:
        part, edge = set[Tile](), {left.pop()}
        while edge:
            part |= edge
            edge = {near for tile in edge for near in neighbours(*tile)} & left
            left -= edge
        found.append(part)
    return found


def _central(board: Board, across: int, down: int) -> bool:
    """Whether the middle of the painted tiles is at most this far from the middle of the board."""
    rows, columns = [row for row, _ in board.painted()], [column for _, column in board.painted()]
    return abs(min(rows) + max(rows) - 11) <= 2 * down and abs(min(columns) + max(columns) - 19) <= 2 * across


def _unrolled(program: Program) -> tuple[int, Board]:
    """Return the number of copies that all repeats of a program make together, and one of them."""
    copies = 1

    def once(statements: Iterable[AnyStatement]) -> tuple[AnyStatement, ...]:
        nonlocal copies
        found: list[AnyStatement] = []
        for statement in statements:
            if isinstance(statement, Repeat):
                for axis in statement.axes:
                    assert isinstance(axis.times, int)
                    copies *= axis.times
                statement = replace(statement, axes=tuple(replace(axis, times=1) for axis in statement.axes))
            if isinstance(statement, At | Repeat | Turn | Mirror | Rotate | Recolour | Define | If):
                statement = replace(statement, body=once(statement.body))
            found.append(statement)
        return tuple(found)

    motif = run(Program(once(program.statements)))
    return copies, motif


def _inner(statements: tuple[AnyStatement, ...]) -> tuple[AnyStatement, ...]:
    return statements[0].body if statements and isinstance(statements[0], At) else ()


def _all_rings(board: Board) -> bool:
    """Whether each ring around the middle is either blank or painted in one colour."""
    painted = board.painted()
    columns = [column for _, column in painted]
    middle = round(sum(columns) / len(columns))
    centre = (
        round(sum(r + (0 if c % 2 else 0.5) for r, c in painted) / len(painted) - (0 if middle % 2 else 0.5)),
        middle,
    )
    around: dict[int, set[str]] = {}
    for tile in disc(centre, 6):
        around.setdefault(distance(centre, tile), set()).add(painted.get(tile, "white"))
    return all(len(colours) == 1 for colours in around.values())
