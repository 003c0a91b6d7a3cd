"""Phenomena of language in instructions: marked words of nine types, counted as the paper's Table 3 does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.scores.agreement import Span, alpha_spans

PHENOMENA = {
    "abstraction": ("object", "control", "functions"),
    "goal/result": ("goal", "result"),
    "linguistic": ("anaphora", "ellipsis", "comparatives"),
    "spatial": ("spatial",),
}
PAPER_MARKS = {"object": 77, "control": 61, "functions": 49, "goal": 18, "result": 17}
PAPER_MARKS |= {"anaphora": 63, "ellipsis": 17, "comparatives": 23, "spatial": 225}
PAPER_STEPS = {"abstraction": 95, "goal/result": 33, "linguistic": 88, "spatial": 132}
PAPER_PROCEDURES = {"abstraction": 22, "goal/result": 13, "linguistic": 15, "spatial": 23}
PAPER_SAMPLE = (194, 24)
"""Steps and procedures."""
SLIP = "132 of 194 steps are 68.04 %: the paper's 67.69 % is a slip."
Marks: TypeAlias = Mapping[str, Collection[Span]]
"""The marked spans of each item."""


class PhenomenonCount(Struct, frozen=True):
    marks: dict[str, int]
    """Occurrences by type."""
    steps: dict[str, int]
    procedures: dict[str, int]
    """By group of types."""
    size: tuple[int, int]
    """All steps and procedures of the sample."""


PAPER = PhenomenonCount(PAPER_MARKS, PAPER_STEPS, PAPER_PROCEDURES, PAPER_SAMPLE)


def count_phenomena(marks: Marks, procedures: Mapping[str, str]) -> PhenomenonCount:
    """Count occurrences of each type, and the steps and procedures with any of a group. `procedures` has the
    procedure of each step."""
    kinds = {item: [kind for _, _, kind in spans] for item, spans in marks.items()}
    grouped = {
        group: [item for item, found in kinds.items() if set(types) & set(found)]
        for group, types in PHENOMENA.items()
    }
    return PhenomenonCount(
        {kind: sum(found.count(kind) for found in kinds.values()) for kind in PAPER_MARKS},
        {group: len(items) for group, items in grouped.items()},
        {group: len({procedures[item] for item in items}) for group, items in grouped.items()},
        (len(marks), len({procedures[item] for item in marks})),
    )


def phenomena_tables(
    annotations: Sequence[Marks],
    settled: Marks,
    procedures: Mapping[str, str],
    lengths: Mapping[str, int],
    clusters: Mapping[str, str],
) -> list[TextTable]:
    """Return Table 3 of what was settled, or of the first and further annotations of items, beside
    the paper's, and the agreement of these annotations."""
    counted = (
        {"settled": settled}
        if settled
        else {f"annotation {number}": marks for number, marks in enumerate(annotations, 1)}
    )
    counts = {name: count_phenomena(marks, procedures) for name, marks in counted.items()}
    return [_count_table(counts), _agreement_table(annotations, lengths, clusters)]


def _count_table(counts: Mapping[str, PhenomenonCount]) -> TextTable:
    every = {**counts, "paper": PAPER}
    rows = []
    for group, types in PHENOMENA.items():
        for number, kind in enumerate(types):
            cells = [
                cell for found in every.values() for cell in _count_cells(found, group, kind, number == 0)
            ]
            rows.append(TableRow((group, kind), tuple(cells)))
    columns = [
        column
        for name in every
        for column in (Column(f"{name}: #"), Column("steps", joined=True), Column("procedures", joined=True))
    ]
    sizes = [f"{name}: {found.size[0]} steps of {found.size[1]} procedures." for name, found in every.items()]
    return TextTable(
        "Table 3: abstract, linguistic and spatial phenomena",
        ("phenomenon", "type"),
        tuple(columns),
        tuple(rows),
        (*sizes, SLIP),
    )


def _count_cells(found: PhenomenonCount, group: str, kind: str, first: bool) -> tuple[str, str, str]:
    """Steps and procedures stand in the first row of a group."""
    both = [
        f"{number} ({100 * number / size:.2f} %)" if size and first else ""
        for number, size in zip((found.steps[group], found.procedures[group]), found.size, strict=True)
    ]
    return str(found.marks[kind]), both[0], both[1]


def _agreement_table(
    annotations: Sequence[Marks], lengths: Mapping[str, int], clusters: Mapping[str, str]
) -> TextTable:
    items = list(dict.fromkeys(item for marks in annotations for item in marks))
    spans = [[marks.get(item) for marks in annotations] for item in items]
    rows: list[TableRow] = []
    notes: dict[str, None] = {}
    for kind in (None, *PAPER_MARKS):
        found = alpha_spans(
            spans, [lengths[item] for item in items], kind, clusters=[clusters[item] for item in items]
        )
        notes |= {f"{found.note.capitalize()}.": None} if found.note else {}
        rows.append(TableRow((kind or "all types",), found.cells))
    return TextTable(
        "Agreement on marked words: alpha over characters",
        ("type",),
        (Column("alpha"), Column("95 %", joined=True)),
        tuple(rows),
        ("Intervals resample images. The paper reports no agreement.", *notes),
    )
