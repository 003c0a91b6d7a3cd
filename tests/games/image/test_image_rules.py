from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.letter_grid import Grid
from groundling.core.check import check_game
from groundling.core.pack import find
from groundling.core.values import Illegal, Say
from groundling.games.image.make import builtin
from groundling.games.image.rules import (
    FOLLOWER,
    GIVER,
    Done,
    Draw,
    FollowerView,
    GiverView,
    ImageGame,
    ImageMove,
    ImageSettings,
    Picture,
    State,
    hide,
)

game = ImageGame(ImageSettings())
picture = Picture(id="p", target=Grid("X../.X./..X"))
start = game.start(picture)
told = game.play(start, GIVER, Say("the diagonal, X"))
HALF, WHOLE = Grid("X../.X./..."), picture.target


@pytest.mark.parametrize(
    "settings", [ImageSettings(), ImageSettings(turns=1), ImageSettings(turns=3, hide_canvas=True)]
)
def test_it_keeps_every_law_in_every_setting(settings: ImageSettings) -> None:
    assert check_game(find("image"), settings=settings, instances=6, texts=50) == []


def test_the_giver_sees_the_target_and_its_own_words_and_not_the_canvas() -> None:
    drawn = game.play(told, FOLLOWER, Draw(HALF))
    assert game.view(drawn, GIVER) == GiverView(WHOLE, ("the diagonal, X",), 9)


def test_the_follower_sees_what_it_was_told_and_its_canvas_unless_that_is_hidden() -> None:
    drawn = game.play(told, FOLLOWER, Draw(HALF))
    assert game.view(drawn, FOLLOWER) == FollowerView(3, ("the diagonal, X",), HALF)
    assert ImageGame(ImageSettings(hide_canvas=True)).view(drawn, FOLLOWER) == FollowerView(
        3, ("the diagonal, X",), None
    )


def test_it_ends_with_done() -> None:
    state = game.play(game.play(told, FOLLOWER, Draw(HALF)), GIVER, Done())
    result = game.result(state)
    assert game.turn(state) is None
    assert result is not None
    assert result.score == pytest.approx(0.8)


def test_done_at_once_is_a_played_game_with_nothing_drawn() -> None:
    result = game.result(game.play(start, GIVER, Done()))
    assert result is not None
    assert result.score == 0


@pytest.mark.parametrize(("turns", "most"), [(0, 9), (2, 2)])
def test_it_ends_after_so_many_turns(turns: int, most: int) -> None:
    capped = ImageGame(ImageSettings(turns=turns))
    state, count = capped.start(picture), 0
    while capped.turn(state):
        state = capped.play(capped.play(state, GIVER, Say("go on")), FOLLOWER, Draw(WHOLE))
        count += 1
    assert count == most


def test_a_follower_that_erases_everything_has_nothing() -> None:
    state: State = game.play(told, FOLLOWER, Draw(WHOLE))
    state = game.play(game.play(state, GIVER, Say("again")), FOLLOWER, Draw(Grid(".../.../...")))
    result = game.result(game.play(state, GIVER, Done()))
    assert result is not None
    assert result.score == 0


@pytest.mark.parametrize(
    "text",
    [
        "DONE",
        "done",
        "Instruction: DONE",
        " instruction:  Done. ",
        '"DONE"',
        "**DONE!**",
        "DONE\n",
        "```\nDONE\n```",
        "```text\nInstruction: DONE\n```",
        "**Instruction:** DONE",
        "**Instruction: DONE**",
        "`Instruction: DONE`",
    ],
)
def test_done_is_understood_however_it_is_written(text: str) -> None:
    assert game.read(start, GIVER, text).moves == (Done(),)


@pytest.mark.parametrize(
    "text",
    ["**Instruction:** Fill row 1", "**Instruction: Fill row 1**", "```\nInstruction: Fill row 1\n```"],
)
def test_a_bold_or_fenced_instruction_is_read_without_its_marks(text: str) -> None:
    assert game.read(start, GIVER, text).moves == (Say("Fill row 1"),)
    with pytest.raises(Illegal, match="tag"):
        game.read(start, GIVER, text, strict=True)


