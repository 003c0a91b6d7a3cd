"""Finds and marks tiles that a text names by column and number, in any order and wording."""

from __future__ import annotations

import re

from msgspec import Struct, field

from groundling.boards.hexes import COLUMNS, ROWS, Tile

_COUNTED = (
    r"(?: ,)?(?: (?:count|counting|counted|numbered|down|up|over|in|start|and|seen))*"
    r" (?:from|of|at|on)(?: the)?"
)
_DOWN = (
    rf"(?:{_COUNTED} (?P<%side>top|bottom)(?:most)?(?: (?:edge|end|side|row|tile))?"
    r"(?: of the (?:grid|column))?(?: ,)?)"
)
_ACROSS = (
    rf"(?:{_COUNTED} (?P<%side>left|right)(?: (?:hand|edge|side|end))*(?: of the grid)?"
    r"(?! (?:corner|tip))(?: ,)?)"
)
_NOT_A_WAY = (
    r"(?!\S)(?! (?:(?:and|to|the|towards?|diagonal|along|diagonally) )*(?:right|left|diagonal|column))"
)
_TILE = (
    r"(?:the )?(?:(?:(?P<%nth>#-?\d+) (?:tile|row(?: ' s)? tile|row)|(?:tile|row) (?P<%number>#?\d+)|"
    rf"(?P<%edge>top|bottom)(?:most)? tile)(?: (?:count |counting )?(?P<%way>down|"
    rf"up){_NOT_A_WAY}(?<!\d up)(?<!\d down))?{_DOWN}?|"
    rf"(?P<%far>#?\d+)(?: tiles?)?{_DOWN.replace('side', 'side2')})"
)
_COLUMN = (
    rf"(?:the )?(?:(?:(?P<%nth>#-?\d+) column|column (?P<%number>#?\d+)){_ACROSS}?|(?P<%edge>left|right)"
    rf"(?:most)? column|(?P<%far>#?\d+)(?: columns?)?{_ACROSS.replace('side', 'side2')})"
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
    one, other = (
        rf"(?:the )?(?:{noun}s? )?(?<!{not_noun} )(?<!row )",
        rf"(?! (?:{not_noun}|row)s?(?!\S))(?: {noun}s?)?+",
    )
    return re.compile(
        rf"(?<!\S)(?:(?:all|every|each)(?: of)? )?(?:the )?(?:{noun}s? )?(?:(?:from|between) )?{one}"
        rf"(?P<low>{_N}){other} "
        rf"(?:{_TO}|(?P<and>and)) {one}(?P<high>{_N}){other}{_name_groups(side, '')}?+{_BOTH}+(?!\S)"
        rf"(?!(?: ,| :| ' s)? (?:the )?(?:{not_noun} \d|#\d+ {not_noun}))"
    )


_TILES_TO, _COLUMNS_TO = _span_pattern("tile", "column", _DOWN), _span_pattern("column", "tile", _ACROSS)
_LIST = re.compile(
    r"(?<!\S)(?:the )?(?:tiles? (?P<after>\d+(?:(?: ,)?(?: and)? \d+)+)|"
    r"(?P<before>#-?\d+(?:(?: ,)?(?: and)?(?: the)? #-?\d+)+) tiles?)"
    rf"{_name_groups(_DOWN, '')}?(?!\S)(?! (?:to|tiles?|steps?|columns?|rows?|in all|in total|long|of them))"
)
_COLUMN_BEFORE = re.compile(
    r"(?:column \d+|#-?\d+ column)(?: from (?:the )?(?:left|right)(?: side)?)?(?: ,| :| ' s)?(?: the)? $"
)
_COLUMN_BEHIND = re.compile(rf"{_OF}{_NEXT}")
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
    """A text with its numbered places marked: `@` for a tile, `@rows` and `@columns` for rows and columns
    alone."""

    text: str
    tiles: list[Tile] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    columns: list[list[int]] = field(default_factory=list)


def mark_places(text: str) -> MarkedText | None:
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
    before, after = match.string[: match.start()], match.string[match.end() :]
    if not {noun, f"{noun}s"} & set(said) or (match["and"] and "between" not in said):
        return match.group()
    if noun == "tile" and _COLUMN_BEFORE.search(before) and _COLUMN_BEHIND.match(after):
        return match.group()  # the inner ends of two places that are separated only by "to"
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
