"""What each seat sees, as text and as a picture."""

from __future__ import annotations

from ...boards.letters import Grid
from ...boards.picture import document, text_at, wrap
from ...core.pack import Drawing
from .labels import LABELS
from .rules import FollowerView, GiverView, ReferenceView

_CELL, _GAP, _TOP = 24, 36, 44


def draw(view: ReferenceView) -> Drawing:
    marked: int | None
    if isinstance(view, GiverView):
        marks = [f"{LABELS[i].capitalize()}{' (target)' if i + 1 == view.target else ''}" for i in range(len(view.grids))]
        marked, caption = view.target, "" if view.said is None else f"You said: {view.said}"
    else:
        assert isinstance(view, FollowerView)
        marks = [f"{LABELS[i].capitalize()}{' (picked)' if i + 1 == view.picked else ''}" for i in range(len(view.grids))]
        marked, caption = view.picked, "" if view.expression is None else f"You are told: {view.expression}"
    return Drawing(_text(view.grids, marks, caption), _svg(view.grids, marks, marked, caption))


def _text(grids: tuple[Grid, ...], marks: list[str], caption: str) -> str:
    width = max(2 * grids[0].size - 1, *map(len, marks))
    lines = [marks, *zip(*(grid.text().splitlines() for grid in grids), strict=True)]
    table = ["   ".join(part.ljust(width) for part in line).rstrip() for line in lines]
    return "\n".join([*table, *(["", caption] if caption else [])])


def _svg(grids: tuple[Grid, ...], marks: list[str], marked: int | None, caption: str) -> str:
    side = grids[0].size * _CELL
    step = max(side, 120) + _GAP
    width = step * len(grids) + _GAP
    said = wrap(caption, int(width / 8))
    height = _TOP + side + _GAP + 20 * len(said)
    body = []
    for place, (grid, mark) in enumerate(zip(grids, marks, strict=True), 1):
        left = _GAP + (place - 1) * step
        body.append(f'<g id="choice-{place}" data-place="{place}">')
        if place == marked:
            body.append(
                f'<rect x="{left - 10}" y="10" width="{max(side, 120) + 20}" height="{side + _TOP}" rx="8" fill="none" '
                'stroke="#c2570c" stroke-width="3"/>'
            )
        body.append(text_at(mark, left, 32, 15, weight="bold") + grid.svg(f"grid-{place}", left, _TOP, _CELL) + "</g>")
    body += [text_at(line, _GAP, _TOP + side + 34 + 20 * row, 14) for row, line in enumerate(said)]
    return document(width, height, "".join(body), "; ".join(marks))
