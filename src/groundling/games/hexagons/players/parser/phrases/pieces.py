"""Building blocks of the phrase patterns."""

from __future__ import annotations

import re
from collections.abc import Callable

from groundling.games.hexagons.players.parser.chunks import AxisSelection, Phrase, Pick

MaybePhrase = Phrase | None
PhraseMaker = Callable[[re.Match[str]], MaybePhrase]


class PhrasePatterns(list[tuple[re.Pattern[str], PhraseMaker]]):
    """Patterns in order of precedence, each with a function that makes a phrase of a match, or None to reject
    it."""

    def add_pattern(self, text: str) -> Callable[[PhraseMaker], PhraseMaker]:
        def register_maker(make: PhraseMaker) -> PhraseMaker:
            self.append((re.compile(rf"(?:{text})(?!\S)"), make))
            return make

        return register_maker


COL = "(?:white|blank|black|yellow|green|red|blue|purple|orange)"
NUMBER = r"#?-?\d+"
JOIN = r"(?: , and| , then| , but| ,| and| &| as well as| plus)(?: also)?(?: the)?"
UP_TO = r"(?: tiles?| columns?)? to (?:the )?"
STOP = (
    rf"(?! (?:{COL} )?(?:tiles?|columns?|rows?|from(?! (?:the )?(?:left|right))|down|more|times|to)(?: |$))"
)
RANGE = rf"{NUMBER}(?:{UP_TO}{NUMBER})?"
PICKS = rf"{RANGE}(?:{JOIN} {RANGE})*"
AND = r"(?: , and| ,| and| &)"
NO_NOUN = r"(?! (?:tiles?|columns?|rows?)(?: |$))"
AFTER = (
    rf"(?:#\d+(?: to #?\d+{NO_NOUN})?(?:{AND} #?\d+(?: to #?\d+{NO_NOUN})?{STOP})*|"
    rf"\d+(?: to \d+{NO_NOUN})?(?:{AND}? \d+(?: to \d+{NO_NOUN})?{STOP})*)"
)
"""Numbers after their noun, up to one with a noun of its own."""
COUNTED = r"(?: ,)?(?: (?:count|counting|start|starting|located|working|move|over|in|tile|placed)){0,4}"
ENDS = (
    r"(?: (?:hand|side|edge|end|section|part|row|of the (?:grid|page|image|column|row|picture)|"
    r"of (?:grid|that column|this column))){0,4}"
)
VSIDE = rf"(?:{COUNTED} (?:from|at|on|of|in|near|to)(?: the)? (?P<%s>topmost|bottommost|top|bottom){ENDS})"
HSIDE = (
    rf"(?:{COUNTED} (?:from|on|at|to|in)(?: the)? (?:far |very |outside )?"
    rf"(?P<%s>leftmost|rightmost|left|right)(?! of){ENDS})"
)
ADJECTIVES = (
    r"(?:(?:single|connected|consecutive|whole|entire|adjoining|available|touching|individual|vertical|open|"
    rf"more|other|additional|new|{COL})(?: and)? ){{0,4}}"
)
EDGE = "topmost|bottommost|top|bottom|upper|lower|uppermost|lowermost"


def parse_picks(text: str) -> tuple[Pick, ...]:
    picks: list[Pick] = []
    for match in re.finditer(rf"({NUMBER})(?: tiles?| columns?)? to (?:the )?({NUMBER})|({NUMBER})", text):
        a, b, one = match.groups()
        if one is None:
            low, high = parse_number(a), parse_number(b)
            picks.append(("range", low, high))
        else:
            picks.append(("at", parse_number(one), 0))
    return tuple(picks)


def parse_number(text: str) -> int:
    return int(text.lstrip("#"))


def normalise_side(text: str | None) -> str | None:
    if not text:
        return None
    return {"topmost": "top", "bottommost": "bottom", "leftmost": "left", "rightmost": "right"}.get(
        text, text
    )


def edge_axis(edge: str, count: int) -> AxisSelection:
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    return AxisSelection((("first", count, 0),), side)
