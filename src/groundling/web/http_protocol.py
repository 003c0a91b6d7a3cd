"""The HTTP protocol of the server: uvicorn's, with a deadline for requests that arrive slowly, and with
connections that go to another worker.

uvicorn has a timeout between requests only, and every received byte cancels it."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0
"""Seconds in which the headers of a request must arrive, from the connection or the first byte."""
BODY_SECONDS = 60.0
"""Seconds in which its body must follow."""
TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class DeadlineHttpProtocol(HttpToolsProtocol):
    passed_on = False
    """Whether another worker passed this connection on to us."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline(HEADER_SECONDS)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:  # the next request of this connection
            self._set_deadline(HEADER_SECONDS)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._set_deadline(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._set_deadline(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._set_deadline(None)
        balance = self.app_state.get("balance")  # a SocketBalance
        if balance is not None and not self.passed_on:
            line = b"%b %b HTTP/1.1\r\n" % (self.scope["method"].encode(), self.url)
            headers = b"".join(b"%b: %b\r\n" % header for header in self.headers)
            connection = self.transport.get_extra_info("socket")
            if balance.pass_on(connection, line + headers + b"\r\n"):
                self.transport.abort()
                return
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline(None)
        super().connection_lost(exc)

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._drop_client)

    def _drop_client(self) -> None:
        answered = self.cycle is None or self.cycle.response_complete
        if not answered and not self.cycle.more_body:
            self._set_deadline(HEADER_SECONDS)  # an earlier request is still being answered
            return
        if answered:
            self.transport.write(TIMED_OUT)
        self.transport.close()
