"""The people, in a process of their own: `python -m bench.load.crowd PLAN` prints a line when all sit, and
what they saw in the end. They are kept cheap, because they share the machine with the server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from itertools import count
from time import monotonic
from typing import Any

import aiohttp
import msgspec
import uvloop
from msgspec import Struct

from . import otree
from .plan import Plan, Seen, flooding

AT_ONCE = 8
"""So many sit down at a time."""
CODRAW = {"game": "codraw", "seats": {"teller": "person", "drawer": "person"}}
HEXAGONS = {
    "game": "hexagons",
    "seats": {"instructor": "person", "executor": "person"},
    "settings": {"feedback": True},
}
LONG = 20.0
"""Seconds after which something that has not come is lost."""


class Line(Struct):
    text: str = ""


class Told(Struct):
    """What these people look at, of all that a page is told."""

    type: str
    turn: bool | None = None
    phase: str | None = None
    talk: list[Line] | None = None
    more: list[Line] = []
    panels: msgspec.Raw = msgspec.Raw()
    taken: tuple[int, ...] = ()
    why: str = ""


_decode = msgspec.json.Decoder(Told).decode
_encode = msgspec.json.Encoder().encode


class Person:
    """In a seat. Reads what comes, and knows when what was waited for did."""

    def __init__(self, crowd: Crowd, url: str, path: str, cookie: str) -> None:
        self.crowd, self.url, self.path, self.cookie = crowd, url, path, cookie
        self.said = 0
        self.over = False
        self._wanted: tuple[Callable[[Told], bool], asyncio.Future[float]] | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reading: asyncio.Task[None] | None = None

    async def come(self) -> None:
        headers = {"cookie": self.cookie, "origin": self.url}
        self._socket = await self.crowd.web.ws_connect(
            f"{self.url}{self.path}socket", headers=headers, compress=15, max_msg_size=0
        )
        self._reading = asyncio.create_task(self._read(self._socket))

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            now = self.crowd.now()
            told = _decode(message.data)
            if told.type == "refused":
                self.crowd.refused(told.why)
            elif told.phase == "over":
                self.over = True
            if self._wanted and (self.over or self._wanted[0](told)):
                wanted, self._wanted = self._wanted[1], None
                if not wanted.done():
                    wanted.set_result(now)

    def expect(self, what: Callable[[Told], bool]) -> asyncio.Future[float]:
        """When this person will be told such a thing, or that the game is over."""
        coming: asyncio.Future[float] = self.crowd.loop.create_future()
        self._wanted = what, coming
        return coming

    async def send(self, *moves: Any) -> None:
        assert self._socket is not None
        self.said += 1
        await self._socket.send_str(
            _encode({"do": "move", "id": self.said, "moves": moves, "at": 1000.0}).decode()
        )

    async def leave(self) -> None:
        if self._socket:
            await self._socket.close()
        if self._reading:
            self._reading.cancel()


class Crowd:
    def __init__(self, plan: Plan, web: aiohttp.ClientSession) -> None:
        self.plan, self.web, self.loop = plan, web, asyncio.get_running_loop()
        self.now = monotonic  # the clock of the loop knows only whole milliseconds
        self.seen = Seen()
        self.missing = plan.codraw + plan.hexagons + plan.otree
        """Pairs that do not sit yet."""
        self.begin = asyncio.Event()
        self.counting = False
        self.numbers = count()
        self._places = asyncio.Semaphore(AT_ONCE)

    def refused(self, why: str) -> None:
        self.seen.refused[why] = self.seen.refused.get(why, 0) + 1

    async def post(self, url: str, path: str, body: Any, number: int) -> tuple[Any, str]:
        """As if it came through a proxy, from an address of their own."""
        headers = {
            "origin": url,
            "x-forwarded-for": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        }
        async with self.web.post(url + path, data=_encode(body), headers=headers) as answer:
            text = await answer.read()
            assert answer.status < 300, text
            return msgspec.json.decode(text), answer.headers.get("set-cookie", "").partition(";")[0]

    async def sit(self, order: Any) -> dict[str, Person]:
        """A new room with both people in it, each at a server of their own where there are two."""
        number = next(self.numbers)
        urls = self.plan.urls
        async with self._places:
            links = (await self.post(urls[0], "/api/rooms", order, number))[0]["links"]
            people = {}
            for place, (role, link) in enumerate(links.items()):
                url = urls[(number + place) % len(urls)]
                answer, cookie = await self.post(url, "/api/sit", {"secret": link.partition("#")[2]}, number)
                people[role] = Person(self, url, answer["path"], cookie)
            first, second = people.values()
            ready = first.expect(lambda told: bool(told.turn))
            for person in (second, first):
                await person.come()
            await asyncio.wait_for(ready, LONG)
        return people

    async def all_sit(self) -> None:
        """Nobody begins before everybody is there."""
        self.missing -= 1
        if self.missing <= 0:
            self.begin.set()
        await self.begin.wait()

    async def told(self, kind: str, sent: float, coming: asyncio.Future[float]) -> None:
        """Wait for what was sent to arrive at the partner's."""
        counting = self.counting
        self.seen.sent += counting
        if self.plan.flood:
            kind = "flooded" if flooding() else "calm"
        try:
            took = await asyncio.wait_for(coming, LONG) - sent
        except TimeoutError:
            self.seen.lost += 1
            return
        if counting:
            self.seen.took.setdefault(kind, []).append(1000 * took)

    async def until(self, due: float) -> float:
        """Wait for that moment; the one after which the next is planned, which is later where it has passed
        long ago."""
        wait = due - self.now()
        if wait > 0:
            await asyncio.sleep(wait)
            return due
        self.seen.late += self.counting and wait < -0.5
        return max(due, self.now() - 1)


