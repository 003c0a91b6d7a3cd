"""What commands import: an import that is not needed is paid for at every call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRINT_IMPORTS = "import sys; from groundling.cli import main; main(sys.argv[1:]); print(*sys.modules)"


def imported_by(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", PRINT_IMPORTS, *arguments]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(told.splitlines()[-1].split())


def test_playing_needs_no_table_library_and_scoring_no_scipy(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    seats = ("--seat", "giver=gold", "--seat", "follower=rule")
    played = imported_by("play", "reference", "--limit", "4", *seats, "-o", run)
    scored = imported_by("score", run)
    assert "numpy" in played  # for the intervals
    assert "polars" not in played
    assert "polars" in scored
    for found in (played, scored):
        assert not {name for name in found if name.partition(".")[0] in ("scipy", "inspect_ai", "torch")}


def test_a_command_does_not_import_the_others() -> None:
    commands = {
        f"groundling.cli.{name}" for name in ("study_commands", "serve", "tournament", "score", "data")
    }
    assert not commands & imported_by("play", "reference", "--help")
    assert commands & imported_by("score", "--help") == {"groundling.cli.score"}


@pytest.mark.parametrize(
    "command", ["--help", "games", "play reference --help", "study --help", "data --help"]
)
def test_help_imports_nothing_heavy(command: str) -> None:
    heavy = {"numpy", "polars", "scipy", "torch", "inspect_ai", "starlette", "psycopg"}
    assert not heavy & imported_by(*command.split())


def test_a_log_of_inspect_names_the_extra_that_reads_it(tmp_path: Path) -> None:
    (tmp_path / "log.eval").touch()
    without = f"import sys; sys.modules['inspect_ai'] = None; {PRINT_IMPORTS}"
    command = [sys.executable, "-c", without, "score", str(tmp_path / "log.eval")]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    assert told == 'groundling: this needs an extra: run pip install "groundling[llm]"\n'


@pytest.mark.parametrize(
    ("package", "command", "extra"),
    [
        ("polars", "compare a b", "score"),
        ("numpy", "agree labels.csv", "score"),
        ("starlette", "serve", "web"),
        ("psycopg", "serve --export out --db postgresql://localhost/games", "postgres"),
    ],
)
def test_a_command_names_the_extra_that_it_lacks(package: str, command: str, extra: str) -> None:
    without = f"import sys; sys.modules['{package}'] = None; {PRINT_IMPORTS}"
    told = subprocess.run([sys.executable, "-c", without, *command.split()], capture_output=True, text=True)
    assert told.stderr == f'groundling: this needs an extra: run pip install "groundling[{extra}]"\n'
