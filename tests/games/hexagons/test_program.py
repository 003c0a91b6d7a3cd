from contextlib import suppress
from textwrap import dedent

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import (
    AXES,
    TILES,
    Board,
    is_on_lattice,
    lattice_disc,
    lattice_line,
    lattice_ray,
    lattice_rhombus,
    lattice_ring,
    lattice_triangle,
    make_mirror,
    make_rotation,
    neighbours,
)
from groundling.games.hexagons.program import (
    Program,
    ProgramError,
    format_program,
    interpret_actions,
    interpret_program,
    language_reference,
    parse_statements,
    run_program,
)
from groundling.games.hexagons.program.expansion import expand_program

from .programs import programs


def drawn(text: str, board: Board | None = None) -> Board:
    return run_program(parse_statements(dedent(text)), board)


@pytest.mark.no_cover
@given(programs)
def test_the_text_of_a_program_is_read_back(program: Program) -> None:
    assert parse_statements(format_program(program)) == program


@pytest.mark.no_cover
@given(programs)
def test_a_program_survives_json(program: Program) -> None:
    assert msgspec.json.decode(msgspec.json.encode(program), type=Program) == program


@pytest.mark.no_cover
@given(programs)
def test_a_program_paints_tiles_of_the_board_or_says_why_not(program: Program) -> None:
    try:
        drawing = interpret_program(program)
    except ProgramError:
        return
    painted: dict[tuple[int, int], str] = {}
    for row, column, colour in drawing.all_actions:
        assert is_on_lattice((row, column))
        painted[row, column] = colour
    assert (
        Board.from_tiles({tile: colour for tile, colour in painted.items() if colour != "white"})
        == drawing.board
    )


WORDS = [
    "paint ",
    "red ",
    "line ",
    "at ",
    "1,2 ",
    "repeat ",
    "up ",
    ":",
    "\n",
    "\n  ",
    "with ",
    "= ",
    "here ",
    "( ",
    ") ",
    "where ",
    "3 ",
    "- ",
]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ProgramError):
        parse_statements(text)


def test_the_flowers_of_the_first_figure() -> None:
    board = drawn("""
        at 2,2:
            repeat 4 right 4 by 3 down 3 with petal = red yellow, heart = green blue:
                paint petal flower here
                paint heart here
    """)
    assert board.painted_count == 12 * 7
    for row in range(3):
        for column in range(4):
            centre = (2 + 3 * row, 2 + 4 * column)
            petal, heart = ("red", "green") if (row + column) % 2 == 0 else ("yellow", "blue")
            assert board.colour_at(centre) == heart
            assert {board.colour_at(tile) for tile in neighbours(*centre)} == {petal}


@pytest.mark.parametrize(
    ("shape", "tiles"),
    [
        ("5,9", [(5, 9)]),
        ("5,9 6,9", [(5, 9), (6, 9)]),
        ("tiles 5,9", [(5, 9)]),
        ("(5,9 up 2 right 3)", [(3, 12)]),
        ("line 5,9 up-right 3", lattice_line((5, 9), "up-right", 3)),
        ("line 5,9 right 4", [(5, 9), (5, 10), (5, 11), (5, 12)]),
        ("line 5,9 left until edge", [(5, column) for column in range(1, 10)]),
        ("line 5,9 to 5,9", [(5, 9)]),
        ("line 2,3 to 6,3", [(row, 3) for row in range(2, 7)]),
        ("line 5,9 down-left until edge", lattice_ray((5, 9), "down-left")),
        ("line 5,9 up until row 2", [(5, 9), (4, 9), (3, 9)]),
        ("ring 5,9 2", lattice_ring((5, 9), 2)),
        ("disc 5,9 2", lattice_disc((5, 9), 2)),
        ("flower 5,9", list(neighbours(5, 9))),
        ("triangle 5,9 up 3", lattice_triangle((5, 9), "up", 3)),
        ("rhombus 5,9 down 3", lattice_rhombus((5, 9), "down", 3)),
        ("rhombus 5,9 down 2 x 4", lattice_rhombus((5, 9), "down", 2, 4)),
        ("column 4", [(row, 4) for row in range(1, 11)]),
        ("row 4", [(4, column) for column in range(1, 19)]),
        ("board", list(TILES)),
        ("border", [tile for tile in TILES if len(neighbours(*tile)) < 6]),
        ("outline (disc 5,9 2)", lattice_ring((5, 9), 2)),
        ("around (disc 5,9 1)", lattice_ring((5, 9), 2)),
        ("inside (ring 5,9 2)", lattice_disc((5, 9), 1)),
        ("inside (disc 5,9 2)", []),
        ("inside (ring 5,9 2 where not in 3,9)", []),
        ("inside (column 1 plus column 3)", []),
        ("ring 5,9 1 moved right 4", lattice_ring((5, 13), 1)),
        ("5,9 5,10 moved right 1", [(5, 10), (6, 11)]),
        ("column 1 plus column 2 moved down-right 1", [(r, c) for c in (2, 3) for r in range(c - 1, 11)]),
        ("(row 2 where column > 16) moved down 1 left 2", [(3, 15), (3, 16)]),
        ("row 3 moved up 1 where column < 3", [(2, 1), (2, 2)]),
        ("column 1 plus column 3", [(row, column) for column in (1, 3) for row in range(1, 11)]),
        ("column 4 where row odd", [(row, 4) for row in range(1, 11, 2)]),
        ("row 2 where column > 3 and not column > 5 or column = 18", [(2, 4), (2, 5), (2, 18)]),
        ("column 4 where in (ring 5,4 2)", [(3, 4), (7, 4)]),
    ],
)
def test_shapes_have_their_tiles(shape: str, tiles: list[tuple[int, int]]) -> None:
    assert drawn(f"paint red {shape}") == Board.from_tiles(dict.fromkeys(tiles, "red"))


