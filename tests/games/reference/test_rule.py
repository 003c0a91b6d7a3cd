"""The rule follower: what it takes a text to claim, and how often it picks the grid that was meant."""

# ruff: noqa: E501 - the descriptions are data
from __future__ import annotations

import asyncio
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.letter_grid import Cell, Grid
from groundling.core.pack import Seat, load
from groundling.core.player import Ask, Player
from groundling.core.table import play
from groundling.core.values import Problem, Result
from groundling.games.reference import pack
from groundling.games.reference.gold import ReferenceGoldPlayer, describe_gold_grid
from groundling.games.reference.make import LineupRecipe, builtin, make
from groundling.games.reference.players.claims import (
    Claim,
    CountClaim,
    DrawnRowClaim,
    ExtremeClaim,
    FilledClaim,
    LineCountClaim,
    ShapeClaim,
    SymmetryClaim,
)
from groundling.games.reference.players.clause_reader import read_clauses
from groundling.games.reference.players.rule import (
    RuleFollower,
    best_grids_by_rule,
    make_reference_rule,
    score_grid_by_rule,
)
from groundling.games.reference.rules import FollowerView, Lineup, Pick

Said = tuple[str, int, str]
"""A lineup, which of its grids is meant (0 is the target), and a description of that one."""

N = 5
ALL = frozenset((r, c) for r in range(1, N + 1) for c in range(1, N + 1))


def at(*cells: Cell) -> frozenset[Cell]:
    return frozenset(cells)


def row(*numbers: int) -> frozenset[Cell]:
    return frozenset(cell for cell in ALL if cell[0] in numbers)


def column(*numbers: int) -> frozenset[Cell]:
    return frozenset(cell for cell in ALL if cell[1] in numbers)


CORNERS = at((1, 1), (1, 5), (5, 1), (5, 5))
CLEAR: list[tuple[str, list[Claim]]] = [
    ("Row 2, column 3 is filled.", [FilledClaim(at((2, 3)), True)]),
    ("ROW 2, COLUMN 3 IS EMPTY", [FilledClaim(at((2, 3)), False)]),
    ("(2,3) is empty", [FilledClaim(at((2, 3)), False)]),
    ("the third cell of the first row is blank", [FilledClaim(at((1, 3)), False)]),
    ("the third cell of the first row is not filled", [FilledClaim(at((1, 3)), False)]),
    ("positions 1 and 5 of row 2 are empty", [FilledClaim(at((2, 1), (2, 5)), False)]),
    ("columns 2-4 are empty", [FilledClaim(column(2, 3, 4), False)]),
    ("rows 1 to 3 are full", [FilledClaim(row(1, 2, 3), True)]),
    ("columns 1, 2 and 4 are full", [FilledClaim(column(1, 2, 4), True)]),
    ("The second row is completely filled", [FilledClaim(row(2), True)]),
    ("the second row is filled with x", [FilledClaim(row(2), True, "X")]),
    ("the last column is empty", [FilledClaim(column(5), False)]),
    ("second to last row is empty", [FilledClaim(row(4), False)]),
    ("the second row from the bottom is empty", [FilledClaim(row(4), False)]),
    ("the second column from the right has no letters", [FilledClaim(column(4), False)]),
    ("the middle column is missing", [FilledClaim(column(3), False)]),
    ("the last two rows are blank", [FilledClaim(row(4, 5), False)]),
    ("every other row is full", [FilledClaim(row(1, 3, 5), True)]),
    ("the even columns are empty", [FilledClaim(column(2, 4), False)]),
    ("the top left corner is empty", [FilledClaim(at((1, 1)), False)]),
    ("all four corners are filled", [FilledClaim(CORNERS, True)]),
    ("three corners are filled", [CountClaim(CORNERS, 3, 3)]),
    ("the centre cell is empty", [FilledClaim(at((3, 3)), False)]),
    ("the main diagonal is empty", [FilledClaim(frozenset((i, i) for i in range(1, 6)), False)]),
    (
        "the diagonal from the top right to the bottom left is empty",
        [FilledClaim(frozenset((i, 6 - i) for i in range(1, 6)), False)],
    ),
    ("the border is empty", [FilledClaim(frozenset(cell for cell in ALL if {*cell} & {1, 5}), False)]),
    (
        "all columns except the third are empty",
        [FilledClaim(ALL - column(3), False), FilledClaim(column(3), True)],
    ),
    (
        "all cells but the top right corner are filled",
        [FilledClaim(ALL - {(1, 5)}, True), FilledClaim(at((1, 5)), False)],
    ),
    ("exactly two X's in the first row", [CountClaim(row(1), 2, 2, letter="X")]),
    ("the top row has three letters", [CountClaim(row(1), 3, 3)]),
    ("has 9 filled cells", [CountClaim(ALL, 9, 9)]),
    ("16 Xs in total", [CountClaim(ALL, 16, 16, letter="X")]),
    ("at least twelve letters", [CountClaim(ALL, 12, 25)]),
    ("two full rows", [LineCountClaim("row", 2, True)]),
    ("the grid with the most letters", [ExtremeClaim(True)]),
    ("it has the fewest letters", [ExtremeClaim(False)]),
    ("symmetrical left to right", [SymmetryClaim("column")]),
    ("It is not symmetric.", [SymmetryClaim(None, False)]),
    ("it looks like the letter H", [ShapeClaim("H")]),
    ("a diagonal line", [ShapeClaim("diagonal")]),
    ("forms a plus sign", [ShapeClaim("plus")]),
    ("A checkerboard.", [ShapeClaim("checks")]),
    ("one row is X ▢ X ▢ X", [DrawnRowClaim(("X", ".", "X", ".", "X"))]),
    (
        "The second row: X □ □ X X",
        [FilledClaim(at((2, 2), (2, 3)), False), FilledClaim(at((2, 1), (2, 4), (2, 5)), True, "X")],
    ),
    ("I think a nice day is a good day.", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "claims"), CLEAR, ids=[text for text, _ in CLEAR])
