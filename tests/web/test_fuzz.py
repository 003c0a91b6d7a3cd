"""Whatever is sent to a seat, the server answers, goes on, and stands where the rules say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.room_helpers import GAMES
from tests.web.test_app import OURS, connect, new_room, shown, take

from groundling.core.pack import find
from groundling.core.replay import replay_transcript
from groundling.web import page_seats
from groundling.web.app import make_app
from groundling.web.middleware import RateLimits
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import ServerSettings
from groundling.web.sqlite_store import SqliteStore

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
JSON = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
ACTS = ("say", "pick", "draw", "done", "undo", "paint", "next", "wait", "peek", "close", "finish", "agree")
CHANGES = ("put", "move", "remove", "resize", "flip", "pose", "expression")
NAMES = st.sampled_from((*ACTS, *CHANGES))
FIELDS = st.fixed_dictionaries(
    {"move": NAMES},
    optional={
        "text": st.text(max_size=200),
        "place": st.integers(-5, 10),
        "row": st.integers(-1, 20),
        "column": st.integers(-1, 20),
        "colour": st.sampled_from(("red", "white", "mauve")),
        "cell": st.sampled_from(("A1", "B2", "Z9", "")),
        "kind": st.sampled_from(("sun", "mike", "dragon")),
        "x": st.integers(-2000, 2000),
        "y": st.integers(-2000, 2000),
        "grid": st.fixed_dictionaries(
            {"cells": st.sampled_from(("", "A./.A", "...../...../...../...../....."))}
        ),
    },
)
MOVES = st.builds(
    lambda number, moves: json.dumps({"do": "move", "id": number, "moves": moves}),
    st.integers(0, 5),
    st.lists(FIELDS, max_size=4) | JSON,
)
LOOKS = st.builds(
    lambda what, at, more: json.dumps({"do": "observe", "what": what, "at": at, **more}),
    st.sampled_from(("device", "focus", "blur", "first", "agent")),
    st.floats(-1, 1e12) | ATOMS,
    st.dictionaries(st.sampled_from(("width", "height", "pointer", "order", "after", "role")), ATOMS),
)
FRAMES = st.lists(
    MOVES | MOVES | LOOKS | st.text(max_size=60) | JSON.map(json.dumps) | st.just('{"do":"agree"}'),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, RoomManager]]:
    path: Path = tmp_path_factory.mktemp("fuzz")
    manager = RoomManager(SqliteStore(path / "games.db"), ServerSettings())
    with TestClient(make_app(manager), OURS, raise_server_exceptions=True) as client:
        client.headers["origin"] = OURS
        yield client, manager


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimits, "take_token", lambda self, *client: True)
    monkeypatch.setattr(page_seats, "MOVES_AT_ONCE", 1e9)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_seat_can_be_sent_anything(game: str, data: Any, served: tuple[TestClient, RoomManager]) -> None:
    send_anything(game, data, *served)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_seat_can_be_sent_anything_at_length(
    game: str, data: Any, served: tuple[TestClient, RoomManager]
) -> None:
    send_anything(game, data, *served)


def send_anything(game: str, data: Any, server: TestClient, manager: RoomManager) -> None:
    pack = find(game)
    links = new_room(server, game=game, seats=dict.fromkeys(pack.roles, "person"))
    seats = {role: take(server, link) for role, link in links.items()}
    with connect(server, *seats[pack.roles[0]]) as one, connect(server, *seats[pack.roles[1]]) as other:
        shown(one, "panels")
        for page, frames in ((one, data.draw(FRAMES)), (other, data.draw(FRAMES)), (one, data.draw(FRAMES))):
            for frame in frames:
                page.send_text(frame)
            page.send_text('{"do":"move","id":999,"moves":[]}')
            while shown(page, "id") != 999:
                pass
        room = manager.rooms[seats[pack.roles[0]][0].split("/")[2]]
        assert room.replay is not None
        assert replay_transcript(room.game, room.make_transcript()) == room.replay.state
        assert [event for event in room.events if type(event).__name__ in ("Refused", "Failed")] == []
