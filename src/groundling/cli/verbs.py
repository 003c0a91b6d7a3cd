"""Groups whose commands are imported when they are wanted, and commands for each game, source or trainer."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from groundling.core.pack import choices_hint, find, installed_packs, load
from groundling.core.source import find_source, installed_sources
from groundling.core.trainer import find_trainer, installed_trainers
from groundling.core.values import Problem, missing_extra

ANY_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
EXTRAS = {
    **dict.fromkeys(("numpy", "polars", "rapidfuzz", "scipy"), "score"),
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "web"),
    **dict.fromkeys(("boto3", "botocore"), "mturk"),
    "psycopg": "postgres",
}
"""The extra that installs a package which commands import."""


class CommandGroup(TyperGroup):
    """Commands that are given as MODULE:NAME. Each is imported and built when it is wanted: to build all of
    them takes longer than most commands."""

    places: ClassVar[Mapping[str, Any]] = {}
    free_options: ClassVar[Container[str]] = ()
    """Commands that read options themselves."""

    def find_place(self, name: str) -> Any:
        return self.places.get(name)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        place = self.find_place(cmd_name)
        if place is None:
            # Typer suggests the nearest of these
            self.commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
            return None
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            found = load(place)
        except Problem as trouble:
            add_broken_command(one, cmd_name, find_missing_extra(trouble.__cause__) or trouble)
            return typer.main.get_command(one)
        if not isinstance(found, typer.Typer):
            settings = ANY_OPTIONS if cmd_name in self.free_options else None
            one.command(cmd_name, context_settings=settings)(found)
            return typer.main.get_command(one)
        one.add_typer(found, name=cmd_name)
        return typer.main.get_group(one).get_command(ctx, cmd_name)


def find_missing_extra(trouble: BaseException | None) -> Problem | None:
    """The problem of an import that failed for lack of a package which an extra installs."""
    package = (trouble.name or "").partition(".")[0] if isinstance(trouble, ModuleNotFoundError) else ""
    return missing_extra(EXTRAS[package]) if package in EXTRAS else None


def new_group(about: str, places: Mapping[str, Any]) -> typer.Typer:
    kind = type("Commands", (CommandGroup,), {"places": places})
    return typer.Typer(cls=kind, help=about, rich_markup_mode=None, no_args_is_help=True)


class ByName(TyperGroup):
    """A command with a lazily made subcommand for each game, source or trainer, whose options differ."""

    known: Callable[[], Mapping[str, Any]]
    find: Callable[[str], Any]
    build: Callable[[Any], Any]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(type(self).known())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            found = type(self).find(cmd_name)
            one.command(cmd_name, help=f"{self.help} {found.name.capitalize()}: {found.about}.")(
                type(self).build(found)
            )
        except Problem as trouble:
            if cmd_name not in type(self).known():
                raise
            add_broken_command(one, cmd_name, trouble)
        return typer.main.get_command(one)


def add_broken_command(one: typer.Typer, name: str, trouble: Problem) -> None:
    """List a command that cannot be loaded; it raises its problem when called."""

    def raise_problem() -> None:
        raise trouble

    one.command(name, help=f"Cannot be used: {trouble}", context_settings=ANY_OPTIONS)(raise_problem)


def new_verb(name: str, about: str, builder: str, kind: str = "game") -> typer.Typer:
    finders: dict[str, Callable[[str], Any]] = {"game": find, "source": find_source, "trainer": find_trainer}

    def known_names() -> Mapping[str, Any]:
        return {"game": installed_packs, "source": installed_sources, "trainer": installed_trainers}[kind]()

    def ask_which(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            path = context.command_path.removesuffix(f" {kind.upper()}")
            raise Problem(f"{name} which {kind}? {path} {kind.upper()}: {choices_hint(known_names())}")

    ways = {
        "known": staticmethod(known_names),
        "find": staticmethod(finders[kind]),
        "build": staticmethod(lambda found: load(builder)(found)),
    }
    verb = typer.Typer(
        cls=type(f"By{name}", (ByName,), ways),
        help=about,
        rich_markup_mode=None,
        subcommand_metavar=f"{kind.upper()} [ARGS]...",
    )
    verb.callback(invoke_without_command=True)(ask_which)
    return verb
