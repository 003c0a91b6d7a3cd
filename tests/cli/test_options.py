"""Fields of whatever type become options."""

from typing import Annotated, Literal

import pytest
import typer
from msgspec import Meta, Struct, field

from groundling.cli.options import with_field_options
from groundling.core.values import Problem


class Odd(Struct, frozen=True):
    level: Literal[1, 2] = 1
    hints: bool = True
    quiet: bool = False
    words: list[str] = field(default_factory=list)
    share: Annotated[float, Meta(ge=0, le=1)] = 0.5
    rate: float = 1.0
    cap: int | None = None
    pair: Annotated[tuple[str, ...], Meta(extra={"repeated": True})] = ()


def parsed(*arguments: str) -> Odd:
    found: list[Odd] = []

    def command(odd: Odd, limit: int = 0) -> None:
        found.append(odd)

    app = typer.Typer(add_completion=False)
    app.command()(with_field_options(command, "odd", Odd))
    typer.main.get_command(app).main(list(arguments), standalone_mode=False)
    return found[0]


def test_defaults_are_the_fields_own() -> None:
    assert parsed() == Odd()


def test_every_kind_of_field_can_be_set() -> None:
    given = parsed("--level", "2", "--no-hints", "--quiet", "--words", "a,b", "--share", "0.25", "--cap", "3")
    assert given == Odd(level=2, hints=False, quiet=True, words=["a", "b"], share=0.25, cap=3)


def test_a_repeated_option_keeps_its_commas() -> None:
    assert parsed("--pair", "x=1,2", "--pair", "y=3").pair == ("x=1,2", "y=3")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--level", "3"], "--level 3: choose from 1, 2"),
        (["--share", "2"], "--share 2: expected float <= 1"),
        (["--cap", "x"], "--cap x: expected"),
        (["--rate", "inf"], "--rate inf: expected a finite number"),
        (["--rate", "nan"], "--rate nan: expected a finite number"),
    ],
)
def test_what_does_not_fit_is_reported_with_the_option(arguments: list[str], why: str) -> None:
    with pytest.raises(Problem) as told:
        parsed(*arguments)
    assert why in str(told.value)


def test_a_field_cannot_take_the_name_of_an_option_that_every_game_has() -> None:
    def command(odd: Odd, level: int = 0) -> None: ...

    with pytest.raises(Problem, match=r"Odd\.level has the name"):
        with_field_options(command, "odd", Odd)
