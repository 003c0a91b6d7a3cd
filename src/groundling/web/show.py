"""What a page is shown, told once in full and then by what changed."""

from __future__ import annotations

from typing import Any

import msgspec

from ..boards.patch import Film
from ..core.desk import Desk
from ..core.pack import Pack, load


class Screen:
    """One seat's page as far as it has been told."""

    def __init__(self, pack: Pack) -> None:
        assert pack.live is not None
        self._desk = load(pack.live.desk)
        self._told: dict[str, Any] = {}
        self._films: dict[str, Film] = {}

    def next(self, status: dict[str, Any], view: Any, active: bool) -> dict[str, Any]:
        """What to tell it now: fields that changed, and pictures as patches."""
        desk: Desk | None = None if view is None else self._desk(view, active)
        fields = {**status, **(_fields(desk) if desk else dict.fromkeys(_NAMES))}
        changed = {name: value for name, value in fields.items() if name not in self._told or self._told[name] != value}
        self._told = fields
        message = {"type": "show", **changed}
        panels = self._panels(desk)
        if panels is not None:
            message["panels"] = panels
        return message

    def _panels(self, desk: Desk | None) -> list[dict[str, Any]] | None:
        """Each by its name, with its whole SVG or a patch of it; None where nothing changed."""
        panels = desk.panels if desk else ()
        same = list(self._films) == [panel.name for panel in panels]
        told: list[dict[str, Any]] = []
        films: dict[str, Film] = {}
        for panel in panels:
            known = self._films.get(panel.name)
            films[panel.name] = film = known or Film()
            patch = film.next(panel.svg) if known else panel.svg
            if not known:
                film.next(panel.svg)
            told.append({"name": panel.name, "title": panel.title, "over": panel.over, "svg": patch})
        self._films = films
        return None if same and all(panel["svg"] == [] for panel in told) else told


_NAMES = tuple(name for name in Desk.__struct_fields__ if name != "panels")


def _fields(desk: Desk) -> dict[str, Any]:
    return {name: msgspec.to_builtins(getattr(desk, name)) for name in _NAMES}
