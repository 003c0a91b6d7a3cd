"""Carries out sentences that fully describe a line, tiles or a figure, in any order, without context."""

from __future__ import annotations

import re

from groundling.boards.hexes import (
    COLOURS,
    COLUMNS,
    ROWS,
    Tile,
    is_on_lattice,
    lattice_disc,
    lattice_rhombus,
    lattice_ring,
    lattice_triangle,
    step_on_lattice,
    turn_lattice_heading,
)
from groundling.games.hexagons.players.parser.parser_scene import ParserScene
from groundling.games.hexagons.players.parser.phrases import AxisSelection
from groundling.games.hexagons.players.parser.sentence_slots import (
    MarkedText,
    SentenceSlots,
    has_only_filler_slots,
    mark_sentence_slots,
)
from groundling.games.hexagons.players.parser.tile_geometry import (
    MOST_DISTANT,
    TRIANGLE_SIDES,
    outline_tiles,
    step_along_tiles,
    straight_tile_line,
    tile_heading_between,
)

_PaintedTiles = list[tuple[Tile, str]]
"""Tiles with their colours, in order."""
_FROM_TO = re.compile(
    r"(?<!\S)(?:(?:from|to|through|until|till|between|connect|start|end|stop|reach|reaches)"
    r"(?: (?:at|on|with|in|the|by|all|tiles?))* @|"
    r"lines?|diagonal|stripe|streak|bar)(?!\S)"
)
_GOING_ON = re.compile(r"(?<!\S)(?:start|end|stop|until|till|continue|extend|through)(?!\S)")
_ENDS = re.compile(r"(?<!\S)(?:end|stop|reach|reaches)(?: (?:at|on|with|in|the|by))* @")
_STARTS = re.compile(r"(?<!\S)(?:start|from)(?: (?:at|on|with|in|from|the|by))* @")
_FROM_COLUMN = re.compile(
    r"(?<!\S)(?:start|from)(?: (?:in|at|with|from|on))* @columns .*?(?:end|stop|to|until|through)"
    r"(?: (?:in|at|with|on))* @columns(?!\S)"
)
_ALL_COLUMNS = re.compile(r"(?<!\S)(?:(?:every|each|all)(?: single| of)?(?: the)?(?: 18)? columns?)(?!\S)")
_ALL_OF = re.compile(
    r"(?<!\S)(?:(?:all|every)(?: of)?(?: the)? (?:10 |18 )?tiles?|all of|all|whole|entire|complete|full|"
    r"from (?:1|the left|the top) (?:side|end|edge) .*?to the (?:other|right|bottom)(?: (?:side|end|edge))?)"
    r"(?!\S)"
)
_ACTION = re.compile(r"(?<!\S)(?:paint|make|add|using|surrounding|repeat|skip)(?!\S)")
_SAME_ACTION = re.compile(
    r"^ ?(?:(?:and|then|but|do|not|also) )*paint (?:it|the inside|the middle)(?: (?:in|completely|up|fully))*"
    r"$"
)
_PARTS = re.compile(r"(?<!\S)[.;!?](?!\S)")


def perform_whole_sentence(scene: ParserScene, text: str) -> bool:
    """Carry out a text in plain words that fully describes one thing. Return whether it does."""
    text = text.rstrip(" .;!")
    found = mark_sentence_slots(text)
    if found is None or _has_several_actions(found.text):
        return False
    name, painted = _read_figure(found)
    if not name:
        name, painted = "line", _read_line(found)
    if not painted:
        return False
    scene.columns = (
        [found.tiles[-1][1]]
        if found.tiles
        else found.columns[0]
        if found.columns
        else list(range(1, COLUMNS + 1))
    )
    if rows := [row for row, _ in found.tiles[-1:]] or (found.rows[0] if found.rows else []):
        scene.axis = AxisSelection(tuple(("at", row, 0) for row in rows))
    _paint_figure(scene, painted, name)
    return True


def _has_several_actions(text: str) -> bool:
    """Whether the text paints one thing and then another."""
    actions = [part for part in _PARTS.split(text) if _ACTION.search(part) and not _SAME_ACTION.search(part)]
    return len(actions) > 1 and (
        "@" in actions[0] or sum(any(colour in part for colour in COLOURS) for part in actions) > 1
    )


