"""A game's own options: every field of its Settings or Recipe becomes one, with its help and its limits."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import typer
from msgspec import Struct

from ..core.values import Problem


def with_fields(function: Callable[..., Any], parameter: str, fields: type[Struct]) -> Callable[..., Any]:
    """The function with its parameter, which takes such a value, spread out into one option a field."""
    signature = inspect.signature(function, eval_str=True)
    options = [_option(field, hint) for field, hint in _hints(fields)]
    names = [option.name for option in options]
    others = [other for name, other in signature.parameters.items() if name != parameter]

    @wraps(function)
    def spread(**values: Any) -> Any:
        given = {name: values.pop(name) for name in names}
        return function(**values, **{parameter: _convert(given, fields)})

    del spread.__wrapped__
    spread.__signature__ = signature.replace(parameters=[*others, *options])  # type: ignore[attr-defined]
    spread.__annotations__ = {other.name: other.annotation for other in [*others, *options]}
    return spread


def _hints(fields: type[Struct]) -> list[tuple[msgspec.structs.FieldInfo, Any]]:
    hints = get_type_hints(fields, include_extras=True)
    return [(field, hints[field.name]) for field in msgspec.structs.fields(fields)]


def _option(field: msgspec.structs.FieldInfo, hint: Any) -> inspect.Parameter:
    about = ""
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        about = next((extra.description or "" for extra in extras if isinstance(extra, msgspec.Meta)), "")
    if get_origin(hint) is Literal:
        about, hint = f"{about} ({', '.join(map(str, get_args(hint)))})", str
    option = typer.Option(_flag(field.name), help=about)
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=Annotated[hint, option]
    )


def _convert(given: dict[str, Any], fields: type[Struct]) -> Any:
    try:
        return msgspec.convert(given, fields)
    except msgspec.ValidationError as trouble:
        found = re.fullmatch(r"Expected (.*) - at `\$\.(\w+)`", str(trouble))
        if not found:
            raise Problem(f"{trouble}: change the option") from None
        expected = found[1].replace("`", "")
        raise Problem(f"{_flag(found[2])} {given[found[2]]}: expected {expected}") from None


def _flag(field: str) -> str:
    return f"{'-' if len(field) == 1 else '--'}{field.replace('_', '-')}"
