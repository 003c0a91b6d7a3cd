"""The schema of an annotation in a study file: what annotators are asked about an item, and what its table
holds."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from groundling.studies.study_part import Count, Name, StudyPart

FieldKind: TypeAlias = Literal["choice", "ordered", "several", "count", "spans", "text", "board"]
LABELLED: tuple[FieldKind, ...] = ("choice", "ordered", "several", "spans")
"""Kinds with labels to choose from."""
CLOSED: tuple[FieldKind, ...] = ("choice", "ordered", "several", "count")
"""Kinds whose values are in the study's log. Of others the log has a digest."""


class AnnotationField(StudyPart, frozen=True):
    """One question about an item."""

    name: Name
    kind: Annotated[
        FieldKind,
        Meta(
            description="choice: one label; ordered: one of labels that have an order; several: any of them; "
            "count: a whole number; spans: marked words; text: free text; board: a corrected board"
        ),
    ]
    text: Annotated[str, Meta(description="the question, as annotators read it")] = ""
    labels: Annotated[tuple[str, ...], Meta(description="the labels; those of ordered from low to high")] = ()
    about: Annotated[dict[str, str], Meta(description="what a label means, in a few words")] = {}
    optional: Annotated[bool, Meta(description="it may be left empty")] = False
    when: Annotated[
        dict[str, tuple[str, ...]], Meta(description="asked only where other fields have one of these labels")
    ] = {}
    most: Annotated[int, Meta(ge=1, description="the largest count")] = 1000


class AnnotateTask(StudyPart, frozen=True, tag="annotate", tag_field="kind"):
    """Label items, one after the other; all of a task are sent together and can be changed until then."""

    fields: Annotated[
        tuple[AnnotationField, ...],
        Meta(description="what is asked; to adjudicate, by default what the earlier stage asks"),
    ] = ()
    in_a_row: Annotated[Count, Meta(description="items of a task")] = 10
    guidelines: Annotated[str, Meta(description="the file of a text that is beside every item")] = ""
    skip: Annotated[bool, Meta(description="annotators may skip an item with a reason")] = True
    adjudicate: Annotated[
        bool,
        Meta(description="items is a stage: settle the items on which its annotators differ, side by side"),
    ] = False
    only: Annotated[
        dict[str, tuple[str, ...]], Meta(description="items is a stage: only the items that it labelled so")
    ] = {}


class TableColumns(StudyPart, frozen=True):
    """The columns of a table of items. Those of the fields of `AnnotationItem` are found by their names."""

    id: str = "id"
    text: Annotated[str, Meta(description="what is annotated")] = "text"
    before: Annotated[str, Meta(description="what came before it; several texts are lines")] = "before"
    picture: Annotated[str, Meta(description="an image file beside the table")] = "picture"
    board: str = "board"
    cluster: Annotated[str, Meta(description="items of a cluster are not independent")] = "cluster"
    show: Annotated[tuple[str, ...], Meta(description="further columns that annotators see")] = ()
    answers: Annotated[
        dict[str, str], Meta(description="the columns of known answers, by field, for practice")
    ] = {}
