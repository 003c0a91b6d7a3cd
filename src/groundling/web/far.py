"""Seats whose room runs in another server: page actions go there over the bus, and updates come back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.values import Role
from groundling.web.rooms import Wire
from groundling.web.sockets import Done, NearSeat, Seat
from groundling.web.watch import Lookout

if TYPE_CHECKING:
    from groundling.web.hall import Hall
    from groundling.web.post import Post

RESTART: Mapping[str, Any] = {"type": "restart"}
PATIENCE = 10.0
"""Seconds that a server may take to answer."""
Question: TypeAlias = Literal["rooms", "end", "guessed"]
"""List your rooms; end this room; this address sent a wrong admin token."""
log = logging.getLogger("groundling.web")


class Come(Struct, frozen=True, tag="Come"):
    """A page of the sender opens this seat of a room of the receiver; without a role it only watches."""

    page: int
    room: str
    role: Role | None


class Did(Struct, frozen=True, tag="Did"):
    page: int
    done: Done


class Gone(Struct, frozen=True, tag="Gone"):
    page: int


class Told(Struct, frozen=True, tag="Told"):
    """A message for a page of the receiver."""

    page: int
    message: msgspec.Raw
    last: bool = False


class Found(Struct, frozen=True, tag="Found"):
    """The person who waits at a page of the receiver has a partner."""

    page: int


class Asked(Struct, frozen=True, tag="Asked"):
    """A request on behalf of the admin pages."""

    number: int
    what: Question
    about: str


class Answered(Struct, frozen=True, tag="Answered"):
    number: int
    answer: msgspec.Raw


Letter: TypeAlias = Come | Did | Gone | Told | Found | Asked | Answered
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Letter).decode


class Elsewhere(Exception):  # noqa: N818
    """Another server runs this room."""

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.server = server


class NoAnswer(Exception):  # noqa: N818
    """Another server was asked and did not answer."""


class FarSeat:
    """The seat of a page that is connected here, in a room of another server; without a role it watches."""

    def __init__(self, far: Far, server: int, room: str, role: Role | None) -> None:
        self._far, self.server, self.room, self._role = far, server, room, role
        self._page = next(far.numbers)
        self.wire: Wire | None = None

    def come(self, wire: Wire) -> None:
        self.wire = wire
        self._far.ours[self._page] = self
        self._far.send(self.server, Come(self._page, self.room, self._role))

    def do(self, done: Done) -> None:
        self._far.send(self.server, Did(self._page, done))

    def go(self) -> None:
        if self._far.ours.pop(self._page, None):
            self._far.send(self.server, Gone(self._page))


class FarWire:
    """Where the room runs, the connection to a page of another server."""

    def __init__(self, far: Far, server: int, page: int) -> None:
        self._far, self._server, self._page = far, server, page

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self._far.send(self._server, Told(self._page, msgspec.Raw(_encode(message))))

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self._far.send(self._server, Told(self._page, msgspec.Raw(_encode(message)), last=True))


class Far:
    """Exchanges messages with the other servers: seats, requests and their answers."""

    def __init__(self, hall: Hall, post: Post) -> None:
        self._hall, self.post = hall, post
        self.numbers = count()
        self.ours: dict[int, FarSeat] = {}
        """Seats of our pages in rooms of other servers, by page number."""
        self.theirs: dict[tuple[int, int], Seat] = {}
        """Seats of other servers' pages in our rooms, by server and page number."""
        self.on_found: Callable[[int], None] = lambda page: None
        self.on_asked: Callable[[Asked], Awaitable[Any]] = _no_idea
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._letters: asyncio.Queue[tuple[int, msgspec.Raw]] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.post.open(lambda sender, letter: self._letters.put_nowait((sender, letter)))
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        if self._reading:
            self._reading.cancel()
        for seat in self.ours.values():
            assert seat.wire is not None
            seat.wire.close(RESTART)
        await self.post.close()

    def send(self, server: int, letter: Letter) -> None:
        self.post.send(server, _encode(letter))

    def tell_found(self, server: int, page: int) -> None:
        self.send(server, Found(page))

    async def ask(self, server: int, what: Question, about: str = "", patience: float = PATIENCE) -> Any:
        """The answer of that server. Raises NoAnswer."""
        number = next(self.numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self.send(server, Asked(number, what, about))
        try:
            return await asyncio.wait_for(answer, patience)
        except TimeoutError:
            raise NoAnswer from None
        finally:
            del self._asked[number]

    async def _answer(self, server: int, asked: Asked) -> None:
        try:
            answer = await self.on_asked(asked)
        except Exception:
            log.exception("server %s gets no answer about %s %s", server, asked.what, asked.about)
        else:
            self.send(server, Answered(asked.number, msgspec.Raw(_encode(answer))))

    async def claim(self, room: str) -> None:
        """Run this room from now on. Raises RoomElsewhere where another server runs it."""
        server = await self.post.claim(room)
        if server != self.post.me:
            raise Elsewhere(server)
        self._cut(lambda seat: seat.room == room)  # the server that ran it has gone

    async def look(self) -> None:
        """Disconnect the pages of servers that have gone, and reconnect ours to their rooms."""
        if self.post.trouble:
            raise self.post.trouble
        register = await self.post.register()
        for (server, page), seat in list(self.theirs.items()):
            if server not in register.servers:
                del self.theirs[server, page]
                seat.go()
        self._cut(lambda seat: not register.runs(seat.server, seat.room))
        await self.post.sweep()

    def _cut(self, which: Callable[[FarSeat], bool]) -> None:
        """Close these pages. They reconnect by themselves and find the server that runs the room then."""
        for seat in self.ours.values():
            if which(seat):
                assert seat.wire is not None
                seat.wire.close(RESTART)

    async def _read(self) -> None:
        while True:
            sender, letter = await self._letters.get()
            try:
                await self._take(sender, _decode(letter))
            except Exception:  # one bad message must not stop the others
                log.exception("a letter of server %s could not be taken", sender)

    async def _take(self, sender: int, letter: Letter) -> None:
        match letter:
            case Come(page, room, role):
                await self._let_in(sender, page, room, role)
            case Did(page, done):
                if seat := self.theirs.get((sender, page)):
                    seat.do(done)
                else:
                    FarWire(self, sender, page).close(RESTART)
            case Gone(page):
                if seat := self.theirs.pop((sender, page), None):
                    seat.go()
            case Told(page, message, last):
                if (ours := self.ours.get(page)) and ours.server == sender and ours.wire:
                    (ours.wire.close if last else ours.wire.send)(message)
            case Found(page):
                self.on_found(page)
            case Asked():
                task = asyncio.create_task(self._answer(sender, letter))  # later messages do not wait for it
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)
            case Answered(number, answer):
                if (waiting := self._asked.get(number)) and not waiting.done():
                    waiting.set_result(msgspec.json.decode(answer))

    async def _let_in(self, sender: int, page: int, name: str, role: Role | None) -> None:
        wire = FarWire(self, sender, page)
        try:
            room = await self._hall.room(name)
        except Elsewhere:
            room = None
        except Exception:
            wire.close(RESTART)
            raise
        if room is None:
            return wire.close(RESTART)
        seat = self.theirs[sender, page] = Lookout(room) if role is None else NearSeat(room, role)
        seat.come(wire)
        return await asyncio.sleep(0)  # the room attaches the page before it handles its actions


async def _no_idea(asked: Asked) -> None:
    raise NoAnswer
