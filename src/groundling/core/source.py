"""Published data in a format of its own: what a reader of it offers, and how it is found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from msgspec import Struct

from .events import Transcript
from .pack import Lazy, choices, load
from .values import Instance, Problem, Recipe

GROUP = "groundling.data"


class Collection(Struct, frozen=True):
    """One part of the data, as a game plays it: instances, and what people did with them where that was recorded."""

    game: str
    name: str
    instances: Sequence[Instance]
    transcripts: Iterable[Transcript] = ()


class Source(Struct, frozen=True, kw_only=True):
    """The data of a game has the game's name; other sources may hold instances of several games."""

    name: str
    about: str
    parts: Lazy[Callable[[Path], Sequence[str]]]
    """The names of what is there: splits, versions."""
    read: Lazy[Callable[[Path, str], Sequence[Collection]]]
    """One of the parts."""
    stats: Lazy[Callable[[Path], Iterable[str]]] | None = None
    """Tables about the data, line by line, beside the figures that were published."""
    plots: Lazy[Callable[[Path], Mapping[str, str]]] | None = None
    """The same as pictures: SVGs by name."""
    recipe: Lazy[type[Recipe]] | None = None
    split: Lazy[Callable[[Path, Any], Mapping[str, Sequence[str]]]] | None = None
    """New splits by such a recipe: ids by the name of the split."""

    def collections(self, path: Path, part: str = "") -> list[Collection]:
        """One part, or all that are there."""
        there = list(load(self.parts)(path))
        if not there:
            raise Problem(
                f"{path} holds nothing that the {self.name} reader knows: give the folder or file as it was published"
            )
        if part and part not in there:
            raise Problem(f"{path} has no part {part!r}: {choices(there)}")
        return [found for name in ([part] if part else there) for found in load(self.read)(path, name)]


def sources() -> dict[str, EntryPoint]:
    """The installed readers by name, none of them imported yet."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def find_source(name: str) -> Source:
    known = sources()
    if name not in known:
        raise Problem(
            f"there is no reader of {name!r} data: {choices(known)}" if known else f"no data reader {name!r} is installed"
        )
    source: object = load(known[name].value)
    if not isinstance(source, Source):
        raise Problem(f"{known[name].value} is not a Source but a {type(source).__name__}: mend that package's entry point")
    return source
