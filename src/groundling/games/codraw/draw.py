"""What each seat sees, as text and as a picture."""

from __future__ import annotations

from ...boards.picture import document, visible
from ...boards.scene.draw import svg
from ...boards.scene.words import lines
from ...core.pack import Drawing
from .rules import CodrawView, TellerView


def draw(view: CodrawView) -> Drawing:
    if isinstance(view, TellerView):
        scene, board = view.target, "\n".join(lines(view.target, view.places))
        if view.canvas is not None:
            board += "\n\nThe canvas\n" + "\n".join(lines(view.canvas, view.places))
    else:
        scene, board = view.canvas, "Palette: " + ", ".join(view.palette) + "\n\nCanvas\n" + "\n".join(lines(view.canvas))
    words = "\n".join(visible(f"{spoken.seat}: {spoken.text}") for spoken in view.talk)
    return Drawing(board, document(500, 400, svg(scene, "scene"), "CoDraw"), words)