def test_colours_take_turns_along_a_shape() -> None:
    board = drawn("paint red - blue line 1,1 down 6", Board.from_tiles({(2, 1): "green"}))
    assert board == Board.from_tiles(
        {(1, 1): "red", (2, 1): "green", (3, 1): "blue", (4, 1): "red", (6, 1): "blue"}
    )


def test_conditions_look_at_what_is_painted() -> None:
    keys = drawn("paint red blue blue red line 1,1 right 4")
    board = drawn(
        """
        at board where red:
            paint green line (here down 1) down 5
        at board where blue:
            paint yellow line (here down 1) down 2
        """,
        keys,
    )
    assert [board.colour_at((4, column)) for column in range(1, 5)] == ["green", "white", "white", "green"]
    assert [board.colour_at((3, column)) for column in range(1, 5)] == ["green", "yellow", "yellow", "green"]
    assert drawn(
        "paint orange board where up is red", keys
    ).painted_tiles().keys() - keys.painted_tiles() == {(2, 1), (2, 4)}
    assert (
        drawn("paint orange board where white and touching 2 or more painted", keys).colour_at((2, 2))
        == "white"
    )
    assert drawn(
        "paint orange board where white and touching 2 blue", keys
    ).painted_tiles().keys() - keys.painted_tiles() == {(2, 3)}


def test_lines_stop_before_what_they_meet() -> None:
    board = Board.from_tiles({(6, 2): "red"})
    assert drawn("paint blue line 1,2 down until red", board).painted_count == 1 + 5
    assert drawn("paint blue line 1,2 down until painted", board).painted_count == 1 + 5
    assert drawn("paint blue line 1,2 down until green", board).painted_count == 10
    assert drawn("paint blue line 6,2 down until red", board).colour_at((6, 2)) == "blue", (
        "the first tile is always part of it"
    )


def test_a_repeat_until_the_edge_draws_only_whole_copies() -> None:
    board = drawn("repeat until edge right 4:\n    paint red flower 2,2")
    assert board.painted_count == 6 * 4
    assert not interpret_program(
        parse_statements("repeat until edge right 4:\n    paint red flower 2,2")
    ).is_clipped
    assert (
        drawn(
            "repeat until blue right 4:\n    paint red flower 2,2", Board.from_tiles({(2, 10): "blue"})
        ).painted_count
        == 1 + 6 * 4
    )
    assert (
        drawn(
            "repeat until blue right 4:\n    paint red disc 2,2 1", Board.from_tiles({(2, 10): "blue"})
        ).painted_count
        == 1 + 7 * 2
    )


def test_counters_make_patterns_grow() -> None:
    board = drawn("""
        at 10,1:
            repeat 4 right 2 counting n from 2 step 2:
                paint red line here up n
    """)
    assert board == Board.from_tiles({(10 - k, 1 + 2 * i): "red" for i in range(4) for k in range(2 + 2 * i)})


@pytest.mark.parametrize("axis", AXES)
def test_mirrors_draw_both_halves(axis: str) -> None:
    half = "paint red line 5,9 up 3\n    paint blue 6,12"
    board = drawn(f"mirror {axis} about 5,9:\n    {half}")
    flip = make_mirror([(5, 9)], axis)
    assert {flip(tile): colour for tile, colour in board.painted_tiles().items()} == board.painted_tiles()
    assert drawn(f"paint red line 5,9 up 3\npaint blue 6,12\nmirror {axis} about 5,9") == board


