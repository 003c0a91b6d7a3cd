"""The drawings of both views, as text and as SVG, with the published clip art if GROUNDLING_ART has it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sized
from functools import lru_cache, partial
from itertools import groupby

from groundling.boards import clipart
from groundling.boards.picture import replace_unprintable, svg_document, text_at, wrap_text
from groundling.boards.scene import CATEGORY, FRONTS, HEIGHT, HORIZON, PEOPLE, WIDTH, Piece, Scene
from groundling.boards.scene.descriptions import HEIGHT_WORDS, Places, describe_piece
from groundling.boards.scene.draw import draw_scene_document, draw_scene_svg
from groundling.core.drawing import Drawing
from groundling.games.codraw.instance import CodrawInstance
from groundling.games.codraw.players.template.attachments import find_attachment
from groundling.games.codraw.replies import TAG
from groundling.games.codraw.rules import DRAWER, TELLER, CodrawView, DrawerView, State, TellerView

_LEFT, _TOP, _GAP = 48, 56, 40
_STEP = HEIGHT + 60
"""The vertical distance between two boards."""
_CELL, _ACROSS = 62, 8
_SHELVES = {"large": "playground and trees"}
"""Names of categories in text, where "large" is a size."""
_FRONT_NOTES = {"oak tree": " (the hole in its trunk)"}
_NAMES = {"boy": "people", "girl": "people", "clothing": "hats and glasses"}


def draw(view: CodrawView) -> Drawing:
    return _draw_teller(view) if isinstance(view, TellerView) else _draw_drawer(view)


def draw_canvas_alone(state: State) -> str:
    return draw_scene_document(state.canvas, "The canvas", art=_art_folder())


def draw_target_alone(instance: CodrawInstance) -> str:
    return draw_scene_document(instance.target, "The scene", art=_art_folder())


def _draw_teller(view: TellerView) -> Drawing:
    boards = [("Your scene", view.target)] + (
        [("The Drawer's canvas", view.canvas)] if view.canvas is not None else []
    )
    parts = [_list_scene(title, scene, view.places) for title, scene in boards]
    talk, notes = _talk_lines(view, TELLER), list(_teller_notes(view))
    return Drawing(
        "\n\n".join([*parts, "\n".join(notes)] if notes else parts),
        partial(_draw_teller_svg, boards, notes, talk),
        "\n".join(talk),
    )


def _draw_teller_svg(boards: list[tuple[str, Scene]], notes: list[str], talk: list[str]) -> str:
    body = "".join(
        _frame_scene(title, scene, _TOP + n * _STEP, _art_folder()) for n, (title, scene) in enumerate(boards)
    )
    title = f"A scene; {_count_phrase(talk, 'message')}"
    return _lay_out_page(body, _TOP + len(boards) * _STEP, notes, talk, title)


def _teller_notes(view: TellerView) -> Iterator[str]:
    if view.canvas is not None:
        yield "You are looking at the canvas. What you say next closes it."
    elif view.peeks:
        yield (
            "You can look at the Drawer's canvas once: reply PEEK. You see it until your next message. "
            "A look costs no message."
        )
    if view.drawer_finished:
        yield "The Drawer has finished: FINISH ends the game."
    elif view.finished and view.drawer_can_finish:
        yield "You have finished, and the Drawer continued: the game ends when the Drawer finishes too."
    elif view.finished:
        yield "You have finished once, and the Drawer continued: the next FINISH ends the game."
    if view.may_wait:
        yield "You can let the Drawer speak first: WAIT."
    if view.cap or view.rounds is not None:
        length = f'at most {view.cap} characters each, not counting "{TAG} "' if view.cap else ""
        count = f"{view.rounds} left" if view.rounds is not None else ""
        yield f"Your messages: {'; '.join(part for part in (length, count) if part)}."


def _draw_drawer(view: DrawerView) -> Drawing:
    """Draw the view of the Drawer. The palette comes before the talk because it never changes."""
    talk = _talk_lines(view, DRAWER)
    board = _list_scene("Your canvas", view.canvas, "numbers")
    notes = list(_drawer_notes(view))
    palette = [
        "The palette",
        *(f"{_SHELVES.get(name, name)}: {', '.join(kinds)}" for name, kinds in palette_shelves(view.palette)),
    ]
    if fronts := [kind for kind in view.palette if kind in FRONTS]:
        left = " and ".join(kind for kind in fronts if FRONTS[kind] == "left")
        default = f"right, {left} left" if left else "right"
        listed = ", ".join(f"{kind}{_FRONT_NOTES.get(kind, '')}" for kind in fronts)
        palette.append(f'Pieces with a front: {listed}. Without "facing" they face {default}.')
    return Drawing(
        "\n\n".join([board, "\n".join(notes)] if notes else [board]),
        partial(_draw_drawer_svg, view, notes, talk),
        "\n".join(palette) + ("\n\n" + "\n".join(talk) if talk else ""),
    )


def _draw_drawer_svg(view: DrawerView, notes: list[str], talk: list[str]) -> str:
    rows = -(-len(view.palette) // _ACROSS)
    body = _frame_scene("Your canvas", view.canvas, _TOP, _art_folder()) + _draw_palette(
        view.palette, _art_folder(), _TOP + HEIGHT + _GAP
    )
    height = _TOP + HEIGHT + _GAP + rows * _CELL + _GAP
    title = f"A canvas with {_count_phrase(view.canvas, 'piece')}; {_count_phrase(talk, 'message')}"
    return _lay_out_page(body, height, notes, talk, title)


def _count_phrase(things: Sized, name: str) -> str:
    return f"{len(things)} {name}" + "s" * (len(things) != 1)


def _art_folder() -> str:
    return os.environ.get("GROUNDLING_ART", "")


def _drawer_notes(view: DrawerView) -> Iterator[str]:
    if view.asked:
        yield "The Teller has finished: draw what is missing and agree" + (
            "." if view.silent else ", or continue with a message."
        )
    elif view.silent:
        yield 'You draw, and say nothing but "ok".'
    elif view.cap:
        yield f"Your messages: at most {view.cap} characters each."
    if view.may_finish and not view.asked:
        yield _finish_note(view)


def _finish_note(view: DrawerView) -> str:
    form = 'write "finish": true in place of "say"'
    if view.teller_finished:
        return f"The Teller has finished. If everything is drawn, {form}: this ends the game."
    if view.finished:
        return "You have finished: the game ends when the Teller finishes too."
    return f"When everything is drawn, you can finish: {form}. The game ends when both have finished."


def palette_shelves(palette: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Group a palette by category."""
    for name, kinds in groupby(palette, lambda kind: _NAMES.get(CATEGORY[kind], CATEGORY[kind])):
        yield name, list(kinds)


