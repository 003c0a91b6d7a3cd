"""The editor of a file of items, a page for the server's admin: `groundling serve --admin --items FILE`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from groundling.core.pages import Pages
from groundling.games.director.pages.editor import ItemsEditor


def pages(options: Mapping[str, str]) -> Pages | None:
    if "items" not in options:
        return None
    editor = ItemsEditor(Path(options["items"]))
    editor.open_sheet(None)  # a file that is no sheet of items is refused before the server starts
    return Pages(
        title="Items",
        about="the items on shelves of the director task",
        folder=files(__package__) / "static",
        calls={
            "open": editor.open_sheet,
            "check": editor.check_asked_sheet,
            "looks": editor.draw_looks,
            "save": editor.save_sheet,
        },
    )
