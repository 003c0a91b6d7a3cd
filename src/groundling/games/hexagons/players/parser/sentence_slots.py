"""Extracts what a sentence about one thing states, in any order and wording: tiles named by column and
number, colours, number of tiles, spacing and direction; and checks that the rest carries no information."""

from __future__ import annotations

import re

from msgspec import Struct, field

from groundling.boards.english.text_tables import read_table_lines
from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, Tile
from groundling.games.hexagons.players.parser.phrases import parse_phrase_stride

_COUNTED = (
    r"(?: ,)?(?: (?:count|counting|counted|numbered|down|up|over|in|start|and|seen))*"
    r" (?:from|of|at|on)(?: the)?"
)
_FROM_TOP = (
    rf"(?:{_COUNTED} (?P<%side>top|bottom)(?:most)?(?: (?:edge|end|side|row|tile))?"
    r"(?: of the (?:grid|column))?(?: ,)?)"
)
_FROM_LEFT = (
    rf"(?:{_COUNTED} (?P<%side>left|right)(?: (?:hand|edge|side|end))*(?: of the grid)?"
    r"(?! (?:corner|tip))(?: ,)?)"
)
_NOT_A_WAY = (
    r"(?!\S)(?! (?:(?:and|to|the|towards?|diagonal|along|diagonally) )*(?:right|left|diagonal|column))"
)
_TILE = (
    r"(?:the )?(?:(?:(?P<%nth>#-?\d+) (?:tile|row(?: ' s)? tile|row)|(?:tile|row) (?P<%number>#?\d+)|"
    rf"(?P<%edge>top|bottom)(?:most)? tile)(?: (?:count |counting )?(?P<%way>down|"
    rf"up){_NOT_A_WAY}(?<!\d up)(?<!\d down))?{_FROM_TOP}?|"
    rf"(?P<%far>#?\d+)(?: tiles?)?{_FROM_TOP.replace('side', 'side2')})"
)
_COLUMN = (
    rf"(?:the )?(?:(?:(?P<%nth>#-?\d+) column|column (?P<%number>#?\d+)){_FROM_LEFT}?|(?P<%edge>left|right)"
    rf"(?:most)? column|(?P<%far>#?\d+)(?: columns?)?{_FROM_LEFT.replace('side', 'side2')})"
)
_WHO = (
    r"(?:(?:that|which|who) (?:is|are|lie|lies|sit|sits) |located |found |situated |lying |sitting |placed )?"
)
_OF = rf"(?:(?<= row),? and|(?: ,)?) {_WHO}(?:(?:in|of|on|within|inside|at|from|for|along|down) )*"
_THEN = rf"(?: ,| :| ' s)? {_WHO}(?:(?:and|in|at|on|its|count|counting|then|go|move|is) )*"
_NOT_EVERY = r"(?<!every )(?<!each )"
_LEAD = (
    rf"{_NOT_EVERY}(?:(?:the )?tile "
    r"(?:(?:that|which) is |located |found |situated |lying |sitting |at |in |on |where |of )+)?"
)
_TAIL = r"(?: (?:meet|cross|intersect))?"


def _name_groups(pattern: str, name: str) -> str:
    return pattern.replace("%", name)


_NEXT = r"(?:the )?(?:#-?\d+ column|column \d++)"
_NOT_OF_NEXT = rf"(?!{_OF}{_NEXT}(?!{_THEN}(?:the )?(?:#-?\d+ (?:tile|row)|(?:tile|row) \d)))"
_TILE_FIRST = rf"{_LEAD}{_name_groups(_TILE, 't_')}{_OF}{_name_groups(_COLUMN, 'c_')}{_TAIL}"
_COLUMN_FIRST = rf"{_LEAD}{_name_groups(_COLUMN, 'c_')}{_THEN}{_name_groups(_TILE, 't_')}{_NOT_OF_NEXT}"
_PLACE = [re.compile(rf"(?<!\S)(?:{pattern})(?!\S)") for pattern in (_TILE_FIRST, _COLUMN_FIRST)]
_N = r"#?-?\d+"
_TO = r"(?:(?:down |up |all the way |on )?(?:to|through|thru|until|till)(?: and including)?|-)"
_BOTH = r"(?: ,? ?(?:both )?(?:inclusive|included|inclusively))?"


