"""Who may ask, and as whom they count."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from groundling.web.app import make_app
from groundling.web.middleware import client_address
from groundling.web.room_manager import RoomManager, ServerSettings
from groundling.web.server import LOOPBACK, is_loopback_server
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
