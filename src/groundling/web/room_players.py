"""Players as a room asks them: with a time limit, and able to let the partner act first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

import msgspec

from groundling.core.player import Ask, Player, Reply, Turn, Unable
from groundling.core.values import Illegal, Say
from groundling.studies.study_part import ReplyPace

PATIENCE = 60.0
"""Seconds that a player that is not a person may take for a turn."""
TYPING_SECONDS = 2.0
"""Seconds after which a program that waits with its reply is shown to type again."""
BY_SERVER = {"by": "server"}
"""The detail of a reply that the server made for a seat."""


class YieldingPlayer:
    """Asks a player. If the partner acts while the player has not answered, it drops the question and makes
    the moves with which the seat yields its turn."""

    def __init__(self, player: Player, find_moves: Callable[[Any], Sequence[Any]]) -> None:
        """`find_moves` returns the moves that yield the turn in a view, or none."""
        self.name, self._player, self._find_moves = player.name, player, find_moves
        self.moves_to_yield: tuple[Any, ...] = ()
        """The moves that would yield the turn now; none if the seat is not asked or cannot yield."""
        self._yielded: asyncio.Future[tuple[Callable[[], None], Callable[[str], None]]] | None = None

    def yield_turn(self, then: Callable[[], None], lost: Callable[[str], None]) -> bool:
        """Yield the turn, and call `then` at once before other moves can be made; call `lost` if the player
        answers first. Returns False where the turn cannot be yielded, or has been."""
        if not self.moves_to_yield or self._yielded is None or self._yielded.done():
            return False
        self._yielded.set_result((then, lost))
        return True

    async def act(self, ask: Ask) -> Reply:
        moves = tuple(self._find_moves(ask.view))
        if not moves:
            return await self._player.act(ask)
        asked = monotonic()
        self._yielded = yielded = asyncio.get_running_loop().create_future()
        self.moves_to_yield = moves
        answer = asyncio.ensure_future(self._player.act(ask))
        try:
            await asyncio.wait({answer, yielded}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.moves_to_yield, self._yielded = (), None
            if not answer.done():
                answer.cancel()
        if answer.done():
            if yielded.done():
                yielded.result()[1]("your partner has just acted: read what is new, then answer")
            return answer.result()
        yielded.result()[0]()
        return Reply(moves=moves, seconds=round(monotonic() - asked, 3), detail=BY_SERVER)


class RecordedPlayer:
    """Asks a player that knows its recordings by instance, while an episode of a room has the room's name.
    If its partner continues after the end of the recording, it repeats the last reply, which ended it. Turns
    that the server yielded for it are no part of the recording."""

    def __init__(
        self, player: Player, instance: str, is_yielded: Callable[[Turn], bool] = lambda turn: False
    ) -> None:
        self.name, self._player, self._instance, self._is_yielded = player.name, player, instance, is_yielded

    async def act(self, ask: Ask) -> Reply:
        past = tuple(turn for turn in ask.past if not self._is_yielded(turn))
        for count in range(len(past), -1, -1):
            with suppress(Unable):
                asked = msgspec.structs.replace(ask, episode=self._instance, past=past[:count])
                return await self._player.act(asked)
        raise Unable("recording", f"nothing of the {ask.role} is recorded for {self._instance}")


class PacedPlayer:
    """Answers no faster than a person would, and records the delay."""

    def __init__(self, player: Player, pace: ReplyPace, show_typing: Callable[[], Awaitable[None]]) -> None:
        self.name, self._player, self._pace, self._show_typing = player.name, player, pace, show_typing

    async def act(self, ask: Ask) -> Reply:
        asked = monotonic()
        reply = await self._player.act(ask)
        said = sum(len(move.text) for move in reply.moves or () if isinstance(move, Say))
        delay = draw_delay(self._pace, said or len(reply.text or ""), ask.seed)
        while (rest := asked + delay - monotonic()) > 0:
            await self._show_typing()
            await asyncio.sleep(min(rest, TYPING_SECONDS))
        return msgspec.structs.replace(reply, detail={**reply.detail, "delay": round(delay, 3)})


def draw_delay(pace: ReplyPace, characters: int, seed: int) -> float:
    """Seconds that a reply takes at this pace."""
    thinking = pace.seconds * Random(f"{seed}/pace").lognormvariate(0, pace.spread)
    return min(pace.most, thinking + pace.a_character * characters)


class FarewellPlayer:
    """Takes leave with a message before the reply that ends the game."""

    def __init__(
        self,
        player: Player,
        text: str,
        find_moves: Callable[[Any, Sequence[Any], str], Sequence[Any]],
        read: Callable[[str], Sequence[Any]],
        write: Callable[[Sequence[Any]], str],
    ) -> None:
        """`find_moves` returns the moves that take leave in place of these, or none."""
        self.name, self._player, self._text = player.name, player, text
        self._find_moves, self._read, self._written = find_moves, read, write((Say(text),))

    async def act(self, ask: Ask) -> Reply:
        past = tuple(turn for turn in ask.past if turn.text != self._written)
        reply = await self._player.act(msgspec.structs.replace(ask, past=past))
        try:
            moves = reply.moves or tuple(self._read(reply.text or ""))
        except Illegal:
            return reply
        leave = tuple(self._find_moves(ask.view, moves, self._text))
        return Reply(moves=leave, seconds=reply.seconds, detail={"farewell": True}) if leave else reply


class TimedPlayer:
    """Gives a player a time limit, and turns its errors into Unable."""

    def __init__(self, player: Player) -> None:
        self.name, self._player = player.name, player

    async def act(self, ask: Ask) -> Reply:
        try:
            return await asyncio.wait_for(self._player.act(ask), PATIENCE)
        except TimeoutError:
            raise Unable("timeout", f"{self.name} gave no answer in {PATIENCE:g} s") from None
        except (Unable, Illegal):
            raise
        except Exception as trouble:  # a player may raise anything
            raise Unable("player", f"{self.name} broke ({type(trouble).__name__}: {trouble})") from trouble
