"""Corrected boards, and the boards that follow from them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from groundling.boards.hexes import COLOURS, TILES, Board
from groundling.core.values import Problem
from groundling.games.hexagons.consolidation import (
    StepJudgement,
    choose_consolidation_steps,
    consolidate_boards,
    consolidate_image,
    is_disputed,
    restore_original,
)
from groundling.games.hexagons.image import HexagonsImage, ProcedureFacts

from .small import FLOWER, LINE, MENDED, RECORDED

tiles = st.dictionaries(st.sampled_from(TILES[:6]), st.sampled_from(COLOURS), max_size=4)
"""Few tiles, so that steps paint over each other."""


def tagged(*tags: str, name: str = "p1", index: int = 7) -> HexagonsImage:
    return replace(RECORDED, id=name, facts=ProcedureFacts(index, 1, tags))


@st.composite
def procedures(draw: st.DrawFn) -> list[Board]:
    boards = [Board.empty()]
    for changes in draw(st.lists(tiles, min_size=1, max_size=6)):
        boards.append(boards[-1].with_tiles(changes))
    return boards[1:]


def test_a_missed_tile_is_added_to_all_later_boards() -> None:
    short = LINE.with_tiles({(5, 3): "white"})
    planted = [short, short, FLOWER.with_tiles({(5, 3): "white"})]
    found = consolidate_boards(planted, {1: LINE})
    assert [step.board for step in found] == [LINE, LINE, FLOWER]
    assert not any(step.conflicts for step in found)


def test_painting_over_a_corrected_tile_is_a_conflict() -> None:
    boards = [LINE, LINE.with_tiles({(1, 3): "blue"})]
    found = consolidate_boards(boards, {1: LINE.with_tiles({(1, 3): "green"})})
    assert found[1].board == boards[1]
    assert found[1].conflicts == ((1, 3),)


def test_a_later_step_of_the_author_that_does_the_same_is_no_conflict() -> None:
    short = LINE.with_tiles({(5, 3): "white"})
    found = consolidate_boards([short, LINE], {1: LINE})
    assert [(step.board, step.conflicts) for step in found] == [(LINE, ()), (LINE, ())]


@given(procedures())
def test_without_corrections_boards_stay(boards: list[Board]) -> None:
    assert [step.board for step in consolidate_boards(boards, {})] == boards


@given(procedures(), st.data())
def test_one_correction_keeps_what_came_before_and_what_later_steps_paint(
    boards: list[Board], data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(boards)))
    corrected = boards[at - 1].with_tiles(data.draw(tiles))
    found = consolidate_boards(boards, {at: corrected})
    assert [step.board for step in found[: at - 1]] == boards[: at - 1]
    assert found[at - 1].board == corrected
    for number in range(at, len(boards)):
        for tile, colour in boards[number - 1].changes_to(boards[number]).items():
            assert found[number].board.colour_at(tile) == colour
        touched = boards[number - 1].changes_to(boards[number]).keys()
        changed = boards[number - 1].changes_to(found[number - 1].board).keys()
        assert set(found[number].conflicts) <= touched & changed


@given(procedures(), st.data())
def test_the_original_can_be_restored(boards: list[Board], data: st.DataObject) -> None:
    steps = tuple(replace(RECORDED.steps[0], board=board) for board in boards)
    image = replace(tagged(), steps=steps, target=boards[-1])
    numbers = data.draw(st.sets(st.integers(1, len(boards))))
    settled = {
        number: StepJudgement(True, "other", boards[number - 1].with_tiles(data.draw(tiles)))
        for number in numbers
    }
    mended, record = consolidate_image(image, settled, dict.fromkeys(numbers, ("a", "b")))
    assert restore_original(mended, record) == image


def test_corrections_record_why_who_and_what_was_there() -> None:
    image = tagged("VV", "F", "A", "A")
    settled = {
        1: StepJudgement(True, "under-execution", LINE.with_tiles({(6, 3): "red"})),
        2: StepJudgement(False),
    }
    mended, record = consolidate_image(image, settled, {1: ("ann", "ben"), 2: ("ann", "ben")})
    assert record.index == 7
    assert [one.step for one in record.corrections] == [1, 2, 3, 4]
    first, second, *_ = record.corrections
    assert (first.kind, first.judges, first.original) == ("under-execution", ("ann", "ben"), LINE.cells)
    assert not first.review
    assert (second.kind, second.judges, second.review) == ("", ("ann", "ben"), True), "it only follows"
    assert mended.target == MENDED.with_tiles({(6, 3): "red"}) == mended.steps[-1].board
    assert [step.text for step in mended.steps] == [step.text for step in image.steps]


def test_an_error_without_a_board_changes_nothing() -> None:
    image = tagged("VV", "F", "A", "A")
    mended, record = consolidate_image(image, {1: StepJudgement(True, "other")}, {1: ("ann",)})
    assert (mended, record.corrections) == (image, ())


def test_a_step_that_does_not_exist_is_named() -> None:
    with pytest.raises(Problem, match="procedure p1 has no step 5: it has 4"):
        consolidate_image(tagged(), {5: StepJudgement(False)}, {5: ("ann",)})


def test_all_steps_of_disputed_procedures_are_judged_and_agreed_steps_of_others_are_audited() -> None:
    images = [
        tagged("A", "VV", "A", "A", name="p1"),
        tagged("A", "V1", "A", "A", name="p2"),
        tagged("A", "F", "F", "A", name="p3"),
        replace(RECORDED, id="p4", facts=ProcedureFacts(8, 1)),
    ]
    assert [is_disputed(image) for image in images] == [True, False, True, False]
    judged, audited = choose_consolidation_steps(images, 2, Random(0))
    assert judged == {"p1": [1, 2, 3, 4], "p3": [1, 2, 3, 4]}
    assert list(audited) == ["p2"]
    assert len(audited["p2"]) == 2
    assert set(audited["p2"]) <= {1, 3, 4}
    assert choose_consolidation_steps(images, 9, Random(0))[1] == {"p2": [1, 3, 4]}
