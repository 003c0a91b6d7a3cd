"""No route of the server tells anybody what is played before the game is over. The routes come from the
application, so that a new one is covered. Path parameters without a value below get the room's name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from tests.games.codraw.recorded import lines
from tests.games.hexagons.test_hexagons_data import put, record
from tests.web.room_helpers import GAMES, people
from tests.web.test_app import OURS, connect, shown, take

from groundling.cli import main
from groundling.core.pack import Pack, Seat, find, load
from groundling.core.values import Instance, Role, Say
from groundling.runs.instances import encode_instances, make_instances
from groundling.web.app import make_app
from groundling.web.game_catalog import GameCatalog
from groundling.web.login import TOKEN_VARIABLE
from groundling.web.middleware import RateLimits
from groundling.web.room_manager import RoomManager
from groundling.web.screen import opening_screen_picture
from groundling.web.server import open_server_files
from groundling.web.server_settings import ServerSettings
from groundling.web.stimulus_files import open_stimuli
from groundling.web.store_url import open_store_url

ADMIN = "a token that nobody guesses"
NAMES = frozenset(("id", "set", "group", "origin", "canary", "prompts"))
"""Fields of an instance that say nothing of what is played."""
LEAST_TEXT = 8
"""Characters of a text that cannot be in an answer by chance."""


@pytest.fixture(autouse=True)
def _without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals of the rate limits would hide what is asked here."""
    monkeypatch.setattr(RateLimits, "take_token", lambda *given: True)
    monkeypatch.setenv(TOKEN_VARIABLE, ADMIN)


def own_stimulus(pack: Pack, folder: Path) -> tuple[str, Instance]:
    """What --instances takes, and the instance: recorded data where the game has some, else the instance that
    the home page would show as its sample, were it not played."""
    if pack.name == "codraw":
        given = f"codraw={lines(folder)}@train"
    elif pack.name == "hexagons":
        put(folder, "dev", record(75319642))
        given = f"hexagons={folder}@dev"
    else:
        made = make_instances(pack, load(pack.recipe)(n=4, seed=20))[0]
        file = folder / "own.jsonl"
        file.write_bytes(encode_instances([msgspec.structs.replace(made, id="secret-stimulus")]))
        given = f"{pack.name}={file}"
    (found,) = open_stimuli([given], GameCatalog())
    return given, found.instances[0]


def text_leaves(value: Any) -> Iterator[str]:
    """All texts of some length in a decoded JSON value."""
    if isinstance(value, str):
        yield from [value] if len(value) >= LEAST_TEXT else []
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from text_leaves(part)


def telling_texts(instance: Instance) -> list[str]:
    """The fields that tell what is played, and the texts in them, as they would be in an answer."""
    content = msgspec.json.decode(msgspec.json.encode(instance))
    told = {name: value for name, value in content.items() if name not in NAMES}
    fields = [f'"{name}":{msgspec.json.encode(value).decode()}' for name, value in told.items()]
    return list(dict.fromkeys([*fields, *text_leaves(told)]))


def own_texts(pack: Pack, instance: Instance) -> list[str]:
    """The instance's id, the texts that no built-in instance has, and the picture."""
    usual = {instance.id, *chain.from_iterable(map(telling_texts, load(pack.builtin)()))}
    own = [text for text in telling_texts(instance) if text not in usual]
    return [instance.id, *own, opening_screen_picture(pack, instance)]


def told(answer: str, texts: list[str]) -> list[str]:
    """The texts that an answer holds, plain or as part of JSON."""
    return [text for text in texts if text in answer or msgspec.json.encode(text).decode()[1:-1] in answer]


def paths_of(route: Route | WebSocketRoute, values: dict[str, list[str]]) -> Iterator[str]:
    names = list(route.param_convertors)
    for chosen in product(*(values.get(name, values["room"]) for name in names)):
        yield str(route.url_path_for(route.name, **dict(zip(names, chosen, strict=True))))


def ask_routes(client: TestClient, values: dict[str, list[str]], cookie: str) -> Iterator[tuple[str, str]]:
    """What every route answers to somebody with this cookie, also where the request names the instance."""
    (instance, *_), (game, *_) = values["episode"], values["game"]
    query = {"id": instance, "find": instance, "instance": instance, "of": "own", "set": "own"}
    bodies = [{}, {"game": game, "instance": instance[:-1]}, {"game": game, "set": "ow"}]
    assert isinstance(client.app, Starlette)
    for route in client.app.routes:
        assert isinstance(route, Route | WebSocketRoute), f"{route} has routes of its own: ask them too"
        for path in paths_of(route, values) if isinstance(route, Route) else ():
            assert isinstance(route, Route)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                for asked in ({}, query) if method == "GET" else bodies:
                    given: dict[str, Any] = {"params" if method == "GET" else "json": asked}
                    answer = client.request(method, path, headers={"cookie": cookie}, **given)
                    yield f"{method} {answer.request.url}", answer.text


