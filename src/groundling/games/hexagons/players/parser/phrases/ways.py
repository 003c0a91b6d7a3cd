"""Patterns for colours, directions and relations."""

from __future__ import annotations

import re

from groundling.games.hexagons.players.parser.chunks import (
    ColourPhrase,
    ColourSequencePhrase,
    CornerPhrase,
    HeadingPhrase,
    MiddlePhrase,
    RelationPhrase,
)
from groundling.games.hexagons.players.parser.phrases.pieces import COL, MaybePhrase, PhrasePatterns

PATTERNS = PhrasePatterns()


# Colours.


@PATTERNS.add_pattern(
    rf"(?:with |and |has |have |having )?(?:a |an |the )?(?P<colour>{COL}) (?:middles?|center|interior)"
    r"(?: tiles?)?|(?:the |a |its |with a )?middles?(?: tiles?)? "
    rf"(?:is |are |of |in |as |painted |should be |will be |being |with )+(?P<colour2>{COL})"
)
def _middle_colour(match: re.Match[str]) -> MaybePhrase:
    name = match["colour"] or match["colour2"]
    return MiddlePhrase("white" if name == "blank" else name)


@PATTERNS.add_pattern(
    r"(?:the |their |its |each |all ){0,4}(?:middle|interior|inside|inner)s?(?: tiles?| part| portion|"
    r" space)? of"
    r"(?: each| all| every| both)?(?: of)?(?= (?:the |these |those |this |that )?(?!grid|column|row|page))"
)
def _middle_of(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("inside")


@PATTERNS.add_pattern(
    rf"(?:(?:with|in|using|as|of|being) )?(?:(?P<n1>\d+) )?(?P<c1>{COL})(?: tiles?)?"
    r"(?:(?:(?: ,)?(?: and)?(?: then)?"
    rf"(?: a)?|(?: to)) (?:(?:the )?next )?(?:\d+ )?{COL}(?: tiles?)?(?: again)?(?! "
    r"(?:tiles?|rings?|flowers?|lines?|columns?)? ?(?:from|with)))+"
    r"(?! (?:tiles?|rings?|flowers?|lines?|columns?))"
)
def _colour_sequence(match: re.Match[str]) -> MaybePhrase:
    runs = [(int(n or 1), colour) for n, colour in re.findall(rf"(?:(\d+) )?\b({COL})\b", match.group())]
    return ColourSequencePhrase(tuple((n, "white" if colour == "blank" else colour) for n, colour in runs))


@PATTERNS.add_pattern(
    r"(?P<with>(?:with|using|use|in|switch to|switching to|choose|select|pick|grab|add)(?: the)?(?: color)?"
    rf" )?(?:the color )?(?P<colour>{COL})(?: color)?"
)
def _single_colour(match: re.Match[str]) -> MaybePhrase:
    name = match["colour"]
    return ColourPhrase("white" if name == "blank" else name, sticky=bool(match["with"]))


# Headings and relations.

_UP, _DOWN = "up|upwards|upper|top|north", "down|downwards|lower|bottom|south"
_SIDEWAYS = "left|right|leftwards|rightwards|leftward|rightward"
_DIAG = "(?: (?:diagonal|diagonally|at an angle))?"


@PATTERNS.add_pattern(
    r"(?:(?:in|to|towards?|on|at)(?: the| its| a| an)? )?(?:diagonal |diagonally (?:, )?)?"
    rf"(?P<v>{_UP}|{_DOWN})(?: ,)?"
    rf"(?: and| &| then)?{_DIAG}(?: to| towards?)?(?: the| its)? (?P<h>{_SIDEWAYS})(?: direction| side| edge|"
    r" corner)?(?P<of> of(?! the grid| the board)| (?:edge of|side of))?(?! tiles? (?:of the grid))"
)
def _diagonal_heading(match: re.Match[str]) -> MaybePhrase:
    v = "up" if match["v"] in _UP.split("|") else "down"
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


@PATTERNS.add_pattern(
    rf"(?:(?:in|to|towards?|on)(?: the| its)? )?(?P<h>{_SIDEWAYS})(?: and| ,| &)?(?: diagonal| diagonally)?"
    r"(?: slightly)? (?P<v>up|upwards|down|downwards)(?: diagonal| diagonally)?(?P<of> of)?"
)
def _diagonal_side_first(match: re.Match[str]) -> MaybePhrase:
    return _diagonal_heading(match)


@PATTERNS.add_pattern(r"(?:diagonal|diagonally)(?: (?:line|lines))? (?P<v>up|upwards|down|downwards)")
def _slope_heading(match: re.Match[str]) -> MaybePhrase:
    return HeadingPhrase("diagonal-up" if match["v"].startswith("up") else "diagonal-down")


@PATTERNS.add_pattern(
    r"(?:directly |immediately |right |just |straight ){0,4}(?P<rel>above|below|on top of|atop|over top of)"
    r"(?: and (?:touching|to) )?"
)
def _vertical_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("below" if match["rel"] == "below" else "above")


@PATTERNS.add_pattern(
    r"(?:directly |immediately |just ){0,4}(?:on|to|at) (?:the )?(?:either|both|each|opposite)"
    r"(?: left and right)? sides?"
    r"(?: of)?|(?:directly |immediately |just ){0,4}(?:to|on) the (?:left and (?:to )?(?:the )?right|"
    r"right and (?:to )?(?:the )?left)(?: sides?)?(?: of)?"
)
def _both_sides(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("sides")


@PATTERNS.add_pattern(
    r"(?:directly |immediately |right |just ){0,4}(?:to|on|off)(?: the| its| their)?(?: immediate| direct)? "
    r"(?P<h>left|right)(?! (?:columns?|rows?|tiles?|corner|vertical|\d))(?: hand)?(?: side| edge)?"
    r"(?P<of> of(?! the (?:grid|board|page)))?"
)
def _sideways_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase(match["h"], other=bool(match["of"]))


@PATTERNS.add_pattern(
    r"(?:that |which )?(?:are |is |lie )?(?:at (?:a )?distance (?:of )?)?(?:exactly |precisely |just )?"
    r"(?P<ring>\d+) "
    r"(?:steps?(?: away)?|tiles? away|away) from|at (?:a )?distance (?:of )?(?:exactly )?(?P<ring2>\d+) from|"
    r"(?:that |which )?(?:are |is |lie )?(?:at most|within|up to|no more than|not more than)"
    r"(?: a distance of)? (?P<disc>\d+) (?:steps?|tiles?)(?: away)? (?:from|of)"
)
def _distance_relation(match: re.Match[str]) -> MaybePhrase:
    far = match["ring"] or match["ring2"]
    return RelationPhrase(f"ring {far}" if far else f"disc {match['disc']}")


@PATTERNS.add_pattern(
    r"(?:that |which )?(?:are |is )?(?:directly |immediately )?"
    r"(?:touching|surrounding|around|next to|connected to|all around|connecting to)"
    r"(?: (?:to|with|around|on))?(?: all)?(?: sides of)?"
)
def _touching_relation(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    return RelationPhrase(
        "around" if "around" in text or "surround" in text else "touching", other="surround" in text
    )


@PATTERNS.add_pattern(r"(?:directly |right )?(?P<rel>between|inside|within|outside)(?: of)?")
def _inside_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("inside" if match["rel"] in ("inside", "within") else match["rel"])


@PATTERNS.add_pattern(
    r"(?:straight |directly |vertically ){0,4}(?P<way>up|down|upwards|downwards)(?: vertically)?"
)
def _up_down(match: re.Match[str]) -> MaybePhrase:
    return HeadingPhrase("up" if match["way"].startswith("up") else "down")


@PATTERNS.add_pattern(r"(?P<way>leftwards|rightwards|left to right|right to left|towards the (?:left|right))")
def _row_heading(match: re.Match[str]) -> MaybePhrase:
    way = match["way"]
    return HeadingPhrase("right" if way in ("rightwards", "left to right", "towards the right") else "left")
