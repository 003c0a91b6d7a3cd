"""People's programs in our drawing language. The programs and their library are not part of the project."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest
from papers.hexagons.people_programs import parse_steps
from papers.hexagons.program_translator import (
    FOLDER,
    STEP,
    ProgramTranslator,
    mark_program_steps,
    run_statements,
)

from groundling.games.hexagons.neural.procedures import BLANK, Procedure, StepProgram, read_procedures
from groundling.games.hexagons.program import parse_statements, run_program

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[3] / "shared" / "data")) / "hexagons"
OURS = """
with Game() as g:
    '''
    1. Paint a flower around a tile.
    '''
    Tile(5, 5).neighbors().draw('red')
    '''2. Paint a line down, and one more tile.'''
    line = Line(start_tile=Tile(2, 9), direction='down', length=4)
    line.draw('blue')
    Tile(1, 1).draw('green')
    '''3. Paint all that is blue black.'''
    Shape.get_color('blue').draw('black')
    '''4. Copy the line and the tile beside it, and paint more lines.'''
    tile = Tile(2, 10)
    tile.draw('red')
    (line + tile).copy_paste(shift_direction='right', spacing=2)
    line.grid(shift_direction='down_left', spacing=1, num_copies=2)
    '''5. Surround two tiles, fill them, copy what surrounds them in orange, and go on below and above.'''
    zero = Shape([Tile(8, 3), Tile(9, 3)]).neighbors()
    zero.draw('purple')
    zero.neighbors(criterion='inside').draw('green')
    copy = zero.copy_paste(shift_direction='right', spacing=1)
    copy.draw('orange')
    Tile(5, 18).get(criterion='below').draw('yellow')
    Shape.get_color('black').neighbors(criterion='above').draw('blue')
"""
TRANSLATED = [
    "paint red around (5,5)",
    "paint blue line 2,9 down 4\npaint green 1,1",
    "paint black board where blue",
    "paint red 2,10\n"
    "repeat 2 right 4:\n    paint black 2,9 3,9 4,9 5,9\n    paint red 2,10\n"
    "repeat 3 down-left 2:\n    paint black line 2,9 down 4",
    "paint purple around (8,3 9,3)\n"
    "paint green inside (around (8,3 9,3))\n"
    "paint orange (around (8,3 9,3)) moved right 4\n"
    "paint yellow line (5,18 down 1) down until edge\n"
    "paint blue (board where black) moved up 1 where not in (board where black)",
]


def test_texts_that_begin_with_a_number_are_steps() -> None:
    marked = ast.unparse(mark_program_steps("'''\n2. Go.\n'''\n'no step'\nx = '3. no statement'"))
    assert marked == f"{STEP}(2)\n'no step'\nx = '3. no statement'"


def test_a_step_is_right_where_it_leads_from_gold_board_to_gold_board() -> None:
    after = run_program(parse_statements("paint red 3,5")).cells
    procedure = Procedure("7", "image", ("Paint it.",), (BLANK, after))
    assert StepProgram("7", 1, "paint red 3,5").is_right(procedure)
    assert not StepProgram("7", 1, "paint red 3,6").is_right(procedure)
    assert not StepProgram("7", 1, "paint red line 3,5 down 99").is_right(procedure)
    assert not StepProgram("7", 2, "paint red 3,5").is_right(procedure)


def test_the_parser_gives_programs_for_steps() -> None:
    after = run_program(parse_statements("paint red 3,5")).cells
    texts = ("Paint the 3rd tile of the 5th column red.", "Thank you kindly.")
    found = list(parse_steps(Procedure("7", "image", texts, (BLANK, after, after))))
    assert found == [StepProgram("7", 1, "paint red 3,5"), StepProgram("7", 2, "")]


@pytest.fixture(scope="module")
def translator() -> ProgramTranslator:
    if not (REAL / FOLDER).is_dir():
        pytest.skip("people's programs are not here: GROUNDLING_DATA names the folder of the data")
    return ProgramTranslator(REAL / FOLDER)


def test_calls_become_statements_that_name_the_same_shapes(translator: ProgramTranslator) -> None:
    source = "from hexagen import Game, Tile, Shape, Line, Circle, Triangle\n" + OURS
    assert [program for _, program, _ in translator.translate(source)] == TRANSLATED
    assert not translator.unnamed


@pytest.mark.slow
def test_every_step_that_is_right_there_is_right_in_our_language(translator: ProgramTranslator) -> None:
    known = {one.id: one for one in read_procedures(REAL, "train")}
    lines = (REAL / FOLDER / "checked.jsonl").read_text("utf-8").splitlines()
    wanted, found = set[tuple[str, int]](), set[tuple[str, int]]()
    for checked in map(json.loads, lines):
        index = f"{checked['index']:03}"
        wanted |= {(index, step) for step in checked["right"]}
        source, board = (REAL / FOLDER / checked["file"]).read_text("utf-8"), BLANK
        for number, program, cells in translator.translate(source):
            gold = known[index].boards
            after = run_statements(program, board)  # one is too long to run
            if number < len(gold) and after == gold[number]:
                found.add((index, number))
            board = cells
    assert wanted <= found
    assert not translator.unnamed, "every call that changes the board is named"
