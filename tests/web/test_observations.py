"""What pages observe: bounded, stored with the seat, in no decision, and a row in the table of people."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import Person, RecordedPage, new_room, open_manager, until
from tests.web.test_app import connect, serve_in_process, shown, take
from tests.web.test_app import new_room as links_of

from groundling.cli import main
from groundling.core.events import encode_event_json
from groundling.web import observations
from groundling.web.observations import ObserveMessage, SeatObservation, read_observations
from groundling.web.people_table import PEOPLE_COLUMNS, read_people_rows
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PERSON, Booking, RoomNote, RoomRecord

ALONE = RoomRequest("reference", {"giver": PERSON})
DEVICE = {"do": "observe", "what": "device", "at": 12, "width": 390, "height": 844, "pointer": "coarse"}
BOOKING = Booking(
    id="room", at=0.0, game="reference", instance=msgspec.Raw(b"{}"), settings=msgspec.Raw(b"{}"),
    seats={"giver": PERSON, "follower": "rule"}, seed=1, minutes=5.0,
)  # fmt: skip


def seen(at: float, what: Any, **more: Any) -> RoomRecord:
    return RoomRecord(
        "observation", "giver", encode_event_json(SeatObservation(at, "giver", what, 0.0, **more))
    )


def note(at: float, what: Any, **more: Any) -> RoomRecord:
    return RoomRecord("note", "giver", encode_event_json(RoomNote(at, "giver", what, **more)))


def event(at: float, kind: str, role: str = "", **more: Any) -> RoomRecord:
    return RoomRecord("event", role, json.dumps({"type": kind, "at": at, **more}).encode())


@pytest.mark.parametrize(
    ("width", "height", "pointer", "device"),
    [
        (390, 844, "coarse", "phone"),
        (844, 390, "coarse", "phone"),
        (820, 1180, "coarse", "tablet"),
        (1440, 900, "fine", "laptop"),
        (390, 844, "fine", "laptop"),
        (0, 0, "none", "laptop"),
    ],
)
def test_the_device_is_told_by_viewport_and_pointer(
    width: int, height: int, pointer: Any, device: str
) -> None:
    assert SeatObservation(0.0, "giver", "device", 0.0, width, height, pointer).device == device


def test_a_row_of_the_table_sums_up_a_person_in_a_game() -> None:
    records = [
        note(90.0, "agreed", consent="abc"),
        seen(91.0, "device", width=390, height=844, pointer="coarse", order=3),
        event(100.0, "opened"),
        seen(110.0, "first", after=4500.0),
        seen(120.0, "blur"),
        seen(125.0, "blur"),
        seen(130.5, "focus"),
        event(140.0, "replied", "giver", detail={"typing": 2500, "first": 3.0}),
        note(150.0, "away"),
        note(160.0, "here"),
        event(170.0, "replied", "giver", detail={"typing": 1500}),
        event(175.0, "replied", "follower", detail={"typing": 99}),
        seen(180.0, "blur"),
        event(200.0, "closed"),
    ]
    (row,) = read_people_rows(BOOKING, records)
    assert msgspec.structs.asdict(row) == {
        "room": "room", "game": "reference", "role": "giver", "erased": 0, "consent": "abc", "agreed": 90.0,
        "order": 3, "device": "phone", "width": 390, "height": 844, "pointer": "coarse", "replies": 2,
        "first_action": 4.5, "typing": 4.0, "blurs": 2, "unfocused": 30.5, "disconnects": 1,
        "disconnected": 10.0,
    }  # fmt: skip


def test_logs_without_observations_have_rows_with_empty_cells() -> None:
    old = [
        note(90.0, "agreed"),
        event(100.0, "opened"),
        event(140.0, "replied", "giver"),
        event(150.0, "closed"),
    ]
    (row,) = read_people_rows(BOOKING, old)
    assert (row.consent, row.agreed, row.device, row.order, row.typing) == (None,) * 5
    assert (row.replies, row.blurs, row.unfocused) == (1, 0, 0.0)
    (never,) = read_people_rows(BOOKING, [])
    assert never.replies == 0


def test_a_page_sends_what_it_observes_over_its_socket(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        path, cookie = take(server, links_of(server, seats={"giver": "person"})["giver"])
        with connect(server, path, cookie) as page:
            assert page.receive_json()["observe"]
            shown(page, "panels")
            page.send_json(DEVICE)
            words = [{"move": "say", "text": "the first"}]
            page.send_json({"do": "move", "id": 1, "moves": words, "typing": 1200})
            assert shown(page, "taken") == [1]
        records = stored(server, path.split("/")[2])
    assert [each.device for each in read_observations(records, "giver")] == ["phone"]
    (row,) = read_people_rows(msgspec.structs.replace(BOOKING), records)
    assert (row.typing, row.width) == (1.2, 390)


def stored(server: TestClient, room: str) -> list[RoomRecord]:
    manager = server.app.state.room_manager  # type: ignore[attr-defined]
    return server.portal.call(manager.store.read_records, room)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "agent"},
        {"what": "x" * 5000},
        {"width": -1},
        {"width": 1e9},
        {"at": -5},
        {"at": 1e300},
        {"pointer": "paw"},
        {"order": 10**9},
        {"at": "soon"},
    ],
)
def test_an_observation_that_cannot_be_is_refused_and_not_stored(wrong: Any, tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        path, cookie = take(server, links_of(server, seats={"giver": "person"})["giver"])
        with connect(server, path, cookie) as page:
            shown(page, "panels")
            page.send_json({**DEVICE, **wrong})
            assert "cannot be understood" in shown(page, "why")
        assert [one for one in stored(server, path.split("/")[2]) if one.kind == "observation"] == []


def test_nothing_is_observed_before_the_person_agrees_after_the_game_or_too_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observations, "MOST_OBSERVATIONS", 3)
    look = ObserveMessage("focus", 1.0)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db", consent="We keep this.") as manager:

            async def count(name: str) -> int:
                records = await manager.store.read_records(name)
                return len([one for one in records if one.kind == "observation"])

            room = await new_room(manager, ALONE)
            name, page = room.booking.id, RecordedPage()
            await room.attach_page("giver", page)
            await room.record_observation("giver", look)
            assert await count(name) == 0
            await room.record_consent("giver")
            await until(lambda: page.shown.get("turn"))
            for _ in range(2):
                await room.record_observation("giver", look)
            await manager._drop_room(name)
            again = await manager.open_room(name)
            assert again is not None
            assert [type(one) for one in again.events] == [type(one) for one in room.events]
            person = Person(again, "giver")
            await person.come()
            for _ in range(5):
                await again.record_observation("giver", look)
            assert await count(name) == 3
            await until(lambda: again.current_turn == "giver")
            await again.end_game("left")

            other = await new_room(manager, ALONE)
            await other.attach_page("giver", page)
            await other.record_consent("giver")
            await until(lambda: other.current_turn == "giver")
            await other.end_game("left")
            await other.record_observation("giver", look)
            assert await count(other.booking.id) == 0

    asyncio.run(go())


def test_runs_are_exported_with_the_table_and_an_erased_person_has_an_empty_row(tmp_path: Path) -> None:
    async def go() -> str:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("reference", {"giver": PERSON, "follower": PERSON}))
            for role in ("giver", "follower"):
                await Person(room, role).come()
                look = ObserveMessage("device", 1.0, 1440, 900, "fine", 2)
                await room.record_observation(role, look)
            await until(lambda: room.current_turn == "giver")
            return room.booking.id

    db, out = str(tmp_path / "games.db"), tmp_path / "out"
    room = asyncio.run(go())
    for erased in ("", "1"):
        assert main(["serve", "--db", db, "--export", str(out)]) == 0
        rows = list(csv.DictReader((out / "reference" / "people.csv").open()))
        assert list(rows[0]) == list(PEOPLE_COLUMNS)
        told = {row["role"]: (row["device"], row["order"], row["erased"]) for row in rows}
        assert told["follower"] == ("laptop", "2", "0")
        assert told["giver"] == (("", "", "1") if erased else ("laptop", "2", "0"))
        assert main(["serve", "--db", db, "--erase", f"{room}/giver"]) == 0
