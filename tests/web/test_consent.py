"""Consent: the operator's text cannot be replaced, and an agreement names the text that was shown."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import RecordedPage, new_room, open_manager, read_notes, reopen_room, until
from tests.web.test_admin import TOKEN
from tests.web.test_app import connect, serve_in_process, shown, take

from groundling.web.server_settings import RoomRequest

TEXT = "We keep what you write."
ALONE: dict[str, Any] = {"game": "reference", "seats": {"giver": "person"}}


def log_in(server: TestClient) -> None:
    cookie = server.post("/admin/login/trade", json={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
    server.headers["cookie"] = cookie


@pytest.mark.parametrize("path", ["/api/rooms", "/admin/api/rooms"])
def test_the_text_of_the_operator_cannot_be_replaced(path: str, tmp_path: Path) -> None:
    with serve_in_process(tmp_path, consent=TEXT, admin=TOKEN) as server:
        log_in(server)
        answer = server.post(path, json={**ALONE, "consent": "Anything goes."})
        assert (answer.status_code, "own consent text" in answer.text) == (400, True)
        links = server.post(path, json=ALONE).json()["links"]
        with connect(server, *take(server, links["giver"])) as page:
            assert shown(page, "text") == TEXT


def test_without_a_text_of_the_operator_a_room_may_have_its_own(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        links = server.post("/api/rooms", json={**ALONE, "consent": "Ours."}).json()["links"]
        with connect(server, *take(server, links["giver"])) as page:
            assert shown(page, "text") == "Ours."


def test_an_agreement_is_recorded_with_the_hash_of_the_text_that_was_shown(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", consent=TEXT) as manager:
            room = await new_room(manager, RoomRequest(**ALONE))
            await room.record_consent("giver")  # a page that was shown nothing
            assert await read_notes(manager, room) == []
            assert room.attendance.agreed == set()
            page = RecordedPage()
            await room.attach_page("giver", page)
            await room.record_consent("giver")
            await room.record_consent("giver")
            await until(lambda: page.shown.get("turn"))
            came, note = await read_notes(manager, room)
        assert (came.what, note.what) == ("came", "agreed")
        assert note.consent == hashlib.sha256(TEXT.encode()).hexdigest()

    asyncio.run(go())


def test_where_there_is_no_text_nobody_agrees_to_anything(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest(**ALONE))
            page = RecordedPage()
            await room.attach_page("giver", page)
            await room.record_consent("giver")
            await until(lambda: page.shown.get("turn"))
            found = [(note.what, bool(note.consent)) for note in await read_notes(manager, room)]
            assert found == [("came", False), ("here", False)]
            again = await reopen_room(manager, room)
            assert again.attendance.agreed == {"giver"}

    asyncio.run(go())


def test_exports_have_the_hash_and_the_text(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, consent=TEXT, admin=TOKEN) as server:
        links = server.post("/api/rooms", json=ALONE).json()["links"]
        with connect(server, *take(server, links["giver"])) as page:
            shown(page, "text")
            page.send_json({"do": "agree"})
            shown(page, "panels")
        log_in(server)
        (line,) = server.get("/admin/api/games.jsonl").text.splitlines()
        rows = server.get("/admin/api/games.people.csv").text.splitlines()
    hashed = hashlib.sha256(TEXT.encode()).hexdigest()
    game = json.loads(line)
    assert game["consent"] == TEXT
    assert [note["consent"] for note in game["notes"] if note["what"] == "agreed"] == [hashed]
    assert dict(zip(rows[0].split(","), rows[1].split(","), strict=True))["consent"] == hashed
