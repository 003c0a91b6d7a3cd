"""What people write and paint in rooms becomes data: collected, verified by others, imported and played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from tests.web.room_helpers import new_room, open_manager
from tests.web.test_admin import TOKEN
from tests.web.test_app import connect, serve_in_process, take
from tests.web.test_route_secrecy import ask_routes, own_texts, told

from groundling.boards.hexes import Board
from groundling.cli import main
from groundling.core.pack import find
from groundling.core.values import Problem, Result
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.runs.run_folder import RunFolder
from groundling.web.game_catalog import GameCatalog
from groundling.web.made_instances import follow_up_request
from groundling.web.middleware import RateLimits
from groundling.web.server_settings import RoomRequest
from groundling.web.stimulus_files import open_stimuli

COLUMN = Board.from_tiles({(row, 3): "red" for row in range(1, 4)})
FLOWER = COLUMN.with_tiles({(5, 9): "yellow", (4, 9): "blue"})
REFERENCE = {"game": "reference", "seats": {"giver": "person"}}
STEPS = [("Paint the top of the third column red.", COLUMN), ("Add a flower.", FLOWER)]


class Page:
    """A page that somebody has open: what it shows, and what they do there."""

    def __init__(self, socket: WebSocketTestSession, room: str) -> None:
        self.room, self._socket = room, socket
        self._number, self._shown = 0, dict[str, Any]()

    def wait_for(self, **fields: Any) -> None:
        while any(self._shown.get(name) != value for name, value in fields.items()):
            message = self._socket.receive_json()
            assert message["type"] != "refused", message
            self._shown |= message

    def do(self, *moves: dict[str, Any]) -> None:
        self.wait_for(turn=True)
        self._number += 1
        self._socket.send_json({"do": "move", "id": self._number, "moves": moves})
        self.wait_for(taken=[self._number])

    def carry_out(self, boards: Sequence[Board]) -> None:
        """Paint these boards one after another; the last one ends the game."""
        for before, after in zip((Board.empty(), *boards), boards, strict=False):
            self.do(*paint(before, after), {"move": "next"})
        self.wait_for(phase="over")


def paint(before: Board, after: Board) -> list[dict[str, Any]]:
    changes = before.changes_to(after).items()
    return [{"move": "paint", "row": row, "column": column, "colour": own} for (row, column), own in changes]


@contextmanager
def seat(server: TestClient, role: str, instance: str = "", **settings: str) -> Iterator[Page]:
    """The only person in a new room with these settings."""
    order = {"game": "hexagons", "seats": {role: "person"}, "instance": instance, "settings": settings}
    with open_seat(server, server.post("/api/rooms", json=order), role) as page:
        yield page


@contextmanager
def open_seat(server: TestClient, answer: Any, role: str) -> Iterator[Page]:
    assert answer.status_code == 201, answer.text
    assert set(answer.json()["links"]) == {role}
    path, cookie = take(server, answer.json()["links"][role])
    with connect(server, path, cookie) as socket:
        yield Page(socket, path.split("/")[2])


def log_in(server: TestClient) -> dict[str, str]:
    """The headers of the administrator."""
    cookie = server.post("/admin/login/trade", json={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
    server.cookies.clear()
    return {"cookie": cookie}


def follow_up(server: TestClient, room: str) -> Any:
    """What the administrator is answered who wants others to carry out what was made in this room."""
    return server.post(f"/admin/api/rooms/{room}/follow-up", json={}, headers=log_in(server))


def align(server: TestClient) -> str:
    """The name of a room in which somebody has written and painted STEPS."""
    with seat(server, "instructor", mode="align") as author:
        for text, _ in STEPS:
            author.do({"move": "say", "text": text})
        author.do({"move": "done"})
        author.carry_out([board for _, board in STEPS])
    return author.room


def test_what_one_aligns_is_executed_by_two_others_recorded_imported_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, games = tmp_path / "verified.jsonl", tmp_path / "games"
    with serve_in_process(tmp_path, admin=TOKEN) as server:
        room = align(server)
        with seat(server, "executor", room, mode="execute") as executor:
            executor.carry_out([COLUMN, FLOWER])
        with open_seat(server, follow_up(server, room), "executor") as executor:
            executor.carry_out([COLUMN, COLUMN])
    assert main(["serve", "--db", str(tmp_path / "games.db"), "--export", str(games)]) == 0
    assert main(["data", "export", *map(str, games.iterdir()), "-o", str(file)]) == 0
    assert "1 drawing procedure, 1 verified" in capsys.readouterr().out
    record = json.loads(file.read_text())
    assert record["agreement_tags"] == ["A", "V1"]
    assert record["agreement_scores"] == [[1.0, 1.0, 1.0], [1.0, 0.75, 0.75]]
    assert [step[1] for step in record["drawing_procedure"]] == ["NONE", *(text for text, _ in STEPS)]
    assert [Board.from_digits(step[2]) for step in record["drawing_procedure"][1:]] == [COLUMN, FLOWER]

    assert main(["data", "import", "hexagons", str(file), "-o", str(tmp_path / "data")]) == 0
    (image,) = read_data_images(file, "verified")
    assert [(step.text, step.board) for step in image.steps] == STEPS
    run = tmp_path / "run"
    assert main(["play", "hexagons", "--data", str(file), "--seat", "executor=gold", "-o", str(run)]) == 0
    (played,) = RunFolder(run).read_transcripts()
    assert played.opened.seats == {"instructor": "replay", "executor": "gold"}
    assert played.result == Result(1.0)


def test_what_was_made_in_rooms_is_a_set_of_stimuli_of_another_server(tmp_path: Path) -> None:
    given = f"hexagons=sqlite:///{tmp_path / 'authors.db'}"
    with serve_in_process(tmp_path, "authors.db") as server:
        with seat(server, "instructor", mode="describe") as other:
            other.do({"move": "say", "text": "a flower"})
        with pytest.raises(Problem, match=r"^games of hexagons have made nothing in .*authors\.db: give"):
            open_stimuli([given], GameCatalog())
        room = align(server)
    (made,) = open_stimuli([given], GameCatalog())
    assert (made.name, made.secret, [image.id for image in made.instances]) == ("authors", True, [room])
    with (
        serve_in_process(tmp_path, sets=(made,), builtin=False) as server,
        seat(server, "executor", mode="execute") as executor,
    ):
        executor.carry_out([board for _, board in STEPS])


def test_a_room_whose_game_made_nothing_is_no_instance(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        with seat(server, "instructor", mode="align") as author:
            author.do({"move": "say", "text": "a flower"})
        for instance, told in ((author.room, "there is no gold in it"), ("0" * 12, "has no instance")):
            order = {"game": "hexagons", "seats": {"executor": "person"}, "instance": instance}
            answer = server.post("/api/rooms", json=order)
            assert answer.status_code == 400
            assert told in answer.json()["error"]


def test_only_finished_procedures_can_be_carried_out_by_others(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, admin=TOKEN) as server:
        with seat(server, "instructor", mode="align") as author:
            author.do({"move": "say", "text": "a flower"})
        reference = take(server, server.post("/api/rooms", json=REFERENCE).json()["links"]["giver"])[0]
        for room, status, told in (
            (author.room, 400, "there is no gold in it"),
            (reference.split("/")[2], 400, "games of reference make nothing that others could carry out"),
            ("0" * 12, 404, "there is no such room"),
        ):
            answer = follow_up(server, room)
            assert (answer.status_code, told in answer.json()["error"]) == (status, True)
        assert server.post(f"/admin/api/rooms/{author.room}/follow-up", json={}).status_code == 401


def test_those_who_carry_it_out_agree_to_the_same_text_unless_the_server_has_its_own(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(
                manager, RoomRequest("hexagons", {"instructor": "person"}, consent="Ours.", minutes=7)
            )
            order = follow_up_request(room.pack, room.booking, "")
            assert (order.consent, order.minutes) == ("Ours.", 7)
            assert follow_up_request(room.pack, room.booking, "The server's.").consent == ""

    asyncio.run(go())


def test_nobody_carries_out_what_they_have_written_and_the_link_stays_valid(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, admin=TOKEN) as server:
        room = align(server)
        secret = {"secret": follow_up(server, room).json()["links"]["executor"].partition("#")[2]}
        refused = server.post("/api/sit", json=secret, headers={"cookie": f"sat=0123-{room}-{'f' * 12}"})
        assert (refused.status_code, "yourself" in refused.json()["error"]) == (403, True)
        other = server.post("/api/sit", json=secret, headers={"cookie": f"sat=;-{'f' * 12}"})
        assert other.status_code == 200


def test_the_browser_remembers_its_rooms_and_sends_them_only_with_a_link(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        rooms = []
        for _ in range(2):
            link = server.post("/api/rooms", json=REFERENCE).json()["links"]["giver"]
            taken = server.post("/api/sit", json={"secret": link.partition("#")[2]})
            rooms.append(taken.json()["path"].split("/")[2])
        told = next(cookie for cookie in taken.headers.get_list("set-cookie") if cookie.startswith("sat="))
        assert told.startswith(f"sat={'-'.join(rooms)};")
        assert {"HttpOnly", "Path=/api/sit", "SameSite=strict"} <= set(told.split("; "))


def test_no_route_tells_those_who_carry_it_out_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RateLimits, "take_token", lambda *given: True)
    pack = find("hexagons")
    with serve_in_process(tmp_path, admin=TOKEN, gallery=True) as server:
        room = align(server)
        steps = tuple(ImageStep(text, board) for text, board in STEPS)
        made = HexagonsImage(id=room, target=FLOWER, steps=steps)
        texts, admin = own_texts(pack, made), log_in(server)  # later, wrong tokens have locked the login
        path, cookie = take(server, follow_up(server, room).json()["links"]["executor"])
        played = path.split("/")[2]
        with connect(server, path, cookie) as socket:
            Page(socket, played).wait_for(turn=True)
            values = {
                "room": [room, played],
                "role": list(pack.roles),
                "game": ["hexagons"],
                "episode": [room],
                "name": ["home.js"],
                "file": ["index.html"],
                "kind": ["jsonl", "csv"],
                "call": ["save"],
            }
            for where, answer in ask_routes(server, values, f"seat={cookie}"):
                assert told(answer, texts[room in where :]) == [], where
            events = server.get(f"/admin/rooms/{played}/events.json", headers=admin)
            assert told(events.text, texts[:-1]) == texts[:-1], "the administrator sees everything"
