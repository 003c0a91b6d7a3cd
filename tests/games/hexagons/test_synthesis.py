"""Short programs that are found for given tiles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundling.boards.hexes import COLOURS, TILES, Board, Tile
from groundling.games.hexagons.program import format_program, interpret_actions, parse_statements, run_program
from groundling.games.hexagons.program.synthesis import (
    divide_into_steps,
    synthesize_layers,
    synthesize_program,
)

painted = st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS), max_size=60)
boards = st.lists(st.sampled_from("01234567"), min_size=180, max_size=180).map("".join).map(Board)


@settings(deadline=None)
@given(painted, boards)
def test_a_found_program_paints_these_tiles_and_no_others_on_any_board(
    wanted: dict[Tile, str], board: Board
) -> None:
    program = synthesize_program(wanted)
    assert {(row, column): colour for row, column, colour in interpret_actions(program, board)} == wanted
    assert parse_statements(format_program(program)) == program


@pytest.mark.parametrize(
    "text",
    [
        "paint red 3,5",
        "paint red line 3,5 down 3",
        "paint blue line 7,9 up-right 4",
        "paint green line 4,2 right 6",
        "paint green line 6,2 down until edge",
        "paint red column 4",
        "paint red row 4",
        "paint yellow flower 5,5",
        "paint yellow ring 5,9 2",
        "paint yellow disc 5,9 2",
        "paint black outline (triangle 2,8 down 4)",
        "at 2,3 6,9 3,14:\n    paint purple flower here",
        "at 1,1 1,3 1,7:\n    paint orange line here down 2",
        "paint red flower 5,5\npaint blue flower 5,10",
    ],
)
def test_a_figure_is_found_again_from_its_tiles(text: str) -> None:
    actions = interpret_actions(parse_statements(text), Board.empty())
    assert format_program(synthesize_program({(row, column): name for row, column, name in actions})) == text


@settings(deadline=None, max_examples=30)
@given(st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS[1:5]), max_size=40))
def test_layers_paint_the_picture(wanted: dict[Tile, str]) -> None:
    program = synthesize_layers(wanted)
    assert run_program(program).painted_tiles() == wanted
    assert parse_statements(format_program(program)) == program


@pytest.mark.parametrize(
    "text",
    [
        "paint red disc 5,9 2\npaint blue 5,9",
        "paint green column 4\npaint yellow row 6",
        "at 3,2:\n    repeat 3 down 3:\n        paint red line here right 3",
    ],
)
def test_layers_find_what_was_painted_over_and_what_repeats(text: str) -> None:
    assert format_program(synthesize_layers(run_program(parse_statements(text)).painted_tiles())) == text


def test_steps_have_few_figures_of_one_colour_and_paint_the_same() -> None:
    text = (
        "paint red line 1,1 down 4\npaint red 8,3 8,5\n"
        "at 2,7 2,10 2,13 2,16 7,10:\n    paint blue flower here\npaint blue 10,18"
    )
    steps = [format_program(one).splitlines() for one in divide_into_steps(parse_statements(text))]
    assert steps == [
        ["paint red line 1,1 down 4", "paint red 8,3 8,5"],
        ["at 2,7 2,10 2,13:", "    paint blue flower here"],
        ["at 2,16 7,10:", "    paint blue flower here", "paint blue 10,18"],
    ]
    board = Board.empty()
    for step in divide_into_steps(parse_statements(text)):
        board = run_program(step, board)
    assert board == run_program(parse_statements(text))
