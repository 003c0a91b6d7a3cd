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
from groundling.web.live_room import LiveRoom, Wire
from groundling.web.page_seats import PageAction, PageSeat
from groundling.web.watchers import open_local_seat

if TYPE_CHECKING:
    from groundling.web.cluster.bus import MessageBus

RESTART: Mapping[str, Any] = {"type": "restart"}
ANSWER_TIMEOUT = 10.0
"""Seconds that a server may take to answer."""
Question: TypeAlias = Literal["rooms", "end", "guessed"]
"""List your rooms; end this room; this address sent a wrong admin token."""
log = logging.getLogger("groundling.web")


class SeatOpened(Struct, frozen=True, tag="Come"):
    """A page of the sender opens this seat of a room of the receiver; without a role it only watches."""

    page: int
    room: str
    role: Role | None


class SeatAction(Struct, frozen=True, tag="Did"):
    page: int
    done: PageAction


class SeatClosed(Struct, frozen=True, tag="Gone"):
    page: int


class PageUpdate(Struct, frozen=True, tag="Told"):
    """A message for a page of the receiver."""

    page: int
    message: msgspec.Raw
    last: bool = False


class PartnerFound(Struct, frozen=True, tag="Found"):
    """The person who waits at a page of the receiver has a partner, or another page has taken the place."""

    page: int
    taken: bool = False


class ClusterRequest(Struct, frozen=True, tag="Asked"):
    """A request on behalf of the admin pages."""

    number: int
    what: Question
    about: str


class ClusterReply(Struct, frozen=True, tag="Answered"):
    number: int
    answer: msgspec.Raw


ClusterMessage: TypeAlias = (
    SeatOpened | SeatAction | SeatClosed | PageUpdate | PartnerFound | ClusterRequest | ClusterReply
)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ClusterMessage).decode


class RoomElsewhere(Exception):  # noqa: N818
    """Another server runs this room."""

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.server = server


class NoAnswer(Exception):  # noqa: N818
    """Another server was asked and did not answer."""


class RemoteSeat:
    """The seat of a page that is connected here, in a room of another server; without a role it watches."""

    def __init__(self, cluster: RemoteSeatLink, server: int, room: str, role: Role | None) -> None:
        self._cluster, self.server, self.room, self._role = cluster, server, room, role
        self._page = next(cluster.numbers)
        self.wire: Wire | None = None

    def connect_page(self, wire: Wire) -> None:
        self.wire = wire
        self._cluster.ours[self._page] = self
        self._cluster.send_message(self.server, SeatOpened(self._page, self.room, self._role))

    def handle_action(self, done: PageAction) -> None:
        self._cluster.send_message(self.server, SeatAction(self._page, done))

    def disconnect_page(self) -> None:
        if self._cluster.ours.pop(self._page, None):
            self._cluster.send_message(self.server, SeatClosed(self._page))


class RemoteWire:
    """Where the room runs, the connection to a page of another server."""

    def __init__(self, cluster: RemoteSeatLink, server: int, page: int) -> None:
        self._cluster, self._server, self._page = cluster, server, page

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self._cluster.send_message(self._server, PageUpdate(self._page, msgspec.Raw(_encode(message))))

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self._cluster.send_message(
            self._server, PageUpdate(self._page, msgspec.Raw(_encode(message)), last=True)
        )


