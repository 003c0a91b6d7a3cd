"""The administrator's login."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException

from groundling.core.values import Problem
from groundling.web.login import (
    FAILURE_LIFETIME,
    FREE_ATTEMPTS,
    MAX_ADDRESSES,
    MAX_WAIT,
    SESSION_SECONDS,
    TOKEN_VARIABLE,
    AdminLogin,
    find_login_token,
)

TOKEN = "a token that nobody guesses"


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def new_login() -> tuple[AdminLogin, Time]:
    time = Time()
    return AdminLogin(TOKEN, time, time), time


def refused(login: AdminLogin, token: str, address: str = "1.2.3.4") -> int:
    with pytest.raises(HTTPException) as trouble:
        login.exchange_token(address, token)
    return trouble.value.status_code


def test_the_token_is_traded_for_a_cookie_that_is_known_again_and_does_not_tell_it() -> None:
    one, _ = new_login()
    cookie = one.exchange_token("1.2.3.4", TOKEN)
    assert one.is_valid_cookie(cookie)
    assert TOKEN not in cookie
    assert one.exchange_token("1.2.3.4", TOKEN) != cookie


def test_every_worker_with_the_same_token_knows_the_cookie_and_no_other_does() -> None:
    one, other = new_login()[0], new_login()[0]
    assert other.is_valid_cookie(one.exchange_token("1.2.3.4", TOKEN))
    assert not AdminLogin(TOKEN + "!").is_valid_cookie(one.exchange_token("1.2.3.4", TOKEN))


def test_a_cookie_is_good_for_a_day() -> None:
    one, time = new_login()
    cookie = one.exchange_token("1.2.3.4", TOKEN)
    time.now += SESSION_SECONDS - 1
    assert one.is_valid_cookie(cookie)
    time.now += 2
    assert not one.is_valid_cookie(cookie)


@given(st.text())
def test_no_other_text_is_a_cookie(text: str) -> None:
    assert not new_login()[0].is_valid_cookie(text)


def test_a_cookie_that_was_changed_anywhere_is_none() -> None:
    one, _ = new_login()
    cookie = one.exchange_token("1.2.3.4", TOKEN)
    for place in range(len(cookie)):
        other = "0" if cookie[place] != "0" else "1"
        assert not one.is_valid_cookie(cookie[:place] + other + cookie[place + 1 :])


def test_who_fails_too_often_waits_twice_as_long_each_time_whatever_they_bring() -> None:
    one, time = new_login()
    for _ in range(FREE_ATTEMPTS):
        assert refused(one, "wrong") == 403
    wait = 1.0
    for _ in range(20):
        assert refused(one, TOKEN) == 429
        time.now += min(wait, MAX_WAIT) - 0.01
        assert refused(one, TOKEN) == 429
        time.now += 0.02
        assert refused(one, "wrong") == 403
        wait *= 2
    time.now += MAX_WAIT
    one.exchange_token("1.2.3.4", TOKEN)
    assert refused(one, "wrong") == 403  # and not 429: all is forgiven


def test_an_address_that_many_share_has_more_free_attempts() -> None:
    one, _ = new_login()
    for _ in range(3 * FREE_ATTEMPTS):
        with pytest.raises(HTTPException, match="wrong token"):
            one.exchange_token("10.0.0.1", "wrong", 3)
    with pytest.raises(HTTPException, match="too many failures"):
        one.exchange_token("10.0.0.1", TOKEN, 3)


def test_one_address_does_not_lock_out_another() -> None:
    one, _ = new_login()
    for _ in range(FREE_ATTEMPTS):
        refused(one, "wrong")
    assert refused(one, TOKEN) == 429
    assert one.is_valid_cookie(one.exchange_token("5.6.7.8", TOKEN))


def test_failures_are_forgotten_after_a_day_and_never_fill_the_memory() -> None:
    one, time = new_login()
    for _ in range(FREE_ATTEMPTS):
        refused(one, "wrong")
    time.now += FAILURE_LIFETIME + 1
    for _ in range(FREE_ATTEMPTS):
        assert refused(one, "wrong") == 403
    for number in range(MAX_ADDRESSES + 10):
        refused(one, "wrong", str(number))
    assert len(one._failures) == MAX_ADDRESSES


def test_a_token_is_generated_unless_one_is_given_which_must_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    (one, told), (other, _) = find_login_token(), find_login_token()
    assert told
    assert one != other
    assert len(one) >= 32
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert find_login_token() == (TOKEN, False)
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    with pytest.raises(Problem, match="could be guessed"):
        find_login_token()
