"""The rules for phrases, as patterns tried in order at every word of a message."""

from __future__ import annotations

import re

from groundling.boards.english.text_tables import read_pattern_table

PHRASE_BLOCKS: dict[str, str] = {}
"""The building blocks of the patterns."""
RULES = tuple(
    (name, re.compile(pattern))
    for name, pattern in read_pattern_table(__package__, "vocabulary/phrase_rules.txt", PHRASE_BLOCKS)
)
