"""Sentences of people about one figure, with slots for its colour, place and size. They are found in recorded
steps whose tiles form a figure, and can then be said of other figures of that kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from msgspec import Struct

from groundling.boards.english.numbers import CARDINALS, ORDINALS, ordinal_number
from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, TILES, Tile
from groundling.games.hexagons.narration.shape_recognition import recognise_shape
from groundling.games.hexagons.program import Program, run_program
from groundling.games.hexagons.program.frame import move_frame_tile
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    DiscShape,
    FlowerShape,
    LineShape,
    OutlineShape,
    RhombusShape,
    RingShape,
    RowShape,
    Shape,
    TileReference,
    TriangleShape,
)
from groundling.games.hexagons.program.statements import PaintStatement
from groundling.games.hexagons.program.synthesis import place_figure

Painted = Mapping[Tile, str]
ReadSentence = Callable[[str], Painted]
"""What a listener paints for a sentence on a blank board."""

_WORD = re.compile(r"\d+(?:st|nd|rd|th)?\b|[A-Za-z]+|[^\w\s]")
_FORMS = {
    "one": {word: n for n, word in enumerate(CARDINALS) if n},
    "first": {word: n for n, word in enumerate(ORDINALS) if n},
    "1": {str(n): n for n in range(1, COLUMNS + 1)},
    "1st": {ordinal_number(n): n for n in range(1, COLUMNS + 1)},
}
_SIDES = ("left", "right", "end_left", "end_right")
_HEIGHTS = ("top", "bottom", "end_top", "end_bottom")
_SIZES = ("length", "size", "count")
_ARTICLE = re.compile(rf"\b([Aa])n? (?={'|'.join(COLOURS)})")
_REFERRING = re.compile(
    r"\b(?:same|again|another|next|previous|step|pattern|drawing|image|picture|now|also|continue|repeat|you|"
    r"this|these|new|other|last one|resulting|opposite|form|as well|"
    r"only|spiral|shape|triangle|diagonal line from)\b|[.;!?] +\w",
    re.IGNORECASE,
)
"""Words about what was drawn before or will be, and more than one sentence."""
_TRIALS = 4
"""Figures of which a wording is tried."""


class FigureFacts(Struct, frozen=True):
    """The kind of a figure, such as `line down`, and the numbers by which people may place it."""

    kind: str
    numbers: dict[str, int]
    level: int


class PeopleWording(Struct, frozen=True):
    kind: str
    text: str
    """With slots such as `{colour}` and `{left:first}`: a number and the form in which it is written."""
    fixed: dict[str, int] = {}
    """Numbers that the words imply: it can be said of figures with the same ones only."""

    def fits_figure(self, facts: FigureFacts) -> bool:
        return facts.kind == self.kind and self.fixed.items() <= facts.numbers.items()

    def write_sentence(self, facts: FigureFacts, colour: str) -> str:
        def fill(match: re.Match[str]) -> str:
            name, _, form = match[1].partition(":")
            if name == "colour":
                return colour
            number = facts.numbers[name]
            written = next(word for word, its in _FORMS[form.lower()].items() if its == number)
            return written.capitalize() if form[0].isupper() else written

        text = re.sub(r"\{([^}]*)\}", fill, self.text)
        return _ARTICLE.sub(r"\1n " if colour == "orange" else r"\1 ", text)


def figure_facts(shape: Shape, prefix: str = "") -> FigureFacts | None:
    """What can be said of a figure with a fixed place."""
    match shape:
        case OutlineShape(inner):
            return figure_facts(inner, "outline of a ")
        case TileReference(tile, ()) if tile:
            return FigureFacts("tile", _place_numbers(tile), 0)
        case ColumnShape(int(number)):
            return FigureFacts("column", {"left": number, "right": COLUMNS + 1 - number}, 1)
        case RowShape(int(number)):
            return FigureFacts("row", {"top": number, "bottom": ROWS + 1 - number}, 1)
        case LineShape(TileReference(tile, ()), heading, int(length)) if tile:
            end = move_frame_tile(tile, heading, length - 1)
            numbers = _place_numbers(tile) | _place_numbers(end, "end_") | {"length": length}
            return FigureFacts(f"line {heading}", numbers, 1)
        case FlowerShape(TileReference(tile, ())) if tile:
            return FigureFacts("flower", _place_numbers(tile), 2)
        case RingShape(TileReference(tile, ()), int(size)) | DiscShape(
            TileReference(tile, ()), int(size)
        ) if tile:
            return FigureFacts(type(shape).__name__, _place_numbers(tile) | {"size": size}, 2)
        case TriangleShape(TileReference(tile, ()), heading, int(size)) | RhombusShape(
            TileReference(tile, ()), heading, int(size), None
        ) if tile:
            numbers = _place_numbers(tile) | {"size": size}
            return FigureFacts(f"{prefix}{type(shape).__name__} {heading}", numbers, 2)
    return None


def _place_numbers(tile: Tile, prefix: str = "") -> dict[str, int]:
    row, column = tile
    return {
        f"{prefix}left": column,
        f"{prefix}right": COLUMNS + 1 - column,
        f"{prefix}top": row,
        f"{prefix}bottom": ROWS + 1 - row,
    }


def learn_wordings(steps: Iterable[tuple[str, Painted]], listener: ReadSentence) -> list[PeopleWording]:
    """The wordings of these sentences, of which it is known what they paint, that a listener understands
    wherever they are said."""
    found: dict[tuple[str, str], PeopleWording] = {}
    for text, painted in steps:
        colours = set(painted.values())
        shape = recognise_shape(sorted(painted)) if len(colours) == 1 and "white" not in colours else None
        facts = figure_facts(shape) if shape else None
        wording = _open_slots(text, facts, *colours) if facts and not _REFERRING.search(text) else None
        if not wording or not shape or (wording.kind, wording.text) in found:
            continue
        if _is_understood(wording, shape, listener):
            found[wording.kind, wording.text] = wording
    return list(found.values())


def _open_slots(text: str, facts: FigureFacts, colour: str) -> PeopleWording | None:
    """Replace colours and numbers by slots; None if a number or another colour is left."""
    parts, used, at = list[str](), set[str](), 0
    words = list(_WORD.finditer(text))
    for place, word in enumerate(words):
        slot = "{colour}" if word[0].lower() == colour else None
        for form, numbers in _FORMS.items():
            if (number := numbers.get(word[0].lower())) is not None:
                around = [one[0].lower() for one in words[max(0, place - 2) : place + 7]]
                name = _choose_slot(facts, number, form, around, min(place, 2))
                if name is None:
                    return None
                used.add(name)
                slot = f"{{{name}:{form.capitalize() if word[0][0].isupper() else form}}}"
        if slot:
            parts += [text[at : word.start()], slot]
            at = word.end()
        elif word[0].lower() in COLOURS:
            return None
    if at == 0 or "{" in text:
        return None
    return PeopleWording(facts.kind, "".join((*parts, text[at:])), _implied_numbers(facts, used))


def _choose_slot(facts: FigureFacts, number: int, form: str, around: list[str], at: int) -> str | None:
    """The number of the figure that a word means, by the words around it."""
    before, after = around[:at], around[at + 1 :]
    if any(word.startswith("col") for word in (*before[-1:], *after[:2])):
        names = [name for name in _SIDES if name.endswith("right") == ("right" in after)]
    elif form in ("first", "1st") or before[-1:] in (["tile"], ["row"], ["cell"], ["hexagon"], ["hex"]):
        names = [name for name in _HEIGHTS if name.endswith("bottom") == ("bottom" in after)]
    else:
        names = [*_SIZES]
    return next((name for name in names if facts.numbers.get(name) == number), None)


def _implied_numbers(facts: FigureFacts, used: set[str]) -> dict[str, int]:
    """The numbers for which the words have no slot."""
    stated = {name.removeprefix("end_") for name in used}
    fixed = {}
    for one, other in (("left", "right"), ("top", "bottom")):
        if one in facts.numbers and not stated & {one, other}:
            fixed[one] = facts.numbers[one]
    for name in _SIZES:
        ended = name == "length" and any(one.startswith("end_") for one in used)
        if name in facts.numbers and name not in used and not ended:
            fixed[name] = facts.numbers[name]
    return fixed


def _is_understood(wording: PeopleWording, shape: Shape, listener: ReadSentence) -> bool:
    """Whether the listener paints what is meant when the sentence is said of other figures."""
    lot = Random(wording.text)
    tried = list(_similar_figures(wording, shape, lot))
    return bool(tried) and all(
        listener(wording.write_sentence(facts, colour)) == dict.fromkeys(tiles, colour)
        for facts, tiles in tried
        for colour in [lot.choice(COLOURS[1:])]
    )


def _similar_figures(
    wording: PeopleWording, shape: Shape, lot: Random
) -> Iterator[tuple[FigureFacts, list[Tile]]]:
    """Figures of that kind elsewhere on the board, of which the sentence can be said."""
    places = [*TILES]
    lot.shuffle(places)
    count = len(_figure_tiles(shape))
    found = 0
    for place in places:
        moved = place_figure(shape, place)
        facts, tiles = figure_facts(moved), _figure_tiles(moved)
        if facts and len(tiles) == count and wording.fits_figure(facts):
            yield facts, tiles
            found += 1
            if found == _TRIALS:
                return


def _figure_tiles(shape: Shape) -> list[Tile]:
    return sorted(run_program(Program((PaintStatement(("red",), shape),))).painted_tiles())
