"""Marks the clauses of a replay that gave the panel something, or misled it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundling.boards.picture import replace_unprintable
from groundling.runs.blame_file import EpisodeBlame

SLIGHTEST = 0.005
"""Credit below this share of the top score is not shown."""


def add_clause_shades(steps: Sequence[dict[str, Any]], blame: EpisodeBlame | None, top: float) -> None:
    """Add to each step the clauses that were said in it, each with its credit as a share of the top score."""
    for clause in blame.clauses if blame else ():
        share = clause.credit / top if top else 0.0
        before = [step for step in steps if step["event"] <= clause.event]
        if before and abs(share) >= SLIGHTEST:
            shade = replace_unprintable(clause.text), round(share, 3), round(clause.credit, 3)
            before[-1].setdefault("clauses", []).append(shade)
