"""The server from outside: a process of its own, and people who talk to it through sockets."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from groundling.core.events import Moved, Transcript
from groundling.core.pack import find
from groundling.core.values import Say
from groundling.web.export import read_exported_transcript
from groundling.web.store_url import open_archive_url

GAME = {
    "game": "codraw",
    "seats": {"teller": "person", "drawer": "person"},
    "minutes": 60,
    "settings": {"rounds": 0},
}


class Server:
    def __init__(self, db: object, *options: str) -> None:
        self.db, self.options, self.port = str(db), options, 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "groundling",
            "serve",
            "--db",
            self.db,
            "--port",
            str(self.port),
            *self.options,
        ]
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

    def get(self, path: str, cookie: str = "") -> Any:
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, headers={"cookie": cookie})
        ) as answer:
            return json.load(answer)

    def post(self, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
        headers = {"origin": self.url, "content-type": "application/json", "cookie": cookie}
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


def worker_pids(server: subprocess.Popen[str] | None) -> list[int]:
    """The processes of a server's workers; none where it has no others."""
    assert server is not None
    threads = Path(f"/proc/{server.pid}/task").glob("*/children")  # each lists what it has started itself
    children = [child for thread in threads for child in thread.read_text().split()]
    return [int(child) for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]


def open_seat(server: Server, path: str, cookie: str) -> connect:
    address = f"ws://127.0.0.1:{server.port}{path}socket"
    return connect(address, additional_headers={"cookie": cookie}, origin=server.url)  # type: ignore[arg-type]


class Talker:
    """Says numbered things whenever it is their turn, and remembers which were acknowledged."""

    def __init__(self, server: Server, path: str, cookie: str) -> None:
        self.server, self.path, self.cookie = server, path, cookie
        self.room, self.role = path.split("/")[2:4]
        self.said = 0
        self.sent: dict[int, str] = {}
        """What was sent last may be acknowledged when they have come back."""
        self.acknowledged: list[str] = []

    async def talk(self) -> None:
        while True:
            try:
                await self._talk()
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _talk(self) -> None:
        async with open_seat(self.server, self.path, self.cookie) as socket:
            async for message in socket:
                told = json.loads(message)
                self.acknowledged += [self.sent.pop(number) for number in told.get("taken", ())]
                if told.get("turn"):
                    await asyncio.sleep(0.04)  # as fast as a seat may
                    self.said += 1
                    text = f"{self.role} says {self.said}"
                    self.sent[self.said] = text
                    await socket.send(
                        json.dumps({"do": "move", "id": self.said, "moves": [{"move": "say", "text": text}]})
                    )


def check_talk(db: str, talkers: list[Talker]) -> None:
    """All that was acknowledged is there, and nothing twice."""
    assert lost_and_twice(db, talkers) == (0, 0)


def lost_and_twice(db: str, talkers: list[Talker]) -> tuple[int, int]:
    """How much of what was acknowledged is not there, and how much of what is there is there again."""
    pack = find("codraw")
    kept = {
        booking.id: read_exported_transcript(pack, records)
        for booking, records in open_archive_url(db).read_rooms()
    }
    said = [(talker, _said(kept[talker.room], talker.role)) for talker in talkers]
    lost = sum(len(set(talker.acknowledged) - set(words)) for talker, words in said)
    return lost, sum(len(words) - len(set(words)) for _, words in said)


async def talk_through(server: Server, talkers: list[Talker], kills: int, chance: Random) -> None:
    """The server is killed so often, at random moments while they talk, and started again."""
    talking = [asyncio.create_task(talker.talk()) for talker in talkers]
    for _ in range(kills):
        before = sum(len(talker.acknowledged) for talker in talkers)
        while sum(len(talker.acknowledged) for talker in talkers) < before + len(talkers) // 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.uniform(0, 0.15))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    for task in talking:
        task.cancel()


def _said(transcript: Transcript | None, role: str) -> list[str]:
    assert transcript is not None
    moves = [event for event in transcript.events if isinstance(event, Moved) and event.role == role]
    return [move.text for event in moves for move in event.moves if isinstance(move, Say)]
