"""The frozen values that games are made of, and the exceptions Illegal and Problem."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Generic, TypeAlias, TypeVar, final

from msgspec import Meta, Struct, ValidationError

CANARY = "groundling-canary-3f9d6c1e-8a57-4b0e-9a39-5d1c7e2f4b60"
"""Written into every generated instance, so that training on them can be detected."""

Role: TypeAlias = str
M = TypeVar("M")


class Instance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task to play. It may hold secrets of seats, but players see its `id`, which must reveal nothing."""

    id: str
    set: str = ""
    group: str = ""
    """The source it was made from. Instances of one group in different sets can be compared as pairs."""
    origin: str = ""
    """The seed it was made with, or the hash of a seed that is kept private."""
    canary: str = ""
    prompts: Mapping[str, Mapping[Role, str]] = {}
    """Prompts for language models that it carries, as texts of prompt files, by wording and seat."""

    def __hash__(self) -> int:
        return hash(self.id)


class Settings(Struct, frozen=True):
    """The options of a game, the same for all instances of a run. Defaults are recorded too, since they may
    change."""


class Recipe(Struct, frozen=True, kw_only=True):
    """The parameters of a game's generator. Every field is an option of `groundling make`."""

    seed: Annotated[int, Meta(description="random seed")] = 0
    n: Annotated[int, Meta(description="number of instances")] = 36

    def notes(self) -> Sequence[str]:
        """Return remarks on the instances to be made that are printed for the user beforehand."""
        return ()


class Move(Struct, frozen=True, omit_defaults=True, gc=False, tag=str.lower, tag_field="move"):
    """The base class of all moves."""


@final
class Say(Move, frozen=True, gc=False):
    """The move that all games share: words for the partner."""

    text: str


class View(Struct, frozen=True, gc=False):
    """Everything that one seat may know, and nothing else."""


class Result(Struct, frozen=True, gc=False):
    """The outcome of a finished game, on the scale of the game's main measure."""

    score: float


class Reading(Struct, Generic[M], frozen=True, gc=False):
    """The moves that a text was read as, and the pieces of it that were ignored."""

    moves: tuple[M, ...]
    dropped: tuple[str, ...] = ()


class Illegal(Exception):  # noqa: N818 - it is a verdict on a reply, not an error of ours
    """The reply cannot be played. The message is shown to the player, so it says what would be accepted."""


class Problem(Exception):  # noqa: N818
    """An error that the user can fix: one line that says what is wrong and what to do."""


def wrong_value(trouble: ValidationError) -> tuple[str, str]:
    """Return the field that a msgspec error is about ("" if none) and what was expected there."""
    found = re.fullmatch(r"(.*) - at `\$\.(\w+).*`", str(trouble))
    field, told = (found[2], found[1]) if found else ("", str(trouble))
    told = told.replace("`", "")
    return field, told[0].lower() + told[1:]


def missing_extra(extra: str) -> Problem:
    return Problem(f'this needs an extra: run pip install "groundling[{extra}]"')