def test_clear_wording_gives_exactly_these_claims(text: str, claims: list[Claim]) -> None:
    found = [claim for claim in read_clauses(text, N, frozenset("XH")) if claim.weight >= 0.5]
    assert [msgspec.structs.replace(claim, weight=1.0) for claim in found] == claims


def test_the_rest_is_what_was_not_named() -> None:
    claims = read_clauses("Row 1 and column 3 are full; everything else is empty.", N, frozenset("X"))
    assert FilledClaim(ALL - row(1) - column(3), False) in claims
    claims = read_clauses(
        "In row 2, the first two cells are empty and the remaining three are filled.", N, frozenset("X")
    )
    assert FilledClaim(at((2, 3), (2, 4), (2, 5)), True) in claims


def test_a_and_i_are_letters_only_where_they_are_not_english() -> None:
    assert read_clauses("Row 1 has A in column 2.", N, frozenset("A"))[0] == FilledClaim(
        at((1, 2)), True, "A"
    )
    assert read_clauses("Row 1 has I in column 2.", N, frozenset("I"))[0] == FilledClaim(
        at((1, 2)), True, "I"
    )
    assert read_clauses("A plus sign.", N, frozenset("A")) == (ShapeClaim("plus"),)
    assert read_clauses("I see a ring.", N, frozenset("I")) == (ShapeClaim("ring"),)


def test_a_drawn_grid_is_read_in_whichever_way_it_is_drawn() -> None:
    grid = Grid("XX.X./...../..XX./.X.../.....")
    for text in (
        grid.text(),
        grid.text().replace("▢", "□"),
        "\n".join(grid.rows),
        "\n".join(" ".join(row) for row in grid.rows),
        "The grid is:\n" + grid.text() + "\nGood luck",
        " / ".join(grid.rows),
    ):
        claims = read_clauses(text, N, frozenset("X"))
        assert claims, text
        assert score_grid_by_rule(claims, grid, [grid]) == pytest.approx(
            sum(claim.weight for claim in claims)
        ), text
        other = grid.with_cell((5, 5), "X")
        assert score_grid_by_rule(claims, other, [grid, other]) < score_grid_by_rule(
            claims, grid, [grid, other]
        ), text


