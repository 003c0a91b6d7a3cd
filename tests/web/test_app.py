"""The server from outside: who is let in where, what is refused, and what every answer carries."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.web.room_helpers import open_manager

from groundling.core.pack import find, installed_packs
from groundling.core.values import Problem
from groundling.web import app as apps
from groundling.web import page_seats
from groundling.web import replay as replays
from groundling.web.app import make_app
from groundling.web.room_manager import RoomManager
from groundling.web.server import run_server
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.sqlite_store import SqliteStore

OURS = "http://testserver"
ROOM = {"game": "reference", "seats": {"giver": "person", "follower": "person"}}


def serve_in_process(path: Path, file: str = "games.db", **settings: Any) -> TestClient:
    """A client of our own pages of a server that keeps its games in this folder."""
    manager = RoomManager(SqliteStore(path / file), ServerSettings(**settings))
    return TestClient(make_app(manager), OURS, headers={"origin": OURS})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One for all tests that do not use up what an address may do."""
    with serve_in_process(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[TestClient]:
    with serve_in_process(tmp_path) as client:
        yield client


def new_room(server: TestClient, **order: Any) -> dict[str, str]:
    """The links, by seat."""
    answer = server.post("/api/rooms", json={**ROOM, **order})
    assert answer.status_code == 201, answer.text
    links: dict[str, str] = answer.json()["links"]
    return links


def take(server: TestClient, link: str) -> tuple[str, str]:
    """The path of the seat and its cookie."""
    answer = server.post("/api/sit", json={"secret": link.partition("#")[2]})
    assert answer.status_code == 200, answer.text
    cookie = re.match(r"seat=([^;]+)", answer.headers["set-cookie"])
    assert cookie
    server.cookies.clear()
    return answer.json()["path"], cookie[1]


def connect(server: TestClient, path: str, cookie: str, origin: str = OURS) -> WebSocketTestSession:
    headers = {"cookie": f"seat={cookie}", "origin": origin}
    return server.websocket_connect(f"{path}socket", headers=headers)


def shown(socket: WebSocketTestSession, field: str) -> Any:
    """The next message that shows it."""
    while True:
        message = socket.receive_json()
        if field in message:
            return message[field]


def test_a_seat_is_traded_once_for_a_cookie_that_scripts_cannot_read_and_other_sites_cannot_use(
    server: TestClient,
) -> None:
    links = new_room(server)
    secret = {"secret": links["giver"].partition("#")[2]}
    answer = server.post("/api/sit", json=secret)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert f"path={answer.json()['path']}" in cookie
    assert secret["secret"] not in cookie
    assert server.post("/api/sit", json=secret).status_code == 403
    assert server.post("/api/sit", json={"secret": ""}).status_code == 403
    assert server.post("/api/sit", json={}).status_code == 403


def test_no_seat_other_seat_and_other_room_are_refused(server: TestClient) -> None:
    first, second = new_room(server), new_room(server)
    giver, cookie = take(server, first["giver"])
    follower, _ = take(server, first["follower"])
    elsewhere, _ = take(server, second["giver"])
    for path in (follower, elsewhere, "/r/nowhere/giver/", giver.replace("giver", "nobody")):
        for value in (cookie, "", "x" * 32):
            with pytest.raises(WebSocketDisconnect) as refused, connect(server, path, value) as socket:
                socket.receive_json()
            assert refused.value.code == 4403
    with connect(server, giver, cookie) as socket:
        assert socket.receive_json()["role"] == "giver"


OTHERS = ("http://evil.example", "http://testserver.evil.example", "null", "", "http://testserver:81")


def test_what_pages_of_other_sites_send_is_refused(server: TestClient) -> None:
    links = new_room(server)
    path, cookie = take(server, links["giver"])
    calls = (("/api/rooms", ROOM), ("/api/sit", {"secret": links["follower"].partition("#")[2]}))
    for origin in OTHERS:
        for call, body in calls:
            assert server.post(call, json=body, headers={"origin": origin}).status_code == 403, origin
        for target in (f"{path}socket", "/api/wait/reference/giver"):
            headers = {"cookie": f"seat={cookie}", "origin": origin}
            with (
                pytest.raises(WebSocketDisconnect),
                server.websocket_connect(target, headers=headers) as page,
            ):
                page.receive_json()
    take(server, links["follower"])


def test_who_speaks_is_told_by_the_seat_never_by_what_is_sent(server: TestClient) -> None:
    links = new_room(server)
    giver, follower = take(server, links["giver"]), take(server, links["follower"])
    with connect(server, *giver) as one, connect(server, *follower) as other:
        shown(other, "panels")
        words = [{"move": "say", "text": "hello"}]
        other.send_json({"do": "move", "id": 1, "moves": words, "role": "giver", "seat": "giver"})
        assert shown(other, "why") == "it is not your turn"
        one.send_json({"do": "move", "id": 1, "moves": words})
        assert shown(other, "talk") == [{"who": "partner", "text": "hello", "current": False, "aside": False}]


def test_two_people_play_and_see_the_result(server: TestClient) -> None:
    links = new_room(server)
    with (
        connect(server, *take(server, links["giver"])) as one,
        connect(server, *take(server, links["follower"])) as other,
    ):
        shown(one, "panels")
        one.send_json(
            {"do": "move", "id": 1, "moves": [{"move": "say", "text": "the first"}], "at": 5.0, "first": 2.0}
        )
        assert shown(one, "taken") == [1]
        shown(other, "choices")
        other.send_json({"do": "move", "id": 9, "moves": [{"move": "pick", "place": 1}]})
        for page in (one, other):
            outcome = shown(page, "outcome")
            assert outcome["finished"]
            assert [side["role"] for side in outcome["sides"]] == ["giver", "follower"]


@pytest.mark.parametrize("game", [name for name in installed_packs() if find(name).live])
def test_every_game_can_be_played_alone_from_either_seat(game: str, server: TestClient) -> None:
    for role in find(game).roles:
        links = new_room(server, game=game, seats={role: "person"})
        assert list(links) == [role]
        with connect(server, *take(server, links[role])) as page:
            assert page.receive_json()["help"]
            assert shown(page, "panels")


NONSENSE = (
    ("", "cannot be understood"),
    ("[]", "cannot be understood"),
    ("{", "cannot be understood"),
    ('{"do":"dance"}', "cannot be understood"),
    ('{"do":"move","id":"x","moves":[]}', "cannot be understood"),
    ("[" * 20_000, "cannot be understood"),
    ('{"do":"move","id":1,"moves":' + "[" * 20_000 + "]" * 20_000 + "}", "cannot be"),
    ('{"do":"move","id":1,"moves":[]}', "1 to 200 moves"),
    ('{"do":"move","id":1,"moves":[{"move":"fly"}]}', "cannot be done here"),
    ('{"do":"move","id":1,"moves":[{"move":"say"}]}', "cannot be done here"),
    ('{"do":"move","id":1,"moves":[{"move":"say","text":"' + "a" * 2001 + '"}]}', "at most 2000 characters"),
    (
        '{"do":"move","id":1,"moves":[' + ",".join(['{"move":"say","text":"a"}'] * 201) + "]}",
        "1 to 200 moves",
    ),
)


def test_nonsense_is_refused_and_the_seat_continues(server: TestClient) -> None:
    links = new_room(server, seats={"giver": "person"})
    with connect(server, *take(server, links["giver"])) as page:
        shown(page, "panels")
        for sent, told in NONSENSE:
            page.send_text(sent)
            assert told in shown(page, "why"), sent[:80]
        page.send_json({"do": "move", "id": 2, "moves": [{"move": "say", "text": "the first"}]})
        assert shown(page, "taken") == [2]


@pytest.mark.usefixtures("no_time_passes")
def test_a_seat_that_sends_too_much_is_slowed_down(new_server: TestClient) -> None:
    path, cookie = take(new_server, new_room(new_server)["follower"])
    with connect(new_server, path, cookie) as page:
        for number in range(100):
            page.send_json({"do": "move", "id": number, "moves": [{"move": "pick", "place": 1}]})
        fast = ["slow down" in shown(page, "why") for _ in range(100)]
        allowed = int(page_seats.MOVES_AT_ONCE)
        assert fast == [False] * allowed + [True] * (100 - allowed)


@pytest.mark.usefixtures("no_time_passes")
def test_an_address_can_make_a_limited_number_of_rooms_and_try_a_limited_number_of_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apps, "ROOMS_AT_ONCE", 4.0)
    monkeypatch.setattr(apps, "TRIES_AT_ONCE", 6.0)
    with serve_in_process(tmp_path) as server:
        made = [server.post("/api/rooms", json=ROOM).status_code for _ in range(7)]
        tried = [server.post("/api/sit", json={"secret": "x"}).status_code for _ in range(9)]
    assert made == [201] * 4 + [429] * 3
    assert tried == [403] * 6 + [429] * 3


