"""Draws a shelf from either side. The width is about the same for every shelf; tall ones are narrower, and
very large ones wider, to keep their cells legible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from groundling.boards.picture import svg_document, text_at, wrap_text
from groundling.boards.shelf import Item, Shelf, Side
from groundling.boards.stamps import BOX, stamp_drawing
from groundling.boards.svg_shapes import svg_box
from groundling.boards.things import DRAWINGS, PAINTS, Look, draw_thing
from groundling.boards.things.paint import INK
from groundling.games.director.items import load_items
from groundling.games.director.people_drawings import TALL, draw_person_bust, draw_person_silhouette

SIDE, SMALLEST, LARGEST = 372, 34, 110
"""The size of all cells together, and the smallest and largest size of one cell."""
THING, CARD = 0.38, 0.66
"""The share of a cell that an item of size 0 takes: more for name cards, which must be legible."""
EDGE = 6
"""The margin around an item that is shown alone."""
FRAME, POST, BOARD, FLOOR, FEET, ROOM = 22, 10, 5, 4, 12, 12
_WOOD, _LIGHT_WOOD, _DARK_WOOD, _WALL = "#d2a36c", "#e6c493", "#9c7145", "#e9eef0"
_PANEL, _PANEL_LINE, _PANEL_EDGE = "#8f97ab", "#7d859a", "#6d748a"
_MARK = "#d9480f"
_NOTHING: Mapping[str, Look] = {}


class ShelfGeometry(NamedTuple):
    """The positions of a shelf's cells in its picture, as seen from a side."""

    shelf: Shelf
    side: Side
    cell: float
    left: float
    top: float

    @property
    def total_width(self) -> float:
        return self.cell * self.shelf.columns

    @property
    def total_height(self) -> float:
        return self.cell * self.shelf.rows

    def cell_corner(self, name: str) -> tuple[float, float]:
        column, row = self.shelf.column(name, self.side), self.shelf.row(name)
        return self.left + (column - 1) * self.cell, self.top + (row - 1) * self.cell


def shelf_picture_svg(
    shelf: Shelf,
    side: Side = "participant",
    *,
    looks: Mapping[str, Look] = _NOTHING,
    marked: Iterable[str] = (),
    labels: bool = True,
    other: bool = True,
) -> tuple[float, float, str]:
    """Draw a shelf as that side sees it; return width, height and the SVG fragment. Items that are not in our
    file look as in `looks`, else as their names say. Marked cells are framed; without `other` nobody stands
    on the far side."""
    cell = max(SMALLEST, min(LARGEST, SIDE / max(shelf.columns, shelf.rows)))
    plan = ShelfGeometry(shelf, side, cell, ROOM + FRAME, ROOM + (TALL if other else 0) + FRAME)
    far: Side = "director" if side == "participant" else "participant"
    middle = plan.left + plan.total_width / 2
    body = [
        f'<g id="shelf" data-side="{side}">',
        draw_person_bust(far, middle, plan.top - FRAME) if other else "",
        _draw_case(plan),
        draw_person_silhouette(far, middle, plan.top, min(84.0, plan.total_width), plan.total_height)
        if other
        else "",
        _draw_panels(plan),
        _draw_boards(plan),
        _draw_cells(plan, looks),
        *(_draw_frame(plan, name) for name in marked),
        _draw_labels(plan) if labels else "",
        "</g>",
    ]
    return (
        plan.left + plan.total_width + POST + ROOM,
        plan.top + plan.total_height + POST + FEET,
        "".join(body),
    )


def shelf_picture_look(item: Item, looks: Mapping[str, Look] = _NOTHING) -> Look | None:
    """Find the look of an item: in `looks`, among our items, or by a name that names a drawing."""
    return looks.get(item.name) or load_items().item_looks.get(item.name) or _guess_look(item.name)


@lru_cache(1024)
def _guess_look(name: str) -> Look | None:
    words = [
        word for word in name.lower().replace("_", " ").split() if word not in ("small", "medium", "large")
    ]
    colours = [word for word in words if word in PAINTS]
    drawing = " ".join(word for word in words if word not in colours)
    return Look(drawing, colours[0] if colours else "") if drawing in DRAWINGS and len(colours) < 2 else None


def _draw_cells(plan: ShelfGeometry, looks: Mapping[str, Look]) -> str:
    """Draw the items in the cells, each with an area that can be clicked."""
    shelf, cell = plan.shelf, plan.cell
    seen = shelf.seen(plan.side)
    known = {name: shelf_picture_look(item, looks) for name, item in seen.items()}
    largest = max((item.size for item in seen.values()), default=0)
    least = THING if all(known.values()) else CARD
    area = f'width="{cell:g}" height="{cell:g}" fill="none" pointer-events="all"'
    body = []
    for name in shelf.from_left(plan.side):
        (x, y), thing_in = plan.cell_corner(name), ""
        if item := seen.get(name):
            side = (cell - BOARD - FLOOR) * shelf_picture_cell_share(item.size, largest, least)
            drawing = draw_thing(look) if (look := known[name]) else _draw_name_card(item.name)
            thing_in = stamp_drawing(drawing, x + cell / 2, y + cell - (BOARD + FLOOR) / 2, side)
        body.append(
            f'<g id="cell-{name}" data-cell="{name}">{thing_in}<rect x="{x:g}" y="{y:g}" {area}/></g>'
        )
    return "".join(body)


def shelf_picture_cell_share(size: int, largest: int = 5, least: float = THING) -> float:
    """The share of a cell that an item of this size takes."""
    return least + (0.98 - least) * max(0, size) / max(5, largest)


