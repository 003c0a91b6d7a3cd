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
from groundling.games.hexagons.data import read_data_images

COLUMN = Board.from_tiles({(row, 3): "red" for row in range(1, 4)})
FLOWER = COLUMN.with_tiles({(5, 9): "yellow", (4, 9): "blue"})
STEPS = [("Paint the top of the third column red.", COLUMN), ("Add a flower.", FLOWER)]


class Page:
    """A page that somebody has open: what it shows, and what they do there."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket, self._number, self._shown = socket, 0, dict[str, Any]()

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
def seat(server: TestClient, role: str, **settings: str) -> Iterator[Page]:
    """The only person in a new room with these settings."""
    order = {"game": "hexagons", "seats": {role: "person"}, "settings": settings}
    answer = server.post("/api/rooms", json=order)
    assert answer.status_code == 201, answer.text
    assert set(answer.json()["links"]) == {role}
    with connect(server, *take(server, answer.json()["links"][role])) as socket:
        yield Page(socket)


def test_what_one_aligns_is_executed_by_two_others_recorded_imported_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, games = str(tmp_path / "games.db"), tmp_path / "games"
    collected, verified = str(tmp_path / "collected.jsonl"), tmp_path / "verified.jsonl"

    def exported_runs() -> list[str]:
        assert main(["serve", "--db", db, "--export", str(games)]) == 0
        return [str(run) for run in sorted(games.iterdir())]

    with serve_in_process(tmp_path) as server, seat(server, "instructor", mode="align") as author:
        for text, _ in STEPS:
            author.do({"move": "say", "text": text})
        author.do({"move": "done"})
        author.carry_out([board for _, board in STEPS])
    assert main(["data", "export", *exported_runs(), "-o", collected]) == 0
    assert "1 drawing procedures, 0 of them verified" in capsys.readouterr().out

    images = read_data_images(Path(collected), "collected")
    with serve_in_process(tmp_path, instances={"hexagons": images}) as server:
        for boards in ([COLUMN, FLOWER], [COLUMN, COLUMN]):
            with seat(server, "executor", mode="execute") as executor:
                executor.carry_out(boards)
    assert main(["data", "export", *exported_runs(), "-o", str(verified)]) == 0
    record = json.loads(verified.read_text())
    assert record["agreement_tags"] == ["A", "V1"]
    assert record["agreement_scores"] == [[1.0, 1.0, 1.0], [1.0, 0.75, 0.75]]
    assert [step[1] for step in record["drawing_procedure"]] == ["NONE", *(text for text, _ in STEPS)]

    data, run = str(tmp_path / "data"), str(tmp_path / "run")
    assert main(["data", "import", "hexagons", str(verified), "-o", data]) == 0
    play = ["play", "hexagons", "--data", str(verified), "--seat", "executor=gold", "-o", run]
    assert main(play) == 0
    capsys.readouterr()
    assert main(["score", run]) == 0
    assert "gold" in capsys.readouterr().out