@pytest.mark.usefixtures("no_time_passes")
def test_people_who_are_in_a_room_reconnect_and_write_whatever_their_address_has_used_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apps, "ROOMS_AT_ONCE", 1.0)
    monkeypatch.setattr(apps, "TRIES_AT_ONCE", 2.0)
    monkeypatch.setattr(replays, "SHOWS_AT_ONCE", 1.0)
    with serve_in_process(tmp_path) as server:
        links = new_room(server)
        giver, follower = take(server, links["giver"]), take(server, links["follower"])
        assert server.post("/api/rooms", json=ROOM).status_code == 429
        assert server.post("/api/sit", json={"secret": "x"}).status_code == 429
        for _ in range(5):
            with connect(server, *giver) as one:
                shown(one, "phase")
        with connect(server, *giver) as one, connect(server, *follower) as other:
            shown(other, "panels")
            one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "the first"}]})
            assert shown(one, "taken") == [1]
            one.send_json({"do": "end"})
            shown(other, "outcome")
        codes = [
            server.get(f"{path}replay.json", headers={"cookie": f"seat={cookie}"}).status_code
            for path, cookie in (giver, follower, giver)
        ]
        assert codes == [200, 200, 429], "each seat has a limit of its own"


IMPOSSIBLE: tuple[tuple[Any, str], ...] = (
    ({"game": "chess"}, "there is no game 'chess'"),
    ({"game": "reference", "seats": {"king": "person"}}, "has no seat king"),
    ({"game": "reference", "seats": {}}, "nobody is invited"),
    ({"game": "reference", "seats": {"giver": "person", "follower": "openai/gpt-4o"}}, "is not offered"),
    ({"game": "reference", "seats": {"giver": "person", "follower": "script:/etc/passwd"}}, "is not offered"),
    ({"game": "reference", "seats": {"giver": "person", "follower": "terminal"}}, "is not offered"),
    ({"game": "reference", "seats": {"giver": "person"}, "instance": "none"}, "has no instance 'none'"),
    ({"game": "reference", "seats": {"giver": "person"}, "set": "none"}, "no set 'none'"),
    (
        {"game": "reference", "seats": {"giver": "person"}, "settings": {"colour": "red"}},
        "has no setting colour",
    ),
    (
        {"game": "image", "seats": {"giver": "person"}, "settings": {"turns": -1}},
        "the setting turns of image is -1",
    ),
    ({"game": "reference", "seats": {"giver": "person"}, "minutes": 0}, "minutes is 0"),
    ({"game": "reference", "sets": "x"}, "cannot be understood"),
    ([], "cannot be understood"),
)


