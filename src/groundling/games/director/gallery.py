"""The shelves on show, from the front, with what is meant framed."""

from __future__ import annotations

from ...boards.picture import described
from .draw import picture as drawn
from .rules import Sample


def facts(sample: Sample) -> dict[str, str]:
    return {
        "request": sample.words,
        "meant": f"{sample.shelf.items[sample.target].name}, {sample.target}",
        "rule": sample.rule.replace("_", " "),
        "kind": sample.kind,
        "physics": "yes" if sample.physics else "no",
        "closed cells": str(len(sample.shelf.hidden)),
        "rivals": ", ".join(f"{sample.shelf.items[cell].name}, {cell}" for cell in sample.rivals if cell in sample.shelf.items)
        or "none",
    }


def picture(sample: Sample) -> str:
    marks = {sample.target: "meant"}
    return described(drawn(sample.shelf, looks=sample.looks, marked=marks), sample.shelf.text(marks=marks))
