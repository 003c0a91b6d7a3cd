"""The agreement of the author of a drawing procedure with two verifiers, as it is published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from groundling.boards.hexes import Board
from groundling.games.hexagons.tile_scores import Digits, board_scores

PairScores: TypeAlias = tuple[int | float, ...]
"""The F1 of the author with each verifier, and of the two verifiers."""

TAGS = ("A", "V1", "V2", "VV", "F")


def tags(
    author: Sequence[Digits], first: Sequence[Digits], second: Sequence[Digits]
) -> tuple[tuple[str, ...], tuple[PairScores, ...]]:
    """Return the tag and the scores of each step, from the whole boards after it: A both verifiers have the
    author's board, V1 or V2 only that one has, VV the verifiers agree only with each other, F nobody agrees.
    Scores have two decimals, as published."""
    if not len(author) == len(first) == len(second):
        raise ValueError(
            f"the author has boards of {len(author)} steps, the verifiers of {len(first)} and {len(second)}"
        )
    boards = [[_read_board(board) for board in by_step] for by_step in (author, first, second)]
    steps = [(_step_tag(*step), _step_scores(*step)) for step in zip(*boards, strict=True)]
    return tuple(tag for tag, _ in steps), tuple(scores for _, scores in steps)


def _read_board(board: Digits) -> Board:
    return board if isinstance(board, Board) else Board.from_digits(board)


def _step_tag(author: Board, first: Board, second: Board) -> str:
    match author == first, author == second:
        case True, True:
            return "A"
        case True, False:
            return "V1"
        case False, True:
            return "V2"
    return "VV" if first == second else "F"


def _step_scores(author: Board, first: Board, second: Board) -> PairScores:
    return pair_score(author, first), pair_score(author, second), pair_score(first, second)


def pair_score(one: Board, other: Board) -> int | float:
    """Return the F1 with two decimals. As published, boards of which both are blank, or that share nothing,
    have a whole number."""
    score = board_scores(one, other).f1
    blank = not one.painted_count and not other.painted_count
    return int(score) if blank or not score else round(score, 2)
