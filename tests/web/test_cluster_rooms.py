"""The administrator of several workers sees and ends the rooms of all of them, whichever one answers."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import RecordedPage, new_manager, open_manager, until
from tests.web.server_process import Server, open_seat
from tests.web.test_app import OURS, connect, new_room, shown, take
from tests.web.test_remote_seats import apart, die
from tests.web.test_workers_kill import locks, start
from websockets.asyncio.client import connect as connect_outside

from groundling.web import room_overview
from groundling.web.app import make_app
from groundling.web.cluster import cluster_rooms as cluster_rooms
from groundling.web.cluster.cluster_rooms import ClusterRooms
from groundling.web.cluster.remote_seats import NoAnswer
from groundling.web.login import TOKEN_VARIABLE

TOKEN = "a token that nobody guesses"
ADMIN = dict[str, str]


@pytest.fixture
def servers(database: str) -> Iterator[list[TestClient]]:
    with ExitStack() as stack:
        found = []
        for _ in range(2):
            app = make_app(new_manager(database, workers=2, admin=TOKEN))
            found.append(stack.enter_context(TestClient(app, OURS)))
            found[-1].headers["origin"] = OURS
        yield found


def sign_in(server: TestClient) -> ADMIN:
    answer = server.post("/admin/login/trade", json={"token": TOKEN})
    server.cookies.clear()
    found = re.match(r"admin=([^;]+)", answer.headers["set-cookie"])
    assert found
    return {"cookie": f"admin={found[1]}", "origin": OURS}


def listed(server: TestClient, admin: ADMIN) -> dict[str, Any]:
    return {room["id"]: room for room in server.get("/admin/api/rooms", headers=admin).json()["rooms"]}


def there(room: dict[str, Any]) -> list[str]:
    return [seat["there"] for seat in room["seats"]]


def test_who_logs_out_at_one_server_is_logged_out_at_all(servers: list[TestClient]) -> None:
    one, other = servers
    admin, another = sign_in(one), sign_in(one)
    assert other.get("/admin/api/rooms", headers=admin).status_code == 200
    assert one.post("/admin/logout", headers=admin, json={}).status_code == 200
    for server in servers:
        assert server.get("/admin/api/rooms", headers=admin).status_code == 401
        assert server.post("/admin/logout", headers=admin, json={}).status_code == 401
        assert server.get("/admin/api/rooms", headers=another).status_code == 200


def test_rooms_of_all_servers_are_told_by_each_however_old(
    servers: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundling.web.admin.MANY", 2)
    monkeypatch.setattr(room_overview, "MANY", 2)
    one, other = servers
    admin = sign_in(one)
    links = new_room(one)
    giver, follower = take(one, links["giver"]), take(other, links["follower"])
    room = giver[0].split("/")[2]
    with connect(one, *giver) as first:
        shown(first, "phase")
        for _ in range(3):  # it is none of the newest
            new_room(other)
        assert there(listed(other, admin)[room]) == ["here", "not yet"]
        with connect(other, *follower) as second:
            shown(second, "panels")
            for server in servers:
                told = listed(server, admin)[room]
                assert (told["state"], told["events"], there(told)) == ("playing", 1, ["here", "here"])


def test_who_waits_at_any_server_is_told_by_each(servers: list[TestClient]) -> None:
    one, other = servers
    admin = sign_in(other)
    with (
        one.websocket_connect("/api/wait/reference/giver"),
        other.websocket_connect("/api/wait/codraw/teller"),
    ):
        for server in servers:
            while len(waiting := server.get("/admin/api/rooms", headers=admin).json()["waiting"]) < 2:
                pass
            assert {(each["game"], each["role"], each["people"]) for each in waiting} == {
                ("reference", "giver", 1),
                ("codraw", "teller", 1),
            }


def test_a_room_is_watched_and_ended_from_a_server_that_does_not_run_it(servers: list[TestClient]) -> None:
    one, other = servers
    admin = sign_in(other)
    links = new_room(one)
    giver, follower = take(one, links["giver"]), take(one, links["follower"])
    room = giver[0].split("/")[2]
    end = f"/admin/api/rooms/{room}/end"
    with connect(one, *giver) as first:
        shown(first, "phase")
        with (
            connect(one, *follower) as second,
            other.websocket_connect(f"/admin/watch/{room}/socket", headers=admin) as looking,
        ):
            shown(second, "panels")
            assert looking.receive_json()["seats"] == {"giver": "person", "follower": "person"}
            first.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "<b>first</b>"}]})
            told: dict[str, Any] = {}
            while not told.get("talk"):
                told = looking.receive_json()["seats"].get("follower", {})
            assert [line["text"] for line in told["talk"]] == ["<b>first</b>"]
            assert other.post(end, json={}, headers=admin).status_code == 200
            assert "administrator" in shown(first, "outcome")["why"]
            assert "administrator" in shown(second, "outcome")["why"]
            while "outcome" not in told:
                told = looking.receive_json()["seats"].get("giver", {})
        again = other.post(end, json={}, headers=admin)
        assert (again.status_code, again.json()["error"]) == (409, "this game is over already")
    assert listed(other, admin)[room]["state"] == "aborted"
    assert other.post("/admin/api/rooms/nowhere/end", json={}, headers=admin).status_code == 404


def test_who_looks_on_from_afar_is_forgotten_with_their_page(servers: list[TestClient]) -> None:
    one, other = servers
    admin = sign_in(other)
    path, cookie = take(one, new_room(one)["giver"])
    room = path.split("/")[2]
    manager = one.app.state.room_manager  # type: ignore[attr-defined]
    with connect(one, path, cookie) as first:
        shown(first, "phase")
        with other.websocket_connect(f"/admin/watch/{room}/socket", headers=admin) as looking:
            assert looking.receive_json()["type"] == "hello"
            assert len(manager.rooms[room].watchers) == 1
        while manager.rooms[room].watchers:
            pass


def test_who_played_sees_the_game_again_at_every_server(servers: list[TestClient]) -> None:
    one = servers[0]
    admin = sign_in(one)
    links = new_room(one)
    giver, follower = take(one, links["giver"]), take(one, links["follower"])
    with connect(one, *giver) as first, connect(one, *follower) as second:
        shown(second, "panels")
        one.post(f"/admin/api/rooms/{giver[0].split('/')[2]}/end", json={}, headers=admin)
        shown(first, "outcome")
        for server in servers:
            answer = server.get(f"{giver[0]}replay.json", headers={"cookie": f"seat={giver[1]}"})
            assert answer.status_code == 200
            assert answer.json()["mine"] == "giver"


def test_a_server_that_gives_no_answer_keeps_nobody_from_the_rest(
    servers: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = servers
    admin = sign_in(other)
    path, cookie = take(one, new_room(one)["giver"])
    room = path.split("/")[2]

    async def silent(asked: object) -> None:
        raise NoAnswer

    monkeypatch.setattr(cluster_rooms, "SOON", 0.2)
    monkeypatch.setattr(
        "groundling.web.cluster.remote_seats.RemoteSeatLink.ask_server.__defaults__", ("", 0.2)
    )
    one.app.state.room_manager.cluster.on_request = silent  # type: ignore[attr-defined]
    with connect(one, path, cookie) as first:
        shown(first, "phase")
        assert listed(other, admin)[room]["state"] == "waiting"
        answer = other.post(f"/admin/api/rooms/{room}/end", json={}, headers=admin)
        assert answer.status_code == 503
        assert "try again" in answer.json()["error"]


def test_guesses_at_one_server_count_at_all(servers: list[TestClient]) -> None:
    codes = [servers[n % 2].post("/admin/login/trade", json={"token": "x"}).status_code for n in range(4)]
    assert codes == [403, 403, 403, 429]
    for server in servers:
        assert server.post("/admin/login/trade", json={"token": TOKEN}).status_code == 429


def test_who_looks_on_continues_when_the_server_that_runs_the_room_dies(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as other:
            one = new_manager(database)
            await one.open()
            room, _ = await apart(one, other)
            first, second = RecordedPage(), RecordedPage()
            lookout = await other.open_seat(room.booking.id, None)
            assert lookout is not None
            lookout.connect_page(first)
            await until(lambda: any(b'"watch"' in sent for sent in first.bytes))
            await die(one)
            await until(lambda: first.closed)
            lookout.disconnect_page()
            again = await other.open_seat(room.booking.id, None)
            assert again is not None
            again.connect_page(second)
            assert second.bytes[0] == first.bytes[0]
            assert b'"panels"' in second.bytes[1]

    asyncio.run(go())


def test_who_looks_on_from_a_server_that_dies_is_forgotten(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one:
            other = new_manager(database)
            await other.open()
            room, _ = await apart(one, other)
            lookout = await other.open_seat(room.booking.id, None)
            assert lookout is not None
            lookout.connect_page(RecordedPage())
            await until(lambda: room.watchers)
            await die(other)
            await until(lambda: not room.watchers)

    asyncio.run(go())


@pytest.mark.slow
def test_workers_of_one_server_answer_for_each_other(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real processes: every request goes to whichever takes it."""
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    server = Server(database, "--workers", "2", "--admin")
    start(server, database, 2)
    _, cookie = server.post("/admin/login/trade", {"token": TOKEN})

    async def go() -> None:
        async with asyncio.TaskGroup() as group:
            rooms: dict[str, Any] = {}
            while len(rooms) < 12 or (len(rooms) < 18 and locks(database, 1) < 2):
                seats = server.seats()
                room = next(iter(seats.values()))[0].split("/")[2]
                rooms[room] = [await open_seat(server, *seat) for seat in seats.values()]
            for sockets in rooms.values():
                for socket in sockets:
                    await told_of(socket, "panels")
            assert locks(database, 1) == 2, "both run rooms"
            for _ in range(8):
                told = await asyncio.to_thread(server.get, "/admin/api/rooms", cookie)
                assert {room["id"]: there(room) for room in told["rooms"]} == {
                    room: ["here", "here"] for room in rooms
                }
            for room in rooms:
                group.create_task(watch_and_end(room))

    async def watch_and_end(room: str) -> None:
        address = f"ws://127.0.0.1:{server.port}/admin/watch/{room}/socket"
        async with connect_outside(
            address,
            additional_headers={"cookie": cookie},
            origin=server.url,  # type: ignore[arg-type]
        ) as looking:
            await told_of(looking, "seats")
            await asyncio.to_thread(server.post, f"/admin/api/rooms/{room}/end", {}, cookie)
            while "outcome" not in (await told_of(looking, "seats"))["teller"]:
                pass

    async def told_of(socket: Any, field: str) -> Any:
        while field not in (told := json.loads(await socket.recv())):
            pass
        return told[field]

    try:
        asyncio.run(asyncio.wait_for(go(), 400))
        told = server.get("/admin/api/rooms", cookie)
        assert len(told["rooms"]) >= 12
        assert {room["state"] for room in told["rooms"]} == {"aborted"}
    finally:
        server.kill(signal.SIGTERM)


def test_everywhere_is_here_for_a_server_that_is_alone(tmp_path: Any) -> None:
    async def go() -> None:
        alone = new_manager(str(tmp_path / "games.db"))
        await alone.open()
        everywhere = ClusterRooms(alone)
        assert await everywhere.open_rooms() == {}
        assert await everywhere.end_room("nowhere") is None
        await alone.close()

    asyncio.run(go())
