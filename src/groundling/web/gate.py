"""The admin login: a token is exchanged for a signed cookie, and failed attempts are delayed."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from time import monotonic, time

from msgspec import Struct
from starlette.exceptions import HTTPException

from groundling.core.values import Problem

VARIABLE = "GROUNDLING_ADMIN_TOKEN"
SHORTEST = 16
"""Characters that a chosen token must have."""
FREE = 3
"""Failures of an address before it has to wait."""
LONGEST = 3600.0
"""Seconds of the longest wait; the wait starts at one second and doubles with every failure."""
FORGIVEN = 24 * 3600.0
"""Seconds after which failures are forgotten."""
KNOWN = 10_000
"""Addresses whose failures are remembered."""
DAY = 12 * 3600
"""Seconds for which a cookie is valid."""


def find_token() -> tuple[str, bool]:
    """The token, and whether it was generated here and has to be printed."""
    given = os.environ.get(VARIABLE, "").strip()
    if given and len(given) < SHORTEST:
        raise Problem(
            f"{VARIABLE} has {len(given)} characters and could be guessed: "
            f"give it at least {SHORTEST}, or unset it"
        )
    return (given, False) if given else (secrets.token_urlsafe(32), True)


class Failures(Struct):
    count: int
    at: float

    @property
    def until(self) -> float:
        """When the next attempt is allowed."""
        return self.at + min(LONGEST, 2.0 ** (self.count - FREE)) if self.count >= FREE else self.at


class Gate:
    """Exchanges the token for a cookie signed with it, which every worker that has the token can check."""

    def __init__(
        self, token: str, clock: Callable[[], float] = monotonic, calendar: Callable[[], float] = time
    ) -> None:
        self._token = hashlib.sha256(token.encode()).digest()
        self._clock, self._calendar = clock, calendar
        self._failures: dict[str, Failures] = {}

    def trade(self, address: str, token: str) -> str:
        """The cookie for a correct token. After some failures an address waits, twice as long each time."""
        now = self._clock()
        past = self._past(address)
        if past is not None and now < past.until:
            wait = int(past.until - now) + 1
            raise HTTPException(429, f"too many failures: try again in {wait} s", {"retry-after": str(wait)})
        if not hmac.compare_digest(hashlib.sha256(token.encode(errors="replace")).digest(), self._token):
            self.failed(address)
            raise HTTPException(403, "this is not the token: it was printed when the server was started")
        self._failures.pop(address, None)
        told = f"{int(self._calendar()) + DAY}.{secrets.token_urlsafe(12)}"
        return f"{told}.{self._signed(told)}"

    def failed(self, address: str) -> None:
        """Count a failed attempt, made here or at another server."""
        past = self._past(address)
        self._failures.pop(address, None)
        while len(self._failures) >= KNOWN:
            self._failures.pop(next(iter(self._failures)))
        self._failures[address] = Failures(past.count + 1 if past else 1, self._clock())

    def _past(self, address: str) -> Failures | None:
        past = self._failures.get(address)
        return None if past is None or self._clock() - past.at > FORGIVEN else past

    def admits(self, cookie: str) -> bool:
        """Whether we signed the cookie and it has not expired. The store knows which ones were signed out."""
        told, _, sign = cookie.rpartition(".")
        if not hmac.compare_digest(sign.encode(errors="replace"), self._signed(told).encode()):
            return False
        return good_until(cookie) > self._calendar()

    def _signed(self, told: str) -> str:
        return hmac.new(self._token, told.encode(errors="replace"), hashlib.sha256).hexdigest()


def sign_of(cookie: str) -> str:
    return cookie.rpartition(".")[2]


def good_until(cookie: str) -> int:
    """When a cookie that we signed expires, in seconds since the epoch."""
    return int(cookie.partition(".")[0])
