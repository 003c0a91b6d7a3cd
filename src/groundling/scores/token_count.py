"""Splits texts into words and punctuation marks, and counts these."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\w+|[^\w\s]")
"""A word or a punctuation mark."""
_ASCII = [chr(code) for code in range(128)]
_MARKS = bytes(ord(sign) for sign in _ASCII if TOKEN.match(sign) and not sign.isalnum() and sign != "_")
_WORDS = bytes(code if re.match(r"\w", chr(code)) else ord(" ") for code in range(256))


def split_lower_words(text: str) -> list[str]:
    """Split a text into words and punctuation marks in lower case."""
    return TOKEN.findall(text.lower())


def count_tokens(text: str) -> int:
    """Count words and punctuation marks."""
    if not text.isascii():
        return len(TOKEN.findall(text))
    plain = text.encode()  # the same, three times as fast
    words = plain.translate(_WORDS)
    return len(words.split()) + len(plain) - len(plain.translate(None, _MARKS))
