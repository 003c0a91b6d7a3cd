"""Patterns for references to steps, for columns and for rows."""

from __future__ import annotations

import re

from groundling.games.hexagons.players.parser.phrases import (
    AFTER,
    COL,
    HSIDE,
    NUMBER,
    PICKS,
    VSIDE,
    AxisSelection,
    ColumnsPhrase,
    MaybePhrase,
    PhrasePatterns,
    RowsPhrase,
    StepPhrase,
    WordPhrase,
    edge_phrase_axis,
    normalise_phrase_side,
    parse_phrase_number,
    parse_phrase_picks,
    parse_phrase_stride,
)

COLUMN_PATTERNS = PhrasePatterns()


@COLUMN_PATTERNS.add_pattern(
    r"(?:in |of |on |during |from |to )?(?:the )?(?:previous|preceding|#-1|above) (?:(?P<count>\d+) )?steps?|"
    rf"(?:in |of |from )?(?:the )?steps? (?P<list>{AFTER})(?: and (?P<more>{NUMBER}))?"
)
def _step_reference(match: re.Match[str]) -> MaybePhrase:
    if match["list"]:
        numbers = AxisSelection(parse_phrase_picks(match["list"])).resolve_numbers(99)
        return StepPhrase(tuple(numbers))
    return StepPhrase(tuple(range(1 - int(match["count"] or 1), 1)))


# A blank gap between things is not a colour to paint.


@COLUMN_PATTERNS.add_pattern(
    r"(?:a |an |the |each )?(?:(?P<count>\d+) )?(?:single |whole )?(?:blank|white|open) "
    r"(?:columns?|rows?|lines?|gaps?|borders?|buffer|spacer)|(?:a |an |each )?(?:\d+ )?(?:single |whole )?"
    r"(?:columns?|rows?) (?:left |being )?(?:blank|white|open)(?: in)? between"
)
def _gap_word(match: re.Match[str]) -> MaybePhrase:
    return WordPhrase("gap")


# Columns.


