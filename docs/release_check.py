"""Builds wheel and sdist, checks them, and plays with the wheel in bare environments (make release-check)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUT = ROOT / "build/release"
FIVE_LINES = """\
import groundling
run = groundling.play("reference", seat={"giver": "gold", "follower": "rule"}, limit=12, controls=True)
scores = groundling.score(run)
print(scores.select("set", "players", "control", "mean", "low", "high"))
assert scores["mean"][0] == 1.0
"""


def named_pythons() -> Iterator[tuple[str, str | None]]:
    """Yield each Python version that the classifiers name, with its interpreter if it is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for version in re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"])):
        # pyenv's own python3.X only says which versions there are
        below = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        yield version, str(below[-1]) if below else shutil.which(f"python{version}")


def build_release() -> Path:
    """Build both files, check them, and return the wheel."""
    shutil.rmtree(OUT, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(OUT), str(ROOT))
    wheel, sdist = next(OUT.glob("*.whl")), next(OUT.glob("*.tar.gz"))
    _run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    for file in (wheel, sdist):
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB")
    return wheel


def play_with_wheel(wheel: Path, python: str, version: str) -> str:
    """Install the wheel in an empty environment, run five lines there, and return their output."""
    folder = OUT / version
    _run(python, "-m", "venv", str(folder / "venv"))
    inner = str(folder / "venv/bin/python")
    _run(inner, "-m", "pip", "install", "--quiet", f"{wheel}[score]")
    return _run(inner, "-I", "-c", FIVE_LINES, cwd=folder)


def _run(*command: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    wheel = build_release()
    for version, python in named_pythons():
        if python is None:
            print(f"NO PYTHON {version}: the wheel is not tested with it")
            continue
        print(f"Python {version}\n{play_with_wheel(wheel, python, version)}")


if __name__ == "__main__":
    main()