async def codraw(crowd: Crowd, place: int) -> None:
    """One message and one reply a second, each of 40 to 60 characters; game after game."""
    for game in count():
        rounds = 0 if crowd.plan.endless else 50 if game else 10 + place * 7 % 41  # not all end at once
        people = await crowd.sit({**CODRAW, "settings": {"rounds": rounds}})
        await crowd.all_sit()
        due = crowd.now() + (place * 0.618 % 1 if not game else 0)
        teller, drawer = people["teller"], people["drawer"]
        for number in range(rounds or 10_000):
            for one, other in ((teller, drawer), (drawer, teller)):
                due = await crowd.until(due)
                text = f"{one.path[-8:]} {number}: a boy near the left edge, a little up"
                coming = other.expect(
                    lambda told, text=text: any(line.text == text for line in told.more or told.talk or ())  # type: ignore[misc]
                )
                sent = crowd.now()
                await one.send({"move": "say", "text": text})
                await crowd.told("codraw", sent, coming)
                due += 0.5
        for person in people.values():
            await person.leave()


async def hexagons(crowd: Crowd, place: int) -> None:
    """Five tiles a second, which the instructor sees being painted, and a new step every two seconds; game
    after game."""
    for game in count():
        steps = 15 if game else 4 + place * 7 % 12
        people = await crowd.sit(HEXAGONS)
        await crowd.all_sit()
        due = crowd.now() + (place * 0.618 % 1 if not game else 0)
        one, other = people["instructor"], people["executor"]
        for number in range(steps):
            text = f"step {number}: paint the tiles below the last ones"
            coming = other.expect(lambda told: bool(told.turn))
            sent = crowd.now()
            await one.send({"move": "say", "text": text})
            await crowd.told("hexagons", sent, coming)
            for tile in range(9):
                due = await crowd.until(due) + 0.2
                paint = {
                    "move": "paint",
                    "row": 1 + tile,
                    "column": 1 + number,
                    "colour": ("red", "blue")[tile % 2],
                }
                coming = one.expect(lambda told: bool(bytes(told.panels)))
                sent = crowd.now()
                await other.send(paint)
                await crowd.told("hexagons", sent, coming)
            due = await crowd.until(due) + 0.2
            coming = one.expect(lambda told: bool(told.turn))
            sent = crowd.now()
            await other.send({"move": "next"})
            await crowd.told("hexagons", sent, coming)
        coming = other.expect(lambda told: False)
        await one.send({"move": "done"})
        await asyncio.wait_for(coming, LONG)
        for person in people.values():
            await person.leave()


async def run(plan: Plan) -> Seen:
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(60),
    ) as web:
        crowd = Crowd(plan, web)
        work: list[Coroutine[Any, Any, None]] = [codraw(crowd, place) for place in range(plan.codraw)]
        work += [hexagons(crowd, place) for place in range(plan.hexagons)]
        if plan.otree:
            links = await otree.participants(crowd, plan)
            work += [
                otree.chat(crowd, place, links[2 * place : 2 * place + 2]) for place in range(plan.otree)
            ]
        tasks = [asyncio.create_task(each) for each in work]
        while not crowd.begin.is_set():
            await _for(tasks, 0.2)
        await _for(tasks, plan.warm)
        print("begin", flush=True)
        crowd.counting = True
        await _for(tasks, plan.seconds)
        crowd.counting = False
        print(_encode(crowd.seen).decode(), flush=True)
        while tasks:
            for task in tasks:
                task.cancel()
            # one that was just being told goes on, in Python 3.11
            tasks = list((await asyncio.wait(tasks, timeout=1))[1])
    return crowd.seen


async def _for(tasks: list[asyncio.Task[None]], seconds: float) -> None:
    """Unless one of them fails."""
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


if __name__ == "__main__":
    uvloop.run(run(msgspec.json.decode(sys.argv[1], type=Plan)))
