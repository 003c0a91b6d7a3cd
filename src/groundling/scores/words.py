"""How long something is."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str) -> int:
    """Words and punctuation marks."""
    return len(_TOKEN.findall(text))
