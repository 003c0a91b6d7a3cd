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

TOKEN_VARIABLE = "GROUNDLING_ADMIN_TOKEN"
MIN_TOKEN_LENGTH = 16
"""Characters that a chosen token must have."""
FREE_ATTEMPTS = 3
"""Failures of an address before it has to wait."""
MAX_WAIT = 3600.0
"""Seconds of the longest wait; the wait starts at one second and doubles with every failure."""
FAILURE_LIFETIME = 24 * 3600.0
"""Seconds after which failures are forgotten."""
MAX_ADDRESSES = 10_000
"""Addresses whose failures are remembered."""
SESSION_SECONDS = 12 * 3600
"""Seconds for which a cookie is valid."""


def find_login_token() -> tuple[str, bool]:
    """The token, and whether it was generated here and has to be printed."""
    given = os.environ.get(TOKEN_VARIABLE, "").strip()
    if given and len(given) < MIN_TOKEN_LENGTH:
        raise Problem(
            f"{TOKEN_VARIABLE} has {len(given)} characters and could be guessed: "
            f"give it at least {MIN_TOKEN_LENGTH}, or unset it"
        )
    return (given, False) if given else (secrets.token_urlsafe(32), True)


class LoginFailures(Struct):
    count: int
    at: float

    def blocked_until(self, free: int) -> float:
        """When the next attempt is allowed, with this number of free ones."""
        return self.at + min(MAX_WAIT, 2.0 ** min(self.count - free, 60)) if self.count >= free else self.at


class AdminLogin:
    """Exchanges the token for a cookie signed with it, which every worker that has the token can check."""

    def __init__(
        self, token: str, clock: Callable[[], float] = monotonic, calendar: Callable[[], float] = time
    ) -> None:
        self._token = hashlib.sha256(token.encode()).digest()
        self._clock, self._calendar = clock, calendar
        self._failures: dict[str, LoginFailures] = {}

    def exchange_token(self, address: str, token: str, people: int = 1) -> str:
        """The cookie for a correct token. After some failures an address waits, twice as long each time; one
        that several people share has more free attempts."""
        now = self._clock()
        past = self._recent_failures(address)
        if past is not None and now < (until := past.blocked_until(FREE_ATTEMPTS * people)):
            wait = int(until - now) + 1
            raise HTTPException(429, f"too many failures: try again in {wait} s", {"retry-after": str(wait)})
        if not hmac.compare_digest(hashlib.sha256(token.encode(errors="replace")).digest(), self._token):
            self.record_failure(address)
            raise HTTPException(403, "wrong token: it was printed when the server started")
        self._failures.pop(address, None)
        text = f"{int(self._calendar()) + SESSION_SECONDS}.{secrets.token_urlsafe(12)}"
        return f"{text}.{self._sign_text(text)}"

    def record_failure(self, address: str) -> None:
        """Count a failed attempt, made here or at another server."""
        past = self._recent_failures(address)
        self._failures.pop(address, None)
        while len(self._failures) >= MAX_ADDRESSES:
            self._failures.pop(next(iter(self._failures)))
        self._failures[address] = LoginFailures(past.count + 1 if past else 1, self._clock())

    def _recent_failures(self, address: str) -> LoginFailures | None:
        past = self._failures.get(address)
        return None if past is None or self._clock() - past.at > FAILURE_LIFETIME else past

    def is_valid_cookie(self, cookie: str) -> bool:
        """Whether we signed the cookie and it has not expired. The store knows which ones were logged out."""
        text, _, sign = cookie.rpartition(".")
        if not hmac.compare_digest(sign.encode(errors="replace"), self._sign_text(text).encode()):
            return False
        return login_cookie_expiry(cookie) > self._calendar()

    def _sign_text(self, text: str) -> str:
        return hmac.new(self._token, text.encode(errors="replace"), hashlib.sha256).hexdigest()


def login_cookie_signature(cookie: str) -> str:
    return cookie.rpartition(".")[2]


def login_cookie_expiry(cookie: str) -> int:
    """When a cookie that we signed expires, in seconds since the epoch."""
    return int(cookie.partition(".")[0])
