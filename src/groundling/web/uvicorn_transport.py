"""A uvicorn WebSocket protocol with direct sockets, as `socket_transport` uses them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from groundling.web.socket_transport import BACKLOG, DIRECT_SOCKET, PAUSE

UNCOMPRESSED_BYTES = 1024
"""Messages up to this size are not compressed: they fit into one packet."""


class DirectSocketProtocol(WebSocketsSansIOProtocol):
    """Overrides internal methods of uvicorn, which is why its version is bounded."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._hear: Callable[[bytes], bool] | None = None
        self._late: deque[bytes] = deque()
        """Messages that wait for the end of a pause."""
        self._pausing = False
        self._behind = 0
        """Messages written since the send buffer was last empty."""
        self._heard_at = 0.0
        self._extensions: Any = {}

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self._extensions = self.scope["extensions"]
            self._extensions[DIRECT_SOCKET] = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._hear = None
        self._extensions.clear()
        del self.conn.parser  # break the reference cycle, so that all is freed at once

    # Incoming messages
    # ----------------------------------------------------------------------------------------------------

    def set_listener(self, hear: Callable[[bytes], bool]) -> None:
        self._hear = hear

    def send_receive_event_to_app(self) -> None:
        """Handle a complete message."""
        self._heard_at = self.loop.time()
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        self._late.append(self.frames[0] if len(self.frames) == 1 else b"".join(self.frames))
        self.frames = []
        if not self._pausing:
            self._handle_queued()

    def _handle_queued(self) -> None:
        self._pausing = False
        while self._late and self._hear is not None:
            if not self._hear(self._late.popleft()):
                self._pausing = True
                self.transport.pause_reading()
                self.loop.call_later(PAUSE, self._resume_reading)
                return

    def _resume_reading(self) -> None:
        self._handle_queued()
        if not self._pausing and not self.transport.is_closing():
            self.transport.resume_reading()

    # Outgoing messages
    # ----------------------------------------------------------------------------------------------------

    def write_text(self, text: bytes) -> None:
        if self._hear is None or self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        self._behind = 0 if self.writable.is_set() else self._behind + 1
        if self._behind > BACKLOG:
            self.transport.abort()
        elif len(text) <= UNCOMPRESSED_BYTES:
            self.transport.write(Frame(Opcode.TEXT, text).serialize(mask=False))
        else:
            self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def hang_up(self) -> None:
        self._hear = None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1000})

    def send_keepalive_ping(self) -> None:
        """Skip the ping of a page that has just sent something."""
        assert self.ping_interval is not None
        left = self._heard_at + self.ping_interval - self.loop.time()
        if left > 0:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()