def _paint_figure(scene: ParserScene, painted: _PaintedTiles, name: str) -> None:
    tiles = [tile for tile, _ in painted]
    ahead = tile_heading_between(tiles[0], tiles[1]) if len(tiles) > 1 else "down"
    scene.heading = ahead if ahead and name == "line" else scene.heading
    for colour in dict.fromkeys(colour for _, colour in painted):
        scene.paint_tiles(
            [tile for tile, own in painted if own == colour], colour, name if len(tiles) > 1 else "tiles"
        )
        scene.colour = colour
    scene.focus_on([tile for tile in tiles if tile in scene.painted])


def _read_line(found: MarkedText) -> _PaintedTiles:
    """Return the tiles of a line or list with their colours, in order; none if something is missing."""
    slots = SentenceSlots(found.text)
    listed, colours = slots.has_one_colour_list(), slots.take_colours()
    said, stride, way = slots.text, slots.take_stride(), slots.take_heading()
    colours = [colour for colour in colours if colour not in ("white", "blank")] if stride > 1 else colours
    several = len(set(colours)) > 1
    if not colours or "blank" in colours or (several and ("white" in colours or not listed)):
        return []
    every_column = bool(slots.take_matches(_ALL_COLUMNS))
    slots.take_matches(_ALL_OF)
    count = slots.take_count()
    if count == 0 or way == "" or not has_only_filler_slots(slots.text):
        return []
    if not found.tiles:
        tiles = _numbered_tiles(found, every_column=every_column)
        known = has_only_filler_slots(slots.text, 0) and not (
            len(tiles) in (1, ROWS) and _GOING_ON.search(slots.text)
        )
        if (
            several
            or stride > 1
            or way not in (None, "up", "down")
            or count not in (None, len(tiles))
            or not known
        ):
            return []
    elif found.rows or found.columns:
        return []
    else:
        tiles = _tiles_along(
            list(dict.fromkeys(found.tiles)), said, way, count or (len(colours) if several else None), stride
        )
    cycle = colours if several else colours[:1]
    return [(tile, cycle[n % len(cycle)]) for n, tile in enumerate(tiles)]


def _tiles_along(
    places: list[Tile], said: str, way: str | None, count: int | None, stride: int
) -> list[Tile]:
    """Return tiles in a line, or those that are listed."""
    if len(places) == 2 and _FROM_TO.search(said):
        return straight_tile_line(places[0], places[1])[::stride]
    if way is None:
        return places if stride == 1 and count in (None, len(places)) and not _FROM_TO.search(said) else []
    if len(places) > 1 or count is None:
        return []
    if _ENDS.search(said) and not _STARTS.search(said):
        back = {"left": "right", "right": "left"}.get(way) or turn_lattice_heading(way, 3)
        return [step_along_tiles(places[0], back, n * stride) for n in reversed(range(count))]
    return [step_along_tiles(places[0], way, n * stride) for n in range(count)]


def _numbered_tiles(found: MarkedText, *, every_column: bool) -> list[Tile]:
    """Return tiles of columns: some, all, or the same ones in every column."""
    rows, columns = found.rows, found.columns
    if len(columns) == 2 and _FROM_COLUMN.search(found.text):
        (first, *_), (last, *_) = columns
        columns = [list(range(min(first, last), max(first, last) + 1))]
    if len(rows) > 1 or len(columns) > 1 or not (rows or columns):
        return []
    if rows and columns:
        return [(row, column) for column in columns[0] for row in rows[0]]
    if columns:
        if len(columns[0]) == 1:
            return [(row, column) for column in columns[0] for row in range(1, ROWS + 1)]
        return []
    if len(rows[0]) == 1 and (every_column or "@row " in f"{found.text} "):
        return [(rows[0][0], column) for column in range(1, COLUMNS + 1)]
    return []


