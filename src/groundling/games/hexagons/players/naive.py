"""A minimal executor, after the paper's baseline. It finds tiles by column and number, such as "the 2nd tile
of the third column", and paints the whole column where no tile is named. It takes the first column and the
first colour of a sentence, counts columns from the left and tiles from the top, and reads only the current
instruction.

The paper does not publish its patterns. These are inferred: of some 900 sets of patterns they are among the
closest to its F1 and exact match by level on dev, and the simplest of these."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.hexes import COLOURS, ROWS, Tile, is_on_lattice
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.rules import EXECUTOR

_ORDINALS, _CARDINALS = ORDINALS[1:19], CARDINALS[1:19]
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th))"
_CARDINAL = rf"(?:(?:{'|'.join(_CARDINALS)})\b|#?\d+\b)"
_AND = r"(?:\s*,\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+)(?:the\s+)?"


def _mention_pattern(*nouns: str) -> re.Pattern[str]:
    """Match ordinals before a noun ("the 2nd and 3rd tile") or numbers after it ("tiles 2, 3 and 4")."""
    noun = rf"(?:{'|'.join(nouns)})(?:e?s)?\b"
    before = rf"(?P<before>{_ORDINAL}(?:{_AND}{_ORDINAL})*)\s+(?:vertical\s+)?{noun}"
    return re.compile(
        rf"{before}|{noun}\s+(?:numbers?\s+)?(?P<after>{_CARDINAL}(?:{_AND}{_CARDINAL})*)", re.IGNORECASE
    )


_COLUMN = _mention_pattern("column")
_TILE = _mention_pattern("tile", "hexagon", "hex", "cell", "space", "row")
_COLOUR = re.compile(rf"\b({'|'.join(COLOURS)})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?]\s|\n")


def find_naive_tiles(text: str) -> dict[Tile, str]:
    """Return the tiles that an instruction names in that form."""
    found: dict[Tile, str] = {}
    for sentence in _SENTENCE.split(text):
        column, colour = _COLUMN.search(sentence), _COLOUR.search(sentence)
        if column and colour:
            named = [number for tiles in _TILE.finditer(sentence) for number in _mentioned_numbers(tiles)]
            rows = named or range(1, ROWS + 1)
            places = [(row, number) for number in _mentioned_numbers(column) for row in rows]
            found |= {place: colour[1].lower() for place in places if is_on_lattice(place)}
    return found


def _mentioned_numbers(found: re.Match[str]) -> Iterator[int]:
    for word in re.findall(rf"{_ORDINAL}|{_CARDINAL}", found["before"] or found["after"], re.IGNORECASE):
        digits = re.sub(r"\D", "", word)
        words = _ORDINALS if word.lower() in _ORDINALS else _CARDINALS
        yield int(digits[:3]) if digits else words.index(word.lower()) + 1


class NaiveExecutor:
    name = "naive"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        tiles = {
            place: colour
            for text in view.current_instructions
            for place, colour in find_naive_tiles(text).items()
        }
        return Reply(
            moves=(*(PaintTile(row, column, colour) for (row, column), colour in tiles.items()), Next())
        )


def make_naive_executor(seat: Seat) -> Player:

    if seat.role != EXECUTOR:
        raise Problem(f"naive only executes: choose another player for {seat.role}")
    return NaiveExecutor()
