"""Screen updates of a page: everything once, then only changes."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import msgspec

from groundling.boards.svg_patch import PatchStream
from groundling.core.desk import Desk
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load, resolve_settings
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Instance, Role


class SeatScreen:
    """What the page of one seat has been sent so far."""

    def __init__(self, pack: Pack) -> None:
        self._make = load(pack.live.desk)
        self._status: dict[str, Any] = {}
        self._desk: Desk | None = None
        self._view: Any = None
        self._active = False
        self._films: dict[str, PatchStream] = {}

    def next_update(self, status: dict[str, Any], view: Any, active: bool) -> dict[str, Any]:
        """The next message: changed fields, new lines of the talk as `more`, and pictures as patches."""
        first, known = not self._status, self._status
        message: dict[str, Any] = {"type": "show"}
        for name, value in status.items():
            if first or value != known.get(name):
                message[name] = value
        self._status = status
        if first or view is not self._view or active != self._active:
            self._view, self._active = view, active
            before, self._desk = self._desk, None if view is None else self._make(view, active)
            self._add_desk_changes(message, before, first)
        return message

    def _add_desk_changes(self, message: dict[str, Any], before: Desk | None, first: bool) -> None:
        desk = self._desk
        for name, known, value in zip(_NAMES, _desk_fields(before), _desk_fields(desk), strict=True):
            # identity first: it avoids deep comparisons
            if not first and (value is known or value == known):
                continue
            if name == "talk" and known and value and value[: len(known)] == known:
                message["more"] = value[len(known) :]
            else:
                message[name] = value
        panels = self._panel_updates(desk)
        if panels is not None:
            message["panels"] = panels

    def _panel_updates(self, desk: Desk | None) -> list[dict[str, Any]] | None:
        """Panels with their whole SVG or a patch of it; None where nothing changed."""
        panels = desk.panels if desk else ()
        same = list(self._films) == [panel.name for panel in panels]
        updates: list[dict[str, Any]] = []
        films: dict[str, PatchStream] = {}
        for panel in panels:
            known = self._films.get(panel.name)
            films[panel.name] = film = known or PatchStream()
            updates.append({"name": panel.name, "title": panel.title, "svg": film.next_patch(panel.svg)})
        self._films = films
        return None if same and all(panel["svg"] == [] for panel in updates) else updates


_NAMES = tuple(name for name in Desk.__struct_fields__ if name != "panels")
_EMPTY = (None,) * len(_NAMES)
_take = attrgetter(*_NAMES)


def _desk_fields(desk: Desk | None) -> tuple[Any, ...]:
    return _EMPTY if desk is None else _take(desk)


def seat_help(pack: Pack, game: AnyGame, instance: Instance, role: Role) -> list[str]:
    """The instructions for a person in a seat of this game."""
    found: Any = load(pack.live.help)
    return list(found[role] if isinstance(found, Mapping) else found(game, instance, role))


def make_live_game(pack: Pack) -> AnyGame:
    """The game with the settings that people have by default."""
    return pack.new(read_live_settings(pack))


def changed_live_settings(pack: Pack, game: AnyGame) -> dict[str, Any]:
    """The settings of a game that differ from those that people have by default."""
    usual = msgspec.to_builtins(resolve_settings(pack, make_live_game(pack).settings, ()))
    return {
        name: value
        for name, value in msgspec.to_builtins(game.settings).items()
        if name not in usual or value != usual[name]
    }


def live_settings_key(pack: Pack, game: AnyGame) -> str:
    """The same as JSON with sorted names; "" where none differs."""
    changed = changed_live_settings(pack, game)
    return msgspec.json.encode(changed, order="sorted").decode() if changed else ""


def opening_screen_picture(pack: Pack, instance: Instance) -> str:
    """The first panel that the first seat, which sees the target, has at the start."""
    game = make_live_game(pack)
    return load(pack.live.desk)(game.view(game.start(instance), pack.roles[0]), True).panels[0].svg
