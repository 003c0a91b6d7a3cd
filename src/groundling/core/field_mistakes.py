"""Mistakes in a file of keys and values, such as TOML, that is to become a struct."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from groundling.core.pack import choices_hint
from groundling.core.values import wrong_value


def find_field_mistakes(raw: Mapping[str, Any], kind: type[Struct]) -> Iterator[tuple[str, str]]:
    """Yield where and what is wrong for every key that is unknown or missing, and for every value of the
    wrong type."""
    for where, told in _walk_value(raw, kind, ()):
        yield ".".join(where) or "the file", told


def _walk_value(value: Any, hint: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    parts = get_args(inner)
    tagged = {part.__struct_config__.tag: part for part in parts if _is_struct(part)}
    if get_origin(inner) is UnionType and tagged and isinstance(value, dict):
        kind = value.get("kind")
        if kind not in tagged:
            told = f"there is no task kind {kind!r}" if "kind" in value else "the key kind is missing"
            yield where, f"{told}: {choices_hint(tagged)}"
        else:
            rest = {key: part for key, part in value.items() if key != "kind"}
            yield from _walk_struct(rest, tagged[kind], where)
    elif _is_struct(inner) and isinstance(value, dict):
        yield from _walk_struct(value, inner, where)
    elif get_origin(inner) is dict and _is_struct(parts[1]) and isinstance(value, dict):
        for name, part in value.items():
            yield from _check_leaf(name, parts[0], (*where, name))
            yield from _walk_value(part, parts[1], (*where, name))
    elif get_origin(inner) is tuple and _is_struct(parts[0]) and isinstance(value, list):
        for number, part in enumerate(value, 1):
            name = part.get("name", number) if isinstance(part, dict) else number
            yield from _walk_value(part, parts[0], (*where, str(name)))
        if not value:
            yield from _check_leaf([], hint, where)
    else:
        yield from _check_leaf(value, hint, where)


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


def _walk_struct(
    value: Mapping[str, Any], kind: type[Struct], where: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    hints = get_type_hints(kind, include_extras=True)
    for name, part in value.items():
        if name in kind.__struct_fields__:
            yield from _walk_value(part, hints[name], (*where, name))
        else:
            near = difflib.get_close_matches(name, kind.__struct_fields__, 1)
            advice = f"did you mean {near[0]}?" if near else choices_hint(kind.__struct_fields__)
            yield where, f"there is no key {name}: {advice}"
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in value:
            yield where, f"the key {field.name} is missing: add it"


def _check_leaf(value: Any, hint: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError as trouble:
        yield where, f"{value!r}: {wrong_value(trouble)[1]}"
