"""The store: durable, in order, nothing twice, and nothing of another program's."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import msgspec
import pytest

from groundling.core.values import Problem
from groundling.web.sqlite import MIGRATIONS, SqliteArchive, SqliteStore
from groundling.web.store import Booking, Chair, Conflict, Record, hashed


def booking(name: str = "room") -> Booking:
    raw = msgspec.Raw(b"{}")
    return Booking(id=name, at=1.0, game="reference", instance=raw, settings=raw, seats={"giver": "person"}, seed=1, minutes=10)


def chairs(name: str = "room") -> list[Chair]:
    return [Chair(name, "giver", hashed(f"{name} invite"))]


def record(text: str, role: str = "giver") -> Record:
    return Record("event", role, text.encode())


def test_what_was_appended_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    async def go() -> list[Record]:
        store = SqliteStore(tmp_path / "games.db")
        await store.book(booking(), chairs())
        await store.append("room", 0, [record("a"), record("b")])
        await store.append("room", 2, [record("c")])
        with pytest.raises(Problem, match="in use by another server"):
            SqliteStore(tmp_path / "games.db")
        await store.close()
        again = SqliteStore(tmp_path / "games.db")
        found = await again.records("room")
        assert await again.booking("room") == booking()
        assert await again.booking("other") is None
        await again.close()
        return found

    assert [one.body for one in asyncio.run(go())] == [b"a", b"b", b"c"]


def test_a_number_is_given_once_and_a_conflict_adds_nothing(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        await store.book(booking(), chairs())
        await store.append("room", 0, [record("a")])
        fine = store.append("room", 1, [record("b")])
        with pytest.raises(Conflict):
            await asyncio.gather(store.append("room", 0, [record("x"), record("y")]), fine)
        await asyncio.sleep(0.05)
        assert [one.body for one in await store.records("room")] == [b"a", b"b"]
        await store.close()

    asyncio.run(go())


def test_many_rooms_write_at_once_and_each_keeps_its_order(tmp_path: Path) -> None:
    async def write(store: SqliteStore, name: str) -> None:
        await store.book(booking(name), chairs(name))
        for number in range(20):
            await store.append(name, number, [record(f"{name} {number}")])

    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        names = [f"room{n}" for n in range(30)]
        await asyncio.gather(*(write(store, name) for name in names))
        for name in names:
            assert [one.body.decode() for one in await store.records(name)] == [f"{name} {n}" for n in range(20)]
        await store.close()

    asyncio.run(go())


def test_an_invitation_is_traded_once_even_if_many_try_at_the_same_time(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        await store.book(booking(), chairs())
        tries = await asyncio.gather(*(store.sit(hashed("room invite"), hashed(f"cookie {n}")) for n in range(20)))
        (taken,) = [chair for chair in tries if chair is not None]
        assert await store.chair(taken.cookie) == taken
        assert await store.sit(hashed("another"), hashed("cookie")) is None
        assert await store.chair(hashed("")) is None
        await store.close()

    asyncio.run(go())


def test_secrets_are_nowhere_in_the_file(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        await store.book(booking(), chairs())
        await store.sit(hashed("room invite"), hashed("my cookie"))
        await store.close()

    asyncio.run(go())
    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"room invite" not in everything
    assert b"my cookie" not in everything


def test_what_is_erased_is_gone_from_the_file_and_the_seat_cannot_be_taken_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def fill() -> None:
        store = SqliteStore(path)
        await store.book(booking(), chairs())
        await store.sit(hashed("room invite"), hashed("cookie"))
        await store.append("room", 0, [record("opened", ""), record("my secret wish"), record("their answer", "follower")])
        await store.close()

    asyncio.run(fill())
    assert b"my secret wish" in path.read_bytes()
    assert SqliteArchive(path).erase("room", "giver") == 1
    assert not any(b"my secret wish" in each.read_bytes() for each in tmp_path.iterdir())
    ((_, records),) = SqliteArchive(path).rooms()
    assert [one.body for one in records][:2] == [b"opened", b"their answer"]
    with pytest.raises(Problem, match="nobody could sit"):
        SqliteArchive(path).erase("room", "follower")

    async def knock() -> None:
        store = SqliteStore(path)
        assert await store.chair(hashed("cookie")) is None
        assert await store.sit(hashed("room invite"), hashed("new")) is None
        await store.close()

    asyncio.run(knock())


def test_files_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    text, foreign, newer = (tmp_path / name for name in ("text.db", "foreign.db", "newer.db"))
    text.write_text("dear diary, " * 200)
    with sqlite3.connect(foreign) as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    asyncio.run(SqliteStore(newer).close())
    with sqlite3.connect(newer) as ours:
        ours.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    for path, told in ((text, "cannot be used"), (foreign, "another program"), (newer, "newer groundling")):
        with pytest.raises(Problem, match=told):
            SqliteStore(path)
    with pytest.raises(Problem, match="is not there"):
        SqliteArchive(tmp_path / "no.db")
    with pytest.raises(Problem, match="cannot be used"):
        SqliteStore(tmp_path / "no folder" / "games.db")


def test_a_write_that_fails_is_told_and_the_next_one_goes_on(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        await store.book(booking(), chairs())
        with pytest.raises(sqlite3.Error):
            await store._do(lambda connection: connection.execute("SELECT * FROM nothing").fetchall())
        await store.append("room", 0, [record("a")])
        assert len(await store.records("room")) == 1
        await store.close()

    asyncio.run(go())