MADE = {
    "3x3-1": ("..U/.U./U..", ".UU/.UU/U..", "..U/.UU/UU."),
    "3x3-2": ("JJJ/JJJ/JJ.", ".JJ/JJJ/.J.", "J.J/.JJ/JJ."),
    "3x3-3": ("VVV/VVV/...", ".VV/VVV/..V", "VVV/VVV/V.V"),
    "3x3-4": ("NNN/NNN/NNN", "NNN/NN./.NN", "N../NNN/NNN"),
    "3x3-5": (".S./.S./.S.", "S../.S./.S.", ".S./.../..."),
    "3x3-6": (".CC/.CC/.CC", ".../.CC/.CC", "CCC/CCC/.CC"),
    "3x3-7": ("D.D/D.D/D.D", "D../D.D/DDD", "..D/DDD/D.D"),
    "3x3-8": ("H.H/H.H/H.H", "HHH/H.H/HHH", "H.H/H.H/.HH"),
    "4x4-1": ("D.DD/D.DD/D.DD/D.DD", "D.D./..DD/D.DD/D.DD", "..DD/D.D./D.DD/D.DD"),
    "4x4-2": ("SSSS/SSSS/SSSS/....", "SSSS/S.SS/S.SS/....", ".SSS/SSSS/SSSS/...S"),
    "4x4-3": ("...U/..U./.U../U...", "...U/.UU./.U../....", "...U/U.U./.U../U.U."),
    "4x4-5": ("HHHH/HHHH/HHHH/....", "HHHH/HHHH/HHHH/H.H.", "HH.H/HHHH/HHHH/...H"),
    "4x4-6": ("...N/..N./.N../N...", "...N/..N./NN.N/N...", "...N/..N./.NNN/N..."),
    "4x4-7": ("..../..../..../NNNN", "N.N./..../..../NNNN", "..../N.../..../NN.N"),
    "4x4-8": ("QQ.Q/QQ.Q/QQ.Q/QQ.Q", "QQ.Q/QQ.Q/QQQ./QQ.Q", "QQ.Q/QQ.Q/Q..Q/QQ.."),
    "6x6-1": (
        "S...../.S..../..S.../...S../....S./.....S",
        "....../.S..../..S.../...S../....S./.S...S",
        "S...../.S..../..S.S./S..S../....S./.....S",
    ),
    "6x6-2": (
        "SSSSSS/SSSSSS/SSSSSS/SSSSSS/SSSSSS/......",
        "SSSSSS/SSSSSS/SSSSSS/SSSS.S/SS.SSS/......",
        "SSSSSS/SSS.SS/SS.SSS/SSSSSS/SSSSSS/......",
    ),
    "6x6-3": (
        ".....U/....U./...U../..U.../.U..../U.....",
        "....UU/....U./...U../..U.../.U..../U....U",
        ".....U/....U./...U../..UUU./.U..../U.....",
    ),
    "6x6-4": (
        ".Z..../.Z..../ZZZZZZ/.Z..../.Z..../.Z....",
        ".Z..../.Z..../ZZZZZZ/.Z..../....../ZZ....",
        ".Z..Z./.Z..../.ZZZZZ/.Z..../.Z..../.Z....",
    ),
    "6x6-5": (
        "SSSSS./SSSSSS/SSSSSS/SSSSSS/SSSSSS/SSSSSS",
        "SSSSS./SS.SSS/SSSSSS/SSSSSS/SSSSSS/SS.SSS",
        "SSSSS./SSSSSS/SSSSSS/SSSSSS/SSSSS./SSSSS.",
    ),
    "6x6-6": (
        "R...../RR..../RRR.../RRRR../RRRRR./RRRRRR",
        "R...../RR..R./RRR.../RRRRR./RRRRR./RRRRRR",
        "R..R../RR..../RRR.../RRRR../RRRRR./R.RRRR",
    ),
    "6x6-7": (
        "BBBBBB/BBBBBB/BBBBBB/....../BBBBBB/BBBBBB",
        "BBBBBB/BBBBBB/BBBBBB/....../B.BBBB/B.BBBB",
        "BBBBBB/BBBB.B/BBBBBB/....../BBBB.B/BBBBBB",
    ),
    "6x6-8": (
        "B.BBBB/B.BBBB/B.BBBB/B.BBBB/B.BBBB/B.BBBB",
        "B.BB.B/B.BBBB/B.BBBB/B.BBBB/B.BBBB/..BBBB",
        "B.BBBB/B.BBBB/B.BBBB/BBBBBB/B.BB.B/B.BBBB",
    ),
    "7x7-1": (
        ".L.L.L./LLLLLLL/.L.L.L./LLLLLLL/LLLLLLL/LLLLLLL/LLLLLLL",
        ".L.L.L./LLLLLLL/.L.L.L./LL.LLLL/LLLLLLL/LLLL.LL/LLLLLLL",
        ".L.LLL./LLLLLL./.L.L.L./LLLLLLL/LLLLLLL/LLLLLLL/LLLLLLL",
        ".L.L.L./LL.LLLL/.L.L.L./LLLLLLL/LLLLLLL/LLLLL.L/LLLLLLL",
    ),
    "7x7-2": (
        "SSSSSSS/SSSSSSS/SSSSSSS/......./SSSSSSS/......./SSSSSSS",
        "SSSSSSS/SSS.SSS/SSSSSSS/......./.SSSSSS/......./SSSSSSS",
        "SSSSSSS/SSSSSSS/SSS.SSS/......./SSSSSSS/S....../SSSSSSS",
        "SSSSSSS/SSSSSSS/SSSSSSS/......S/SSSSSSS/S....../SSSSSSS",
    ),
    "7x7-3": (
        "C...CC./.C..CC./..C.CC./...C.../....C../.....C./......C",
        "C...CC./.C..CC./..C.CC./...CC../....C../......./......C",
        "C....C./.C..C../..C.CC./...C.../....C../.....C./......C",
        "C...CC./.C.CCC./..C.CC./...C.../C...C../.....C./......C",
    ),
    "7x7-4": (
        "J....../JJ...../JJJ..../JJJJ.../JJJJJ../JJJJJJ./JJJJJJJ",
        "J....../JJ...../JJJ..../JJ.J.../JJJJJ.J/JJJJJJ./JJJJJJJ",
        "J....../J....../JJJ..../JJJJ.../JJJJJ../JJJJJJ./JJ.JJJJ",
        "J....../JJ...../JJJ..../JJJJ.../J.JJJ../JJJJJJ./J.JJJJJ",
    ),
    "7x7-5": (
        "RR.R.R./RR.R.R./RR.R.R./RR.R.R./RR.R.R./RR.R.R./RR.R.R.",
        "RR.R.R./RR.R.R./RR.R.R./R..R.R./R..R.R./RR.R.R./RR.R.R.",
        "RR.R.R./.R.R.R./RR.R.R./RR.R.R./RR.R.R./RR.RRR./RR.R.R.",
        "RR...R./RR.R.RR/RR.R.R./RR.R.R./RR.R.R./RR.R.R./RR.R.R.",
    ),
    "7x7-6": (
        "......U/.....U./....U../...U.../..U..../.U...../U......",
        "......U/..U..U./....U../...U.../..UU.../.U...../U......",
        "..U...U/.....U./....U../...U.../..U..../.U...../.......",
        "......U/.....U./....U../...U.../..U..../UU...../U.....U",
    ),
    "7x7-7": (
        "EEEEEEE/......./......./......./EEEEEEE/......./.......",
        "EEEEE.E/....E../......./......./EEEEEEE/......./.......",
        "EEEEEEE/......./E....../......./EEEEEEE/......./E......",
        ".EEEEEE/......./......./......./EEE.EEE/......./.......",
    ),
    "8x8-1": (
        ".......U/......U./.....U../....U.../...U..../..U...../.U....../U.......",
        ".......U/.....UU./.....U../U...U.../...U..../..U...../.U....../U.......",
        ".......U/U...U.U./.....U../....U.../...U..../..U...../.U....../U.......",
    ),
    "8x8-2": (
        "NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN",
        "NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNNN/NN.NNNNN",
        "NNN.NNNN/NNN.NNNN/NNN.NNNN/NNN.NNN./NNN.NN.N/NNN.NNNN/NNN.NNNN/NNN.NNNN",
    ),
    "8x8-3": (
        ".N..N.../.N..N.../.N..N.../.N..N.../.N..N.../.N..N.../.N..N.../.N..N...",
        ".N..N.../.N..N.../.N..N.../.N..N.../.N..N.../.N.NN.../.N..N.../....N...",
        ".N..N.../....N..N/.N..N.../.N..N.../.N..N.../.N..N.../.N..N.../.N..N...",
    ),
    "8x8-4": (
        "S...S.../S...S.../S...S.../S...S.../S...S.../S...S.../S...S.../S...S...",
        "S...SS../S...S.../S...S.../S...S.../S...S.../S...S.../S...SS../S...S...",
        "S...S.../S...S.../S...S.../S...S.../S...S.../...SS.../S...S.../S...S...",
    ),
    "10x10-1": (
        ".........U/........U./.......U../......U.../.....U..../....U...../...U....../..U......./.U......../U.........",
        ".........U/........U./.......U../......U.../U....U..../....U...../...U....../..U......./.U......../U........U",
        ".........U/........U./.......U../......U.../.....U..../....U...U./...U....../..U.U...../.U......../U.........",
    ),
    "10x10-2": (
        "CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC",
        "CCC.CCCCCC/.CC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCCCCCCCCC/CCC.CCCCCC/CCC.CCCCCC",
        "CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC/CCCCCCC.CC/CCC.CCCCCC/CCC.CCCCCC/CCC.CCCCCC",
    ),
    "10x10-3": (
        "BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB",
        "BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBBBBBBBBB/BBB.B.BBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB",
        "BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBBBBBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BBBBBB/BBB.BB.BBB",
    ),
    "10x10-4": (
        "DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/........../DDDDDDDDDD/DDDDDDDDDD",
        "DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/.D......../DDDDDDDDDD/DDDDDDD.DD",
        "DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDDDDDDDDD/DDD.DDDDDD/DDDDDDDDDD/DDDDDDDDDD/........../DDDDDDDD.D/DDDDDDDDDD",
    ),
}
# Written before the parser was; it was developed on these: 0.97 at first sight.
DEVELOPED: list[Said] = [
    ("edits-2-01", 0, "The middle row is completely filled with P's."),
    ("edits-2-01", 2, "The one where the top left corner is empty."),
    ("edits-2-02", 0, "Top row is all X, and there is an X in the bottom left corner."),
    ("edits-2-02", 2, "The first row has four X's followed by an empty cell."),
    ("edits-2-03", 0, "Looks like a complete letter N."),
    ("edits-2-03", 2, "Only the first cell of the first row is filled; the center of the grid is blank."),
    ("edits-2-04", 0, "A full border of K's with a single K in the centre."),
    (
        "edits-2-04",
        2,
        "The left column has a gap in the third row; the last row is missing its third letter.",
    ),
    (
        "edits-2-04",
        2,
        "The grid has a frame of K, but the frame is broken at the third cell of the leftmost column and the third cell of the bottom row.",
    ),
    ("edits-2-05", 1, "The first row has exactly one O, in the second column."),
    (
        "edits-2-05",
        2,
        "The second row only has an O in the first column, and the bottom row has just two O's.",
    ),
    ("edits-2-06", 1, "Staircase missing the bottom left corner and the first cell of row 2"),
    ("edits-2-06", 2, "Row 3 has just one L, in the second column"),
    ("edits-2-07", 1, "Only one V on top, at position 4."),
    ("edits-2-07", 2, "second row starts with an empty box, and the 4th cell in row 3 is empty too"),
    ("edits-2-08", 1, "The upper left corner is missing and the third row's last cell is empty."),
    (
        "edits-2-08",
        2,
        "5 H's in the first row, then a row with H H ▢ H H in the middle, and the bottom right corner is empty",
    ),
    ("edits-2-09", 0, "Every other column is filled, starting with the first one."),
    ("edits-2-09", 1, "In the rightmost column, the top two cells are empty."),
    (
        "edits-2-09",
        0,
        "first, third and fifth columns are filled with W's. The second and fourth columns are empty.",
    ),
    (
        "edits-2-10",
        0,
        "Two squares of B's, the upper one with a hole in the middle; the first row has three Bs and the last row has three Bs.",
    ),
    ("edits-2-10", 2, "The last row has only 2 letters"),
    ("edits-2-11", 0, "Clear U shape, left and right columns are full and the bottom row is complete"),
    ("edits-2-11", 2, "both bottom corners are empty"),
    ("edits-2-12", 0, "A perfect checkerboard pattern with S in all four corners"),
    ("edits-2-12", 2, "The bottom left corner is empty, as is the third column of the top row"),
    (
        "edits-2-12",
        0,
        "The grid displays an alternating pattern of S and empty cells; rows 1, 3 and 5 have S in positions 1, 3 and 5, whereas rows 2 and 4 have S in positions 2 and 4.",
    ),
    ("edits-2-13", 1, "the middle row starts with an empty cell"),
    ("edits-2-13", 2, "Row 2 has a single D at column 2"),
    ("edits-2-14", 1, "the cross is missing its bottom-left arm end and (2,2)"),
    ("edits-2-14", 2, "Right corners are both empty"),
    ("edits-2-15", 1, "First row: E, blank, blank, E, E"),
    ("edits-2-15", 2, "E E ▢ E E\n▢ E ▢ E E\n▢ ▢ ▢ ▢ ▢\nE E ▢ E E\nE E ▢ ▢ E"),
    (
        "edits-2-16",
        1,
        "The horizontal line only covers the right half: the third row has A in columns 3 to 5.",
    ),
    ("edits-2-16", 2, "the vertical line has a gap in the second row"),
    ("edits-2-17", 0, "triangle of G in the bottom right, the last column is full and so is the last row"),
    ("edits-2-17", 1, "The bottom row is missing its fourth letter and the third row lacks the last letter."),
    ("edits-2-18", 0, "Z shape, top and bottom rows are both full."),
    ("edits-2-18", 1, "Top row has a hole at the second position"),
    ("edits-4-01", 0, "the grid with the most letters"),
    ("edits-4-01", 1, "There is only one O in the bottom row"),
    ("edits-4-02", 0, "Three horizontal lines of H's without any gaps"),
    ("edits-4-02", 1, "the second cell of row one is empty; row 3 has three Hs"),
    ("edits-4-03", 0, "unlike the others, the full diagonal from top left to bottom right is there"),
    ("edits-4-03", 1, "top-left corner is empty and so is the second row"),
    ("edits-4-04", 0, "The last two rows each have three B's"),
    ("edits-4-04", 1, "the last two rows have only one B each, in the last column"),
    ("edits-4-05", 0, "16 E's in total"),
    (
        "edits-4-05",
        1,
        "bottom row contains exactly two E's, in the second and fourth columns, and the first row has no E in column two",
    ),
    ("edits-4-06", 0, "Rows two and three are entirely filled, and there is one V at the bottom."),
    ("edits-4-06", 1, "the second row is missing the fourth V; the third row is only filled at both ends"),
    ("edits-4-07", 0, "all four corners are filled"),
    ("edits-4-07", 1, "It has T in three of the corners, all but the top right one."),
    ("edits-4-08", 0, "Every cell in the bottom row has a U"),
    ("edits-4-08", 1, "The second row is blank."),
    ("edits-4-09", 0, "9 filled cells forming a plus sign"),
    ("edits-4-09", 1, "The top and bottom rows are both empty"),
    ("edits-4-10", 0, "columns one, three, and five are full"),
    ("edits-4-10", 1, "the last row only has a W in the centre"),
    ("edits-4-11", 0, "border complete"),
    ("edits-4-11", 1, "The top row is K, two blanks, then K K."),
    ("edits-4-12", 0, "13 S in a chessboard pattern"),
    ("edits-4-12", 1, "no S in the top left"),
    ("edits-4-13", 0, "The rising diagonal is complete, from the bottom left to the top right"),
    ("edits-4-13", 1, "Rows 2 and 3 are empty"),
    ("edits-4-14", 0, "lower left triangle, no cell missing"),
    ("edits-4-14", 1, "bottom row has letters only at the ends"),
    ("edits-4-15", 0, "fifteen Gs"),
    ("edits-4-15", 1, "the last row is complete but the top right corner is empty"),
    ("edits-4-16", 0, "It has both verticals complete: the first and the last column are full."),
    ("edits-4-16", 1, "Column 5 has N's only in rows 1, 3 and 4."),
    ("edits-4-17", 0, "Symmetrical, and the middle row is completely full"),
    ("edits-4-17", 1, "only one D in the second row, left of the middle"),
    ("edits-4-18", 0, "Here all the cells of the first row are taken and the last row holds one letter."),
    ("edits-4-18", 1, "2 X's in the first row, the 2nd and the last"),
    (
        "edits-4-18",
        2,
        "Row 1: X X _ X _, Row 2: _ _ _ _ _, Row 3: _ _ X X _, Row 4: _ X _ _ _, Row 5: _ _ _ _ _",
    ),
    ("3x3-1", 0, "diagonal from bottom left to top right only, 3 Us"),
    ("3x3-1", 2, "two letters in the bottom row"),
    ("3x3-2", 0, "only the bottom right corner is empty"),
    ("3x3-3", 0, "the last row is empty"),
    ("3x3-3", 1, "the last row has just one V, on the right"),
    ("3x3-5", 0, "a vertical line down the middle column"),
    ("3x3-6", 2, "the bottom left corner is the only empty cell"),
    ("3x3-8", 1, "a square frame with a hole in the middle"),
    ("4x4-5", 1, "the bottom row has H in columns 1 and 3"),
    ("4x4-8", 1, "the third row has Q Q Q and then an empty cell"),
    ("6x6-1", 0, "Only the main diagonal is filled"),
    ("6x6-2", 0, "all rows but the last are full"),
    ("6x6-4", 0, "second column and third row are full, everything else is empty"),
    ("6x6-5", 0, "All the cells are filled except the top right corner"),
    ("6x6-7", 0, "every row is full except the fourth, which is empty"),
    ("7x7-2", 3, "row 4 has a single S at the far right"),
    ("7x7-3", 3, "Row 5 has C in the first and the fifth column."),
    ("7x7-7", 2, "two extra E's in the first column, in rows 3 and 7"),
    ("7x7-7", 0, "exactly two full rows and five empty rows"),
    (
        "8x8-3",
        2,
        "the second column has a gap in the second row from the top and there is a letter in the last column",
    ),
    ("8x8-4", 2, "third row from the bottom has S in columns 4 and 5"),
    ("10x10-2", 1, "the eighth row is full"),
    ("10x10-4", 0, "All rows are full except row 8, which has no letters"),
    (
        "10x10-4",
        2,
        "row 5 is missing its fourth letter and the second to last row is missing its ninth letter",
    ),
]
# Every third one of the same batch. Its failures were not looked at, but the parser was planned with the
# batch in mind, so its 0.987 at first sight flatters; the two sets below are the better estimate.
HELD_OUT: list[Said] = [
    ("edits-2-01", 1, "The third row has P in columns 1, 3 and 4 only."),
    ("edits-2-02", 1, "the bottom left corner is missing and there's a gap in the middle of the first row"),
    ("edits-2-03", 1, "An N shape missing the top left corner and the first cell of the fourth row."),
    ("edits-2-04", 1, "No letter in the center cell, and the fourth cell of the bottom row is missing."),
    ("edits-2-05", 0, "A ring of O's with no gaps: top and bottom rows have three O's each."),
    ("edits-2-06", 0, "Staircase with all steps complete, row n has n letters, so the last row has five Ls."),
    ("edits-2-07", 0, "A heart: two V's in the top row, rows two and three are full."),
    ("edits-2-08", 0, "Rows 1, 3 and 5 are full, rows 2 and 4 are empty."),
    (
        "edits-2-08",
        0,
        "The target grid consists of five rows. The first row is completely filled with the letter H, the second row is empty, the third row is completely filled with H, the fourth row is empty, and the fifth row is completely filled with H.",
    ),
    ("edits-2-09", 2, "The second row contains only one W."),
    ("edits-2-10", 1, "The first cell in the first row is empty."),
    ("edits-2-11", 1, "no U in the top right corner"),
    (
        "edits-2-12",
        1,
        "Second row: only the second cell has an S. Fourth row: only the fourth cell has an S.",
    ),
    ("edits-2-13", 0, "Filled diamond shape made of the letter D, 13 letters in total."),
    ("edits-2-14", 0, "Both diagonals are filled, making a big X."),
    ("edits-2-15", 0, "Four 2x2 blocks of E's, one in each corner, nothing missing"),
    ("edits-2-16", 0, "A plus sign: the third row and the third column are completely filled with A"),
    (
        "edits-2-16",
        1,
        "In the center row, the two leftmost cells are empty while the remaining three cells are filled with the letter A.",
    ),
    ("edits-2-17", 2, "last row complete, but in both the third and fourth rows the fourth column is empty"),
    ("edits-2-18", 2, "the bottom row reads Z Z empty empty Z"),
    ("edits-4-01", 2, "the left column is completely empty"),
    ("edits-4-02", 2, "The bottom row has two letters, in the 2nd and 4th positions"),
    (
        "edits-4-03",
        2,
        "bottom right corner is empty. The third row has P's in the first, third and fifth columns.",
    ),
    ("edits-4-04", 2, "The first row has a single B, in the second column"),
    ("edits-4-05", 2, "In row 2 the fourth cell is empty."),
    ("edits-4-06", 2, "the last row is empty"),
    ("edits-4-07", 2, "The left side of the cross is gone: the first column is empty"),
    ("edits-4-08", 2, "4th row has no letters at all"),
    ("edits-4-09", 2, "Row three alternates A, empty, A, empty, A"),
    ("edits-4-10", 2, "The top row has only one W, at the far left."),
    ("edits-4-11", 2, "bottom right corner missing"),
    ("edits-4-12", 2, "the final row has just one S, at the very beginning"),
    ("edits-4-13", 2, "In the top row every other letter is missing: Z blank Z blank Z"),
    ("edits-4-14", 2, "fourth row has two Ls"),
    ("edits-4-15", 2, "Bottom row: G, empty, G, empty, empty"),
    ("edits-4-16", 2, "no letter in the very center"),
    (
        "edits-4-17",
        2,
        "This grid shows D's in column 3 of the first row, columns 3 and 4 of the second row, columns 1, 2, 3 and 5 of the third row, and columns 2 and 4 of the fourth row. All remaining cells are blank.",
    ),
    ("edits-4-18", 2, "the second row is empty, as is the bottom one"),
    ("3x3-1", 1, "the top row is empty, U, U"),
    ("3x3-2", 2, "two cells of the first row are filled: the left one and the right one"),
    ("3x3-4", 0, "The whole grid is filled."),
    ("3x3-7", 1, "top row has only a D on the left"),
    ("4x4-7", 0, "everything is empty except the last row, which is full"),
    ("6x6-1", 2, "diagonal plus two extra letters: one in row 3, column 5 and one in row 4, column 1"),
    ("6x6-4", 2, "there's an additional Z at the fifth position of the top row"),
    ("6x6-8", 2, "the second column has exactly one letter"),
    ("7x7-5", 0, "columns 1, 2, 4 and 6 are full, and the other columns are empty"),
    ("8x8-1", 1, "In the fourth row, the first cell is filled"),
    ("10x10-1", 1, "bottom right corner has a letter"),
    ("10x10-4", 1, "row 8 has one letter, in the second column"),
]
# Written afterwards in other words: 0.83 at first sight (one was ambiguous and has been reworded), then
# developed on.
FRESH: list[Said] = [
    ("edits-2-01", 1, "3 letters in the middle row; second and fifth cells of it are blank"),
    ("edits-2-01", 0, "P at (1,1), (2,2), (3,1), (3,2), (3,3), (3,4), (3,5), (4,4), (5,5)"),
    ("edits-2-02", 2, "This is the one with no X in the upper right-hand corner."),
    ("edits-2-03", 1, "First column: the 1st and 4th boxes are empty, the rest have Ns."),
    ("edits-2-04", 1, "Picture frame made of Ks, nothing in the centre, and one hole in the bottom edge."),
    ("edits-2-05", 2, "There's no O on the right side of the second row."),
    ("edits-2-06", 2, "L in rows 1, 2, 4 and 5 of the first column, but not in row 3."),
    ("edits-2-07", 1, "the heart's left bump is missing, i.e. row 1 column 2 is empty"),
    ("edits-2-08", 2, "Middle row is missing the middle letter"),
    (
        "edits-2-09",
        1,
        "All columns with letters are full except for the last one, which only has letters in the bottom three rows.",
    ),
    ("edits-2-10", 2, "in the first row the second letter isn't there"),
    ("edits-2-11", 0, "Perfect U; no letters missing from the corners"),
    ("edits-2-11", 2, "The bottom row has U's in the three middle cells only."),
    ("edits-2-12", 1, "Both the second and the fourth row contain just one S"),
    ("edits-2-13", 2, "The second line has one D and the third line has five D's"),
    ("edits-2-14", 2, "There are no Ts in the two right corners"),
    ("edits-2-15", 1, "top row: two E's on the right, one on the left"),
    ("edits-2-16", 1, "like a plus without its left arm"),
    ("edits-2-17", 2, "Column four: G's in the second and last row only"),
    ("edits-2-18", 1, "Row 1 = Z, gap, Z, Z, Z"),
    (
        "edits-4-01",
        1,
        "5th column has O's in rows 3 and 4, and the bottom row has exactly one O, in the middle",
    ),
    ("edits-4-02", 2, "the one which has just 2 letters in its last row"),
    ("edits-4-03", 0, "it's the only grid with nine P's"),
    ("edits-4-04", 1, "In the bottom two rows, only the final column is filled."),
    ("edits-4-05", 2, "all four corners... no: the top right and the two bottom corners are empty"),
    ("edits-4-06", 1, "row 3 → V at each end and nothing between"),
    ("edits-4-07", 1, "The top right corner is the only corner that is not filled."),
    ("edits-4-08", 2, "Both the top left corner and the whole fourth row are empty."),
    ("edits-4-09", 2, "five As, including the bottom middle cell"),
    ("edits-4-10", 1, "Only the middle column is complete from top to bottom."),
    ("edits-4-11", 1, "two consecutive empty cells in the top row, at positions 2 and 3"),
    ("edits-4-12", 2, "The centre is empty."),
    ("edits-4-13", 0, "Full top row, full bottom row, and a diagonal connecting them"),
    ("edits-4-14", 1, "The last row has an L in the first and last cell and three empty cells in between."),
    ("edits-4-15", 2, "Row 5 has only two letters, row 4 has four letters"),
    ("edits-4-16", 2, "The last column isn't filled in row three."),
    ("edits-4-17", 2, "Right half of the second row is filled but the left half is not"),
    ("edits-4-18", 1, "Second row from the top: X only at the end. First row: X's at 2 and 5."),
    ("3x3-2", 1, "Two opposite corners at the left are empty and so is the bottom right one"),
    ("3x3-5", 1, "S in the top left cell, the middle cell and the bottom middle cell"),
    ("3x3-6", 1, "the first row has no letters"),
    ("3x3-7", 2, "the middle row is full"),
    ("3x3-8", 2, "bottom row: empty, H, H"),
    ("4x4-2", 2, "a letter in the bottom right corner"),
    ("4x4-3", 1, "The bottom left corner is unoccupied and row two has two adjacent Us in its middle."),
    ("4x4-6", 2, "Third row has three Ns in a row, starting from the second cell."),
    ("6x6-3", 1, "The bottom right corner and the cell left of the top right corner are filled"),
    ("6x6-6", 1, "besides the staircase there is an R in row 2, column 5"),
    ("6x6-7", 2, "the second-to-last row and the second row each have a hole in column 5"),
    ("7x7-1", 2, "Row 1 has four letters in total."),
    ("7x7-4", 1, "an extra J at the right end of the fifth row"),
    ("7x7-6", 3, "There's an U in the bottom right-hand corner as well as in the bottom left-hand corner"),
    ("8x8-2", 1, "the fourth column has a single N in the last row"),
    ("8x8-1", 2, "leftmost column contains 2 letters, in the second and the last row"),
    (
        "10x10-3",
        2,
        "Row 5 is completely filled, unlike in the other grids. Row 10 lacks a letter in column 7.",
    ),
    ("10x10-1", 2, "on the ninth column there are 2 U, one in row 2 and one in row 6"),
]
# Written after that: 0.94 at first sight, then two of its three failures were mended.
LATEST: list[Said] = [
    (
        "edits-2-01",
        2,
        "Only 4 P's in the third row, the second position is left blank, and the very first cell of the grid is empty.",
    ),
    ("edits-2-02", 0, "The top row is unbroken and the lower left corner has an X."),
    ("edits-2-03", 2, "Upper right corner empty, center empty"),
    ("edits-2-04", 1, "it is a frame without the dot in the middle"),
    ("edits-2-05", 1, "The top row has only a single O. All other rows look like a ring."),
    ("edits-2-06", 1, "The first column has L in rows 1, 3 and 4 only."),
    ("edits-2-07", 2, "There's no V at the start of row 2."),
    ("edits-2-08", 1, "last two... well, the third row has 4 H's and the first row has 4 H's"),
    ("edits-2-09", 2, "Row two: W, then four empty cells"),
    ("edits-2-10", 1, "no letter in the top left; second row has only one letter"),
    ("edits-2-11", 1, "the left column is missing the fourth letter"),
    ("edits-2-12", 2, "the top row has S's only in the corners"),
    ("edits-2-13", 1, "Row 3 doesn't have a D in column 1"),
    ("edits-2-14", 1, "The lower-left corner is empty but the other three corners are filled."),
    (
        "edits-2-15",
        0,
        "Each of the four corners has a complete 2 by 2 block of E, the middle row and middle column are empty. 16 letters.",
    ),
    ("edits-2-16", 2, "Row 2 is completely blank."),
    ("edits-2-17", 1, "4 G's in the bottom row and two G's in the middle row"),
    ("edits-2-18", 2, "In the bottom row, the third and fourth cells are not filled"),
    ("edits-4-01", 2, "nothing on the left side; O's at the top, on the right, and two at the bottom"),
    ("edits-4-03", 1, "rows one, two and four are empty"),
    ("edits-4-05", 1, "the top row has three letters and the last row two"),
    ("edits-4-07", 2, "Just the right-hand side of the X: the two left corners are empty"),
    (
        "edits-4-09",
        1,
        "the vertical bar is only three cells tall (rows 2 to 4) and the horizontal bar lacks its left part",
    ),
    (
        "edits-4-11",
        2,
        "First row: all but the fourth cell are filled. Last row: the second and the fifth are empty.",
    ),
    ("edits-4-12", 1, "has 9 S, the four corners are all empty except the bottom left"),
    ("edits-4-14", 2, "the penultimate row has letters in the first two cells only"),
    ("edits-4-16", 1, "the rightmost column has 3 letters"),
    ("edits-4-18", 1, "the upper left corner is empty, the upper right corner is filled"),
    ("3x3-1", 0, "only one letter per row"),
    ("3x3-4", 2, "In the first row, the second and third cells are empty, all other cells are filled."),
    ("4x4-1", 1, "in the last column, there is no D in the top cell"),
    ("4x4-7", 2, "row 2 has one N, and row 4 has three"),
    ("6x6-1", 1, "top left corner is empty, and in the last row there are two S's"),
    ("6x6-4", 1, "the bottom row has two Z's, in the first two columns; the row above it is empty"),
    ("7x7-4", 2, "The second row contains just a single J, and the bottom row has a gap in column 3."),
    ("8x8-3", 1, "In row six there are 3 Ns; in row eight there's only one."),
]

