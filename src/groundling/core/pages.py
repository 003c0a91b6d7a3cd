"""Web pages of a game's own, such as an item editor, that a package offers to those who run a server.

The entry-point group `groundling.pages` names functions from the server's options to Pages, or None."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from msgspec import Struct

GROUP = "groundling.pages"


class Pages(Struct, frozen=True, kw_only=True):
    """Pages know nothing of HTTP: the server checks access and forwards the calls of their scripts."""

    title: str
    about: str
    folder: Traversable
    """Holds index.html and the files that it needs."""
    calls: Mapping[str, Callable[[Any], Any]]
    """Functions that a script may call, by name: JSON to JSON, run in a thread. They raise Problem."""


MakePages: TypeAlias = Callable[[Mapping[str, str]], Pages | None]