def shelf_item_picture(name: str, look: Look, size: int, largest: int) -> str:
    """Make a picture of one item, as large as on a shelf."""
    body = stamp_drawing(
        draw_thing(look), EDGE + BOX / 2, EDGE + BOX, BOX * shelf_picture_cell_share(size, largest)
    )
    return svg_document(BOX + 2 * EDGE, BOX + 2 * EDGE, body, name)


def name_card_picture(name: str) -> str:
    """Make a picture of a card with a name, for an item that has no drawing."""
    return svg_document(100, 100, _draw_name_card(name), name)


@lru_cache(1024)
def _draw_name_card(name: str) -> str:
    """Draw a card with the name of an item that has no drawing."""
    name = name.replace("_", " ")
    lines = wrap_text(name, max(8, min(12, max(map(len, name.split()), default=0))))[:4]
    size = min(19.0, 150 / max([1, *map(len, lines)]))
    first = 50 + size * (0.36 - 0.6 * (len(lines) - 1))
    words = "".join(
        text_at(line, 50, first + 1.2 * size * n, size, fill=INK, anchor="middle")
        for n, line in enumerate(lines)
    )
    return (
        f'<rect x="2" y="2" width="96" height="97" rx="8" fill="#fffdf8" stroke="{INK}" stroke-width="3"/>'
        f"{words}"
    )


def _draw_case(plan: ShelfGeometry) -> str:
    """Draw the outer boards and feet, and the room behind them."""
    _, _, _, left, top = plan
    across, down, foot = plan.total_width, plan.total_height, top + plan.total_height + POST - 2
    return (
        f'<g shape-rendering="crispEdges"><g stroke="{INK}" stroke-width="2">'
        + svg_box(left, foot, 22, FEET, _DARK_WOOD, 2)
        + svg_box(left + across - 22, foot, 22, FEET, _DARK_WOOD, 2)
        + svg_box(left - FRAME, top - FRAME, across + FRAME + POST, down + FRAME + POST, _WOOD, 5)
        + f"</g>{svg_box(left, top, across, down, _WALL)}</g>"
    )


def _draw_boards(plan: ShelfGeometry) -> str:
    """Draw the boards between the cells. Items stand on their front edges."""
    _, _, cell, left, top = plan
    edges = [top + n * cell - BOARD / 2 for n in range(1, plan.shelf.rows + 1)]
    uprights = [left + n * cell - BOARD / 2 for n in range(1, plan.shelf.columns)]
    across, down = plan.total_width, plan.total_height
    fronts = "".join(_rect_path(left, edge - FLOOR, across, FLOOR) for edge in edges)
    boards = "".join(_rect_path(left, edge, across, BOARD) for edge in edges)
    boards += "".join(_rect_path(x, top, BOARD, down) for x in uprights)
    return (
        f'<g shape-rendering="crispEdges"><path d="{fronts}" fill="{_LIGHT_WOOD}"/>'
        f'<path d="{boards}" fill="{_WOOD}"/></g>'
    )


def _draw_panels(plan: ShelfGeometry) -> str:
    """Draw the panels, boxes from the front or lids from behind, as one path, which is much faster."""
    cell = plan.cell
    places = [f"M{x:.1f} {y:.1f}" for x, y in map(plan.cell_corner, plan.shelf.hidden)]
    if not places:
        return ""
    edge, inset = BOARD / 2 + cell * 0.07, 0.14 * cell
    if plan.side == "participant":
        inner = cell - 2 * edge
        edges = f"h{cell:g}v{cell:g}l{-edge:g} {-edge:g}v{-inner:g}h{-inner:g}v{inner:g}l{-edge:g} {edge:g}Z"
    else:
        screws = [(dx - 2, dy - 2) for dx in (inset, cell - inset) for dy in (inset, cell - inset)]
        edges = _rim_path(5, 5, cell - 10, cell - 12) + "".join(
            _relative_rect_path(dx, dy, 4, 4) for dx, dy in screws
        )
    planks = "".join(_relative_rect_path(cell * n / 4, 0, 1.5, cell) for n in (1, 2, 3))
    looks = ((_relative_rect_path(0, 0, cell, cell), _PANEL), (planks, _PANEL_LINE), (edges, _PANEL_EDGE))
    paths = (
        f'<path d="{"".join(place + d for place in places)}" fill="{fill}" fill-rule="evenodd"/>'
        for d, fill in looks
    )
    return f'<g shape-rendering="crispEdges">{"".join(paths)}</g>'


def _rect_path(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}Z"


def _relative_rect_path(x: float, y: float, width: float, height: float) -> str:
    """A rectangle relative to the corner of its cell, to which the pen returns."""
    return f"m{x:.1f} {y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}Zm{-x:.1f} {-y:.1f}"


def _rim_path(x: float, y: float, width: float, height: float) -> str:
    return _relative_rect_path(x, y, width, height) + _relative_rect_path(x + 2, y + 2, width - 4, height - 4)


def _draw_frame(plan: ShelfGeometry, name: str) -> str:
    (x, y), side = plan.cell_corner(name), plan.cell - 2
    return (
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{side:g}" height="{side:g}" rx="5" fill="none" '
        f'stroke="{_MARK}" stroke-width="5"/>'
    )


def _draw_labels(plan: ShelfGeometry) -> str:
    """Write the names of columns and rows on the frame."""
    shelf, cell = plan.shelf, plan.cell
    letters = [name.rstrip("0123456789") for name in shelf.from_left(plan.side)[: shelf.columns]]
    places = [(letter, plan.left + (n + 0.5) * cell, plan.top - 6) for n, letter in enumerate(letters)]
    places += [
        (str(n + 1), plan.left - FRAME / 2, plan.top + (n + 0.5) * cell + 5) for n in range(shelf.rows)
    ]
    return "".join(text_at(text, x, y, 15, fill=INK, anchor="middle") for text, x, y in places)
