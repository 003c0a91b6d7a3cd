"""What annotators say about items: read it, check it against the schema, compare and score it.

A page sends an `ItemAnswer` for each item of its task. The value of a field is

    choice, ordered   the label
    several           a list of labels
    count             a whole number
    spans             a list of {"start": 3, "end": 8, "label": "object"}, in characters of the item's text
    text              the text
    board             the moves that correct the board; stored is the board as the game writes it

A field that was left empty, or was not asked, has no value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.annotation_item import AnnotationItem
from groundling.core.values import Problem
from groundling.studies.annotation_schema import CLOSED, AnnotationField

LabelValues: TypeAlias = dict[str, Any]
"""Values by the name of the field."""
MOST_TEXT = 4_000
"""Characters of a free text or a reason."""
MOST_SPANS = 500
PaintBoard: TypeAlias = Callable[[str, msgspec.Raw], str]
"""Returns the board that moves make of a board. Raises Problem where they cannot be made."""


class ItemAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a page sends about one item, in the order of the items of the task."""

    values: dict[str, msgspec.Raw] = {}
    skipped: str = ""
    """Why it was skipped; it then has no values."""
    seconds: float = 0.0
    """How long the item was on the screen."""


class StoredLabels(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The same as it is stored, with the item."""

    item: str
    values: LabelValues = {}
    skipped: str = ""
    seconds: float = 0.0


class LabelledSpan(Struct, frozen=True, order=True):
    start: int
    end: int
    label: str


_STORED = msgspec.json.Decoder(list[StoredLabels])


def decode_labels(body: bytes) -> list[StoredLabels]:
    """The labels of a task as they are stored."""
    return _STORED.decode(body)


def read_item_answer(
    fields: Sequence[AnnotationField], item: AnnotationItem, sent: ItemAnswer, paint: PaintBoard
) -> StoredLabels:
    """Check an answer against the schema. Raises Problem with one line."""
    seconds = round(min(max(sent.seconds, 0.0), 86_400.0), 1)
    reason = " ".join(sent.skipped.split())
    if len(reason) > MOST_TEXT:
        raise Problem(f"a reason has at most {MOST_TEXT} characters: shorten it")
    if reason:
        return StoredLabels(item=item.id, skipped=reason, seconds=seconds)
    if unknown := sorted({*sent.values} - {field.name for field in fields}):
        raise Problem(f"there is no field {unknown[0]!r} in the schema: reload the page")
    values: LabelValues = {}
    for field in fields:
        if not is_asked(field, values):
            continue
        raw = sent.values.get(field.name)
        value = None if raw is None else read_value(field, item, raw, paint)
        if value is not None:
            values[field.name] = value
        elif not field.optional:
            raise Problem(f"{describe_field(field)} has no answer: answer it, or skip the item")
    return StoredLabels(item=item.id, values=values, seconds=seconds)


def is_asked(field: AnnotationField, values: Mapping[str, Any]) -> bool:
    """Whether a field is asked, given the values of the fields before it."""
    return all(
        {*labels}.intersection(_labels_of(values.get(name, ()))) for name, labels in field.when.items()
    )


def _labels_of(value: Any) -> list[str]:
    return list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]


def describe_field(field: AnnotationField) -> str:
    return f"“{field.text or field.name}”"


def read_value(field: AnnotationField, item: AnnotationItem, raw: msgspec.Raw, paint: PaintBoard) -> Any:
    """The value as it is stored; None where it is empty. Raises Problem for what is not in the schema."""
    where = describe_field(field)
    try:
        match field.kind:
            case "choice" | "ordered":
                return _known_label(field, msgspec.json.decode(raw, type=str))
            case "several":
                chosen = msgspec.json.decode(raw, type=list[str])
                found = {_known_label(field, label) for label in chosen}
                return [label for label in field.labels if label in found]
            case "count":
                number = msgspec.json.decode(raw, type=int)
                if not 0 <= number <= field.most:
                    raise Problem(f"{where}: {number} is not from 0 to {field.most}: correct it")
                return number
            case "spans":
                return _read_spans(field, item, msgspec.json.decode(raw, type=list[LabelledSpan]))
            case "text":
                text = msgspec.json.decode(raw, type=str).strip()
                if len(text) > MOST_TEXT:
                    raise Problem(f"{where} has at most {MOST_TEXT} characters: shorten it")
                return text or None
            case "board":
                return paint(item.board, raw)
    except msgspec.MsgspecError:
        raise Problem(f"{where} cannot be read as {field.kind}: reload the page") from None


def _known_label(field: AnnotationField, label: str) -> str:
    if label not in field.labels:
        known = ", ".join(field.labels)
        raise Problem(f"{describe_field(field)}: {label!r} is not in the schema: choose from {known}")
    return label


def _read_spans(
    field: AnnotationField, item: AnnotationItem, spans: Sequence[LabelledSpan]
) -> list[dict[str, Any]]:
    if len(spans) > MOST_SPANS:
        raise Problem(f"{describe_field(field)} has more than {MOST_SPANS} marks: remove some")
    for span in spans:
        _known_label(field, span.label)
        if not 0 <= span.start < span.end <= len(item.text):
            raise Problem(
                f"{describe_field(field)}: the span {span.start} to {span.end} is outside a text of "
                f"{len(item.text)} characters: mark it again"
            )
    return [msgspec.to_builtins(span) for span in sorted({*spans})]


def comparable_values(fields: Sequence[AnnotationField], labels: StoredLabels) -> dict[str, str]:
    """What the study's log has of labels: equal texts for equal values. Spans and boards are digests, and
    free text is left out: people hardly ever write the same, and the log must not say more than decisions
    need."""
    return {
        field.name: compare_as(field, labels.values[field.name])
        for field in fields
        if field.kind != "text" and field.name in labels.values
    }


def compare_as(field: AnnotationField, value: Any) -> str:
    if field.kind == "several":
        chosen = {*(value.split("|") if isinstance(value, str) else value)}
        return "|".join(label for label in field.labels if label in chosen)
    if field.kind in CLOSED:
        return str(value)
    return sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def score_labels(
    fields: Sequence[AnnotationField], item: AnnotationItem, labels: StoredLabels
) -> float | None:
    """The share of known answers that were given; None where no answer is known."""
    known = [field for field in fields if field.name in item.answers]
    right = [
        field.name in labels.values
        and compare_as(field, labels.values[field.name]) == compare_as(field, item.answers[field.name])
        for field in known
    ]
    return sum(right) / len(right) if right else None