_OTHER = re.compile(
    r"(?<!\S)(?:repeat|mirror|connect|skip|same|another|previous|below|above|each-other|again|(?<!no )more|"
    r"rest|remaining|times|columns|"
    r"except|beside|under|lines?|diagonal|half|(?:triangle|diamond|flower|(?<!\d )ring|petal(?= tiles))s|"
    r"next(?! to)|step(?!s)|"
    r"(?<!every )(?<!each )neighbor|(?:top|bottom|upper|lower|up|down) (?:left|right)\w*|all (?:the )?"
    r"(?:flowers|rings)|@rows|@row|@columns)(?!\S)"
)
_POLYGON = re.compile(r"(?<!\S)(triangle|triangular|diamond)(?!\S)")
_HOLLOW = re.compile(
    r"(?<!\S)(?:hollow|trace|outline|border|perimeter|contour|boundary|rim|frame|ring of|unfilled|(?:not|"
    r"without) (?:be )?(?:filled|paint\w*)|(?:only|just) (?:the )?(?:edges?|sides?|rim|frame)|"
    r"\d sides of|(?:inside|middle|interior|rest) (?:is |stays |remains |of it )?(?:blank|white)|(?:blank|"
    r"white) (?:(?:inside|triangle|diamond)|in the middle|within)|edge of|blank)(?!\S)"
)
_FACING = re.compile(
    r"(?<!\S)(?:(?:pointing|facing|points|faces|face|point|aimed|aiming|directed|looking|looks)"
    r"(?: (?:to|towards?|the))* (?P<a>left|right)|"
    r"(?<!top )(?<!bottom )(?<!upper )(?<!lower )(?P<b>left|right)(?:most)?(?: hand)? "
    r"(?:corner|tip|point|end|tile|apex|side)|"
    r"(?:corner|tip|point|end|apex)(?: (?:on|at|to|towards?|in|is|pointing|the))* (?P<c>left|right))(?!\S)"
)
_SIDE = re.compile(
    r"(?<!\S)(?:size (?:is |of )?(\d+)|(\d+) by \d+|(?:sides?|edges?|side length|length)"
    r"(?: (?:of|is|are|being|with|has|have|to))* (\d+)|"
    r"(\d+) tiles? (?:each|long|wide|tall|high|per|on|to|along|a))(?!\S)"
)
_TOTAL = {"triangle": TRIANGLE_SIDES, "diamond": {4: 2, 9: 3, 16: 4, 25: 5}}
_WHITE = re.compile(
    r"^(?:paint|make|erase) (?:an? )?(?:\w+ )?white (?:\w+ )?(?:hexring|flower|ring|triangle|diamond|tile)"
    r"(?!\S)|^(?:paint|make) .* white$|^(?!.*(?:middle|stay|remain|leave|keep)).* white$"
)
_ROUND = re.compile(
    r"(?<!\S)(?:flower|ring|hexring|petals?|neighbors?|neighbor|touching|surrounding|around|radius|distance|"
    r"steps?|next to|borders?(?: on)?|blob|sides? (?:with|of)|within|"
    r"(?:\d+) tiles? (?:away|from|out|or (?:less|fewer)))(?!\S)"
)
_RADIUS = re.compile(
    r"(?<!\S)(?:radius(?: (?:of|is|:|=|exactly))* (\d+)|distance"
    r"(?: (?:to|from|of|at|@|is|exactly|at most|up to|within))* (\d+)|"
    r"(?:within|at most|up to|exactly|reach\w*)(?: a| distance| radius| of)* (\d+)|(\d+) (?:steps?|"
    r"tiles?)(?: or (?:less|fewer|closer|nearer))? "
    r"(?:away|from|out|of|off|in every|in each|in all|or|distant)|(\d+) steps?|(\d+) tile radius)(?!\S)"
)
_LAYERS = re.compile(r"@ and (?:the |its )?(?:first |nearest |next )?(\d+) (?:rings|layers)")
_UP_TO = re.compile(
    r"(?<!\S)(?:within|at most|up to|or (?:less|fewer|closer|nearer)|filled|full|fully|completely|entire|"
    r"whole|reached|patch|area|blob)(?!\S)"
)
_WITHOUT = re.compile(
    r"(?<!\S)(?:but |and |, )*(?:without|not|leave|keep|keeping|except|do not|stays?|excluding|minus|hollow|"
    r"unchanged|untouched|remains?)(?: \S+){0,6}?(?: |$)"
    r"(?:middle|itself|that tile|that 1|it|blank|white|alone|unchanged|as it (?:is|was)|@)(?!\S)|blank|white|"
    r"middle (?:is |stays |remains )?(?:not|blank|white|unchanged|alone)"
)
_WITH = re.compile(
    r"@(?: itself)?(?: ,)?(?: (?:and|together with|along with|plus|as well as|also))+"
    r"(?: (?!paint |add |make |leave )\S+){0,5}? "
    r"(?:tiles?|neighbors?|surrounding|touching|around|ring|petals)(?!\S)|"
    r"(?:middle|it|itself|@|too|tile)(?: ,)? (?:is )?(?:included|too|as well|also|inclusive)(?!\S)|"
    r"(?<!\S)including(?!\S)|(?<!\S)7(?!\S)|(?<!\S)itself and(?!\S)|(?:and|plus|also) @ itself(?!\S)|"
    r"(?:and|also) (?:paint |the |its |fill |with )*(?:it|middle)(?: with)?(?: too| as well| also)?$|"
    r"(?<!\S)(?:filled|full|fully|solid|entire|completely|entirely|middle and petals|"
    r"petals and (?:the )?middle)(?!\S)|and all(?!\S)"
)


