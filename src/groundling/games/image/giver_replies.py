"""Reads a giver's reply: one instruction, or DONE."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundling.core.reading import is_paragraph, read_paragraph, strip_decoration
from groundling.core.values import Illegal, Move, Say

INSTRUCTION, DONE = "Instruction:", "DONE"
_DONE_LINE = re.compile(
    rf"^[\s\"'*.`]*(?:{INSTRUCTION}\s*)?{DONE}[\s\"'*.!`]*$", re.IGNORECASE | re.MULTILINE
)


class Done(Move, frozen=True, gc=False):
    """The giver ends the game."""


@cache
def _tag_choices(tag: str) -> str:
    """A pattern for our tag and for the one of the prompts that an instance carries."""
    return "|".join(dict.fromkeys(map(re.escape, (INSTRUCTION, tag))))


@cache
def _strict_end(tag: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:(?:{_tag_choices(tag)})\s*)?{DONE}\s*", re.IGNORECASE)


@cache
def _tolerant_end(tag: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_tag_choices(tag)})?[\s\"'*.`]*{DONE}[\s\"'*.!`]*", re.IGNORECASE)


@cache
def _ending(tag: str) -> re.Pattern[str]:
    """DONE on a line of its own, or after the tag at the end of a text."""
    choices = _tag_choices(tag)
    return re.compile(
        rf"^[\s\"'*.`]*(?:(?:{choices})\s*)?{DONE}[\s\"'*.!`]*$"
        rf"|[\s\"'*`]*(?:{choices})[\s\"'*`]*{DONE}[\s\"'*.!`]*\Z",
        re.IGNORECASE | re.MULTILINE,
    )


@lru_cache(4096)  # one instruction is often given to several followers
def read_giver_reply(text: str, tag: str, *, strict: bool) -> tuple[Say | Done, ...]:
    """Read one instruction, or DONE alone. Tolerant reading ignores fences and bold print, and takes DONE at
    the end of an instruction as the end of the game after it."""
    if not strict:
        text = strip_decoration(text, INSTRUCTION, tag)
    may_end = DONE in text.upper()  # most texts do not
    if may_end and (_strict_end if strict else _tolerant_end)(tag).fullmatch(text):
        return (Done(),)
    words = read_paragraph(text, INSTRUCTION, tag, strict=strict)
    end = _ending(tag).search(words) if may_end else None
    if end is None:
        return (Say(words),)
    instruction = words[: end.start()].strip()
    if strict or end.end() < len(words) or not instruction:
        raise Illegal(f"say one instruction, or {DONE} alone when all has been said")
    return Say(instruction), Done()


def is_instruction(words: str) -> bool:
    """Whether words can be played as an instruction. Logs of earlier versions have some that end with the tag
    and DONE, which are read as two moves now."""
    return is_paragraph(words) and not (DONE in words.upper() and _DONE_LINE.search(words))
