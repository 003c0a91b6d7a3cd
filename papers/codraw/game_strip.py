"""A whole game as one picture: the scene, then the canvas after each message with the words below."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.boards.picture import svg_document, text_at, wrap_text
from groundling.boards.scene import HEIGHT, WIDTH, Scene
from groundling.boards.scene.draw import draw_scene_svg

_WIDE, _GAP, _TOP, _LINE = 300.0, 24.0, 58.0, 17.0
_TALL = _WIDE * HEIGHT / WIDTH
_LETTERS = 44
"""Characters in a line below a canvas."""
_GREY = "#6b7280"


def draw_game_strip(
    target: Scene, steps: Sequence[tuple[str, Scene, float]], title: str, across: int = 4
) -> str:
    """Draw the target and each step's message, canvas and similarity; `across` pictures in a row."""
    panels = [
        ("the scene", target, ""),
        *(
            (f"message {n}, similarity {score:.2f}", canvas, said)
            for n, (said, canvas, score) in enumerate(steps, 1)
        ),
    ]
    rows = [panels[start : start + across] for start in range(0, len(panels), across)]
    body, y = [text_at(title, _GAP, 26, 15)], _TOP
    for number, row in enumerate(rows):
        for place, (head, scene, said) in enumerate(row):
            x = _GAP + place * (_WIDE + _GAP)
            body.append(text_at(head, x, y - 6, 12, fill=_GREY))
            body.append(draw_scene_svg(scene, f"canvas-{number * across + place}", x, y, _WIDE))
            lines = wrap_text(said, _LETTERS)
            body += [text_at(line, x, y + _TALL + _LINE * (n + 1), 13) for n, line in enumerate(lines)]
        most = max(len(wrap_text(said, _LETTERS)) for _, _, said in row)
        y += _TALL + _LINE * most + 2 * _GAP
    wide = _GAP + min(across, len(panels)) * (_WIDE + _GAP)
    return svg_document(wide, y - _GAP / 2, "".join(body), title, zoom=1.5)
