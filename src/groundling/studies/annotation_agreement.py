"""How far the annotators of a study agree, and whether that changes while they work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter

from msgspec import Struct

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.studies.annotation_flow import differs, is_annotated, settle_item, stage_fields
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.study_events import TaskSubmitted
from groundling.studies.study_records import StageState
from groundling.studies.study_state import StudyState

PARTS = 3
"""The parts of an annotator's work, in the order of time, whose agreement is compared."""


class FieldAgreement(Struct, frozen=True):
    """Pairs of labels for the same item."""

    stage: str
    field: str
    items: int
    """Items with labels of at least two annotators."""
    pairs: int
    equal: int


class AnnotatorDrift(Struct, frozen=True):
    """How often an annotator said the same as others, over time."""

    stage: str
    person: str
    items: int
    """Items that others labelled, too."""
    shares: tuple[float | None, ...]
    """The share of equal labels in each part of the work, the earliest first."""

    @property
    def change(self) -> float | None:
        known = [share for share in self.shares if share is not None]
        return known[-1] - known[0] if len(known) > 1 else None


class SettlingCount(Struct, frozen=True):
    """How many items of a stage are settled."""

    stage: str
    items: int
    annotated: int
    differ: int
    settled: int


def list_annotations(state: StudyState) -> list[StageState]:
    """The stages in which several annotators label an item."""
    return [
        stage
        for stage in state.stages.values()
        if isinstance(stage.stage.task, AnnotateTask)
        and state.study.is_work(stage.stage)
        and stage.stage.answers != 1
    ]


def measure_fields(state: StudyState) -> Iterator[FieldAgreement]:
    for stage in list_annotations(state):
        for field in stage_fields(state.study, stage.stage):
            items = pairs = equal = 0
            for labels in stage.labels.values():
                said = [values[field.name] for values in labels.values() if field.name in values]
                items += len(said) > 1
                for one, other in combinations(said, 2):
                    pairs, equal = pairs + 1, equal + (one == other)
            if pairs:
                yield FieldAgreement(stage.stage.name, field.name, items, pairs, equal)


def measure_drift(state: StudyState) -> Iterator[AnnotatorDrift]:
    """Each annotator's agreement with the others, in parts of equal size in the order of their work."""
    for stage in list_annotations(state):
        order = _work_order(state, stage.stage.name)
        work: dict[str, list[tuple[tuple[float, int], float]]] = defaultdict(list)
        for item, labels in stage.labels.items():
            for person, values in labels.items():
                others = [other for name, other in labels.items() if name != person]
                same = [
                    values[field] == other[field] for other in others for field in values if field in other
                ]
                if same:
                    work[person].append((order[person, item], sum(same) / len(same)))
        for person, found in sorted(work.items()):
            shares = [share for _, share in sorted(found, key=itemgetter(0))]
            yield AnnotatorDrift(stage.stage.name, person, len(shares), tuple(_part_means(shares)))


def _work_order(state: StudyState, stage: str) -> dict[tuple[str, str], tuple[float, int]]:
    """When a person's task ended that has an item, and the place of the item in the task."""
    return {
        (person, item): (end.at, task.assigned.items.index(item))
        for task in state.tasks.values()
        if task.counted and task.assigned.stage == stage
        for person, end in task.ends.items()
        if isinstance(end, TaskSubmitted)
        for item in end.labels
    }


def _part_means(shares: Sequence[float]) -> Iterator[float | None]:
    for part in range(PARTS):
        some = shares[part * len(shares) // PARTS : (part + 1) * len(shares) // PARTS]
        yield sum(some) / len(some) if some else None


def count_settled(state: StudyState) -> Iterator[SettlingCount]:
    for stage in list_annotations(state):
        name = stage.stage.name
        done = [item for item in stage.items if is_annotated(stage, item)]
        settled = sum(settle_item(state.study, state.stages, name, item).by != "nobody" for item in done)
        differing = sum(differs(stage, item) for item in done)
        yield SettlingCount(name, len(stage.items), len(done), differing, settled)


def annotation_tables(state: StudyState) -> list[TextTable]:
    """Agreement by field, and by annotator over time; none where nobody annotates."""
    fields, drift, counts = (
        list(measure_fields(state)),
        list(measure_drift(state)),
        list(count_settled(state)),
    )
    if not counts:
        return []
    tables = [
        TextTable(
            "Annotated items",
            ("stage",),
            (Column("items"), Column("annotated"), Column("differ"), Column("settled")),
            tuple(
                TableRow(
                    (each.stage,), (str(each.items), str(each.annotated), str(each.differ), str(each.settled))
                )
                for each in counts
            ),
        )
    ]
    if fields:
        rows = tuple(
            TableRow((each.stage, each.field), (str(each.items), f"{100 * each.equal / each.pairs:.1f}"))
            for each in fields
        )
        columns = (Column("items"), Column("equal %", joined=True))
        tables.append(TextTable("Agreement of annotators", ("stage", "field"), columns, rows))
    if drift:
        names = ("items", "first third", "second", "last third", "change")
        rows = tuple(
            TableRow(
                (each.stage, each.person), (str(each.items), *map(_percent, (*each.shares, each.change)))
            )
            for each in drift
        )
        title = "Agreement with the others over time, in percent"
        tables.append(TextTable(title, ("stage", "annotator"), tuple(map(Column, names)), rows))
    return tables


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"
