"""Sheets of drawings: SVG files that show many drawings side by side.

Each drawing is an `<svg id="NAME" …>` with one tag a line. Nothing in it has an id, so that one picture can
hold many drawings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


class SheetDrawing(NamedTuple):
    attributes: Mapping[str, str]
    tags: Sequence[str]

    @property
    def body(self) -> str:
        return "".join(self.tags)


def read_drawing_sheets(package: str, *names: str) -> dict[str, SheetDrawing]:
    """Read the drawings of sheets in a package by their names, in the order of the sheets."""
    found = {}
    for name in names:
        text = files(package).joinpath(f"{name}.svg").read_text(encoding="utf-8")
        for part in text.split("<svg ")[2:]:
            head, *tags = map(str.strip, part.partition("</svg>")[0].splitlines())
            attributes = dict(_ATTRIBUTE.findall(head))
            found[attributes["id"]] = SheetDrawing(attributes, tags)
    return found
