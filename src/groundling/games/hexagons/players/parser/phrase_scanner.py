"""Cuts plain words into phrases from left to right. At each position the first matching pattern wins: those
of columns and tiles, then those of colours, directions, relations, shapes, pronouns and verbs."""

from __future__ import annotations

import re

from msgspec import structs

from groundling.boards.english.text_tables import read_pattern_table
from groundling.games.hexagons.players.parser.phrase_makers import PHRASE_MAKERS
from groundling.games.hexagons.players.parser.phrases import (
    COL,
    NUMBER,
    AxisSelection,
    ColumnsPhrase,
    HeadingPhrase,
    Phrase,
    TilesPhrase,
    VerbPhrase,
    WordPhrase,
)

_PATTERNS = [
    (re.compile(rf"(?:{pattern})(?!\S)"), PHRASE_MAKERS[name])
    for name, pattern in read_pattern_table(
        __package__, "vocabulary/phrases.txt", {"COL": COL, "NUMBER": NUMBER}
    )
]


def scan_phrases(text: str) -> list[Phrase]:
    """Return the phrases of plain words; a word outside all phrases becomes a WordPhrase."""
    return _join_phrases(_cut_phrases(text))


_LINKS = (",", "and", "then", "in", "on", "of", "at", "for", "the", "also", "to")


def _join_phrases(chunks: list[Phrase]) -> list[Phrase]:
    """Merge lists of columns, and read "3 tiles down" after a column as the position of a tile."""
    made: list[Phrase] = []
    for at, chunk in enumerate(chunks):
        before = len(made)
        while before and isinstance(link := made[before - 1], WordPhrase) and link.text in _LINKS:
            before -= 1
        last = made[before - 1] if before else None
        links = [link.text for link in made[before:] if isinstance(link, WordPhrase)]
        if (
            isinstance(chunk, ColumnsPhrase)
            and isinstance(last, ColumnsPhrase)
            and chunk.relative in (None, "sides")
            and ("and" in links or "," in links)
            and not (links and links[-1] == "to")
        ):
            made[before - 1 :] = [structs.replace(last, more=(*last.more, chunk))]
        elif (
            isinstance(chunk, HeadingPhrase)
            and chunk.name in ("up", "down")
            and isinstance(last := chunks[at - 1] if at else None, TilesPhrase)
            and last.count
            and last.axis is None
            and not last.colours
            and not last.next
            and _after_columns(made[:-1])
        ):
            made[-1] = TilesPhrase(
                AxisSelection((("at", last.count, 0),), "top" if chunk.name == "down" else "bottom"),
                definite=True,
            )
        else:
            made.append(chunk)
    return made


def _after_columns(made: list[Phrase]) -> bool:
    while made and (
        (isinstance(link := made[-1], WordPhrase) and link.text in (",", "and", "then", "the", "at", "over"))
        or (isinstance(link, VerbPhrase) and link.name in ("count", "move"))
    ):
        made = made[:-1]
    return bool(made) and isinstance(made[-1], ColumnsPhrase)


def _cut_phrases(text: str) -> list[Phrase]:
    chunks: list[Phrase] = []
    at = 0
    while at < len(text):
        for pattern, make in _PATTERNS:
            match = pattern.match(text, at)
            if match and match.end() > at:
                made = make(match)
                if made is not None:
                    chunks.append(made)
                    at = match.end()
                    break
        else:
            end = text.find(" ", at)
            end = len(text) if end < 0 else end
            chunks.append(WordPhrase(text[at:end]))
            at = end
        at += 1
    return chunks
