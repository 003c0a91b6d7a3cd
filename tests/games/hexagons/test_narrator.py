import asyncio
import re
from collections.abc import Sequence
from functools import cache
from random import Random
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.english.numbers import ordinal_number
from groundling.boards.hexes import COLOURS, TILES, Board, Tile
from groundling.core.events import Closed, Moved
from groundling.core.pack import Seat, find
from groundling.core.table import play
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import ImageRecipe, builtin, make
from groundling.games.hexagons.narration import LEVELS, WORDINGS, narrate_image
from groundling.games.hexagons.narration.shape_recognition import recognise_line_cover, recognise_shape
from groundling.games.hexagons.narration.wording import SentenceWording, load_wordings
from groundling.games.hexagons.players.narrator import Narrator, make_narrator
from groundling.games.hexagons.program import Program, parse_statements, run_program
from groundling.games.hexagons.program.statements import PaintStatement
from groundling.games.hexagons.rules import HexagonsGame, HexagonsSettings

from .programs import shapes

levels = pytest.mark.parametrize("level", range(len(LEVELS)))
wordings = pytest.mark.parametrize("wordings", WORDINGS)


@cache
def images() -> list[HexagonsImage]:
    return [*builtin()[::2], *make(ImageRecipe(n=7, seed=21))]


@levels
@wordings
def test_what_is_told_draws_the_image(level: int, wordings: str) -> None:
    for number, image in enumerate(images()[level % 2 :: 2]):
        board = Board.empty()
        for step in narrate_image(image.program, level, Random(number), wordings):
            after = run_program(step.program, board)
            assert after == step.board
            assert after != board, f"{step.text} changes nothing"
            assert step.level <= level
            board = after
        assert board == image.target, image.program


@levels
@wordings
def test_sentences_are_lines_of_text(level: int, wordings: str) -> None:
    for image in images()[::4]:
        for step in narrate_image(image.program, level, Random(image.id), wordings):
            assert re.fullmatch(r"[A-Z][^{}\n]+\.", step.text), step.text
            assert "a orange" not in step.text.lower()
            assert not re.search(r"\b1 (tiles|columns|hexagons|more copies)", step.text)


def test_levels_are_as_abstract_as_they_say() -> None:
    told = {
        level: [
            step.level for image in images()[::2] for step in narrate_image(image.program, level, Random(0))
        ]
        for level in range(4)
    }
    assert set(told[0]) == {0}
    assert set(told[1]) == {0, 1}
    assert set(told[2]) == {0, 1, 2}
    assert set(told[3]) == {0, 1, 2, 3}
    lengths = [len(told[level]) for level in range(4)]
    assert lengths == sorted(lengths, reverse=True), "the more abstract, the shorter"


def test_every_mechanism_is_told_as_one() -> None:
    for family, words in {
        "bounded": r"repeat|copies",
        "conditional": r"edge|until|as long as",
        "conditions": r"^(For|At) ",
        "symmetry": r"mirror|reflect|rotate|turned",
        "recursion": r"grow|layer|rings|spiral|longer",
    }.items():
        members = [image for image in images() if image.set == family]
        told = [
            [step for step in narrate_image(image.program, 3, Random(0)) if step.level == 3]
            for image in members
        ]
        found = sum(any(re.search(words, step.text, re.IGNORECASE) for step in steps) for steps in told)
        assert found > len(members) / 3, family


def test_the_same_seed_says_the_same_and_another_something_else() -> None:
    program = images()[0].program
    said = [[step.text for step in narrate_image(program, 2, Random(seed))] for seed in (1, 1, 2)]
    assert said[0] == said[1] != said[2]


def test_both_pools_say_the_same_things_in_different_words() -> None:
    one, two = load_wordings("open"), load_wordings("held-out")
    assert set(one) == set(two)
    for key in one:
        assert not set(one[key]) & set(two[key]) or key.startswith(("every", "offset")), key
        assert _slots(two[key]) <= _slots(one[key]) | _ALSO, key


_ALSO = set(
    re.findall(
        r"\w+",
        "row column nth mth third fifth from_bottom from_right count four radius two side three more steps "
        "times total centre place end way first last first_nth last_nth numbers ordinals grows offset "
        "degrees",
    )
)


def _slots(texts: Sequence[str]) -> set[str]:
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def test_unknown_levels_and_wordings_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no level 4: choose from 0 tiles"):
        narrate_image("paint red 5,9", 4, Random(0))
    with pytest.raises(ValueError, match="there are no wordings 'wild'"):
        narrate_image("paint red 5,9", 0, Random(0), "wild")


@given(
    st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS[1:]), min_size=1, max_size=40),
    st.integers(0, 3),
)
def test_a_board_without_a_program_is_told_in_tiles_or_lines(tiles: dict[Tile, str], level: int) -> None:
    told = narrate_image(Board.from_tiles(tiles), level, Random(0))
    assert told[-1].board == Board.from_tiles(tiles)
    assert {step.level for step in told} <= {0, 1}


