"""Makers of phrases: what each pattern of `vocabulary/phrases.txt` stands for."""

from __future__ import annotations

import re
from collections.abc import Callable

from groundling.games.hexagons.players.parser.phrases import (
    COL,
    AxisSelection,
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    HeadingPhrase,
    MiddlePhrase,
    Phrase,
    PronounPhrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
    UnreadableInstruction,
    VerbPhrase,
    WordPhrase,
    edge_phrase_axis,
    normalise_phrase_side,
    parse_phrase_number,
    parse_phrase_picks,
    parse_phrase_stride,
)

MaybePhrase = Phrase | None
PhraseMaker = Callable[[re.Match[str]], MaybePhrase]
"""Makes a phrase of a match, or returns None to reject it."""


def _picked_axis(match: re.Match[str]) -> AxisSelection:
    return AxisSelection(parse_phrase_picks(match["picks"]), normalise_phrase_side(match["side"]))


def _counting_side(match: re.Match[str]) -> str | None:
    return normalise_phrase_side(match["side"]) or ("bottom" if match["down"] in ("up", "upwards") else None)


def _find_colours(text: str) -> tuple[str, ...]:
    return tuple(re.findall(rf"\b{COL}\b", text))


def _to_colour(name: str) -> str:
    return "white" if name == "blank" else name


def _step_reference(match: re.Match[str]) -> MaybePhrase:
    if match["list"]:
        numbers = AxisSelection(parse_phrase_picks(match["list"])).resolve_numbers(99)
        return StepPhrase(tuple(numbers))
    return StepPhrase(tuple(range(1 - int(match["count"] or 1), 1)))


def _jump_columns(match: re.Match[str]) -> MaybePhrase:
    count = match["count"] or match["count2"]
    if count is None or "column" not in match.group():
        return None
    side = match["side"] or match["way"] or match["side2"] or "right"
    return ColumnsPhrase(relative=side, count=int(count), jump=True)


def _all_columns(match: re.Match[str]) -> MaybePhrase:
    parity = (match["parity"] or "").strip()
    return ColumnsPhrase(
        AxisSelection((("every", 2, 1 if parity == "odd" else 2) if parity else ("all", 0, 0),))
    )


def _every_nth_column(match: re.Match[str]) -> MaybePhrase:
    first = match["first"]
    at = 1 if first in ("leftmost", "left") else parse_phrase_number(first) if first else 0
    return ColumnsPhrase(
        AxisSelection(
            (("every", 2 if match["other"] else parse_phrase_stride(match["nth"]), at),),
            normalise_phrase_side(match["side"]),
        )
    )


def _first_columns(match: re.Match[str]) -> MaybePhrase:
    edge, count = match["edge"], int(match["count"])
    if edge == "#-1" and match["side"]:
        edge = "#1"
    side = "right" if edge in ("rightmost", "right", "#-1") else normalise_phrase_side(match["side"])
    return ColumnsPhrase(AxisSelection((("first", count, 0),), side))


def _nth_column(match: re.Match[str]) -> MaybePhrase:
    picks = parse_phrase_picks(match["picks"])
    if match["picks"] == "1" and not match["side"]:
        return ColumnsPhrase(relative="next")
    if len(picks) == 1 and "#" not in match["picks"] and match.group().rstrip().endswith("columns"):
        return ColumnsPhrase(
            AxisSelection((("first", picks[0][1], 0),), normalise_phrase_side(match["side"]))
        )
    return ColumnsPhrase(AxisSelection(picks, normalise_phrase_side(match["side"])))


def _nth_row(match: re.Match[str]) -> MaybePhrase:
    picks = parse_phrase_picks(match["picks"])
    if "#" not in match["picks"] and len(picks) == 1:
        return None
    side = _counting_side(match)
    return RowsPhrase(AxisSelection(picks, side))


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


def _edge_tiles(match: re.Match[str]) -> MaybePhrase:
    edge, count = match["edge"], int(match["count"])
    if edge == "#1":
        return TilesPhrase(AxisSelection((("first", count, 0),), _counting_side(match)), plural=count > 1)
    if edge == "#-1":
        return TilesPhrase(
            AxisSelection(
                (("last" if not match["side"] else "first", count, 0),), normalise_phrase_side(match["side"])
            ),
            plural=count > 1,
        )
    return TilesPhrase(edge_phrase_axis(edge, count), plural=count > 1)


def _edge_tile(match: re.Match[str]) -> MaybePhrase:
    edge = match["edge"] or match["edge3"] or match["edge4"]
    colours = _find_colours(match.group())
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    if colours:
        return TilesPhrase(
            colours=colours, definite=True, order=f"{side}most", plural="tiles" in match.group()
        )
    if match["edge2"]:
        return TilesPhrase(AxisSelection((("at", 1, 0), ("at", -1, 0))), plural=True)
    return TilesPhrase(edge_phrase_axis(edge, 1), plural="tiles" in match.group())


