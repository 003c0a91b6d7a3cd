"""Bots that annotate: every item has true values, and a bot gives others at a known rate."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from groundling.core.annotation_item import AnnotationItem
from groundling.studies.annotation_labels import LabelValues, is_asked
from groundling.studies.annotation_schema import AnnotationField

MOST_COUNT = 5


def true_values(fields: Sequence[AnnotationField], item: AnnotationItem) -> LabelValues:
    """The known answers of an item; others are drawn once for the item, so that all bots mean the same."""
    values: LabelValues = {}
    for field in fields:
        if is_asked(field, values):
            random = Random(f"{item.id}/{field.name}")
            values[field.name] = item.answers.get(field.name, _draw_value(field, item, random))
    return values


def confuse_values(
    fields: Sequence[AnnotationField], item: AnnotationItem, random: Random, rate: float
) -> LabelValues:
    """What a bot says: with the probability `rate` another value than the true one, field by field."""
    truth, said = true_values(fields, item), LabelValues()
    for field in fields:
        if is_asked(field, said):
            right = truth.get(field.name)
            slips = right is None or random.random() < rate
            said[field.name] = _draw_other(field, item, random, right) if slips else right
    return said


def _draw_other(field: AnnotationField, item: AnnotationItem, random: Random, right: Any) -> Any:
    if field.kind in ("choice", "ordered"):
        return random.choice([label for label in field.labels if label != right])
    if field.kind in ("text", "board"):
        return _draw_value(field, item, random)
    for _ in range(100):
        value = _draw_value(field, item, random)
        if value != right:
            return value
    return right


def _draw_value(field: AnnotationField, item: AnnotationItem, random: Random) -> Any:
    match field.kind:
        case "choice" | "ordered":
            return random.choice(field.labels)
        case "several":
            return [label for label in field.labels if random.random() < 0.5]
        case "count":
            return random.randint(0, min(MOST_COUNT, field.most))
        case "spans":
            return _draw_spans(field, item.text, random)
        case "text":
            return random.choice(("as it says", "hard to tell", "see above"))
        case "board":
            return []  # no moves: the board stays as it is


def _draw_spans(field: AnnotationField, text: str, random: Random) -> list[dict[str, Any]]:
    ends = [0, *(place + 1 for place, letter in enumerate(text) if letter == " "), len(text) + 1]
    spans = set()
    for _ in range(random.randint(0, 2)):
        first = random.randrange(len(ends) - 1)
        last = min(len(ends) - 1, first + random.randint(1, 3))
        if ends[first] < ends[last] - 1:
            spans.add((ends[first], ends[last] - 1, random.choice(field.labels)))
    return [{"start": start, "end": end, "label": label} for start, end, label in sorted(spans)]