def test_a_room_that_cannot_be_is_refused_in_one_line(new_server: TestClient) -> None:
    for order, told in IMPOSSIBLE:
        answer = new_server.post("/api/rooms", json=order)
        assert answer.status_code == 400
        assert told in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


def test_too_big_a_body_is_refused(server: TestClient) -> None:
    assert server.post("/api/rooms", content=b"x" * 100_000).status_code == 413
    assert server.post("/api/rooms", content=b"[" * 50_000).status_code == 400


def test_every_answer_carries_the_policy_and_no_page_has_a_script_or_style_inside(server: TestClient) -> None:
    for path in (
        "/",
        "/join",
        "/wait",
        "/r/x/y/",
        "/nowhere",
        "/api/games",
        "/static/play.js",
        "/static/style.css",
    ):
        answer = server.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.headers["content-type"].startswith("text/html"):
            assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", answer.text)
            assert "http" not in re.sub(r"http-equiv", "", answer.text)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/",
        "/static/lib",
        "/static/jsconfig.json",
        "/api/picture/..%2fgames",
        "/api/picture/chess",
        "/r//giver/",
        "/%00",
    ],
)
def test_there_is_nothing_beside_what_is_meant_to_be_there(path: str, server: TestClient) -> None:
    assert server.get(path).status_code in (400, 404)


