"""The wheel is whole, and is all that somebody needs who has no clone."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import groundling
from docs import release_check

ROOT = Path(__file__).parent.parent


def test_the_citation_has_the_version() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert re.search(rf'^version: "{re.escape(groundling.__version__)}"$', text, re.MULTILINE)


def test_the_newest_changes_are_those_of_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"^## ([\d.]+)", text, re.MULTILINE)[0] == groundling.__version__


def test_every_python_that_the_classifiers_name_is_in_ci() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [version for version, _ in release_check.named_pythons()]
    assert project["requires-python"] == f">={versions[0]}"
    workflow = (ROOT / ".github/workflows/test.yml").read_text()
    assert [version for version in versions if f'"{version}"' not in workflow] == []


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("build", "twine", "hatchling"))),
    reason="no wheel is built: pip install --group dev",
)
def test_the_wheel_plays_and_scores_in_an_empty_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_check, "OUT", tmp_path)
    wheel = release_check.build_release()
    inside = zipfile.ZipFile(wheel).namelist()
    parts = ("py.typed", "__init__.pyi", "bridges/inspect/eval.yaml", "games/reference/README.md")
    assert [part for part in parts if f"groundling/{part}" not in inside] == []
    try:
        printed = release_check.play_with_wheel(wheel, sys.executable, "here")
    except SystemExit as failed:
        if re.search("No matching distribution|Failed to establish", str(failed)):
            pytest.skip("the wheel is NOT tried in an empty environment: no package index can be reached")
        raise
    assert "gold → rule" in printed
