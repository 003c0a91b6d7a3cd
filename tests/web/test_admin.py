"""The administration pages: nobody else gets anything of them, and what they give away is
harmless."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from threading import get_ident
from time import time
from typing import Any

import msgspec
import pytest
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.web.test_app import OURS, connect, new_room, serve_in_process, shown, take

from groundling.core.events import encode_event_json
from groundling.csv_cells import escape_csv_formula
from groundling.web import download as downloads
from groundling.web import room_overview as overviews
from groundling.web.download import KINDS
from groundling.web.game_catalog import GameCatalog
from groundling.web.store import PERSON, Booking, RoomNote, RoomRecord

TOKEN = "a token that nobody guesses"
OPEN = {"/admin/login", "/admin/login/trade"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with serve_in_process(tmp_path, admin=TOKEN, options={"items": str(tmp_path / "items.json")}) as client:
        yield client


@pytest.fixture
def admin(server: TestClient) -> dict[str, str]:
    """The headers of somebody who has logged in."""
    answer = server.post("/admin/login/trade", json={"token": TOKEN})
    assert answer.status_code == 200
    server.cookies.clear()
    found = re.match(r"admin=([^;]+)", answer.headers["set-cookie"])
    assert found
    return {"cookie": f"admin={found[1]}", "origin": OURS}


def play(server: TestClient, words: str = "hello") -> str:
    """Two people begin a game and one says something; the room."""
    links = new_room(server)
    giver, follower = take(server, links["giver"]), take(server, links["follower"])
    with connect(server, *giver) as one, connect(server, *follower) as other:
        shown(other, "panels")
        one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": words}]})
        shown(other, "talk")
    return giver[0].split("/")[2]


def routes(server: TestClient) -> list[Route | WebSocketRoute]:
    found = [route for route in server.app.routes if route.path.startswith("/admin")]  # type: ignore[attr-defined]
    return [route for route in found if route.path not in OPEN]


def filled(path: str, room: str) -> str:
    values = {
        "room:room": room,
        "name": "director",
        "game": "image",
        "kind": "jsonl",
        "call": "open",
        "file:path": "index.html",
        "study": "pairs",
        "person": "0123456789abcdef",
    }
    return re.sub(r"{([^}]+)}", lambda found: values[found[1]], path)


def test_the_cookie_is_kept_from_scripts_other_sites_and_other_pages(server: TestClient) -> None:
    answer = server.post("/admin/login/trade", json={"token": TOKEN})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/admin" in cookie
    assert TOKEN not in cookie


def test_nobody_else_gets_anything(server: TestClient) -> None:
    room = play(server)
    _, seat = take(server, new_room(server)["giver"])
    for cookie in ("", "admin=9999999999.abc.def", f"seat={seat}", f"admin={seat}", f"admin={TOKEN}"):
        check_refused(server, room, {"origin": OURS, "cookie": cookie})


def check_refused(server: TestClient, room: str, headers: dict[str, str]) -> None:
    checked = 0
    for route in routes(server):
        path = filled(route.path, room)
        if isinstance(route, WebSocketRoute):
            with (
                pytest.raises(WebSocketDisconnect) as refused,
                server.websocket_connect(path, headers=headers) as socket,
            ):
                socket.receive_json()
            assert refused.value.code == 4403
            checked += 1
            continue
        for method in route.methods or ():
            if method == "HEAD":
                continue
            answer = server.request(method, path, headers=headers, json={} if method == "POST" else None)
            assert answer.status_code == 401, path
            assert list(answer.json()) == ["error"]
            page = server.request(
                method, path, headers={**headers, "accept": "text/html"}, follow_redirects=False
            )
            assert page.status_code == (303 if method == "GET" else 401)
            assert method != "GET" or page.headers["location"] == "/admin/login"
            checked += 1
    assert checked >= 11


def test_without_admin_there_is_nothing_to_sign_in_to(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as client:
        assert client.get("/admin").status_code == 404
        assert client.post("/admin/login/trade", json={"token": ""}).status_code == 404


def test_pages_of_other_sites_can_do_nothing_even_with_the_cookie(
    server: TestClient, admin: dict[str, str]
) -> None:
    room = play(server)
    for origin, route in product(("http://evil.example", "null", ""), routes(server)):
        path, headers = filled(route.path, room), {**admin, "origin": origin}
        if isinstance(route, WebSocketRoute):
            with (
                pytest.raises(WebSocketDisconnect),
                server.websocket_connect(path, headers=headers) as socket,
            ):
                socket.receive_json()
        elif "POST" in (route.methods or ()):
            assert server.post(path, json={}, headers=headers).status_code == 403, path
        login = server.post("/admin/login/trade", json={"token": TOKEN}, headers={"origin": origin})
        assert login.status_code == 403


def test_guessing_is_locked_out(server: TestClient) -> None:
    codes = [server.post("/admin/login/trade", json={"token": "x"}).status_code for _ in range(4)]
    assert codes == [403, 403, 403, 429]
    locked = server.post("/admin/login/trade", json={"token": TOKEN})
    assert locked.status_code == 429
    assert int(locked.headers["retry-after"]) >= 1


def test_rooms_are_reported_with_who_is_there_and_how_it_goes(
    server: TestClient, admin: dict[str, str]
) -> None:
    links = new_room(server)
    giver, follower = take(server, links["giver"]), take(server, links["follower"])
    with connect(server, *giver) as one:
        shown(one, "phase")
        (room,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
        assert room["state"] == "waiting"
        assert [seat["there"] for seat in room["seats"]] == ["here", "not yet"]
        with connect(server, *follower) as other:
            shown(other, "panels")
            (room,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
            assert room["state"] == "playing"
            assert room["events"] == 1
            assert [seat["there"] for seat in room["seats"]] == ["here", "here"]


def test_who_waits_is_told(server: TestClient, admin: dict[str, str]) -> None:
    with server.websocket_connect("/api/wait/reference/giver"):
        while not (waiting := server.get("/admin/api/rooms", headers=admin).json()["waiting"]):
            pass
        assert waiting == [{"game": "reference", "settings": "", "role": "giver", "people": 1}]


def test_all_rooms_can_be_paged_through_the_newest_first(
    server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundling.web.admin.MANY", 3)
    for _ in range(8):
        server.post(
            "/admin/api/rooms", json={"game": "reference", "seats": {"giver": "person"}}, headers=admin
        )
    seen: list[Any] = []
    before: str | None = ""
    while before is not None:
        told = server.get(f"/admin/api/rooms?before={before}", headers=admin).json()
        seen += told["rooms"]
        before = told["next"]
    assert len({room["id"] for room in seen}) == len(seen) == 8
    assert [room["at"] for room in seen] == sorted((room["at"] for room in seen), reverse=True)


def test_a_game_is_ended_for_everybody_and_says_by_whom(server: TestClient, admin: dict[str, str]) -> None:
    links = new_room(server)
    giver, follower = take(server, links["giver"]), take(server, links["follower"])
    room = giver[0].split("/")[2]
    with connect(server, *giver) as one, connect(server, *follower) as other:
        shown(other, "panels")
        assert server.post(f"/admin/api/rooms/{room}/end", json={}, headers=admin).status_code == 200
        assert "administrator" in shown(one, "outcome")["why"]
        assert "administrator" in shown(other, "outcome")["why"]
    (told,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
    assert told["state"] == "aborted"
    assert server.post(f"/admin/api/rooms/{room}/end", json={}, headers=admin).status_code == 409
    assert server.post("/admin/api/rooms/nowhere/end", json={}, headers=admin).status_code == 404


def test_a_room_that_has_not_begun_is_closed_and_the_one_who_waits_is_told(
    server: TestClient, admin: dict[str, str]
) -> None:
    path, cookie = take(server, new_room(server)["giver"])
    room = path.split("/")[2]
    with connect(server, path, cookie) as page:
        shown(page, "phase")
        assert server.post(f"/admin/api/rooms/{room}/end", json={}, headers=admin).status_code == 200
        assert "administrator" in shown(page, "waiting")["why"]
    (told,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
    assert told["state"] == "unbegun"
    assert {seat["role"]: seat["ended"] for seat in told["seats"]} == {
        "giver": "stayed",
        "follower": "absent",
    }
    (line,) = server.get("/admin/api/games.jsonl", headers=admin).text.splitlines()
    assert [note["what"] for note in json.loads(line)["notes"]] == ["came", "here", "closed"]
    header, row = csv.reader(io.StringIO(server.get("/admin/api/games.csv", headers=admin).text))
    assert row[header.index("endings")] == "giver=stayed follower=absent"


def test_who_looks_on_sees_every_seat_change_and_changes_nothing(
    server: TestClient, admin: dict[str, str]
) -> None:
    links = new_room(server)
    giver, follower = take(server, links["giver"]), take(server, links["follower"])
    room = giver[0].split("/")[2]
    with (
        connect(server, *giver) as one,
        connect(server, *follower) as other,
        server.websocket_connect(f"/admin/watch/{room}/socket", headers=admin) as looking,
    ):
        assert looking.receive_json()["seats"] == {"giver": "person", "follower": "person"}
        first = looking.receive_json()["seats"]
        while not {"giver", "follower"} <= {role for role, told in first.items() if told.get("panels")}:
            first = looking.receive_json()["seats"]
        looking.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "by the admin"}]})
        looking.send_json({"do": "end"})
        one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "<b>first</b>"}]})
        while not (talk := shown(other, "talk")):
            pass
        assert talk[0]["text"] == "<b>first</b>"
        told: dict[str, Any] = {}
        while not told.get("talk"):
            told = looking.receive_json()["seats"].get("follower", {})
        assert [line["text"] for line in told["talk"]] == ["<b>first</b>"]
        one.send_json({"do": "end"})
        while "outcome" not in told:
            told = looking.receive_json()["seats"].get("giver", {})
    with server.websocket_connect(f"/admin/watch/{room}/socket", headers=admin) as looking:
        assert looking.receive_json()["type"] == "hello"
        assert looking.receive_json()["seats"]["giver"]["phase"] == "over"
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        server.websocket_connect("/admin/watch/nowhere/socket", headers=admin) as looking,
    ):
        looking.receive_json()
    assert refused.value.code == 4404


def test_what_seats_are_sent_does_not_tell_whether_somebody_looks_on(
    server: TestClient, admin: dict[str, str]
) -> None:
    def sent(watched: bool) -> list[Any]:
        links = new_room(server, instance="edits-2-01")
        giver, follower = take(server, links["giver"]), take(server, links["follower"])
        path = f"/admin/watch/{giver[0].split('/')[2]}/socket"
        with connect(server, *giver) as one, connect(server, *follower) as other:
            heard = [shown(one, "panels"), shown(other, "panels")]
            if watched:
                with server.websocket_connect(path, headers=admin) as looking:
                    looking.receive_json()
            one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "hello"}]})
            return [*heard, shown(one, "talk"), shown(other, "talk")]

    assert sent(True) == sent(False)


def test_rooms_made_here_are_open_to_those_with_the_links(server: TestClient, admin: dict[str, str]) -> None:
    order = {"game": "reference", "seats": {"giver": "person"}}
    answer = server.post("/admin/api/rooms", json=order, headers=admin)
    assert answer.status_code == 201
    with connect(server, *take(server, answer.json()["links"]["giver"])) as socket:
        assert socket.receive_json()["role"] == "giver"
    assert server.post("/admin/api/rooms", json={"game": "chess"}, headers=admin).status_code == 400


def test_games_are_taken_home_as_lines_of_transcripts(server: TestClient, admin: dict[str, str]) -> None:
    room = play(server, '=1+1 "<b>ö</b>"')
    new_room(server)
    answer = server.get("/admin/api/games.jsonl", headers=admin)
    assert answer.headers["content-disposition"] == 'attachment; filename="games.jsonl"'
    (line,) = answer.text.splitlines()
    game = json.loads(line)
    assert game["room"] == room
    assert game["events"][0]["type"] == "opened"
    said = [move["text"] for event in game["events"] if event["type"] == "moved" for move in event["moves"]]
    assert said == ['=1+1 "<b>ö</b>"']
    assert [note["what"] for note in game["notes"]].count("here") == 2


def test_games_are_taken_home_as_a_table_of_events(server: TestClient, admin: dict[str, str]) -> None:
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(
        io.BytesIO(server.get("/admin/api/games.parquet", headers=admin).content)
    ).is_empty()
    room = play(server, "=1+1")
    table = polars.read_parquet(io.BytesIO(server.get("/admin/api/games.parquet", headers=admin).content))
    assert table["room"].unique().to_list() == [room]
    assert table["event"].to_list()[:3] == ["opened", "replied", "moved"]
    assert "=1+1" in table["body"].to_list()[2]


def test_a_missing_extra_is_reported(
    server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    answer = server.get("/admin/api/games.parquet", headers=admin)
    assert answer.status_code == 400
    assert '"groundling[score]"' in answer.json()["error"]


def test_scores_are_taken_home_for_a_spreadsheet(server: TestClient, admin: dict[str, str]) -> None:
    room = play(server, "=HYPERLINK(1)")
    rows = list(csv.reader(io.StringIO(server.get("/admin/api/games.csv", headers=admin).text)))
    assert rows[0][:3] == ["room", "game", "instance"]
    assert rows[1][0].lstrip("'") == room
    assert "HYPERLINK" not in str(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_games_go_on_while_all_of_them_are_taken_home(
    kind: str, server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long is done in another thread than theirs."""
    play(server)
    polars = pytest.importorskip("polars")
    where: dict[str, int] = {}

    def watched(name: str, work: Any) -> Any:
        def done(*given: Any, **more: Any) -> Any:
            where[name] = get_ident()
            return work(*given, **more)

        return done

    for name in ("read_exported_transcript", "recorded_overview", "read_people_rows", "_event_rows"):
        monkeypatch.setattr(downloads, name, watched(name, getattr(downloads, name)))
    monkeypatch.setattr(polars.DataFrame, "write_parquet", watched("write", polars.DataFrame.write_parquet))
    assert server.get(f"/admin/api/games.{kind}", headers=admin).status_code == 200
    assert (
        set(where)
        == {"read_exported_transcript"}
        | {
            "jsonl": set(),
            "csv": {"recorded_overview"},
            "people.csv": {"read_people_rows"},
            "parquet": {"_event_rows", "write"},
        }[kind]
    )
    assert server.portal.call(get_ident) not in where.values()  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\tx", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert escape_csv_formula(text) == f"'{text}"
    assert escape_csv_formula("a=1") == "a=1"
    assert escape_csv_formula(-1.5) == "-1.5"
    assert escape_csv_formula(None) == ""


