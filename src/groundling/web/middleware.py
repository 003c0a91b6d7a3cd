"""Middleware for security headers and host names, the check of origins, and rate limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import ip_network
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
WRONG_HOST = (
    "this server accepts connections from its own machine only: "
    "open http://127.0.0.1 with its port, or name a proxy with --proxy\n"
)


class SecurityHeadersMiddleware:
    """Adds the security headers to every response, including errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether the request comes from one of our pages: browsers send the origin with POSTs and sockets."""
    origin = urlsplit(connection.headers.get("origin", ""))
    return bool(origin.netloc) and origin.netloc == connection.headers.get("host")


class TokenBucket(Struct):
    """A token bucket: `rate` actions a second, and up to `most` at once."""

    rate: float
    most: float
    level: float = -1.0
    at: float = 0.0

    def take_token(self, now: float | None = None) -> bool:
        now = monotonic() if now is None else now
        full = self.most if self.level < 0 else min(self.most, self.level + (now - self.at) * self.rate)
        self.at, self.level = now, max(0.0, full - 1) if full >= 1 else full
        return full >= 1


class RateLimits:
    """One bucket for each name, such as an address. Full buckets are dropped."""

    def __init__(self, rate: float, most: float, workers: int) -> None:
        """Each of the workers grants its share."""
        self._rate, self._most = rate / workers, max(1.0, most / workers)
        self._buckets: dict[str, TokenBucket] = {}

    def take_token(self, name: str) -> bool:
        now = monotonic()
        if len(self._buckets) > 10_000:
            self._buckets = {
                key: bucket
                for key, bucket in self._buckets.items()
                if bucket.level + (now - bucket.at) * self._rate < self._most
            }
        return self._buckets.setdefault(name, TokenBucket(self._rate, self._most)).take_token(now)


class TrustedHostsMiddleware:
    """Refuses requests to other host names, as protection against DNS rebinding."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            host = HTTPConnection(scope).headers.get("host", "")
            name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
            if name.lower() not in self._names:
                return await Response(WRONG_HOST, 421, media_type="text/plain")(scope, receive, send)
        return await self._app(scope, receive, send)


def client_address(connection: HTTPConnection) -> str:
    """The client's address, or its /64 network with IPv6, as one client usually has all of it."""
    host = connection.client.host if connection.client else ""
    plain = host.partition("%")[0]
    return str(ip_network(f"{plain}/64", strict=False)) if ":" in plain and "." not in plain else host


def middleware_error_body(why: str) -> Mapping[str, Any]:
    return {"error": why}
