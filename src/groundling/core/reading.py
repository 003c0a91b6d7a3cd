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
    if strict and _BREAK.search(words):
        raise Illegal("write one paragraph and nothing else")
    if not words:
        raise Illegal(f'say something after the tag "{tag}"')
    return _BREAK.sub("\n", words)


def is_paragraph(words: str) -> bool:
    """Whether words have the form that `read_paragraph` returns."""
    plain = words.strip()
    return bool(words) and words == (_BREAK.sub("\n", plain) if "\n" in plain else plain)