@given(shapes, st.integers(0, 5))
def test_what_is_recognised_is_what_is_there(shape: object, seed: int) -> None:
    try:
        board = run_program(Program((PaintStatement(("red",), shape),)))  # type: ignore[arg-type]
    except ValueError:
        return
    tiles = list(board.painted_tiles())
    if tiles:
        Random(seed).shuffle(tiles)
        found = recognise_shape(tiles)
        if found:
            assert run_program(Program((PaintStatement(("red",), found),))) == board


@pytest.mark.parametrize(
    "shape",
    [
        "5,9",
        "line 5,9 up 3",
        "line 9,2 up-right 6",
        "line 3,4 right 7",
        "column 4",
        "row 2",
        "flower 5,9",
        "ring 5,9 3",
        "disc 5,9 2",
        "triangle 5,9 up-right 4",
        "triangle 5,9 down-left 3",
        "outline (triangle 5,9 up-right 4)",
        "rhombus 5,4 up-right 3",
        "outline (rhombus 5,4 up-right 4)",
    ],
)
def test_shapes_are_recognised(shape: str) -> None:
    board = run_program(parse_statements(f"paint red {shape}"))
    found = recognise_shape(list(board.painted_tiles()))
    assert found is not None
    assert run_program(Program((PaintStatement(("red",), found),))) == board


@given(st.sets(st.sampled_from(TILES), max_size=40))
def test_lines_cover_tiles_once(tiles: set[Tile]) -> None:
    lines = recognise_line_cover(tiles)
    assert sorted(tile for line in lines for tile in line) == sorted(tiles)
    assert all(recognise_shape(line) for line in lines)


@wordings
def test_a_place_is_named_so_that_it_can_be_found(wordings: str) -> None:
    for row, column in TILES:
        for seed in range(8):
            told = SentenceWording(Random(seed), wordings).place_phrase((row, column))
            assert _found(told) == (row, column), told


def _found(place: str) -> Tile:
    """Reads the two numbers of a place, each with the side from which it is counted."""
    words = re.findall(r"\w+", place.lower())
    number = {word: n for n in range(1, 19) for word in (str(n), ordinal_number(n))} | {
        word: n
        for n, word in enumerate(
            re.findall(
                r"\w+",
                "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
                "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth",
            ),
            1,
        )
    }
    at = words.index("column")
    near = [(abs(place - at), place) for place, word in enumerate(words) if word in number]
    column_at = min(near)[1]
    row_at = max(near)[1]
    row, column = number[words[row_at]], number[words[column_at]]
    return 11 - row if "bottom" in words else row, 19 - column if words[-1] == "right" else column


def seat(images: Sequence[HexagonsImage], role: str = "instructor", **options: str) -> Seat:
    pack = find("hexagons")
    return Seat(pack, pack.new(), role, "narrator", options=options, instances=images)


@pytest.mark.parametrize("steps", [0, 3])
@levels
def test_the_narrator_can_carry_out_what_it_says(level: int, steps: int) -> None:
    image = next(image for image in images() if image.set == "composed")
    game = HexagonsGame(HexagonsSettings(mode="align", steps=steps))
    player = make_narrator(seat([image], level=str(level)))

    async def scored() -> float | None:
        async for event in play(game, image, {"instructor": player}, seed=0, clock=lambda: 0.0):
            if isinstance(event, Closed):
                return event.result.score if event.result else None
        return None

    assert asyncio.run(scored()) == 1


def test_the_narrator_knows_its_image_by_sight_where_the_episode_has_a_name_of_its_own() -> None:
    one, other = images()[:2]
    game = HexagonsGame(HexagonsSettings(mode="describe"))
    player = make_narrator(seat([one, other]))

    async def first() -> str:
        async for event in play(
            game, other, {"instructor": player}, seed=0, clock=lambda: 0.0, episode="7f3a"
        ):
            if isinstance(event, Moved):
                return str(event.moves[0].text)
        raise AssertionError("nothing was said")

    assert isinstance(player, Narrator)
    assert asyncio.run(first()) == player.narrate_steps(other)[0].text


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"level": "4"}, "no level '4'"),
        ({"wordings": "wild"}, "no wordings 'wild'"),
        ({"seed": "x"}, "seed is a number"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        make_narrator(seat(images(), **options))
    with pytest.raises(Problem, match="seat it as instructor"):
        make_narrator(seat(images(), "executor"))


def test_images_can_be_made_with_the_steps_of_a_narration() -> None:
    for image in make(ImageRecipe(n=7, told="2", wordings="held-out")):
        assert image.steps
        assert image.steps[-1].board == image.target
        assert all(step.level is not None and step.level <= 2 for step in image.steps)
