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


def test_playing_and_scoring_need_no_scipy(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    seats = ("--seat", "giver=gold", "--seat", "follower=rule")
    for command in (("play", "reference", "--limit", "4", *seats, "-o", run), ("score", run)):
        found = imported_by(*command)
        assert "polars" in found
        assert not {name for name in found if name.partition(".")[0] == "scipy"}


@pytest.mark.parametrize("command", [["--help"], ["games"], ["play", "reference", "--help"]])
def test_help_imports_nothing_heavy(command: list[str]) -> None:
    assert not {"numpy", "polars", "scipy", "torch", "inspect_ai"} & imported_by(*command)
