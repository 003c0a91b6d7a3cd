"""Rematches: both people agree, then each is sent to the other seat of a new room with another instance."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from tests.web.room_helpers import Person, new_room, open_manager, play_out, seat_people, until
from tests.web.test_remote_seats import apart

from groundling.web import rematch
from groundling.web.live_room import LiveRoom
from groundling.web.page_seats import RematchMessage
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import RoomRequest
from groundling.web.store import Booking, hash_store_secret


def rematch_link(person: Person) -> str:
    """The link that the person's page was sent, or nothing."""
    heard = [msgspec.json.decode(sent) for sent in person.page.bytes]
    return next((message["link"] for message in heard if message["type"] == "rematch"), "")


async def follow(manager: RoomManager, link: str) -> tuple[Booking, str]:
    """The room and the seat to which a link leads."""
    secret = hash_store_secret(link.removeprefix("/join#"))
    chair = await manager.store.redeem_invite(secret, hash_store_secret(f"cookie of {link}"))
    assert chair is not None
    booking = await manager.store.find_booking(chair.room)
    assert booking is not None
    return booking, chair.role


def instance_id(booking: Booking) -> str:
    found: dict[str, Any] = msgspec.json.decode(booking.instance)
    return str(found["id"])


def test_two_people_who_agree_meet_in_a_new_room_with_swapped_seats(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            giver, follower = seats["giver"], seats["follower"]
            await room.ask_rematch("giver")
            assert giver.page.shown.get("rematch") is None, "not before the end"
            await play_out(room, seats)
            assert giver.page.shown["rematch"] == {"mine": False, "partner": False, "next": "follower"}
            await room.ask_rematch("giver")
            await room.ask_rematch("giver")
            assert giver.page.shown["rematch"]["mine"]
            assert follower.page.shown["rematch"] == {"mine": False, "partner": True, "next": "giver"}
            assert not rematch_link(giver)
            await room.ask_rematch("follower")
            (first, one), (second, other) = [
                await follow(manager, rematch_link(seats[role])) for role in ("giver", "follower")
            ]
            assert first.id == second.id != room.booking.id
            assert (one, other) == ("follower", "giver")
            assert instance_id(first) != room.instance.id
            assert (first.settings, first.minutes) == (room.booking.settings, room.booking.minutes)

    asyncio.run(go())


def test_a_person_who_played_with_a_built_in_partner_keeps_their_seat(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("reference", {"giver": "person"}))
            person = Person(room, "giver")
            await person.come()
            await play_out(room, {"giver": person})
            await until(lambda: person.page.shown.get("phase") == "over")
            await room.ask_rematch("giver")
            booking, role = await follow(manager, rematch_link(person))
            assert role == "giver"
            assert dict(booking.seats) == room.attendance.seats

    asyncio.run(go())


def test_people_at_different_servers_get_their_rematch(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            await play_out(room, seats)
            await room.ask_rematch("giver")
            remote = seats["follower"].seat
            assert remote is not None
            remote.handle_action(RematchMessage())
            await until(lambda: all(rematch_link(person) for person in seats.values()))
            booking, role = await follow(other, rematch_link(seats["follower"]))
            assert (booking.game, role) == ("reference", "giver")

    asyncio.run(go())


def test_a_page_that_comes_back_is_sent_its_link_again(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await play_out(room, seats)
            for role in seats:
                await room.ask_rematch(role)
            first = rematch_link(seats["giver"])
            await seats["giver"].come()
            assert rematch_link(seats["giver"]) == first != rematch_link(seats["follower"])

    asyncio.run(go())


def test_where_only_the_administrator_opens_rooms_there_is_no_rematch(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", closed=True) as manager:
            room, seats = await seat_people(manager)
            await play_out(room, seats)
            for role in seats:
                await room.ask_rematch(role)
            assert seats["giver"].page.shown.get("rematch") is None
            assert not rematch_link(seats["giver"])

    asyncio.run(go())


def test_rematches_cannot_be_opened_faster_than_a_limit(
    tmp_path: Path, monkeypatch: Any, no_time_passes: None
) -> None:
    monkeypatch.setattr(rematch, "REMATCHES_AT_ONCE", 1.0)

    async def finish(manager: RoomManager) -> tuple[LiveRoom, dict[str, Person]]:
        room, seats = await seat_people(manager)
        await play_out(room, seats)
        for role in seats:
            await room.ask_rematch(role)
        return room, seats

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            _, first = await finish(manager)
            assert rematch_link(first["giver"])
            _, second = await finish(manager)
            assert not rematch_link(second["giver"])
            assert b"try again in a few seconds" in b"".join(second["follower"].page.bytes)
            assert second["giver"].page.shown["rematch"]["mine"] is False, "they may ask again"

    asyncio.run(go())
