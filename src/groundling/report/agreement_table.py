"""The agreement statistics of a table of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.values import Problem
from groundling.csv_cells import encode_csv_records
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.scores.agreement import RESAMPLES, Agreement, ac1, alpha, alpha_spans, cohen, fleiss, percent
from groundling.scores.label_distances import SET_METRICS
from groundling.scores.label_file import LabelFile

MAX_SHOWN = 12
"""Larger tables of confusions are only written to files."""
MAX_PAIRS = 10
"""Pairs are listed for up to this number of annotators."""


class AgreementRow(Struct, frozen=True):
    statistic: str
    metric: str
    """The metric of alpha, the weights of kappa, or the kind of span."""
    annotators: str
    """Two names, or "all"."""
    found: Agreement


def agreement_rows(
    labels: LabelFile,
    metrics: Sequence[str] = (),
    order: Sequence[Any] | None = None,
    *,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[AgreementRow]:
    """Compute every statistic that fits the labels, or only these metrics of alpha."""
    more: dict[str, Any] = {
        "clusters": labels.clusters,
        "over_annotators": over_annotators,
        "resamples": resamples,
        "seed": seed,
    }
    try:
        if labels.lengths is not None:
            return list(_span_rows(labels, more))
        return list(_label_rows(labels, metrics, order, more))
    except ValueError as trouble:
        raise Problem(f"{trouble} (--metric, --order)") from None


def _label_rows(
    labels: LabelFile, metrics: Sequence[str], order: Sequence[Any] | None, more: dict[str, Any]
) -> Iterator[AgreementRow]:
    ratings = labels.ratings
    for metric in metrics or _fitting_metrics(labels, order):
        categories = None if metric in SET_METRICS else order
        yield AgreementRow("alpha", metric, "all", alpha(ratings, metric, categories=categories, **more))
    whole: dict[str, Callable[..., Agreement]] = {"fleiss": fleiss, "percent": percent}
    for name, statistic in whole.items():
        yield AgreementRow(name, "", "all", statistic(ratings, **more))
    yield AgreementRow("ac1", "", "all", ac1(ratings, categories=None if labels.sets else order, **more))
    if len(labels.annotators) <= MAX_PAIRS:
        del more["over_annotators"]
        weights = (None, "linear", "quadratic") if _is_ordered(labels, order) else (None,)
        for (a, one), (b, other) in combinations(enumerate(labels.annotators), 2):
            sides = [row[a] for row in ratings], [row[b] for row in ratings]
            for weight in weights:
                found = cohen(*sides, weight, categories=None if labels.sets else order, **more)
                yield AgreementRow("cohen", weight or "", f"{one}, {other}", found)


def _span_rows(labels: LabelFile, more: dict[str, Any]) -> Iterator[AgreementRow]:
    kinds = sorted({span[2] for row in labels.ratings for some in row for span in some or ()})
    for kind in (None, *kinds):
        found = alpha_spans(labels.ratings, labels.lengths or [], kind, **more)
        yield AgreementRow("alpha over positions", kind or "all kinds", "all", found)


def _fitting_metrics(labels: LabelFile, order: Sequence[Any] | None) -> list[str]:
    if labels.sets:
        return ["nominal", *sorted(SET_METRICS)]
    known = {label for row in labels.ratings for label in row if label is not None}
    numbers = all(isinstance(label, int | float) for label in known)
    ordered = ["ordinal", "gwet-ordinal"] if _is_ordered(labels, order) else []
    return ["nominal", *ordered, *(["interval"] if numbers and ordered else [])]


def _is_ordered(labels: LabelFile, order: Sequence[Any] | None) -> bool:
    known = {label for row in labels.ratings for label in row if label is not None}
    return not labels.sets and (order is not None or all(isinstance(label, int | float) for label in known))


def agreement_table(title: str, labels: LabelFile, rows: Sequence[AgreementRow]) -> TextTable:
    notes = dict.fromkeys(row.found.note for row in rows if row.found.note)
    marks = {note: chr(ord("a") + number) for number, note in enumerate(notes)}
    units = count_noun(len(labels.items), "item")
    clusters = f", {count_noun(len(set(labels.clusters)), 'cluster')}" if labels.clusters else ""
    return TextTable(
        f"{title}: {units}, {count_noun(len(labels.annotators), 'annotator')}{clusters}",
        ("statistic", "metric", "annotators"),
        (Column("n"), Column("value", joined=True), Column("95 %", joined=True), Column("note", joined=True)),
        tuple(
            TableRow(
                (row.statistic, row.metric, row.annotators),
                (str(row.found.n), *row.found.cells, marks.get(row.found.note, "")),
            )
            for row in rows
        ),
        tuple(f"{mark}: {note}." for note, mark in marks.items()),
    )


def confusion_table(
    labels: LabelFile, rows: Sequence[AgreementRow], order: Sequence[Any] | None = None
) -> TextTable | None:
    """Return which labels met: of two annotators first by second, of more in both directions."""
    pair = len(labels.annotators) == 2 and next((row for row in rows if row.statistic == "cohen"), None)
    found = (pair or rows[0]).found.confusion
    used = list(dict.fromkeys([*found, *(label for row in found.values() for label in row)]))
    if not 1 < len(used) <= MAX_SHOWN:
        return None
    used.sort(key=order.index if order and not labels.sets else _label_sort_key)
    first, second = labels.annotators[:2] if pair else ("label", "")
    return TextTable(
        f"{first} (rows) by {second} (columns)"
        if pair
        else "labels that met on one item, in both directions",
        (first,),
        tuple(Column(format_label(label), joined=True) for label in used),
        tuple(
            TableRow((format_label(a),), tuple(f"{found.get(a, {}).get(b, 0):.6g}" for b in used))
            for a in used
        ),
    )


def _label_sort_key(label: Any) -> tuple[int, float, str]:
    number = isinstance(label, int | float)
    return int(not number), label if number else 0.0, format_label(label)


def format_label(label: Any) -> str:
    return "|".join(sorted(label)) or "(none)" if isinstance(label, frozenset) else str(label)


def encode_agreement(ending: str, labels: LabelFile, rows: Sequence[AgreementRow]) -> bytes:
    """Encode the rows as csv or json; json has the confusions too."""
    records = [
        {name: getattr(row, name) for name in ("statistic", "metric", "annotators")}
        | {name: getattr(row.found, name) for name in ("n", "value", "low", "high", "note")}
        for row in rows
    ]
    if ending == "csv":
        return encode_csv_records(records)
    whole = [
        {**record, "confusion": _plain_confusion(row.found.confusion)}
        for record, row in zip(records, rows, strict=True)
    ]
    found = {"items": len(labels.items), "annotators": labels.annotators, "statistics": whole}
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def _plain_confusion(found: Mapping[Any, Mapping[Any, float]]) -> dict[str, dict[str, float]]:
    return {format_label(a): {format_label(b): count for b, count in row.items()} for a, row in found.items()}