class RemoteSeatLink:
    """Exchanges messages with the other servers: seats, requests and their answers."""

    def __init__(self, open_room: Callable[[str], Awaitable[LiveRoom | None]], bus: MessageBus) -> None:
        self._open_room, self.bus = open_room, bus
        self.numbers = count()
        self.ours: dict[int, RemoteSeat] = {}
        """Seats of our pages in rooms of other servers, by page number."""
        self.theirs: dict[tuple[int, int], PageSeat] = {}
        """Seats of other servers' pages in our rooms, by server and page number."""
        self.on_partner_found: Callable[[int, bool], None] = lambda page, taken: None
        self.on_request: Callable[[ClusterRequest], Awaitable[Any]] = _refuse_request
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._inbox: asyncio.Queue[tuple[int, msgspec.Raw]] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.bus.open(lambda sender, message: self._inbox.put_nowait((sender, message)))
        self._reading = asyncio.create_task(self._read_messages())

    async def close(self) -> None:
        if self._reading:
            self._reading.cancel()
        for seat in self.ours.values():
            assert seat.wire is not None
            seat.wire.close(RESTART)
        await self.bus.close()

    def send_message(self, server: int, message: ClusterMessage) -> None:
        self.bus.send_message(server, _encode(message))

    async def ask_server(
        self, server: int, what: Question, about: str = "", patience: float = ANSWER_TIMEOUT
    ) -> Any:
        """The answer of that server. Raises NoAnswer."""
        number = next(self.numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self.send_message(server, ClusterRequest(number, what, about))
        try:
            return await asyncio.wait_for(answer, patience)
        except TimeoutError:
            raise NoAnswer from None
        finally:
            del self._asked[number]

    async def _answer_request(self, server: int, asked: ClusterRequest) -> None:
        try:
            answer = await self.on_request(asked)
        except Exception:
            log.exception("server %s gets no answer about %s %s", server, asked.what, asked.about)
        else:
            self.send_message(server, ClusterReply(asked.number, msgspec.Raw(_encode(answer))))

    async def claim_room(self, room: str) -> None:
        """Run this room from now on. Raises RoomElsewhere where another server runs it."""
        server = await self.bus.claim_room(room)
        if server != self.bus.me:
            raise RoomElsewhere(server)
        self._reconnect_pages(lambda seat: seat.room == room)  # the server that ran it has gone

    async def drop_dead_servers(self) -> None:
        """Disconnect the pages of servers that have gone, and reconnect ours to their rooms."""
        if self.bus.bus_failure:
            raise self.bus.bus_failure
        register = await self.bus.read_register()
        for (server, page), seat in list(self.theirs.items()):
            if server not in register.servers:
                del self.theirs[server, page]
                seat.disconnect_page()
        self._reconnect_pages(lambda seat: not register.runs_room(seat.server, seat.room))
        await self.bus.delete_stale_rows()

    def _reconnect_pages(self, which: Callable[[RemoteSeat], bool]) -> None:
        """Close these pages. They reconnect by themselves and find the server that runs the room then."""
        for seat in self.ours.values():
            if which(seat):
                assert seat.wire is not None
                seat.wire.close(RESTART)

    async def _read_messages(self) -> None:
        while True:
            sender, received = await self._inbox.get()
            try:
                await self._handle_message(sender, _decode(received))
            except Exception:  # one bad message must not stop the others
                log.exception("a message of server %s could not be handled", sender)

    async def _handle_message(self, sender: int, received: ClusterMessage) -> None:
        match received:
            case SeatOpened(page, room, role):
                await self._open_seat(sender, page, room, role)
            case SeatAction(page, done):
                if seat := self.theirs.get((sender, page)):
                    seat.handle_action(done)
                else:
                    RemoteWire(self, sender, page).close(RESTART)
            case SeatClosed(page):
                if seat := self.theirs.pop((sender, page), None):
                    seat.disconnect_page()
            case PageUpdate(page, message, last):
                if (ours := self.ours.get(page)) and ours.server == sender and ours.wire:
                    (ours.wire.close if last else ours.wire.send)(message)
            case PartnerFound(page, taken):
                self.on_partner_found(page, taken)
            case ClusterRequest():
                # a task, so that later messages do not wait for it
                task = asyncio.create_task(self._answer_request(sender, received))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)
            case ClusterReply(number, answer):
                if (waiting := self._asked.get(number)) and not waiting.done():
                    waiting.set_result(msgspec.json.decode(answer))

    async def _open_seat(self, sender: int, page: int, name: str, role: Role | None) -> None:
        wire = RemoteWire(self, sender, page)
        try:
            room = await self._open_room(name)
        except RoomElsewhere:
            room = None
        except Exception:
            wire.close(RESTART)
            raise
        if room is None:
            return wire.close(RESTART)
        seat = self.theirs[sender, page] = open_local_seat(room, role)
        seat.connect_page(wire)
        return await asyncio.sleep(0)  # the room attaches the page before it handles its actions


async def _refuse_request(asked: ClusterRequest) -> None:
    raise NoAnswer
