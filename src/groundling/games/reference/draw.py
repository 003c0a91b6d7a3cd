"""Draws the view of each seat, as text and as a picture."""

from __future__ import annotations

from functools import partial

from groundling.boards.letter_grid import Grid
from groundling.boards.picture import replace_unprintable, svg_document, text_at, wrap_text
from groundling.core.drawing import Drawing
from groundling.core.prompt_hints import PromptHints
from groundling.games.reference.labels import LABELS
from groundling.games.reference.rules import ANSWER, FollowerView, GiverView, ReferenceView

_CELL, _GAP, _TOP, _HEAD = 24, 36, 12, 32
_WIDE = 1040
"""The width in pixels that grids side by side may take."""


def draw(view: ReferenceView) -> Drawing:
    if isinstance(view, GiverView):
        caption = "" if view.said is None else f"You said: {view.said}"
    else:
        assert isinstance(view, FollowerView)
        caption = "" if view.expression is None else f"Your partner's description: {view.expression}"
    marks, marked = draw_grid_marks(view)
    caption = replace_unprintable(caption)
    return Drawing(
        draw_lineup_text(view.grids, marks),
        partial(draw_lineup_svg, view.grids, marks, marked, caption),
        caption,
    )


def prompt_hints(view: ReferenceView) -> PromptHints:
    if isinstance(view, GiverView):
        return PromptHints("describe")
    answers = "\n".join(f"{ANSWER} {label}" for label in LABELS[: len(view.grids)])
    return PromptHints("choose", {"answers": answers, "expression": view.expression or ""})


def draw_grid_marks(view: ReferenceView) -> tuple[list[str], int | None]:
    """Return the caption of each grid, and the number of the marked one."""
    marked, why = (view.target, "target") if isinstance(view, GiverView) else (view.picked, "picked")
    marks = [
        f"{LABELS[i].capitalize()}{f' ({why})' if i + 1 == marked else ''}" for i in range(len(view.grids))
    ]
    return marks, marked


def draw_lineup_text(grids: tuple[Grid, ...], marks: list[str]) -> str:
    """Write the grids one below the other: models misread grids that stand side by side."""
    return "\n\n".join(f"{mark}\n{grid.text()}" for mark, grid in zip(marks, grids, strict=True))


def draw_lineup_svg(grids: tuple[Grid, ...], marks: list[str], marked: int | None, caption: str = "") -> str:
    side = grids[0].size * _CELL
    across, down = max(side, 120) + _GAP, _HEAD + side + _GAP
    columns = min(len(grids), max(1, (_WIDE - _GAP) // across))
    width, bottom = across * columns + _GAP, _TOP + down * -(-len(grids) // columns)
    said = wrap_text(caption, int(width / 8))
    body = []
    for number, (grid, mark) in enumerate(zip(grids, marks, strict=True)):
        left, top = _GAP + number % columns * across, _TOP + number // columns * down
        body.append(f'<g id="choice-{number + 1}" data-place="{number + 1}">')
        if number + 1 == marked:
            body.append(
                f'<rect x="{left - 10}" y="{top}" width="{across - _GAP + 20}" height="{_HEAD + side + 10}" '
                'rx="8" fill="none" stroke="#c2570c" stroke-width="3"/>'
            )
        body.append(
            text_at(mark, left, top + 21, 15)
            + grid.svg(f"grid-{number + 1}", left, top + _HEAD, _CELL)
            + "</g>"
        )
    body += [text_at(line, _GAP, bottom + 20 * row, 14) for row, line in enumerate(said)]
    return svg_document(width, bottom + 20 * len(said), "".join(body), "; ".join(marks))
