"""The gold board next to the drawn one with mistakes marked, for reports; no seat sees it."""

from __future__ import annotations

from collections.abc import Iterable

from groundling.boards.hexes import Board, Tile, board_picture_size, picture_tile_centre
from groundling.boards.picture import svg_document, text_at
from groundling.core.drawing import Drawing
from groundling.games.hexagons.draw import EDGE, SIDE, TOP
from groundling.games.hexagons.rules import HexagonsGame, State
from groundling.games.hexagons.tile_scores import board_scores


def draw_hexagons_judge(game: HexagonsGame, state: State) -> Drawing:
    """Draw the state after the last executed step if steps have gold boards, else compare with the target."""
    title, before, gold, drawn = _compared_boards(game, state)
    wrong = list(drawn.changes_to(gold))
    told = f"{len(wrong)} wrong, F1 {board_scores(gold, drawn).f1:.2f}" if wrong else "nothing wrong"
    listed = ", ".join(f"{row} {column}" for row, column in wrong)
    text = f"{title}\n{gold.text(note=False)}\n\nDrawn: {told}\n{drawn.text(note=False)}"
    svg = _comparison_svg(title, gold, list(before.changes_to(gold)), f"Drawn: {told}", drawn, wrong)
    return Drawing(text, svg, f"Wrong tiles, row and column: {listed}" if wrong else "")


def _compared_boards(game: HexagonsGame, state: State) -> tuple[str, Board, Board, Board]:
    """Return a heading, the gold board before and after, and the drawn board."""
    image, number = state.image, len(state.done)
    if game.play_mode(image) != "execute" or game.settings.whole:
        return "Target", image.target, image.target, state.board
    if not number:
        return "Gold before the first step", Board.empty(), Board.empty(), Board.empty()
    if number > len(image.steps):
        return "Gold after the last step", image.target, image.target, state.done[-1].after
    return f"Gold after step {number}", *image.gold_boards(number - 1), state.done[-1].after


def _comparison_svg(
    title: str, gold: Board, changed: Iterable[Tile], told: str, drawn: Board, wrong: Iterable[Tile]
) -> str:
    """Return a picture in the style of the views."""
    (wide, high) = board_picture_size(SIDE, numbers=True)
    margin = board_picture_size(SIDE, numbers=True)[0] - board_picture_size(SIDE)[0]
    right = EDGE + wide + EDGE
    body = [
        text_at(title, EDGE, TOP - 12, 16),
        gold.svg("board", EDGE, TOP, SIDE, numbers=True),
        text_at(told, right, TOP - 12, 16),
        drawn.svg("other", right, TOP, SIDE, numbers=True),
        draw_tile_marks("changed", changed, EDGE + margin, TOP + margin, "ring"),
        draw_tile_marks("wrong", wrong, right + margin, TOP + margin, "cross"),
    ]
    note = "A ring on the left: painted in this step. A cross on the right: not as it should be."
    bottom = TOP + high + 26
    return svg_document(
        right + wide + EDGE,
        bottom + 14,
        "".join([*body, text_at(note, EDGE, bottom, 14)]),
        f"{title}; {told}",
    )


def draw_tile_marks(
    name: str, tiles: Iterable[Tile], left: float, top: float, kind: str, side: float = SIDE
) -> str:
    """Return marks in dark on white, which are visible on every colour."""
    wide, shapes = side * 0.9, []
    for tile in tiles:
        x, y = picture_tile_centre(tile, side)
        if kind == "ring":
            shapes.append(f'<circle cx="{x + left:.4g}" cy="{y + top:.4g}" r="{side * 0.62:.4g}"/>')
        else:
            start = f"M{x + left - wide / 2:.4g},{y + top - wide / 2:.4g}"
            shapes.append(f'<path d="{start}l{wide:g},{wide:g}m0,{-wide:g}l{-wide:g},{wide:g}"/>')
    layers = (("under", "#ffffff", 5), ("over", "#1c2430", 2))
    return "".join(
        f'<g id="{name}-{layer}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round">'
        f"{''.join(shapes)}</g>"
        for layer, ink, width in layers
    )
