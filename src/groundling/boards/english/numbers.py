"""English number words. The index of a word is its number."""

from __future__ import annotations

CARDINALS = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "  # noqa: SIM905
    "seventeen eighteen nineteen".split()
)
ORDINALS = tuple(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "  # noqa: SIM905
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()
)


def ordinal_number(number: int) -> str:
    """Write an ordinal in digits, such as "3rd"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 % 10 != 1 else 0, "th")
    return f"{number}{ending}"