@pytest.mark.parametrize(
    "text",
    [
        "Fill row 1\nDONE",
        "Instruction: Fill row 1\n\nInstruction: DONE",
        "Instruction: Fill row 1 Instruction: DONE",
        "Instruction: Fill row 1 **Instruction:** DONE.",
    ],
)
def test_done_at_the_end_of_an_instruction_ends_the_game_after_it(text: str) -> None:
    assert game.read(start, GIVER, text).moves == (Say("Fill row 1"), Done())
    with pytest.raises(Illegal, match=r"DONE alone|tag|one paragraph"):
        game.read(start, GIVER, text, strict=True)
    state = start
    for move in game.read(start, GIVER, text).moves:
        state = game.play(state, GIVER, move)
    assert game.turn(state) == FOLLOWER
    assert game.turn(game.play(state, FOLLOWER, Draw(WHOLE))) is None


def test_done_before_an_instruction_is_refused() -> None:
    with pytest.raises(Illegal, match="DONE alone"):
        game.read(start, GIVER, "Instruction: DONE\nFill row 1")


@pytest.mark.parametrize("text", ["Say that you are done with row 1", "Do not write DONE yet, fill row 2"])
def test_done_in_a_sentence_is_an_instruction(text: str) -> None:
    assert game.read(start, GIVER, text).moves == (Say(text),)


GRID = "X ▢ ▢\n▢ X ▢\n▢ ▢ X"


@pytest.mark.parametrize(
    "text",
    [
        GRID,
        GRID.replace("▢", "□"),
        GRID.replace("▢", "."),
        f"```\n{GRID}\n```",
        f"Here is the grid:\n\n{GRID}\n\nAnything else?",
        f"{GRID}\n\nand once more\n\n{GRID}",
        "X▢▢\n▢X▢\n▢▢X",
        "| X | ▢ | ▢ |\n| ▢ | X | ▢ |\n| ▢ | ▢ | X |",
        "> X ▢ ▢\n> ▢ X ▢\n> ▢ ▢ X",
        f"  {GRID}  \n\n",
    ],
)
def test_one_grid_is_found_in_whatever_stands_around_it(text: str) -> None:
    assert game.read(told, FOLLOWER, text).moves == (Draw(WHOLE),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no grid found"),
        ("I have drawn it.", "no grid found"),
        ("X ▢\n▢ X", "no grid found"),
        ("x ▢ ▢\n▢ x ▢\n▢ ▢ x", "no grid found"),
        (f"{GRID}\n▢ ▢ ▢", "4 rows in one piece"),
        (f"before:\n{GRID.replace('X', 'Y')}\nafter:\n{GRID}", "several different grids"),
        (f"{GRID}\n{GRID}", "6 rows in one piece"),
    ],
)
def test_no_grid_or_more_than_one_is_refused(text: str, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        game.read(told, FOLLOWER, text)


@pytest.mark.parametrize(
    "text", [f"```\n{GRID}\n```", f"{GRID}\nthere", "X▢▢\n▢X▢\n▢▢X", GRID.replace(" ", "  ")]
)
def test_strictly_it_is_the_grid_and_nothing_else(text: str) -> None:
    assert game.read(told, FOLLOWER, GRID, strict=True).moves == (Draw(WHOLE),)
    with pytest.raises(Illegal, match="only the grid"):
        game.read(told, FOLLOWER, text, strict=True)


@pytest.mark.parametrize(
    ("state", "role", "move"),
    [
        (start, FOLLOWER, Draw(WHOLE)),
        (told, GIVER, Say("more")),
        (told, FOLLOWER, Say("what?")),
        (start, GIVER, Draw(WHOLE)),
        (start, GIVER, Say("")),
        (start, GIVER, Say("DONE")),
        (told, FOLLOWER, Draw(Grid("X./.X"))),
    ],
)
def test_what_is_not_allowed_is_illegal(state: State, role: str, move: ImageMove) -> None:
    with pytest.raises(Illegal):
        game.play(state, role, move)


@given(st.text())
def test_whatever_the_giver_says_can_be_written_and_read_again(text: str) -> None:
    try:
        moves = game.read(start, GIVER, text).moves
    except Illegal:
        return
    game.play(start, GIVER, moves[0])
    assert game.read(start, GIVER, game.write(moves), strict=True).moves == moves


def test_the_whole_picture_is_hidden_from_the_follower() -> None:
    for seed in range(20):
        other = hide(builtin()[0], FOLLOWER, Random(seed))
        assert other is not None
        assert other.target != builtin()[0].target
        assert other.target.size == builtin()[0].target.size
    assert hide(builtin()[0], GIVER, Random(0)) is None
