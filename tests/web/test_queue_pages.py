"""The queue as browsers see it: their cookies, and the sockets on which they wait for a partner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from tests.web.test_app import OURS, serve_in_process, take


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with serve_in_process(tmp_path) as client:
        yield client


def wait_as(server: TestClient, person: str, seat: str, settings: str = "{}") -> Any:
    """Wait for a partner in a browser that has this cookie."""
    headers = {"origin": OURS, "cookie": f"person={person}"}
    return server.websocket_connect(f"/api/wait/{seat}?settings={quote(settings)}", headers=headers)


def test_people_who_look_for_a_partner_find_each_other(server: TestClient) -> None:
    with wait_as(server, "one", "reference/giver") as one:
        games = {game["name"]: game["presets"][0] for game in server.get("/api/games").json()["games"]}
        assert games["reference"]["seats"]["giver"]["waiting"] == 1
        with wait_as(server, "other", "reference/follower") as other:
            found = [one.receive_json(), other.receive_json()]
    assert [each["role"] for each in found] == ["giver", "follower"]
    paths = [take(server, f"#{each['secret']}")[0] for each in found]
    assert paths[0].split("/")[2] == paths[1].split("/")[2]


def test_who_stops_waiting_is_not_given_to_anybody(server: TestClient) -> None:
    with wait_as(server, "one", "reference/giver"):
        pass
    with (
        wait_as(server, "two", "reference/follower") as two,
        wait_as(server, "three", "reference/giver") as three,
    ):
        assert two.receive_json()["type"] == three.receive_json()["type"] == "found"
    with wait_as(server, "one", "reference/king") as lost:
        assert "has no seat 'king'" in lost.receive_json()["why"]


def test_a_browser_is_one_person_in_the_queue_and_is_never_paired_with_itself(server: TestClient) -> None:
    with (
        wait_as(server, "one", "reference/giver") as first,
        wait_as(server, "one", "reference/follower") as tab,
    ):
        assert first.receive_json() == {"type": "elsewhere"}
        with wait_as(server, "two", "reference/giver") as other:
            assert tab.receive_json()["type"] == other.receive_json()["type"] == "found"


@pytest.mark.parametrize(
    ("game", "settings", "why"),
    [
        ("codraw/teller", "[]", "settings cannot be understood"),
        ("codraw/teller", '{"weather": 1}', "has no setting weather"),
        ("hexagons/instructor", '{"mode": "describe"}', "one seat for people with these settings"),
    ],
)
def test_settings_with_which_nobody_can_be_found_are_refused(
    game: str, settings: str, why: str, server: TestClient
) -> None:
    with wait_as(server, "one", game, settings) as page:
        assert why in page.receive_json()["why"]


def test_the_home_page_gives_a_browser_its_cookie_once(server: TestClient) -> None:
    first = server.get("/")
    assert "httponly; samesite=strict" in first.headers["set-cookie"].lower().replace("path=/; ", "")
    assert first.headers["cache-control"] == "no-store"
    assert "set-cookie" not in server.get("/wait").headers
