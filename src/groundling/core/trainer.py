"""The plug-in interface of trainers, which make players from recorded games, and their lookup by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from groundling.core.pack import Lazy, installed_entry_points, load, load_entry_point
from groundling.core.values import Problem, missing_extra

T = TypeVar("T")
GROUP = "groundling.trainers"


class Training(Struct, frozen=True, kw_only=True):
    """The input of a trainer."""

    data: Path
    """The recorded games in their published form."""
    options: Any
    """A value of the type that the trainer's `options` names."""
    out: Path
    save: Callable[[bytes], None]
    """Writes `out` atomically."""
    splits: Mapping[str, Sequence[str]] | None = None
    """Game ids by split; None for the published splits."""
    progress: Callable[[str, int, int], None] = lambda what, done, of: None
    """Called with the activity, the number of steps done and their total (0 of 0 if unknown)."""


class Trainer(Struct, frozen=True, kw_only=True):
    """Makes a player. Its `info.learned_from` has the ids of the games that it learned from."""

    name: str
    about: str
    options: Lazy[type[Struct]]
    """Every field is an option of `groundling train`."""
    train: Lazy[Callable[[Training], Sequence[str]]]
    """Trains, saves, and returns a few lines that summarise the result."""
    checkpoint: str = ""
    """The file in its output folder, if it makes one, from which the same command resumes."""
    extra: str = ""
    """The optional extra of groundling that it needs."""

    def load_lazy(self, value: Lazy[T]) -> T:
        """Load one of the lazy fields; a missing optional package is reported as a Problem."""
        try:
            return load(value)
        except Problem as trouble:
            if self.extra and isinstance(trouble.__cause__, ModuleNotFoundError):
                raise missing_extra(self.extra) from None
            raise


def installed_trainers() -> dict[str, EntryPoint]:
    """Return the installed trainers by name without importing them."""
    return installed_entry_points(GROUP)


def find_trainer(name: str) -> Trainer:
    return load_entry_point(installed_trainers(), name, Trainer, f"trainer {name!r}")
