"""Nothing hidden reaches the wrong seat. A game is played twice with the same moves, the second time on an
instance that differs in all that a seat must not know: every byte sent to that seat must be the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.web.room_helpers import GAMES, Person, new_room, open_manager, people, play_out, until

from groundling.core.pack import Pack, find, load
from groundling.core.values import Instance, Role, Say
from groundling.web import live_room, room_manager
from groundling.web.server_settings import RoomRequest
from groundling.web.stimuli import StimulusSet

CASES = [(game, role) for game in GAMES for role in find(game).roles]


async def _bytes(
    path: Path,
    pack: Pack,
    instance: Instance,
    role: Role,
    moves: Sequence[tuple[Role, tuple[Any, ...]]] | None,
) -> tuple[list[bytes], list[tuple[Role, tuple[Any, ...]]]]:
    """What the seat is sent over a whole game, with pages reloaded and wrong things tried; and what was
    done."""
    async with open_manager(path, sets=(StimulusSet(pack.name, "own", [instance]),)) as manager:
        room = await new_room(manager, RoomRequest(pack.name, people(pack)))
        seats = {each: Person(room, each) for each in room.booking.seats}
        for person in seats.values():
            await person.come()
        await until(lambda: all(person.page.shown.get("phase") == "playing" for person in seats.values()))
        sent: list[bytes] = []
        done: list[tuple[Role, tuple[Any, ...]]] = []
        for number in range(len(moves) if moves is not None else 12):
            if room.over:
                break
            if number in (1, 4):
                sent += seats[role].page.before_the_end()
                await seats[role].come()
            other = next(each for each in seats if each != room.current_turn)
            await seats[other].do(Say("may I?"))
            if moves is None:
                done += await play_out(room, seats, most=1)
            else:
                who, what = moves[number]
                assert who == room.current_turn
                assert await seats[who].do(*what) == ""
                done.append((who, what))
        sent += seats[role].page.before_the_end()
        return sent, done


@pytest.mark.parametrize("most", [1, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "role"), CASES)
def test_a_seat_is_sent_the_same_bytes_whatever_it_must_not_know(
    game: str, role: Role, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = find(game)
    monkeypatch.setattr("secrets.token_hex", lambda size: "aaaa")
    monkeypatch.setattr("secrets.randbits", lambda size: 5)
    monkeypatch.setattr(room_manager, "time", lambda: 1000.0)
    monkeypatch.setattr(live_room, "GRACE", 60.0)
    compared = 0
    for number, instance in enumerate(load(pack.builtin)()[:6]):
        other = load(pack.hide)(instance, role, Random(number))
        if other is None:
            continue
        seen, moves = asyncio.run(_bytes(tmp_path / f"{number}a.db", pack, instance, role, None))
        again, _ = asyncio.run(_bytes(tmp_path / f"{number}b.db", pack, other, role, moves))
        assert seen == again
        assert len(seen) > 2
        compared += 1
        if compared == most:
            break
    if compared == 0:
        pytest.skip(f"nothing is hidden from the {role}")
