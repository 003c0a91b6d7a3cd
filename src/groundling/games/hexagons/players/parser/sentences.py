"""Cuts a text into sentences, and separates requests from remarks."""

from __future__ import annotations

import re

from msgspec import Struct

from groundling.games.hexagons.players.parser.phrases import COL
from groundling.games.hexagons.players.parser.words import to_plain_words

_REMARK = re.compile(
    r"^(?:now , |then , |finally , )?(?:there (?:should|will|are|is)|this (?:will|should|is|makes|creates|"
    r"completes)|you (?:should|will|are|have|now|can)|the (?:resulting|overall|final|result)|note|notice|"
    r"the (?:pattern|image|shape|drawing|design|picture) (?:should|will|is)|click|it (?:should|will)|we |"
    r"these (?:will|should)|they (?:will|should)|do not|if |repeat until|check)"
)
_STATED = re.compile(r" is (?:white|black|yellow|green|red|blue|purple|orange)")
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


class Sentence(Struct, frozen=True):
    text: str
    """In plain words."""
    remark: bool = False
    """Whether it only describes the board; it may still mention tiles."""


def split_sentences(text: str) -> list[Sentence]:
    found: list[Sentence] = []
    for part in _with_colours(_sentence_parts(to_plain_words(text))):
        sentence = _AIM.sub("", part)
        if sentence.startswith(("there are", "there is")) and " tiles " in sentence:
            found.append(Sentence(sentence, remark=True))
        elif not _REMARK.match(sentence) or _STATED.search(sentence):
            found.append(Sentence(_without_tail(sentence)))
    return found


def _without_tail(sentence: str) -> str:
    """Remove the purpose or result of a deed, unless only a colour precedes it."""
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