@pytest.mark.parametrize("times", [2, 3, 6])
def test_rotations_go_all_the_way_round(times: int) -> None:
    board = drawn(f"rotate {times} about 5,9:\n    paint red line (5,9 up 2) up-right 2")
    turn = make_rotation([(5, 9)], 6 // times)
    assert board.painted_count == 2 * times
    assert {turn(tile) for tile in board.painted_tiles()} == set(board.painted_tiles())
    assert (
        drawn(
            f"paint red line (5,9 up 2) up-right 2\nrotate {times} about 5,9 of (ring 5,9 2 plus ring 5,9 3)"
        )
        == board
    )


def test_copies_can_differ_in_colour() -> None:
    board = drawn("rotate 3 about 5,9 with c = red blue green:\n    paint c (5,9 up 1)")
    assert board == Board.from_tiles({(4, 9): "red", (5, 10): "blue", (5, 8): "green"})


def test_recolouring_exchanges_colours() -> None:
    board = drawn("paint red blue line 1,1 down 4")
    swapped = drawn("recolour red to blue, blue to red", board)
    assert [swapped.colour_at((row, 1)) for row in range(1, 5)] == ["blue", "red", "blue", "red"]
    assert drawn("recolour red to blue of row 1", board).colour_at((3, 1)) == "red"
    assert drawn("recolour red to blue, blue to red:\n    paint red blue line 1,1 down 4") == swapped


def test_growth_adds_layers() -> None:
    assert drawn("grow 3 red blue from 5,9").painted_count == 6 + 12 + 18
    board = drawn("paint black 5,9\ngrow 2 red from 5,9 where touching 1 painted")
    assert board.painted_count == 1 + 6 + 6, "only the tiles straight on touch one painted tile"


def test_definitions_call_themselves() -> None:
    board = drawn("""
        define arm(n, c):
            if n > 0:
                paint c line here up n
                at (here up n):
                    turn 1:
                        arm(n-1, c)
        at 8,9:
            arm(5, green)
    """)
    assert board.painted_count == 5 + 4 + 3 + 2 + 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("define a():\n    a()\na()", "does not end: a calls itself"),
        ("at board:\n    at board:\n        paint red board", "does not end: stopped after"),
        ("paint red board where in (board where in (board where in board))", "does not end: stopped after"),
        ("repeat 1000 up 1:\n    paint red here", "at most 200 copies"),
        ("repeat until edge up 0:\n    paint red 5,5", "does not end: stopped after 200 copies"),
        ("paint pink 1,1", "no colour 'pink'"),
        ("paint red 11,3", "line 1: row 11, column 3 is off the board"),
        ("paint red ring 5,5 500", "a size is 0 to 40"),
        ("paint red triangle 5,5 right 3", "a side cannot run right"),
        ("paint red line 1,1 to 1,3", "no straight line"),
        ("paint red line 1,1 sideways 3", "line 1: expected a heading"),
        ("fill red 1,1", "line 1: expected a statement"),
        ("paint red 1,1 blue", "line 1: expected the end of the line, found 'blue'"),
        ("paint red 1,1:\n    paint red 1,2", "line 1: nothing can be indented below"),
        ("at 1,1:", "line 1: a colon is followed by indented lines"),
        ("at 1,1", "line 1: this statement needs others"),
        ("paint red 1,1\n    paint red 1,2", "line 2: this line is indented more"),
        ("  paint red 1,1\npaint red 1,2", "line 2: this line is indented less"),
        ("rotate 4 about 5,5:\n    paint red 1,1", "line 1: a rotation has 2, 3 or 6 copies"),
        ("rotate 6 about 5,5 5,6", "does not take tiles to tiles"),
        ("leaf(3)", "nothing called 'leaf'"),
        ("define leaf(n):\n    paint red here\nleaf()", "leaf takes 1 arguments, not 0"),
        ("paint red ring 5,5 n", "'n' is not the name of a number"),
        ("repeat until edge up 1 by until edge right 1:\n    paint red 5,5", "only one axis"),
        ("paint red $", "line 1: what is '\\$'"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_with_a_reason(text: str, complaint: str) -> None:
    with pytest.raises(ProgramError, match=complaint):
        run_program(parse_statements(text))


@pytest.mark.no_cover
@given(programs)
def test_a_program_written_out_draws_the_same(program: Program) -> None:
    try:
        plain, board = expand_program(program), run_program(program)
    except ProgramError:
        return
    assert "define" not in format_program(plain)
    assert run_program(plain) == board


def test_calls_are_written_out_with_their_arguments() -> None:
    arm = "define arm(n, c):\n    if n > 0:\n        paint c line here up n\n        arm(n-1, c)\n"
    text = arm + "at 8,9:\n    arm(2, green)"
    assert (
        format_program(expand_program(parse_statements(text)))
        == "at 8,9:\n    paint green line here up 2\n    paint green line here up 1"
    )


@pytest.mark.parametrize(
    "text",
    [
        "leaf()",
        "define a():\n    a()\na()",
        "repeat 2 up 1 counting n:\n    if n > 1:\n        paint red here",
    ],
)
def test_what_cannot_be_written_out_is_refused(text: str) -> None:
    with pytest.raises(ProgramError):
        expand_program(parse_statements(text))


def test_what_lies_off_the_board_is_clipped() -> None:
    program = parse_statements("paint red ring 1,1 1")
    assert run_program(program).painted_tiles().keys() == neighbours(1, 1)
    assert interpret_program(program).is_clipped
    assert len(interpret_actions(program)) == 2


def test_the_reference_fits_a_prompt_and_is_true() -> None:
    lines = language_reference().splitlines()
    assert len(lines) <= 40
    for statement in (
        "paint red - blue line 1,1 down 10",
        "recolour red to blue, blue to red",
        "grow 3 red blue from 5,9",
    ):
        assert statement.replace("5,9", "SHAPE") in language_reference()
        run_program(parse_statements(statement))
