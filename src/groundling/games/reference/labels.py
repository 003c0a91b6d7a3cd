"""Reads which grid a reply names: first, second, third… A reply that does not name exactly one is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundling.boards.english.numbers import CARDINALS, ORDINALS, ordinal_number
from groundling.core.values import Illegal

LABELS, _CARDINALS = ORDINALS[1:10], CARDINALS[1:10]
_PLACES = (
    {word: place for place, word in enumerate(LABELS, 1)}
    | {word: place for place, word in enumerate(_CARDINALS, 1)}
    | {str(place): place for place in range(1, 10)}
    | {ordinal_number(place): place for place in range(1, 10)}
)

# A cardinal counts only behind a noun ("grid two"): "the second one" names one grid.
_NAMED = re.compile(
    rf"""(?<![\w.,-]) (?: (?P<label>{"|".join(LABELS)} | [1-9](?:st|nd|rd|th)? )
    | (?:grid|number|option|picture|image|choice|answer:?)\s+ (?P<cardinal>{"|".join(_CARDINALS)}) )
    (?! [\w-] | [.,]\d )""",
    re.IGNORECASE | re.VERBOSE,
)
_IDIOM = re.compile(
    r"""\b(?: at\s+first(?:\s+(?:glance|sight|look))? | first\s+(?:of\s+all|off) | in\s+the\s+first\s+place
    | on\s+second\s+thoughts? | (?:a|one|split|per)\s+second (?!\s+(?:grid|one|option)) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_JOINED = re.compile(r"\b(grid|number|option|picture|image|choice)-(?=\d)", re.IGNORECASE)
# "not the second", "I don't think it is the third", "the first is not it" have one label, but no answer.
_LABEL_WORD = rf"(?:{'|'.join(LABELS)}|[1-9](?:st|nd|rd|th)?)\b"
_DENIAL = re.compile(
    rf"""(?:\b(?:not|never|neither|nor|cannot|except|unlike|excluding|(?:all|anything|any)\s+but)|n['’]t|\b(?:other|rather)\s+than)
    (?:\s+\w+){{0,4}}?\s+{_LABEL_WORD}
    | {_LABEL_WORD}(?:\s+(?:grid|one|option))?\s+(?:is|was|does|can|could)(?:n['’]t|\s*not)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def parse_only_label(text: str, tag: str, count: int, other: str = "", labels: Sequence[str] = ()) -> int:
    """Read strictly: the tag, one label, nothing else. Prompts of an instance may have others."""
    if other and (own := re.fullmatch(rf"\s*{re.escape(other)}\s*(.+?)\s*", text, re.IGNORECASE)):
        names = [*map(str.lower, labels), *map(str, range(1, count + 1))]
        if own[1].lower() in names:
            return names.index(own[1].lower()) % count + 1
    found = re.fullmatch(rf"\s*{tag}\s*(\w+)\s*", text, re.IGNORECASE)
    word = found[1].lower() if found else ""
    if word not in _PLACES or word in _CARDINALS:
        raise Illegal(f'answer with the tag "{tag}" and one of {_list_labels(count)}, nothing else')
    return _check_place(_PLACES[word], count)


def find_label(text: str, count: int, labels: Sequence[str] = ()) -> int:
    """Read tolerantly: one label anywhere, also repeated, and no other; `labels` in another language."""
    for place, label in enumerate(labels, 1):
        pattern = rf"(?<![a-zÀ-ɏЀ-ӿ]){re.escape(label)}"
        text = re.sub(pattern, f" {LABELS[place - 1]} ", text, flags=re.IGNORECASE)
    plain = _IDIOM.sub(" ", _JOINED.sub(r"\1 ", text.replace("_", " ")))
    words = ((found["label"] or found["cardinal"]).casefold() for found in _NAMED.finditer(plain))
    places = {int(word[0]) if word[0].isdigit() else _PLACES[word] for word in words}
    if not places:
        raise Illegal(f"name one grid: {_list_labels(count)}")
    if len(places) > 1 or _DENIAL.search(plain):
        raise Illegal(f"it is not clear which grid you mean: name only one of {_list_labels(count)}")
    return _check_place(places.pop(), count)


def _check_place(place: int, count: int) -> int:
    if place > count:
        raise Illegal(f"there is no {LABELS[place - 1]} grid: name one of {_list_labels(count)}")
    return place


def _list_labels(count: int) -> str:
    return ", ".join(LABELS[: count - 1]) + " or " + LABELS[count - 1]
