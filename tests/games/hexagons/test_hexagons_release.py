"""Games that people or players have played become data in the published format."""

from __future__ import annotations

import json

import pytest

from groundling.boards.hexes import Board
from groundling.games.hexagons.release import step_agreement

from .small import FLOWER, LINE, MENDED

BLANK = Board.empty()


@pytest.mark.parametrize(
    ("first", "second", "tag", "scores"),
    [
        (FLOWER, FLOWER, "A", (1.0, 1.0, 1.0)),
        (FLOWER, LINE, "V1", (1.0, 0.71, 0.71)),
        (LINE, FLOWER, "V2", (0.71, 1.0, 0.71)),
        (LINE, LINE, "VV", (0.71, 0.71, 1.0)),
        (LINE, BLANK, "F", (0.71, 0, 0)),
    ],
)
def test_a_step_is_tagged_by_who_agrees_with_its_author(
    first: Board, second: Board, tag: str, scores: tuple[float, ...]
) -> None:
    assert step_agreement(FLOWER, first, second) == (tag, scores)


def test_scores_of_blank_boards_are_whole_numbers_as_published() -> None:
    tag, scores = step_agreement(BLANK, BLANK, MENDED)
    assert tag == "V1"
    assert json.dumps(scores) == "[1, 0, 0]"
