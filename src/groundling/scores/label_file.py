"""Tables of labels as files: CSV, TSV or JSONL, wide or long.

A wide table has a row for each item and a column for each annotator. A long table has a row for each item,
annotator and label; several rows make a set of labels, and `start` and `end` make the label a marked span.
Empty cells are missing labels. In a long table of sets or spans, a row with an empty label says that the
annotator marked nothing."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from groundling.core.values import Problem

Row: TypeAlias = Mapping[str, Any]
ITEM = ("item", "unit", "id", "instance", "text_id")
ANNOTATOR = ("annotator", "coder", "rater", "judge", "worker", "participant")
LABEL = ("label", "value", "rating", "code", "category", "type")
CLUSTER = ("cluster",)
LENGTH, TEXT, START, END = "length", "text", "start", "end"


class LabelColumns(Struct, frozen=True):
    """The names of columns; "" where they are to be found by their usual names."""

    item: str = ""
    annotator: str = ""
    label: str = ""
    cluster: str = ""
    annotators: tuple[str, ...] = ()
    """The columns of a wide table that hold labels."""


class LabelFile(Struct, frozen=True):
    items: list[str]
    annotators: list[str]
    ratings: list[list[Any]]
    """For each item one label, set of labels or tuple of spans for each annotator, or None."""
    clusters: list[str] | None = None
    lengths: list[int] | None = None
    """The lengths of the texts, if the labels are spans."""
    sets: bool = False


def parse_label_file(
    name: str, content: bytes, columns: LabelColumns | None = None, missing: str = "", *, sets: bool = False
) -> LabelFile:
    """Parse a table. With `sets`, a cell holds labels with | between them. Raises Problem."""
    columns = columns or LabelColumns()
    rows = parse_table_rows(name, content)
    if not rows:
        raise Problem(f"{name} has no rows of labels: give a table with a header and at least one row")
    header = list(dict.fromkeys(column for row in rows for column in row))
    chosen = (columns.item, columns.annotator, columns.label, columns.cluster, *columns.annotators)
    for column in filter(None, chosen):
        if column not in header:
            raise Problem(f"{name} has no column {column!r}: choose from {', '.join(header)}")
    columns = replace(columns, cluster=columns.cluster or _find_column(header, CLUSTER))
    item = columns.item or _find_column(header, ITEM)
    annotator = columns.annotator or _find_column(header, ANNOTATOR)
    label = columns.label or _find_column(header, LABEL)
    if columns.annotators or not (annotator and label):
        if columns.annotator or columns.label:
            needed = "a column of annotators" if not annotator else "a column of labels"
            raise Problem(f"{name} has no {needed.removeprefix('a ')}: name it with --annotator or --label")
        return _read_wide(name, rows, header, item, columns, missing, sets)
    if not item:
        raise Problem(f"{name} has no column of items: name it with --item; there are {', '.join(header)}")
    return _read_long(name, rows, (item, annotator, label, columns.cluster), missing, sets)


def read_item_labels(name: str, content: bytes) -> dict[str, str]:
    """The label of each item in a long table: the one that more annotators gave than any other. Items without
    one are left out. Raises Problem."""
    rows = parse_table_rows(name, content)
    header = list(dict.fromkeys(column for row in rows for column in row))
    item, label = _find_column(header, ITEM), _find_column(header, LABEL)
    if not item or not label:
        raise Problem(f"{name} needs a column of items and one of labels; it has {', '.join(header)}")
    votes: dict[str, Counter[str]] = {}
    for row in rows:
        value = _read_label(row[label], "", False)
        if isinstance(value, str):
            votes.setdefault(str(row[item]), Counter())[value] += 1
    ranked = {unit: found.most_common(2) for unit, found in votes.items()}
    return {unit: best[0][0] for unit, best in ranked.items() if len(best) == 1 or best[0][1] > best[1][1]}


def _find_column(header: Iterable[str], usual: Sequence[str]) -> str:
    by_name = {column.strip().lower(): column for column in header}
    return next((by_name[name] for name in usual if name in by_name), "")


def parse_table_rows(name: str, content: bytes) -> list[Row]:
    """The rows of a table in CSV, TSV or JSONL. Raises Problem."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Problem(f"{name} is not UTF-8 text: save it as CSV, TSV or JSONL in UTF-8") from None
    if text.lstrip().startswith("{"):
        return list(_parse_json_rows(name, text))
    first = text.lstrip().partition("\n")[0]
    delimiter = max("\t;,", key=first.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        rows: list[Row] = list(reader)
    except csv.Error as trouble:
        raise Problem(f"{name}:{reader.line_num} is not a row of the table ({trouble}): fix it") from None
    if len(reader.fieldnames or ()) < 2:
        raise Problem(f"{name} has fewer than two columns: give a table as CSV, TSV or JSONL")
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise Problem(f"{name}:{number} has not as many cells as the header: fix the row")
    return rows


def _parse_json_rows(name: str, text: str) -> Iterable[Row]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield decode(line)
            except msgspec.MsgspecError as trouble:
                raise Problem(f"{name}:{number} is not a JSON object ({trouble}): fix it") from None


def _read_wide(
    name: str,
    rows: Sequence[Row],
    header: Sequence[str],
    item: str,
    columns: LabelColumns,
    missing: str,
    sets: bool,
) -> LabelFile:
    people = list(columns.annotators) or [one for one in header if one not in (item, columns.cluster)]
    if len(people) < 2:
        raise Problem(f"{name} has labels of fewer than two annotators: give a column for each of them")
    items = [str(row.get(item, "")) if item else str(number) for number, row in enumerate(rows, 1)]
    if len(set(items)) < len(items):
        twice = next(one for at, one in enumerate(items) if one in items[:at])
        raise Problem(f"{name} has the item {twice!r} twice: keep one row for each item")
    cells = [[_read_label(row.get(one), missing, sets) for one in people] for row in rows]
    clusters = [str(row.get(columns.cluster, "")) for row in rows] if columns.cluster else None
    return LabelFile(items, people, as_numbers(cells), clusters, sets=sets or _holds_sets(cells))


def _read_long(
    name: str, rows: Sequence[Row], columns: tuple[str, str, str, str], missing: str, sets: bool
) -> LabelFile:
    item, annotator, label, cluster = columns
    spans = all(column in rows[0] for column in (START, END))
    items = list(dict.fromkeys(str(row.get(item)) for row in rows))
    people = list(dict.fromkeys(str(row.get(annotator)) for row in rows))
    found: dict[tuple[str, str], list[Any]] = {}
    owners: dict[str, str] = {}
    lengths: dict[str, int] = {}
    for number, row in enumerate(rows, 2):
        unit, who = str(row.get(item)), str(row.get(annotator))
        if cluster and owners.setdefault(unit, str(row.get(cluster))) != str(row.get(cluster)):
            raise Problem(f"{name} has the item {unit!r} in two clusters: give each item one {cluster}")
        some = found.setdefault((unit, who), [])
        value = _read_label(row.get(label), missing, False)
        if spans:
            lengths[unit] = _read_length(name, number, row)
            some += [] if value is None else [_read_span(name, number, row, value, lengths[unit])]
        elif value is not None:
            if some and not sets:
                raise Problem(
                    f"{name} has two labels of {who!r} for the item {unit!r}: keep one, or use --metric "
                    "jaccard or masi for sets of labels"
                )
            some += value if isinstance(value, frozenset) else [value]
    hold = (
        (lambda some: tuple(some))
        if spans
        else frozenset
        if sets
        else (lambda some: some[0] if some else None)
    )
    cells = [[hold(found[unit, who]) if (unit, who) in found else None for who in people] for unit in items]
    return LabelFile(
        items,
        people,
        cells if spans else as_numbers(cells),
        [owners[unit] for unit in items] if cluster else None,
        [lengths[unit] for unit in items] if spans else None,
        sets=sets,
    )


def _read_label(value: Any, missing: str, sets: bool) -> Any:
    if isinstance(value, list):
        return frozenset(map(str, value))
    text = (
        ""
        if value is None
        else value.strip()
        if isinstance(value, str)
        else msgspec.json.encode(value).decode()
    )
    if text in ("", missing):
        return None
    return frozenset(part.strip() for part in text.split("|") if part.strip()) if sets else text


def _read_length(name: str, number: int, row: Row) -> int:
    if TEXT in row:
        return len(str(row[TEXT]))
    if not str(row.get(LENGTH, "")).strip().isdecimal():
        raise Problem(f"{name}:{number} has spans but no length of the text: add a column text or length")
    return int(row[LENGTH])


def _read_span(name: str, number: int, row: Row, kind: str, length: int) -> tuple[int, int, str]:
    try:
        start, end = int(row[START]), int(row[END])
    except (TypeError, ValueError):
        raise Problem(
            f"{name}:{number} has a start or end that is not a whole number: fix the span"
        ) from None
    if not 0 <= start < end <= length:
        raise Problem(f"{name}:{number} has the span {start} to {end} in a text of length {length}: fix it")
    return start, end, kind


def as_numbers(cells: list[list[Any]]) -> list[list[Any]]:
    """Convert the labels to numbers if all of them are; numbers have an order."""
    labels = {label for row in cells for label in row if label is not None}
    try:
        numbers = {label: float(label) for label in labels}
    except (TypeError, ValueError):
        return cells
    whole = {label: int(number) if number.is_integer() else number for label, number in numbers.items()}
    return [[None if label is None else whole[label] for label in row] for row in cells]


def _holds_sets(cells: Iterable[Iterable[Any]]) -> bool:
    return any(isinstance(label, frozenset) for row in cells for label in row)
