"""Samples and items for the gallery; the target is framed on a shelf seen from the front."""

from __future__ import annotations

from groundling.boards.picture import add_description
from groundling.core.desk import Exhibit
from groundling.games.director.draw import draw_shelf_document
from groundling.games.director.item_sheet import SLOTS
from groundling.games.director.items import load_items
from groundling.games.director.rules import Sample
from groundling.games.director.shelf_picture import shelf_item_picture


def director_gallery_facts(sample: Sample) -> dict[str, str]:
    return {
        "request": sample.words,
        "meant": f"{sample.shelf.items[sample.target].name}, {sample.target}",
        "rule": sample.rule.replace("_", " "),
        "kind": sample.kind,
        "physics": "yes" if sample.physics else "no",
        "closed cells": str(len(sample.shelf.hidden)),
        "rivals": ", ".join(
            f"{sample.shelf.items[cell].name}, {cell}" for cell in sample.rivals if cell in sample.shelf.items
        )
        or "none",
    }


def director_gallery_picture(sample: Sample) -> str:
    marks = {sample.target: "meant"}
    return add_description(
        draw_shelf_document(sample.shelf, looks=sample.looks, marked=marks), sample.shelf.text(marks=marks)
    )


def director_gallery_items() -> list[Exhibit]:
    """Exhibit the items by their first category, in their relative sizes."""
    ours = load_items()
    largest = max(entry.size or 0 for entry in ours.entries.values())
    found = []
    for name, entry in ours.entries.items():
        facts = {slot: ", ".join(entry.slot_values(slot) or ()) for slot in SLOTS} | {
            "size": str(entry.size or 0)
        }
        picture = shelf_item_picture(name, ours.item_looks[name], entry.size or 0, largest)
        found.append(
            Exhibit(
                name,
                (entry.category or ("",))[0],
                {slot: told for slot, told in facts.items() if told},
                picture,
            )
        )
    return found
