"""Levels of abstraction that people gave to instructions in two stages: how they agree, and how many
instructions each level has.

The first stage tells 0, 1 and 2–3 apart, the second one splits 2–3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.games.hexagons.level_guess import guess_level
from groundling.scores.agreement import Agreement, alpha

FIRST_STAGE = {"0": 0, "1": 1, "2-3": 2}
SECOND_STAGE = {"2": 2, "3": 3}
NAMES = ("none", "low", "mid", "high")
PAPER_LEVELS = ("174 (39.0 %)", "47 (10.5 %)", "104 (23.3 %)", "121 (27.1 %)")
PAPER_ALPHA = {"first stage: 0, 1, 2–3": "0.923", "second stage: 2, 3": "0.94"}
RULES = "guess by rule"
Levels: TypeAlias = Mapping[str, Mapping[str, int]]
"""For each item the level that each annotator gave."""


def level_tables(
    first: Levels,
    second: Levels,
    settled: Mapping[str, int],
    texts: Mapping[str, str],
    clusters: Mapping[str, str],
) -> list[TextTable]:
    """Return the agreement of annotators in both stages and over all levels, the agreement of the settled
    levels with the guess by rule, and the numbers of instructions. `settled` has 2 for 2–3 where that is not
    split."""
    return [_agreement_table(first, second, settled, texts, clusters), _count_table(settled, second)]


def combine_stages(first: Levels, second: Levels) -> dict[str, dict[str, int]]:
    """Return each annotator's level from 0 to 3. A 2–3 that its annotator did not split counts as 2, so that
    a disagreement in the first stage remains one."""
    return {
        item: {
            who: second.get(item, {}).get(who, level) if level >= FIRST_STAGE["2-3"] else level
            for who, level in found.items()
        }
        for item, found in first.items()
    }


def guessed_pairs(settled: Mapping[str, int], texts: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return the settled levels and the guess by rule, both with 2 and 3 as one."""
    return {
        item: {"people": min(level, 2), RULES: guess_level(texts[item])} for item, level in settled.items()
    }


def _agreement_table(
    first: Levels,
    second: Levels,
    settled: Mapping[str, int],
    texts: Mapping[str, str],
    clusters: Mapping[str, str],
) -> TextTable:
    labelled = {
        "first stage: 0, 1, 2–3": first,
        "second stage: 2, 3": second,
        "all four levels": combine_stages(first, second) if second else {},
        "settled levels and the guess by rule": guessed_pairs(settled, texts),
    }
    rows: list[TableRow] = []
    notes: dict[str, None] = {}
    for name, levels in labelled.items():
        for metric in ("gwet-ordinal", "ordinal"):
            found = _level_alpha(levels, clusters, metric)
            notes |= {f"{found.note.capitalize()}.": None} if found.note and levels else {}
            paper = PAPER_ALPHA.get(name, "") if metric == "gwet-ordinal" else ""
            rows.append(TableRow((name, metric), (str(found.n), *found.cells, paper)))
    return TextTable(
        "Levels of abstraction: Krippendorff's alpha",
        ("labels", "metric"),
        (Column("n"), Column("alpha"), Column("95 %", joined=True), Column("paper")),
        tuple(rows),
        (
            "Intervals resample images. gwet-ordinal has Gwet's ordinal weights, as the paper.",
            "All four levels: a 2–3 that its annotator did not split counts as 2.",
            "The guess is a rule: do not read its agreement beside that of two people.",
            *notes,
        ),
    )


def _level_alpha(levels: Levels, clusters: Mapping[str, str], metric: str) -> Agreement:
    people = list(dict.fromkeys(who for found in levels.values() for who in found))
    ratings = [[found.get(who) for who in people] for found in levels.values()]
    return alpha(ratings, metric, clusters=[clusters[item] for item in levels])


def _count_table(settled: Mapping[str, int], second: Levels) -> TextTable:
    """Table 5. Without a second stage, mid and high are one."""
    counts, total = Counter(settled.values()), len(settled)
    cells = [_count_cell(counts[level], total) for level in range(len(NAMES))]
    notes = []
    if whole := sum(level == 2 and item not in second for item, level in settled.items()):
        notes.append(f"{whole} instructions at 2–3 are not split: they stand under mid.")
    return TextTable(
        "Table 5: levels of abstraction",
        ("",),
        (*(Column(f"{name} ({level})") for level, name in enumerate(NAMES)), Column("total")),
        (TableRow(("here",), (*cells, str(total))), TableRow(("paper, dev",), (*PAPER_LEVELS, "446"))),
        tuple(notes),
    )


def _count_cell(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.1f} %)" if total else "-"
