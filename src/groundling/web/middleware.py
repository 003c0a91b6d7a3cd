"""Middleware for security headers and host names, the check of origins, and rate limits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from ipaddress import ip_address, ip_network
from time import monotonic
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundling.web.server_settings import ServerSettings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""Sent over https only: browsers then refuse plain http to this host for a year."""
BODY_TAG = re.compile(rb"<body[^>]*>")
WRONG_HOST = (
    "this server accepts connections from its own machine only: "
    "open http://127.0.0.1 with its port, or name a proxy with --proxy\n"
)


class SecurityHeadersMiddleware:
    """Adds the security headers to every response, including errors. Those that a response has stay."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        https = [HTTPS_ONLY] if scope.get("scheme") == "https" else []

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                own = {name for name, _ in given}
                message["headers"] = [*given, *(each for each in self._headers if each[0] not in own), *https]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


class PageNoticeMiddleware:
    """Puts a sentence at the top of every page. It has to be inside of what compresses pages."""

    def __init__(self, app: ASGIApp, text: str) -> None:
        self._app, self._notice = app, f'<aside class="note">{text}</aside>'.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message | None = None

        async def with_notice(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                if MutableHeaders(scope=message).get("content-type", "").startswith("text/html"):
                    start = message  # its length is not known yet
                    return
            elif start is not None and message["type"] == "http.response.body":
                body = BODY_TAG.sub(lambda tag: tag[0] + self._notice, message["body"], count=1)
                MutableHeaders(scope=start)["content-length"] = str(len(body))
                await send(start)
                start, message = None, {**message, "body": body}
            await send(message)

        await self._app(scope, receive, with_notice if scope["type"] == "http" else send)


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
    """One bucket for each client. Full buckets are dropped."""

    def __init__(self, rate: float, most: float, settings: ServerSettings) -> None:
        """Each of the workers grants its share."""
        self._rate, self._most = rate / settings.workers, max(1.0, most / settings.workers)
        self._people = settings.limit_for
        self._buckets: dict[str, TokenBucket] = {}

    def take_token(self, client: HTTPConnection, seat: str = "") -> bool:
        """Take a token of the client's address, or of a seat in a room, whatever the address."""
        now = monotonic()
        if len(self._buckets) > 10_000:
            self._buckets = {
                key: bucket
                for key, bucket in self._buckets.items()
                if bucket.level + (now - bucket.at) * bucket.rate < bucket.most
            }
        name = seat or client_address(client)
        if name not in self._buckets:
            people = 1 if seat else people_behind(client, self._people)
            self._buckets[name] = TokenBucket(self._rate * people, self._most * people)
        return self._buckets[name].take_token(now)


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


def people_behind(connection: HTTPConnection, limit_for: Mapping[str, int]) -> int:
    """How many people share the client's address, by the narrowest range that it is in; usually one."""
    if not limit_for or connection.client is None:
        return 1
    try:
        address = ip_address(connection.client.host.partition("%")[0])
    except ValueError:
        return 1
    mapped = getattr(address, "ipv4_mapped", None) or address
    ranges = {ip_network(name): people for name, people in limit_for.items()}
    inside = [network for network in ranges if mapped in network]
    return ranges[max(inside, key=lambda network: network.prefixlen)] if inside else 1
