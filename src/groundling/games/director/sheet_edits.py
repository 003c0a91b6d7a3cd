"""Edits of a file of items: add, set, remove. The result is checked as a whole before it is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from groundling.core.pack import choices_hint
from groundling.core.values import Problem, wrong_value
from groundling.games.director.item_checks import check_item_sheet, suggest_item_names
from groundling.games.director.item_sheet import Defaults, Entry, Property, Sheet

S = TypeVar("S", bound=Struct)
DEFAULTS = "defaults"
"""The name that stands for the defaults in place of an item."""
RESET = "default"
"""The value that removes an item's own value."""


def add_sheet_row(sheet: Sheet, name: str, changes: Sequence[str], *, as_property: bool = False) -> Sheet:
    """Return the sheet with one more item, or property, of this name."""
    rows = _sheet_rows(sheet, as_property)
    if name == DEFAULTS and not as_property:
        raise Problem(
            f"an item cannot be called {DEFAULTS}: that is how the defaults are named, so choose another"
        )
    if name in (row.name for row in rows):
        raise Problem(
            f"there already is {_kind_of_row(as_property)} {name!r}: "
            "names must be unique, so choose another, or "
            "set it"
        )
    made = _change_fields({"name": name}, changes, Property if as_property else Entry)
    return _replace_rows(sheet, as_property, (*rows, made))


def change_sheet_row(sheet: Sheet, name: str, changes: Sequence[str], *, as_property: bool = False) -> Sheet:
    """Return the sheet with some fields of an item, a property or the defaults changed."""
    if not changes:
        raise Problem("nothing to set: write FIELD=VALUE, such as size=3")
    if name == DEFAULTS and not as_property:
        given = msgspec.to_builtins(sheet.defaults)
        return msgspec.structs.replace(sheet, defaults=_change_fields(given, changes, Defaults))
    rows = _sheet_rows(sheet, as_property)
    at = _find_row(rows, name, as_property)
    changed = _change_fields(msgspec.to_builtins(rows[at]), changes, type(rows[at]))
    return _replace_rows(sheet, as_property, (*rows[:at], changed, *rows[at + 1 :]))


def remove_sheet_row(sheet: Sheet, name: str, *, as_property: bool = False) -> Sheet:
    """Return the sheet without an item, or a property that no item has."""
    rows = _sheet_rows(sheet, as_property)
    at = _find_row(rows, name, as_property)
    return _replace_rows(sheet, as_property, (*rows[:at], *rows[at + 1 :]))


def encode_edited_sheet(sheet: Sheet, folder: Path | None = None) -> bytes:
    """Write the file with one line per property and item; Problem if a check fails."""
    for trouble in check_item_sheet(sheet, folder):
        raise Problem(trouble)
    head = [
        f" {json.dumps(name)}: {_encode_value(value)}"
        for name, value in msgspec.to_builtins(sheet).items()
        if name not in _MANY
    ]
    many = [f' "{name}": [\n{_encode_rows(getattr(sheet, name))}\n ]' for name in _MANY]
    return ("{\n" + ",\n".join([*head, *many]) + "\n}\n").encode()


_MANY = ("properties", "items")


def _encode_rows(rows: Iterable[Struct]) -> str:
    return ",\n".join(f"  {_encode_value(msgspec.to_builtins(row))}" for row in rows)


def _encode_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind_of_row(as_property: bool) -> str:
    return "a property" if as_property else "an item"


def _sheet_rows(sheet: Sheet, as_property: bool) -> tuple[Property, ...] | tuple[Entry, ...]:
    return sheet.properties if as_property else sheet.items


def _replace_rows(sheet: Sheet, as_property: bool, rows: tuple[Any, ...]) -> Sheet:
    return msgspec.structs.replace(sheet, **{"properties" if as_property else "items": rows})


def _find_row(rows: Sequence[Property] | Sequence[Entry], name: str, as_property: bool) -> int:
    names = [row.name for row in rows]
    if name not in names:
        raise Problem(
            f"there is no {_kind_of_row(as_property).split()[1]} {name!r}: {suggest_item_names(name, names)}"
        )
    return names.index(name)


def _change_fields(given: dict[str, Any], changes: Sequence[str], kind: type[S]) -> S:
    hints = get_type_hints(kind)
    for change in changes:
        field, equals, value = change.partition("=")
        if not equals or field not in hints:
            raise Problem(f"{change!r} is not FIELD=VALUE with one of its fields: {choices_hint(hints)}")
        if value == RESET:
            given.pop(field, None)
        elif "tuple" in str(hints[field]):
            given[field] = [part.strip() for part in value.split(",") if part.strip()]
        else:
            given[field] = value
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as trouble:
        field, told = wrong_value(trouble)
        raise Problem(f"{field or kind.__name__.lower()}: {told}; give it another value") from None
