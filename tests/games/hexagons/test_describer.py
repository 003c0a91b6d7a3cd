"""The instructor that sees only the image, and the wordings that it learns from people."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile
from groundling.core.events import Moved
from groundling.core.pack import Seat, find
from groundling.core.table import play
from groundling.core.values import Problem, Say
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import builtin
from groundling.games.hexagons.narration.people_wordings import figure_facts, learn_wordings
from groundling.games.hexagons.neural.situations import Situation
from groundling.games.hexagons.players.describer import (
    WORDINGS_FILE,
    LearnedWordings,
    Speech,
    describe_target,
    make_describer,
)
from groundling.games.hexagons.players.parser import parse_instruction
from groundling.games.hexagons.program import parse_statements, run_program
from groundling.games.hexagons.program.shapes import LineShape, TileReference
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings

TILE = "Color the 3rd tile from the top in column seven red."
LINE = "In the 5th column from the right, paint the second through fourth hexagons blue."


def read(text: str) -> dict[Tile, str]:
    return {(row, column): colour for row, column, colour in parse_instruction(text, (), {}).actions}


def describer(arg: str = "", role: str = INSTRUCTOR, options: dict[str, str] | None = None) -> Seat:
    return Seat(find("hexagons"), HexagonsGame(HexagonsSettings()), role, "describer", arg, options or {})


def test_what_is_described_is_the_image() -> None:
    for image in builtin()[::3]:
        assert describe_target(image.target)[-1].board == image.target


def test_the_program_of_an_image_changes_nothing() -> None:
    image = builtin()[0]
    assert said_of(image) == said_of(replace(image, program=""))


def said_of(image: HexagonsImage) -> list[str]:
    game = HexagonsGame(HexagonsSettings(mode="describe"))
    player = make_describer(describer())

    async def hear() -> list[str]:
        return [
            move.text
            async for event in play(game, image, {INSTRUCTOR: player}, seed=0, clock=lambda: 0.0)
            if isinstance(event, Moved)
            for move in event.moves
            if isinstance(move, Say)
        ]

    found = asyncio.run(hear())
    assert found
    return found


def test_a_wording_of_people_is_said_of_other_figures() -> None:
    line = {(row, 14): "blue" for row in (2, 3, 4)}
    tile, column = learn_wordings([(TILE, {(3, 7): "red"}), (LINE, line)], read)
    assert tile.text == "Color the {top:1st} tile from the top in column {left:one} {colour}."
    assert (column.kind, column.fixed) == ("line down", {})
    facts = figure_facts(LineShape(TileReference((6, 3)), "down", 5))
    assert facts is not None
    assert column.write_sentence(facts, "orange") == (
        "In the 16th column from the right, paint the sixth through tenth hexagons orange."
    )


@pytest.mark.parametrize(
    ("text", "painted"),
    [
        ("Color the tile below it red.", {(3, 7): "red"}),
        ("Again, color the 3rd tile of column 7 red.", {(3, 7): "red"}),
        ("Color the 3rd tile of column 8 red.", {(3, 7): "red"}),
        ("Color the 3rd tile of column 7 red, not blue.", {(3, 7): "red"}),
        ("Color the 3rd tile of column 7 red.", {(3, 7): "red", (9, 9): "blue"}),
    ],
)
def test_a_sentence_that_depends_on_others_or_is_wrong_is_not_learned(
    text: str, painted: dict[Tile, str]
) -> None:
    assert learn_wordings([(text, painted)], read) == []


def test_learned_wordings_are_used(tmp_path: Path) -> None:
    learned = LearnedWordings(("train-1",), tuple(learn_wordings([(TILE, {(3, 7): "red"})], read)))
    (tmp_path / WORDINGS_FILE).write_bytes(encode(learned))
    player = make_describer(describer(str(tmp_path)))
    assert player.info.learned_from == {"train-1"}  # type: ignore[attr-defined]
    target = run_program(parse_statements("paint green 4,9"))
    assert [step.text for step in describe_target(target, Speech(learned.wordings))] == [
        "Color the 4th tile from the top in column nine green."
    ]


TWO = run_program(parse_statements("paint red 3,5 3,9\npaint red column 12"))
"""Two tiles and a column, which are one step."""


def test_a_step_is_said_in_the_first_words_that_the_listener_understands() -> None:
    right = (
        "Paint the whole 12th column red. Paint the 3rd tile of column 5 and the 3rd tile of column 9 red."
    )
    ways = ("Paint something.", right, "Paint it red.")
    (step,) = describe_target(TWO, Speech(writer=lambda situation: ways))
    assert (step.text, step.words, step.board) == (right, "network", TWO)


def test_what_is_not_understood_is_said_in_parts_and_then_in_other_words() -> None:
    asked = list[Situation]()

    def write(situation: Situation) -> list[str]:
        asked.append(situation)
        return ["Paint the whole 12th column red."]

    told = describe_target(TWO, Speech(writer=write))
    assert [step.words for step in told] == ["network", *["narrator"] * (len(told) - 1)]
    assert told[-1].board == TWO
    whole, column, tiles = asked
    assert [len(one.programs[-1].splitlines()) for one in (whole, column, tiles)] == [2, 1, 1]
    assert tiles.texts == ("Paint the whole 12th column red.",)
    assert tiles.boards == (Board.empty().cells, told[0].board.cells, TWO.cells)


def test_without_a_listener_the_first_words_are_said() -> None:
    (step,) = describe_target(TWO, Speech(listener=None, writer=lambda situation: ["Paint.", "Draw."]))
    assert step.text == "Paint."


def test_a_blank_image_needs_no_words() -> None:
    assert describe_target(Board.empty()) == []


def test_wrong_seats_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="seat it as instructor"):
        make_describer(describer(role=EXECUTOR))
    with pytest.raises(Problem, match=r"has neither wordings\.json nor card\.json"):
        make_describer(describer(str(tmp_path)))
    for options, told in (
        ({"listener": "nobody"}, "has no listener 'nobody': choose parser, reader, reader:DIR or none"),
        ({"listener": f"reader:{tmp_path}"}, r"has no choice\.json"),
        ({"draws": "99"}, "draws=99 is no number of wordings: give 0 to 32"),
        ({"draws": "2"}, "draws= goes with the folder of a network"),
    ):
        with pytest.raises(Problem, match=told):
            make_describer(describer(options=options))
    (tmp_path / WORDINGS_FILE).write_text("{")
    with pytest.raises(Problem, match="cannot be read"):
        make_describer(describer(str(tmp_path)))
