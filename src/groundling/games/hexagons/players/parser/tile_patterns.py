"""Patterns for corners, and for tiles by number, side, colour or neighbours."""

from __future__ import annotations

import re

from groundling.games.hexagons.players.parser.phrases import (
    ADJECTIVES,
    AFTER,
    COL,
    EDGE,
    ENDS,
    NO_NOUN,
    NUMBER,
    PICKS,
    VSIDE,
    AxisSelection,
    CornerPhrase,
    MaybePhrase,
    PhrasePatterns,
    RelationPhrase,
    TilesPhrase,
    edge_phrase_axis,
    normalise_phrase_side,
    parse_phrase_picks,
    parse_phrase_stride,
)

TILE_PATTERNS = PhrasePatterns()


# Corners.


@TILE_PATTERNS.add_pattern(
    r"(?:the )?(?P<v>topmost|bottommost|top|bottom|upper|lower)(?: and)? (?P<h>leftmost|rightmost|left|right)"
    r"(?: hand)?(?: most)?(?: corner)?(?: tile)?(?: corner)?(?: of the grid)?"
)
def _board_corner(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    if not (
        "corner" in text
        or "most" in text
        or "grid" in text
        or (text.endswith("tile") and match["v"] in ("top", "bottom"))
    ):
        return None
    v = "top" if match["v"] in ("topmost", "top", "upper") else "bottom"
    return CornerPhrase(v, "left" if match["h"].startswith("left") else "right")


@TILE_PATTERNS.add_pattern(
    r"(?:the )?(?P<h>leftmost|rightmost)(?: and| ,)? (?P<v>topmost|bottommost|top|bottom|upper|lower)"
    r"(?: most)?(?: corner)?(?: tile)?"
)
def _corner_side_first(match: re.Match[str]) -> MaybePhrase:
    return _board_corner(match)


@TILE_PATTERNS.add_pattern(
    r"(?:the )?tile (?:in|at) the (?P<v>top|bottom|upper|lower) (?P<h>left|right)(?: corner)?"
)
def _tile_in_corner(match: re.Match[str]) -> MaybePhrase:
    return _board_corner(match)


# Tiles.


@TILE_PATTERNS.add_pattern(
    r"(?:the )?(?:very )?(?P<edge>top|bottom)(?= of (?:the )?"
    r"(?:#|columns?|leftmost|rightmost|left|right|next|same|that column|this column|each|every|odd|even))"
)
def _column_end(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(edge_phrase_axis(match["edge"], 1), definite=True)


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<edge>{EDGE}|#1|#-1)(?: of the)? (?P<count>\d+)(?: {ADJECTIVES}tiles?)?(?: "
    rf"(?P<down>down|up))?{VSIDE % 'side'}?(?! (?:columns?|rows?|steps?|times?|flowers?|rings?|triangles?|"
    r"shapes?|lines?))"
)
def _edge_tiles(match: re.Match[str]) -> MaybePhrase:
    edge, count = match["edge"], int(match["count"])
    if edge == "#1":
        return TilesPhrase(
            AxisSelection(
                (("first", count, 0),),
                normalise_phrase_side(match["side"]) or ("bottom" if match["down"] == "up" else None),
            ),
            plural=count > 1,
        )
    if edge == "#-1":
        return TilesPhrase(
            AxisSelection(
                (("last" if not match["side"] else "first", count, 0),), normalise_phrase_side(match["side"])
            ),
            plural=count > 1,
        )
    return TilesPhrase(edge_phrase_axis(edge, count), plural=count > 1)


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<count>\d+) (?P<edge>{EDGE}) tiles?|(?:the )?(?P<count2>\d+) tiles (?:at|on|from|of) "
    rf"(?:the )?(?P<edge2>top|bottom){ENDS}"
)
def _count_edge(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(
        edge_phrase_axis(match["edge"] or match["edge2"], int(match["count"] or match["count2"])), plural=True
    )


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<edge>{EDGE})(?: and (?:the )?(?P<edge2>{EDGE}))? {ADJECTIVES}(?:of )?tiles?(?! "
    rf"(?:{NUMBER}))|(?:the )?tile (?:at|on|in)(?: the)?(?: very)? (?P<edge3>top|bottom)(?! (?:left|right))"
    rf"{ENDS}|"
    r"(?:the )?(?P<edge4>topmost|bottommost)(?! (?:tile|left|right|point|end|part|edge|corner|tip|portion))"
)
def _edge_tile(match: re.Match[str]) -> MaybePhrase:
    edge = match["edge"] or match["edge3"] or match["edge4"]
    colours = tuple(re.findall(rf"\b{COL}\b", match.group()))
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    if colours:
        return TilesPhrase(
            colours=colours, definite=True, order=f"{side}most", plural="tiles" in match.group()
        )
    if match["edge2"]:
        return TilesPhrase(AxisSelection((("at", 1, 0), ("at", -1, 0))), plural=True)
    return TilesPhrase(edge_phrase_axis(edge, 1), plural="tiles" in match.group())


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<h>leftmost|rightmost|left|right)(?: (?P<count>\d+))?(?P<colours>(?: {COL}){{0,4}}) tiles?"
)
def _side_tile(match: re.Match[str]) -> MaybePhrase:
    colours = tuple(match["colours"].split())
    side = "left" if match["h"].startswith("left") else "right"
    return TilesPhrase(
        colours=colours,
        definite=True,
        order=f"{side}most",
        count=int(match["count"]) if match["count"] else None,
    )


