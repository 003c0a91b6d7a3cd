"""What each seat sees, as text and as a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...boards.picture import document, text_at, visible, wrap
from ...boards.shelf import Shelf, Side
from ...boards.things import Look
from ...core.pack import Drawing
from .picture import shelf_svg
from .rules import AnyView, DirectorView, ParticipantView

_LINE, _GAP = 19, 8
_MANY = 40
_ZOOM, _ZOOM_OF_MANY = 0.95, 0.85
"""Most of the time that a PNG takes goes into writing its pixels, and then into its things. Where cells are many there are less
of the former; the things of a full 8 by 8 shelf can still be told apart."""
_NOTHING: Mapping[str, Look] = {}


def draw(view: AnyView) -> Drawing:
    """The director is shown no names of cells: saying one would leave nothing to understand."""
    if isinstance(view, DirectorView):
        told = {"director": "You said", "participant": "Your partner asks"}
        board = view.shelf.text("director", {view.target: "the target"}, labels=False)
        svg = picture(view.shelf, "director", looks=view.looks, marked=(view.target,), said=_said(view, told), labels=False)
        return Drawing(board, svg, "\n".join(_said(view, told)))
    assert isinstance(view, ParticipantView)
    told = {"director": "The director says", "participant": "You asked"}
    marks = {view.picked: "picked"} if view.picked else {}
    svg = picture(view.shelf, looks=view.looks, marked=marks, said=_said(view, told), other=not view.alone)
    reply = "alone" if view.alone else "ask" if view.questions else "pick"
    return Drawing(view.shelf.text(marks=marks), svg, "\n".join(_said(view, told)), reply)


def _said(view: DirectorView | ParticipantView, told: Mapping[str, str]) -> list[str]:
    return [visible(f"{told[line.role]}: {line.text}" if line.role in told else line.text) for line in view.said]


def picture(
    shelf: Shelf,
    side: Side = "participant",
    *,
    looks: Mapping[str, Look] = _NOTHING,
    marked: Collection[str] = (),
    said: Collection[str] = (),
    labels: bool = True,
    other: bool = True,
) -> str:
    """A shelf as that side sees it, with what was said beneath, as a whole SVG."""
    width, height, body = shelf_svg(shelf, side, looks=looks, marked=marked, labels=labels, other=other)
    wide = max(width, 300.0) if said else width
    lines = [line for text in said for line in wrap(text, int((wide - 2 * _GAP) / 7.4))]
    words = "".join(text_at(line, _GAP, height + _LINE * (n + 1), 13) for n, line in enumerate(lines))
    body += f'<g id="said">{words}</g>' if lines else ""
    tall = height + (_LINE * len(lines) + _GAP if lines else 0) + _GAP
    title = f"A shelf of {shelf.columns} by {shelf.rows} cells, seen from {'the front' if side == 'participant' else 'behind'}"
    return document(wide, tall, body, title, zoom=_ZOOM_OF_MANY if len(shelf.cells) > _MANY else _ZOOM)