@COLUMN_PATTERNS.add_pattern(
    r"(?:the |each |both )?columns? (?:directly |immediately |just )?(?:to|on) (?:the )?"
    r"(?:left and right|right and left|either side|both sides|each side)(?: sides?)? of (?:the )?"
    rf"(?P<colour>{COL}) (?:columns?|lines?|tiles?|vertical lines?)"
)
def _beside_both(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative="sides", colour=match["colour"])


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?columns? (?:directly |immediately |just )?(?:to|on) the (?P<side>left|right)(?: side)? of "
    rf"(?:the |each |every )?(?P<colour>{COL}) (?:columns?|lines?|tiles?|vertical lines?)"
)
def _beside_colour(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative=match["side"], colour=match["colour"])


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?P<which>same|this|that|current|these|those|its)(?: \d+| exact)? (?:columns?|vertical line)"
)
def _same_column(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative="same")


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?next columns?(?: over| out)? (?:on|to) the (?:left and right|right and left)|(?:the )?"
    r"(?:\d )?columns? (?:on|to)(?: the)? (?:either|both|each|left and right|right and left) sides?(?: of "
    r"(?:it|this|that|them))?|(?:the )?(?:\d )?columns? to the (?:left and right|right and left)"
)
def _columns_on_sides(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative="sides")


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?:very )?(?:next|following|adjacent|touching|neighboring|subsequent)(?: (?P<count>\d+))?"
    rf"(?: {COL})? "
    r"(?P<noun>columns?)(?: over)?(?: (?:to|on|towards?|moving|move|going|from)(?: the)? (?P<side>left|right)"
    r"|(?: (?:right|left)wards))?(?: side)?"
)
def _next_columns(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(
        relative="left" if match["side"] == "left" else "right" if match["side"] else "next",
        count=int(match["count"] or 1),
    )


@COLUMN_PATTERNS.add_pattern(
    r"(?:over )?(?:(?P<count>\d+) columns? (?:over )?(?:to|towards) the|"
    r"(?:to|towards) the (?P<way>left|right)(?: over)?|over) "
    r"(?:(?P<side>left|right)|(?P<count2>\d+) columns?)(?: (?:to|towards) the (?P<side2>left|right))?(?! of)"
)
def _jump_columns(match: re.Match[str]) -> MaybePhrase:
    count = match["count"] or match["count2"]
    if count is None or "column" not in match.group():
        return None
    side = match["side"] or match["way"] or match["side2"] or "right"
    return ColumnsPhrase(relative=side, count=int(count), jump=True)


@COLUMN_PATTERNS.add_pattern(r"(?:a|an|another)(?: whole| full| single)? column(?! (?:#|\d))")
def _a_column(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative="next")


@COLUMN_PATTERNS.add_pattern(r"(?:the )?(?:previous|preceding) columns?|(?:the )?column before")
def _previous_column(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative="previous")


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?:(?P<count>\d+) )?columns?(?: (?:directly|immediately|just))?(?: over)? (?:to|on) the"
    r"(?: immediate)? (?P<side>left|right)(?: of (?:it|that|this(?: one)?|them|this column|that column))?(?! "
    r"(?:side|edge|of))"
)
def _column_beside(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(relative=match["side"], count=int(match["count"] or 1))


@COLUMN_PATTERNS.add_pattern(
    r"(?P<quant>all|every|each|every single|all of)(?: of)?(?: the)?(?: \d+)? (?P<parity>odd |even )?columns?"
    r"(?! #?\d)"
)
def _all_columns(match: re.Match[str]) -> MaybePhrase:
    parity = (match["parity"] or "").strip()
    return ColumnsPhrase(
        AxisSelection((("every", 2, 1 if parity == "odd" else 2) if parity else ("all", 0, 0),))
    )


@COLUMN_PATTERNS.add_pattern(
    rf"(?:in |on )?(?:every|each|all) (?:(?P<other>other)|#(?P<nth>\d+)) (?:{COL} )?columns?(?: "
    r"(?:start|starting|begin|beginning)(?: (?:with|from|at|in|on))?(?: the| column){0,4}(?: top of the)? "
    rf"(?P<first>#?\d+|leftmost|left)(?: columns?)?{HSIDE % 'side'}?)?"
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


@COLUMN_PATTERNS.add_pattern(r"(?:the )?(?:alternate|alternating) columns?")
def _alternate_columns(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(AxisSelection((("every", 2, 0),)))


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?P<parity>odd|even)(?: number)? columns?|columns? with (?:an )?(?P<parity2>odd|even) numbers?"
)
def _odd_columns(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(
        AxisSelection((("every", 2, 1 if (match["parity"] or match["parity2"]) == "odd" else 2),))
    )


@COLUMN_PATTERNS.add_pattern(
    rf"(?:the )?(?P<edge>#1|#-1|leftmost|rightmost|left|right) (?P<count>\d+) columns?{HSIDE % 'side'}?"
)
def _first_columns(match: re.Match[str]) -> MaybePhrase:
    edge, count = match["edge"], int(match["count"])
    if edge == "#-1" and match["side"]:
        edge = "#1"
    side = "right" if edge in ("rightmost", "right", "#-1") else normalise_phrase_side(match["side"])
    return ColumnsPhrase(AxisSelection((("first", count, 0),), side))


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?P<a>leftmost|left|#1) and (?:the )?(?P<b>rightmost|right|#-1) columns?"
)
def _outer_columns(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(AxisSelection((("at", 1, 0), ("at", -1, 0))))


@COLUMN_PATTERNS.add_pattern(
    rf"(?:the )?(?:whole |entire |complete |full )?(?P<picks>{PICKS})(?: "
    rf"(?:vertical|whole|entire|complete|{COL}|tile|tiles))? (?:columns?|rows?(?= (?:from|on|to)(?: the)? "
    r"(?:left|right))|tiles?(?= from(?: the)? (?:left|right)(?! corner))|vertical "
    rf"(?:rows?|lines?|columns?)){HSIDE % 'side'}?"
)
def _nth_column(match: re.Match[str]) -> MaybePhrase:
    picks = parse_phrase_picks(match["picks"])
    if match["picks"] == "1" and not match["side"]:
        return ColumnsPhrase(relative="next")
    if len(picks) == 1 and "#" not in match["picks"] and match.group().rstrip().endswith("columns"):
        return ColumnsPhrase(
            AxisSelection((("first", picks[0][1], 0),), normalise_phrase_side(match["side"]))
        )
    return ColumnsPhrase(AxisSelection(picks, normalise_phrase_side(match["side"])))


@COLUMN_PATTERNS.add_pattern(
    rf"(?:the )?columns?(?: numbers?)?(?: \( from (?:the )?left \))?(?: ,)? (?P<picks>{AFTER})"
    rf"{HSIDE % 'side'}?|(?:the )?columns? (?P<picks2>{PICKS}) (?:in )?from(?: the)? (?P<side2>left|right)"
)
def _column_n(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(
        AxisSelection(
            parse_phrase_picks(match["picks"] or match["picks2"]),
            normalise_phrase_side(match["side"] or match["side2"]),
        )
    )


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?P<edge>leftmost|rightmost|left|right)(?: (?:hand|side|edge))?(?: vertical)? columns?"
    r"(?: of the grid)?|(?:the )?columns? (?:on|at|to|along)(?: the)?(?: far)? "
    r"(?P<edge2>leftmost|rightmost|left|right)(?: (?:side|edge))?"
)
def _edge_column(match: re.Match[str]) -> MaybePhrase:
    side = normalise_phrase_side(match["edge"] or match["edge2"])
    return ColumnsPhrase(AxisSelection((("at", 1, 0),), side))


@COLUMN_PATTERNS.add_pattern(r"(?:the )?(?P<count>\d+ )?middle columns?(?: of the grid)?")
def _middle_column(match: re.Match[str]) -> MaybePhrase:
    return ColumnsPhrase(AxisSelection((("middle", int(match["count"] or 1), 0),)))


# Rows.


@COLUMN_PATTERNS.add_pattern(
    rf"(?:all )?(?:of )?(?:the )?(?:whole |entire )?(?P<picks>{PICKS})(?: "
    r"(?:horizontal|whole|entire|complete|full))? rows?(?: of tiles)?(?: (?P<down>down|up))?"
    rf"{VSIDE % 'side'}?"
)
def _nth_row(match: re.Match[str]) -> MaybePhrase:
    picks = parse_phrase_picks(match["picks"])
    if "#" not in match["picks"] and len(picks) == 1:
        return None
    side = normalise_phrase_side(match["side"]) or ("bottom" if match["down"] == "up" else None)
    return RowsPhrase(AxisSelection(picks, side))


@COLUMN_PATTERNS.add_pattern(
    rf"(?:all )?(?:of )?(?:the )?(?:whole |entire )?rows? (?P<picks>{AFTER})(?: (?P<down>down|up))?"
    rf"{VSIDE % 'side'}?"
)
def _row_n(match: re.Match[str]) -> MaybePhrase:
    return RowsPhrase(AxisSelection(parse_phrase_picks(match["picks"]), normalise_phrase_side(match["side"])))


@COLUMN_PATTERNS.add_pattern(
    r"(?:the )?(?:whole |entire |full |complete )?(?P<edge>topmost|bottommost|top|bottom)(?: (?P<count>\d+))?"
    r"(?: horizontal)? rows?(?: of tiles)?"
)
def _edge_row(match: re.Match[str]) -> MaybePhrase:
    return RowsPhrase(edge_phrase_axis(match["edge"], int(match["count"] or 1)))
