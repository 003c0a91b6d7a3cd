"""The shelf as a picture, from either side. It is about as wide for every grid; only tall ones are narrower."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from ...boards.picture import text_at, wrap
from ...boards.shelf import Item, Shelf, Side
from ...boards.things import BOX, DRAWINGS, PAINTS, Look, thing
from ...boards.things.paint import INK
from ...boards.things.parts import box
from .figures import TALL, figure, shade_of
from .items import load_items

WIDTH, HEIGHT, LARGEST = 372, 520, 110
"""What the cells may take together, and one alone."""
FRAME, POST, BOARD, FLOOR, FEET, ROOM = 22, 10, 5, 4, 12, 12
_WOOD, _LIGHT_WOOD, _DARK_WOOD, _WALL = "#d2a36c", "#e6c493", "#9c7145", "#e9eef0"
_PANEL, _PANEL_LINE, _PANEL_EDGE = "#8f97ab", "#7d859a", "#6d748a"
_MARK = "#d9480f"
_NOTHING: Mapping[str, Look] = {}


def shelf_svg(
    shelf: Shelf,
    side: Side = "participant",
    *,
    looks: Mapping[str, Look] = _NOTHING,
    marked: Collection[str] = (),
    labels: bool = True,
    other: bool = True,
) -> tuple[float, float, str]:
    """Width, height and the fragment of a shelf as that side sees it. Things that are not ours look as in `looks`, else as
    their names tell. Marked cells are framed; without `other` nobody stands on the far side."""
    cell = min(LARGEST, WIDTH / shelf.columns, HEIGHT / shelf.rows)
    left, top = ROOM + FRAME, ROOM + (TALL if other else 0) + FRAME
    across, down = cell * shelf.columns, cell * shelf.rows
    width, height = left + across + POST + ROOM, top + down + POST + FEET
    far: Side = "director" if side == "participant" else "participant"
    middle = left + across / 2
    largest = max((item.size for item in shelf.items.values()), default=0)
    body = [f'<g id="shelf" data-side="{side}">', figure(far, middle, top - FRAME) if other else ""]
    body.append(_case(left, top, across, down))
    if other:
        body.append(shade_of(far, middle, top, min(84.0, across), down))
    places = {
        name: (left + number % shelf.columns * cell, top + number // shelf.columns * cell)
        for number, name in enumerate(shelf.from_left(side))
    }
    body += [_panel(*places[name], cell, side) for name in shelf.hidden]
    body.append(_boards(shelf, left, top, cell))
    for name, (x, y) in places.items():
        closed = name in shelf.hidden
        item = shelf.items.get(name) if side == "participant" or not closed else None
        body.append(f'<g id="cell-{name}" data-cell="{name}">')
        body.append(_standing(item, x, y, cell, largest, looks) if item else "")
        body.append(f'<rect x="{x:g}" y="{y:g}" width="{cell:g}" height="{cell:g}" fill="none" pointer-events="all"/></g>')
    for name in marked:
        x, y = places[name]
        body.append(
            f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{cell - 2:g}" height="{cell - 2:g}" rx="5" fill="none" stroke="{_MARK}" '
            'stroke-width="5"/>'
        )
    if labels:
        letters = [name.rstrip("0123456789") for name in shelf.from_left(side)[: shelf.columns]]
        body += [
            text_at(letter, left + (n + 0.5) * cell, top - 6, 15, fill=INK, anchor="middle", weight="bold")
            for n, letter in enumerate(letters)
        ]
        body += [
            text_at(str(n + 1), left - FRAME / 2, top + (n + 0.5) * cell + 5, 15, fill=INK, anchor="middle", weight="bold")
            for n in range(shelf.rows)
        ]
    return width, height, "".join(body) + "</g>"


def look_of(item: Item, looks: Mapping[str, Look] = _NOTHING) -> Look | None:
    """What an item looks like: as it is told, as one of ours, or as its name says where that names a drawing."""
    return looks.get(item.name) or load_items().looks.get(item.name) or _guess(item.name)


@lru_cache(1024)
def _guess(name: str) -> Look | None:
    words = [word for word in name.lower().replace("_", " ").split() if word not in ("small", "medium", "large")]
    colours = [word for word in words if word in PAINTS]
    drawing = " ".join(word for word in words if word not in colours)
    return Look(drawing, colours[0] if colours else "") if drawing in DRAWINGS and len(colours) < 2 else None


def _standing(item: Item, x: float, y: float, cell: float, largest: int, looks: Mapping[str, Look]) -> str:
    """The item on the floor of its cell. The largest size fills it, and every other one is smaller in proportion."""
    room = cell - BOARD - FLOOR
    side = room * share(item.size, largest)
    floor, middle = y + cell - BOARD / 2 - FLOOR / 2, x + cell / 2
    look = look_of(item, looks)
    return (
        f'<ellipse cx="{middle:.1f}" cy="{floor:.1f}" rx="{side * 0.42:.1f}" ry="{cell * 0.025:.1f}" fill="{INK}" '
        f'fill-opacity=".16"/><g transform="translate({middle - side / 2:.2f} {floor - side:.2f}) scale({side / BOX:.4f})">'
        f"{thing(look) if look else _card(item.name)}</g>"
    )


def share(size: int, largest: int = 5) -> float:
    """How much of a cell's room a thing of that size takes."""
    return 0.38 + 0.6 * size / max(5, largest)


