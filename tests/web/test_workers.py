"""What `groundling serve --workers` serves: every worker opens runs, data and file games by itself."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from tests.web.server_process import Server

from groundling.cli import main
from groundling.web.store_url import open_archive_url

TREASURE = str(Path(__file__).parents[2] / "examples" / "treasure.py")
ROOM = {"game": "treasure", "seats": {"giver": "person", "seeker": "person"}, "minutes": 60, "settings": {}}


def test_workers_serve_a_file_game_and_its_runs(database: str, tmp_path: Path) -> None:
    run = tmp_path / "hunt"
    seats = ["--seat", "giver=gold", "--seat", "seeker=random", "--limit", "2"]
    assert main(["play", TREASURE, *seats, "-o", str(run)]) == 0
    server = Server(database, "--workers", "2", TREASURE, "--run", str(run))
    server.start()
    try:
        assert [game["name"] for game in server.get("/api/games")["games"]] == ["treasure"]
        assert server.get("/runs/books.json") == [{"name": "hunt", "kind": "run", "game": "treasure"}]
        assert len(server.get("/runs/hunt/episodes.json")["rows"]) == 2
        assert set(server.post("/api/rooms", ROOM)[0]["links"]) == {"giver", "seeker"}
    finally:
        server.kill(signal.SIGTERM)


def test_workers_play_the_stimuli_of_the_operator(database: str, tmp_path: Path) -> None:
    file = tmp_path / "hunts.jsonl"
    assert main(["make", TREASURE, "--seed", "9", "-n", "2", "-o", str(file)]) == 0
    server = Server(database, "--workers", "2", TREASURE, "--instances", f"treasure={file}", "--no-builtin")
    server.start()
    try:
        for _ in range(4):
            assert set(server.post("/api/rooms", {**ROOM, "set": "hunts"})[0]["links"]) == {"giver", "seeker"}
    finally:
        server.kill(signal.SIGTERM)
    own = {json.loads(line)["id"]: json.loads(line) for line in file.read_text().splitlines()}
    played = [json.loads(bytes(booking.instance)) for booking, _ in open_archive_url(database).read_rooms()]
    assert len(played) == 4
    assert all(own[instance["id"]] == instance for instance in played)


def test_a_run_that_is_not_there_is_refused_before_workers_start(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--db", database, "--port", "0", "--workers", "2", "--run", "nowhere"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "groundling: nowhere is not a run: give a folder made by groundling play\n",
    )
