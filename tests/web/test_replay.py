"""Games to look at again: who may see which, and what can be taken home."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from starlette.testclient import TestClient
from tests.games.hexagons.test_hexagons_data import put, record
from tests.web.test_app import connect, new_room, serve_in_process, shown, take

from groundling.cli import main
from groundling.core.events import Transcript, encode_event_json, event_decoder
from groundling.core.pack import load
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.web import replay as replays
from groundling.web.episode_library import EpisodeRow, RunCollection, open_episode_library
from groundling.web.erasure import erase_seat
from groundling.web.replay import zip_replay_files


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("runs") / "drawn"
    seats = "--seat", "giver=gold", "--seat", "follower=gold"
    assert main(["play", "image", *seats, "--limit", "3", "-o", str(path)]) == 0
    return RunFolder(path)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, run: RunFolder) -> Iterator[TestClient]:
    books = open_episode_library([str(run.path)], [])
    with serve_in_process(tmp_path_factory.mktemp("server"), books=books) as client:
        yield client


def test_a_run_is_listed_and_each_of_its_episodes_can_be_replayed(server: TestClient, run: RunFolder) -> None:
    assert server.get("/runs/books.json").json() == [{"name": "drawn", "kind": "run", "game": "image"}]
    found = server.get("/runs/drawn/episodes.json").json()
    assert [row[1] for row in found["rows"]] == [transcript.episode for transcript in run.read_transcripts()]
    assert server.get("/runs/drawn/episodes.json?find=compact-02").json()["found"] == 1
    for row in found["rows"]:
        told = server.get(f"/runs/drawn/{row[1]}/replay.json").json()
        assert told["episode"] == row[1]
        assert told["steps"][-1]["kind"] == "closed"
        assert told["number"] == row[0]


def test_a_list_by_score_has_episodes_without_one_last(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = {"a": 0.5, "b": None, "c": 0.0}
    rows = [EpisodeRow(name, "", "played", score, 3) for name, score in scores.items()]
    monkeypatch.setattr(RunCollection, "episode_rows", lambda self: rows)
    for order, names in {"lowest": "cab", "highest": "acb", "": "abc", "dance": "abc"}.items():
        found = server.get(f"/runs/drawn/episodes.json?order={order}").json()["rows"]
        assert "".join(row[1] for row in found) == names


def test_steps_are_named_by_their_events(server: TestClient, run: RunFolder) -> None:
    (first, *_) = run.read_transcripts()
    steps = server.get(f"/runs/drawn/{first.episode}/replay.json").json()["steps"]
    events = [step["event"] for step in steps]
    assert events == sorted(events)
    assert events[0] == 0
    assert events[-1] == len(first.events) - 1


def test_the_events_come_as_they_were_recorded(server: TestClient, run: RunFolder) -> None:
    (first, *_) = run.read_transcripts()
    answer = server.get(f"/runs/drawn/{first.episode}/events.json")
    assert answer.headers["content-disposition"] == f'attachment; filename="image-{first.episode}.json"'
    read = event_decoder(load(run.find_pack().game))
    assert Transcript(tuple(read.decode(json.dumps(event)) for event in answer.json())) == first


@pytest.mark.parametrize(("kind", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_pictures_come_as_an_archive(kind: str, begins: bytes, server: TestClient, run: RunFolder) -> None:
    (first, *_) = run.read_transcripts()
    answer = server.get(f"/runs/drawn/{first.episode}/pictures.zip?as={kind}")
    with ZipFile(BytesIO(answer.content)) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        assert all(name.endswith(f".{kind}") and "/" not in name for name in names)
        assert all(archive.read(name).startswith(begins) for name in names)
    assert [name[:3] for name in names] == sorted(name[:3] for name in names)
    assert len(names) == len(list(first.reply_events())) + 2


def test_an_archive_is_sent_while_it_is_made() -> None:
    made: list[int] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(3):
            made.append(number)
            yield f"{number}.txt", b"x" * 1000

    parts = zip_replay_files(files())
    assert next(parts)
    assert made == [0]
    assert b"".join(parts)


def test_where_pictures_cannot_be_made_that_is_told(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "can_render_png", lambda: False)
    assert server.get("/runs/drawn/compact-01/replay.json").json()["png"] is False
    answer = server.get("/runs/drawn/compact-01/pictures.zip?as=png")
    assert answer.status_code == 400
    assert '"groundling[picture]"' in answer.json()["error"]
    assert server.get("/runs/drawn/compact-01/pictures.zip?as=gif").status_code == 400


def test_nothing_else_on_the_disk_can_be_reached(server: TestClient) -> None:
    for path in (
        "/runs/other/",
        "/runs/other/compact-01/replay.json",
        "/runs/drawn/nothing/replay.json",
        "/runs/drawn/../drawn/log.jsonl",
        "/runs/drawn/log.jsonl",
        "/runs/drawn/%2e%2e%2frun.toml/replay.json",
        "/runs/%2e%2e/compact-01/events.json",
        "/runs/..%2fdrawn/episodes.json",
        "/runs/drawn//etc/passwd/events.json",
    ):
        answer = server.get(path)
        assert answer.status_code == 404 or (path.endswith("/") and "episodes" in answer.text), path
        assert b"groundling =" not in answer.content


def test_without_runs_there_is_nothing_to_see(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        for path in (
            "/runs/",
            "/runs/books.json",
            "/runs/drawn/episodes.json",
            "/runs/drawn/compact-01/replay.json",
        ):
            assert server.get(path).status_code == 404


def play(server: TestClient) -> dict[str, tuple[str, str]]:
    """A whole game of two people; their seats and cookies. While it goes on nobody sees it again."""
    links = new_room(server)
    seats = {role: take(server, link) for role, link in links.items()}
    with connect(server, *seats["giver"]) as one, connect(server, *seats["follower"]) as other:
        shown(one, "panels")
        one.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "the first"}]})
        shown(other, "choices")
        assert again(server, *seats["follower"]).status_code == 404
        other.send_json({"do": "move", "id": 1, "moves": [{"move": "pick", "place": 1}]})
        shown(one, "outcome")
    return seats


def again(server: TestClient, path: str, cookie: str, what: str = "replay.json") -> Any:
    return server.get(f"{path}{what}", headers={"cookie": f"seat={cookie}"})


def test_those_who_played_see_their_game_again_and_nobody_else_does(tmp_path: Path) -> None:
    with serve_in_process(tmp_path) as server:
        seats, strangers = play(server), play(server)
        for path, cookie in seats.values():
            told = again(server, path, cookie)
            assert told.status_code == 200
            assert told.json()["steps"][1]["text"].endswith("the first")
            assert again(server, path, cookie, "events.json").status_code == 200
            assert again(server, path, cookie, "pictures.zip").status_code == 200
            for _, other in strangers.values():
                for what in ("replay.json", "events.json", "pictures.zip"):
                    assert again(server, path, other, what).status_code == 403
                    assert server.get(f"{path}{what}").status_code == 403
        (giver, cookie), (follower, _) = seats["giver"], seats["follower"]
        assert again(server, follower, cookie).status_code == 403
    erase_seat(str(tmp_path / "games.db"), f"{giver.strip('/').removeprefix('r/')}")
    with serve_in_process(tmp_path) as server:
        assert again(server, giver, cookie).status_code == 403
        left = again(server, follower, seats["follower"][1])
        assert left.json()["status"] == "erased"
        assert [step.get("text") for step in left.json()["steps"][1:3]] == ["(erased)", "Answer: first"]
        assert "the first" not in left.text
        events = again(server, follower, seats["follower"][1], "events.json").json()
        assert events[1] == {"type": "erased", "role": "giver"}
        assert again(server, follower, seats["follower"][1], "pictures.zip").status_code == 200


@pytest.mark.usefixtures("no_time_passes")
def test_an_address_can_ask_for_only_so_much(
    tmp_path: Path, run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "PACKS_AT_ONCE", 2.0)
    with serve_in_process(tmp_path, books=open_episode_library([str(run.path)], [])) as server:
        codes = [server.get("/runs/drawn/compact-01/pictures.zip").status_code for _ in range(4)]
    assert codes == [200] * 2 + [429] * 2


def test_an_address_of_a_page_holds_no_script(server: TestClient) -> None:
    page = server.get("/runs/drawn/compact-01/replay")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "compact-01" not in page.text


# The library
# ----------------------------------------------------------------------------------------------------------


def test_runs_of_the_same_name_are_distinguished(run: RunFolder) -> None:
    assert [book.name for book in open_episode_library([str(run.path)] * 3, [])] == [
        "drawn",
        "drawn-2",
        "drawn-3",
    ]


def test_a_run_that_continues_is_read_again(tmp_path: Path, run: RunFolder) -> None:
    first, *others = run.read_transcripts()
    folder = RunFolder(tmp_path / "growing")
    folder.write_transcripts(run.find_pack(), [first], "a test")
    (book,) = open_episode_library([str(folder.path)], [])
    assert len(book.episode_rows()) == 1
    with folder.log_path.open("ab") as log:
        log.write(b"".join(encode_event_json(event) + b"\n" for event in others[0].events))
    assert [row.episode for row in book.episode_rows()] == [first.episode, others[0].episode]
    assert book.find_episode(others[0].episode) == others[0]
    assert book.find_episode("nothing") is None


def test_logs_of_inspect_are_runs_too(tmp_path: Path, run: RunFolder) -> None:
    pytest.importorskip("inspect_ai")
    file = tmp_path / "drawn.eval"
    assert main(["data", "export", str(run.path), "-o", str(file)]) == 0
    (book,) = open_episode_library([str(file)], [])
    assert book.name == "drawn.eval"
    found = book.find_episode("compact-01")
    assert found is not None
    assert found.result is not None


def test_published_data_is_shown_part_by_part(tmp_path: Path) -> None:
    put(tmp_path, "train", record(7), record(8))
    put(tmp_path, "dev", record(9))
    books = open_episode_library([], [f"hexagons={tmp_path}"])
    assert {book.name for book in books} == {"hexagons-train", "hexagons-dev"}
    for book in books:
        assert len(book.episode_rows()) == len(book.gallery_instances())
        for row in book.episode_rows():
            found = book.find_episode(row.episode)
            assert found is not None
            assert len(found.events) == row.events


@pytest.mark.parametrize(
    ("runs", "data", "told"),
    [
        (["nowhere"], [], "nowhere is not a run"),
        ([], ["hexagons"], "is not GAME=PATH"),
        ([], ["hexagons=nowhere"], "does not exist"),
        ([], ["chess=."], "chess"),
    ],
)
def test_what_cannot_be_shown_is_told_at_once(runs: list[str], data: list[str], told: str) -> None:
    with pytest.raises(Problem, match=told):
        open_episode_library(runs, data)


def test_words_stay_words(tmp_path: Path, run: RunFolder) -> None:
    first, *_ = run.read_transcripts()
    opened = msgspec.structs.replace(first.opened, episode="<b>#1")
    odd = Transcript(
        (opened, *(msgspec.structs.replace(event, episode="<b>#1") for event in first.events[1:]))
    )
    folder = RunFolder(tmp_path / "odd")
    folder.write_transcripts(run.find_pack(), [odd], "a test")
    with serve_in_process(tmp_path, books=open_episode_library([str(folder.path)], [])) as server:
        answer = server.get("/runs/odd/%3Cb%3E%231/events.json")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["content-disposition"] == 'attachment; filename="image--b--1.json"'


def test_what_was_broken_since_is_reported_without_where_it_lies_and_is_back_when_it_is_restored(
    run: RunFolder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mine = RunFolder(shutil.copytree(run.path, tmp_path / "mine"))
    whole = (mine.path / "log.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    with serve_in_process(tmp_path, books=open_episode_library([str(mine.path)], [])) as server:
        name = "mine"
        episode = server.get(f"/runs/{name}/episodes.json").json()["rows"][0][1]
        (mine.path / "log.jsonl").write_bytes(b"".join([lines[0], b"{broken\n", *lines[1:]]))
        for path in ("episodes.json", f"{episode}/replay.json", f"{episode}/events.json"):
            answer = server.get(f"/runs/{name}/{path}")
            assert answer.status_code == 503
            assert answer.json()["error"].startswith(f"{name} cannot be read now")
            assert str(tmp_path) not in answer.text
        assert "log.jsonl:2" in caplog.text
        (mine.path / "log.jsonl").write_bytes(whole)
        assert server.get(f"/runs/{name}/{episode}/replay.json").status_code == 200
        shutil.rmtree(mine.path)
        for path in ("episodes.json", f"{episode}/replay.json"):
            answer = server.get(f"/runs/{name}/{path}")
            assert (answer.status_code, answer.json()["error"].partition(":")[0]) == (
                503,
                "mine cannot be read now",
            )
        assert f"{mine.path} no longer exists" in caplog.text


def test_a_log_that_was_broken_since_is_reported(run: RunFolder, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    file = tmp_path / "drawn.eval"
    assert main(["data", "export", str(run.path), "-o", str(file)]) == 0
    with serve_in_process(tmp_path, books=open_episode_library([str(file)], [])) as server:
        assert server.get("/runs/drawn.eval/episodes.json").status_code == 200
        file.write_bytes(b"no log any more")
        assert server.get("/runs/drawn.eval/episodes.json").status_code == 503


def test_episodes_and_turns_are_found_by_labels_scores_and_notes(tmp_path: Path) -> None:
    path = tmp_path / "run"
    seats = "--seat", "instructor=gold", "--seat", "executor=naive"
    assert main(["play", "hexagons", *seats, "--limit", "6", "-o", str(path)]) == 0
    with serve_in_process(tmp_path, books=open_episode_library([str(path)], [])) as client:
        choices = dict(client.get("/runs/run/labels.json").json())
        assert "note" not in choices
        rows = client.get("/runs/run/episodes.json?label=step=2&most=0.5").json()["rows"]
        assert rows
        name, turns = rows[0][1], rows[0][-1]
        steps = client.get(f"/runs/run/{name}/replay.json").json()["steps"]
        ends = [step for step in steps if "turn" in step]
        found = [at for at, step in enumerate(ends, 1) if step["labels"]["step"] == "2"]
        assert turns == [at for at in found if ends[at - 1]["turn"]["f1"] <= 0.5]
        assert client.get("/runs/run/episodes.json?label=step=1&label=step=2").json()["found"] == 0
        assert client.get("/runs/run/episodes.json?least=0.2&most=0.1").json()["found"] == 0
        assert main(["note", str(path), name, "1", "Why?"]) == 0
        noted = client.get("/runs/run/episodes.json?label=note=with a note").json()["rows"]
        assert [(row[1], row[-1]) for row in noted] == [(name, [])]
        assert client.get(f"/runs/run/{name}/replay.json").json()["steps"][1]["notes"] == ["Why?"]