def ask_sockets(client: TestClient, values: dict[str, list[str]], own: str) -> Iterator[tuple[str, str]]:
    """What sockets say until they close, all but that of the person whose seat and cookie are given."""
    seat, _, cookie = own.partition(" ")
    headers = {"cookie": cookie, "origin": OURS}
    assert isinstance(client.app, Starlette)
    for route in client.app.routes:
        paths = paths_of(route, values) if isinstance(route, WebSocketRoute) else ()
        with ExitStack() as open_now:  # people who wait for each other find each other
            opened = [
                (path, open_now.enter_context(client.websocket_connect(path, headers=headers)))
                for path in paths
                if path != f"{seat}socket"
            ]
            for path, socket in opened:
                with suppress(WebSocketDisconnect):
                    while True:
                        yield path, socket.receive_text()


def heard(socket: WebSocketTestSession) -> str:
    """What a page is sent until its game has begun."""
    sent: list[str] = []
    while '"phase":"playing"' not in "".join(sent):
        sent.append(socket.receive_text())
    return "".join(sent)


def recorded_words(pack: Pack, instance: Instance) -> set[str]:
    """What people said who played this before."""
    if pack.data.recorded is None:
        return set()
    seats = (Seat(pack, pack.new(), role, "replay", instances=[instance]) for role in pack.roles)
    replies = chain.from_iterable(load(pack.data.recorded)(seat)(instance) for seat in seats)
    return {move.text for reply in replies for move in reply.moves or () if isinstance(move, Say)}


def hidden_texts(pack: Pack, instance: Instance, role: Role) -> list[str]:
    """What the person in this seat must not see either: the id, and all that `hide` changes."""
    other = load(pack.hide)(instance, role, Random(0)) or instance
    known = {*telling_texts(other), opening_screen_picture(pack, other)} - recorded_words(pack, instance)
    texts = (*telling_texts(instance), opening_screen_picture(pack, instance))
    return [instance.id, *(text for text in texts if text not in known)]


def check_routes(place: str, folder: Path, game: str, gallery: bool) -> None:
    pack = find(game)
    given, instance = own_stimulus(pack, folder)
    (folder / "same.jsonl").write_bytes(encode_instances([instance]))
    how = [f"--seat={role}=gold" for role in pack.roles]
    how += [f"--mode={mode}" for name, mode in pack.live.settings.items() if name == "mode"]
    assert main(["play", game, str(folder / "same.jsonl"), *how, "-o", str(folder / "run")]) == 0
    options = ServerSettings(
        instances=(given,), runs=() if gallery else (str(folder / "run"),), gallery=gallery, admin=ADMIN
    )
    texts = own_texts(pack, instance)
    manager = RoomManager(open_store_url(place), open_server_files(options))
    with TestClient(make_app(manager), OURS, headers={"origin": OURS}) as client:
        trade = client.post("/admin/login/trade", json={"token": ADMIN})
        admin = {"cookie": trade.headers["set-cookie"].partition(";")[0]}
        client.cookies.clear()
        order = {"game": game, "seats": people(pack), "instance": instance.id}
        links = client.post("/admin/api/rooms", json=order, headers=admin).json()["links"]
        taken = {role: take(client, link) for role, link in links.items()}
        with ExitStack() as open_now:
            pages = {role: open_now.enter_context(connect(client, *seat)) for role, seat in taken.items()}
            views = {role: heard(page) for role, page in pages.items()}
            for role, view in views.items():
                assert told(view, hidden_texts(pack, instance, role)) == [], role
            assert told(views[pack.roles[0]], texts[-1:]), "the first seat sees the target"
            room = taken[pack.roles[0]][0].split("/")[2]
            values = {
                "room": [room],
                "role": list(pack.roles),
                "game": [game],
                "book": ["run"],
                "episode": [instance.id, room],
                "name": ["home.js", "items"],
                "file": ["index.html"],
                "kind": ["jsonl", "csv"],
                "call": ["save"],
            }
            for path, cookie in [("", ""), *taken.values()]:
                found = chain(
                    ask_routes(client, values, f"seat={cookie}"),
                    ask_sockets(client, values, f"{path} seat={cookie}"),
                )
                for where, answer in found:
                    named = instance.id in where  # what somebody asks for may be repeated to them
                    assert told(answer, texts[named:]) == [], where
            events = client.get(f"/admin/rooms/{room}/events.json", headers=admin).text
            assert told(events, texts[:-1]) == texts[:-1], "the administrator sees everything"
            pages[pack.roles[0]].send_json({"do": "end"})
            shown(pages[pack.roles[0]], "outcome")
            path, cookie = taken[pack.roles[1]]
            events = client.get(f"{path}events.json", headers={"cookie": f"seat={cookie}"}).text
            assert told(events, texts[:-1]) == texts[:-1], "so do the players, once the game is over"


@pytest.mark.parametrize("gallery", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_no_route_tells_what_is_played(game: str, gallery: bool, tmp_path: Path) -> None:
    check_routes(str(tmp_path / "games.db"), tmp_path, game, gallery)


def test_no_route_tells_what_is_played_from_a_shared_database(database: str, tmp_path: Path) -> None:
    check_routes(database, tmp_path, "image", gallery=False)