def _read_figure(found: MarkedText) -> tuple[str, _PaintedTiles]:
    """Return the figure's name and its tiles with their colour; no tiles if something is missing."""
    text, places = found.text, list(dict.fromkeys(found.tiles))
    colours = [colour for colour in SentenceSlots(text).take_colours() if colour not in ("white", "blank")]
    if not colours and _WHITE.search(text):
        colours = ["white"]
    if len(places) != 1 or len(set(colours)) != 1 or found.rows or found.columns or _OTHER.search(text):
        return "", []
    bare = re.sub(rf"(?<!\S){colours[0]} ?(?!\S)", "", text)
    if named := _POLYGON.search(bare):
        name = "diamond" if named[1] == "diamond" else "triangle"
        tiles = _polygon_tiles(name, places[0], bare)
    elif _ROUND.search(bare):
        full = f"{colours[0]} middle" in text
        name, tiles = "ring", _round_tiles(places[0], " ".join(bare.split()), full=full)
    else:
        return "", []
    return name, [(tile, colours[0]) for tile in tiles if is_on_lattice(tile)]


def _polygon_tiles(name: str, corner: Tile, text: str) -> list[Tile]:
    """Return a polygon by its left or right corner. Triangles have a vertical side; diamonds lie."""
    facing, side = _FACING.search(text), _side_length(name, text)
    if not facing or not 0 < side <= COLUMNS:
        return []
    way = facing["a"] or facing["b"] or facing["c"]
    if name == "triangle":
        tiles = lattice_triangle(corner, "up-right" if way == "left" else "down-left", side)
    else:
        left = (
            corner
            if way == "left"
            else step_on_lattice(step_on_lattice(corner, "up-left", side - 1), "down-left", side - 1)
        )
        tiles = lattice_rhombus(left, "up-right", side)
    return outline_tiles(tiles) if _HOLLOW.search(text) else tiles


def _side_length(name: str, text: str) -> int:
    """Return the tiles per side, as stated or computed from the total."""
    said = {int(next(filter(None, match.groups()))) for match in _SIDE.finditer(text)}
    if said:
        return said.pop() if len(said) == 1 else 0
    numbers = [int(number) for number in re.findall(r"(?<!\S)(\d+)(?! sides?)(?!\S)", text)]
    return _TOTAL[name].get(numbers[0], 0) if len(numbers) == 1 else 0


def _round_tiles(middle: Tile, text: str, *, full: bool) -> list[Tile]:
    if layers := _LAYERS.search(text):
        return lattice_disc(middle, min(int(layers[1]), MOST_DISTANT))
    radii = {int(next(filter(None, match.groups()))) for match in _RADIUS.finditer(text)}
    if len(radii) > 1:
        return []
    without = bool(_WITHOUT.search(text))
    if radii and (radius := min(radii.pop(), MOST_DISTANT)) > 1:
        if _UP_TO.search(text) and not without:
            return lattice_disc(middle, radius)
        return lattice_ring(middle, radius)
    numbers = set(re.findall(r"(?<!\S)\d+(?!\S)", text)) - {"1", "6", "7"}
    if numbers:
        return []
    if not full and (without or not _WITH.search(text)):
        return lattice_ring(middle, 1)
    return lattice_disc(middle, 1)
