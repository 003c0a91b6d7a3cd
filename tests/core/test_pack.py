"""Packs are found by name, load late, and what cannot be found is told in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec.structs import replace
from tests.core.broken import TELLER, GuessGame, good

from groundling.core.pack import (
    DataHooks,
    Pack,
    ReportHints,
    Seat,
    choices_hint,
    find,
    installed_packs,
    load,
    load_pack,
)
from groundling.core.values import Problem, Settings


def test_an_installed_game_is_found_by_its_name() -> None:
    assert "reference" in installed_packs()
    assert find("reference").name == "reference"
    assert load_pack("groundling.games.reference:pack") is find("reference")


def test_a_game_that_is_not_there_is_reported_with_those_that_are() -> None:
    with pytest.raises(Problem, match=r"^there is no game 'refrence': choose from .*reference") as caught:
        find("refrence")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        "",
        ":",
        "nowhere",
        "nowhere:pack",
        "groundling.games.reference",
        "groundling.games.reference:",
        "groundling.games.reference:sack",
        "groundling.core.pack:Pack",
        "groundling.core.pack:GROUP",
    ],
)
def test_a_path_without_a_pack_is_a_problem_in_one_line(path: str) -> None:
    with pytest.raises(Problem) as caught:
        load_pack(path)
    assert str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lazy_value_is_fetched_and_any_other_is_itself() -> None:
    assert load("groundling.core.pack:Pack") is Pack
    assert load(Pack) is Pack
    assert load(good.measures) is good.measures


def test_a_game_is_made_with_its_own_settings_or_those_given() -> None:
    assert isinstance(good.new(), GuessGame)
    assert good.new().settings == Settings()
    settings = Settings()
    assert good.new(settings).settings is settings


def test_flat_keywords_are_moved_to_the_hints_and_hooks() -> None:
    def fits(game: object, players: object, instances: object) -> None: ...

    old = replace(
        good, judge="x:judge", shown=("size",), offsets=("dx", "dy"), recorded="x:recorded", fits=fits
    )
    assert old.report == ReportHints(judge="x:judge", shown=("size",), offsets=("dx", "dy"))
    assert old.data == DataHooks(recorded="x:recorded", fits=fits)
    assert old.judge is None
    assert replace(old, report=ReportHints()).report == ReportHints()
    assert replace(old, shown=("colour",)).report.judge == "x:judge"


def test_an_option_is_taken_once() -> None:
    seat = Seat(pack=good, game=good.new(), role=TELLER, name="gold", options={"language": "de"})
    assert seat.option("language", "en") == "de"
    assert seat.option("language", "en") == "en"
    assert seat.options == {}


def test_choices_are_in_order() -> None:
    assert choices_hint({"b": 1, "a": 2}) == "choose from a, b"


def test_listing_the_games_imports_none_of_them() -> None:
    code = (
        "import sys; from groundling.core.pack import installed_packs; installed_packs(); print(*sys.modules)"
    )
    assert not [name for name in imported(code) if name.startswith("groundling.games")]


def test_a_pack_imports_no_rules_and_nothing_heavy() -> None:
    code = "import sys; from groundling.core.pack import find; find('reference'); print(*sys.modules)"
    heavy = {
        "torch",
        "numpy",
        "polars",
        "scipy",
        "inspect_ai",
        "starlette",
        "hypothesis",
        "resvg",
        "asyncio",
        "typer",
    }
    names = imported(code)
    assert not heavy & names
    assert {name for name in names if name.startswith("groundling.games.")} == {"groundling.games.reference"}


def test_the_kit_imports_hypothesis_only_when_asked() -> None:
    assert "hypothesis" not in imported("import sys; import groundling.core.check; print(*sys.modules)")


def imported(code: str) -> set[str]:
    return set(
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        ).stdout.split()
    )


def test_what_is_installed_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    find("reference")
    monkeypatch.delattr("groundling.core.pack._read_entry_points")
    assert find("reference").name == "reference"
