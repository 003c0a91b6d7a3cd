"""Who runs the server is let in with a token, and nobody who guesses."""

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
"""Characters of a token that somebody chose."""
FREE = 3
"""Failures of an address before it has to wait …"""
LONGEST = 3600.0
"""… a second, then two, four and so on, at most so many."""
FORGIVEN = 24 * 3600.0
"""Seconds after which failures are forgotten."""
KNOWN = 10_000
"""Addresses whose failures are remembered."""
DAY = 12 * 3600
"""Seconds for which somebody is let in."""


def find_token() -> tuple[str, bool]:
    """The token, and whether it was made here and has to be told."""
    given = os.environ.get(VARIABLE, "").strip()
    if given and len(given) < SHORTEST:
        raise Problem(
            f"{VARIABLE} has {len(given)} characters and could be guessed: give it at least {SHORTEST}, or unset it"
        )
    return (given, False) if given else (secrets.token_urlsafe(32), True)


class Failures(Struct):
    count: int
    at: float

    @property
    def until(self) -> float:
        """When the next try is let through."""
        return self.at + min(LONGEST, 2.0 ** (self.count - FREE)) if self.count >= FREE else self.at


class Gate:
    """A token is traded for a cookie that is signed with it, so that every worker that has the token knows
    the cookie."""

    def __init__(
        self, token: str, clock: Callable[[], float] = monotonic, calendar: Callable[[], float] = time
    ) -> None:
        self._token = hashlib.sha256(token.encode()).digest()
        self._clock, self._calendar = clock, calendar
        self._failures: dict[str, Failures] = {}

    def trade(self, address: str, token: str) -> str:
        """The cookie. Whoever fails too often has to wait, twice as long each time, whatever they bring."""
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
        """Here, or at another server."""
        past = self._past(address)
        self._failures.pop(address, None)
        while len(self._failures) >= KNOWN:
            self._failures.pop(next(iter(self._failures)))
        self._failures[address] = Failures(past.count + 1 if past else 1, self._clock())

    def _past(self, address: str) -> Failures | None:
        past = self._failures.get(address)
        return None if past is None or self._clock() - past.at > FORGIVEN else past

    def admits(self, cookie: str) -> bool:
        """Unless whoever has it signed out: that is told by the store, by its sign."""
        told, _, sign = cookie.rpartition(".")
        if not hmac.compare_digest(sign.encode(errors="replace"), self._signed(told).encode()):
            return False
        return good_until(cookie) > self._calendar()

    def _signed(self, told: str) -> str:
        return hmac.new(self._token, told.encode(errors="replace"), hashlib.sha256).hexdigest()


def sign_of(cookie: str) -> str:
    return cookie.rpartition(".")[2]


def good_until(cookie: str) -> int:
    """Of a cookie that we have signed."""
    return int(cookie.partition(".")[0])
