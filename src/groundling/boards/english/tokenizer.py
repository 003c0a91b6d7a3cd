"""Splits English into word tokens of a kind: synonyms become one, words without meaning here are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from groundling.boards.english.command_words import COMMANDS, normalize_command_words
from groundling.boards.english.lexicon import PHRASES, WORDS, WordToken
from groundling.boards.english.named_shapes import SHAPE_WORDS as SHAPES

LONGEST = 20_000  # characters that are read; no description of a grid is longer, and reading stays fast

_VERTICAL = r"(top|upper|bottom|lower)"
_HORIZONTAL = r"(left|right)(?:[- ]?hand)?(?:[- ]?most)?(?: (?:corner|cell))?"
_ENDS = re.compile(
    rf"{_VERTICAL}[- ]{_HORIZONTAL},? (?:\w+ )?(?:to|through|towards?) (?:the )?{_VERTICAL}[- ]{_HORIZONTAL}",
    re.I,
)
_PIECE = re.compile(
    r"\(\s*\d{1,2}\s*,\s*\d{1,2}\s*\)|\br\d{1,2},?\s?c\d{1,2}\b|\b\d+ ?[x×] ?\d+\b|\d+(?:st|nd|rd|th)?\b|"
    r"[A-Za-z]+(?:['’][A-Za-z]+)?|(?<=\d)\s?[-–—]\s?(?=\d)|\s[-–—]\s|[▢□⬜◻☐_]|[.,;:!?\n/&+]",
    re.I,
)
_BLOCK = re.compile(r"(\d{1,2}) ?[x×] ?(\d{1,2})")
_LETTER = re.compile(r"([A-Z])(?:['’]?s)?|([a-z])['’]s")


def tokenize_english(
    text: str, size: int, letters: frozenset[str], *, commands: bool = False
) -> list[WordToken]:
    """Tokenize a text about grids of this size with these letters; with `commands` also instructions."""
    text = re.sub(
        r"(?<!\S)\.(?!\S)", "_", text
    )  # an empty cell; later steps may put blanks before full stops
    return _resolve_by_neighbours(
        list(
            _tokenize(
                normalize_command_words(text) if commands else text,
                size,
                letters,
                COMMANDS if commands else {},
            )
        )
    )


def _tokenize(
    text: str, size: int, letters: frozenset[str], commands: Mapping[str, WordToken]
) -> Iterator[WordToken]:
    text = re.sub(r"(?i)(top|bottom|left|right)-?most", r"\1", text)
    text = _ENDS.sub(_name_diagonal, text)
    for pattern, instead in PHRASES:
        text = pattern.sub(instead, text)
    marks = "".join(sorted(letters)) + ".▢□_-"
    text = re.sub(
        rf"(?<!\S)[{re.escape(marks)}]{{{size}}}(?=[\s,;/.]|$)", lambda run: _space_row(run[0]), text
    )
    shouted = text.isupper()
    pieces = [match[0] for match in _PIECE.finditer(text)]
    for number, piece in enumerate(pieces):
        before = pieces[number - 1] if number else "."
        after = pieces[number + 1] if number + 1 < len(pieces) else "."
        low = piece.lower()
        if low in commands and not (len(piece) == 1 and piece.isupper()):
            yield commands[low]
        elif commands and (block := _BLOCK.fullmatch(low)):
            yield WordToken("block", f"{block[1]}x{block[2]}")
        else:
            yield from _tokenize_piece(piece, before.lower(), after, letters, shouted)


def _tokenize_piece(
    piece: str, before: str, after: str, letters: frozenset[str], shouted: bool
) -> Iterator[WordToken]:
    low = piece.lower().strip(" \t")
    if piece in "▢□⬜◻☐_":
        yield WordToken("void")
    elif low[0] == "(" or re.match(r"r\d+,?\s?c\d", low):
        row, column = re.findall(r"\d+", low)
        yield WordToken("pair", f"{int(row)},{int(column)}")
    elif low[0].isdecimal() and low[0].isascii():
        digits = re.match(r"\d{1,4}", low)
        if digits and not re.search("[x×]", low):
            yield WordToken("num" if low.isdecimal() else "ord", value=int(digits[0]))
    elif low in "-–—":
        yield WordToken("to" if before.isdecimal() else "comma", low)
    elif (letter := _letter_token(piece, before, after, letters, shouted)) is not None:
        yield letter
    elif low in WORDS:
        yield WORDS[low]
    elif low in SHAPES:
        yield WordToken("shape", SHAPES[low])
    elif low.endswith(("n't", "n’t")):
        yield WordToken("not", low)
    elif low.endswith(("'s", "’s")):
        yield from _tokenize_piece(low[:-2], before, after, letters, shouted)


def _letter_token(
    piece: str, before: str, after: str, letters: frozenset[str], shouted: bool
) -> WordToken | None:
    """Read a letter as the content of a cell. "A" and "I" are mostly English words instead."""
    if len(piece) == 1 and piece.islower() and piece.isascii():
        upper = piece.upper()
        wanted = before == "letter" if piece in "ai" else True
        return WordToken("letter", upper) if upper in letters and wanted else None
    match = _LETTER.fullmatch(piece)
    if not match:
        return None
    letter = (match[1] or match[2]).upper()
    if letter not in letters:
        # The letter is in no grid, so it must be a shape.
        return WordToken("shape", letter) if len(piece) == 1 and letter not in "AI" and not shouted else None
    opens = before in (".", "\n", "!", "?", ";", ":")
    plural = len(piece) > 1
    if letter in "AI" and before != "letter":
        if plural and "'" not in piece and "’" not in piece and (opens or shouted):
            return None
        if not plural and shouted and before not in ("has", "with", "an"):
            return None
        if (
            not plural
            and opens
            and (after.islower() and after not in ("in", "at", "is", "on", "has", "and", "then"))
        ):
            return None
        if (
            letter == "I"
            and not plural
            and after.lower() in ("see", "think", "am", "have", "would", "can", "m", "mean", "want")
        ):
            return None
    return WordToken("letter", letter)


def _resolve_by_neighbours(found: list[WordToken]) -> list[WordToken]:
    """Resolve words by their neighbours: "an N shape", "the letter N", "a square" or "the second square"."""
    kept: list[WordToken] = []
    for number, word in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else WordToken("stop")
        before = kept[-1].kind if kept else "stop"
        if word.kind == "letters" and after.kind == "letter" and before not in ("ord", "num"):
            continue
        if word.kind == "square":
            made = [near.kind for near in found[number + 1 : number + 3]] == ["of", "letter"]
            single = before in ("ord", "num", "side", "empty", "full", "all", "no") and not made
            kept.append(WordToken("cell") if single else WordToken("shape", "square"))
        elif word.kind == "letter" and (after.kind == "like" or _is_compared(found, number)):
            kept.append(WordToken("shape", word.text))
        elif word.kind in ("ord", "num") and before == "num" and kept[-1].value == 20 and 0 < word.value < 10:
            kept[-1] = WordToken(word.kind, value=20 + word.value)
        else:
            kept.append(word)
    return kept


def _is_compared(found: list[WordToken], number: int) -> bool:
    for word in reversed(found[max(0, number - 4) : number]):
        if word.kind == "like":
            return True
        if word.kind not in ("full", "letters", "of", "num"):
            return False
    return False


def _space_row(run: str) -> str:
    """Put blanks between the cells of a row; an upper-case word of that length stays a word."""
    if run.lower() in WORDS or run.lower() in COMMANDS:
        return run
    return f" {' '.join('_' if cell in '.▢□_-' else cell for cell in run)} "


def _name_diagonal(ends: re.Match[str]) -> str:
    if (ends[1].lower() in ("top", "upper")) == (ends[3].lower() in ("top", "upper")) or ends[
        2
    ].lower() == ends[4].lower():
        return ends[0]
    return " falling " if (ends[1].lower() in ("top", "upper")) == (ends[2].lower() == "left") else " rising "