def _side_tile(match: re.Match[str]) -> MaybePhrase:
    colours = tuple(match["colours"].split())
    side = "left" if match["h"].startswith("left") else "right"
    return TilesPhrase(
        colours=colours,
        definite=True,
        order=f"{side}most",
        count=int(match["count"]) if match["count"] else None,
    )


def _every_tile(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    first = 1 if text.startswith("odd") else 2 if text.startswith("even") else 0
    return TilesPhrase(
        AxisSelection((("every", parse_phrase_stride(match["nth"] or "2"), first),)), plural=True
    )


def _nth_tile(match: re.Match[str]) -> MaybePhrase:
    picks, text = parse_phrase_picks(match["picks"]), match["picks"]
    colours = _find_colours(match["adj"])
    down = match["down"]
    if "#" not in text and len(picks) == 1 and picks[0][0] == "at" and not (down and match["side"]):
        return None
    side = _counting_side(match)
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


def _tile_n(match: re.Match[str]) -> MaybePhrase:
    side = _counting_side(match)
    return TilesPhrase(
        AxisSelection(parse_phrase_picks(match["picks"]), side),
        definite=True,
        plural=match.group().startswith(("tiles", "the tiles")),
    )


def _some_tiles(match: re.Match[str]) -> MaybePhrase:
    colours = _find_colours(match["colours"] or "")
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


def _colour_sequence(match: re.Match[str]) -> MaybePhrase:
    runs = [(int(n or 1), colour) for n, colour in re.findall(rf"(?:(\d+) )?\b({COL})\b", match.group())]
    if not any(n for n, _ in runs):
        raise UnreadableInstruction("a sequence of no tiles")
    return ColourSequencePhrase(tuple((n, _to_colour(colour)) for n, colour in runs))


def _diagonal_heading(match: re.Match[str]) -> MaybePhrase:
    v = "up" if match["v"].startswith(("up", "top", "north")) else "down"
    h = "left" if match["h"].startswith("left") else "right"
    where = match.group().split()[0]
    if "corner" in match.group() or (
        where in ("in", "at")
        and match["v"] not in ("up", "upwards", "down", "downwards")
        and "direction" not in match.group()
    ):
        return CornerPhrase("top" if v == "up" else "bottom", h)
    if " its " in match.group() or match.group().startswith("its "):
        return RelationPhrase(f"{v}-{h}", other=True)
    return RelationPhrase(f"{v}-{h}") if match["of"] and "of" in match["of"] else HeadingPhrase(f"{v}-{h}")


def _touching_relation(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    return RelationPhrase(
        "around" if "around" in text or "surround" in text else "touching", other="surround" in text
    )


def _shape_by_name(match: re.Match[str]) -> MaybePhrase:
    noun, count, quant = match["noun"], match["count"], match["quant"]
    words = match.group().split()
    if noun in ("line", "shape", "pattern") and noun != words[0]:
        noun = next(
            (
                word
                for word in words
                if word in ("diagonal", "flower", "triangle", "v", "x", "ring", "diamond", "zigzag", "bowtie")
                and word != noun
            ),
            noun,
        )
    plural = bool(match["s"]) or ((count or "").isdigit() and count != "1")
    if words[0] == "paint":
        return None
    if noun == "row" and (
        (not match["det"] and not match["colours"] and not match["order"])
        or match.string[match.end() :].startswith((" 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9"))
    ):
        return None
    if (
        noun in ("v", "x", "o", "w")
        and "shape" not in words
        and not match["det"]
        and not match["colours"]
        and '"' not in words
        and "'" not in words
    ):
        return None
    return ShapePhrase(
        noun,
        plural=plural,
        definite=match["det"] in ("the", "this", "that", "these", "those", "same"),
        colours=_find_colours(match["colours"] or ""),
        count=int(count) if count and count.isdigit() else None,
        size=int(match["size"]) if match["size"] else None,
        order=(match["order"] or "").strip() or None,
        each=quant in ("each", "every", "all", "both"),
        vertical="vertical" in words,
        words=tuple(words),
    )


PHRASE_MAKERS: dict[str, PhraseMaker] = {
    "step reference": _step_reference,
    "gap word": lambda match: WordPhrase("gap"),
    "beside both": lambda match: ColumnsPhrase(relative="sides", colour=match["colour"]),
    "beside colour": lambda match: ColumnsPhrase(relative=match["side"], colour=match["colour"]),
    "same column": lambda match: ColumnsPhrase(relative="same"),
    "columns on sides": lambda match: ColumnsPhrase(relative="sides"),
    "next columns": lambda match: ColumnsPhrase(
        relative="left" if match["side"] == "left" else "right" if match["side"] else "next",
        count=int(match["count"] or 1),
    ),
    "jump columns": _jump_columns,
    "a column": lambda match: ColumnsPhrase(relative="next"),
    "previous column": lambda match: ColumnsPhrase(relative="previous"),
    "column beside": lambda match: ColumnsPhrase(relative=match["side"], count=int(match["count"] or 1)),
    "all columns": _all_columns,
    "every nth column": _every_nth_column,
    "alternate columns": lambda match: ColumnsPhrase(AxisSelection((("every", 2, 0),))),
    "odd columns": lambda match: ColumnsPhrase(
        AxisSelection((("every", 2, 1 if (match["parity"] or match["parity2"]) == "odd" else 2),))
    ),
    "first columns": _first_columns,
    "outer columns": lambda match: ColumnsPhrase(AxisSelection((("at", 1, 0), ("at", -1, 0)))),
    "nth column": _nth_column,
    "column n": lambda match: ColumnsPhrase(
        AxisSelection(
            parse_phrase_picks(match["picks"] or match["picks2"]),
            normalise_phrase_side(match["side"] or match["side2"]),
        )
    ),
    "edge column": lambda match: ColumnsPhrase(
        AxisSelection((("at", 1, 0),), normalise_phrase_side(match["edge"] or match["edge2"]))
    ),
    "middle column": lambda match: ColumnsPhrase(AxisSelection((("middle", int(match["count"] or 1), 0),))),
    "nth row": _nth_row,
    "row n": lambda match: RowsPhrase(_picked_axis(match)),
    "edge row": lambda match: RowsPhrase(edge_phrase_axis(match["edge"], int(match["count"] or 1))),
    "board corner": _board_corner,
    "corner side first": _board_corner,
    "tile in corner": _board_corner,
    "column end": lambda match: TilesPhrase(edge_phrase_axis(match["edge"], 1), definite=True),
    "edge tiles": _edge_tiles,
    "count edge": lambda match: TilesPhrase(
        edge_phrase_axis(match["edge"] or match["edge2"], int(match["count"] or match["count2"])), plural=True
    ),
    "edge tile": _edge_tile,
    "side tile": _side_tile,
    "every tile": _every_tile,
    "all corners": lambda match: TilesPhrase(definite=True, order="corners", plural=True),
    "middle tile": lambda match: (
        TilesPhrase(definite=True, order="middle")
        if (count := int(match["count"] or match["count2"] or 1)) == 1
        else TilesPhrase(AxisSelection((("middle", count, 0),)), plural=True)
    ),
    "odd tiles": lambda match: TilesPhrase(
        AxisSelection((("every", 2, 1 if match["odd"] == "odd" else 2),)), plural=True
    ),
    "nth tile": _nth_tile,
    "nth from": lambda match: TilesPhrase(_picked_axis(match), definite=True),
    "tile n": _tile_n,
    "neighbours of": lambda match: RelationPhrase("around"),
    "ring tiles": lambda match: TilesPhrase(order="around", plural=True, definite=True),
    "some tiles": _some_tiles,
    "rest of": lambda match: TilesPhrase(colours=("blank",), definite=True, plural=True, order="rest"),
    "rest of board": lambda match: TilesPhrase(colours=("blank",), definite=True, all=True, plural=True),
    "middle colour": lambda match: MiddlePhrase(_to_colour(match["colour"] or match["colour2"])),
    "middle of": lambda match: RelationPhrase("inside"),
    "colour sequence": _colour_sequence,
    "single colour": lambda match: ColourPhrase(_to_colour(match["colour"])),
    "diagonal heading": _diagonal_heading,
    "diagonal side first": _diagonal_heading,
    "slope heading": lambda match: HeadingPhrase(
        "diagonal-up" if match["v"].startswith("up") else "diagonal-down"
    ),
    "vertical relation": lambda match: RelationPhrase("below" if match["rel"] == "below" else "above"),
    "both sides": lambda match: RelationPhrase("sides"),
    "sideways relation": lambda match: RelationPhrase(match["h"], other=bool(match["of"])),
    "distance relation": lambda match: RelationPhrase(
        f"disc {match['disc']}" if match["disc"] else f"ring {match['ring'] or match['ring2']}"
    ),
    "touching relation": _touching_relation,
    "inside relation": lambda match: RelationPhrase(
        "inside" if match["rel"] in ("inside", "within") else match["rel"]
    ),
    "up down": lambda match: HeadingPhrase("up" if match["way"].startswith("up") else "down"),
    "row heading": lambda match: HeadingPhrase(
        "right" if match["way"] in ("rightwards", "left to right", "towards the right") else "left"
    ),
    "shape by name": _shape_by_name,
    "pronoun word": lambda match: PronounPhrase(
        match["word"], match["word"] in ("them", "these", "those", "they", "their", "themselves")
    ),
    "verb word": lambda match: VerbPhrase(match["verb"]),
    "bare ordinal": lambda match: TilesPhrase(
        AxisSelection(parse_phrase_picks(match["picks"])),
        definite=True,
        plural=len(parse_phrase_picks(match["picks"])) > 1,
    ),
}
