"""Properties are tried on the same examples every time, so that one commit has one verdict: on a few, or on
more with HYPOTHESIS_PROFILE=long; `make fuzz` looks for new ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=150)
settings.register_profile(
    "fuzz", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
os.environ["COLUMNS"] = "120"  # tables fit the terminal, whose width must not decide a test


@pytest.fixture
def code_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty folder, and forget the modules that were loaded from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