def _span_pattern(noun: str, not_noun: str, side: str) -> re.Pattern[str]:
    """Match a range of numbers of which one has its noun and none another noun."""
    one = rf"(?:the )?(?:{noun}s? )?(?<!{not_noun} )(?<!row )"
    other = rf"(?! (?:{not_noun}|row)s?(?!\S))(?: {noun}s?)?+"
    return re.compile(
        rf"(?<!\S)(?:(?:all|every|each)(?: of)? )?(?:the )?(?:{noun}s? )?(?:(?:from|between) )?{one}"
        rf"(?P<low>{_N}){other} "
        rf"(?:{_TO}|(?P<and>and)) {one}(?P<high>{_N}){other}{_name_groups(side, '')}?+{_BOTH}+(?!\S)"
        rf"(?!(?: ,| :| ' s)? (?:the )?(?:{not_noun} \d|#\d+ {not_noun}))"
    )


_TILES_TO = _span_pattern("tile", "column", _FROM_TOP)
_COLUMNS_TO = _span_pattern("column", "tile", _FROM_LEFT)
_LIST = re.compile(
    r"(?<!\S)(?:the )?(?:tiles? (?P<after>\d+(?:(?: ,)?(?: and)? \d+)+)|"
    r"(?P<before>#-?\d+(?:(?: ,)?(?: and)?(?: the)? #-?\d+)+) tiles?)"
    rf"{_name_groups(_FROM_TOP, '')}?(?!\S)"
    r"(?! (?:to|tiles?|steps?|columns?|rows?|in all|in total|long|of them))"
)
_ROW = re.compile(r"(?<!\S)(?:row #?\d+|#-?\d+ row)(?!\S)")
_ONE_TILE = re.compile(rf"(?<!\S){_NOT_EVERY}{_name_groups(_TILE, 't_')}(?!\S)")
_ONE_COLUMN = re.compile(rf"(?<!\S){_NOT_EVERY}{_name_groups(_COLUMN, 'c_')}(?!\S)")

_ITS_FIRST = re.compile(
    r"(?<!\S)(?:with )?its #1 tile (?:is|being|lies|located|at|on|in)(?: (?:at|on|in))?(?!\S)"
)
_FIRST = re.compile(
    r"(?<!\S)(?:(?:as|being|including|with|is|and) )*(?:the|its|your) #1(?: tile)?"
    r"(?: of (?:them|these|those|which|it|the))?(?!\S)(?! (?:to|column|row|and #|, #|from|in (?:the|column)))"
)
"""Phrases that only state that a line starts at its first tile."""


class MarkedText(Struct):
    """A text with its places marked: `@` for a tile, `@rows` and `@columns` for rows and columns alone."""

    text: str
    tiles: list[Tile] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    columns: list[list[int]] = field(default_factory=list)


def mark_sentence_slots(text: str) -> MarkedText | None:
    """Return None if the text names a place off the board."""
    found = MarkedText(_ITS_FIRST.sub("start at", re.sub(r"[()\"] ?", "", text)))
    try:
        _mark_spans(found)
        _mark_tiles(found)
        found.text = _FIRST.sub(" ", found.text) if found.tiles else found.text
        _mark_alone(found)
    except _OffBoardError:
        return None
    return found


class _OffBoardError(Exception):
    pass


def _mark_tiles(found: MarkedText) -> None:
    """Mark tiles from left to right; in ambiguous cases the column follows its tile."""
    at = 0
    parts: list[str] = []
    while matches := [match for pattern in _PLACE if (match := pattern.search(found.text, at))]:
        first = min(matches, key=lambda match: match.start())
        found.tiles.append((_board_number(first, "t_", ROWS), _board_number(first, "c_", COLUMNS)))
        parts += [found.text[at : first.start()], "@"]
        at = first.end()
    found.text = "".join((*parts, found.text[at:]))


