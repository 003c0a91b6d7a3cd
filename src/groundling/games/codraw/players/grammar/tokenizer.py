"""The tokenizer: lower-case words, expanded contractions, and normalised fractions and inches."""

from __future__ import annotations

import re
from string import digits

from groundling.boards.english.numbers import CARDINALS

_TOKEN = re.compile(r"n't|'s|'re|'ll|'m|'ve|[a-z]+|[0-9]{1,6}(?:\.[0-9]{1,6})?|[^\sa-z0-9]")
MAX_NUMBER = 99.0
"""The largest number: nobody counts that many inches."""
_GLUED = (
    (re.compile(r"[’‘´`](?=\w)"), "'"),
    (re.compile(r"[“”″]|''|``"), '"'),
    (re.compile(r"\bcan'?t\b|\bca n't\b"), "can not"),
    (re.compile(r"\bwon'?t\b|\bwo n't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"½"), " 1/2 "),
    (re.compile(r"¼"), " 1/4 "),
    (re.compile(r"¾"), " 3/4 "),
    (re.compile(r"(\d)(st|nd|rd|ths?|ds)\b"), r"\1"),
    (re.compile(r"\b0 ?[.,] ?(\d)"), r"0.\1"),
    (re.compile(r"(?<=\d) \. (\d)(?= ?(?:inch|cm|\"|centi))"), r".\1"),
    (re.compile(r"(?<![\d.])\.(\d)"), r"0.\1"),
    (re.compile(r"(?<![\d.]) \. (5|25|75)(?= ?(?:inch|cm|\"|centi))"), r" 0.\1"),
    (re.compile(r"(?<=[a-z])-(?=[a-z])"), " "),
)
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3, "fourth": 0.25, "eighth": 0.125}
_COUNTS = {word: number for number, word in enumerate(CARDINALS[1:11], 1)}
_LOWER_PARTS = ("2", "3", "4", "5", "8", "16")
_UNITS = {
    **dict.fromkeys(("inch", "inches", "ins"), "inch"),
    **dict.fromkeys(("finger", "fingers"), "finger"),
}
_UNITS |= {
    **dict.fromkeys(("cm", "centimeter", "centimeters", "cms"), "cm"),
    **dict.fromkeys(("spaces", "thumb"), "finger"),
}


def _is_number(token: str) -> bool:
    return token[0] in digits


def _format_number(number: float) -> str:
    return f"{min(number, MAX_NUMBER):.3g}"


def tokenize_message(message: str) -> list[str]:
    """Split a message into words and marks. Numbers become decimals; units are inch, cm, finger."""
    text = message.lower()
    for pattern, instead in _GLUED:
        text = pattern.sub(instead, text)
    return _normalize_measures(_merge_numbers(_TOKEN.findall(text)))


def _merge_numbers(tokens: list[str]) -> list[str]:
    """ "1 1/2", "1 1 2" and "1.5" are the same; "3 4" is three quarters: the data lost its slashes."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        if not _is_number(tokens[at]):
            found.append(tokens[at])
            at += 1
            continue
        whole, fraction, size = _parse_number(tokens[at : at + 7])
        found.append(_format_number(whole + fraction))
        at += size
    return found


def _parse_number(tokens: list[str]) -> tuple[float, float, int]:
    """Return the whole part, the fraction, and the number of tokens."""
    for skip in (1, 0):
        if skip and not (len(tokens) > 1 and _is_number(tokens[1])):
            continue
        part = tokens[skip:]
        size = 3 if len(part) > 2 and part[1] == "/" else 2
        if len(part) < size or part[size - 1] not in _LOWER_PARTS or not _is_number(part[0]):
            continue
        upper, lower = float(part[0]), float(part[size - 1])
        if upper < lower and upper == int(upper):
            return (float(tokens[0]) if skip else 0.0), upper / lower, skip + size
    return float(tokens[0]), 0.0, 1


def _normalize_measures(tokens: list[str]) -> list[str]:
    """Convert number words before a unit: "half an inch", "an inch and a half" or "two fingers"."""
    found: list[str] = []
    for at, token in enumerate(tokens):
        unit = _UNITS.get(token) or ("inch" if token == '"' and found and _is_number(found[-1]) else None)
        if unit is None:
            if token != '"':
                found.append(token)
            continue
        found += [_pop_amount(found), unit]
        if tokens[at + 1 : at + 4] in (["and", "a", "half"], ["and", "1", "half"]):
            found[-2] = _format_number(float(found[-2]) + 0.5)
            del tokens[at + 1 : at + 4]
    return found


def _pop_amount(found: list[str]) -> str:
    """Remove the words of a number from the end and return the number."""
    total, known = 1.0, False
    while found:
        last = found[-1]
        if _is_number(last):
            value = float(last)
        elif last in _FRACTIONS:
            value = _FRACTIONS[last]
        elif last in _COUNTS:
            value = float(_COUNTS[last])
        elif last in ("a", "an", "of", "few", "couple"):
            value = 2.0 if last in ("few", "couple") else 1.0
        else:
            break
        if known and value >= 1 and _is_number(last) and total >= 1:
            break
        found.pop()
        total, known = (total * value, known or last not in ("a", "an", "of"))
    return _format_number(total)
