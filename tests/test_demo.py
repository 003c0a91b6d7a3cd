"""`make demo` says in two screens what groundling does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_demo_fits_on_two_screens_and_writes_a_report_for_each_game(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 80
    games = ("reference", "image", "hexagons", "codraw", "director")
    assert [game for game in games if not any(line.startswith(f"{game}: ") for line in lines)] == []
    assert sum(line.startswith("chance ") for line in lines) == len(games)
    assert sorted(path.stem for path in tmp_path.glob("build/demo/*.html")) == sorted(games)
