"""Draws the view of each seat, as text and as a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from groundling.boards.picture import replace_unprintable, svg_document, text_at, wrap_text
from groundling.boards.shelf import Shelf, Side
from groundling.boards.things import Look
from groundling.core.drawing import Drawing
from groundling.core.prompt_hints import PromptHints
from groundling.games.director.rules import AnyView, DirectorView, ParticipantView
from groundling.games.director.shelf_picture import shelf_picture_svg

_LINE, _GAP = 19, 8
_ZOOM, _ZOOM_OF_FIVE, _ZOOM_OF_MORE = 0.92, 0.85, 0.8
"""Pixels per unit, by the number of cells on the shorter side of a shelf. Encoding pixels, above all at
edges, takes most of the time of a PNG, so larger shelves get fewer. The names of cells stay 12 pixels
high."""
_NOTHING: Mapping[str, Look] = {}


def draw(view: AnyView) -> Drawing:
    """Draw a view. The director sees no cell names: saying one would make the task trivial."""
    if isinstance(view, DirectorView):
        told = {"director": "You said", "participant": "Your partner asks"}
        board = view.shelf.text("director", {view.target: "the target"}, labels=False)
        svg = partial(
            draw_shelf_document,
            view.shelf,
            "director",
            looks=view.looks,
            marked=(view.target,),
            said=_said_lines(view, told),
            labels=False,
        )
        return Drawing(board, svg, "\n".join(_said_lines(view, told)))
    assert isinstance(view, ParticipantView)
    told = {"director": "The director says", "participant": "You asked"}
    marks = {view.picked: "picked"} if view.picked else {}
    svg = partial(
        draw_shelf_document,
        view.shelf,
        looks=view.looks,
        marked=marks,
        said=_said_lines(view, told),
        other=not view.alone,
    )
    return Drawing(view.shelf.text(marks=marks), svg, "\n".join(_said_lines(view, told)))


def prompt_hints(view: AnyView) -> PromptHints:
    if isinstance(view, DirectorView):
        return PromptHints()
    return PromptHints("alone" if view.alone else "ask" if view.questions else "pick")


def _said_lines(view: DirectorView | ParticipantView, told: Mapping[str, str]) -> list[str]:
    return [
        replace_unprintable(f"{told[line.role]}: {line.text}" if line.role in told else line.text)
        for line in view.said
    ]


def draw_shelf_document(
    shelf: Shelf,
    side: Side = "participant",
    *,
    looks: Mapping[str, Look] = _NOTHING,
    marked: Collection[str] = (),
    said: Collection[str] = (),
    labels: bool = True,
    other: bool = True,
) -> str:
    """Make a whole SVG of a shelf as that side sees it, with what was said beneath."""
    width, height, body = shelf_picture_svg(
        shelf, side, looks=looks, marked=marked, labels=labels, other=other
    )
    wide = max(width, 300.0) if said else width
    lines = [line for text in said for line in wrap_text(text, int((wide - 2 * _GAP) / 7.4))]
    words = "".join(text_at(line, _GAP, height + _LINE * (n + 1), 13) for n, line in enumerate(lines))
    body += f'<g id="said">{words}</g>' if lines else ""
    tall = height + (_LINE * len(lines) + _GAP if lines else 0) + _GAP
    place = "the front" if side == "participant" else "behind"
    title = f"A shelf of {shelf.columns} by {shelf.rows} cells, seen from {place}"
    shorter = min(shelf.columns, shelf.rows)
    return svg_document(
        wide, tall, body, title, _ZOOM if shorter < 5 else _ZOOM_OF_FIVE if shorter == 5 else _ZOOM_OF_MORE
    )