def _board_number(match: re.Match[str], kind: str, size: int) -> int:
    """Return a row or column as counted from the top left."""
    got = {name.removeprefix(kind): said for name, said in match.groupdict().items() if name.startswith(kind)}
    if got["edge"]:
        return size if got["edge"] in ("bottom", "right") else 1
    number = int((got["nth"] or got["number"] or got["far"]).lstrip("#"))
    return _count_from_side(
        number, got["side"] or got["side2"] or ("bottom" if got.get("way") == "up" else None), size
    )


def _count_from_side(number: int, side: str | None, size: int) -> int:
    number = size + 1 + number if number < 0 else number
    if not 1 <= number <= size:
        raise _OffBoardError
    return size + 1 - number if side in ("bottom", "right") else number


def _mark_spans(found: MarkedText) -> None:
    """Mark ranges and lists of numbers."""
    # the tiles of a row are numbered by columns
    across = _ROW.search(found.text) is not None and " column" not in found.text

    def replace_tiles(match: re.Match[str]) -> str:
        return _replace_span(found, match, "tile", by_column=across)

    def replace_columns(match: re.Match[str]) -> str:
        return _replace_span(found, match, "column", by_column=True)

    def replace_list(match: re.Match[str]) -> str:
        numbers = re.findall(r"-?\d+", match["after"] or match["before"])
        return _keep_numbers(found, [int(number) for number in numbers], match["side"], by_column=across)

    found.text = _TILES_TO.sub(replace_tiles, found.text)
    found.text = _COLUMNS_TO.sub(replace_columns, found.text)
    found.text = _LIST.sub(replace_list, found.text)


def _replace_span(found: MarkedText, match: re.Match[str], noun: str, *, by_column: bool) -> str:
    said = match.group().split()
    if not {noun, f"{noun}s"} & set(said) or (match["and"] and "between" not in said):
        return match.group()
    low, high = (int(match[name].lstrip("#")) for name in ("low", "high"))
    numbers = list(range(low, high + 1)) if low <= high else list(range(low, high - 1, -1))
    return _keep_numbers(found, numbers, match["side"], by_column=by_column)


def _keep_numbers(found: MarkedText, numbers: list[int], side: str | None, *, by_column: bool) -> str:
    """Record the numbers of rows or columns, and return their mark."""
    kept, size = (found.columns, COLUMNS) if by_column else (found.rows, ROWS)
    kept.append([_count_from_side(number, side, size) for number in numbers])
    return "@columns" if by_column else "@rows"


def _mark_alone(found: MarkedText) -> None:
    """Mark rows and columns that are named on their own."""

    def replace_row(match: re.Match[str]) -> str:
        found.rows.append([_board_number(match, "t_", ROWS)])
        return "@row" if "row" in match.group().split() else "@rows"

    def replace_column(match: re.Match[str]) -> str:
        found.columns.append([_board_number(match, "c_", COLUMNS)])
        return "@columns"

    found.text = _ONE_TILE.sub(replace_row, found.text)
    found.text = _ONE_COLUMN.sub(replace_column, found.text)


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
            else parse_phrase_stride(match["nth"] or match["apart"] or match["one"] or "2")
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


_FILLERS = frozenset(" ".join(read_table_lines(__package__, "vocabulary/fillers.txt")).split())
_REFERRING = re.compile(
    r"(?<!\S)(?:same|another|previous|below|above|touching|surrounding|around|beside|under|mirror|skip|leave|"
    r"except|each-other|"
    r"again|(?<!no )more|next|odd|even|it|its|rest|remainder|remaining|there(?! (?:are|is))|here|middle|"
    r"corner|edges?|inside|"
    r"outside|columns?|rows?|steps?|times|half|top|bottom|upper|lower|left|right|leftmost|rightmost|topmost|"
    r"bottommost|repeat|flowers?|rings?|triangles?|diamonds?|hexring|shapes?|not|do|if|last|"
    r"neighbors?|petals?|radius|distance|#\S+|\d+)(?!\S)"
)


def has_only_filler_slots(text: str, unknown: int = 2) -> bool:
    """Whether no word refers to something else, and at most `unknown` words are unknown."""
    return not _REFERRING.search(text) and sum(word not in _FILLERS for word in text.split()) <= unknown
