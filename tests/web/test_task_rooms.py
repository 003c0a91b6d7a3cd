"""The score of a task: a measure of the game, as a share of its top."""

from __future__ import annotations

import pytest
from tests.games.hexagons.small import RECORDED
from tests.games.hexagons.test_hexagons_score import WORDS, right, scored

from groundling.core.pack import find
from groundling.games.hexagons.moves import Next, PaintTile
from groundling.games.hexagons.rules import HexagonsGame, HexagonsSettings
from groundling.web.studies.task_rooms import read_task_score


def test_a_slip_counts_once_by_actions_and_at_every_later_board_by_boards() -> None:
    slip = (*right(0)[:-1], PaintTile(9, 9, "blue"), Next())
    found, transcript = scored(
        HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [slip, *map(right, range(1, 4))]
    )
    pack, steps = find("hexagons"), len(RECORDED.steps)
    assert read_task_score(pack, "action_exact", transcript) == pytest.approx(1 - 1 / steps)
    assert read_task_score(pack, "board_exact", transcript) == 0
    assert read_task_score(pack, "", transcript) == found.episode["f1"], "the main one by default"
