"""What people write and paint in rooms becomes data: collected, verified by others, imported and played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from tests.web.test_app import connect, serve_in_process, take

from groundling.boards.hexes import Board
from groundling.cli import main
from groundling.core.values import Result
from groundling.games.hexagons.data import read_data_images
from groundling.runs.run_folder import RunFolder

COLUMN = Board.from_tiles({(row, 3): "red" for row in range(1, 4)})
FLOWER = COLUMN.with_tiles({(5, 9): "yellow", (4, 9): "blue"})
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
    answer = server.post("/api/rooms", json=order)
    assert answer.status_code == 201, answer.text
    assert set(answer.json()["links"]) == {role}
    path, cookie = take(server, answer.json()["links"][role])
    with connect(server, path, cookie) as socket:
        yield Page(socket, path.split("/")[2])


def test_what_one_aligns_is_executed_by_two_others_recorded_imported_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, games = tmp_path / "verified.jsonl", tmp_path / "games"
    with serve_in_process(tmp_path) as server:
        with seat(server, "instructor", mode="align") as author:
            for text, _ in STEPS:
                author.do({"move": "say", "text": text})
            author.do({"move": "done"})
            author.carry_out([board for _, board in STEPS])
        for boards in ([COLUMN, FLOWER], [COLUMN, COLUMN]):
            with seat(server, "executor", author.room, mode="execute") as executor:
                executor.carry_out(boards)
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


def test_a_room_whose_game_made_nothing_is_no_instance(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        with seat(server, "instructor", mode="align") as author:
            author.do({"move": "say", "text": "a flower"})
        for instance, told in ((author.room, "there is no gold in it"), ("0" * 12, "has no instance")):
            order = {"game": "hexagons", "seats": {"executor": "person"}, "instance": instance}
            answer = server.post("/api/rooms", json=order)
            assert answer.status_code == 400
            assert told in answer.json()["error"]
