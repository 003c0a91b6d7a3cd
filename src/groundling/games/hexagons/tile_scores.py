"""Agreement of two boards, or two sets of changes. Two empty sets agree completely, one scores zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from groundling.boards.hexes import COLOURS, TILES, Board, Tile, board_colour_number, check_lattice_tile
from groundling.scores.set_overlap import set_overlap

Digits: TypeAlias = Board | str | Sequence[int | str]
"""A board, or its 180 digits row by row."""
Action: TypeAlias = tuple[int, int, int | str]
"""Row and column, counted from 1, and a colour by name or digit."""
Painted: TypeAlias = tuple[int, int, int]


class TileScores(NamedTuple):
    """Scores from 0 to 1; `exact` is 1 if the two sets are equal, else 0."""

    precision: float
    recall: float
    f1: float
    exact: float


ZERO_SCORES = TileScores(0.0, 0.0, 0.0, 0.0)


def board_scores(gold: Digits, drawn: Digits) -> TileScores:
    """Compare the tiles that are not white, by place and colour."""
    blank = "0" * len(TILES)
    return score_tile_sets(
        _changed_tiles(blank, _board_cells(gold)), _changed_tiles(blank, _board_cells(drawn))
    )


def action_scores(
    gold_before: Digits, gold_after: Digits, drawn_before: Digits, drawn_after: Digits
) -> TileScores:
    """Compare changed tiles by place and new colour, white too, each side against its own board before."""
    gold = _changed_tiles(_board_cells(gold_before), _board_cells(gold_after))
    return score_tile_sets(gold, _changed_tiles(_board_cells(drawn_before), _board_cells(drawn_after)))


def emitted_scores(gold_before: Digits, gold_after: Digits, actions: Iterable[Action]) -> TileScores:
    """Compare the tiles that changed with those that an executor said to paint. The last action on a tile
    counts, even if the tile already has that colour."""
    painted = {(row, column): _colour_digit(colour) for row, column, colour in actions}
    emitted = frozenset((*check_lattice_tile(tile), colour) for tile, colour in painted.items())
    return score_tile_sets(_changed_tiles(_board_cells(gold_before), _board_cells(gold_after)), emitted)


def score_tile_sets(gold: AbstractSet[Painted], found: AbstractSet[Painted]) -> TileScores:
    agreed = set_overlap(gold, found)
    return TileScores(agreed.precision, agreed.recall, agreed.f1, float(gold == found))


def shape_at_origin(painted: Mapping[Tile, str]) -> set[tuple[int, int, str]]:
    """The coloured tiles, moved so that equal shapes at different places are equal."""
    # along slanted axes a shape keeps its coordinates up to a sum, whichever column it begins in
    axial = [(column, row - column // 2 - column % 2, colour) for (row, column), colour in painted.items()]
    if not axial:
        return set()
    first, second, _ = min(axial)
    return {(one - first, other - second, colour) for one, other, colour in axial}


def _board_cells(board: Digits) -> str:
    return board.cells if isinstance(board, Board) else Board.from_digits(board).cells


def _changed_tiles(before: str, after: str) -> frozenset[Painted]:
    return frozenset(
        (*tile, int(new)) for tile, old, new in zip(TILES, before, after, strict=True) if old != new
    )


def _colour_digit(colour: int | str) -> int:
    if isinstance(colour, str) and not colour.isdecimal():
        return board_colour_number(colour)
    colour = int(colour)
    if not 0 <= colour < len(COLOURS):
        raise ValueError(f"{colour} is no colour: their digits are 0 to {len(COLOURS) - 1}")
    return colour