def _talk_lines(view: CodrawView, role: str) -> list[str]:
    names = {role: "You", TELLER if role == DRAWER else DRAWER: "Teller" if role == DRAWER else "Drawer"}
    return [_spoken_line(names[spoken.seat], spoken.text) for spoken in view.talk]


@lru_cache(4096)  # the whole talk is drawn again with every message
def _spoken_line(name: str, text: str) -> str:
    return replace_unprintable(f"{name}: {text}")


@lru_cache(64)  # most messages leave the scenes unchanged
def _list_scene(title: str, scene: Scene, places: Places) -> str:
    scale = (
        f"x from 0 at the left to {WIDTH}, y from 0 at the top to {HEIGHT}, horizon at y = {HORIZON}"
        if places == "numbers"
        else f"heights from the top: {', '.join(HEIGHT_WORDS)}"
    )
    lines = [describe_piece(piece, places) + _worn_note(piece, scene) for piece in scene.pieces]
    head = f"{title} (the place of a piece is its middle; {scale})"
    return "\n".join([head, *(lines or ["nothing yet"])])


def _worn_note(piece: Piece, scene: Scene) -> str:
    found = find_attachment(piece, scene)
    if found is None or found.how != "worn":
        return ""
    return f", worn by {'' if found.kind in PEOPLE else 'the '}{found.kind}"


@lru_cache(64)
def _frame_scene(title: str, scene: Scene, top: float, art: str) -> str:
    """Draw a scene with scales along two edges, from which positions can be read."""
    name = title.lower().replace(" ", "-").replace("'", "")
    marks = [
        text_at(str(x), _LEFT + x, top - 5, 9, fill="#6b7280", anchor="middle")
        for x in range(0, WIDTH + 1, 100)
    ]
    marks += [
        text_at(str(y), _LEFT - 5, top + y + 3, 9, fill="#6b7280", anchor="end")
        for y in range(0, HEIGHT + 1, 100)
    ]
    return (
        text_at(title, _LEFT, top - 20, 15)
        + "".join(marks)
        + draw_scene_svg(scene, name, _LEFT, top, art=art or None)
    )


@lru_cache(16)
def _draw_palette(kinds: tuple[str, ...], art: str, top: float) -> str:
    cells = []
    for number, kind in enumerate(kinds):
        row, column = divmod(number, _ACROSS)
        x, y = _LEFT + (column + 0.5) * _CELL, top + (row + 0.42) * _CELL
        width, height = clipart.clipart_piece_size(kind)
        scale = min(0.68 * _CELL / width, 0.62 * _CELL / height, 1.0)
        smile = 2 if kind in PEOPLE else 0
        drawn = (
            clipart.published_piece(art, kind, 0, smile)
            if art
            else clipart.draw_clipart_piece(kind, pose=0, expression=smile)
        )
        cells.append(
            f'<g transform="translate({x:g} {y:g}) scale({scale:.3g})" data-palette="{kind}">{drawn}</g>'
        )
        cells.append(text_at(kind, x, top + (row + 0.92) * _CELL, 8, anchor="middle"))
    return text_at("The palette", _LEFT, top - 12, 15) + f'<g id="palette">{"".join(cells)}</g>'


def _lay_out_page(body: str, height: float, notes: list[str], talk: list[str], title: str) -> str:
    """Lay out the boards on the left and the growing talk on the right."""
    left, row = _LEFT + WIDTH + _GAP, 0
    words: list[str] = []
    for part, fill in ((talk, "#1c2430"), (notes, "#6b7280")):
        row += bool(row and part)
        for text in part:
            written, row = _draw_message(text, fill, left, row)
            words.append(written)
    said = f'<g id="said">{"".join(words)}</g>'
    return svg_document(left + (350 if row else 0), max(height, _TOP + 20 * row + _GAP), body + said, title)


@lru_cache(4096)
def _draw_message(text: str, fill: str, left: float, row: int) -> tuple[str, int]:
    """Draw a message that starts in a row, and return the row after it."""
    found = wrap_text(text, 44)
    rows = (
        text_at(line, left, _TOP + 12 + 20 * n, 13, fill=fill) for n, line in enumerate(found, row) if line
    )
    return "".join(rows), row + len(found)
