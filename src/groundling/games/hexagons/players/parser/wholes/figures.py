"""Reads sentences that fully describe a figure: its kind, size, colour and one tile to place it."""

from __future__ import annotations

import re

from groundling.boards import hexes
from groundling.boards.hexes import COLUMNS, Tile, disc_tiles, on_board, rhombus_tiles, ring_tiles, step_tile
from groundling.games.hexagons.players.parser.geometry import MOST_DISTANT, outline_tiles
from groundling.games.hexagons.players.parser.wholes.lines import Painted
from groundling.games.hexagons.players.parser.wholes.places import MarkedText
from groundling.games.hexagons.players.parser.wholes.slots import SentenceSlots

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
_TOTAL = {"triangle": {3: 2, 6: 3, 10: 4, 15: 5, 21: 6, 28: 7}, "diamond": {4: 2, 9: 3, 16: 4, 25: 5}}
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


def read_figure(found: MarkedText) -> tuple[str, Painted]:
    """Return the name of the figure and its tiles with their colour; no tiles if the description is
    incomplete."""
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
    return name, [(tile, colours[0]) for tile in tiles if on_board(tile)]


def _polygon_tiles(name: str, corner: Tile, text: str) -> list[Tile]:
    """Return a polygon by its left or right corner. A triangle has one vertical side; a diamond is
    horizontal."""
    facing, side = _FACING.search(text), _side_length(name, text)
    if not facing or not 0 < side <= COLUMNS:
        return []
    way = facing["a"] or facing["b"] or facing["c"]
    if name == "triangle":
        tiles = hexes.triangle_tiles(corner, "up-right" if way == "left" else "down-left", side)
    else:
        left = (
            corner
            if way == "left"
            else step_tile(step_tile(corner, "up-left", side - 1), "down-left", side - 1)
        )
        tiles = rhombus_tiles(left, "up-right", side)
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
        return disc_tiles(middle, min(int(layers[1]), MOST_DISTANT))
    radii = {int(next(filter(None, match.groups()))) for match in _RADIUS.finditer(text)}
    if len(radii) > 1:
        return []
    without = bool(_WITHOUT.search(text))
    if radii and (radius := min(radii.pop(), MOST_DISTANT)) > 1:
        return (
            disc_tiles(middle, radius) if _UP_TO.search(text) and not without else ring_tiles(middle, radius)
        )
    numbers = set(re.findall(r"(?<!\S)\d+(?!\S)", text)) - {"1", "6", "7"}
    if numbers:
        return []
    return (
        ring_tiles(middle, 1) if not full and (without or not _WITH.search(text)) else disc_tiles(middle, 1)
    )