LINEUPS: dict[str, tuple[Grid, ...]] = {lineup.id: lineup.grids for lineup in builtin()}
LINEUPS |= {name: tuple(map(Grid, grids)) for name, grids in MADE.items()}


def rate(said: list[Said]) -> float:
    """How often the grid that was meant is picked; a tie counts for its share."""
    chosen = [(meant + 1, best_grids_by_rule(LINEUPS[name], text)) for name, meant, text in said]
    return sum((meant in places) / len(places) for meant, places in chosen) / len(said)


@pytest.mark.parametrize(
    ("said", "least"), [(DEVELOPED, 0.99), (HELD_OUT, 0.98), (FRESH, 0.96), (LATEST, 0.97)]
)
def test_descriptions_as_people_write_them_are_understood(said: list[Said], least: float) -> None:
    assert rate(said) >= least


def test_one_letter_lineups_are_distinguished_without_looking_at_places() -> None:
    """The same grids in another order: the same grid is picked."""
    for name, _, text in DEVELOPED:
        grids = LINEUPS[name]
        forwards = {grids[place - 1] for place in best_grids_by_rule(grids, text)}
        backwards = {grids[::-1][place - 1] for place in best_grids_by_rule(grids[::-1], text)}
        assert forwards == backwards


def success(lineups: list[Lineup]) -> float:
    async def one(lineup: Lineup) -> Result | None:
        players: dict[str, Player] = {"giver": ReferenceGoldPlayer(), "follower": RuleFollower()}
        events = [event async for event in play(pack.new(), lineup, players, seed=3, clock=lambda: 0.0)]
        result: Result | None = getattr(events[-1], "result", None)
        return result

    results = [asyncio.run(one(lineup)) for lineup in lineups]
    return sum(result.score for result in results if result) / len(lineups)


