"""The player for a person: waits for moves that arrive from a page."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from msgspec import Struct

from groundling.core.player import Ask, Reply
from groundling.core.values import Illegal


class MoveSubmission(Struct, frozen=True):
    """Moves that a person made together, with callbacks for their fate."""

    moves: tuple[Any, ...]
    refuse: Callable[[str], None]
    taken: Callable[[], None]
    """Called when the moves are about to be played."""
    detail: Mapping[str, Any] = {}


class HumanPlayer:
    """Waits for moves. Illegal ones are refused at once and not recorded."""

    name = "person"

    def __init__(self, check: Callable[[tuple[Any, ...]], None]) -> None:
        """`check` raises Illegal where moves cannot be played now."""
        self._check = check
        self._mail: deque[MoveSubmission] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def submit_moves(self, letter: MoveSubmission) -> None:
        self._mail.append(letter)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def refuse_all(self, why: str) -> None:
        """Refuse all submissions that still wait."""
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
