"""The server is killed at random moments, and started again: whatever was acknowledged is there, once, and games go on."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from groundling.core.events import Moved
from groundling.core.pack import find
from groundling.core.values import Say
from groundling.web.export import played
from groundling.web.sqlite import SqliteArchive

KILLS = 20
PAIRS = 4
GAME = {"game": "codraw", "seats": {"teller": "person", "drawer": "person"}, "minutes": 60, "settings": {"rounds": 0}}


class Server:
    def __init__(self, db: Path) -> None:
        self.db, self.port = db, 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "groundling", "serve", "--db", str(self.db), "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", told)
        assert found, told + (self.process.stdout.read() if self.process.poll() is not None else "")
        self.port = int(found[1])

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def post(self, path: str, body: Any) -> tuple[Any, str]:
        headers = {"origin": self.url, "content-type": "application/json"}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer), answer.headers.get("set-cookie", "").partition(";")[0]

    def seats(self) -> dict[str, tuple[str, str]]:
        links = self.post("/api/rooms", GAME)[0]["links"]
        found = {}
        for role, link in links.items():
            answer, cookie = self.post("/api/sit", {"secret": link.partition("#")[2]})
            found[role] = (answer["path"], cookie)
        return found


def _open(server: Server, path: str, cookie: str) -> connect:
    address = f"ws://127.0.0.1:{server.port}{path}socket"
    return connect(address, additional_headers={"cookie": cookie}, origin=server.url)  # type: ignore[arg-type]


class Talker:
    """Says numbered things whenever it is their turn, and remembers which were acknowledged."""

    def __init__(self, server: Server, path: str, cookie: str) -> None:
        self.server, self.path, self.cookie = server, path, cookie
        self.room, self.role = path.split("/")[2:4]
        self.said = 0
        self.acknowledged: list[str] = []

    async def talk(self) -> None:
        while True:
            try:
                await self._talk()
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _talk(self) -> None:
        async with _open(self.server, self.path, self.cookie) as socket:
            sent: dict[int, str] = {}
            async for message in socket:
                told = json.loads(message)
                self.acknowledged += [sent.pop(number) for number in told.get("taken", ())]
                if told.get("turn"):
                    await asyncio.sleep(0.04)  # as fast as a seat may
                    self.said += 1
                    text = f"{self.role} says {self.said}"
                    sent[self.said] = text
                    await socket.send(json.dumps({"do": "move", "id": self.said, "moves": [{"move": "say", "text": text}]}))


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db")
    server.start()
    talkers = [Talker(server, *seat) for _ in range(PAIRS) for seat in server.seats().values()]
    chance = random.Random(5)

    async def go() -> None:
        talking = [asyncio.create_task(talker.talk()) for talker in talkers]
        for _ in range(KILLS):
            before = sum(len(talker.acknowledged) for talker in talkers)
            while sum(len(talker.acknowledged) for talker in talkers) < before + PAIRS:
                await asyncio.sleep(0.01)
            await asyncio.sleep(chance.uniform(0, 0.15))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        for task in talking:
            task.cancel()

    try:
        asyncio.run(go())
    finally:
        server.kill(signal.SIGTERM)
    pack = find("codraw")
    kept = {booking.id: played(pack, records) for booking, records in SqliteArchive(tmp_path / "games.db").rooms()}
    for talker in talkers:
        transcript = kept[talker.room]
        assert transcript is not None
        moves = [event for event in transcript.events if isinstance(event, Moved) and event.role == talker.role]
        words = [move.text for event in moves for move in event.moves if isinstance(move, Say)]
        assert len(words) == len(set(words))
        assert set(talker.acknowledged) <= set(words)
        assert len(talker.acknowledged) >= KILLS / 2


def test_a_frame_that_is_too_large_ends_that_connection_and_nothing_else(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db")
    server.start()
    seats = server.seats()

    async def go() -> None:
        async with _open(server, *seats["teller"]) as one, _open(server, *seats["drawer"]) as other:
            await other.recv()
            await one.send("x" * 70_000)
            await one.wait_closed()
            assert one.close_code == 1009
            await other.send("still here?")
            async for message in other:
                if "cannot be understood" in str(message):
                    break
        async with _open(server, *seats["teller"]) as again:
            assert "hello" in str(await again.recv())

    try:
        asyncio.run(go())
    finally:
        server.kill(signal.SIGTERM)