def test_no_path_leads_out_of_the_pages(server: TestClient, admin: dict[str, str]) -> None:
    for path in (
        "/admin/pages/director/../../../etc/passwd",
        "/admin/pages/director/..%2f..%2fitems.py",
        "/admin/pages/director/%2e%2e/%2e%2e/items.json",
        "/admin/pages/director//etc/passwd",
        "/admin/pages/../api/nothing",
        "/admin/api/games...%2f..%2fgames.db",
        "/admin/api/games.db",
        "/admin/watch/..%2f..%2f/socket",
    ):
        assert server.get(path, headers=admin).status_code == 404, path


def test_no_store_is_asked_for_a_room_that_cannot_be(
    server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    store = server.app.state.room_manager.store  # type: ignore[attr-defined]

    async def ask(*wanted: Any) -> Any:
        asked.append(wanted)

    for question in ("find_booking", "list_bookings", "read_records"):
        monkeypatch.setattr(store, question, ask)
    rooms = [route for route in routes(server) if "{room" in route.path]
    assert len(rooms) >= 6
    for name, route in product(("%00", "a%00", "a.b", "%ff", "a" * 65), rooms):
        path = filled(route.path, name)
        if isinstance(route, WebSocketRoute):
            with pytest.raises(WebSocketDisconnect), server.websocket_connect(path, headers=admin) as socket:
                socket.receive_json()
        else:
            method = "POST" if "POST" in (route.methods or ()) else "GET"
            answer = server.request(method, path, headers=admin, json={} if method == "POST" else None)
            assert answer.status_code == 404, path
        assert server.get(f"/admin/api/rooms?before={name}", headers=admin).status_code == 404
    assert asked == []


def test_the_administrator_can_step_through_every_game(server: TestClient, admin: dict[str, str]) -> None:
    room = play(server, "<b>first</b>")
    told = server.get(f"/admin/rooms/{room}/replay.json", headers=admin).json()
    assert told["back"] == "/admin"
    assert told["status"] == "missing", "it may still be going on"
    assert "<b>first</b>" in json.dumps(told["steps"])
    assert len(server.get(f"/admin/rooms/{room}/events.json", headers=admin).json()) > 2
    begun = take(server, new_room(server)["giver"])[0].split("/")[2]
    answer = server.get(f"/admin/rooms/{begun}/replay.json", headers=admin)
    assert (answer.status_code, answer.json()["error"]) == (404, "this game has not begun")
    assert server.get("/admin/rooms/nowhere/replay.json", headers=admin).status_code == 404


def test_a_game_that_everybody_left_is_not_among_those_that_run(
    server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = play(server)
    manager = server.app.state.room_manager  # type: ignore[attr-defined]
    server.portal.call(manager._drop_room, room)  # type: ignore[union-attr]
    (told,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
    assert told["state"] == "playing"
    later = time() + 60 * told["minutes"] + 1
    monkeypatch.setattr(overviews, "time", lambda: later)
    (told,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
    assert (told["state"], told["why"]) == ("left", "Everybody had gone before it was over.")


def test_a_room_whose_game_is_gone_is_told_and_cannot_be_watched(
    server: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = play(server)
    manager = server.app.state.room_manager  # type: ignore[attr-defined]
    server.portal.call(manager._drop_room, room)  # type: ignore[union-attr]
    monkeypatch.setattr(manager, "live_games", dict)
    monkeypatch.setattr(manager.catalog, "find_stored", lambda name: None)
    (told,) = server.get("/admin/api/rooms", headers=admin).json()["rooms"]
    assert told["state"] == "unknown"
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        server.websocket_connect(f"/admin/watch/{room}/socket", headers=admin) as looking,
    ):
        looking.receive_json()
    assert refused.value.code == 4404
    assert server.post(f"/admin/api/rooms/{room}/end", json={}, headers=admin).status_code == 400


def test_one_game_that_cannot_be_read_does_not_hide_the_others(
    server: TestClient, admin: dict[str, str], tmp_path: Path
) -> None:
    other, whole = play(server), play(server)
    manager = server.app.state.room_manager  # type: ignore[attr-defined]
    server.portal.call(manager._drop_room, other)  # type: ignore[union-attr]
    with sqlite3.connect(tmp_path / "games.db") as store:
        store.execute(
            "UPDATE records SET body = replace(body, '\"moves\"', '\"deeds\"') WHERE room = ?", (other,)
        )
    told = {room["id"]: room for room in server.get("/admin/api/rooms", headers=admin).json()["rooms"]}
    assert (told[other]["state"], told[other]["why"]) == ("unknown", "written by another version")
    assert told[whole]["state"] == "playing"
    answer = server.get(f"/admin/rooms/{other}/replay.json", headers=admin)
    assert (answer.status_code, answer.json()["error"]) == (400, "written by another version")
    for kind in ("jsonl", "csv"):
        answer = server.get(f"/admin/api/games.{kind}", headers=admin)
        assert answer.status_code == 200
        assert whole in answer.text
        assert other not in answer.text


def test_nobody_is_in_a_room_that_nobody_has_open() -> None:
    """As after a server was killed: that they went was not written down."""
    booking = Booking(
        id="room", at=0.0, game="reference", instance=msgspec.Raw(b"{}"), settings=msgspec.Raw(b"{}"),
        seats={"giver": PERSON, "follower": PERSON}, seed=1, minutes=5.0,
    )  # fmt: skip
    records = [RoomRecord("note", "giver", encode_event_json(RoomNote(1.0, "giver", "agreed")))]
    found = overviews.recorded_overview(booking, records, GameCatalog())
    assert [seat.there for seat in found.seats] == ["away", "not yet"]