@TILE_PATTERNS.add_pattern(
    rf"(?P<quant>every|each|all) (?:(?P<other>other)|#(?P<nth>\d+))(?: of the)? {ADJECTIVES}tiles?(?: "
    r"(?:down|up|in))?|every other(?! (?:column|row))|(?:alternate|alternating|odd|even) tiles"
)
def _every_tile(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    first = 1 if text.startswith("odd") else 2 if text.startswith("even") else 0
    return TilesPhrase(
        AxisSelection((("every", parse_phrase_stride(match["nth"] or "2"), first),)), plural=True
    )


@TILE_PATTERNS.add_pattern(
    r"(?:all|each|every)(?: of)?(?: the)?(?: \d+)? corners?(?: tiles?)?(?: of the grid)?|(?:the )?"
    r"(?:4 )?corner tiles(?: of the grid)?|(?:the )?4 corners(?: of the grid)?"
)
def _all_corners(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(definite=True, order="corners", plural=True)


@TILE_PATTERNS.add_pattern(
    r"(?:the )?(?P<middle>middle) (?:(?P<count>\d+) )?tiles?(?: of the grid)?|(?:the )?(?P<count2>\d+)"
    r" middle tiles?"
)
def _middle_tile(match: re.Match[str]) -> MaybePhrase:
    count = int(match["count"] or match["count2"] or 1)
    if count == 1:
        return TilesPhrase(definite=True, order="middle")
    return TilesPhrase(AxisSelection((("middle", count, 0),)), plural=True)


@TILE_PATTERNS.add_pattern(r"(?:the )?(?P<odd>odd|even)(?: number)? tiles?")
def _odd_tiles(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(AxisSelection((("every", 2, 1 if match["odd"] == "odd" else 2),)), plural=True)


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<picks>{PICKS}) (?P<adj>{ADJECTIVES})(?P<noun>tiles?)(?: "
    rf"(?P<down>down|up|downwards|upwards))?{VSIDE % 'side'}?"
)
def _nth_tile(match: re.Match[str]) -> MaybePhrase:
    picks, text = parse_phrase_picks(match["picks"]), match["picks"]
    colours = tuple(re.findall(rf"\b{COL}\b", match["adj"]))
    down = match["down"]
    if "#" not in text and len(picks) == 1 and picks[0][0] == "at" and not (down and match["side"]):
        return None
    side = normalise_phrase_side(match["side"]) or ("bottom" if down in ("up", "upwards") else None)
    if text == "#-1" and not match["side"]:
        if colours and "blank" not in colours:
            return TilesPhrase(colours=colours, definite=True, order="last")
        return TilesPhrase(AxisSelection(picks), definite=True, order="last")
    if colours and not match["side"] and not down:
        return TilesPhrase(
            AxisSelection(picks), colours=colours, definite=True, order="nth", plural=match["noun"] == "tiles"
        )
    return TilesPhrase(
        AxisSelection(picks, side), definite=match.group().startswith("the "), plural=match["noun"] == "tiles"
    )


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?(?P<picks>{PICKS})(?: (?P<down>down|up))?{VSIDE % 'side'}(?! (?:left|right))"
)
def _nth_from(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(
        AxisSelection(parse_phrase_picks(match["picks"]), normalise_phrase_side(match["side"])), definite=True
    )


@TILE_PATTERNS.add_pattern(
    rf"(?:the )?tiles? (?:in (?:the )?)?(?:numbers? )?(?P<picks>{AFTER}){NO_NOUN}(?: (?P<down>down|up))?"
    rf"{VSIDE % 'side'}?"
)
def _tile_n(match: re.Match[str]) -> MaybePhrase:
    side = normalise_phrase_side(match["side"]) or ("bottom" if match["down"] == "up" else None)
    return TilesPhrase(
        AxisSelection(parse_phrase_picks(match["picks"]), side),
        definite=True,
        plural=match.group().startswith(("tiles", "the tiles")),
    )


@TILE_PATTERNS.add_pattern(
    r"(?:all )?(?:of )?(?:the )?(?:\d+ )?(?:neighbors?|surrounding tiles|touching tiles) of"
)
def _neighbours_of(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("around")


@TILE_PATTERNS.add_pattern(
    r"(?:all )?(?:of )?(?:the |its |their )?(?:(?P<count>\d+) )?(?:surrounding|touching|neighbor) tiles"
    r"(?! of)|(?:all )?(?:of )?(?:the |its )?(?P<count2>\d+ )?neighbors(?! of)"
)
def _ring_tiles(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(order="around", plural=True, definite=True)


@TILE_PATTERNS.add_pattern(
    r"(?:(?P<quant>all|each|every|any|both)(?: \d+ of)?(?: of)? )?"
    r"(?:(?P<det>the|this|that|these|those|a|an|another|its|their) )?(?:(?P<count>\d+) )?"
    r"(?P<next>(?:next|following|subsequent|proceeding|consecutive) )?"
    r"(?:(?:previous|original|remaining|other|same|single|corresponding|first|more|additional|new|just|last)"
    r" ){0,4}"
    rf"(?:(?P<count2>\d+) )?(?P<colours>{COL}(?:(?: and| or| ,|/)? {COL}){{0,4}} )?"
    r"(?:(?P<adj>single|connected|consecutive|remaining|other|blank|available|touching|more|adjoining|"
    r"vertical|full|"
    r"individual|painted|neighbor|whole) ){0,4}(?:(?P<count3>\d+) )?(?P<noun>tiles?|neighbors?|neighbours?)"
)
def _some_tiles(match: re.Match[str]) -> MaybePhrase:
    colours = tuple(re.findall(rf"\b{COL}\b", match["colours"] or ""))
    count = match["count"] or match["count2"] or match["count3"]
    det, quant = match["det"], match["quant"]
    plural = match["noun"].endswith("s")
    if match["adj"] == "blank" or "remaining" in match.group():
        colours = colours or ("blank",)
    single = det in ("a", "an", "another")
    return TilesPhrase(
        count=int(count) if count else (1 if single else None),
        colours=colours,
        definite=det in ("the", "this", "that", "these", "those", "its", "their"),
        each=quant in ("each", "every", "any"),
        all=quant in ("all", "both", "every") or (quant == "any" and plural),
        next=bool(match["next"]),
        plural=plural,
        order="same"
        if re.search(r"same (?:\d )?tiles?$", match.group())
        else "last"
        if match["det"] in ("this", "that", "these", "those") and not colours
        else None,
    )


@TILE_PATTERNS.add_pattern(
    r"(?:the )?(?:rest|remainder) of (?:the|that|this|these|those) (?:column|row|line)s?"
)
def _rest_of(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(colours=("blank",), definite=True, plural=True, order="rest")


@TILE_PATTERNS.add_pattern(r"(?:the )?(?:rest|remainder)(?: of (?:the )?(?:tiles|it|this|that|grid))?")
def _rest_of_board(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(colours=("blank",), definite=True, all=True, plural=True)
