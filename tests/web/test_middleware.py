"""Who may ask, and as whom they count."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from groundling.core.values import Problem
from groundling.web.app import make_app
from groundling.web.middleware import RateLimits, client_address, people_behind
from groundling.web.room_manager import RoomManager
from groundling.web.server import LOOPBACK, is_loopback_server, read_limit_ranges
from groundling.web.server_settings import ServerSettings
from groundling.web.sqlite_store import SqliteStore


def server(path: Path, **settings: Any) -> TestClient:
    return TestClient(
        make_app(RoomManager(SqliteStore(path / "games.db"), ServerSettings(**settings))),
        "http://127.0.0.1:8000",
    )


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:9", "LOCALHOST", "[::1]:8000", "127.0.0.1"])
def test_a_server_of_one_machine_is_known_by_its_names(host: str, tmp_path: Path) -> None:
    with server(tmp_path, hosts=LOOPBACK) as client:
        assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["elsewhere.example:8000", "127.0.0.1.example", "[::2]:8000", "[::1", ""])
def test_a_name_that_only_points_here_is_refused_for_pages_and_sockets(host: str, tmp_path: Path) -> None:
    with server(tmp_path, hosts=LOOPBACK) as client:
        headers = {"host": host, "origin": f"http://{host}"}
        answer = client.post("/api/rooms", json={"game": "reference"}, headers=headers)
        assert (answer.status_code, "--proxy" in answer.text) == (421, True)
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/api/wait/reference/giver", headers=headers),
        ):
            pass


def test_where_others_can_reach_it_any_name_will_do(tmp_path: Path) -> None:
    assert [
        is_loopback_server(host)
        for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "games.example")
    ] == ([True] * 3 + [False] * 3)
    with server(tmp_path) as client:
        assert client.get("/", headers={"host": "games.example"}).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:1.2.3.4", "::ffff:1.2.3.5", False),
        ("1.2.3.4", "1.2.3.5", False),
    ],
)
def test_all_addresses_of_an_ipv6_network_share_one_limit(one: str, other: str, same: bool) -> None:
    found = [client_address(HTTPConnection({"type": "http", "client": (host, 1)})) for host in (one, other)]
    assert (found[0] == found[1]) == same


def connection(host: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "client": (host, 1)})


@pytest.mark.parametrize(
    ("host", "people"),
    [
        ("10.1.2.3", 30),
        ("10.1.0.7", 200),
        ("11.0.0.1", 1),
        ("::ffff:10.1.2.3", 30),
        ("2001:db8::5", 7),
        ("2001:db9::5", 1),
        ("fe80::1%eth0", 1),
        ("testclient", 1),
    ],
)
def test_people_behind_an_address_are_told_by_the_narrowest_range(host: str, people: int) -> None:
    ranges = {"10.0.0.0/8": 30, "10.1.0.0/24": 200, "2001:db8::/32": 7}
    assert people_behind(connection(host), ranges) == people
    assert people_behind(connection(host), {}) == 1


def test_the_limits_of_a_range_are_as_many_times_higher() -> None:
    settings = ServerSettings(limit_for={"10.0.0.0/8": 5})
    limits = RateLimits(0.0, 4.0, settings)
    granted = {
        host: sum(limits.take_token(connection(host)) for _ in range(30))
        for host in ("10.0.0.1", "10.0.0.2", "192.0.2.1")
    }
    assert granted == {"10.0.0.1": 20, "10.0.0.2": 20, "192.0.2.1": 4}


def test_ranges_are_read_from_the_command_line_and_nonsense_is_refused() -> None:
    assert read_limit_ranges(["10.0.0.0/8=30", "192.0.2.7=2"]) == {"10.0.0.0/8": 30, "192.0.2.7/32": 2}
    for wrong in ("10.0.0.0/8", "10.0.0.0/8=", "10.0.0.0/8=many", "lab=30", "10.0.0.1/8=30", "=3"):
        with pytest.raises(Problem, match="is not NETWORK=PEOPLE"):
            read_limit_ranges([wrong])
    with pytest.raises(Problem, match="at least one person"):
        read_limit_ranges(["10.0.0.0/8=0"])


@pytest.mark.parametrize(("scheme", "sent"), [("https", True), ("http", False)])
def test_browsers_are_told_to_stay_with_https_and_only_over_https(
    scheme: str, sent: bool, tmp_path: Path
) -> None:
    with server(tmp_path) as client:
        for path in ("/", "/nowhere"):
            answer = client.get(f"{scheme}://games.example{path}")
            assert ("strict-transport-security" in answer.headers) == sent


def test_a_store_that_cannot_be_written_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*order: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(SqliteStore, "save_booking", full)
    with server(tmp_path) as client:
        client.headers["origin"] = "http://127.0.0.1:8000"
        answer = client.post("/api/rooms", json={"game": "reference", "seats": {"giver": "person"}})
        assert answer.status_code == 503
        assert "try again" in answer.json()["error"]
        assert "content-security-policy" in answer.headers
