"""Normalises a text to plain words, and cuts it into sentences.

Plain words have numbers as digits, one word for synonyms, corrected spelling, and single spaces between them.
Ordinals are written `#3` (`#-2` counts from the end), numbers `3`, and punctuation stands alone. The tables
are in `vocabulary/`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache

from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.english.text_tables import read_rewrite_table, read_table_entries, read_table_lines
from groundling.boards.hexes import COLOURS
from groundling.games.hexagons.players.parser.phrases import COL

_NUMBERS = {word: str(n) for n, word in enumerate(CARDINALS[1:19], 1)}
_NUMBERS |= {word: f"#{n}" for n, word in enumerate(ORDINALS[1:19], 1)}
_TOKEN = re.compile(r"\d+|[a-z]+(?:'(?:s|t|re|ll|ve|d)\b)?|[^\w\s]")
MOST_WORDS, MOST_LETTERS = 600, 6_000
_OURS = (
    "leftmost rightmost every other except remaining diagonally vertical horizontal previous directly bottom"
)

_CANON = {
    other: word
    for word, lines in read_table_entries(__package__, "vocabulary/synonyms.txt")
    for other in lines[0].split()
}
_SPELT = " ".join(read_table_lines(__package__, "vocabulary/known.txt")).split()
_KNOWN = frozenset((*_SPELT, *_CANON, *_CANON.values(), *_NUMBERS, *COLOURS))
_TARGETS = sorted(
    {word for word in (*_CANON, *_CANON.values(), *_NUMBERS, *COLOURS, *_OURS.split()) if len(word) > 3}
)
_EARLY = [
    (re.compile(left), right) for left, right in read_rewrite_table(__package__, "vocabulary/early.txt")
]
_ANY = "|".join(COLOURS)
_LATE = [
    (re.compile(rf"(?<!\S){re.sub('COLOUR(?!S)', f'({_ANY})', left).replace('COLOURS', _ANY)}(?!\S)"), right)
    for left, right in read_rewrite_table(__package__, "vocabulary/rewrites.txt")
]


@cache
def _canonical_word(word: str) -> str:
    word = _correct_spelling(word.removesuffix("'s"))
    word = _CANON.get(word, word)
    return _NUMBERS.get(word, word)


def _correct_spelling(word: str) -> str:
    """Replace a misspelt word by a known one."""
    if word in _KNOWN or len(word) < 5:
        return word
    close = get_close_matches(word, _TARGETS, 1, 0.85)
    return close[0] if close and close[0][0] == word[0] else word


def normalise_sentences(text: str) -> str:
    """Return the text in plain words, ready to be cut into phrases, and truncated if it is too long."""
    text = re.sub(r"\d{3,}", "999", " ".join(text.lower().split()[:MOST_WORDS])[:MOST_LETTERS])
    for pattern, put in _EARLY:
        text = pattern.sub(put, text)
    text = " ".join(_canonical_word(token) if token[0].isalpha() else token for token in _TOKEN.findall(text))
    text = re.sub(r"# (\d+)", r"#\1", text)
    for pattern, put in _LATE:
        text = pattern.sub(put, text)
    return " ".join(text.split())


_REMARK = re.compile(
    r"^(?:now , |then , |finally , )?(?:there (?:should|will|are|is)|this (?:will|should|is|makes|creates|"
    r"completes)|you (?:should|will|are|have|now|can)|the (?:resulting|overall|final|result)|note|notice|"
    r"the (?:pattern|image|shape|drawing|design|picture) (?:should|will|is)|click|it (?:should|will)|we |"
    r"these (?:will|should)|they (?:will|should)|do not|if |repeat until|check)"
)
_STATED = re.compile(rf" is (?:{_ANY})")
_TAIL = re.compile(
    r" (?:: all (?:of )?(?:the )?tiles (?:that|which|at|exactly|within|up)|,? ?(?:so that|so you|so there|"
    r"so the|so it|so they|"
    rf"such that|resulting in|which (?:will|should)(?! be {COL})|to complete|to make (?:a|an|it|the|\d|your)|"
    r"to form|until you have|(?<!by )making (?:a|an|it|the|\d|up)|as if)\b).*?"
    r"(?=(?: ,)? (?:and|then)(?: then)? (?:paint|add|skip|move|repeat|mirror|connect) |$)"
)
_ONLY_COLOUR = re.compile(
    rf"(?:(?:now|then|next|finally|again|still|,) )*(?:using|with|choose|add|in)(?: \w+)? {COL}(?: ,)?"
)
_AIM = re.compile(r"^to (?:make|start|do|begin|complete|end|add|paint)\b[^,]*, ")
_COLOURS_OF = re.compile(rf"^(?:the|this|it|each|they)\b.*\b(?:alternate|start with)\b.*\b{COL}\b")


def split_parser_sentences(text: str) -> list[str]:
    """Return the sentences of a text in plain words, without remarks on what the board will look like."""
    found: list[str] = []
    for part in _with_colours(_sentence_parts(normalise_sentences(text))):
        sentence = _AIM.sub("", part)
        if sentence.startswith(("there are", "there is")) and " tiles " in sentence:
            found.append(sentence)
        elif not _REMARK.match(sentence) or _STATED.search(sentence):
            found.append(_without_tail(sentence))
    return found


def _without_tail(sentence: str) -> str:
    """Remove the purpose or result of an action, unless only a colour precedes it."""
    tail = _TAIL.search(sentence)
    if not tail or _ONLY_COLOUR.fullmatch(sentence[: tail.start()]):
        return sentence
    return sentence[: tail.start()] + sentence[tail.end() :]


def _sentence_parts(text: str) -> list[str]:
    text = re.sub(rf"\( (?:{COL} \)|[^)]*\)?)", _replace_brackets, text) if "(" in text else text
    text = re.sub(r"(^|\. )(there (?:are|is) [^.]*?) , (?=paint|make)", r"\1\2 . ", text)
    parts = re.split(r"(?<!\S)[.;!?\n](?!\S)", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


def _replace_brackets(match: re.Match[str]) -> str:
    """Drop bracketed text, except a single colour or a direction."""
    inside = match.group().strip("() ")
    return f" {inside} " if re.fullmatch(COL, inside) or "direction" in inside else " "


def _with_colours(parts: list[str]) -> list[str]:
    """Append a remark on the colours of a repetition to the sentence that requests it."""
    kept: list[str] = []
    for part in parts:
        if kept and "repeat" in kept[-1] and _COLOURS_OF.match(part) and not re.search(COL, kept[-1]):
            kept[-1] += " , " + part[part.index("start with") :] if "start with" in part else ""
        else:
            kept.append(part)
    return kept
