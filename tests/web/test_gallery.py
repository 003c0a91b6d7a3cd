"""Galleries: what they show, and to whom; and what people draw for them."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient
from tests.games.hexagons.test_hexagons_data import put, record
from tests.web.room_helpers import GAMES
from tests.web.test_app import connect, serve_in_process, shown, take

from groundling.core.pack import find, load
from groundling.core.values import Problem
from groundling.games.director.items import load_items
from groundling.web import gallery as galleries
from groundling.web.episode_library import open_episode_library
from groundling.web.erasure import erase_seat
from groundling.web.sqlite_database import APPLICATION_ID, MIGRATIONS
from groundling.web.sqlite_store import SqliteArchive, SqliteStore
from groundling.web.store import SavedDrawing

STROKES = [{"move": "paint", "row": 2, "column": column, "colour": "red"} for column in range(3, 9)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with serve_in_process(tmp_path, gallery=True) as client:
        yield client


def cards(server: TestClient, game: str, **query: Any) -> Any:
    answer = server.get(f"/gallery/{game}/cards.json", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def draw(server: TestClient, name: str = "a line", moves: Any = STROKES) -> Any:
    return server.post("/gallery/hexagons/drawn", json={"name": name, "moves": moves})


def test_a_server_shows_no_targets_unless_it_is_told_to(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        for path in (
            "",
            "hexagons/",
            "hexagons/cards.json",
            "hexagons/picture.svg?id=image-095",
            "hexagons/draw",
        ):
            assert server.get(f"/gallery/{path}").status_code == 404
        assert draw(server).status_code == 404
        assert not any(game["gallery"] for game in server.get("/api/games").json()["games"])


@pytest.mark.parametrize("game", GAMES)
def test_every_instance_of_every_game_is_shown_with_its_facts_and_picture(
    game: str, server: TestClient
) -> None:
    seen: list[str] = []
    found = cards(server, game)
    while len(seen) < found["found"]:
        page = cards(server, game, **{"from": len(seen)})
        assert all(card["facts"] for card in page["cards"])
        seen += [card["id"] for card in page["cards"]]
    assert seen == [instance.id for instance in load(find(game).builtin)()]
    for name in (seen[0], seen[-1]):
        answer = server.get(f"/gallery/{game}/picture.svg", params={"id": name})
        assert answer.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
    assert server.get(f"/gallery/{game}/picture.svg", params={"id": "nothing"}).status_code == 404


def test_images_are_chosen_by_family_and_level_and_come_with_their_programs(server: TestClient) -> None:
    everything = cards(server, "hexagons")
    assert everything["choices"]["level"] == sorted(everything["choices"]["level"], key=int)
    family, level = everything["choices"]["set"][0], everything["choices"]["level"][0]
    wanted = [
        image.id
        for image in load(find("hexagons").builtin)()
        if (image.set, str(image.level)) == (family, level)
    ]
    found = cards(server, "hexagons", set=family, level=level)
    assert found["found"] == len(wanted)
    assert [card["id"] for card in found["cards"]] == wanted[: galleries.PAGE]
    assert all(card["text"] for card in found["cards"])
    assert [card["id"] for card in cards(server, "hexagons", find="095")["cards"]] == ["image-095"]
    assert cards(server, "hexagons", find="nothing like it")["cards"] == []


def test_published_data_is_a_gallery_whose_pictures_can_be_stepped_through(tmp_path: Path) -> None:
    put(tmp_path, "dev", record(9))
    with serve_in_process(
        tmp_path, gallery=True, books=open_episode_library([], [f"hexagons={tmp_path}"])
    ) as server:
        assert cards(server, "hexagons")["sources"] == ["built in", "hexagons-dev", "drawn here"]
        found = cards(server, "hexagons", of="hexagons-dev")
        (card,) = found["cards"]
        assert found["book"] == "hexagons-dev"
        assert server.get(f"/runs/{found['book']}/{card['id']}/replay.json").json()["steps"]
        assert server.get("/gallery/hexagons/cards.json?of=elsewhere").status_code == 404


def test_what_is_drawn_is_kept_and_can_be_played(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, gallery=True) as server:
        name = draw(server, "  a   red line ").json()["id"]
    with serve_in_process(tmp_path, gallery=True) as server:
        (card,) = cards(server, "hexagons", of="drawn here")["cards"]
        assert (card["id"], card["name"], card["facts"]["tiles painted"]) == (name, "a red line", "6")
        assert (
            server.get("/gallery/hexagons/picture.svg", params={"of": "drawn here", "id": name}).status_code
            == 200
        )
        order = {"game": "hexagons", "instance": name, "seats": {"instructor": "person"}}
        links = server.post("/api/rooms", json=order).json()["links"]
        with connect(server, *take(server, links["instructor"])) as page:
            assert shown(page, "panels")[0]["name"] == "target"
        assert server.post("/api/rooms", json={**order, "instance": "", "set": "drawn"}).status_code == 201
    assert "deleted the drawing" in erase_seat(str(tmp_path / "games.db"), f"hexagons/{name}")
    with serve_in_process(tmp_path, gallery=True) as server:
        assert cards(server, "hexagons", of="drawn here")["total"] == 0
    with pytest.raises(Problem, match="nobody could sit"):
        erase_seat(str(tmp_path / "games.db"), f"hexagons/{name}")


def test_later_strokes_lie_over_earlier_ones(server: TestClient) -> None:
    erased = [{**STROKES[0], "colour": "white"}, {**STROKES[1], "colour": "blue"}]
    assert draw(server, moves=[*STROKES, *erased]).status_code == 201
    (card,) = cards(server, "hexagons", of="drawn here")["cards"]
    assert (card["facts"]["tiles painted"], card["facts"]["colours"]) == ("5", "2")


@pytest.mark.parametrize("name", ["می\u200cخواهم", "👩\u200d👧 a family"])
def test_a_name_may_be_written_as_its_language_is(name: str, server: TestClient) -> None:
    assert draw(server, name).status_code == 201
    (card,) = cards(server, "hexagons", of="drawn here")["cards"]
    assert card["name"] == name


NO_DRAWINGS: tuple[tuple[str, Any, str], ...] = (
    ("", STROKES, "give it a name"),
    ("x" * 61, STROKES, "give it a name"),
    ("\u200d \u200c", STROKES, "give it a name"),
    ("\x1b[31m", STROKES, "signs that cannot be shown"),
    ("a \u202e name", STROKES, "signs that cannot be shown"),
    ("none", [], "at least 3 tiles"),
    ("few", STROKES[:2], "at least 3 tiles"),
    ("off", [{"move": "paint", "row": 99, "column": 1, "colour": "red"}], "off the board"),
    ("grey", [{"move": "paint", "row": 1, "column": 1, "colour": "grey"}], "no colour"),
    ("words", [*STROKES, {"move": "say", "text": "hello"}], "only painted"),
    ("text", "paint", "cannot be drawn"),
)


def test_what_is_no_drawing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(galleries, "DRAWN_AT_ONCE", 20.0)
    with serve_in_process(tmp_path, gallery=True) as server:
        for name, moves, told in NO_DRAWINGS:
            answer = draw(server, name, moves)
            assert answer.status_code == 400
            assert told in answer.json()["error"]
        assert cards(server, "hexagons", of="drawn here")["total"] == 0


@pytest.mark.usefixtures("no_time_passes")
def test_drawings_come_from_our_pages_and_not_too_many_of_them(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = {"name": "a line", "moves": STROKES}
    headers = {"origin": "http://evil.example"}
    assert server.post("/gallery/hexagons/drawn", json=drawing, headers=headers).status_code == 403
    assert (
        server.post("/gallery/hexagons/drawn", content=b"x" * (galleries.MOST_DRAWING + 1)).status_code == 413
    )
    assert server.post("/gallery/image/drawn", json=drawing).status_code == 404
    monkeypatch.setattr(galleries, "MOST_DRAWN", 2)
    codes = [draw(server).status_code for _ in range(int(galleries.DRAWN_AT_ONCE) + 2)]
    assert codes[:3] == [201, 201, 409]
    assert codes[-1] == 429


def test_a_drawing_is_played_only_where_it_is_asked_for(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {draw(server).json()["id"] for _ in range(3)}
    lots: list[set[str]] = []

    def shuffle(self: Any, there: list[Any], count: int) -> list[Any]:
        lots.append({instance.id for instance in there})
        return there

    monkeypatch.setattr(secrets.SystemRandom, "sample", shuffle)
    order = {"game": "hexagons", "seats": {"instructor": "person"}}
    for more in ({}, {"set": "drawn"}):
        assert server.post("/api/rooms", json={**order, **more}).status_code == 201
    assert lots[0] == {instance.id for instance in load(find("hexagons").builtin)()}
    assert lots[1] == made


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with sqlite3.connect(path) as old:
        old.executescript(MIGRATIONS[0])
        old.execute("INSERT INTO rooms VALUES ('room', 1.0, 'image', x'7b7d')")
        old.execute("PRAGMA user_version = 1")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    old.close()

    async def go() -> None:
        store = SqliteStore(path)
        await store.save_drawing(SavedDrawing("hexagons", "drawn-1", 1.0, "first", b"{}"))
        await store.save_drawing(SavedDrawing("hexagons", "drawn-2", 2.0, "second", b"{}"))
        assert [made.name for made in await store.list_drawings("hexagons")] == ["second", "first"]
        assert await store.list_drawings("image") == []
        await store.close()

    asyncio.run(go())
    assert SqliteArchive(path).delete_drawing("hexagons", "drawn-1")
    assert not SqliteArchive(path).delete_drawing("hexagons", "drawn-1")
    with sqlite3.connect(path) as again:
        assert again.execute("SELECT count(*) FROM rooms").fetchone() == (1,)
    again.close()


def test_items_of_shelves_are_shown_by_category_colour_and_material(server: TestClient) -> None:
    ours = load_items()
    found = cards(server, "director", of="items")
    assert found["total"] == len(ours.entries)
    assert "items" in found["sources"]
    assert found["role"] == "", "nobody plays an item"
    red = cards(server, "director", of="items", set="book", colour="red")
    assert {card["id"] for card in red["cards"]} == {
        name
        for name, entry in ours.entries.items()
        if (entry.category or ())[:1] == ("book",) and entry.colour == ("red",)
    }
    picture = server.get("/gallery/director/picture.svg", params={"of": "items", "id": red["cards"][0]["id"]})
    assert ElementTree.fromstring(picture.text).tag.endswith("svg")
    assert "items" not in cards(server, "codraw")["sources"]


def test_recorded_images_are_chosen_by_the_levels_of_their_steps(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    put(data, "dev", record(1), record(2))
    levels = [{"index": 1, "levels": [0, 0, 2]}, {"index": 2, "levels": [0, 0, 1]}]
    (data / "dev_levels.jsonl").write_text(
        "".join(f"{json.dumps(each)}\n" for each in levels), encoding="utf-8"
    )
    with serve_in_process(
        tmp_path, gallery=True, books=open_episode_library([], [f"hexagons={data}"])
    ) as server:
        found = cards(server, "hexagons", of="hexagons-dev")
        assert found["choices"]["highest level"] == ["1", "2"]
        assert len(cards(server, "hexagons", of="hexagons-dev", **{"highest level": "2"})["cards"]) == 1
