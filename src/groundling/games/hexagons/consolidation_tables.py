"""How judges of a consolidation agree, and which errors they found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.games.hexagons.consolidation import ERROR_TYPES, StepJudgement
from groundling.scores.agreement import Agreement, cohen, fleiss, percent

PAPER_AGREEMENT = ("0.95", "0.98", "0.95")
"""Cohen's kappa of errors and of their types, and the share of equal corrected boards."""
PAPER_STEPS, PAPER_ERRORS = "1,461", "20.8 %"


class JudgedStep(Struct, frozen=True):
    cluster: str
    judgements: Mapping[str, StepJudgement]
    """By judge."""
    settled: StepJudgement | None
    """What all judges say, or what was decided where they differ; None where nothing was decided."""
    audit: bool = False
    """Both verifiers have the author's board, and the procedure was not disputed."""


Rating: TypeAlias = Callable[[StepJudgement], Any]


def consolidation_tables(steps: Sequence[JudgedStep]) -> list[TextTable]:
    return [_agreement_table(steps), _error_table(steps)]


def _agreement_table(steps: Sequence[JudgedStep]) -> TextTable:
    judges = list(dict.fromkeys(judge for step in steps for judge in step.judgements))
    both = [step for step in steps if len(step.judgements) > 1 and all(map(_errs, step.judgements.values()))]
    painted = [step for step in both if all(found.board for found in step.judgements.values())]
    pair = len(judges) == 2
    rows = [
        ("error or none", _kappa(steps, judges, lambda found: found.error)),
        ("type, where all judges see an error", _kappa(both, judges, lambda found: found.kind)),
        ("corrected boards that are equal", _equal_boards(painted, judges)),
    ]
    kappa = "Cohen's kappa" if pair else "Fleiss' kappa"
    notes = dict.fromkeys(found.note for _, found in rows if found.note)
    return TextTable(
        f"Consolidation: agreement of {len(judges)} judges",
        ("judgement", "statistic"),
        (Column("n"), Column("value"), Column("95 %", joined=True), Column("paper")),
        tuple(
            TableRow(
                (name, "share" if number == 2 else kappa),
                (str(found.n), *found.cells, PAPER_AGREEMENT[number]),
            )
            for number, (name, found) in enumerate(rows)
        ),
        ("Intervals resample images.", *(f"{note.capitalize()}." for note in notes)),
    )


def _errs(found: StepJudgement) -> bool:
    return found.error


def _ratings(steps: Sequence[JudgedStep], judges: Sequence[str], rate: Rating) -> list[list[Any]]:
    return [
        [rate(step.judgements[judge]) if judge in step.judgements else None for judge in judges]
        for step in steps
    ]


def _kappa(steps: Sequence[JudgedStep], judges: Sequence[str], rate: Rating) -> Agreement:
    ratings, clusters = _ratings(steps, judges, rate), [step.cluster for step in steps]
    if len(judges) == 2:
        return cohen([row[0] for row in ratings], [row[1] for row in ratings], clusters=clusters)
    return fleiss(ratings, clusters=clusters)


def _equal_boards(steps: Sequence[JudgedStep], judges: Sequence[str]) -> Agreement:
    ratings = _ratings(steps, judges, lambda found: found.board.cells if found.board else None)
    return percent(ratings, clusters=[step.cluster for step in steps])


def _error_table(steps: Sequence[JudgedStep]) -> TextTable:
    """The paper has no table of types: it lists them, and gives the share of steps with an error."""
    disputed = [step for step in steps if not step.audit]
    audited = [step for step in steps if step.audit]
    sides = [_settled_kinds(disputed), _settled_kinds(audited)]
    totals = [sum(kinds.values()) for kinds in sides]
    rows = [
        TableRow(
            (name, about), tuple(_count_cell(kinds[name], total) for kinds, total in _both(sides, totals))
        )
        for name, about in ERROR_TYPES.items()
    ]
    errors = [total - kinds[""] for kinds, total in _both(sides, totals)]
    rows.append(
        TableRow(
            ("all errors", ""),
            (*(_count_cell(*pair) for pair in zip(errors, totals, strict=True)), PAPER_ERRORS),
        )
    )
    rows.append(
        TableRow(("steps", "looked at and settled"), (*(f"{total:,}" for total in totals), PAPER_STEPS))
    )
    unsettled = sum(step.settled is None for step in steps)
    bare = sum(bool(step.settled and step.settled.error and not step.settled.board) for step in steps)
    notes = ["In brackets: per cent of settled steps. Audit: steps in which author and verifiers agree."]
    notes += [f"{unsettled} steps are left out: judges differ, and nothing was decided."] if unsettled else []
    notes += [f"{bare} errors have no corrected board."] if bare else []
    return TextTable(
        "Consolidation: errors of authors",
        ("error", "meaning"),
        (Column("disputed"), Column("audit"), Column("paper")),
        tuple(rows),
        tuple(notes),
    )


def _both(sides: Iterable[Counter[str]], totals: Iterable[int]) -> Iterable[tuple[Counter[str], int]]:
    return zip(sides, totals, strict=True)


def _settled_kinds(steps: Sequence[JudgedStep]) -> Counter[str]:
    """How often each type of error was found; "" for none."""
    return Counter(
        step.settled.kind if step.settled.error else "" for step in steps if step.settled is not None
    )


def _count_cell(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.1f} %)" if total else "-"
