"""That somebody types is told to their partner, and to nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.web.room_helpers import Person, open_manager, play_out, seat_people

TYPING = b'{"type":"typing"}'


def typing_messages(person: Person) -> int:
    return person.page.bytes.count(TYPING)


def test_the_partner_is_told_at_most_once_a_second_and_nothing_is_recorded(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            clock = [1000.0]
            room._clock = lambda: clock[0]
            before = await manager.store.read_records(room.booking.id)
            for later in (0.0, 0.2, 0.7, 1.1):
                clock[0] = 1000.0 + later
                await room.relay_typing("giver")
            assert (typing_messages(seats["giver"]), typing_messages(seats["follower"])) == (0, 2)
            assert await manager.store.read_records(room.booking.id) == before
            await play_out(room, seats)
            clock[0] += 60
            await room.relay_typing("giver")
            assert typing_messages(seats["follower"]) == 2, "not after the game"

    asyncio.run(go())


def test_the_operator_can_switch_it_off(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", typing=False) as manager:
            room, seats = await seat_people(manager)
            await room.relay_typing("giver")
            assert typing_messages(seats["follower"]) == 0

    asyncio.run(go())
