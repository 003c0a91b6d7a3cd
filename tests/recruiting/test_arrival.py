"""How people of services come to a study: known by the service's id, and counted once over studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.study_helpers import PAIRS, read_log, write_study

from groundling.studies.study_events import StudyListed
from groundling.web.app import make_app
from groundling.web.room_manager import RoomManager
from groundling.web.server import open_server_files
from groundling.web.server_settings import ServerSettings
from groundling.web.store_url import open_store_url
from groundling.web.studies.served_study import begin_served_studies
from groundling.web.study_store import open_study_database, open_study_log, read_service_ids

OURS = "http://testserver"
SECOND = PAIRS + '[recruiting]\nnever_in = ["first"]\ndescription = "Play <b>games</b>."\n'
FRAME = {
    "assignmentId": "AS1",
    "hitId": "HI1",
    "workerId": "W1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}
Serve = Callable[..., TestClient]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve the studies `first` and `second` from one database."""
    with ExitStack() as stack:

        def start(second: str = SECOND) -> TestClient:
            folders = (write_study(tmp_path / "first"), write_study(tmp_path / "second", second))
            place = str(tmp_path / "games.db")
            options = open_server_files(ServerSettings(studies=tuple(map(str, folders))))
            manager = RoomManager(open_store_url(place), options)
            begin_served_studies(place, options.served_studies)
            client = TestClient(make_app(manager, place), OURS, headers={"origin": OURS})
            return stack.enter_context(client)

        yield start


def act(server: TestClient, study: str, action: str, **fields: Any) -> Any:
    answer = server.post(f"/study/{study}/act", json={"do": action, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def arrive(server: TestClient, study: str, **given: str) -> Any:
    server.cookies.clear()
    server.get(f"/study/{study}", params=given)
    return act(server, study, "open", visit="new")


def test_a_person_is_known_by_the_id_of_the_service_and_not_by_a_cookie(serve: Serve, tmp_path: Path) -> None:
    server, db = serve(), str(tmp_path / "games.db")
    first = arrive(server, "first", PROLIFIC_PID="anna", STUDY_ID="s", SESSION_ID="one")
    again = arrive(server, "first", PROLIFIC_PID="anna", STUDY_ID="s", SESSION_ID="two")
    assert again["code"] == first["code"]
    other = arrive(server, "first", workerId="anna", assignmentId="as", hitId="h")
    assert other["code"] != first["code"], "another service, another person"
    ids = read_service_ids(db, "first")
    assert ids[first["code"]] == {"prolific": "anna", "prolific submission": "two"}
    assert ids[other["code"]] == {"mturk": "anna", "mturk assignment": "as"}
    assert not any("anna" in repr(event) for event in read_log(db, "first"))


def test_nobody_is_counted_in_two_studies_that_exclude_each_other(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    arrive(server, "first", PROLIFIC_PID="anna")
    act(server, "first", "consent", agreed=True)
    arrive(server, "first", PROLIFIC_PID="berta")
    act(server, "first", "consent", agreed=False)
    barred = arrive(server, "second", PROLIFIC_PID="anna")
    assert (barred["page"], barred["outcome"], barred["again"]) == ("end", "study full", False)
    assert arrive(server, "second", PROLIFIC_PID="anna")["page"] == "end"
    assert arrive(server, "second", PROLIFIC_PID="berta")["page"] == "consent", "who declined took no part"
    assert arrive(server, "second", PROLIFIC_PID="carla")["page"] == "consent"
    assert arrive(server, "second", workerId="anna")["page"] == "consent", "another service, another person"
    database = open_study_database(str(tmp_path / "games.db"))
    try:
        rows = database.fetch_rows("SELECT study, mark FROM study_marks", ())
    finally:
        database.close()
    assert [study for study, _ in rows] == ["first"]
    assert "anna" not in rows[0][1]


def test_the_frame_of_mechanical_turk_opens_the_study_and_submits_the_code(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    before = [read_log(str(tmp_path / "games.db"), name) for name in ("first", "second")]
    page = server.get("/study/second/mturk", params=FRAME)
    assert 'href="/study/second?workerId=W1&amp;assignmentId=AS1&amp;hitId=HI1"' in page.text
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in page.text
    assert 'name="assignmentId" value="AS1"' in page.text
    (policy,) = page.headers.get_list("content-security-policy")
    hosts = "https://www.mturk.com https://worker.mturk.com https://workersandbox.mturk.com"
    assert f"frame-ancestors {hosts}" in policy
    assert f"form-action {hosts}" in policy
    preview = server.get(
        "/study/second/mturk", params=FRAME | {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    )
    assert "Accept the task to take part." in preview.text
    assert "Play &lt;b&gt;games&lt;/b&gt;." in preview.text
    assert "<form" not in preview.text
    assert server.get(
        "/study/second", params=FRAME | {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    ).is_error
    after = [read_log(str(tmp_path / "games.db"), name) for name in ("first", "second")]
    assert after == before, "nobody has arrived"
    assert not read_service_ids(str(tmp_path / "games.db"), "second")
    assert "frame-ancestors 'none'" in server.get("/study/second").headers["content-security-policy"]


@pytest.mark.parametrize(
    "back",
    [
        "",
        "https://evil.example.org",
        "http://www.mturk.com",
        "https://www.mturk.com:8",
        "https://a@www.mturk.com",
    ],
)
def test_a_form_that_would_go_elsewhere_is_refused(back: str, serve: Serve) -> None:
    answer = serve().get("/study/second/mturk", params=FRAME | {"turkSubmitTo": back})
    assert answer.status_code == 400
    assert "<form" not in answer.text


def test_the_last_page_has_the_code_of_the_listing(serve: Serve, tmp_path: Path) -> None:
    server = serve(SECOND + '[recruiting.codes]\nleft = "OWN"\n')
    codes = {"declined": "D1", "left": "L1", "finished": "F1"}
    listed = StudyListed(
        at=0, service="prolific", listing="x", codes=codes, url=OURS, redirect="https://p.example/?cc={code}"
    )
    with open_study_log(str(tmp_path / "games.db"), "second") as log:
        log.decide_events(lambda state: ([listed], None))
    arrive(server, "second", PROLIFIC_PID="anna")
    end = act(server, "second", "consent", agreed=False)
    assert (end["completion"], end["redirect"]) == ("D1", "https://p.example/?cc=D1")
    arrive(server, "second", PROLIFIC_PID="berta")
    act(server, "second", "consent", agreed=True)
    assert act(server, "second", "leave")["completion"] == "OWN", "the study's file comes first"
