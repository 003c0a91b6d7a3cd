"""Draws a scene as SVG: the park with its pieces."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

from groundling.boards import clipart
from groundling.boards.picture import svg_document
from groundling.boards.scene.descriptions import describe_piece
from groundling.boards.scene.kinds import HEIGHT, SCALES, WIDTH
from groundling.boards.scene.pieces import Piece, Scene


def scene_drawing_depth(piece: Piece) -> tuple[bool, bool, int, int]:
    """The sort key from back to front: the sun, the sky, then small before large, then by kind."""
    return piece.kind != "sun", piece.category != "sky", -piece.size, piece.index


def scene_drawing_order(scene: Scene) -> list[Piece]:
    """The pieces from back to front."""
    return sorted(scene.pieces, key=scene_drawing_depth)


def draw_scene_svg(
    scene: Scene, name: str, x: float = 0, y: float = 0, width: float = WIDTH, art: str | Path | None = None
) -> str:
    """Draw the canvas `width` wide, clipped at its edges. Every piece is a group with an id made from `name`
    and its kind, and with `data-kind`, `data-x`, `data-y`, `data-size` and `data-flip`, people also with
    `data-pose` and `data-expression`. `art` is a folder of the published pictures, to be used in place of
    ours."""
    park = clipart.published_background(art) if art else clipart.draw_background()
    pieces = "".join(_piece_group(piece, name, art) for piece in scene_drawing_order(scene))
    return (
        f'<svg id="{name}" class="scene" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{width * HEIGHT / WIDTH:g}" viewBox="0 0 {WIDTH} {HEIGHT}" overflow="hidden">'
        f'<g id="{name}-park">{park}</g>{pieces}</svg>'
    )


def draw_scene_document(
    scene: Scene, title: str = "a park scene", width: float = WIDTH, art: str | Path | None = None
) -> str:
    """Make a whole SVG document of a scene."""
    return svg_document(
        width, width * HEIGHT / WIDTH, draw_scene_svg(scene, "scene", width=width, art=art), title
    )


@lru_cache(256)  # about as many games are played at once
def draw_scene_canvas(scene: Scene, name: str, label: str) -> str:
    """Draw the scene in its own units, for a page: every piece has an id, and a label for screen readers."""
    pieces = "".join(_labelled_piece(piece, name) for piece in scene_drawing_order(scene))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" class="scene" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="group" aria-label="{escape(label)}"><clipPath id="{name}-edge">'
        f'<rect width="{WIDTH}" height="{HEIGHT}"/></clipPath>'
        f'<g clip-path="url(#{name}-edge)"><g id="{name}-park">'
        f"{clipart.draw_background()}</g>{pieces}</g></svg>"
    )


@lru_cache(1024)
def _labelled_piece(piece: Piece, name: str) -> str:
    return _piece_group(piece, name, None, f' role="img" aria-label="{describe_piece(piece, "words")}"')


def _piece_group(piece: Piece, name: str, art: str | Path | None, more: str = "") -> str:
    pose, expression = piece.pose or 0, piece.expression or 0
    drawn = (
        clipart.published_piece(art, piece.kind, pose, expression)
        if art
        else clipart.draw_clipart_piece(piece.kind, pose=pose, expression=expression)
    )
    scale = SCALES[piece.size]
    across = -scale if piece.flip else scale
    figure = "" if piece.pose is None else f' data-pose="{pose}" data-expression="{expression}"'
    return (
        f'<g id="{name}-{piece.kind.replace(" ", "-")}" data-kind="{piece.kind}" '
        f'data-x="{piece.x}" data-y="{piece.y}" data-size="{piece.size}" '
        f'data-flip="{int(piece.flip)}"{figure} '
        f'transform="translate({piece.x} {piece.y}) scale({across:g} {scale:g})"{more}>{drawn}</g>'
    )
