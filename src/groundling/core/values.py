"""The small frozen values that games are made of, and the two ways in which something can be wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct, ValidationError

CANARY = "groundling-canary-3f9d6c1e-8a57-4b0e-9a39-5d1c7e2f4b60"
"""Stands in every instance we write, so that a model trained on them can be found out."""

Role: TypeAlias = str
M = TypeVar("M")


class Instance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to play. What a seat may not know stays here; `id` is shown to players, so it must tell
    nothing."""

    id: str
    set: str = ""
    group: str = ""
    """What it was made from. Instances of different sets but of one group can be compared as pairs."""
    origin: str = ""
    """The seed it was made with, or the hash of a seed that is kept private."""
    canary: str = ""


class Settings(Struct, frozen=True):
    """How a game is played, the same for all instances of a run. Defaults are recorded too: they may
    change."""


class Recipe(Struct, frozen=True, kw_only=True):
    """What a game's generator is asked for. Every field is an option of `groundling make`."""

    seed: int = 0
    n: int = 36

    def notes(self) -> Sequence[str]:
        """What the user may not expect of what is made, to be told beforehand."""
        return ()


class Move(Struct, frozen=True, omit_defaults=True, gc=False, tag=str.lower, tag_field="move"):
    """One thing done at the table."""


class Say(Move, frozen=True, gc=False):
    """The one move all games share: words for the partner."""

    text: str


class View(Struct, frozen=True, gc=False):
    """All that one seat may know, and nothing else."""


class Result(Struct, frozen=True, gc=False):
    """How a finished game came out, on the scale of the game's main measure."""

    score: float


class Reading(Struct, Generic[M], frozen=True, gc=False):
    """What a text was understood as, and the pieces of it that were left out."""

    moves: tuple[M, ...]
    dropped: tuple[str, ...] = ()


class Illegal(Exception):  # noqa: N818 - it is a verdict on a reply, not an error of ours
    """The reply cannot be played. The message is shown to the player, so it says what would be accepted."""


class Problem(Exception):  # noqa: N818
    """Something the user can mend: one line that says what is wrong and what to do."""


def wrong_value(trouble: ValidationError) -> tuple[str, str]:
    """The field that msgspec complains of ("" where it is none in particular), and what it wants there."""
    found = re.fullmatch(r"(.*) - at `\$\.(\w+).*`", str(trouble))
    field, told = (found[2], found[1]) if found else ("", str(trouble))
    told = told.replace("`", "")
    return field, told[0].lower() + told[1:]


def missing(extra: str) -> Problem:
    """What to say where a part that is installed on request is not there."""
    return Problem(f'this needs an extra: pip install "groundling[{extra}]"')
