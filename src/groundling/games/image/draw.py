"""Draws the view of each seat, as text and as a picture."""

from __future__ import annotations

from functools import partial

from groundling.boards.letter_grid import Grid
from groundling.boards.picture import replace_unprintable, svg_document, text_at, wrap_text
from groundling.core.drawing import Drawing
from groundling.core.prompt_hints import PromptHints
from groundling.games.image.rules import GiverView, ImageView

_CELL, _GAP, _TOP = 32, 28, 48


def draw(view: ImageView) -> Drawing:
    grid: Grid | None
    if isinstance(view, GiverView):
        title, grid, size = "Target", view.target, view.target.size
        said = [f"{n}. You said: {text}" for n, text in enumerate(view.said, 1)]
    else:
        title, grid, size = "Your grid", view.canvas, view.size
        said = [f"Instruction {n} from your partner: {text}" for n, text in enumerate(view.told, 1)]
    lines = [replace_unprintable(line) for line in said]
    head = f"{title}, {size} rows and {size} columns"
    board = f"{head}:\n{grid.text()}" if grid else f"{head}, is not shown."
    return Drawing(board, partial(_view_svg, title if grid else board, grid, lines), "\n".join(lines))


def prompt_hints(view: ImageView) -> PromptHints:
    if isinstance(view, GiverView):
        return PromptHints("next" if view.said else "first", {"left": str(view.turns - len(view.said))})
    return PromptHints("draw", {"size": str(view.size), "instruction": view.told[-1] if view.told else ""})


def _view_svg(title: str, grid: Grid | None, said: list[str]) -> str:
    """Draw the grid on the left, where it stays in place, and what was said, which grows, beside it."""
    side = grid.size * _CELL if grid else 0
    left = _GAP + max(side, 120) + _GAP
    lines = [line for text in said for line in wrap_text(text, 52)]
    height = _TOP + max(side, 20 * len(lines)) + _GAP
    body = [text_at(title, _GAP, 32, 16)]
    if grid:
        body.append(grid.svg("canvas", _GAP, _TOP, _CELL))
    body.append(
        '<g id="said">'
        + "".join(text_at(line, left, _TOP + 16 + 20 * n, 14) for n, line in enumerate(lines))
        + "</g>"
    )
    return svg_document(
        left + (440 if said else 0), height, "".join(body), f"{title}; {len(said)} instructions"
    )
