"""Tables in text files: a key, a colon and its text, also over indented lines. `# ` begins a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

_SLOT = re.compile(r"\{([A-Z_]+)\}|\{(one|many|maybe|more|then): ([^{}]*)\}")
_WORD_LISTS = {
    "one": "{}",
    "many": "(?:{} )*",
    "maybe": "(?:{} )?",
    "more": r"(?: {}(?!\w))*",
    "then": r"(?: {}(?!\w))?",
}


def read_table_lines(package: str, name: str) -> list[str]:
    """Return the lines of a table without comments and blank lines."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def read_table_entries(package: str, name: str) -> list[tuple[str, list[str]]]:
    """Return the keys of a table in order, each with the lines of its text."""
    found: list[tuple[str, list[str]]] = []
    for line in read_table_lines(package, name):
        if line.startswith(" "):
            found[-1][1].append(line.strip())
        else:
            key, _, text = line.partition(":")
            found.append((key, [text.strip()] if text.strip() else []))
    return found


def read_rewrite_table(package: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the lines `pattern => text` of a table; an underscore in a text is a blank."""
    for line in read_table_lines(package, name):
        pattern, _, text = line.partition("=>")
        yield pattern.strip(), text.strip().replace("_", " ")


def read_pattern_table(package: str, name: str, blocks: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the regular expressions of a table in order.

    Keys in capitals are building blocks, which are added to those given; {NAME} refers to one. Lists of words
    are {one: …}; {maybe: …}, one or none, and {many: …}, any number, with a blank after each; {then: …} and
    {more: …}, likewise with a blank before each. In them an underscore is a blank within one expression. A
    backslash at the end of a line joins the next one without a blank."""
    for key, lines in read_table_entries(package, name):
        text = " ".join(lines).replace("\\ ", "")
        while (expanded := _SLOT.sub(lambda slot: _expand_slot(slot, blocks), text)) != text:
            text = expanded
        if key.isupper():
            blocks[key] = text
        else:
            yield key, text


def _expand_slot(slot: re.Match[str], blocks: Mapping[str, str]) -> str:
    if slot[1]:
        return blocks[slot[1]]
    words = (word.replace("_", " ") for word in dict.fromkeys(slot[3].split()))
    return _WORD_LISTS[slot[2]].format(f"(?:{'|'.join(words)})")
