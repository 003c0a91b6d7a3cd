"""Extracts what a sentence about one thing states besides its place: colours, number of tiles, spacing and
direction."""

from __future__ import annotations

import re

from msgspec import Struct

from groundling.boards.hexes import COLOURS

_ANY = "|".join((*COLOURS, "blank"))
_COLOUR = re.compile(rf"(?<!\S)(?:{_ANY})(?!\S)")
_LISTED = re.compile(
    rf"(?<!\S)(?:{_ANY})(?:(?: ,)?(?: (?:and|then|or|to|the|a|an|next|again|tiles?))* (?:{_ANY}))*(?!\S)"
)
_UP = r"(?:up|above|upwards|upper|top|rises|rise|climbs|raises|slopes up|north)"
_DOWN = r"(?:down|downwards|lower|bottom|falls|fall|drops|sinks|south)"
_LEFT, _RIGHT = r"(?:left|leftwards|west)", r"(?:right|rightwards|east)"
_BETWEEN = r"(?: (?:,|and|then|also|to|towards?|the|on|in|diagonal|diagonally|direction|a|hand|side|&))*"
_SLANTING = re.compile(
    rf"(?<!\S)(?:(?P<v>{_UP}|{_DOWN}){_BETWEEN} (?P<h>{_LEFT}|{_RIGHT})|"
    rf"(?P<h2>{_LEFT}|{_RIGHT}){_BETWEEN} (?P<v2>{_UP}|{_DOWN}))"
    r"(?: corner)?(?!\S)"
)
_UPRIGHT = re.compile(
    r"(?<!\S)(?:(?P<v>up|upwards|down|downwards|towards?(?: the)? (?:top|bottom))(?: (?:in|along|within|on))?"
    r"(?: (?:the|that|this|its|same))*(?: column)?|"
    r"1 (?P<stacked>below|above)(?: the)? (?:other|another|next))(?!\S)"
)
_LEVEL = re.compile(
    rf"(?<!\S)(?:to |towards? )?(?:the )?(?P<h>{_LEFT}|{_RIGHT})(?!\S)(?! (?:side|of|edge|corner))"
)
_SAME_ROW = re.compile(
    r"(?<!\S)(?:(?:(?:along|within|in|on|of|across|inside|without (?:leave|change|changing)) )?"
    r"(?:(?:the|that|this|its) )?"
    r"(?:same )?(?:row|height|level)(?: number)?|1 tile (?:in each|in every|a|per|for each|to each) column|"
    r"(?:1|a) column (?:at a time|each time|after (?:another|the other)))(?!\S)"
)
_ANYWAY = re.compile(
    r"(?<!\S)(?:1(?: tile)? (?:after (?:another|the other|the next)|by 1|at a time)|"
    r"1 (?:per|for each|for every|on each|a) tile|"
    r"1 tile (?:(?:on|at|in) )?each(?: of)?|(?:and )?(?:the )?(?:tiles?|1) (?:after|following|behind) "
    r"(?:it|that)|"
    r"repeat(?: the)? (?:order|colors|pattern|sequence)|(?:the next|1) of (?:these|the|those) colors|"
    r"from (?:there|here|it|(?:that|this) (?:tile|1|point|place))(?: on)?)(?!\S)"
)
"""Words about a line that state neither its place nor its length."""
_EVERY = re.compile(
    r"(?<!\S)(?:(?:only )?(?:every|each) (?:other|#(?P<nth>\d+))(?: (?:tile|tiles|1))?|"
    r"(?P<apart>\d+) tiles apart|"
    r"1(?: tile)? (?:in|out of) (?P<one>\d+)|1 tile(?: ,| and)* skip (?P<skip>\d+)(?: tiles?)?(?: ,| and)*"
    r"(?: so on)?)(?!\S)"
)
_GAP = re.compile(
    r"(?<!\S)(?:and )?(?:always )?(?:skip|leave|with)(?: out)? (?:exactly )?(?:an? |the )?(?:(?P<gap>\d+) )?"
    r"(?:single |open )?"
    r"(?:tiles?|gaps?)(?: of (?P<gap2>\d+)(?: tiles?)?)?(?: (?:open|left|out))*(?: in)?(?: (?:after|between)"
    r"(?: (?:each|every|them|the|1|2|tiles?|painted|and|next|pair|of|those))*)(?!\S)"
)
_COUNT = re.compile(
    r"(?<!\S)(?:a )?(?:total of )?(?:exactly )?(?P<n>\d+)"
    r"(?: (?:consecutive|successive|such|straight|touching|single|different|in|painted|connected))*"
    r"(?: (?:tiles?|of them|of these|long|times))?(?: (?:long|in all|in total|each))?(?!\S)"
)


class SentenceSlots(Struct):
    """A text from which parts are extracted until only fillers remain."""

    text: str

    def take_matches(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """Return all matches, and remove them from the text."""
        found = list(pattern.finditer(self.text))
        if found:
            self.text = " ".join(pattern.sub(" ", self.text).split())
        return found

    def has_one_colour_list(self) -> bool:
        """Whether the colours form one list."""
        return len(_LISTED.findall(self.text)) == 1

    def take_colours(self) -> list[str]:
        """Return the colours in order of appearance."""
        return [match.group() for match in self.take_matches(_COLOUR)]

    def take_heading(self) -> str | None:
        """Return the one heading that is stated; None if there is none, "" if there are several."""
        self.take_matches(_SAME_ROW)
        ways = [
            f"{_vertical_word(match['v'] or match['v2'])}-{_sideways_word(match['h'] or match['h2'])}"
            for match in self.take_matches(_SLANTING)
        ]
        ways += [
            _vertical_word((match["v"] or match["stacked"]).split()[-1])
            for match in self.take_matches(_UPRIGHT)
        ]
        ways += [_sideways_word(match["h"]) for match in self.take_matches(_LEVEL)]
        return (ways[0] if len(set(ways)) == 1 else "") if ways else None

    def take_stride(self) -> int:
        """Return the distance between neighbouring tiles."""
        strides = [
            int(match["skip"]) + 1
            if match["skip"]
            else int(match["nth"] or match["apart"] or match["one"] or 2)
            for match in self.take_matches(_EVERY)
        ]
        strides += [int(match["gap"] or match["gap2"] or 1) + 1 for match in self.take_matches(_GAP)]
        return strides[0] if strides else 1

    def take_count(self) -> int | None:
        """Return the number of tiles; 0 if different numbers are stated."""
        self.take_matches(_ANYWAY)
        counts = {int(match["n"]) for match in self.take_matches(_COUNT)}
        return (counts.pop() if len(counts) == 1 else 0) if counts else None


def _vertical_word(word: str) -> str:
    return "up" if re.fullmatch(_UP, word) else "down"


def _sideways_word(word: str) -> str:
    return "left" if re.fullmatch(_LEFT, word) else "right"
