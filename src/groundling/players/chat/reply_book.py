"""Replies that language models have already given: a call that was made before is not made again.

A call is known by the hash of all that its answer depends on (`ModelCall.key`). Calls that failed or were
stopped by a content filter are not kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from groundling.core.events import encode_event_json
from groundling.core.player import Ask, PlayerInfo, Reply
from groundling.players.chat.chat_player import ModelCall

FILTERED = "content_filter"
"""The stop reason of an answer that the provider withheld."""


class CallDetail(Struct, frozen=True, gc=False):
    """The fields of a reply's detail that say whether it can be used again."""

    call: str = ""
    reused_from: str = ""
    stop: str | None = None


class KnownReply(Struct, frozen=True, gc=False):
    source: str
    """Where the call was made: RUN/EPISODE."""
    text: str | None
    detail: msgspec.Raw
    """As JSON, which takes less memory, since most of them are never used."""


class ReplyBook:
    """All known replies of some models by call. Event loops in several threads may share a book."""

    def __init__(self) -> None:
        self._known: dict[str, KnownReply] = {}
        self._open: dict[str, Future[None]] = {}
        """The calls that are being made."""

    def add_reply(self, source: str, text: str | None, detail: msgspec.Raw) -> None:
        """Keep a reply under its call if it can be used again. The first one of a call stays."""
        found = msgspec.json.decode(detail, type=CallDetail)
        if found.call and found.stop != FILTERED:
            self._known.setdefault(found.call, KnownReply(found.reused_from or source, text, detail))

    async def reply_once(self, key: str, source: str, send: Callable[[], Awaitable[Reply]]) -> Reply:
        """Return the known reply of a call, without usage, or make the call, but never twice at once."""
        mine: Future[None] = Future()
        while (other := self._open.setdefault(key, mine)) is not mine:
            # shielded: a waiter that is cancelled must not cancel the future of all
            await asyncio.shield(asyncio.wrap_future(other))
        try:
            known = self._known.get(key)
            if known is None:
                reply = await send()
                self.add_reply(source, reply.text, msgspec.Raw(encode_event_json(reply.detail)))
                return reply
            detail: dict[str, Any] = msgspec.json.decode(known.detail)
            return Reply(text=known.text, seconds=0.0, detail={**detail, "reused_from": known.source})
        finally:
            del self._open[key]
            mine.set_result(None)


class CallingPlayer(Protocol):
    """A player that makes a call and sends it in two steps."""

    name: str
    info: PlayerInfo

    @property
    def make_call(self) -> Callable[[Ask], ModelCall]: ...

    async def send_call(self, call: ModelCall) -> Reply: ...


class ReusingPlayer:
    """A language model that is not sent a call of which a book has the reply."""

    def __init__(self, player: CallingPlayer, book: ReplyBook, run: str) -> None:
        self.name, self.info = player.name, player.info
        self._player, self._book, self._run = player, book, run

    async def act(self, ask: Ask) -> Reply:
        call = self._player.make_call(ask)
        reply = await self._book.reply_once(
            call.key, f"{self._run}/{ask.episode}", lambda: self._player.send_call(call)
        )
        # the same messages may have been made from a prompt of another name
        return msgspec.structs.replace(reply, detail={**reply.detail, **call.prompt})
