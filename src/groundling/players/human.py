"""A person, wherever they are: what they do arrives in a mailbox, and is answered there."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from msgspec import Struct

from groundling.core.player import Ask, Reply
from groundling.core.values import Illegal


class Letter(Struct, frozen=True):
    """Moves that a person made together, and how to tell them that these were not taken."""

    moves: tuple[Any, ...]
    refuse: Callable[[str], None]
    taken: Callable[[], None]
    """Called when the moves are about to be played; what came of it is told by the events that follow."""
    detail: Mapping[str, Any] = {}


class Human:
    """Waits. What cannot be played is refused in place and asked for again: a slip of the hand is nothing to
    be recorded."""

    name = "person"
    interactive = True

    def __init__(self, check: Callable[[tuple[Any, ...]], None]) -> None:
        """`check` raises Illegal where moves cannot be played as the game stands."""
        self._check = check
        self._mail: deque[Letter] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def put(self, letter: Letter) -> None:
        self._mail.append(letter)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def return_all(self, why: str) -> None:
        """Nobody will read them any more."""
        while self._mail:
            self._mail.popleft().refuse(why)

    async def act(self, ask: Ask) -> Reply:
        asked = monotonic()
        while True:
            while not self._mail:
                self._waiting = asyncio.get_running_loop().create_future()
                await self._waiting
            letter = self._mail.popleft()
            try:
                self._check(letter.moves)
            except Illegal as verdict:
                letter.refuse(str(verdict))
                continue
            letter.taken()
            return Reply(moves=letter.moves, seconds=round(monotonic() - asked, 3), detail=letter.detail)
