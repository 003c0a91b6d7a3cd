"""Parsing that several games' `read` methods share: tagged paragraphs."""

from __future__ import annotations

import re
from functools import cache

from groundling.core.values import Illegal

_BREAK = re.compile(r"\s*\n\s*\n\s*")


_FENCE = re.compile(r"\s*```[\w-]*\n(.*?)\n?```\s*", re.DOTALL)
_MARKS = r"[\s*_`\"'>#-]"


@cache
def _tag_pattern(*tags: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{'|'.join(map(re.escape, tags))})\s*", re.IGNORECASE)


@cache
def _decorated_pattern(*tags: str) -> re.Pattern[str]:
    return re.compile(rf"{_MARKS}+(?:{'|'.join(map(re.escape, tags))})[*_`]*\s*", re.IGNORECASE)


def strip_decoration(text: str, *tags: str) -> str:
    """Return a text without a fence around it and without marks around its first tag, such as "**Say:** …";
    unchanged if it starts with the tag."""
    if _tag_pattern(*tags).match(text):
        return text
    fenced = _FENCE.fullmatch(text)
    text = fenced[1] if fenced else text
    found = _decorated_pattern(*tags).match(text)
    if not found or _tag_pattern(*tags).match(text):
        return text
    words = text[found.end() :]
    opened = re.match(r"[\s>#-]*([*_`\"']*)", text)
    marks = opened[1] if opened else ""
    if marks and not re.search(r"[*_`]\s*$", found[0]):  # the marks are closed at the end of the text
        words = words.strip().removesuffix(marks)
    return f"{tags[0]} {words}"


def read_paragraph(text: str, tag: str, *others: str, strict: bool) -> str:
    """Return the words without their tag, or one of `others` in its place. Strict reading needs the tag and
    one paragraph; tolerant reading joins paragraphs and ignores marks around the tag and fences."""
    if not strict:
        text = strip_decoration(text, tag, *others)
    found = _tag_pattern(tag, *others).match(text)
    words = text[found.end() if found else 0 :].strip()
    if strict and not found:
        raise Illegal(f'start with the tag "{tag}"')
    one = _join_paragraphs(words)
    if strict and one != words:
        raise Illegal("write one paragraph and nothing else")
    if not words:
        raise Illegal(f'say something after the tag "{tag}"')
    return one


def is_paragraph(words: str) -> bool:
    """Whether words have the form that `read_paragraph` returns."""
    return bool(words) and words == _join_paragraphs(words.strip())


def _join_paragraphs(words: str) -> str:
    return _BREAK.sub("\n", words) if "\n" in words else words  # most are one line
