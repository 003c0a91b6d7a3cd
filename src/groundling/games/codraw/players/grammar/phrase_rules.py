"""The rules for phrases, as patterns tried in order at every word of a message. They are in
`vocabulary/phrase_rules.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundling.boards.english.text_tables import read_table_entries

_SLOT = re.compile(r"\{([A-Z_]+)\}|\{(one|many|maybe|more|then): ([^{}]*)\}")
_LISTS = {
    "one": "{}",
    "many": "(?:{} )*",
    "maybe": "(?:{} )?",
    "more": r"(?: {}(?!\w))*",
    "then": r"(?: {}(?!\w))?",
}
PHRASE_BLOCKS: dict[str, str] = {}
"""The building blocks of the patterns."""


def _expand_slots(text: str) -> str:
    def expand_slot(found: re.Match[str]) -> str:
        if found[1]:
            return PHRASE_BLOCKS[found[1]]
        words = dict.fromkeys(found[3].split())
        return _LISTS[found[2]].format(f"(?:{'|'.join(word.replace('_', ' ') for word in words)})")

    while (expanded := _SLOT.sub(expand_slot, text)) != text:
        text = expanded
    return text


def _read_phrase_rules() -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, lines in read_table_entries(__package__, "vocabulary/phrase_rules.txt"):
        pattern = _expand_slots(" ".join(lines))
        if name.isupper():
            PHRASE_BLOCKS[name] = pattern
        else:
            yield name, re.compile(pattern)


RULES = tuple(_read_phrase_rules())