def test_the_gold_giver_is_always_understood_on_the_builtin_set() -> None:
    assert success(builtin()) == 1.0


@pytest.mark.parametrize("fill", [False, True])
@pytest.mark.parametrize("size", [3, 5, 12])
def test_the_gold_giver_is_always_understood_on_made_lineups(size: int, fill: bool) -> None:
    assert success(make(LineupRecipe(seed=1, n=24, size=size, fill=fill))) == 1.0


@given(
    st.integers(3, 12).flatmap(
        lambda n: st.lists(st.text("AI.X", min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_gold_giver_is_understood_of_any_grid_and_any_of_its_neighbours(rows: list[str]) -> None:
    grid = Grid.from_rows(rows)
    others = [
        grid.with_cell(cell, "." if cell in grid.letters_by_cell else "X") for cell in grid.iter_cells()
    ]
    assert best_grids_by_rule((grid, *others[:8]), describe_gold_grid(grid)) == [1]


WORDS = re.findall(
    r"[^ ]+",
    "row rows column columns the first last second X's X A ▢ . , ; : ( ) 1 2 13 0 - to and but except only "
    "not no empty filled corner top left middle other everything else every of in from bottom cells three "
    "two diagonal symmetric most n't \n which",
)


@given(
    st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)),
    st.integers(3, 12),
)
def test_no_text_makes_it_fail(text: str, size: int) -> None:
    grids = tuple(Grid.from_cells(size, [(1, 1), (size, i)], "X") for i in (1, 2, 3))
    assert set(best_grids_by_rule(grids, text)) <= {1, 2, 3}


@pytest.mark.parametrize(
    "piece",
    [
        "row 1, ",
        "the first, ",
        "X . ",
        "((1,",
        "not ",
        "1,2 and ",
        "a",
        " ",
        "\n",
        "- ",
        "X X ",
        "row 1 has X in column 2 and ",
    ],
)
def test_long_texts_are_read_to_their_end(piece: str) -> None:
    """One that made the patterns backtrack would not come back."""
    assert best_grids_by_rule(builtin()[0].grids, (piece * 10_000)[:10_000])


def test_what_was_not_understood_is_guessed_by_the_seed() -> None:
    view = FollowerView(builtin()[0].grids, "no idea, sorry", None)
    asks = [Ask("e", "follower", view, (), None, seed) for seed in range(30)]
    replies = [asyncio.run(RuleFollower().act(ask)).moves for ask in asks]
    assert {moves for moves in replies if moves} == {(Pick(1),), (Pick(2),), (Pick(3),)}
    assert replies == [asyncio.run(RuleFollower().act(ask)).moves for ask in asks]


def test_it_only_follows() -> None:
    game = pack.new()
    assert make_reference_rule(Seat(pack=pack, game=game, role="follower", name="rule")).name == "rule"
    assert load(pack.players["rule"]) is make_reference_rule
    with pytest.raises(Problem, match="follower=rule"):
        make_reference_rule(Seat(pack=pack, game=game, role="giver", name="rule"))
