"""The rule giver's plan for a picture."""

from __future__ import annotations

from ....boards.letters import Grid
from ..gold import instructions


def par(target: Grid) -> int:
    """How many characters the rule giver needs."""
    return sum(map(len, instructions(target, target.size**2)))
