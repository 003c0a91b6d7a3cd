"""The fields of a game's settings or recipe: how options and forms show them, and conversion from texts."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from groundling.core.pack import Pack, choices_hint, load
from groundling.core.values import Problem, wrong_value


class SettingField(Struct, frozen=True, omit_defaults=True):
    """A setting as a form shows it."""

    name: str
    about: str
    kind: Literal["choice", "flag", "number", "text"]
    value: Any
    """The value that people have unless another is chosen."""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


class WrongField(Exception):  # noqa: N818 - its catcher makes it a Problem in the caller's words
    """A value that does not fit its field."""

    def __init__(self, field: str, told: str) -> None:
        self.field, self.told = field, told


def field_hints(fields: type[Struct]) -> list[tuple[msgspec.structs.FieldInfo, Any]]:
    hints = get_type_hints(fields, include_extras=True)
    return [(field, hints[field.name]) for field in msgspec.structs.fields(fields)]


def field_choices(hint: Any) -> list[str]:
    """Return the values of a Literal field, else none."""
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return [str(word) for word in get_args(inner)] if get_origin(inner) is Literal else []


def convert_fields(values: Mapping[str, Any], fields: type[Struct]) -> Any:
    """Make the struct from values or their texts, or raise WrongField with the field and what it accepts."""
    try:
        found = msgspec.convert(values, fields, strict=False)
    except msgspec.ValidationError as trouble:
        name, told = wrong_value(trouble)
        choices = next((field_choices(hint) for field, hint in field_hints(fields) if field.name == name), [])
        raise WrongField(name, choices_hint(choices) if choices else told) from None
    for name in fields.__struct_fields__:
        if isinstance(value := getattr(found, name), float) and not isfinite(value):
            raise WrongField(name, "expected a finite number")
    return found


def read_live_settings(pack: Pack, chosen: Mapping[str, Any] = {}) -> Any:
    """Return the settings with which people play, given those that somebody chose."""
    return read_settings(pack, chosen, pack.live.settings)


def read_settings(pack: Pack, chosen: Mapping[str, Any], usual: Mapping[str, Any] = {}) -> Any:
    """Return a game's settings: those that somebody chose, else the usual ones, else the defaults."""
    return _read_fields(pack, load(pack.game).Settings, "setting", chosen, usual)


def read_recipe_fields(pack: Pack, chosen: Mapping[str, Any]) -> Any:
    """Return the recipe of new instances of a game."""
    return _read_fields(pack, load(pack.recipe), "option of its recipe", chosen, {})


def _read_fields(
    pack: Pack, kind: type[Struct], what: str, chosen: Mapping[str, Any], usual: Mapping[str, Any]
) -> Any:
    known = kind.__struct_fields__
    if extra := set(chosen) - set(known):
        hint = choices_hint(known) if known else "it has none"
        raise Problem(f"{pack.name} has no {what} {', '.join(sorted(extra))}: {hint}")
    try:
        return convert_fields({**usual, **chosen}, kind)
    except WrongField as wrong:
        value = chosen.get(wrong.field, "")
        raise Problem(f"the {what} {wrong.field} of {pack.name} is {value!r}: {wrong.told}") from None


def describe_setting_fields(pack: Pack) -> list[SettingField]:
    """Return the settings of a game in their order, with what people have by default."""
    usual = read_live_settings(pack)
    return [_describe_field(name, hint, getattr(usual, name)) for name, hint in _named_hints(type(usual))]


def _named_hints(fields: type[Struct]) -> list[tuple[str, Any]]:
    return [(field.name, hint) for field, hint in field_hints(fields)]


def _describe_field(name: str, hint: Any, value: Any) -> SettingField:
    inner, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    metas = [extra for extra in extras if isinstance(extra, msgspec.Meta)]
    choices = tuple(field_choices(hint))
    kinds = {bool: "flag", int: "number", float: "number"}
    kind: Any = "choice" if choices else kinds.get(inner, "text")
    return SettingField(
        name,
        next((meta.description for meta in metas if meta.description), ""),
        kind,
        value,
        choices,
        next((meta.ge for meta in metas if meta.ge is not None), None),
        next((meta.le for meta in metas if meta.le is not None), None),
    )