@lru_cache(1024)
def _card(name: str) -> str:
    """For what nobody has drawn: a card that says what it is."""
    lines = wrap(name.replace("_", " "), 10)[:5]
    first = 54 - 9 * (len(lines) - 1)
    words = "".join(text_at(line, 50, first + 18 * n, 15, fill=INK, anchor="middle") for n, line in enumerate(lines))
    return f'<rect x="2" y="2" width="96" height="97" rx="8" fill="#fffdf8" stroke="{INK}" stroke-width="3"/>{words}'


def _case(left: float, top: float, across: float, down: float) -> str:
    """The outer boards and feet, and what is seen of the room through them."""
    foot = top + down + POST - 2
    return (
        f'<g shape-rendering="crispEdges"><g stroke="{INK}" stroke-width="2">'
        + box(left, foot, 22, FEET, _DARK_WOOD, 2)
        + box(left + across - 22, foot, 22, FEET, _DARK_WOOD, 2)
        + box(left - FRAME, top - FRAME, across + FRAME + POST, down + FRAME + POST, _WOOD, 5)
        + f"</g>{box(left, top, across, down, _WALL)}</g>"
    )


def _boards(shelf: Shelf, left: float, top: float, cell: float) -> str:
    """The boards between the cells. Things stand on their front edges."""
    across, down = cell * shelf.columns, cell * shelf.rows
    edges = [top + n * cell - BOARD / 2 for n in range(1, shelf.rows + 1)]
    parts = [box(left, edge - FLOOR, across, FLOOR, _LIGHT_WOOD) + box(left, edge, across, BOARD, _WOOD) for edge in edges]
    parts += [box(left + n * cell - BOARD / 2, top, BOARD, down, _WOOD) for n in range(1, shelf.columns)]
    return f'<g shape-rendering="crispEdges">{"".join(parts)}</g>'


def _panel(x: float, y: float, cell: float, side: Side) -> str:
    """A closed back: from the front one looks into a box, from behind at a lid that is screwed on."""
    planks = "".join(f"M{x + cell * n / 4:.1f} {y:.1f}v{cell:.1f}" for n in (1, 2, 3))
    base = f'<g shape-rendering="crispEdges">{box(x, y, cell, cell, _PANEL)}</g>'
    base += f'<path d="{planks}" stroke="{_PANEL_LINE}" stroke-width="1.5" fill="none"/>'
    if side == "participant":
        edge = BOARD / 2 + cell * 0.07
        return base + (
            f'<path d="M{x:g} {y:g}h{cell:g}v{cell:g}l{-edge:g} {-edge:g}V{y + edge:g}H{x + edge:g}V{y + cell - edge:g}L{x:g} '
            f'{y + cell:g}Z" fill="{_PANEL_EDGE}" fill-opacity=".75"/>'
        )
    inset, r = 0.14 * cell, max(1.5, cell * 0.028)
    screws = "".join(
        f'<circle cx="{x + dx:.1f}" cy="{y + dy:.1f}" r="{r:.1f}"/>'
        for dx in (inset, cell - inset)
        for dy in (inset, cell - inset)
    )
    return base + (
        f'<path d="M{x + 5:g} {y + 5:g}h{cell - 10:g}v{cell - 12:g}h{10 - cell:g}Z" fill="none" stroke="{_PANEL_EDGE}" '
        f'stroke-width="2"/><g fill="{_PANEL_EDGE}">{screws}</g>'
    )
