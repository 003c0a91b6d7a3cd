"""The store: durable, in order, nothing twice, and nothing of another program's."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

import msgspec
import pytest

from groundling.core.events import AnyEvent, Closed, Failed, Moved, Opened, encode_event_json
from groundling.core.values import Problem, Result
from groundling.web import postgres_store, sqlite_database
from groundling.web.sqlite_database import MIGRATIONS
from groundling.web.sqlite_store import SqliteArchive, SqliteStore
from groundling.web.store import (
    Booking,
    Chair,
    RecordConflict,
    RoomCounts,
    RoomRecord,
    SavedDrawing,
    Store,
    erased_roles,
    hash_store_secret,
)
from groundling.web.store_url import check_database_url, open_archive_url, open_store_url, store_url_name


def booking(name: str = "room") -> Booking:
    raw = msgspec.Raw(b"{}")
    return Booking(
        id=name,
        at=1.0,
        game="reference",
        instance=raw,
        settings=raw,
        seats={"giver": "person"},
        seed=1,
        minutes=10,
    )


def chairs(name: str = "room") -> list[Chair]:
    return [Chair(name, "giver", hash_store_secret(f"{name} invite"))]


def record(text: str, role: str = "giver") -> RoomRecord:
    return RoomRecord("event", role, text.encode())


async def opened(place: str) -> Store:
    store = open_store_url(place)
    await store.open()
    return store


def test_what_was_appended_is_there_when_it_is_opened_again(place: str) -> None:
    async def go() -> list[RoomRecord]:
        store = await opened(place)
        await store.save_booking(booking(), chairs())
        await store.append_records("room", 0, [record("a"), record("b")])
        await store.append_records("room", 2, [record("c")])
        await store.close()
        again = await opened(place)
        found = await again.read_records("room")
        assert await again.find_booking("room") == booking()
        assert await again.find_booking("other") is None
        await again.close()
        return found

    assert [one.body for one in asyncio.run(go())] == [b"a", b"b", b"c"]


def test_a_file_belongs_to_one_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.db")
    with pytest.raises(Problem, match="in use by another server"):
        SqliteStore(tmp_path / "games.db")
    asyncio.run(store.close())


def test_a_number_is_given_once_and_a_conflict_adds_nothing(place: str) -> None:
    async def go() -> None:
        store = await opened(place)
        await store.save_booking(booking(), chairs())
        await store.append_records("room", 0, [record("a")])
        fine = store.append_records("room", 1, [record("b")])
        with pytest.raises(RecordConflict):
            await asyncio.gather(store.append_records("room", 0, [record("x"), record("y")]), fine)
        await asyncio.sleep(0.05)
        assert [one.body for one in await store.read_records("room")] == [b"a", b"b"]
        await store.close()

    asyncio.run(go())


def test_many_rooms_write_at_once_and_each_keeps_its_order(place: str) -> None:
    async def write(store: Store, name: str) -> None:
        await store.save_booking(booking(name), chairs(name))
        for number in range(20):
            await store.append_records(name, number, [record(f"{name} {number}")])

    async def go() -> None:
        store = await opened(place)
        names = [f"room{n}" for n in range(30)]
        await asyncio.gather(*(write(store, name) for name in names))
        for name in names:
            assert [one.body.decode() for one in await store.read_records(name)] == [
                f"{name} {n}" for n in range(20)
            ]
        await store.close()

    asyncio.run(go())


def test_an_invitation_is_traded_once_even_if_many_try_at_the_same_time(place: str) -> None:
    async def go() -> None:
        store = await opened(place)
        await store.save_booking(booking(), chairs())
        tries = await asyncio.gather(
            *(
                store.redeem_invite(hash_store_secret("room invite"), hash_store_secret(f"cookie {n}"))
                for n in range(20)
            )
        )
        (taken,) = [chair for chair in tries if chair is not None]
        assert await store.find_chair(taken.cookie) == taken
        assert await store.redeem_invite(hash_store_secret("another"), hash_store_secret("cookie")) is None
        assert await store.find_chair(hash_store_secret("")) is None
        await store.close()

    asyncio.run(go())


async def fill(place: str) -> None:
    store = await opened(place)
    await store.save_booking(booking(), chairs())
    await store.redeem_invite(hash_store_secret("room invite"), hash_store_secret("my cookie"))
    await store.append_records(
        "room", 0, [record("opened", ""), record("my secret wish"), record("their answer", "follower")]
    )
    await store.close()


def anywhere(text: bytes, folder: Path) -> bool:
    return any(text in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_secrets_are_nowhere_in_the_file(tmp_path: Path) -> None:
    asyncio.run(fill(str(tmp_path / "games.db")))
    assert not anywhere(b"room invite", tmp_path)
    assert not anywhere(b"my cookie", tmp_path)


def test_what_is_erased_is_gone_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    asyncio.run(fill(str(path)))
    assert b"my secret wish" in path.read_bytes()
    assert SqliteArchive(path).erase_seat("room", "giver") == 1
    SqliteArchive(path).remove_deleted()
    assert not anywhere(b"my secret wish", tmp_path)


def test_secrets_and_what_is_erased_are_not_in_the_files_of_the_database(
    database: str, cluster: tuple[str, Path]
) -> None:
    import psycopg

    asyncio.run(fill(database))

    def files() -> Path:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("CHECKPOINT")
            (number,) = connection.execute(
                "SELECT oid FROM pg_database WHERE datname = current_database()"
            ).fetchone() or ("",)
        return cluster[1] / "base" / str(number)

    assert anywhere(b"my secret wish", files())
    assert not anywhere(b"room invite", cluster[1])
    assert not anywhere(b"my cookie", cluster[1])
    assert open_archive_url(database).erase_seat("room", "giver") == 1
    open_archive_url(database).remove_deleted()
    assert not anywhere(b"my secret wish", files())


def test_who_was_erased_left_nothing_and_cannot_come_back(place: str) -> None:
    asyncio.run(fill(place))
    assert open_archive_url(place).erase_seat("room", "giver") == 1
    ((_, records),) = open_archive_url(place).read_rooms()
    assert [(one.kind, one.role, one.body) for one in records][:3] == [
        ("event", "", b"opened"),
        ("erased", "giver", b'{"type":"erased"}'),
        ("event", "follower", b"their answer"),
    ]
    assert erased_roles(records) == ["giver"]
    with pytest.raises(Problem, match="nobody could sit"):
        open_archive_url(place).erase_seat("room", "follower")

    async def knock() -> None:
        store = await opened(place)
        assert await store.find_chair(hash_store_secret("my cookie")) is None
        assert await store.redeem_invite(hash_store_secret("room invite"), hash_store_secret("new")) is None
        await store.close()

    asyncio.run(knock())


def test_databases_that_are_newer_or_not_there_are_reported_in_one_line(database: str) -> None:
    import psycopg

    asyncio.run(fill(database))
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE groundling.version SET number = 99")
    with pytest.raises(Problem, match="newer groundling"):
        asyncio.run(opened(database))
    with pytest.raises(Problem, match="newer groundling") as newer:
        check_database_url(database)
    with pytest.raises(Problem, match="cannot be used") as nobody:
        open_archive_url("postgresql://me:hush@127.0.0.1:1/games")
    with pytest.raises(Problem, match="no address of a database") as nonsense:
        check_database_url("postgresql://me:hush@host/games?colour=red")
    for trouble in (newer, nobody, nonsense):
        assert "\n" not in str(trouble.value)
        assert "hush" not in str(trouble.value)


def test_a_database_is_named_without_who_may_use_it() -> None:
    assert (
        store_url_name("postgresql://me:hush@host:5432/games?sslmode=require")
        == "postgresql://host:5432/games"
    )


def test_a_database_is_shared_with_other_programs(database: str) -> None:
    import psycopg

    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE rooms (name TEXT)")
    asyncio.run(fill(database))
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT * FROM rooms").fetchall() == []


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
    with pytest.raises(Problem, match="does not exist"):
        SqliteArchive(tmp_path / "no.db")
    with pytest.raises(Problem, match="cannot be used"):
        SqliteStore(tmp_path / "no folder" / "games.db")


def test_a_write_that_fails_is_told_and_the_next_one_continues(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "games.db")
        await store.save_booking(booking(), chairs())
        with pytest.raises(sqlite3.Error):
            await store._submit_work(
                lambda connection: connection.execute("SELECT * FROM nothing").fetchall()
            )
        await store.append_records("room", 0, [record("a")])
        assert len(await store.read_records("room")) == 1
        await store.close()

    asyncio.run(go())


def test_rooms_are_listed_a_few_at_a_time_the_newest_first(place: str) -> None:
    async def go() -> list[str]:
        store = await opened(place)
        for number in range(5):
            made = msgspec.structs.replace(booking(f"room{number}"), at=float(number // 2))
            await store.save_booking(made, chairs(f"room{number}"))
        found: list[str] = []
        while some := await store.list_bookings(found[-1] if found else "", 2):
            found += [one.id for one in some]
        await store.close()
        return found

    assert asyncio.run(go()) == ["room4", "room3", "room2", "room1", "room0"]


def events_by_outcome() -> dict[str, list[RoomRecord]]:
    """The records of games that went differently, as the server writes them."""
    known: dict[str, Any] = {"episode": "room", "at": 1.0}
    opened: AnyEvent = Opened(
        **known, game="reference", instance={"result": {"not": "of the game"}}, settings={}, seats={},
        seed=1, retries=0, strict=False, version="1", schema=1,
    )  # fmt: skip
    moved = Moved(**known, role="giver", moves=('{"type":"closed","result":{"said":"only"}}',))
    failed = Failed(**known, role="giver", boundary="reply", message="gone")
    closed = Closed(**known, reason='"result":{')
    finished = Closed(**known, reason="finished", result=Result(score=1.0))
    games: dict[str, list[AnyEvent]] = {
        "never": [],
        "open": [opened, moved],
        "finished": [opened, moved, finished],
        "ended": [opened, closed],
        "failed": [opened, failed],
        "resumed": [opened, failed, moved, finished],
    }
    return {
        name: [RoomRecord("note", "", b'{"type":"closed"}')]
        + [RoomRecord("event", "", encode_event_json(event)) for event in events]
        for name, events in games.items()
    }


async def fill_with_games(place: str) -> Store:
    store = await opened(place)
    for name, records in events_by_outcome().items():
        await store.save_booking(booking(name), chairs(name))
        await store.append_records(name, 0, records)
    return store


def test_all_rooms_are_counted_by_how_their_games_went(place: str) -> None:
    async def go() -> tuple[RoomCounts, RoomCounts]:
        store = await fill_with_games(place)
        before = await store.count_rooms()
        await asyncio.to_thread(store.open_archive().erase_seat, "finished", "giver")
        after = await store.count_rooms()
        await store.close()
        return before, after

    before, after = asyncio.run(go())
    assert before == after == RoomCounts(rooms=6, open=1, finished=2, ended=1, failed=1)


def test_rooms_of_an_older_store_are_counted_too(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill() -> None:
        await (await fill_with_games(place)).close()

    async def count() -> RoomCounts:
        store = await opened(place)
        counts = await store.count_rooms()
        await store.close()
        return counts

    with monkeypatch.context() as older:
        for module in (sqlite_database, postgres_store):
            version = next(n for n, script in enumerate(module.MIGRATIONS) if "TABLE outcomes" in script)
            older.setattr(module, "MIGRATIONS", module.MIGRATIONS[:version])
        asyncio.run(fill())
    assert asyncio.run(count()) == RoomCounts(rooms=6, open=1, finished=2, ended=1, failed=1)


def test_what_people_drew_is_kept_by_game_the_latest_first_until_it_is_forgotten(place: str) -> None:
    async def go() -> list[str]:
        store = await opened(place)
        for number in range(3):
            await store.save_drawing(
                SavedDrawing("hexagons", f"drawn-{number}", float(number), f"<i>'{number}'</i>", b"{}")
            )
        assert await store.list_drawings("image") == []
        await store.close()
        assert open_archive_url(place).delete_drawing("hexagons", "drawn-1")
        assert not open_archive_url(place).delete_drawing("hexagons", "drawn-1")
        again = await opened(place)
        found = [made.name for made in await again.list_drawings("hexagons")]
        await again.close()
        return found

    assert asyncio.run(go()) == ["<i>'2'</i>", "<i>'0'</i>"]


def test_who_has_signed_out_is_remembered_for_as_long_as_the_cookie_would_be_good(place: str) -> None:
    async def go() -> None:
        store = await opened(place)
        await store.revoke_cookie("old", time() - 1)
        await store.revoke_cookie("new", time() + 60)
        await store.revoke_cookie("new", time() + 60)
        await store.close()
        again = await opened(place)
        assert [await again.is_revoked(sign) for sign in ("old", "new", "other")] == [False, True, False]
        await again.close()

    asyncio.run(go())


def read_as_nobody(folder: Path) -> list[bytes]:
    """What somebody reads who may write neither the store nor its folder."""
    for path in (*folder.iterdir(), folder):
        path.chmod(0o444 if path.is_file() else 0o555)
    user = os.geteuid()
    try:
        if user == 0:  # whom no mode of a file stops
            os.seteuid(65534)
        with pytest.raises(OSError, match="Permission denied"):
            (folder / "new").touch()
        ((_, records),) = SqliteArchive(folder / "games.db").read_rooms()
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
    return [one.body for one in records]


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody can read, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


WHOLE = [b"opened", b"my secret wish", b"their answer"]


def test_a_read_only_store_is_read_without_the_files_beside_it(tmp_path: Path, public_folder: Path) -> None:
    asyncio.run(fill(str(tmp_path / "games.db")))
    shutil.copy(tmp_path / "games.db", public_folder)
    assert read_as_nobody(public_folder) == WHOLE
    assert [path.name for path in public_folder.iterdir()] == ["games.db"]


def test_records_that_only_the_wal_file_has_are_read_too(tmp_path: Path, public_folder: Path) -> None:
    """As in a snapshot of a server that was killed."""

    async def snapshot() -> None:
        store = await opened(str(tmp_path / "games.db"))
        await store.save_booking(booking(), chairs())
        await store.append_records("room", 0, [record("opened"), record("my secret wish")])
        await store.append_records("room", 2, [record("their answer")])
        for name in ("games.db", "games.db-wal"):
            shutil.copy(tmp_path / name, public_folder)
        await store.close()

    asyncio.run(snapshot())
    assert (public_folder / "games.db-wal").stat().st_size > 0
    assert read_as_nobody(public_folder) == WHOLE
    assert sorted(path.name for path in public_folder.iterdir()) == ["games.db", "games.db-wal"]


def test_a_store_is_read_while_a_server_writes_to_it(tmp_path: Path) -> None:
    async def go() -> None:
        store = await opened(str(tmp_path / "games.db"))
        await store.save_booking(booking(), chairs())
        await store.append_records("room", 0, [record("a")])
        ((_, records),) = SqliteArchive(tmp_path / "games.db").read_rooms()
        assert [one.body for one in records] == [b"a"]
        await store.close()

    asyncio.run(go())


def test_a_read_only_database_is_read_and_cannot_be_erased(database: str) -> None:
    asyncio.run(fill(database))
    joint = "&" if "?" in database else "?"
    archive = open_archive_url(f"{database}{joint}options=-c%20default_transaction_read_only%3Don")
    ((_, records),) = archive.read_rooms()
    assert [one.body for one in records] == [b"opened", b"my secret wish", b"their answer"]
    with pytest.raises(Problem, match="read-only"):
        archive.erase_seat("room", "giver")


def test_files_that_hold_no_store_are_reported_by_tools_too(tmp_path: Path) -> None:
    empty, text, newer = (tmp_path / name for name in ("empty.db", "text.db", "newer.db"))
    empty.touch()
    text.write_text("dear diary, " * 200)
    asyncio.run(SqliteStore(newer).close())
    with sqlite3.connect(newer) as ours:
        ours.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    for path, told in ((empty, "is empty"), (text, "cannot be read"), (newer, "newer groundling")):
        with pytest.raises(Problem, match=told):
            list(SqliteArchive(path).read_rooms())
