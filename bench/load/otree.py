"""oTree beside us: its own chat between pairs, over its own sockets, on the same machine. It lives in an
environment of its own under build/, never in ours."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING
from urllib.error import URLError

import msgspec

from .plan import OTREE, Plan

if TYPE_CHECKING:
    import aiohttp

    from .crowd import Crowd

HOME = Path("build/otree")
FILES = {
    "settings.py": (
        "SESSION_CONFIGS = [dict(name='talk', app_sequence=['talk'], num_demo_participants=2)]\n"
        "SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1, participation_fee=0)\n"
        "LANGUAGE_CODE, REAL_WORLD_CURRENCY_CODE, USE_POINTS = 'en', 'USD', True\n"
        "ADMIN_USERNAME, ADMIN_PASSWORD, SECRET_KEY = 'admin', 'none', 'of no use'\n"
    ),
    "talk/__init__.py": (
        "from otree.api import *\n\n\n"
        "class C(BaseConstants):\n    NAME_IN_URL, PLAYERS_PER_GROUP, NUM_ROUNDS = 'talk', 2, 1\n\n\n"
        "class Subsession(BaseSubsession):\n    pass\n\n\n"
        "class Group(BaseGroup):\n    pass\n\n\n"
        "class Player(BasePlayer):\n    pass\n\n\n"
        "class Talk(Page):\n    pass\n\n\n"
        "page_sequence = [Talk]\n"
    ),
    "_static/empty.txt": "",
    "_templates/empty.txt": "",
    "talk/Talk.html": "{{ block title }}Talk{{ endblock }}\n"
    "{{ block content }}\n{{ chat }}\n{{ endblock }}\n",
}
"""The smallest project that has a chat for two."""


def installed() -> bool:
    """Whether it is there, once it has been tried."""
    if not (HOME / "bin" / "otree").exists():
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True)
        pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "--quiet", f"otree=={OTREE}"]
        subprocess.run(pip, check=False, stderr=subprocess.DEVNULL)
    return (HOME / "bin" / "otree").exists()


@contextmanager
def otree(folder: Path) -> Iterator[tuple[str, int]]:
    """A production server with an empty database; its address, and its process."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    program = str((HOME / "bin" / "otree").absolute())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = {
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "start_new_session": True,
    }
    path = f"{Path(program).parent}:{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "OTREE_PRODUCTION": "1"}
    started = subprocess.Popen([program, "prodserver", f"127.0.0.1:{port}"], env=env, **place)  # type: ignore[call-overload]
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            sleep(0.2)
            try:
                urllib.request.urlopen(f"{url}/api/otree_version").close()
                break
            except URLError:
                continue
        yield url, started.pid
    finally:
        os.killpg(started.pid, signal.SIGTERM)  # it has started another by itself
        started.wait()


class Chatter:
    """A participant's page, as its script would run it."""

    def __init__(self, name: str, web: aiohttp.ClientWebSocketResponse) -> None:
        self._name, self._web = name, web
        self._wanted: tuple[str, asyncio.Future[float]] | None = None
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._web:
            now = monotonic()
            if self._wanted and any(
                line["body"] == self._wanted[0] for line in msgspec.json.decode(message.data)
            ):
                wanted, self._wanted = self._wanted[1], None
                if not wanted.done():
                    wanted.set_result(now)

    def expect(self, text: str) -> asyncio.Future[float]:
        coming: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._wanted = text, coming
        return coming

    async def send(self, text: str) -> None:
        await self._web.send_json({"body": text, "nickname_signed": self._name})


async def participants(crowd: Crowd, plan: Plan) -> list[str]:
    """The addresses of their first pages."""
    body = {"session_config_name": "talk", "num_participants": 2 * plan.otree}
    async with crowd.web.post(f"{plan.urls[0]}/api/sessions", json=body) as answer:
        code = msgspec.json.decode(await answer.read())["code"]
    async with crowd.web.get(f"{plan.urls[0]}/api/sessions/{code}") as answer:
        people = msgspec.json.decode(await answer.read())["participants"]
    return [f"{plan.urls[0]}/InitializeParticipant/{each['code']}" for each in people]


async def come(crowd: Crowd, link: str) -> Chatter:
    """Open the page, and the socket that it names."""
    async with crowd.web.get(link) as answer:
        page = await answer.text()
    found = re.search(r"varsFromDjango = (\{.*?\});", page)
    assert found, page[:500]
    told = msgspec.json.decode(unescape(found[1]))
    socket = await crowd.web.ws_connect(crowd.plan.urls[0] + told["socket_path"], compress=15)
    return Chatter(told["nickname_signed"], socket)


async def chat(crowd: Crowd, place: int, links: list[str]) -> None:
    """One message and one reply a second, as in CoDraw's rooms."""
    one, other = [await come(crowd, link) for link in links]
    await crowd.all_sit()
    due = crowd.now() + place * 0.618 % 1
    while True:
        for here, there in ((one, other), (other, one)):
            due = await crowd.until(due)
            text = f"{place} {due:.3f}: a boy near the left edge, a little up"
            coming = there.expect(text)
            sent = crowd.now()
            await here.send(text)
            await crowd.told("otree", sent, coming)
            due += 0.5
