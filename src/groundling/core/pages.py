"""Pages of a game's own, such as an editor of what it is played with, for whoever runs a server. A package
offers them through the entry-point group `groundling.pages`: a function from the server's options to Pages,
or None if there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from msgspec import Struct

GROUP = "groundling.pages"


class Pages(Struct, frozen=True, kw_only=True):
    """They know nothing of the web: the server lets in whom it will, and hands on what their scripts ask."""

    title: str
    about: str
    folder: Traversable
    """With index.html, and what it needs beside it."""
    calls: Mapping[str, Callable[[Any], Any]]
    """What a script may ask, by name: from JSON to JSON, in a thread. What cannot be done is a Problem."""


MakePages: TypeAlias = Callable[[Mapping[str, str]], Pages | None]
