"""The words of participants' pages, in a table for each language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_page_texts(language: str) -> dict[str, Any]:
    """All words by name. A name with `one` and `other` depends on a number."""
    table = files("groundling.web.studies") / "texts" / f"{language}.toml"
    return tomllib.loads(table.read_text(encoding="utf-8"))
