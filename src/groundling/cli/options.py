"""Turn the fields of a game's Settings or Recipe into command-line options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Struct
from typer import Option

from groundling.core.pack import choices_hint
from groundling.core.setting_fields import WrongField, convert_fields, field_choices, field_hints
from groundling.core.values import Problem, Recipe

SetOption: TypeAlias = Annotated[
    list[str] | None, Option("--set", help="Only this set; give it again for more.", metavar="NAME")
]
GameOption: TypeAlias = Annotated[
    str, Option(metavar="GAME", help="The game of the run: NAME, FILE.py or PACKAGE:PACK.")
]
LabelsOption: TypeAlias = Annotated[
    list[str] | None,
    Option(help="Labels of instances or steps from a file, as a facet of this name.", metavar="NAME=FILE"),
]


def check_option_bounds(**bounds: tuple[float | None, float]) -> None:
    """Raise Problem if an option is below its least value."""
    for name, (value, least) in bounds.items():
        if value is not None and not value >= least:
            raise Problem(f"{_option_flag(name)} is {value:g}: must be at least {least:g}")


def with_field_options(
    function: Callable[..., Any], parameter: str, fields: type[Struct]
) -> Callable[..., Any]:
    """Replace the parameter that takes such a struct by one option for each field."""
    options = [_make_option(field, hint) for field, hint in field_hints(fields)]
    return _spread_parameter(
        function, parameter, options, fields.__name__, lambda given: _convert_options(given, fields)
    )


def with_struct_options(
    function: Callable[..., Any], parameter: str, struct: type[Struct]
) -> Callable[..., Any]:
    """Replace the parameter that takes such a struct by its fields, whose types are options of typer."""
    options = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.required else field.default,
            annotation=hint,
        )
        for field, hint in field_hints(struct)
    ]
    return _spread_parameter(function, parameter, options, struct.__name__, lambda given: struct(**given))


def with_list_options(
    function: Callable[..., Any], parameter: str, about: Mapping[str, str], metavar: str
) -> Callable[..., Any]:
    """Replace the parameter that takes lists of texts by one repeatable option for each name. `about` has the
    help text by name."""
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[list[str] | None, Option(_option_flag(name), help=text, metavar=metavar)],
        )
        for name, text in about.items()
    ]
    return _spread_parameter(
        function,
        parameter,
        options,
        "a game",
        lambda given: {name: texts or [] for name, texts in given.items()},
    )


def _spread_parameter(
    function: Callable[..., Any],
    parameter: str,
    options: Sequence[inspect.Parameter],
    owner: str,
    gather: Callable[[dict[str, Any]], Any],
) -> Callable[..., Any]:
    signature = inspect.signature(function, eval_str=True)
    names = [option.name for option in options]
    others = [other for name, other in signature.parameters.items() if name != parameter]
    clash = {other.name for other in others} & set(names)
    if clash:
        raise Problem(
            f"{owner}.{clash.pop()} has the name of an option that every game has: rename the field"
        )

    @wraps(function)
    def call_with_options(**values: Any) -> Any:
        given = {name: values.pop(name) for name in names}
        return function(**values, **{parameter: gather(given)})

    del call_with_options.__wrapped__
    call_with_options.__signature__ = signature.replace(parameters=[*others, *options])  # type: ignore[attr-defined]
    call_with_options.__annotations__ = {other.name: other.annotation for other in [*others, *options]}
    return call_with_options


def _make_option(field: msgspec.structs.FieldInfo, hint: Any) -> inspect.Parameter:
    """A text option that msgspec converts to the field's type; a flag for booleans."""
    about, repeated = "", _is_repeated(hint)
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        about = next((extra.description or "" for extra in extras if isinstance(extra, msgspec.Meta)), "")
    if field_choices(hint):
        about = f"{about} ({', '.join(field_choices(hint))})"
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    flag = _option_flag(field.name)
    kind: Any = bool if hint is bool else str | None
    if default is True:
        flag = f"{flag}/--no-{field.name.replace('_', '-')}"
    if repeated:
        kind, default = list[str] | None, None
    elif kind is not bool and default is not None:
        default = (
            ",".join(map(str, default))
            if isinstance(default, list | tuple | set | frozenset)
            else str(default)
        )
    option = Option(flag, help=about, metavar=None if kind is bool else _field_metavar(hint))
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def _field_metavar(hint: Any) -> str:
    """The metavar of a field's type; None in a union is ignored."""
    kinds = {
        get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in get_args(hint) or [hint]
    } - {type(None)}
    return {int: "N", float: "X"}.get(kinds.pop(), "TEXT") if len(kinds) == 1 else "TEXT"


def _convert_options(given: dict[str, Any], fields: type[Struct]) -> Any:
    several = {
        field.name for field, hint in field_hints(fields) if _holds_several(hint) and not _is_repeated(hint)
    }
    values = {
        name: [part for part in value.split(",") if part] if name in several else value
        for name, value in given.items()
    }
    try:
        return convert_fields({name: value for name, value in values.items() if value is not None}, fields)
    except WrongField as wrong:
        raise Problem(
            f"{_option_flag(wrong.field)} {given[wrong.field]}: {wrong.told}"
            if wrong.field
            else f"{wrong.told}: change the option"
        ) from None


def read_recipe(fields: type[Recipe], given: Sequence[str], n: int) -> Any:
    """Make the recipe of n instances from FIELD=VALUE texts. The seed is drawn when instances are made."""
    values: dict[str, Any] = {}
    known = [name for name in fields.__struct_fields__ if name not in ("seed", "n", "name", "pictures")]
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            raise Problem(f"--recipe {text} is not FIELD=VALUE: {choices_hint(known)}")
        values[name] = value
    return msgspec.structs.replace(_convert_options(values, fields), n=n)


def _is_repeated(hint: Any) -> bool:
    """Whether `Meta(extra={"repeated": True})` marks an option that is given once for each value."""
    return any(
        (extra.extra or {}).get("repeated")
        for extra in getattr(hint, "__metadata__", ())
        if isinstance(extra, msgspec.Meta)
    )


def _holds_several(hint: Any) -> bool:
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return get_origin(inner) in (list, tuple, set, frozenset)


def _option_flag(field: str) -> str:
    return f"{'-' if len(field) == 1 else '--'}{field.replace('_', '-')}"
