"""Reads how often something is repeated, and the gap between copies."""

from __future__ import annotations

import re

_TIMES = re.compile(
    r"(\d+|another|once|twice|thrice)(?: additional| more| other)? ?times?|(\d+) more|(once|twice|thrice)"
    r"(?: more| again)?|1 more time"
)
_WORDS = {"once": 1, "twice": 2, "thrice": 3, "another": 1}
_GAP = re.compile(
    r"(?:leave|skip|with|separated by|leaving|but) (?:(?:\w+|,) ){0,3}?(?:a |an |the )?(\d+)?"
    r"(?: ?(?:single|whole|full))?"
    r"(?: (?:blank|white|open))? ?(?:column|row|tile|line|gap)s?(?: left)?"
    r"(?: (?:blank|white|open|of|between|gap|in)|$| )"
)
_BLANK = re.compile(r"blank|white|open|between|leave|skip|gap")
_NO_GAP = re.compile(r"no (?:blank|gap|space|white|tile)|touch")


def read_repeat_count(text: str) -> int | None:
    """Return the number of further copies."""
    match = _TIMES.search(text)
    if not match:
        return None
    said = match[1] or match[2] or match[3] or "1"
    return _WORDS.get(said) or int(said)


def read_gap(text: str) -> int | None:
    """Return the number of blank columns or rows between copies."""
    match = _GAP.search(text)
    if match and _BLANK.search(match.group()):
        return int(match[1] or 1)
    return 0 if _NO_GAP.search(text) else None
