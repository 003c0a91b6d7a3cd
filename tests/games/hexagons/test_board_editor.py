"""Boards that annotators see and correct."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import COLOURS, TILES
from groundling.core.values import Illegal
from groundling.games.hexagons.board_editor import (
    board_changes,
    board_editor_desk,
    draw_edited_board,
    paint_edited_board,
)
from groundling.games.hexagons.moves import Next, PaintTile

from .small import FLOWER, LINE


@given(st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS)))
def test_painting_changes_these_tiles_only(tiles: dict[tuple[int, int], str]) -> None:
    moves = [PaintTile(*tile, colour) for tile, colour in tiles.items()]
    assert paint_edited_board(FLOWER.cells, moves) == FLOWER.with_tiles(tiles).cells


def test_no_moves_leave_the_board_as_it_is() -> None:
    assert paint_edited_board(FLOWER.cells, []) == FLOWER.cells


def test_other_moves_are_refused() -> None:
    with pytest.raises(Illegal, match="a board is only painted"):
        paint_edited_board(LINE.cells, [PaintTile(1, 1, "red"), Next()])


def test_rings_mark_the_tiles_that_differ() -> None:
    assert "<circle" not in draw_edited_board(FLOWER.cells, "")
    assert "<circle" not in draw_edited_board(FLOWER.cells, FLOWER.cells)
    drawn = draw_edited_board(FLOWER.cells, LINE.cells)
    assert drawn.count("<circle") == 2 * len(LINE.changes_to(FLOWER))
    assert "Marked tiles, row and column: 4 9, 4 10, 5 9, 6 9" in drawn


def test_the_desk_starts_from_the_board() -> None:
    desk = board_editor_desk(LINE.cells)
    assert [panel.name for panel in desk.panels] == ["work"]
    assert desk.panels[0].svg.count('data-colour="4"') == 5
    assert desk.tool == "hexes"


def test_changes_make_one_board_of_the_other() -> None:
    for before, after in ((FLOWER, LINE), (LINE, LINE)):
        moves = board_changes(before.cells, after.cells)
        assert paint_edited_board(before.cells, moves) == after.cells
    assert moves == []


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(Illegal, match="a board has 180 digits, not 3"):
        paint_edited_board("123", ())
