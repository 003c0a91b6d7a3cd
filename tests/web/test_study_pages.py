"""The addresses of a study, from outside: cookies, ids of services, mistakes before the start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from starlette.testclient import TestClient
from tests.web.study_helpers import PAIRS, read_log, write_study

from groundling.cli.main import main
from groundling.core.values import Problem
from groundling.studies.study_events import Arrived, StudyChanged
from groundling.studies.study_state import fold_study
from groundling.web.app import make_app
from groundling.web.room_manager import RoomManager
from groundling.web.server import open_server_files, run_server
from groundling.web.server_settings import ServerSettings
from groundling.web.store_url import open_store_url
from groundling.web.studies.served_study import begin_served_studies
from groundling.web.study_store import open_study_database

OURS = "http://testserver"
PLACES = """
[recruiting]
places = 8
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    place = str(tmp_path / "games.db")
    options = open_server_files(ServerSettings(studies=(str(write_study(tmp_path / "pairs")),)))
    manager = RoomManager(open_store_url(place), options)
    begin_served_studies(place, options.served_studies)
    with TestClient(make_app(manager, place), OURS, headers={"origin": OURS}) as client:
        yield client


def act(server: TestClient, action: str, **fields: Any) -> Any:
    answer = server.post("/study/pairs/act", json={"do": action, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_person_is_known_by_a_cookie_that_scripts_cannot_read(server: TestClient) -> None:
    first = server.get("/study/pairs", follow_redirects=False)
    assert first.status_code == 303
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "path=/study/pairs;" in cookie
    assert "Study" in server.get("/study/pairs").text
    code = act(server, "open", visit="new")["code"]
    act(server, "consent", agreed=True)
    assert act(server, "open", visit="new")["page"] == "quiz", "a second tab is the same person"
    server.cookies.clear()
    server.get("/study/pairs")
    assert act(server, "open", visit="new")["code"] != code


def test_a_browser_that_keeps_no_cookies_is_told_so_and_does_not_count(
    server: TestClient, tmp_path: Path
) -> None:
    sent = server.get("/study/pairs", follow_redirects=False).headers["location"]
    server.cookies.clear()
    refused = server.get(sent)
    assert refused.status_code == 400
    assert refused.json() == {"error": "this study needs cookies: allow them here and open its link again"}
    page = server.get(sent, headers={"accept": "text/html"}).text
    assert ">This study needs cookies</h1>" in page
    assert "<p>Allow them here and open its link again.</p>" in page
    assert not any(isinstance(event, Arrived) for event in read_log(tmp_path / "games.db"))


def test_ids_of_services_are_in_a_table_of_their_own_and_bring_people_back(
    server: TestClient, tmp_path: Path
) -> None:
    codes = []
    for _ in range(2):
        server.cookies.clear()
        page = server.get("/study/pairs?PROLIFIC_PID=5f1d0c0ffee&STUDY_ID=x")
        assert page.url == f"{OURS}/study/pairs"
        codes.append(act(server, "open", visit="new")["code"])
    assert codes[0] == codes[1]
    events = read_log(tmp_path / "games.db")
    assert sum(isinstance(event, Arrived) for event in events) == 1
    assert "5f1d0c0ffee" not in str(events)
    database = open_study_database(str(tmp_path / "games.db"))
    try:
        rows = database.fetch_rows("SELECT person, service, service_id FROM study_people", ())
    finally:
        database.close()
    assert rows == [(codes[0], "prolific", "5f1d0c0ffee")]


def test_what_is_no_participant_of_this_study_is_refused(server: TestClient) -> None:
    assert server.get("/study/others").status_code == 404
    assert server.post("/study/pairs/act", json={"do": "open"}).status_code == 403, "without a cookie"
    assert server.get(f"/study/pairs?person={'x' * 200}").status_code == 400
    server.get("/study/pairs")
    assert server.post("/study/pairs/act", json={"do": "fly"}).status_code == 400
    other = {"origin": "http://evil.example"}
    assert server.post("/study/pairs/act", json={"do": "leave"}, headers=other).status_code == 403


def test_a_game_opens_with_the_cookie_of_the_persons_own_seat(server: TestClient) -> None:
    seats = {}
    for name in ("ann", "bob"):
        server.cookies.clear()
        server.get(f"/study/pairs?person={name}")
        act(server, "open", visit="new")
        task = act(server, "consent", agreed=True)["task"]
        act(server, "submit", task=task, answers=["yes"])
        act(server, "start")
    for name in ("ann", "bob"):
        server.cookies.clear()
        server.get(f"/study/pairs?person={name}")
        answer = server.post("/study/pairs/act", json={"do": "open"})
        again = server.post("/study/pairs/act", json={"do": "open"})
        assert answer.cookies["seat"] == again.cookies["seat"], "answers may arrive in any order"
        path = answer.json()["path"]
        assert path.endswith("?study=pairs")
        seats[name] = (path.partition("?")[0], answer.cookies["seat"])
    assert seats["ann"][0] != seats["bob"][0]
    for name, other in (("ann", "bob"), ("bob", "ann")):
        headers = {"cookie": f"seat={seats[name][1]}", "origin": OURS}
        with server.websocket_connect(f"{seats[name][0]}socket", headers=headers) as socket:
            assert socket.receive_json()["type"] == "hello"
        with server.websocket_connect(f"{seats[other][0]}socket", headers=headers) as socket:
            assert socket.receive()["code"] == 4403


def test_the_words_of_the_page_come_in_the_languages_that_there_are(server: TestClient) -> None:
    english, german = (server.get(f"/study/pairs/texts/{language}").json() for language in ("en", "de"))
    assert english.keys() == german.keys()
    assert english["leave"]["heading"] == "Leave the study?"
    assert server.get("/study/pairs/texts/xx").status_code == 404
    assert server.get("/study/others/texts/en").status_code == 404
    server.get("/study/pairs")
    asked = server.post("/study/pairs/act?language=de", json={"do": "open"}).json()
    assert asked["language"] == "en", "the study has only one language"


def test_who_deletes_their_data_loses_the_cookie_and_comes_back_as_somebody_else(server: TestClient) -> None:
    server.get("/study/pairs")
    code = act(server, "open", visit="new")["code"]
    act(server, "consent", agreed=True)
    page = act(server, "erase")
    assert (page["page"], page["erased"], page["code"]) == ("end", True, code)
    assert server.post("/study/pairs/act", json={"do": "open"}).status_code == 403
    server.get("/study/pairs")
    again = act(server, "open", visit="new")
    assert again["page"] == "consent"
    assert again["code"] != code


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace("consent.md", "nothing.md"), "nothing.md cannot be read"),
        (lambda text: text.replace('items = "refs"', 'items = "games"'), "in a circle"),
        (
            lambda text: text.replace('game = "reference", seats', 'game = "image", seats'),
            "is not played here",
        ),
    ],
)
def test_a_mistake_is_one_line_before_the_server_starts(change: Any, why: str, tmp_path: Path) -> None:
    folder = write_study(tmp_path / "pairs", change(PAIRS))
    settings = ServerSettings(studies=(str(folder),), games=("reference",))
    with pytest.raises(Problem, match=why) as told:
        run_server(str(tmp_path / "games.db"), "127.0.0.1", 0, settings)
    assert "\n" not in str(told.value)


