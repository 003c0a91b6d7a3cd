"""The rule players: a giver that needs few words, and a follower that does what it is told in everyday
English."""

from __future__ import annotations

import asyncio
import re
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.image.test_rule_corpus import DEVELOPMENT, HELD_OUT

from groundling.boards.letter_grid import Grid
from groundling.core.pack import Seat, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Result, Say
from groundling.games.image import pack
from groundling.games.image.gold import ImageGoldPlayer, gold_cell_instructions
from groundling.games.image.make import PictureRecipe, builtin, make
from groundling.games.image.players.giver_plan import giver_plan_length, make_giver_plan
from groundling.games.image.players.instruction_follower import follow_instructions
from groundling.games.image.players.rule import ImageRulePlayer, make_image_rule
from groundling.games.image.rules import ImageSettings, Picture
from groundling.games.reference.gold import describe_gold_grid

GRIDS = st.integers(3, 8).flatmap(
    lambda n: st.lists(st.text("AIX..", min_size=n, max_size=n), min_size=n, max_size=n)
)


def f1(giver: Player, pictures: list[Picture], settings: ImageSettings | None = None) -> float:
    """The lowest score with the rule follower."""

    async def one(picture: Picture) -> Result | None:
        players: dict[str, Player] = {"giver": giver, "follower": ImageRulePlayer()}
        events = [
            event async for event in play(pack.new(settings), picture, players, seed=3, clock=lambda: 0.0)
        ]
        result: Result | None = getattr(events[-1], "result", None)
        return result

    results = [asyncio.run(one(picture)) for picture in pictures]
    return min(result.score if result else 0.0 for result in results)


@pytest.mark.parametrize("giver", [ImageRulePlayer(), ImageGoldPlayer()], ids=["rule", "gold"])
@pytest.mark.parametrize("hidden", [False, True])
def test_it_draws_every_builtin_picture(giver: Player, hidden: bool) -> None:
    assert f1(giver, builtin(), ImageSettings(hide_canvas=hidden)) == 1.0


@pytest.mark.no_cover
@pytest.mark.parametrize("giver", [ImageRulePlayer(), ImageGoldPlayer()], ids=["rule", "gold"])
@pytest.mark.parametrize(("size", "letters"), [(3, 1), (5, 5), (8, 2), (12, 4)])
def test_it_draws_made_pictures_of_any_size(giver: Player, size: int, letters: int) -> None:
    assert f1(giver, make(PictureRecipe(seed=1, n=4, size=size, letters=letters))) == 1.0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_it_joins_instructions_where_turns_are_few(turns: int) -> None:
    pictures = builtin()[::4] + make(PictureRecipe(seed=2, n=6, size=6, letters=4))
    assert f1(ImageRulePlayer(), pictures, ImageSettings(turns=turns)) == 1.0
    assert f1(ImageGoldPlayer(), pictures, ImageSettings(turns=turns)) == 1.0


@pytest.mark.no_cover
@given(GRIDS)
def test_a_plan_draws_its_picture_whatever_that_is(rows: list[str]) -> None:
    target = Grid.from_rows(rows)
    assert follow_instructions(make_giver_plan(target, target.size**2), target.size) == target


@given(GRIDS)
def test_it_follows_the_gold_givers_of_both_games(rows: list[str]) -> None:
    target = Grid.from_rows(rows)
    assert follow_instructions(gold_cell_instructions(target, 3), target.size) == target
    assert follow_instructions([describe_gold_grid(target)], target.size) == target


def test_every_letter_can_be_named() -> None:
    for letter in ascii_uppercase:
        target = Grid("XX.../.X.../..XXX/X..../X.X.X".replace("X", letter))
        assert follow_instructions(make_giver_plan(target, 25), 5) == target
        assert follow_instructions(gold_cell_instructions(target, 25), 5) == target


@pytest.mark.parametrize("kind", ["compact", "random"])
def test_the_giver_needs_fewer_characters_and_turns_than_gold(kind: str) -> None:
    pictures = [picture.target for picture in builtin() if picture.set == kind]
    mine = [make_giver_plan(target, 25) for target in pictures]
    gold = [gold_cell_instructions(target, 25) for target in pictures]
    assert all(
        len(a) < len(b) and sum(map(len, a)) < sum(map(len, b)) for a, b in zip(mine, gold, strict=True)
    )
    share = sum(len(text) for said in mine for text in said) / sum(
        len(text) for said in gold for text in said
    )
    assert share < {"compact": 0.15, "random": 0.5}[kind]


SAID = [
    ("XXXXX/X...X/X...X/X...X/XXXXX", ("Fill the border with X",)),
    ("XXXXX/...../XXXXX/...../XXXXX", ("Fill the odd rows with X",)),
    (".XXX./X...X/X...X/X...X/.XXX.", ("Fill the border with X", "Clear the corners")),
    (".X.X./X.X.X/.X.X./X.X.X/.X.X.", ("Draw a checkerboard of X from row 1, column 2",)),
    ("..X../..X../XXXXX/..X../..X..", ("Fill column 3 and row 3 with X",)),
    (
        "X..../.X.../...../...../...Y.",
        ("Put X in row 1, column 1; row 2, column 2", "Put Y in row 5, column 4"),
    ),
]


