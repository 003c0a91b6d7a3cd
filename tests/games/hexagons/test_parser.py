"""What the rule-based executor understands: sentences of our own with the tiles they mean, and what holds of
any text."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import COLOURS, TILES, Board, Tile, is_on_lattice
from groundling.core.pack import Seat
from groundling.core.player import Ask, Reply
from groundling.core.values import Problem
from groundling.games.hexagons import pack
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.narration import narrate_image
from groundling.games.hexagons.players.parser import make_parser_player, parse_instruction
from groundling.games.hexagons.program import format_program, interpret_actions, parse_statements

LETTERS = dict(zip("WKYGRBPO", COLOURS, strict=True))
FLOWERS = """
repeat 3 right 5 with c = red blue:
    at 3,3:
        paint yellow here
        paint c flower here
paint black line 10,1 up-right until edge
"""


def tiles(text: str) -> dict[Tile, str]:
    """`R 5:3-4,7 6:2 | B 1:1` as tiles with their colours."""
    found: dict[Tile, str] = {}
    for group in filter(None, map(str.strip, text.split("|"))):
        letter, *columns = group.split()
        for column, rows in (one.split(":") for one in columns):
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", rows):
                found |= {
                    (row, int(column)): LETTERS[letter] for row in range(int(first), int(last or first) + 1)
                }
    return found


def sentences() -> list[tuple[list[str], dict[Tile, str]]]:
    lines = Path(__file__).with_name("parser_sentences.txt").read_text(encoding="utf-8").splitlines()
    cases = [line.partition("=>") for line in lines if "=>" in line]
    return [(said.strip().split(" / "), tiles(meant)) for said, _, meant in cases]


def understood(said: list[str]) -> dict[Tile, str]:
    *before, last = said
    return {(row, column): colour for row, column, colour in parse_instruction(last, before).actions}


@pytest.mark.parametrize(
    ("said", "meant"), sentences(), ids=lambda value: value[-1][:60] if isinstance(value, list) else ""
)
def test_a_sentence_means_what_it_says(said: list[str], meant: dict[Tile, str]) -> None:
    assert understood(said) == meant


def test_a_board_that_is_shown_counts_more_than_what_was_thought() -> None:
    shown = {(5, 9): "blue"}
    said = "Paint the tile below the blue tile red."
    assert parse_instruction(said, ["Paint tile 2 of column 3 blue."], shown).actions == ((6, 9, "red"),)


def test_nothing_is_painted_in_the_colour_that_it_has() -> None:
    assert parse_instruction("Paint tiles 1 to 3 of column 2 red.", (), {(2, 2): "red"}).actions == (
        (1, 2, "red"),
        (3, 2, "red"),
    )


def test_every_context_gets_an_answer() -> None:
    history = ["Paint tile 2 of column 3 red.", "Paint tile 4 of column 3 blue."]
    last = "Paint the tile below it green."
    board = {(2, 3): "red", (4, 3): "blue"}
    for before in (history, history[-1:]):
        for shown in (None, board):
            assert parse_instruction(last, before, shown).actions == ((5, 3, "green"),)
    assert parse_instruction(last, (), board).actions == ((5, 3, "green"),)
    assert parse_instruction(last).actions == ()


@pytest.mark.parametrize(
    "wrong", ["red red red", "the the", "column 99, tile 99 red", "#", "", "///", "tile -3 of column -1 blue"]
)
def test_nonsense_paints_nothing_off_the_board(wrong: str) -> None:
    assert all(is_on_lattice((row, column)) for row, column, _ in parse_instruction(wrong).actions)


@pytest.mark.parametrize(
    "much", ["the ", "same ", "red, ", "1st and ", "#", "(", "9", "all of the ", "directly right "]
)
def test_far_too_much_is_read_too(much: str) -> None:
    assert parse_instruction(much * 3_000, [much * 3_000]).actions == ()


@pytest.mark.parametrize(
    "text",
    [
        "Paint 999999999999 tiles down from tile 8 of column 2 red.",
        "Paint tiles 8 to 99999999 of column 2 red.",
    ],
)
def test_numbers_beyond_the_board_end_at_its_edge(text: str) -> None:
    assert parse_instruction(text).actions == ((8, 2, "red"), (9, 2, "red"), (10, 2, "red"))


@pytest.mark.parametrize("middle", ["tile 5 of column 10", "the blue tile"])
def test_what_is_larger_than_the_board_ends_at_its_edge_too(middle: str) -> None:
    text = f"Paint a solid red hexagon of radius 999999 around {middle}."
    assert {
        action[:2] for action in parse_instruction(text, ["Paint tile 5 of column 10 blue."]).actions
    } == set(TILES)


def test_a_long_history_is_gone_through() -> None:
    history = ["Paint tile 1 of column 1 red."] + ["Paint the next tile blue.", "Erase it."] * 120
    assert parse_instruction("Paint the tile below the red tile green.", history).actions == (
        (2, 1, "green"),
    )


WORDS = st.sampled_from(
    re.findall(
        r"\S+",
        """paint color the a tile tiles column columns row red blue green white blank 1 2 3rd 4th fifth last
        next first top bottom left right from to in of and , . then all every other each below above touching
        around between it them line diagonal up down flower ring triangle repeat same step steps mirror
        connect skip leave except start end until edge rest corner middle with two more times alternate
        pattern 12 99 half inside v x diamond radius size""",
    )
)


@given(st.lists(st.lists(WORDS, max_size=14).map(" ".join), max_size=4), st.text(max_size=60), st.booleans())
def test_any_text_is_read_without_complaint_and_stays_on_the_board(
    texts: list[str], other: str, shown: bool
) -> None:
    board = dict.fromkeys(TILES[::7], "red") if shown else None
    history = [*texts, other]
    for number, text in enumerate(history):
        reading = parse_instruction(text, history[:number], board)
        assert all(
            is_on_lattice((row, column)) and colour in COLOURS for row, column, colour in reading.actions
        )
        assert reading == parse_instruction(text, history[:number], board)


@given(st.lists(WORDS, max_size=16).map(" ".join))
def test_the_program_paints_what_the_actions_do(text: str) -> None:
    reading = parse_instruction(text)
    assert parse_statements(format_program(reading.program)) == reading.program
    painted = {
        (row, column): colour
        for row, column, colour in interpret_actions(reading.program)
        if colour != "white"
    }
    assert painted == {(row, column): colour for row, column, colour in reading.actions if colour != "white"}


def test_the_narrators_sentences_up_to_objects_are_understood() -> None:
    for level in (0, 1, 2):
        board = Board.empty()
        said: list[str] = []
        for told in narrate_image(FLOWERS.strip(), level, Random(level)):
            reading = parse_instruction(told.text, said, board.painted_tiles())
            assert {(row, column): colour for row, column, colour in reading.actions} == board.changes_to(
                told.board
            ), told.text
            board = told.board
            said.append(told.text)


def replied(told: tuple[str, ...], due: int, board: Board | None) -> Reply:
    player = make_parser_player(Seat(pack, pack.new(), "executor", "parser"))
    return asyncio.run(player.act(Ask("e", "executor", ExecutorView(told, due, board), (), None, 0)))


TWO = ("Paint tile 2 of column 3 red.", "Paint the tile below it blue.")


def test_the_player_paints_and_asks_for_the_next_step() -> None:
    reply = replied(TWO, 1, Board.empty())
    assert reply.moves == (PaintTile(3, 3, "blue"), Next())
    assert reply.detail == {"program": "paint blue 3,3"}


@pytest.mark.parametrize("board", [None, Board.empty()])
def test_a_whole_procedure_is_carried_out_at_once(board: Board | None) -> None:
    assert replied(TWO, 2, board).moves == (PaintTile(2, 3, "red"), PaintTile(3, 3, "blue"), Next())


def test_the_player_only_executes() -> None:
    with pytest.raises(Problem, match="only executes"):
        make_parser_player(Seat(pack, pack.new(), "instructor", "parser"))
