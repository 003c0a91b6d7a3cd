"""Trainers make players out of recorded games: what one offers, what it is handed, and how it is found by
name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from groundling.core.pack import Lazy, installed, load, pick
from groundling.core.values import Problem, missing

T = TypeVar("T")
GROUP = "groundling.trainers"


class Training(Struct, frozen=True, kw_only=True):
    """What a trainer is handed."""

    data: Path
    """The recorded games, as they were published."""
    options: Any
    """Such a value as the trainer's `options` says."""
    out: Path
    save: Callable[[bytes], None]
    """Writes `out`, whole or not at all."""
    splits: Mapping[str, Sequence[str]] | None = None
    """Which games are for what, by their ids; None: as they were published."""
    progress: Callable[[str, int, int], None] = lambda what, done, of: None
    """Is told what is being done, how many of how many are done; 0 of 0 where nobody knows."""


class Trainer(Struct, frozen=True, kw_only=True):
    """A trained player remembers which games it learned from, and has their ids as its `saw`."""

    name: str
    about: str
    options: Lazy[type[Struct]]
    """Every field is an option of `groundling train`."""
    train: Lazy[Callable[[Training], Sequence[str]]]
    """Learns, saves, and says in a few lines what came of it."""
    checkpoint: str = ""
    """The file in the folder that it makes, if it makes one, from which the same command goes on."""
    extra: str = ""
    """The extra of groundling that it needs."""

    def fetch(self, value: Lazy[T]) -> T:
        """One of its own, loaded."""
        try:
            return load(value)
        except Problem as trouble:
            if self.extra and isinstance(trouble.__cause__, ModuleNotFoundError):
                raise missing(self.extra) from None
            raise


def trainers() -> dict[str, EntryPoint]:
    """The installed trainers by name, none of them imported yet."""
    return installed(GROUP)


def find_trainer(name: str) -> Trainer:
    return pick(trainers(), name, Trainer, f"trainer {name!r}")
