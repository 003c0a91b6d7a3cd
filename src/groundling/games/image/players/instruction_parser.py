"""Parses instructions into sentences and commands, and each command into which letter goes where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase

from msgspec import Struct

from groundling.boards.english.grid_places import GridPlace, Item
from groundling.boards.english.lexicon import WordToken
from groundling.boards.english.spelled_rows import fold_spelled_rows
from groundling.boards.english.tokenizer import LONGEST, tokenize_english
from groundling.games.image.players.instruction_phrases import read_instruction_phrases
from groundling.games.image.players.place_resolver import NamedPlace

_LETTERS = frozenset(ascii_uppercase)
_VERBS = ("put", "clear", "replace", "leave", "copy", "wipe")
_SAYS = {*_VERBS, "letter", "empty", "drawn", "except", "same"}
_JOINTS = ("of", "comma", "and", "to")
_LONG = 120  # no command has more words; without this, endless lists would be read over and over


class LetterPlacement(Struct, frozen=True):
    """A letter (`.` for an empty cell, None where none was said), its places, and how many cells to fill."""

    letter: str | None
    named: tuple[NamedPlace, ...]
    count: int = 0


@lru_cache(2048)
def split_instruction_sentences(text: str, size: int) -> tuple[tuple[Item, ...], ...]:
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    found: list[list[Item]] = []
    sentence: list[WordToken] = []
    listed = False
    for word in [
        *fold_spelled_rows(tokenize_english(text, size, _LETTERS, commands=True), size),
        WordToken("stop"),
    ]:
        if word.kind != "stop":
            sentence.append(word)
            continue
        items = read_instruction_phrases(sentence, size)
        # In "put X in row 1, column 2; row 3, column 4" the second part continues the first command.
        if listed and found and all(isinstance(item, GridPlace) or item.kind in _JOINTS for item in items):
            found[-1] += [WordToken("and"), *items]
        else:
            found.append(items)
        sentence, listed = [], word.text == ";"
    return tuple(tuple(items) for items in found if items)


def image_clauses(text: str) -> list[str]:
    """Return the commands of an instruction, each as the words that the reader knows."""
    found = []
    for sentence in split_instruction_sentences(text, 5):
        for command in split_instruction_commands(sentence):
            while command and isinstance(command[0], WordToken) and command[0].kind in (*_JOINTS, "then"):
                command = command[1:]
            found += [str(command)] if command else []
    return found


def split_instruction_commands(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Split a sentence where a new verb begins; a place right before a verb belongs to that verb."""
    current: list[Item] = []
    for item in items:
        verb = isinstance(item, WordToken) and item.kind in _VERBS
        parted = verb or (isinstance(item, WordToken) and item.kind in ("then", "break"))
        if len(current) > _LONG:
            yield current
            current = []
        elif parted and instruction_word_kinds(current) & _SAYS:
            start = len(current)
            while verb and start and isinstance(current[start - 1], GridPlace):
                start -= 1
            done, kept = current[:start], current[start:]
            if not instruction_word_kinds(done) & {"letter", "empty", "drawn"} or not any(
                isinstance(one, GridPlace) for one in done
            ):
                done, kept = current, []
            yield done
            current = kept
        current.append(item)
    yield current


def instruction_word_kinds(items: Sequence[Item]) -> set[str]:
    return {item.kind for item in items if isinstance(item, WordToken)}


def instruction_cell_mark(item: Item) -> str:
    """The letter, or `.`, that a word puts into a cell; "" for other words."""
    if isinstance(item, WordToken) and item.kind == "letter":
        return item.text
    return "." if isinstance(item, WordToken) and item.kind in ("empty", "void", "no") else ""


def split_instruction_exceptions(items: Sequence[Item]) -> list[list[Item]]:
    """Split off the exceptions; the letter of "all but the centre with X" belongs to the first part."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, WordToken) and item.kind == "except":
            parts.append([])
        elif instruction_cell_mark(item) and len(parts) > 1 and not any(map(instruction_cell_mark, parts[0])):
            parts[0].append(item)
        else:
            parts[-1].append(item)
    return parts


def parse_instruction_places(items: Sequence[Item]) -> Iterator[NamedPlace]:
    joint: set[str] = set()
    for item in items:
        if isinstance(item, GridPlace):
            yield NamedPlace(item, frozenset(joint))
            joint = set()
        elif item.kind in _JOINTS and item.text != "also":
            joint |= {item.kind, "colon"} if item.text == ":" else {item.kind}


def parse_letter_placements(items: Sequence[Item]) -> Iterator[LetterPlacement]:
    """Find which letter goes where: "X in …, Y in …", "… with X and … with Y", "row 1 has X in …, Y in …"."""
    marks: list[tuple[int, str, int]] = []
    for number, item in enumerate(items):
        letter = instruction_cell_mark(item)
        if letter and not (marks and letter == marks[-1][1] == "."):
            before = items[number - 1] if number else None
            marks.append(
                (
                    number,
                    letter,
                    before.value if isinstance(before, WordToken) and before.kind == "num" else 0,
                )
            )
    if len(marks) < 2:
        yield LetterPlacement(
            marks[0][1] if marks else None,
            tuple(parse_instruction_places(items)),
            marks[0][2] if marks else 0,
        )
        return
    lead = list(parse_instruction_places(items[: marks[0][0]]))
    starts = [number for number, _, _ in marks]
    tails = [
        list(parse_instruction_places(items[start:end]))
        for start, end in zip(starts, [*starts[1:], len(items)], strict=True)
    ]
    if not lead:
        for (_, letter, count), tail in zip(marks, tails, strict=True):
            yield LetterPlacement(letter, tuple(tail), count)
    elif tails[-1] and tails[0] and "of" in tails[0][0].joint:
        for (_, letter, count), tail in zip(marks, tails, strict=True):
            yield LetterPlacement(
                letter,
                (*lead, *(NamedPlace(one.place, one.joint - {"and"}) for one in tail[:1]), *tail[1:]),
                count,
            )
    else:
        heads = [lead, *tails[:-2], tails[-2] + tails[-1]]
        for (_, letter, count), head in zip(marks, heads, strict=True):
            yield LetterPlacement(letter, tuple(head), count)
