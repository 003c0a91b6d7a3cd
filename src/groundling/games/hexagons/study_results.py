"""The results of studies in which people annotate steps.

What was annotated is told by the fields: `error`, `type` and `board` consolidate, `level` and `split` are
the two stages of levels, `phenomena` are marked words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from groundling.boards.hexes import Board
from groundling.core.result_tables import TextTable
from groundling.core.source import AnnotatorLabels, StudyResults
from groundling.core.values import Problem
from groundling.games.hexagons.annotation_items import AUDIT, split_item_id
from groundling.games.hexagons.consolidation import StepJudgement
from groundling.games.hexagons.consolidation_tables import JudgedStep, consolidation_tables
from groundling.games.hexagons.level_tables import FIRST_STAGE, SECOND_STAGE, Levels, level_tables
from groundling.games.hexagons.phenomena import phenomena_tables
from groundling.scores.agreement import Span

ERROR, KIND, BOARD = "error", "type", "board"
LEVEL, SPLIT = "level", "split"
PHENOMENA = "phenomena"
YES = "yes"
Step: TypeAlias = tuple[str, int]
"""The id of a procedure and the number of a step."""


def hexagons_study_tables(results: StudyResults) -> list[TextTable]:
    """Return the tables of all that was annotated."""
    fields = {field for one in results.labels for field in one.values}
    tables: list[TextTable] = []
    if ERROR in fields:
        tables += consolidation_tables(_judged_steps(results))
    if LEVEL in fields:
        tables += _level_tables(results)
    if PHENOMENA in fields:
        tables += _phenomena_tables(results)
    return tables


def _with_field(labels: Sequence[AnnotatorLabels], field: str) -> list[AnnotatorLabels]:
    return [one for one in labels if field in one.values]


def _by_item(labels: Sequence[AnnotatorLabels], field: str) -> dict[str, list[AnnotatorLabels]]:
    found: dict[str, list[AnnotatorLabels]] = {}
    for one in _with_field(labels, field):
        found.setdefault(one.item.id, []).append(one)
    return found


def _read_judgement(labels: AnnotatorLabels) -> StepJudgement:
    """A board that stays as it was is no correction."""
    values = labels.values
    board = values.get(BOARD, labels.item.board)
    return StepJudgement(
        values[ERROR] == YES, str(values.get(KIND, "")), Board(board) if board != labels.item.board else None
    )


def _judged_steps(results: StudyResults) -> list[JudgedStep]:
    settled = _by_item(results.settled, ERROR)
    return [
        JudgedStep(
            found[0].item.cluster,
            {one.annotator: _read_judgement(one) for one in found},
            _read_judgement(settled[name][0]) if name in settled else None,
            name.startswith(AUDIT),
        )
        for name, found in _by_item(results.labels, ERROR).items()
    ]


def settled_judgements(results: StudyResults) -> dict[Step, tuple[StepJudgement, tuple[str, ...]]]:
    """Return what was settled about each step, with the codes of its judges and how it was settled."""
    judges = _by_item(results.labels, ERROR)
    return {
        split_item_id(name): (
            _read_judgement(found[0]),
            (*(one.annotator for one in judges.get(name, ())), f"settled by {found[0].annotator}"),
        )
        for name, found in _by_item(results.settled, ERROR).items()
    }


def settled_levels(results: StudyResults) -> dict[Step, int]:
    return {split_item_id(name): level for name, level in _settled_levels(results).items()}


def _read_levels(labels: Sequence[AnnotatorLabels], field: str, known: Mapping[str, int]) -> Levels:
    found: dict[str, dict[str, int]] = {}
    for one in _with_field(labels, field):
        if (label := str(one.values[field])) not in known:
            raise Problem(f"{label!r} of the field {field} is no level: choose from {', '.join(known)}")
        found.setdefault(one.item.id, {})[one.annotator] = known[label]
    return found


def _settled_levels(results: StudyResults) -> dict[str, int]:
    """Return the level of each item that has one; 2 also stands for 2–3 where that is not split."""
    found: dict[str, int] = {}
    for field, known in ((LEVEL, FIRST_STAGE), (SPLIT, SECOND_STAGE)):
        for item, levels in _read_levels(results.settled, field, known).items():
            found[item] = next(iter(levels.values()))
    return found


def _level_tables(results: StudyResults) -> list[TextTable]:
    items = {one.item.id: one.item for one in results.labels}
    return level_tables(
        _read_levels(results.labels, LEVEL, FIRST_STAGE),
        _read_levels(results.labels, SPLIT, SECOND_STAGE),
        _settled_levels(results),
        {name: item.text for name, item in items.items()},
        {name: item.cluster for name, item in items.items()},
    )


def _phenomena_tables(results: StudyResults) -> list[TextTable]:
    """An item that an annotator did not skip and in which nothing is marked counts as a step."""
    stages = {one.stage for one in _with_field(results.labels, PHENOMENA)}
    by_item: dict[str, list[AnnotatorLabels]] = {}
    for one in results.labels:
        if one.stage in stages:
            by_item.setdefault(one.item.id, []).append(one)
    most = max(map(len, by_item.values()))
    annotations = [
        {name: _read_marks(found[at]) for name, found in by_item.items() if at < len(found)}
        for at in range(most)
    ]
    adjudicated = any(one.annotator == "adjudication" for one in _with_field(results.settled, PHENOMENA))
    settled = {name: _read_marks(found[0]) for name, found in _by_item(results.settled, PHENOMENA).items()}
    empty: dict[str, list[Span]] = {
        name: [] for name, found in by_item.items() if not any(map(_read_marks, found))
    }
    items = {name: found[0].item for name, found in by_item.items()}
    return phenomena_tables(
        annotations,
        {**empty, **settled} if adjudicated else {},
        {name: split_item_id(name)[0] for name in items},
        {name: len(item.text) for name, item in items.items()},
        {name: item.cluster for name, item in items.items()},
    )


def _read_marks(labels: AnnotatorLabels) -> list[Span]:
    return [(span["start"], span["end"], span["label"]) for span in labels.values.get(PHENOMENA, ())]
