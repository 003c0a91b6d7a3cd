"""What is understood of what players write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import COLOURS, TILES
from groundling.core.values import Illegal, Say
from groundling.games.hexagons.moves import HexagonsMove, InstructionsDone, Next, PaintTile, Undo
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings

from .small import PLAIN

live, whole, zero = (
    HexagonsGame(settings)
    for settings in (
        HexagonsSettings(mode="live"),
        HexagonsSettings(mode="live", whole=True),
        HexagonsSettings(mode="live", base=0),
    )
)
programs = HexagonsGame(HexagonsSettings(mode="live", reply="program"))
start = live.start(PLAIN)
told = live.play(start, INSTRUCTOR, Say("one"))
RED, BLUE = PaintTile(3, 4, "red"), PaintTile(10, 18, "blue")


# The instructor


@pytest.mark.parametrize(
    "text", ["DONE", "done", "Instruction: DONE", " instruction:  Done. ", '"DONE"', "**DONE!**", "DONE\n"]
)
def test_done_is_understood_however_it_is_written(text: str) -> None:
    assert live.read(start, INSTRUCTOR, text).moves == (InstructionsDone(),)


def test_taking_back_and_saying_something_else_can_be_one_reply() -> None:
    assert live.read(start, INSTRUCTOR, "UNDO\nInstruction: two").moves == (Undo(), Say("two"))


def test_every_line_is_an_instruction() -> None:
    text = "Instruction: one\n\nInstruction:  two "
    assert live.read(start, INSTRUCTOR, text).moves == (Say("one\ntwo"),), (
        "in live play the turn is over then"
    )
    assert whole.read(start, INSTRUCTOR, text + "\nInstruction: DONE").moves == (
        Say("one"),
        Say("two"),
        InstructionsDone(),
    )


def test_where_some_lines_have_the_tag_the_others_are_talk() -> None:
    reading = live.read(start, INSTRUCTOR, "Sure! Here it is:\nInstruction: one\n```")
    assert (reading.moves, reading.dropped) == ((Say("one"),), ("Sure! Here it is:",))


def test_without_any_tag_all_lines_are_instructions() -> None:
    assert live.read(start, INSTRUCTOR, "one\ntwo").moves == (Say("one\ntwo"),)


@pytest.mark.parametrize(
    "text", ["one", "Sure!\nInstruction: one", "Instruction:", "", "```\nInstruction: one\n```"]
)
def test_strictly_every_line_has_its_tag(text: str) -> None:
    with pytest.raises(Illegal, match="Instruction:"):
        live.read(start, INSTRUCTOR, text, strict=True)


def test_a_step_and_the_end_in_one_are_refused_where_the_step_is_to_be_carried_out_first() -> None:
    with pytest.raises(Illegal, match="DONE alone"):
        live.read(start, INSTRUCTOR, "Instruction: one\nInstruction: DONE")


@given(st.text())
def test_whatever_the_instructor_says_can_be_written_and_read_again(text: str) -> None:
    for game in (live, whole):
        try:
            moves = game.read(start, INSTRUCTOR, text).moves
        except Illegal:
            continue
        assert game.read(start, INSTRUCTOR, game.write(moves), strict=True).moves == moves


# The executor


def test_a_reply_is_all_that_is_painted_in_a_step() -> None:
    for strict in (False, True):
        assert live.read(told, EXECUTOR, "3 4 red, 10 18 blue", strict=strict).moves == (RED, BLUE, Next())
        assert live.read(told, EXECUTOR, "3 4 red\n10 18 blue\n", strict=strict).moves == (RED, BLUE, Next())
        assert live.read(told, EXECUTOR, "none", strict=strict).moves == (Next(),)
        assert live.read(told, EXECUTOR, "3 4 red, more", strict=strict).moves == (RED,)
        assert zero.read(told, EXECUTOR, "2 3 red, 9 17 blue", strict=strict).moves == (RED, BLUE, Next())


@pytest.mark.parametrize(
    "text",
    [
        "3 4 Red, 10 18 BLUE",
        "(3, 4, red), (10, 18, blue)",
        "[[3, 4, 'red'], [10, 18, 'blue']]",
        '[{"row": 3, "column": 4, "colour": "red"}, {"row": 10, "column": 18, "color": "blue"}]',
        "- 3 4 red\n- 10 18 blue.",
        "1. row 3, column 4: red\n2. row 10, column 18: blue",
        "```\n3 4 red\n10 18 blue\n```",
        "3,4,red,10,18,blue",
        "3 4 red; 10 18 blue;",
    ],
)
def test_actions_are_understood_in_the_forms_that_models_like(text: str) -> None:
    assert live.read(told, EXECUTOR, text).moves == (RED, BLUE, Next())
    assert live.read(told, EXECUTOR, text).dropped == ()


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("Sure, here you are:\n3 4 red", ("Sure", "here you are:")),
        ("3 4 red, 11 4 red", ("11 4 red",)),
        ("3 4 red, 0 4 red", ("0 4 red",)),
        ("3 4 red, 3 19 red", ("3 19 red",)),
        ("3 4 red, -3 4 red", ("-3 4 red",)),
        ("3 4 red, 3 5 pink", ("3 5 pink",)),
        ("3 4 red, 3 5", ("3 5",)),
        ("3 4 red, 1 3 5 blue", ("1 3 5 blue",)),
        ("3 4 red, 5 blue", ("5 blue",)),
        ("3 4 red, column 5, row 3, blue", ("column 5, row 3, blue",)),
        ("3 4 red\nnone", ("none",)),
    ],
)
def test_malformed_pieces_are_left_out_and_not_guessed(text: str, dropped: tuple[str, ...]) -> None:
    reading = live.read(told, EXECUTOR, text)
    assert (reading.moves, reading.dropped) == ((RED, Next()), dropped)
    with pytest.raises(Illegal):
        live.read(told, EXECUTOR, text, strict=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not an action"),
        ("I have painted it.", "is not an action"),
        ("11 4 red", "rows 1 to 10 and columns 1 to 18"),
        ("3 4 pink", "colours are white, black"),
        ("3 4", 'write "row column colour"'),
    ],
)
def test_where_no_piece_can_be_used_the_reply_is_refused(text: str, why: str) -> None:
    for strict in (False, True):
        with pytest.raises(Illegal, match=why):
            live.read(told, EXECUTOR, text, strict=strict)


def test_the_complaint_counts_as_the_prompt_does() -> None:
    with pytest.raises(Illegal, match="rows 0 to 9 and columns 0 to 17"):
        zero.read(told, EXECUTOR, "10 4 red")


paints = st.builds(
    lambda tile, colour: PaintTile(tile[0], tile[1], colour), st.sampled_from(TILES), st.sampled_from(COLOURS)
)


@given(st.lists(paints | st.just(Next()), min_size=1, max_size=6).map(tuple))
def test_what_is_painted_can_be_written_and_read_again(moves: tuple[HexagonsMove, ...]) -> None:
    for game in (live, zero, programs):
        for strict in (False, True):
            assert game.read(told, EXECUTOR, game.write(moves), strict=strict).moves == moves


# Programs


def test_a_program_is_what_it_paints() -> None:
    for strict in (False, True):
        moves = programs.read(
            told, EXECUTOR, "paint red line 1,3 down 2\npaint blue 2,3", strict=strict
        ).moves
        assert moves == (PaintTile(1, 3, "red"), PaintTile(2, 3, "blue"), Next())


def test_a_program_sees_the_board_that_it_paints_on() -> None:
    painted = live.play(told, EXECUTOR, RED)
    moves = programs.read(painted, EXECUTOR, "recolour red to green").moves
    assert moves == (PaintTile(3, 4, "green"), Next())


def test_statements_that_cannot_be_read_are_left_out_with_all_that_belongs_to_them() -> None:
    text = "Here is the program:\n```\npaint red 3,4\nfrob 3:\n    paint red 1,1\n```\nGood luck!"
    reading = programs.read(told, EXECUTOR, text)
    assert reading.moves == (RED, Next())
    assert reading.dropped == ("Here is the program:", "frob 3:\n    paint red 1,1", "Good luck!")
    with pytest.raises(Illegal, match="not a program"):
        programs.read(told, EXECUTOR, text, strict=True)


def test_a_program_without_an_end_is_refused() -> None:
    text = "define f():\n    paint red 1,1\n    f()\nf()"
    for strict in (False, True):
        with pytest.raises(Illegal, match="not a program that can be carried out"):
            programs.read(told, EXECUTOR, text, strict=strict)


@pytest.mark.parametrize("text", ["", "# nothing", "I do not know."])
def test_no_program_is_refused(text: str) -> None:
    with pytest.raises(Illegal):
        programs.read(told, EXECUTOR, text)
