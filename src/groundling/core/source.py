"""Published data in a format of its own: what a reader of it offers, and how it is found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Lazy, choices, installed, load, pick
from groundling.core.values import Instance, Problem

GROUP = "groundling.data"


class Collection(Struct, frozen=True):
    """One part of the data, as a game plays it: instances, and what people did with them where that was
    recorded."""

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
    recipe: Lazy[type[Struct]] | None = None
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
    return installed(GROUP)


def find_source(name: str) -> Source:
    return pick(sources(), name, Source, f"reader of {name!r} data")


class Splits(Struct, frozen=True):
    """The ids of recorded games by the name of their split, and by what recipe they were parted."""

    splits: Mapping[str, Sequence[str]]
    recipe: Any = None


def read_splits(name: str, content: bytes) -> Mapping[str, Sequence[str]]:
    """What a file of splits says."""
    try:
        return msgspec.json.decode(content, type=Splits).splits
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise Problem(f"{name} holds no splits ({trouble}): make it with groundling data split") from None
