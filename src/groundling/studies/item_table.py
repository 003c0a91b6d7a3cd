"""Read a table of items to annotate: CSV, TSV or JSONL, with the columns that the study file names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from groundling.core.annotation_item import AnnotationItem
from groundling.core.values import Problem
from groundling.scores.label_file import parse_table_rows
from groundling.studies.annotation_schema import TableColumns

IMAGE_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}


def read_item_table(path: Path, columns: TableColumns) -> dict[str, AnnotationItem]:
    """The items of a table by id. Raises Problem."""
    try:
        content = path.read_bytes()
    except OSError:
        raise Problem(
            f"{path.name} cannot be read: write the table, or make it with groundling data items"
        ) from None
    items: dict[str, AnnotationItem] = {}
    for number, row in enumerate(parse_table_rows(path.name, content), 1):
        item = _read_item(f"{path.name}, row {number}", row, columns)
        if item.id in items:
            raise Problem(f"{path.name} has the item {item.id!r} twice: keep one row for each item")
        items[item.id] = item
    if not items:
        raise Problem(f"{path.name} has no rows: add some")
    for picture in (picture for item in items.values() for picture in item.pictures if picture.file):
        _check_image(path.parent, picture.file)
    return items


def digest_item_table(path: Path, items: Mapping[str, AnnotationItem]) -> str:
    """The SHA-256 of a table and of the image files that it names."""
    digest = sha256(path.read_bytes())
    for name in sorted(
        {picture.file for item in items.values() for picture in item.pictures if picture.file}
    ):
        digest.update((path.parent / name).read_bytes())
    return digest.hexdigest()


def _read_item(where: str, row: Mapping[str, Any], columns: TableColumns) -> AnnotationItem:
    needed = (columns.id, *columns.show, *columns.answers.values())
    if missing := [column for column in needed if column not in row]:
        raise Problem(
            f"{where}: there is no column {missing[0]!r}: name another in columns; it has {', '.join(row)}"
        )
    given = {
        "id": str(row[columns.id]),
        "text": _cell(row, columns.text),
        "before": tuple(_lines(row.get(columns.before))),
        "board": _cell(row, columns.board),
        "cluster": _cell(row, columns.cluster),
        "pictures": list(_pictures(row, columns.picture)),
        "facts": {**_table(row, "facts"), **{column: _cell(row, column) for column in columns.show}},
        "answers": {
            **_table(row, "answers"),
            **{field: row[column] for field, column in columns.answers.items() if row[column] != ""},
        },
    }
    try:
        item = msgspec.convert(given, AnnotationItem)
    except msgspec.ValidationError as trouble:
        raise Problem(f"{where} is not an item ({trouble}): correct it") from None
    if not item.id:
        raise Problem(f"{where} has no id: write one")
    if not (item.text or item.pictures or item.facts):
        raise Problem(f"{where} shows nothing: name its columns in columns")
    return item


def _cell(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value)


def _table(row: Mapping[str, Any], column: str) -> Mapping[str, Any]:
    value = row.get(column)
    return value if isinstance(value, dict) else {}


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from map(str, value)
    elif value:
        yield from filter(None, str(value).splitlines())


def _pictures(row: Mapping[str, Any], column: str) -> Iterator[Any]:
    pictures = row.get("pictures")
    yield from pictures if isinstance(pictures, list) else ()
    if file := _cell(row, column):
        yield {"file": file}


def _check_image(folder: Path, name: str) -> None:
    path = folder / name
    if path.suffix.lower() not in IMAGE_TYPES:
        raise Problem(f"{name} is no image that pages show: give {', '.join(IMAGE_TYPES)}")
    if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
        raise Problem(f"{name} is not in the folder of the table: put the image there")