@pytest.mark.parametrize(("cells", "said"), SAID)
def test_plans_are_plain_english(cells: str, said: tuple[str, ...]) -> None:
    assert make_giver_plan(Grid(cells), 25) == said
    assert giver_plan_length(Grid(cells)) == sum(map(len, said))


def test_an_empty_picture_needs_no_words() -> None:
    assert make_giver_plan(Grid.from_cells(5, (), "."), 25) == ()
    assert giver_plan_length(Grid.from_cells(5, (), ".")) == 0


TOLD = [
    (("Fill row 1 with X", "Now the same for row 3"), "XXXXX/...../XXXXX/...../....."),
    (("Put K in the first and last cell of row 1", "Do the same in row 4"), "K...K/...../...../K...K/....."),
    (("We use the letter B", "Fill the left column"), "B..../B..../B..../B..../B...."),
    (("Put an A in the centre", "Put one directly above it too"), "...../..A../..A../...../....."),
    (("Fill the grid with X", "Clear the border", "Put an O in the middle"), "...../.XXX./.XOX./.XXX./....."),
    (("Fill the border with X, but don't fill the corners",), ".XXX./X...X/X...X/X...X/.XXX."),
    (("Fill row 1 with X. Fill the other rows with Y.",), "XXXXX/YYYYY/YYYYY/YYYYY/YYYYY"),
    (("Fill the grid with X", "Put Y in row 1 and clear all other cells"), "YYYYY/...../...../...../....."),
    (("Fill the top-left quadrant and the bottom right quadrant with X",), "XX.../XX.../...../...XX/...XX"),
    (("Fill the inner ring with X",), "...../.XXX./.X.X./.XXX./....."),
    (("Row 1: X . X . X", "Row 4 is the same as row 1"), "X.X.X/...../...../X.X.X/....."),
    (("Fill column 2 with X", "Change column 2 to Y"), ".Y.../.Y.../.Y.../.Y.../.Y..."),
    (("Fill all cells above the main diagonal with X",), ".XXXX/..XXX/...XX/....X/....."),
    (("Draw a diagonal of X starting in the top right corner",), "....X/...X./..X../.X.../X...."),
    (("Fill the diagonal with X",), "X..../.X.../..X../...X./....X"),
    (("Fill the empty cells in row 2 with O",), "...../OOOOO/...../...../....."),
    (
        ("Fill the top row with X", "start over", "fill the bottom row with Y"),
        "...../...../...../...../YYYYY",
    ),
]


@pytest.mark.parametrize(("told", "cells"), TOLD)
def test_it_remembers_what_it_was_told(told: tuple[str, ...], cells: str) -> None:
    assert follow_instructions(told, 5) == Grid(cells)
    assert follow_instructions(told, 5, follow_instructions(told[:-1], 5)) == Grid(cells)


def test_the_canvas_it_sees_counts_more_than_what_it_was_told() -> None:
    seen = Grid("X..../...../...../...../.....")
    assert follow_instructions(("Fill row 1 with X", "Put Y in (5,5)"), 5, seen) == seen.with_cell(
        (5, 5), "Y"
    )


WORDS = [word for text, *_ in DEVELOPMENT + HELD_OUT for word in text.split()] + re.findall(
    r"[^ ]+",
    "put fill clear row rows column columns the first last second X's X A ▢ . , ; : ( ) 1 2 13 0 - to and "
    "but except only not no empty corner top left middle other everything else every of in from bottom "
    "cells three 3x3 0x0 block diagonal plus checkerboard triangle same copy replace with starting above "
    "it (1,1) (9,9) border grid then n't \n don't leave rest",
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))


@given(st.lists(TEXTS, max_size=3), st.integers(1, 12))
def test_no_text_makes_it_fail(told: list[str], size: int) -> None:
    assert follow_instructions(told, size).size == size


CHATTER = [
    "Hello! Are you ready?",
    "Let me think about that for a moment.",
    "Great, the top row looks right.",
    "This is going to be a nice picture.",
    "Do you see the grid? It has five rows and five columns.",
    "I will now tell you what to do next.",
    "Please leave everything as it is.",
    "Keep row 1 unchanged.",
    "Don't touch the corners!",
    "...",
]


@pytest.mark.parametrize("text", CHATTER)
def test_what_tells_it_nothing_to_draw_changes_nothing(text: str) -> None:
    canvas = Grid("X..../.Y.../...../...../.....")
    assert follow_instructions(["Put X in (1,1) and Y in (2,2)", text], 5, canvas) == canvas


PIECES = [
    "row 1, ",
    "put X in row 1, column 2; ",
    "the first, ",
    "X . ",
    "((1,",
    "fill ",
    "1,2 and ",
    "a",
    " ",
    "\n",
    "- ",
    "X X ",
]


@pytest.mark.parametrize(
    "piece", [*PIECES, "except ", "(1,1) to ", "every other ", "row 1 and column 2 ", "copy ", "start at "]
)
def test_long_texts_are_read_to_their_end(piece: str) -> None:
    """One that made the patterns backtrack would not come back."""
    assert follow_instructions([(piece * 10_000)[:10_000]], 5)


def test_it_sits_in_both_seats() -> None:
    assert load(pack.players["rule"]) is make_image_rule
    for role in pack.roles:
        assert make_image_rule(Seat(pack=pack, game=pack.new(), role=role, name="rule")).name == "rule"
    assert Say(make_giver_plan(builtin()[0].target, 25)[0])
