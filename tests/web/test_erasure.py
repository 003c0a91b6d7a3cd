"""Erasing a seat: found by the person's code, gone for good, and the partner's half stays."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.room_helpers import SQLITE_QUICK, open_manager
from tests.web.test_admin import TOKEN
from tests.web.test_app import connect, new_room, serve_in_process, shown, take
from tests.web.test_consent import log_in

from groundling.cli import main
from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.web.erasure import (
    CODE_LETTERS,
    erase_seat,
    find_coded_seat,
    make_seat_code,
    read_remaining_game,
    read_seat_code,
)
from groundling.web.server_settings import RoomRequest
from groundling.web.store import RoomRecord, erased_roles, hash_store_secret
from groundling.web.store_url import open_archive_url

SECRET, ANSWER = "my secret wish", "first"


@given(st.text())
def test_a_code_is_read_as_people_write_it(invite: str) -> None:
    code = make_seat_code(invite)
    assert len(code) == 9
    assert set(code) <= {*CODE_LETTERS, "-"}
    for written in (code, code.lower(), code.replace("-", ""), f"  {code.replace('-', ' ')} "):
        assert read_seat_code(written) == code


@given(st.text(max_size=12))
def test_other_texts_are_no_codes(text: str) -> None:
    code = read_seat_code(text)
    assert code is None or code.replace("-", "") == "".join(s for s in text.upper() if s.isalnum())


def test_letters_of_codes_do_not_look_alike_and_make_no_words() -> None:
    assert not set(CODE_LETTERS) & set("AEIOUL0123456789")
    assert len(set(CODE_LETTERS)) == len(CODE_LETTERS) == 20


def play(server: TestClient) -> dict[str, tuple[str, str, str]]:
    """A game, played to its end: path, cookie and code by seat."""
    links = new_room(server)
    seats = {role: take(server, link) for role, link in links.items()}
    with connect(server, *seats["giver"]) as one, connect(server, *seats["follower"]) as other:
        codes = {"giver": one.receive_json()["code"], "follower": other.receive_json()["code"]}
        shown(other, "panels")
        one.send_json({"do": "observe", "what": "device", "at": 1, "width": 4711})
        one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": SECRET}]})
        shown(other, "choices")
        other.send_json({"do": "move", "id": 1, "moves": [{"move": "pick", "place": 1}]})
        shown(other, "outcome")
    return {role: (*seats[role], codes[role]) for role in seats}


def test_a_person_is_shown_the_code_of_their_seat_and_of_no_other(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        links = new_room(server)
        path, cookie = take(server, links["giver"])
        with connect(server, path, cookie) as page:
            code = page.receive_json()["code"]
    assert code == make_seat_code(hash_store_secret(links["giver"].partition("#")[2]))
    archive = open_archive_url(str(tmp_path / "games.db"))
    assert find_coded_seat(lambda: archive, code.lower()) == tuple(path.split("/")[2:4])


def test_the_administrator_finds_and_erases_by_the_code(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, admin=TOKEN) as server:
        path, _, code = play(server)["giver"]
        name = path.strip("/").removeprefix("r/")
        for call in ("find", "erase"):
            assert server.post(f"/admin/api/{call}", json={"seat": code}).status_code == 401
        log_in(server)
        found = server.post("/admin/api/find", json={"seat": code.lower()}).json()
        assert (found["seat"], found["role"], found["room"]["state"]) == (name, "giver", "played")
        wrong = server.post("/admin/api/find", json={"seat": "BBBB-BBBB"})
        assert (wrong.status_code, "no seat has the code" in wrong.text) == (400, True)
        assert server.post("/admin/api/find", json={"seat": "nowhere/giver"}).status_code == 404
        assert server.post("/admin/api/find", json={"seat": "\0/giver"}).status_code == 404
        assert server.post("/admin/api/find", json={}).status_code == 400
        told = server.post("/admin/api/erase", json={"seat": code}).json()["told"]
        assert f"of giver in room {name.partition('/')[0]}" in told
        found = server.post("/admin/api/find", json={"seat": code}).json()
        assert found["room"]["state"] == "erased"


def test_the_command_takes_the_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = str(tmp_path / "games.db")
    with serve_in_process(tmp_path) as server:
        code = play(server)["giver"][2]
    assert main(["serve", "--db", db, "--erase", code.replace("-", "").lower()]) == 0
    assert "of giver in room" in capsys.readouterr().out
    assert main(["serve", "--db", db, "--erase", "BBBB-BBBB"]) == 2
    assert "no seat has the code" in capsys.readouterr().err
    assert SECRET.encode() not in Path(db).read_bytes()
    assert b"4711" not in Path(db).read_bytes()


def test_a_code_of_two_seats_erases_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_in_process(tmp_path) as server:
        play(server)
    monkeypatch.setattr("groundling.web.erasure.make_seat_code", lambda invite: "BBBB-BBBB")
    with pytest.raises(Problem, match="several seats"):
        erase_seat(str(tmp_path / "games.db"), "BBBB-BBBB")


def test_downloads_keep_what_the_partner_did_and_mark_the_rest(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    with serve_in_process(tmp_path, admin=TOKEN) as server:
        path, _, code = play(server)["giver"]
        room = path.split("/")[2]
        log_in(server)
        assert server.post("/admin/api/erase", json={"seat": code}).status_code == 200
        files = {
            kind: server.get(f"/admin/api/games.{kind}").content
            for kind in ("jsonl", "csv", "people.csv", "parquet")
        }
        game = json.loads(files["jsonl"])
        assert game["erased"] == ["giver"]
        assert [event["type"] for event in game["events"]] == [
            "opened", "erased", "erased", "replied", "moved", "closed",
        ]  # fmt: skip
        assert {note["role"] for note in game["notes"] if note["what"] != "erased"} == {"follower"}
        assert game["observations"] == []
        table = polars.read_parquet(io.BytesIO(files["parquet"]))
        assert table["event"].to_list()[1:4] == ["erased", "erased", "replied"]
        assert table["role"].to_list()[1:4] == ["giver", "giver", "follower"]
        assert files["csv"].decode().splitlines()[1].startswith((f"{room},reference,,erased", f"'{room}"))
        replay = server.get(f"/admin/rooms/{room}/replay.json").json()
        said = [(step.get("role"), step.get("text")) for step in replay["steps"][1:3]]
        assert said == [("giver", "(erased)"), ("follower", "Answer: first")]
        for content in (*files.values(), json.dumps(replay).encode()):
            assert SECRET.encode() not in content


def test_a_partner_who_is_still_there_is_told(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        seats = play(server)
    erase_seat(str(tmp_path / "games.db"), seats["giver"][2])
    with serve_in_process(tmp_path) as server, connect(server, *seats["follower"][:2]) as page:
        assert shown(page, "phase") == "erased"


@SQLITE_QUICK
def test_both_can_be_erased_one_after_the_other(place: str) -> None:
    async def fill() -> list[tuple[str, str]]:
        async with open_manager(place) as manager:
            await manager.create_room(RoomRequest("reference", {"giver": "person", "follower": "person"}))
            (booking,) = await manager.store.list_bookings("", 1)
            events = [("event", "giver", b'{"a":1}'), ("note", "giver", b"{}"), ("event", "follower", b"{}")]
            records = [RoomRecord(*each) for each in events]  # type: ignore[arg-type]
            await manager.store.append_records(booking.id, 0, records)
            chairs = await manager.store.list_chairs(booking.id)
            return [(f"{chair.room}/{chair.role}", make_seat_code(chair.invite)) for chair in chairs]

    seats = asyncio.run(fill())
    for _, code in seats:
        assert "erased" in erase_seat(place, code)
        assert "erased 0 records" in erase_seat(place, code)
    ((_, records),) = open_archive_url(place).read_rooms()
    assert sorted(erased_roles(records)) == ["follower", "giver"]
    assert [record.body for record in records if record.kind == "erased"] == [
        b'{"type":"erased"}', b"", b'{"type":"erased"}',
    ]  # fmt: skip


def test_what_is_left_of_a_game_erased_by_an_earlier_version_can_still_be_read(tmp_path: Path) -> None:
    """It deleted the records instead of blanking them."""
    with serve_in_process(tmp_path) as server:
        path = play(server)["giver"][0]
    room = path.split("/")[2]
    erase_seat(str(tmp_path / "games.db"), f"{room}/giver")
    with sqlite3.connect(tmp_path / "games.db") as store:
        store.execute("DELETE FROM records WHERE kind = 'erased'")
    ((_, records),) = open_archive_url(str(tmp_path / "games.db")).read_rooms()
    left = read_remaining_game(find("reference"), records)
    assert left is not None
    assert left.erased == ("giver",)
    kinds: list[Any] = [type(each).__name__ for each in left.rest]
    assert [kind.partition("[")[0] for kind in kinds] == ["Replied", "Moved", "Closed"]
