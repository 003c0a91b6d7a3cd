"""`groundling serve --workers`: processes that take the same connections, killed at random moments while
people talk."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.web.server_process import Server, Talker, check_talk, open_seat, worker_pids
from websockets.exceptions import WebSocketException

from groundling.cli import main
from groundling.web.cluster.socket_balance import TOLERANCE

pytestmark = pytest.mark.slow
KILLS = 5
PAIRS = 6
WORKERS = 3


def locks(database: str, kind: int) -> int:
    """How many servers are there (2), or run rooms (1)."""
    import psycopg

    with psycopg.connect(database) as connection:
        query = "SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = %s"
        (count,) = connection.execute(query, (kind,)).fetchone() or (0,)
    return int(count)


def start(server: Server, database: str, workers: int) -> None:
    """Until all of its workers serve: one may be up long before another."""
    server.start()
    while locks(database, 2) < workers:
        sleep(0.05)


def test_a_worker_that_is_killed_takes_nothing_with_it(database: str) -> None:
    server = Server(database, "--workers", str(WORKERS))
    start(server, database, WORKERS)
    talkers: list[Talker] = []
    chance = random.Random(7)

    async def go() -> None:
        talkers.extend(Talker(server, *seat) for _ in range(PAIRS) for seat in server.seats().values())
        talking = [asyncio.create_task(talker.talk()) for talker in talkers]
        most = 0
        for _ in range(KILLS):
            before = [len(talker.acknowledged) for talker in talkers]
            while not all(
                len(talker.acknowledged) > known for talker, known in zip(talkers, before, strict=True)
            ):
                await asyncio.sleep(0.01)
            most = max(most, locks(database, 1))
            await asyncio.sleep(chance.uniform(0, 0.15))
            os.kill(chance.choice(worker_pids(server.process)), signal.SIGKILL)
            await asyncio.sleep(0.5)
            while locks(database, 2) < WORKERS:  # the next one has begun to serve
                await asyncio.sleep(0.1)
        assert most > 1
        for task in talking:
            task.cancel()

    try:
        asyncio.run(asyncio.wait_for(go(), 400))
    finally:
        server.kill(signal.SIGTERM)
    check_talk(database, talkers)


def count_sockets(server: Server) -> list[int]:
    """The connections that each worker has with clients."""
    owners = {
        os.readlink(file): worker
        for worker in worker_pids(server.process)
        for file in Path(f"/proc/{worker}/fd").iterdir()
        if file.is_symlink() and not file.is_file()
    }
    counts = dict.fromkeys(worker_pids(server.process), 0)
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, state, inode = (line.split()[field] for field in (1, 3, 9))
        owner = owners.get(f"socket:[{inode}]")
        if state == "01" and int(local.partition(":")[2], 16) == server.port and owner in counts:
            counts[owner] += 1
    return list(counts.values())


def test_sockets_are_spread_evenly_before_and_after_a_worker_is_killed(database: str) -> None:
    server = Server(database, "--workers", str(WORKERS))
    start(server, database, WORKERS)
    seats = [seat for _ in range(2 * PAIRS) for seat in server.seats().values()]

    async def stay(path: str, cookie: str) -> None:
        while True:
            with suppress(OSError, WebSocketException):
                async with open_seat(server, path, cookie) as page:
                    async for _ in page:
                        pass
            await asyncio.sleep(0.25)

    async def until_even() -> None:
        mean, counts = len(seats) / WORKERS, [0]
        most = 1 + (1 + TOLERANCE) * mean
        while sum(counts) != len(seats) or len(counts) != WORKERS or max(counts) > most:
            await asyncio.sleep(0.2)
            with suppress(FileNotFoundError):  # a worker or a connection has just gone
                counts = count_sockets(server)

    async def go() -> None:
        pages = [asyncio.create_task(stay(*seat)) for seat in seats]
        await until_even()
        os.kill(worker_pids(server.process)[0], signal.SIGKILL)
        await asyncio.sleep(0.5)
        await until_even()
        for page in pages:
            page.cancel()

    try:
        asyncio.run(asyncio.wait_for(go(), 400))
    finally:
        server.kill(signal.SIGTERM)


def test_a_server_that_loses_its_database_stops(database: str) -> None:
    import psycopg

    server = Server(database)
    server.start()
    assert server.process is not None
    server.seats()
    with psycopg.connect(database, autocommit=True) as connection:
        ours = "datname = current_database() AND pid <> pg_backend_pid()"
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")
    told, _ = server.process.communicate(timeout=120)
    assert "this server stops after a failure" in told
    server.start()
    server.seats()
    server.kill(signal.SIGTERM)


def test_workers_are_exchanged_one_by_one_while_people_talk(database: str, tmp_path: Path) -> None:
    """What `systemctl reload` does after an update; then the games are exported, and one is erased."""
    server = Server(database, "--workers", "2")
    start(server, database, 2)
    talkers: list[Talker] = []

    async def go() -> None:
        talkers.extend(Talker(server, *seat) for _ in range(3) for seat in server.seats().values())
        talking = [asyncio.create_task(talker.talk()) for talker in talkers]
        while not all(talker.acknowledged for talker in talkers):
            await asyncio.sleep(0.01)
        first = set(worker_pids(server.process))
        assert server.process is not None
        asked = float("-inf")
        while first & set(worker_pids(server.process)):
            if monotonic() > asked + 40:  # on a busy machine a new worker may not be ready in time
                server.process.send_signal(signal.SIGHUP)
                asked = monotonic()
            await asyncio.sleep(0.05)
        before = [len(talker.acknowledged) for talker in talkers]
        while not all(
            len(talker.acknowledged) > known for talker, known in zip(talkers, before, strict=True)
        ):
            await asyncio.sleep(0.01)
        for task in talking:
            task.cancel()

    try:
        asyncio.run(asyncio.wait_for(go(), 400))
        assert main(["serve", "--db", database, "--erase", f"{talkers[0].room}/teller"]) == 0
    finally:
        server.kill(signal.SIGTERM)
    check_talk(database, talkers[2:])
    assert main(["serve", "--db", database, "--export", str(tmp_path / "out")]) == 0
    (log,) = tmp_path.glob("out/codraw-*/log.jsonl")  # with settings of their own
    assert sum(1 for line in log.open() if '"opened"' in line) == 2
