"""Parsing that several games' `read` methods share: tagged paragraphs."""

from __future__ import annotations

import re
from functools import cache

from groundling.core.values import Illegal

_BREAK = re.compile(r"\s*\n\s*\n\s*")


@cache
def _tag_pattern(tag: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{re.escape(tag)}\s*", re.IGNORECASE)


def read_paragraph(text: str, tag: str, *, strict: bool) -> str:
    """Return the words without their tag. Strict reading needs the tag and one paragraph; tolerant reading
    joins paragraphs."""
    found = _tag_pattern(tag).match(text)
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
