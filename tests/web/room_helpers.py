"""A room manager to test with: a store in a temporary place, rooms in it, pages made of lists."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from groundling.core.pack import Pack, find, load
from groundling.core.player import Ask
from groundling.core.values import Instance, Role
from groundling.players.player_specs import make_player_from_spec
from groundling.web.live_room import LiveRoom
from groundling.web.page_seats import MoveMessage, PageSeat
from groundling.web.room_attendance import read_room_notes
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.store import PERSON, RoomNote
from groundling.web.store_url import is_database_url, open_store_url

GAMES = ("reference", "image", "hexagons", "codraw", "director")
SQLITE_QUICK = pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
"""For what is the same in both: PostgreSQL is left to the slow tests."""


class RecordedPage:
    """What a browser would get, as bytes."""

    def __init__(self) -> None:
        self.bytes: list[bytes] = []
        self.closed = False
        self.shown: dict[str, Any] = {}
        self.taken: set[int] = set()
        self.refused: dict[int, str] = {}

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self.bytes.append(msgspec.json.encode(message))
        heard = msgspec.json.decode(self.bytes[-1])
        if heard["type"] == "show":
            if more := heard.pop("more", None):
                heard["talk"] = self.shown["talk"] + more
            self.shown |= heard
            self.taken |= set(heard.get("taken", ()))
        elif heard["type"] == "refused":
            self.refused[heard["id"]] = heard["why"]

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self.send(message)
        self.closed = True

    def before_the_end(self) -> list[bytes]:
        """All that was sent while there was something to hide."""
        return [sent for sent in self.bytes if b'"phase":"over"' not in sent]


@asynccontextmanager
async def open_manager(place: Path | str, **settings: Any) -> AsyncIterator[RoomManager]:
    """Several in one database are like several servers."""
    found = new_manager(str(place), **settings)
    await found.open()
    keeping = asyncio.create_task(found.run_maintenance())
    try:
        yield found
    finally:
        keeping.cancel()
        await found.close()


def new_manager(place: str, **settings: Any) -> RoomManager:
    if not is_database_url(place):
        return RoomManager(open_store_url(place), ServerSettings(**settings))
    from groundling.web.cluster.bus import MessageBus

    return RoomManager(open_store_url(place), ServerSettings(**settings), MessageBus(place))


def people(pack: Pack) -> dict[Role, str]:
    return dict.fromkeys(pack.roles, PERSON)


def small(pack: Pack, count: int = 1) -> list[Instance]:
    """Instances that are soon played."""
    if pack.name == "hexagons":
        return [one for one in load(pack.builtin)() if one.id][:count]
    return list(load(pack.builtin)()[:count])


async def new_room(manager: RoomManager, order: RoomRequest) -> LiveRoom:
    """The room of an order, without anybody in it."""
    known = set(manager.rooms)
    made: list[str] = []
    book = manager.store.save_booking

    async def remember(booking: Any, chairs: Any) -> None:
        made.append(booking.id)
        await book(booking, chairs)

    manager.store.save_booking = remember  # type: ignore[method-assign]
    try:
        await manager.create_room(order)
    finally:
        manager.store.save_booking = book  # type: ignore[method-assign]
    room = await manager.open_room(made[0])
    assert room is not None
    assert made[0] not in known
    return room


async def reopen_room(manager: RoomManager, room: LiveRoom) -> LiveRoom:
    """The same room, read from the store as after a restart."""
    await manager._drop_room(room.booking.id)
    found = await manager.open_room(room.booking.id)
    assert found is not None
    return found


async def seat_people(manager: RoomManager, game: str = "reference") -> tuple[LiveRoom, dict[Role, Person]]:
    """A new room with people in all seats, as soon as somebody has the turn."""
    room = await new_room(manager, RoomRequest(game, people(find(game))))
    seats = {role: Person(room, role) for role in room.booking.seats}
    for person in seats.values():
        await person.come()
    await until(lambda: room.current_turn)
    return room, seats


async def read_notes(manager: RoomManager, room: LiveRoom) -> list[RoomNote]:
    return list(read_room_notes(await manager.store.read_records(room.booking.id)))


async def until(holds: Callable[[], Any], seconds: float = 60.0) -> None:
    """Wait for what must come."""
    for _ in range(int(seconds / 0.002)):
        if holds():
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it did not come")


def without_collecting(check: Callable[[Path], Coroutine[Any, Any, None]], place: Path) -> None:
    """Run it where garbage is never collected; in a process of its own, since what other tests load may
    change how tasks are kept."""
    module = f"tests.web.{check.__module__.rpartition('.')[2]}"
    run = f"asyncio.run(m.{check.__name__}(m.Path({str(place)!r})))"
    code = f"import asyncio, gc, {module} as m; gc.disable(); {run}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


class Person:
    """Somebody in a seat who plays as one of the game's own players would."""

    def __init__(
        self, room: LiveRoom, role: Role, player: str = "gold", at: RoomManager | None = None
    ) -> None:
        """`at`: the server that they are connected to, where it is not the one that runs the room."""
        self.room, self.role, self.page, self.number = room, role, RecordedPage(), 0
        self.at = at
        self.seat: PageSeat | None = None
        self.player = make_player_from_spec(
            room.pack, room.game, role, player, [room.instance], lambda name: {}
        )

    async def come(self) -> None:
        self.page = RecordedPage()
        if self.at is None:
            await self.room.attach_page(self.role, self.page)
        else:
            self.seat = await self.at.open_seat(self.room.booking.id, self.role)
            assert self.seat is not None
            self.seat.connect_page(self.page)

    async def moves(self) -> tuple[Any, ...]:
        """What they would do now."""
        replay = self.room.replay
        assert replay is not None
        past = replay.past.get(self.role, ())
        ask = Ask(self.room.booking.id, self.role, replay.view(self.role), past, None, 7)
        reply = await self.player.act(ask)
        return reply.moves or self.room.game.read(replay.state, self.role, reply.text or "").moves

    async def do(self, *moves: Any) -> str:
        """Do it; the complaint, or nothing where it was taken."""
        self.number += 1
        number = self.number
        if self.seat is None:
            self.room.handle_moves(self.role, number, moves, {"browser": 1.0})
        else:
            self.seat.handle_action(MoveMessage(number, msgspec.Raw(msgspec.json.encode(moves)), 1.0))
        await until(lambda: number in self.page.taken or number in self.page.refused)
        return self.page.refused.get(number, "")


async def play_out(
    room: LiveRoom, seats: Mapping[Role, Person], most: int = 10_000
) -> list[tuple[Role, tuple[Any, ...]]]:
    """To the end, or so many replies; who did what."""
    done: list[tuple[Role, tuple[Any, ...]]] = []
    await until(lambda: room.current_turn is not None or room.over)
    while not room.over and len(done) < most:
        role = room.current_turn
        assert role is not None
        if role not in seats:
            await until(lambda: room.current_turn != role or room.over)  # noqa: B023
            continue
        moves = await seats[role].moves()
        assert await seats[role].do(*moves) == ""
        done.append((role, moves))
    return done


def game_pack(name: str) -> Pack:
    return find(name)


def play_rooms(place: str, *orders: RoomRequest) -> list[str]:
    """Games as ordered, played to the end; the names of their rooms."""

    async def go() -> list[str]:
        names = []
        async with open_manager(place) as manager:
            for order in orders:
                room = await new_room(manager, order)
                seats = {role: Person(room, role) for role in room.booking.person_roles}
                for person in seats.values():
                    await person.come()
                await play_out(room, seats)
                names.append(room.booking.id)
        return names

    return asyncio.run(go())