def begin(place: str, folder: Path) -> None:
    begin_served_studies(place, open_server_files(ServerSettings(studies=(str(folder),))).served_studies)


def test_a_running_study_takes_new_texts_a_pause_and_more_places(tmp_path: Path) -> None:
    place, folder = str(tmp_path / "games.db"), write_study(tmp_path / "pairs", f"{PAIRS}\n{PLACES}")
    begin(place, folder)
    edits = [('"Pairs"', '"Other words"'), ("a@example.org", "b@example.org"), ("= 8", "= 9\npaused = true")]
    text = f"{PAIRS}\n{PLACES}"
    for number, edit in enumerate(edits, 1):
        text = text.replace(*edit)
        write_study(folder, text)
        begin(place, folder)
        begin(place, folder)
        assert [type(event) for event in read_log(place)[1:]] == [StudyChanged] * number
    (folder / "consent.md").write_text("You may stop, and come back.\n")
    begin(place, folder)
    state = fold_study(read_log(place))
    assert (state.study.title, state.study.contact) == ("Other words", "b@example.org")
    assert (state.study.recruiting.places, state.study.recruiting.paused) == (9, True)
    assert state.digests["consent"] == sha256(b"You may stop, and come back.\n").hexdigest()


def test_a_running_study_refuses_every_other_edit_by_name(tmp_path: Path) -> None:
    place, folder = str(tmp_path / "games.db"), write_study(tmp_path / "pairs", f"{PAIRS}\n{PLACES}")
    begin(place, folder)
    stimuli = folder / "refs.jsonl"
    lines = stimuli.read_text().splitlines()
    stimuli.write_text("\n".join([lines[1], lines[0], *lines[2:]]) + "\n")
    edited = f"{PAIRS}\n{PLACES}".replace("= 8", "= 7").replace("base = 0.5", "base = 0.4")
    write_study(folder, edited.replace("answers = 2", "answers = 3"))
    with pytest.raises(Problem) as told:
        begin(place, folder)
    assert [line.removeprefix("study pairs: study.toml: ") for line in str(told.value).splitlines()] == [
        "pay has changed while the study runs: change it back, or begin a new study",
        "stages.games has changed while the study runs: change it back, or begin a new study",
        "recruiting.places may only grow while the study runs: raise it",
        "stimuli.refs: its instances have changed while the study runs: restore the file, "
        "or begin a new study",
    ]
    assert len(read_log(place)) == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--preview"], "--preview is for studies: add --study DIR"),
        (["--preview", "--db", "x.db"], "--preview keeps nothing: leave out --db and --workers"),
    ],
)
def test_a_preview_is_of_a_study_and_has_no_database_of_its_users(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *options]) == 2
    assert capsys.readouterr().err == f"groundling: {why}\n"


def test_a_preview_says_on_every_page_that_nothing_is_kept_and_keeps_nothing(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "pairs")
    options = ["--port", "0", "--study", str(folder), "--preview"]
    command = [sys.executable, "-m", "groundling", "serve", *options]
    place, browser = {**os.environ, "TMPDIR": str(tmp_path)}, build_opener(HTTPCookieProcessor())
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=place, cwd=tmp_path) as server:
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            assert "keeps nothing" in told
            here = told.split()[3]
            for page in ("", "study/pairs?person=ann", "r/none/giver/"):
                with browser.open(f"{here}{page}") as answer:
                    assert b'<aside class="note">Preview: nothing is kept.</aside>' in answer.read()
            assert list(tmp_path.glob("groundling-*/preview.db"))
        finally:
            server.terminate()
    assert [each.name for each in tmp_path.iterdir()] == ["pairs"]


def test_a_server_of_a_study_that_is_no_preview_does_not_say_so(server: TestClient) -> None:
    assert "Preview" not in server.get("/study/pairs").text


def test_a_gallery_and_a_study_exclude_each_other(tmp_path: Path) -> None:
    settings = ServerSettings(studies=(str(write_study(tmp_path / "pairs")),), gallery=True)
    with pytest.raises(Problem, match="leave out --gallery or --study"):
        run_server(str(tmp_path / "games.db"), "127.0.0.1", 0, settings)
