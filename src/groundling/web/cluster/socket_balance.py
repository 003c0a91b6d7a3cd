"""Spread the sockets of pages evenly over the workers of one server.

All workers accept connections from one listening socket, and the quickest gets one. The worker that
reads a request for a socket therefore passes the connection, as a file descriptor, to the worker that has the
fewest. Workers tell each other how many they have over Unix datagrams. A worker that has too many, because
another one was restarted, closes some; their pages reconnect by themselves."""

from __future__ import annotations

import asyncio
import signal
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.server import ServerState

from groundling.web.http_protocol import DeadlineHttpProtocol

TOLERANCE = 0.2
"""The share of the mean by which a worker may have more sockets before it closes some."""
RESTARTED = 1012
"""The code of a socket that is closed because its worker has too many. Pages reconnect."""
MOST_REQUEST = 64 * 1024
"""Bytes of a request that can be passed on; its connection stays where it is if there are more."""


class WorkerLoad(Struct, frozen=True):
    """How many sockets a worker has; None once it stops."""

    worker: str
    sockets: int | None


class _PageSocket:
    def __init__(self, path: str, send: Send) -> None:
        self.send, self.active_at, self.closing = send, monotonic(), False
        self.is_seat = path.startswith("/r/")
        """A page that waits for a partner would lose its place in the queue if it was closed."""


class SocketBalance:
    """The application of a worker, which counts its sockets and shares them with the other workers."""

    def __init__(self, app: ASGIApp, folder: Path, name: str) -> None:
        """Each worker has a Unix socket of that name in the folder, which belongs to one server."""
        self._app, self._folder, self._me = app, folder, name
        self._make_protocol: Callable[[], DeadlineHttpProtocol] | None = None
        self._passed_on = ServerState()
        """The connections that other workers passed on to us."""
        self._others: dict[str, int] = {}
        self._sockets: set[_PageSocket] = set()
        self._arriving = 0
        self._stopping = self._unloading = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._mail: socket.socket | None = None
        self._on_signal: Any = None

    def set_config(self, config: Config) -> None:
        """Handle connections that other workers pass on as uvicorn does with this configuration."""
        config.load()
        self._make_protocol = partial(
            DeadlineHttpProtocol, config=config, server_state=self._passed_on, app_state={"balance": self}
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._run_socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def start_with(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                self._open_mail()
            await send(message)

        scope["state"]["balance"] = self  # where the protocol finds it
        try:
            await self._app(scope, receive, start_with)
        finally:
            self._close_mail()

    async def _run_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = _PageSocket(scope["path"], send)

        async def note_activity() -> Message:
            message = await receive()
            page.active_at = monotonic()
            return message

        self._sockets.add(page)
        self._tell_others()
        try:
            await self._app(scope, note_activity, send)
        finally:
            self._sockets.discard(page)
            self._tell_others()

    # Passing on connections

    @property
    def load(self) -> int:
        return len(self._sockets) + self._arriving

    def pass_on(self, connection: socket.socket, request: bytes) -> bool:
        """Pass a connection and its request to the worker with the fewest sockets, if we have more."""
        if self._mail is None or not self._others or len(request) > MOST_REQUEST:
            return False
        other = min(self._others, key=self._others.__getitem__)
        if self._others[other] >= self.load and not self._stopping:
            return False
        try:
            # socket.send_fds ignores the address
            files = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection.fileno()]))]
            self._mail.sendmsg([request], files, 0, str(self._folder / other))
        except OSError as trouble:
            self._note_failure(other, trouble)
            return False
        self._others[other] += 1
        return True

    def _receive_mail(self) -> None:
        assert self._mail is not None
        with suppress(BlockingIOError):
            while True:
                body, files, _, _ = socket.recv_fds(self._mail, MOST_REQUEST, 1)
                if files:
                    self._arriving += 1
                    task = asyncio.create_task(self._take_over(socket.socket(fileno=files[0]), body))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
                else:
                    self._note_load(msgspec.json.decode(body, type=WorkerLoad))

    async def _take_over(self, connection: socket.socket, request: bytes) -> None:
        assert self._make_protocol is not None
        try:
            connection.setblocking(False)
            loop = asyncio.get_running_loop()
            _, protocol = await loop.connect_accepted_socket(self._make_protocol, connection)
            protocol.passed_on = True
            protocol.data_received(request)
            await asyncio.sleep(0)  # until the application counts it
        finally:
            self._arriving -= 1

    # What workers tell each other

    def _open_mail(self) -> None:
        self._mail = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._mail.setblocking(False)
        (self._folder / self._me).unlink(missing_ok=True)  # of a killed worker with the same number
        self._mail.bind(str(self._folder / self._me))
        asyncio.get_running_loop().add_reader(self._mail, self._receive_mail)
        self._others = {path.name: 0 for path in self._folder.iterdir() if path.name != self._me}
        self._tell_others()
        self._tasks.add(asyncio.create_task(self._keep_even()))
        self._on_signal = signal.getsignal(signal.SIGTERM)  # uvicorn's
        if callable(self._on_signal):
            signal.signal(signal.SIGTERM, self.stop_receiving)

    def stop_receiving(self, *signal: Any) -> None:
        """Receive no more connections: uvicorn closes ours, and their pages reconnect at once."""
        self._stopping = True
        self._tell_others()
        if signal and callable(self._on_signal):
            self._on_signal(*signal)

    def _close_mail(self) -> None:
        self.stop_receiving()
        for connection in list(self._passed_on.connections):
            connection.shutdown()
        for task in self._tasks:
            task.cancel()
        if self._mail is not None:
            asyncio.get_running_loop().remove_reader(self._mail)
            self._mail.close()
            self._mail = None
        (self._folder / self._me).unlink(missing_ok=True)

    def _tell_others(self) -> None:
        if self._mail is None:
            return
        told = msgspec.json.encode(WorkerLoad(self._me, None if self._stopping else self.load))
        for other in list(self._others):
            try:
                self._mail.sendto(told, str(self._folder / other))
            except OSError as trouble:
                self._note_failure(other, trouble)

    def _note_failure(self, other: str, trouble: OSError) -> None:
        """Forget a worker that is gone. After other failures, such as a full queue, it is tried again."""
        if isinstance(trouble, ConnectionRefusedError | FileNotFoundError):
            self._others.pop(other, None)
            (self._folder / other).unlink(missing_ok=True)

    def _note_load(self, told: WorkerLoad) -> None:
        new = told.worker not in self._others
        if told.sockets is None:
            self._others.pop(told.worker, None)
            return
        self._others[told.worker] = told.sockets
        if new:
            self._tell_others()

    # Closing sockets where there are too many

    async def _keep_even(self) -> None:
        while True:
            await asyncio.sleep(1)
            self._tell_others()  # this also finds out who is gone
            for page in self._sockets_to_close():
                page.closing = True
                with suppress(Exception):  # it has just closed
                    await page.send({"type": "websocket.close", "code": RESTARTED})

    def _sockets_to_close(self) -> list[_PageSocket]:
        """A tenth of our sockets, those that were silent for longest, while we have more than the mean."""
        mean = (self.load + sum(self._others.values())) / (1 + len(self._others))
        excess = self.load - ceil(mean)
        if excess <= 0 or self._stopping:
            self._unloading = False
        elif excess > 1 + TOLERANCE * mean:
            self._unloading = True
        if not self._unloading:
            return []
        open_pages = sorted(
            (page for page in self._sockets if page.is_seat and not page.closing),
            key=lambda page: page.active_at,
        )
        return open_pages[: min(excess, max(1, self.load // 10))]