def test_no_picture_of_a_game_shows_what_is_played_here(server: TestClient) -> None:
    from groundling.core.pack import load

    for name, pack in ((name, find(name)) for name in installed_packs()):
        if pack.live is None:
            continue
        picture = server.get(f"/api/picture/{name}").text
        game = pack.new()
        assert picture.startswith("<svg")
        for instance in load(pack.builtin)():
            for role in game.seats(instance):
                desk = load(pack.live.desk)(game.view(game.start(instance), role), True)
                assert picture not in [panel.svg for panel in desk.panels]


def test_a_room_that_cannot_be_opened_now_asks_its_page_to_try_again(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        path, cookie = take(server, new_room(server)["giver"])
    with (
        serve_in_process(tmp_path, games=("image",)) as server,
        connect(server, path, cookie) as page,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        page.receive_json()
    assert closed.value.code == 1013


def test_a_partner_that_no_game_has_is_refused_before_anything_is_begun(tmp_path: Path) -> None:
    for wrong in ("nobody", "nobody:file", "nobody,key=value"):
        with pytest.raises(
            Problem,
            match=r"no game has a player 'nobody': choose from .*, a model as PROVIDER/MODEL, or a file",
        ):
            run_server(
                str(tmp_path / "games.db"),
                "127.0.0.1",
                0,
                ServerSettings(partners=("rule", "openai/gpt-4o", wrong)),
            )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("partner", "why"),
    [
        ("script:nowhere", "nowhere: No such file or directory; check the path"),
        ("weights:nowhere", "nowhere has no weights.safetensors"),
        ("replay:run", "cannot be replayed here"),
    ],
)
def test_a_partner_that_cannot_take_a_seat_anywhere_is_refused_before_anything_is_begun(
    partner: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(Problem, match=why):
        run_server(str(tmp_path / "games.db"), "127.0.0.1", 0, ServerSettings(partners=("rule", partner)))
    assert list(tmp_path.iterdir()) == []


def test_a_partner_whose_file_has_gone_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def ask() -> None:
        async with open_manager(tmp_path / "games.db", partners=("script:gone",)) as found:
            with pytest.raises(Problem, match="gone: No such file"):
                await found.create_room(
                    RoomRequest("reference", {"giver": "person", "follower": "script:gone"})
                )

    asyncio.run(ask())


@pytest.mark.slow
def test_who_asks_is_told_by_a_proxy_that_is_named_and_by_nobody_else(tmp_path: Path) -> None:
    from tests.web.server_process import Server

    def rooms(server: Server, asker: str, count: int) -> list[int]:
        headers = {"origin": server.url, "x-forwarded-for": asker, "x-forwarded-proto": "https"}
        with httpx.Client(base_url=server.url, headers=headers) as client:
            return [client.post("/api/rooms", json=ROOM).status_code for _ in range(count)]

    for options, other in ((("--proxy", "127.0.0.1"), 201), ((), 429)):
        server = Server(tmp_path / f"{other}.db", *options)
        server.start()
        try:
            link = server.post("/api/rooms", ROOM)[0]["links"]["giver"]
            headers = {"origin": server.url, "x-forwarded-proto": "https"}
            sat = httpx.post(
                f"{server.url}/api/sit", json={"secret": link.partition("#")[2]}, headers=headers
            )
            assert ("secure" in sat.headers["set-cookie"].lower()) == bool(options)
            assert ("strict-transport-security" in sat.headers) == bool(options)
            assert rooms(server, "192.0.2.1", int(apps.ROOMS_AT_ONCE) + 3)[-1] == 429
            assert rooms(server, "192.0.2.2", 1) == [other]
        finally:
            server.kill(signal.SIGTERM)


@pytest.mark.parametrize(
    "path", ["/nothing", "/static/nothing.js", "/r/only", "/admin", "/styleguide", "/gallery/", "/runs/"]
)
def test_an_unknown_address_gives_a_browser_a_page_and_a_script_json(path: str, server: TestClient) -> None:
    page = server.get(path, headers={"accept": "text/html,*/*"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "There is nothing at this address" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert list(server.get(path, headers={"accept": "*/*"}).json()) == ["error"]


def test_only_players_are_sent_to_the_games_from_an_unknown_address(server: TestClient) -> None:
    pages = [
        server.get(path, headers={"accept": "text/html"}).text for path in ("/nothing", "/study/nothing")
    ]
    assert ["To the games" in page for page in pages] == [True, False]
