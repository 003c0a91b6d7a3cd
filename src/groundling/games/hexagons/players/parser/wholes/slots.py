"""What a sentence about one thing says beside its place: colours, how many tiles, how far apart, and which way."""

from __future__ import annotations

import re

from msgspec import Struct

from ......boards.hexes import COLOURS

_ANY = "|".join((*COLOURS, "blank"))
_COLOUR = re.compile(rf"(?<!\S)(?:{_ANY})(?!\S)")
_LISTED = re.compile(rf"(?<!\S)(?:{_ANY})(?:(?: ,)?(?: (?:and|then|or|to|the|a|an|next|again|tiles?))* (?:{_ANY}))*(?!\S)")
_UP = r"(?:up|above|upwards|upper|top|rises|rise|climbs|raises|slopes up|north)"
_DOWN = r"(?:down|downwards|lower|bottom|falls|fall|drops|sinks|south)"
_LEFT, _RIGHT = r"(?:left|leftwards|west)", r"(?:right|rightwards|east)"
_BETWEEN = r"(?: (?:,|and|then|also|to|towards?|the|on|in|diagonal|diagonally|direction|a|hand|side|&))*"
_SLANTING = re.compile(
    rf"(?<!\S)(?:(?P<v>{_UP}|{_DOWN}){_BETWEEN} (?P<h>{_LEFT}|{_RIGHT})|(?P<h2>{_LEFT}|{_RIGHT}){_BETWEEN} (?P<v2>{_UP}|{_DOWN}))"
    r"(?: corner)?(?!\S)"
)
_UPRIGHT = re.compile(
    r"(?<!\S)(?:(?P<v>up|upwards|down|downwards|towards?(?: the)? (?:top|bottom))(?: (?:in|along|within|on))?(?: (?:the|that|this|its|same))*(?: column)?|"
    r"1 (?P<stacked>below|above)(?: the)? (?:other|another|next))(?!\S)"
)
_LEVEL = re.compile(rf"(?<!\S)(?:to |towards? )?(?:the )?(?P<h>{_LEFT}|{_RIGHT})(?!\S)(?! (?:side|of|edge|corner))")
_SAME_ROW = re.compile(
    r"(?<!\S)(?:(?:along|within|in|on|of|across|inside) )?(?:(?:the|that|this|its) )?(?:same |this |that )?(?:row|height|level)(?: number)?(?!\S)|"
    r"without (?:leave|change|changing|leaving) (?:the )?row|1 (?:tile|1) (?:in each|in every|a|per|for each|to each) column|(?:1|a) column (?:at a time|each time|after (?:another|the other))"
)
_NO_COUNT = re.compile(
    r"(?<!\S)(?:1(?: tile)? (?:after (?:another|the other|the next)|by 1|at a time)|(?:and )?(?:the )?(?:tiles?|1) (?:after|following|behind) (?:it|that)|"
    r"(?:the next|1) of (?:these|the|those) colors|from (?:there|here|it|(?:that|this) (?:tile|1|point|place))(?: on)?)(?!\S)"
)
_EVERY = re.compile(r"(?<!\S)(?:(?:every|each|take every) (?:(?P<other>other)|#(?P<nth>\d+))(?: (?:tile|tiles|1))?|(?P<apart>\d+) tiles apart|1(?: tile)? (?:in|out of) (?P<one>\d+))(?!\S)")
_GAP = re.compile(
    r"(?<!\S)(?:and )?(?:always )?(?:skip|leave|with|but)(?: out)? (?:gaps? of )?(?:exactly )?(?:a |an |the )?(?P<gap>\d+)?(?: ?single)?(?: ?(?:blank|white|open))? ?"
    r"(?:tiles?|gaps?|space)?(?: of (?P<gap2>\d+) tiles?)?(?: (?:blank|white|open|left|out|unpainted))*(?: in)? ?(?:after|between)"
    r"(?: (?:each|every|them|the|1|2|tiles?|two|painted|colored|and|next|pair|of|ones|those))*(?!\S)"
)
_COUNT = re.compile(
    r"(?<!\S)(?:a )?(?:total of )?(?:exactly )?(?P<n>\d+)(?: (?:consecutive|successive|such|straight|touching|single|different|in|painted|connected))*"
    r"(?: (?:tiles?|of them|of these|long))?(?: (?:long|in all|in total|each))?(?!\S)"
)


class Slots(Struct):
    """A text whose parts are taken out of it one after the other, until only words are left that say nothing more."""

    text: str

    def take(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """All that fits the pattern, taken out."""
        found = list(pattern.finditer(self.text))
        if found:
            self.text = " ".join(pattern.sub(" ", self.text).split())
        return found

    def listed(self) -> bool:
        """Whether the colours stand together, as a list of them does."""
        return len(_LISTED.findall(self.text)) == 1

    def colours(self) -> list[str]:
        """The colours in the order in which they are said; what is left blank between tiles is none of them."""
        return [match.group() for match in self.take(_COLOUR)]

    def way(self) -> str | None:
        """The one way that is said; none, or empty where there are several."""
        self.take(_SAME_ROW)
        ways = [f"{_vertical(match['v'] or match['v2'])}-{_across(match['h'] or match['h2'])}" for match in self.take(_SLANTING)]
        ways += [_vertical((match["v"] or match["stacked"]).split()[-1]) for match in self.take(_UPRIGHT)]
        ways += [_across(match["h"]) for match in self.take(_LEVEL)]
        return (ways[0] if len(set(ways)) == 1 else "") if ways else None

    def stride(self) -> int:
        """How many tiles on the next one is."""
        strides = [int(match["nth"] or match["apart"] or match["one"] or 2) for match in self.take(_EVERY)]
        strides += [int(match["gap"] or match["gap2"] or 1) + 1 for match in self.take(_GAP)]
        return strides[0] if strides else 1

    def count(self) -> int | None:
        """How many tiles: 0 where different numbers are said."""
        self.take(_NO_COUNT)
        counts = {int(match["n"]) for match in self.take(_COUNT)}
        return (counts.pop() if len(counts) == 1 else 0) if counts else None


def _vertical(word: str) -> str:
    return "up" if re.fullmatch(_UP, word) else "down"


def _across(word: str) -> str:
    return "left" if re.fullmatch(_LEFT, word) else "right"
