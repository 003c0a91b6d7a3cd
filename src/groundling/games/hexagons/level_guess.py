"""A guess of an instruction's abstraction level from the phrases that the parser finds in it: a baseline
annotator for the first stage of labelling, which has the levels 0, 1, and 2 for mid and high together.

The rules follow the definitions of the levels; nothing is fitted to labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from groundling.core.source import ItemLabel
from groundling.games.hexagons.annotation_items import step_item_id
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.players.parser.phrase_scanner import scan_phrases
from groundling.games.hexagons.players.parser.phrases import (
    ColourSequencePhrase,
    ColumnsPhrase,
    Phrase,
    RelationPhrase,
    RowsPhrase,
    ShapePhrase,
    StepPhrase,
    TilesPhrase,
    UnreadableInstruction,
    VerbPhrase,
    WordPhrase,
)
from groundling.games.hexagons.players.parser.sentences import split_parser_sentences
from groundling.games.hexagons.score import cluster

LINES = frozenset({"line", "diagonal", "row", "column", "stripe"})
"""Shapes that the board itself has."""
MECHANISMS = frozenset({"repeat", "mirror", "alternate", "connect", "fill"})
ALL_OF = frozenset({"each", "every", "all", "alternating", "pattern", "same", "similar"})
"""Words for operations on several tiles or objects at once."""


def guess_level(text: str) -> int:
    """Return 0 for single tiles, 1 for lines and columns, 2 for other objects and for mechanisms. What cannot
    be scanned counts as 2: plain coordinates always can."""
    try:
        return max((_sentence_level(scan_phrases(one)) for one in split_parser_sentences(text)), default=0)
    except UnreadableInstruction:
        return 2


def list_level_labels(images: Iterable[HexagonsImage]) -> Iterator[ItemLabel]:
    """Yield the published level (mid and high as 2), if there is one, and the guess for every step."""
    for image in images:
        for number, step in enumerate(image.steps, 1):
            guesses = {"rules": guess_level(step.text)}
            if step.level is not None:
                guesses = {"people": min(step.level, 2), **guesses}
            for annotator, level in guesses.items():
                yield ItemLabel(step_item_id(image, number), annotator, str(level), cluster(image))


def _sentence_level(phrases: Sequence[Phrase]) -> int:
    if any(map(_is_object, phrases)):
        return 2
    tiles = any(isinstance(phrase, TilesPhrase) for phrase in phrases)
    return int(any(_is_line(phrase, tiles) for phrase in phrases))


def _is_object(phrase: Phrase) -> bool:
    """Whether a phrase names an object that is no line, or an operation on several tiles or objects."""
    match phrase:
        case ShapePhrase(name, plural, _, _, count, _, _, each):
            return name not in LINES or plural or each or (count or 1) > 1
        case VerbPhrase(name):
            return name in MECHANISMS
        case TilesPhrase():
            return phrase.each or phrase.all or bool(phrase.steps)
        case ColumnsPhrase(axis):
            return axis is not None and any(kind in ("every", "all") for kind, _, _ in axis.picks)
        case RelationPhrase(name):
            return name in ("around", "inside", "outside")
        case StepPhrase():
            return True
        case WordPhrase(text):
            return text in ALL_OF
        case _:
            return False


def _is_line(phrase: Phrase, tiles: bool) -> bool:
    """Whether a phrase names a line; a column or row is one if no tiles of it are named."""
    match phrase:
        case ShapePhrase() | ColourSequencePhrase():
            return True
        case ColumnsPhrase() | RowsPhrase():
            return not tiles
        case _:
            return False
