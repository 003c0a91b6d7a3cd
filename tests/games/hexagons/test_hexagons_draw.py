"""What each seat is shown, and what a report shows beside it."""

from __future__ import annotations

from xml.etree import ElementTree

from groundling.boards.hexes import Board
from groundling.core.values import Say
from groundling.games.hexagons.draw import draw
from groundling.games.hexagons.judge import draw_hexagons_judge
from groundling.games.hexagons.moves import InstructionsDone, Next, PaintTile
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings

from .small import LINE, PLAIN, RECORDED, after

RED = PaintTile(1, 3, "red")


def test_the_current_instruction_is_marked() -> None:
    game = HexagonsGame(HexagonsSettings())
    state = after(game, Say("one"), Next(), Say("two"))
    assert draw(game.view(state, EXECUTOR)).words == "- one\n→ two"
    state = game.play(state, EXECUTOR, Next())
    assert draw(game.view(state, EXECUTOR)).words == "- one\n- two"
    assert draw(game.view(state, INSTRUCTOR)).words == "Your instructions so far:\n1. one\n2. two"


def test_a_long_current_instruction_fits_in_the_picture() -> None:
    bold_letter = 8.6  # pixels of a wide one
    game = HexagonsGame(HexagonsSettings())
    words = "Make a solid green flower with its middle at the 5th tile in the 10th column, and " * 3
    picture = ElementTree.fromstring(draw(game.view(after(game, Say(words.strip())), EXECUTOR)).svg)
    rows = [node for node in picture.iter() if node.get("font-weight") == "bold"]
    assert len(rows) > 3
    for row in rows:
        assert float(row.attrib["x"]) + bold_letter * len(row.text or "") <= float(picture.attrib["width"])


def test_of_a_whole_procedure_all_is_marked() -> None:
    game = HexagonsGame(HexagonsSettings(whole=True))
    state = after(game, Say("one"), Say("two"), InstructionsDone())
    assert draw(game.view(state, EXECUTOR)).words == "→ one\n→ two"


def test_who_aligns_sees_which_of_its_instructions_is_due() -> None:
    game = HexagonsGame(HexagonsSettings(mode="align"))
    state = after(game, Say("one"), Say("two"), InstructionsDone(), Next())
    drawing = draw(game.view(state, INSTRUCTOR))
    assert drawing.words == "Your instructions:\n1. one\n→ 2. two"
    assert ["Target" in drawing.board, "Your board" in drawing.board] == [True, True]


def test_a_board_that_is_not_shown_is_described() -> None:
    game = HexagonsGame(HexagonsSettings(context="full-history"))
    drawing = draw(game.view(after(game, Say("one"), RED), EXECUTOR))
    assert "10 rows and 18 columns" in drawing.board
    assert 'id="board-1-3"' not in drawing.svg


def test_with_feedback_the_instructor_has_two_boards() -> None:
    game = HexagonsGame(HexagonsSettings(feedback=True))
    drawing = draw(game.view(after(game, Say("one"), RED, Next()), INSTRUCTOR))
    assert "\n\nYour partner's board\n" in drawing.board
    assert "You do not see" not in drawing.board
    unseen = draw(HexagonsGame(HexagonsSettings()).view(after(game, Say("one"), RED, Next()), INSTRUCTOR))
    assert unseen.board.endswith("You do not see your partner's board.")
    assert unseen.words == "Your instructions so far:\n1. one"
    assert 'id="board-1-3"' in drawing.svg
    assert 'id="other-1-3"' in drawing.svg


def marks(svg: str, name: str) -> int:
    (group,) = [element for element in ElementTree.fromstring(svg) if element.get("id") == f"{name}-over"]
    return len(group)


def test_the_judge_marks_what_the_step_paints_and_what_is_wrong() -> None:
    game = HexagonsGame(HexagonsSettings())
    state = game.play(game.start(RECORDED), INSTRUCTOR, Say(RECORDED.steps[0].spoken_text))
    for move in (RED, PaintTile(2, 3, "blue"), PaintTile(9, 9, "red"), Next()):
        state = game.play(state, EXECUTOR, move)
    found = draw_hexagons_judge(game, state)
    assert "Gold after step 1" in found.board
    assert found.words == "Wrong tiles, row and column: 2 3, 3 3, 4 3, 5 3, 9 9"
    assert marks(found.svg, "changed") == LINE.painted_count
    assert marks(found.svg, "wrong") == 5


def test_the_judge_has_nothing_to_say_against_what_is_right() -> None:
    game = HexagonsGame(HexagonsSettings())
    assert "nothing wrong" in draw_hexagons_judge(game, game.start(RECORDED)).board
    live = after(
        game,
        Say("one"),
        *(PaintTile(*tile, colour) for tile, colour in PLAIN.target.painted_tiles().items()),
        Next(),
    )
    assert marks(draw_hexagons_judge(game, live).svg, "wrong") == 0
    assert marks(draw_hexagons_judge(game, game.start(PLAIN)).svg, "wrong") == PLAIN.target.painted_count


def test_the_judge_continues_after_the_recorded_steps() -> None:
    game = HexagonsGame(HexagonsSettings())
    state = game.start(RECORDED)
    for number in range(len(RECORDED.steps) + 1):
        state = game.play(game.play(state, INSTRUCTOR, Say(f"step {number}")), EXECUTOR, Next())
    assert "Gold after the last step" in draw_hexagons_judge(game, state).board
    assert state.board == Board.empty()
