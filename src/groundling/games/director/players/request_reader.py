"""Reads a director's free English and finds the item; shares only the file of items with the generator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from msgspec import Struct

from groundling.boards.shelf import Item, Shelf
from groundling.games.director.players.phrase_table import (
    Way,
    Who,
    Words,
    match_phrase_table,
    phrase_table,
    split_phrase_words,
)

_OURS: Mapping[str, Words] = {}


class RequestMeaning(Struct, frozen=True):
    """What was understood of a request."""

    wanted: tuple[frozenset[str], ...] = ()
    """The item has one property of each of these sets."""
    names: tuple[str, ...] = ()
    """Words of the item's name."""
    ways: tuple[Way, ...] = ()
    who: Who | None = None
    """Whose left and right are meant, the speaker's (me) or the listener's (you)."""
    row: int | None = None
    column: int | None = None
    unknown: tuple[str, ...] = ()
    """Words that were not understood and may matter."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said that distinguishes items."""
        return not (self.wanted or self.names or self.ways or self.row or self.column)

    @property
    def is_sideways(self) -> bool:
        """Whether it matters whose left and right are meant."""
        return self.column is not None or bool({"leftmost", "rightmost"} & set(self.ways))


def read_request(text: str, shelf: Shelf, terms: Mapping[str, Words] = _OURS) -> RequestMeaning:
    """Read what a request says about the items on a shelf, with `terms` for properties not in our file."""
    wanted: dict[frozenset[str], None] = {}
    ways: dict[Way, None] = {}
    names: list[str] = []
    unknown: list[str] = []
    who: Who | None = None
    row = column = None
    for phrase, sense in match_phrase_table(text, phrase_table(shelf, terms)):
        if sense is None or (
            sense.tags and not _is_on_shelf(sense.tags, shelf) and _is_in_names(phrase, shelf)
        ):
            (names if _is_in_names(phrase, shelf) else unknown).extend(phrase)
        elif sense.no:
            unknown += phrase
        else:
            wanted |= {sense.tags: None} if sense.tags else {}
            ways |= {sense.way: None} if sense.way else {}
            who, row, column = sense.who or who, sense.row or row, sense.column or column
    return RequestMeaning(tuple(wanted), tuple(names), tuple(ways), who, row, column, tuple(unknown))


def _is_on_shelf(tags: frozenset[str], shelf: Shelf) -> bool:
    return any(tags & item.tags for item in shelf.items.values())


def _is_in_names(phrase: Words, shelf: Shelf) -> bool:
    """Whether the name of an item contains the phrase."""
    return any(set(phrase) <= set(split_phrase_words(item.name)) for item in shelf.items.values())


def join_request_meanings(first: RequestMeaning, second: RequestMeaning) -> RequestMeaning:
    """Combine two meanings; where they differ the second counts."""
    return RequestMeaning(
        tuple(dict.fromkeys((*first.wanted, *second.wanted))),
        tuple(dict.fromkeys((*first.names, *second.names))),
        second.ways or first.ways,
        second.who or first.who,
        second.row or first.row,
        second.column or first.column,
        (*first.unknown, *second.unknown),
    )


def find_request_cells(
    meaning: RequestMeaning, shelf: Shelf, cells: Iterable[str], *, who: Who | None = None, ways: bool = True
) -> list[str]:
    """Find the cells, among these, that fit the meaning, in the order of the shelf. `who` overrides whose
    left and right are meant; without `ways` superlatives are ignored."""
    side = who or meaning.who or "you"
    lines = _as_seen(shelf, set(cells), side)
    lines = _keep_row(lines, meaning.row) if meaning.row else lines
    lines = [_keep_column(line, meaning.column) for line in lines] if meaning.column else lines
    fitting = [
        [cell if cell and _fits_meaning(meaning, shelf.items[cell]) else "" for cell in line]
        for line in lines
    ]
    kept: set[str] = set()
    for order in permutations(meaning.ways if ways else ()):
        left = fitting
        for way in order:
            left = _keep_extreme(left, way, shelf.items)
        kept |= {cell for line in left for cell in line if cell}
    return [cell for cell in shelf.items if cell in kept]


def _as_seen(shelf: Shelf, cells: set[str], who: Who) -> list[list[str]]:
    """The filled cells row by row, each row from that person's left; "" is an empty cell."""
    letters = [chr(ord("A") + number) for number in range(shelf.columns)]
    if who == "me":
        letters.reverse()
    rows = [[f"{letter}{number}" for letter in letters] for number in range(1, shelf.rows + 1)]
    return [[cell if cell in cells and cell in shelf.items else "" for cell in row] for row in rows]


def _keep_row(lines: list[list[str]], number: int) -> list[list[str]]:
    place = number - 1 if number > 0 else len(lines) + number
    return [line if at == place else [""] * len(line) for at, line in enumerate(lines)]


def _keep_column(line: Sequence[str], number: int) -> list[str]:
    place = number - 1 if number > 0 else len(line) + number
    return [cell if at == place else "" for at, cell in enumerate(line)]


def _fits_meaning(meaning: RequestMeaning, item: Item) -> bool:
    if not all(some & item.tags for some in meaning.wanted):
        return False
    return not meaning.names or set(meaning.names) <= set(split_phrase_words(item.name))


def _keep_extreme(lines: list[list[str]], way: Way, items: Mapping[str, Item]) -> list[list[str]]:
    """Keep only the cells furthest in that direction, or with the smallest or largest item."""
    if way in ("topmost", "bottommost"):
        filled = [at for at, line in enumerate(lines) if any(line)]
        best = {filled[0 if way == "topmost" else -1]} if filled else set()
        return [line if at in best else [""] * len(line) for at, line in enumerate(lines)]
    if way in ("leftmost", "rightmost"):
        across = sorted({at for line in lines for at, cell in enumerate(line) if cell})
        place = across[0 if way == "leftmost" else -1] if across else 0
        return [_keep_column(line, place + 1) for line in lines]
    sizes = sorted({items[cell].size for line in lines for cell in line if cell})
    wanted = sizes[0 if way == "smallest" else -1] if sizes else 0
    return [[cell if cell and items[cell].size == wanted else "" for cell in line] for line in lines]
