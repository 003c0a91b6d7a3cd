"""Plain words cut into phrases, from left to right; at each place the first pattern that fits."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import structs

from .chunks import (
    Axis,
    Chunk,
    Colour,
    Columns,
    Corner,
    Heading,
    Middle,
    Pick,
    Pronoun,
    Relation,
    Rows,
    Sequence,
    Shape,
    Step,
    Tiles,
    Verb,
    Word,
)

COLOURS = ("white", "black", "yellow", "green", "red", "blue", "purple", "orange")
COL = "(?:white|blank|black|yellow|green|red|blue|purple|orange)"
_IT = r"#?-?\d+"
_JOIN = r"(?: , and| , then| , but| ,| and| &| as well as| plus)(?: also)?(?: the)?"
_TO = r"(?: tiles?| columns?)? to (?:the )?"
_STOP = rf"(?! (?:{COL} )?(?:tiles?|columns?|rows?|from|down|more|times|to)(?: |$))"
_RANGE = rf"{_IT}(?:{_TO}{_IT})?"
_PICKS = rf"{_RANGE}(?:{_JOIN} {_RANGE})*"
_AND = r"(?: , and| ,| and| &)"
_TILE = r"(?! (?:tiles?|columns?|rows?)(?: |$))"
_AFTER = rf"(?:#\d+(?: to #?\d+{_TILE})?(?:{_AND} #?\d+(?: to #?\d+{_TILE})?{_STOP})*|\d+(?: to \d+{_TILE})?(?:{_AND} \d+(?: to \d+{_TILE})?{_STOP})*)"
_FROM = r"(?: ,)?(?: (?:count|counting|start|starting|located|working|move|over|in|tile|placed))*"
_ENDS = r"(?: (?:hand|side|edge|end|section|part|row|of the (?:grid|page|image|column|row|picture)|of (?:grid|that column|this column)))*"
_VSIDE = rf"(?:{_FROM} (?:from|at|on|of|in|near|to)(?: the)? (?P<%s>topmost|bottommost|top|bottom){_ENDS})"
_HSIDE = rf"(?:{_FROM} (?:from|on|at|to|in)(?: the)? (?:far |very |outside )?(?P<%s>leftmost|rightmost|left|right)(?! of){_ENDS})"
_ADJ = rf"(?:(?:single|connected|consecutive|whole|entire|adjoining|available|touching|individual|vertical|open|more|other|additional|new|{COL})(?: and)? )*"
_EDGE = "topmost|bottommost|top|bottom|upper|lower|uppermost|lowermost"


def _pick_list(text: str) -> tuple[Pick, ...]:
    picks: list[Pick] = []
    for match in re.finditer(rf"({_IT})(?: tiles?| columns?)? to (?:the )?({_IT})|({_IT})", text):
        a, b, one = match.groups()
        if one is None:
            low, high = _number(a), _number(b)
            picks.append(("range", low, high))
        else:
            picks.append(("at", _number(one), 0))
    return tuple(picks)


def _number(text: str) -> int:
    return int(text.lstrip("#"))


def _side(text: str | None) -> str | None:
    if not text:
        return None
    return {"topmost": "top", "bottommost": "bottom", "leftmost": "left", "rightmost": "right"}.get(text, text)


def _edge_axis(edge: str, count: int) -> Axis:
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    return Axis((("first", count, 0),), side)


_Made = Chunk | None
_PATTERNS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], _Made]]] = []


def _pattern(text: str) -> Callable[[Callable[[re.Match[str]], _Made]], Callable[[re.Match[str]], _Made]]:
    def keep(make: Callable[[re.Match[str]], _Made]) -> Callable[[re.Match[str]], _Made]:
        _PATTERNS.append((re.compile(rf"(?:{text})(?!\S)"), make))
        return make

    return keep


@_pattern(rf"(?:in |of |on |during |from |to )?(?:the )?(?:previous|preceding|#-1|above) (?:(?P<count>\d+) )?steps?|(?:in |of |from )?(?:the )?steps? (?P<list>{_AFTER})(?: and (?P<more>{_IT}))?")
def _step(match: re.Match[str]) -> _Made:
    if match["list"]:
        numbers = Axis(_pick_list(match["list"])).resolve(99)
        return Step(tuple(numbers))
    return Step(tuple(range(1 - int(match["count"] or 1), 1)))


# What is left blank between things is no colour to paint.


@_pattern(rf"(?:a |an |the |each )?(?:(?P<count>\d+) )?(?:single |whole )?(?:blank|white|open) (?:columns?|rows?|lines?|gaps?|borders?|buffer|spacer)|(?:a |an |each )?(?:\\d+ )?(?:single |whole )?(?:columns?|rows?) (?:left |being )?(?:blank|white|open)(?: in)? between")
def _gap(match: re.Match[str]) -> _Made:
    return Word("gap")


# Columns.


@_pattern(rf"(?:the )?columns? (?:directly |immediately |just )?(?:to|on) the (?P<side>left|right)(?: side)? of (?:the |each |every )?(?P<colour>{COL}) (?:columns?|lines?|tiles?|vertical lines?)")
def _beside_colour(match: re.Match[str]) -> _Made:
    return Columns(relative=match["side"], colour=match["colour"])


@_pattern(rf"(?:the )?(?P<which>same|this|that|current|these|those|its)(?: \d+| exact)? (?:columns?|vertical line)")
def _same(match: re.Match[str]) -> _Made:
    return Columns(relative="same")


@_pattern(rf"(?:the )?next columns?(?: over| out)? (?:on|to) the (?:left and right|right and left)|(?:the )?(?:\d )?columns? (?:on|to)(?: the)? (?:either|both|each|left and right|right and left) sides?(?: of (?:it|this|that|them))?|(?:the )?(?:\d )?columns? to the (?:left and right|right and left)")
def _sides(match: re.Match[str]) -> _Made:
    return Columns(relative="sides")


@_pattern(rf"(?:the )?(?:very )?(?:next|following|adjacent|touching|neighboring|subsequent)(?: (?P<count>\d+))?(?: {COL})? (?P<noun>columns?)(?: over)?(?: (?:to|on|towards?|moving|move|going|from)(?: the)? (?P<side>left|right)|(?: (?:right|left)wards))?(?: side)?")
def _next(match: re.Match[str]) -> _Made:
    return Columns(relative="left" if match["side"] == "left" else "right" if match["side"] else "next", count=int(match["count"] or 1))


@_pattern(
    rf"(?:over )?(?:(?P<count>\d+) columns? (?:over )?(?:to|towards) the|(?:to|towards) the (?P<way>left|right)(?: over)?|over) "
    rf"(?:(?P<side>left|right)|(?P<count2>\d+) columns?)(?: (?:to|towards) the (?P<side2>left|right))?(?! of)"
)
def _jump(match: re.Match[str]) -> _Made:
    count = match["count"] or match["count2"]
    if count is None or "column" not in match.group():
        return None
    side = match["side"] or match["way"] or match["side2"] or "right"
    return Columns(relative=side, count=int(count), jump=True)


@_pattern(r"(?:a|an|another)(?: whole| full| single)? column(?! (?:#|\d))")
def _a_column(match: re.Match[str]) -> _Made:
    return Columns(relative="next")


@_pattern(rf"(?:the )?(?:previous|preceding) columns?|(?:the )?column before")
def _previous(match: re.Match[str]) -> _Made:
    return Columns(relative="previous")


@_pattern(rf"(?:the )?(?:(?P<count>\d+) )?columns?(?: (?:directly|immediately|just))?(?: over)? (?:to|on) the(?: immediate)? (?P<side>left|right)(?: of (?:it|that|this(?: one)?|them|this column|that column))?(?! (?:side|edge|of))")
def _beside(match: re.Match[str]) -> _Made:
    return Columns(relative=match["side"], count=int(match["count"] or 1))


@_pattern(rf"(?:all|every|each)(?: of)?(?: the)? columns? from (?:the )?(?:columns? )?(?P<a>{_IT})(?: columns?)? to (?:the )?(?:columns? )?(?P<b>{_IT})(?: columns?)?{_HSIDE % 'side'}?")
def _columns_from(match: re.Match[str]) -> _Made:
    return Columns(Axis((("range", _number(match["a"]), _number(match["b"])),), _side(match["side"])))


@_pattern(rf"(?P<quant>all|every|each|every single|all of)(?: of)?(?: the)?(?: \d+)? (?P<parity>odd |even )?columns?(?! #?\d)")
def _all_columns(match: re.Match[str]) -> _Made:
    parity = (match["parity"] or "").strip()
    return Columns(Axis((("every", 2, 1 if parity == "odd" else 2) if parity else ("all", 0, 0),)))


@_pattern(rf"(?:in |on )?(?:every|each|all) (?:(?P<other>other)|#(?P<nth>\d+)) (?:{COL} )?columns?(?: (?:start|starting|begin|beginning)(?: (?:with|from|at|in|on))?(?: the| column)*(?: top of the)? (?P<first>#?\d+|leftmost|left)(?: columns?)?{_HSIDE % 'side'}?)?")
def _every(match: re.Match[str]) -> _Made:
    first = match["first"]
    at = 1 if first in ("leftmost", "left") else _number(first) if first else 0
    return Columns(Axis((("every", 2 if match["other"] else int(match["nth"]), at),), _side(match["side"])))


@_pattern(rf"(?:the )?(?:alternate|alternating) columns?")
def _alternate_columns(match: re.Match[str]) -> _Made:
    return Columns(Axis((("every", 2, 0),)))


@_pattern(rf"(?:the )?(?P<parity>odd|even)(?: number)? columns?|columns? with (?:an )?(?P<parity2>odd|even) numbers?")
def _odd(match: re.Match[str]) -> _Made:
    return Columns(Axis((("every", 2, 1 if (match["parity"] or match["parity2"]) == "odd" else 2),)))


@_pattern(rf"(?:the )?(?P<edge>#1|#-1|leftmost|rightmost|left|right) (?P<count>\d+) columns?{_HSIDE % 'side'}?")
def _first_columns(match: re.Match[str]) -> _Made:
    edge, count = match["edge"], int(match["count"])
    if edge == "#-1" and match["side"]:
        edge = "#1"
    side = "right" if edge in ("rightmost", "right", "#-1") else _side(match["side"])
    return Columns(Axis((("first", count, 0),), side))


@_pattern(rf"(?:the )?(?P<a>leftmost|left|#1) and (?:the )?(?P<b>rightmost|right|#-1) columns?")
def _outer_columns(match: re.Match[str]) -> _Made:
    return Columns(Axis((("at", 1, 0), ("at", -1, 0))))


@_pattern(rf"(?:the )?(?:whole |entire |complete |full )?(?P<picks>{_PICKS})(?: (?:vertical|whole|entire|complete|{COL}|tile|tiles))? (?:columns?|rows?(?= (?:from|on|to)(?: the)? (?:left|right))|tiles?(?= from(?: the)? (?:left|right)(?! corner))|vertical (?:rows?|lines?|columns?)){_HSIDE % 'side'}?")
def _nth_column(match: re.Match[str]) -> _Made:
    picks = _pick_list(match["picks"])
    if match["picks"] == "1" and not match["side"]:
        return Columns(relative="next")
    if len(picks) == 1 and "#" not in match["picks"] and match.group().rstrip().endswith("columns"):
        return Columns(Axis((("first", picks[0][1], 0),), _side(match["side"])))
    return Columns(Axis(picks, _side(match["side"])))


@_pattern(rf"(?:the )?columns?(?: numbers?)?(?: \( from (?:the )?left \))?(?: ,)? (?P<picks>{_AFTER}){_HSIDE % 'side'}?|(?:the )?columns? (?P<picks2>{_PICKS}) (?:in )?from(?: the)? (?P<side2>left|right)")
def _column_n(match: re.Match[str]) -> _Made:
    return Columns(Axis(_pick_list(match["picks"] or match["picks2"]), _side(match["side"] or match["side2"])))


@_pattern(rf"(?:the )?(?P<edge>leftmost|rightmost|left|right)(?: (?:hand|side|edge))?(?: vertical)? columns?(?: of the grid)?|(?:the )?columns? (?:on|at|to|along)(?: the)?(?: far)? (?P<edge2>leftmost|rightmost|left|right)(?: (?:side|edge))?")
def _edge_column(match: re.Match[str]) -> _Made:
    side = _side(match["edge"] or match["edge2"])
    return Columns(Axis((("at", 1, 0),), side))


@_pattern(r"(?:the )?(?P<count>\d+ )?middle columns?(?: of the grid)?")
def _middle_column(match: re.Match[str]) -> _Made:
    return Columns(Axis((("middle", int(match["count"] or 1), 0),)))


# Rows.


@_pattern(rf"(?:all )?(?:of )?(?:the )?(?:whole |entire )?(?P<picks>{_PICKS})(?: (?:horizontal|whole|entire|complete|full))? rows?(?: of tiles)?(?: (?P<down>down|up))?{_VSIDE % 'side'}?")
def _nth_row(match: re.Match[str]) -> _Made:
    picks = _pick_list(match["picks"])
    if "#" not in match["picks"] and len(picks) == 1:
        return None
    side = _side(match["side"]) or ("bottom" if match["down"] == "up" else None)
    return Rows(Axis(picks, side))


@_pattern(rf"(?:all )?(?:of )?(?:the )?(?:whole |entire )?rows? (?P<picks>{_AFTER})(?: (?P<down>down|up))?{_VSIDE % 'side'}?")
def _row_n(match: re.Match[str]) -> _Made:
    return Rows(Axis(_pick_list(match["picks"]), _side(match["side"])))


@_pattern(rf"(?:the )?(?:whole |entire |full |complete )?(?P<edge>topmost|bottommost|top|bottom)(?: (?P<count>\d+))?(?: horizontal)? rows?(?: of tiles)?")
def _edge_row(match: re.Match[str]) -> _Made:
    return Rows(_edge_axis(match["edge"], int(match["count"] or 1)))


# Corners.


@_pattern(r"(?:the )?(?P<v>topmost|bottommost|top|bottom|upper|lower)(?: and)? (?P<h>leftmost|rightmost|left|right)(?: hand)?(?: most)?(?: corner)?(?: tile)?(?: corner)?(?: of the grid)?")
def _corner(match: re.Match[str]) -> _Made:
    text = match.group()
    if not ("corner" in text or "most" in text or "grid" in text or (text.endswith("tile") and match["v"] in ("top", "bottom"))):
        return None
    v = "top" if match["v"] in ("topmost", "top", "upper") else "bottom"
    return Corner(v, "left" if match["h"].startswith("left") else "right")


@_pattern(r"(?:the )?(?P<h>leftmost|rightmost)(?: and| ,)? (?P<v>topmost|bottommost|top|bottom|upper|lower)(?: most)?(?: corner)?(?: tile)?")
def _corner2(match: re.Match[str]) -> _Made:
    return _corner(match)


@_pattern(r"(?:the )?tile (?:in|at) the (?P<v>top|bottom|upper|lower) (?P<h>left|right)(?: corner)?")
def _corner3(match: re.Match[str]) -> _Made:
    return _corner(match)


# Tiles.


@_pattern(r"(?:the )?(?:very )?(?P<edge>top|bottom)(?= of (?:the )?(?:#|columns?|leftmost|rightmost|left|right|next|same|that column|this column|each|every|odd|even))")
def _column_end(match: re.Match[str]) -> _Made:
    return Tiles(_edge_axis(match["edge"], 1), definite=True)


@_pattern(rf"(?:the )?(?P<edge>{_EDGE}|#1|#-1)(?: of the)? (?P<count>\d+)(?: {_ADJ}tiles?)?(?: (?P<down>down|up))?{_VSIDE % 'side'}?(?! (?:columns?|rows?|steps?|times?|flowers?|rings?|triangles?|shapes?|lines?))")
def _edge_tiles(match: re.Match[str]) -> _Made:
    edge, count = match["edge"], int(match["count"])
    if edge == "#1":
        return Tiles(Axis((("first", count, 0),), _side(match["side"]) or ("bottom" if match["down"] == "up" else None)), plural=count > 1)
    if edge == "#-1":
        return Tiles(Axis((("last" if not match["side"] else "first", count, 0),), _side(match["side"])), plural=count > 1)
    return Tiles(_edge_axis(edge, count), plural=count > 1)


@_pattern(rf"(?:the )?(?P<count>\d+) (?P<edge>{_EDGE}) tiles?|(?:the )?(?P<count2>\d+) tiles (?:at|on|from|of) (?:the )?(?P<edge2>top|bottom){_ENDS}")
def _count_edge(match: re.Match[str]) -> _Made:
    return Tiles(_edge_axis(match["edge"] or match["edge2"], int(match["count"] or match["count2"])), plural=True)


@_pattern(rf"(?:the )?(?P<edge>{_EDGE})(?: and (?:the )?(?P<edge2>{_EDGE}))?(?: {_ADJ.rstrip()})?(?: of)? tiles?(?! (?:{_IT}))|(?:the )?tile (?:at|on|in)(?: the)?(?: very)? (?P<edge3>top|bottom)(?! (?:left|right)){_ENDS}|(?:the )?(?P<edge4>topmost|bottommost)(?! (?:tile|left|right|point|end|part|edge|corner|tip|portion))")
def _edge_tile(match: re.Match[str]) -> _Made:
    edge = match["edge"] or match["edge3"] or match["edge4"]
    colours = tuple(re.findall(rf"\b{COL}\b", match.group()))
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    if colours:
        return Tiles(colours=colours, definite=True, order=f"{side}most", plural="tiles" in match.group())
    if match["edge2"]:
        return Tiles(Axis((("at", 1, 0), ("at", -1, 0))), plural=True)
    return Tiles(_edge_axis(edge, 1), plural="tiles" in match.group())


@_pattern(rf"(?:the )?(?P<h>leftmost|rightmost|left|right)(?: (?P<count>\d+))?(?P<colours>(?: {COL})*) tiles?")
def _side_tile(match: re.Match[str]) -> _Made:
    colours = tuple(match["colours"].split())
    side = "left" if match["h"].startswith("left") else "right"
    return Tiles(colours=colours, definite=True, order=f"{side}most", count=int(match["count"]) if match["count"] else None)


@_pattern(rf"(?P<quant>every|each|all) (?:(?P<other>other)|#(?P<nth>\d+))(?: of the)?(?: {_ADJ.rstrip()})? tiles?(?: (?:down|up|in))?|every other(?! (?:column|row))|(?:alternate|alternating|odd|even) tiles")
def _every_tile(match: re.Match[str]) -> _Made:
    text = match.group()
    first = 1 if text.startswith("odd") else 2 if text.startswith("even") else 0
    return Tiles(Axis((("every", int(match["nth"] or 2), first),)), plural=True)


@_pattern(r"(?:all|each|every)(?: of)?(?: the)?(?: \d+)? corners?(?: tiles?)?(?: of the grid)?|(?:the )?(?:4 )?corner tiles(?: of the grid)?|(?:the )?4 corners(?: of the grid)?")
def _corners(match: re.Match[str]) -> _Made:
    return Tiles(definite=True, order="corners", plural=True)


@_pattern(rf"(?:the )?(?P<middle>middle) (?:(?P<count>\d+) )?tiles?(?: of the grid)?|(?:the )?(?P<count2>\d+) middle tiles?")
def _middle_tile(match: re.Match[str]) -> _Made:
    count = int(match["count"] or match["count2"] or 1)
    if count == 1:
        return Tiles(definite=True, order="middle")
    return Tiles(Axis((("middle", count, 0),)), plural=True)


@_pattern(rf"(?:the )?(?P<odd>odd|even)(?: number)? tiles?")
def _odd_tiles(match: re.Match[str]) -> _Made:
    return Tiles(Axis((("every", 2, 1 if match["odd"] == "odd" else 2),)), plural=True)


@_pattern(rf"(?:the )?(?P<picks>{_PICKS}) (?P<adj>{_ADJ})(?P<noun>tiles?)(?: (?P<down>down|up|downwards|upwards))?{_VSIDE % 'side'}?")
def _nth_tile(match: re.Match[str]) -> _Made:
    picks, text = _pick_list(match["picks"]), match["picks"]
    colours = tuple(re.findall(rf"\b{COL}\b", match["adj"]))
    down = match["down"]
    if "#" not in text and len(picks) == 1 and picks[0][0] == "at" and not (down and match["side"]):
        return None
    side = _side(match["side"]) or ("bottom" if down in ("up", "upwards") else None)
    if text == "#-1" and not match["side"]:
        if colours and "blank" not in colours:
            return Tiles(colours=colours, definite=True, order="last")
        return Tiles(Axis(picks), definite=True, order="last")
    if colours and not match["side"] and not down:
        return Tiles(Axis(picks), colours=colours, definite=True, order="nth", plural=match["noun"] == "tiles")
    return Tiles(Axis(picks, side), definite=match.group().startswith("the "), plural=match["noun"] == "tiles")


@_pattern(rf"(?:the )?(?P<picks>{_PICKS})(?: (?P<down>down|up))?{_VSIDE % 'side'}(?! (?:left|right))")
def _nth_from(match: re.Match[str]) -> _Made:
    return Tiles(Axis(_pick_list(match["picks"]), _side(match["side"])), definite=True)


@_pattern(rf"(?:the )?tiles? (?:in (?:the )?)?(?:numbers? )?(?P<picks>{_AFTER})(?: (?P<down>down|up))?{_VSIDE % 'side'}?")
def _tile_n(match: re.Match[str]) -> _Made:
    side = _side(match["side"]) or ("bottom" if match["down"] == "up" else None)
    return Tiles(Axis(_pick_list(match["picks"]), side), definite=True, plural=match.group().startswith(("tiles", "the tiles")))


@_pattern(r"(?:all )?(?:of )?(?:the )?(?:\d+ )?(?:neighbors?|surrounding tiles|touching tiles) of")
def _neighbours_of(match: re.Match[str]) -> _Made:
    return Relation("around")


@_pattern(r"(?:all )?(?:of )?(?:the |its |their )?(?:(?P<count>\d+) )?(?:surrounding|touching|neighbor) tiles(?! of)|(?:all )?(?:the |its )?(?P<count2>\d+ )?neighbors(?! of)")
def _ring_tiles(match: re.Match[str]) -> _Made:
    return Tiles(order="around", plural=True, definite=True)


@_pattern(
    rf"(?:(?P<quant>all|each|every|any|both)(?: \d+ of)?(?: of)? )?(?:(?P<det>the|this|that|these|those|a|an|another|its|their) )?(?:(?P<count>\d+) )?"
    rf"(?P<next>(?:next|following|subsequent|proceeding|consecutive) )?(?P<adj0>(?:previous|original|remaining|other|same|single|corresponding|first|more|additional|new|just|last) )*(?:(?P<count2>\d+) )?"
    rf"(?P<colours>{COL}(?:(?: and| or| ,|/)? {COL})* )?(?:(?P<adj>single|connected|consecutive|remaining|other|blank|available|touching|more|adjoining|vertical|full|individual|painted|neighbor|whole) )*(?:(?P<count3>\d+) )?(?P<noun>tiles?|neighbors?|neighbours?)"
)
def _tiles(match: re.Match[str]) -> _Made:
    colours = tuple(re.findall(rf"\b{COL}\b", match["colours"] or ""))
    count = match["count"] or match["count2"] or match["count3"]
    det, quant = match["det"], match["quant"]
    if "that touching" in match.group():
        return None
    plural = match["noun"].endswith("s")
    if match["adj"] == "blank" or "remaining" in match.group():
        colours = colours or ("blank",)
    single = det in ("a", "an", "another")
    return Tiles(
        count=int(count) if count else (1 if single else None),
        colours=colours,
        definite=det in ("the", "this", "that", "these", "those", "its", "their"),
        each=quant in ("each", "every", "any"),
        all=quant in ("all", "both", "every") or (quant == "any" and plural),
        next=bool(match["next"]),
        plural=plural,
        order="same" if re.search(r"same (?:\d )?tiles?$", match.group()) else "last" if match["det"] in ("this", "that", "these", "those") and not colours else None,
    )


@_pattern(r"(?:the )?(?:rest|remainder) of (?:the|that|this|these|those) (?:column|row|line)s?")
def _rest_of(match: re.Match[str]) -> _Made:
    return Tiles(colours=("blank",), definite=True, plural=True, order="rest")


@_pattern(r"(?:the )?(?:rest|remainder)(?: of (?:the )?(?:tiles|it|this|that|grid))?")
def _rest(match: re.Match[str]) -> _Made:
    return Tiles(colours=("blank",), definite=True, all=True, plural=True)


# Colours.


@_pattern(rf"(?:with |and |has |have |having )?(?:a |an |the )?(?P<colour>{COL}) (?:middles?|center|interior)(?: tiles?)?|(?:the |a |its |with a )?middles?(?: tiles?)? (?:is |are |of |in |as |painted |should be |will be |being |with )+(?P<colour2>{COL})")
def _middle(match: re.Match[str]) -> _Made:
    name = match["colour"] or match["colour2"]
    return Middle("white" if name == "blank" else name)


@_pattern(r"(?:the |their |its |each |all )*(?:middle|interior|inside|inner)s?(?: tiles?| part| portion| space)? of(?: each| all| every| both)?(?: of)?(?= (?:the |these |those |this |that )?(?!grid|column|row|page))")
def _middle_of(match: re.Match[str]) -> _Made:
    return Relation("inside")


@_pattern(rf"(?:(?:with|in|using|as|of|being) )?(?:(?P<n1>\d+) )?(?P<c1>{COL})(?: tiles?)?(?:(?:(?: ,)?(?: and)?(?: then)?(?: a)?|(?: to)) (?:(?:the )?next )?(?:\d+ )?{COL}(?: tiles?)?(?: again)?(?! (?:tiles?|rings?|flowers?|lines?|columns?)? ?(?:from|with)))+(?! (?:tiles?|rings?|flowers?|lines?|columns?))")
def _sequence(match: re.Match[str]) -> _Made:
    runs = [(int(n or 1), colour) for n, colour in re.findall(rf"(?:(\d+) )?\b({COL})\b", match.group())]
    return Sequence(tuple((n, "white" if colour == "blank" else colour) for n, colour in runs))


@_pattern(rf"(?P<with>(?:with|using|use|in|switch to|switching to|choose|select|pick|grab|add)(?: the)?(?: color)? )?(?:the color )?(?P<colour>{COL})(?: color)?")
def _colour(match: re.Match[str]) -> _Made:
    name = match["colour"]
    return Colour("white" if name == "blank" else name, sticky=bool(match["with"]))


# Where to.

_UP, _DOWN = "up|upwards|upper|top|north", "down|downwards|lower|bottom|south"
_SIDEWAYS = "left|right|leftwards|rightwards|leftward|rightward"
_DIAG = "(?: (?:diagonal|diagonally|at an angle))?"


@_pattern(rf"(?:(?:in|to|towards?|on|at)(?: the| its| a| an)? )?(?:diagonal |diagonally (?:, )?)?(?P<v>{_UP}|{_DOWN})(?: ,)?(?: and| &| then)?{_DIAG}(?: to| towards?)?(?: the| its)? (?P<h>{_SIDEWAYS})(?: direction| side| edge| corner)?(?P<of> of(?! the grid| the board)| (?:edge of|side of))?(?! tiles? (?:of the grid))")
def _heading(match: re.Match[str]) -> _Made:
    v = "up" if match["v"] in _UP.split("|") else "down"
    h = "left" if match["h"].startswith("left") else "right"
    where = match.group().split()[0]
    if "corner" in match.group() or (where in ("in", "at") and match["v"] not in ("up", "upwards", "down", "downwards") and "direction" not in match.group()):
        return Corner("top" if v == "up" else "bottom", h)
    if " its " in match.group() or match.group().startswith("its "):
        return Relation(f"{v}-{h}", other=True)
    return Relation(f"{v}-{h}") if match["of"] and "of" in match["of"] else Heading(f"{v}-{h}")


@_pattern(rf"(?:(?:in|to|towards?|on)(?: the| its)? )?(?P<h>{_SIDEWAYS})(?: and| ,| &)?(?: diagonal| diagonally)?(?: slightly)? (?P<v>up|upwards|down|downwards)(?: diagonal| diagonally)?(?P<of> of)?")
def _heading2(match: re.Match[str]) -> _Made:
    return _heading(match)


@_pattern(r"(?:diagonal|diagonally)(?: (?:line|lines))? (?P<v>up|upwards|down|downwards)")
def _slope(match: re.Match[str]) -> _Made:
    return Heading("diagonal-up" if match["v"].startswith("up") else "diagonal-down")


@_pattern(r"(?:directly |immediately |right |just |straight )*(?P<rel>above|below|on top of|atop|over top of)(?: and (?:touching|to) )?")
def _vertical(match: re.Match[str]) -> _Made:
    return Relation("below" if match["rel"] == "below" else "above")


@_pattern(r"(?:directly |immediately |just )*(?:on|to|at) (?:the )?(?:either|both|each|opposite)(?: left and right)? sides?(?: of)?|(?:directly |immediately |just )*(?:to|on) the (?:left and (?:to )?(?:the )?right|right and (?:to )?(?:the )?left)(?: sides?)?(?: of)?")
def _both(match: re.Match[str]) -> _Made:
    return Relation("sides")


@_pattern(r"(?:directly |immediately |right |just )*(?:to|on|off)(?: the| its| their)?(?: immediate| direct)? (?P<h>left|right)(?! (?:columns?|rows?|tiles?|corner|vertical|\d))(?: hand)?(?: side| edge)?(?P<of> of(?! the (?:grid|board|page)))?")
def _sideways(match: re.Match[str]) -> _Made:
    return Relation(match["h"], other=bool(match["of"]))


@_pattern(r"(?:that |which )?(?:are |is |lie )?(?:exactly |precisely |just )?(?P<ring>\d+) steps?(?: away)? from|(?:that |which )?(?:are |is |lie )?(?:at most|within|up to|no more than|not more than)(?: a distance of)? (?P<disc>\d+) (?:steps?|tiles?)(?: away)? (?:from|of)")
def _distance(match: re.Match[str]) -> _Made:
    return Relation(f"ring {match['ring']}" if match["ring"] else f"disc {match['disc']}")


@_pattern(r"(?:that |which )?(?:are |is )?(?:directly |immediately )?(?:touching|surrounding|around|next to|connected to|all around|connecting to)(?: (?:to|with|around|on))?(?: all)?(?: sides of)?")
def _touching(match: re.Match[str]) -> _Made:
    return Relation("around" if "around" in match.group() or "surround" in match.group() else "touching")


@_pattern(r"(?:directly |right )?(?P<rel>between|inside|within|outside)(?: of)?")
def _inside(match: re.Match[str]) -> _Made:
    return Relation("inside" if match["rel"] in ("inside", "within") else match["rel"])


@_pattern(r"(?:straight |directly |vertically )*(?P<way>up|down|upwards|downwards)(?: vertically)?")
def _up_down(match: re.Match[str]) -> _Made:
    return Heading("up" if match["way"].startswith("up") else "down")


@_pattern(r"(?P<way>leftwards|rightwards|left to right|right to left|towards the (?:left|right))")
def _along(match: re.Match[str]) -> _Made:
    way = match["way"]
    return Heading("right" if way in ("rightwards", "left to right", "towards the right") else "left")


# Things.

_SHAPES = (
    "flower hexring ring triangle line diagonal diamond rhombus bowtie arrow caterpillar pattern shape stripe star snowflake v x angle "
    "chevron spiral square rectangle oval cross zigzag wave sequence trio pair group set row image motif section pillar worm stem "
    "o w"
).split()


@_pattern(
    rf"(?:(?P<quant>all|each|every|both)(?: of)? )?(?:(?P<det>the|this|that|these|those|a|an|another|same) )*(?:(?P<count>\d+|single|double) )?"
    rf"(?P<order>(?:#-?\d+|next|previous|original|top|bottom|left|right|middle|leftmost|rightmost|topmost|bottommost|last|same|other|new|entire|whole) )*(?:(?P<more>more|other|additional|new|of these|of the same|similar|identical) )*"
    rf"(?:(?:filled|hollow|small|large|big|full|complete|straight|vertical|horizontal|diagonal) )*(?P<colours>{COL}(?:(?: and| or| ,|/)? {COL})* )?(?:(?:(?P<size>\d+) (?:tiled?|sided|tile long) )|(?:straight|solid|small|smaller|larger|large|big|vertical|horizontal|complete|full|filled|painted|single|upside down|similar|parallel|hollow|tile|outer|inner|little|closed|short|long|diagonal|line|flower|triangle|v|x|ring|paint|reverse|reversed|diamond|shaped|wavy|curved) )*"
    rf"(?:' |\" )?(?P<noun>{'|'.join(_SHAPES)})(?P<s>s|es)?(?: '| \")?(?: (?P<noun2>shape|pattern|line)s?)?"
)
def _shape(match: re.Match[str]) -> _Made:
    noun, count, quant = match["noun"], match["count"], match["quant"]
    words = match.group().split()
    if noun in ("line", "shape", "pattern") and noun != words[0]:
        noun = next((word for word in words if word in ("diagonal", "flower", "triangle", "v", "x", "ring", "diamond", "zigzag", "bowtie") and word != noun), noun)
    plural = bool(match["s"]) or (count or "").isdigit() and count != "1"
    if words[0] == "paint":
        return None
    if noun == "row" and ((not match["det"] and not match["colours"] and not match["order"]) or match.string[match.end() :].startswith((" 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9"))):
        return None
    if noun in ("v", "x", "o", "w") and "shape" not in words and not match["det"] and not match["colours"] and '"' not in words and "'" not in words:
        return None
    return Shape(
        noun,
        plural=bool(plural),
        definite=match["det"] in ("the", "this", "that", "these", "those", "same"),
        colours=tuple(re.findall(rf"\b{COL}\b", match["colours"] or "")),
        count=int(count) if count and count.isdigit() else None,
        size=int(match["size"]) if match["size"] else None,
        order=(match["order"] or "").strip() or None,
        each=quant in ("each", "every", "all", "both"),
        vertical="vertical" in words,
        words=tuple(words),
    )


@_pattern(r"(?P<word>it|itself|its|them|themselves|this|that|these|those|there|here|they|their)")
def _pronoun(match: re.Match[str]) -> _Made:
    return Pronoun(match["word"], match["word"] in ("them", "these", "those", "they", "their", "themselves"))


_VERBS = (
    "paint make add skip leave repeat mirror connect extend continue move start end alternate switch count locate find using choose "
    "rotate shift reverse surrounding do erase remove change turn"
).split()


@_pattern(rf"(?P<verb>{'|'.join(_VERBS)})")
def _verb(match: re.Match[str]) -> _Made:
    return Verb(match["verb"])


# An ordinal on its own stands for a tile of a column.


@_pattern(rf"(?:the )?(?P<picks>#-?\d+(?:{_JOIN} #-?\d+| to #-?\d+)*)(?! (?:columns?|rows?|steps?))")
def _bare(match: re.Match[str]) -> _Made:
    return Tiles(Axis(_pick_list(match["picks"])), definite=True, plural=len(_pick_list(match["picks"])) > 1)


def scan(text: str) -> list[Chunk]:
    """The phrases of plain words; a word in no phrase stands for itself."""
    return _joined(_cut(text))


_LINKS = (",", "and", "then", "in", "on", "of", "at", "for", "the", "also", "to")


def _joined(chunks: list[Chunk]) -> list[Chunk]:
    """Columns said one after the other taken together; so many tiles down a column as the place that is."""
    made: list[Chunk] = []
    for at, chunk in enumerate(chunks):
        before = len(made)
        while before and isinstance(link := made[before - 1], Word) and link.text in _LINKS:
            before -= 1
        last = made[before - 1] if before else None
        links = [link.text for link in made[before:] if isinstance(link, Word)]
        if isinstance(chunk, Columns) and isinstance(last, Columns) and chunk.relative in (None, "sides") and ("and" in links or "," in links) and not (links and links[-1] == "to"):
            made[before - 1 :] = [structs.replace(last, more=(*last.more, chunk))]
        elif isinstance(chunk, Heading) and chunk.name in ("up", "down") and isinstance(last := chunks[at - 1] if at else None, Tiles) and last.count and last.axis is None and not last.colours and not last.next and _after_columns(made[:-1]):
            made[-1] = Tiles(Axis((("at", last.count, 0),), "top" if chunk.name == "down" else "bottom"), definite=True)
        else:
            made.append(chunk)
    return made


def _after_columns(made: list[Chunk]) -> bool:
    while made and (isinstance(link := made[-1], Word) and link.text in (",", "and", "then", "the", "at", "over") or isinstance(link, Verb) and link.name in ("count", "move")):
        made = made[:-1]
    return bool(made) and isinstance(made[-1], Columns)


def _cut(text: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    at = 0
    while at < len(text):
        for pattern, make in _PATTERNS:
            match = pattern.match(text, at)
            if match and match.end() > at:
                made = make(match)
                if made is not None:
                    chunks.append(made)
                    at = match.end()
                    break
        else:
            end = text.find(" ", at)
            end = len(text) if end < 0 else end
            chunks.append(Word(text[at:end]))
            at = end
        at += 1
    return chunks
