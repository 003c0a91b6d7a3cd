"""A game and players as a user would write them into files."""

GAME = """
from typing import ClassVar

from msgspec.structs import replace

from groundling.games.reference import pack as _reference
from groundling.games.reference.rules import ReferenceGame


class Mine(ReferenceGame):
    name: ClassVar[str] = "mine"


pack = replace(_reference, name="mine", about="say which of my grids is meant", game=Mine)
"""

PLAYER = """
from __future__ import annotations

from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply, Unable

WORDS = ("first", "second", "third")


class Chooser:
    def __init__(self, choice: int = 1, share: float = 0.5, loud: bool = False, note="") -> None:
        self.given = choice, share, loud, note

    async def act(self, ask: Ask) -> Reply:
        return Reply(text=f"Answer: {WORDS[self.given[0] - 1]}")


class Seated:
    name = "seated"

    def __init__(self, seat: Seat, depth: int) -> None:
        self.name = f"{seat.role} {depth}"

    async def act(self, ask: Ask) -> Reply:
        return Reply(text="Answer: first")


class Anything:
    def __init__(self, **given: str) -> None:
        self.given = given

    async def act(self, ask: Ask) -> Reply:
        raise Unable("asleep", "not today")


class Failing:
    async def act(self, ask: Ask) -> Reply:
        if ask.episode == "edits-2-02" and not Path("awake").exists():
            raise KeyError("dream")
        return Reply(text="Answer: first")


class Wordy:
    async def act(self, ask: Ask) -> Reply:
        return "Answer: first"


class Blocking:
    def act(self, ask: Ask) -> Reply:
        return Reply(text="Answer: first")


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no battery")

    async def act(self, ask: Ask) -> Reply:
        return Reply(text="Answer: first")


class Mute:
    pass
"""
