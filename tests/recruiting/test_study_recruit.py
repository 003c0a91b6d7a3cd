"""`groundling study recruit`: links, a study at a service, and both sides' word about people."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.fake_prolific import FakeProlific
from tests.recruiting.recruiting_helpers import URL, RecruitedStudy, come_by_mturk, come_by_prolific

from groundling.studies.study_events import (
    AmountOwed,
    AmountPaid,
    PersonEnded,
    StudyListed,
    SubmissionSeen,
    TaskReleased,
)
from groundling.studies.study_state import fold_study
from groundling.web.study_store import read_service_ids

Capture = pytest.CaptureFixture[str]


def test_a_study_is_created_published_and_gets_places(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    assert study.recruit("publish", "--yes") == 2
    assert "the study is not at prolific yet: create it first" in capsys.readouterr().err
    study.offer()
    ((listing, there),) = fake.studies.items()
    listed = study.events()[-1]
    assert isinstance(listed, StudyListed)
    assert listed.listing == listing
    assert len({*listed.codes.values()}) == len(listed.codes)
    assert (there["reward"], there["total_available_places"], there["status"]) == (200, 5, "ACTIVE")
    assert study.recruit("create", "--url", URL) == 2, "a second one would recruit twice as many"
    assert study.recruit("places", "3", "--yes") == 0
    assert there["total_available_places"] == fold_study(study.events()).places == 8
    assert study.recruit("pause") == 0
    assert there["status"] == "PAUSED"
    assert study.recruit("resume") == 0
    assert there["status"] == "ACTIVE"


def test_nothing_is_published_or_paid_without_asking(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    assert study.recruit("create", "--url", URL) == 0
    capsys.readouterr()
    assert study.recruit("publish") == 2
    told = capsys.readouterr().err
    assert "5 places for 10.00 USD and fees, without bonuses? Nobody can be asked here: add --yes" in told
    assert [each["status"] for each in fake.studies.values()] == ["UNPUBLISHED"]


def test_places_that_reached_only_the_log_are_sent_again(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    study.offer()
    fake.failures, fake.failing = [(400, {})], "/studies/"
    assert study.recruit("places", "2", "--yes") == 2
    assert "send them again with places, without a number" in capsys.readouterr().err
    assert study.recruit("places", "--yes") == 0
    (there,) = fake.studies.values()
    assert there["total_available_places"] == fold_study(study.events()).places == 7


@pytest.mark.parametrize("action", ["create", "places", "status", "approve"])
def test_a_dry_run_prints_requests_and_changes_nothing(
    action: str, study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    if action != "create":
        study.offer()
    before, events = len(fake.requests), study.events()
    capsys.readouterr()
    options = {"create": ["--url", URL], "places": ["2"]}.get(action, [])
    assert study.recruit(action, *options, "--dry-run") == 0
    told = capsys.readouterr().out
    assert f" {fake.url}/" in told
    assert "Token" not in told
    if action == "create":
        body = told[told.index("{") : told.rindex("}") + 1]
        assert json.loads(body)["internal_name"] == "s"
    assert (len(fake.requests), study.events()) == (before, events)


@pytest.mark.parametrize(
    ("changes", "options", "told"),
    [
        ({"service": "link"}, ["create"], "recruiting.service is 'link', which is no recruiting service"),
        ({"places": None}, ["create", "--url", URL], "recruiting.places is missing"),
        ({"description": ""}, ["create", "--url", URL], "recruiting.description is missing"),
        ({}, ["create"], "--url '' is no address that people can reach"),
        ({"budget": 9.0}, ["create", "--url", URL], "5 places cost 10.00 USD in base pay, more than"),
        ({"codes": {"finished": "A", "left": "A"}}, ["create", "--url", URL], "have the same code 'A'"),
        ({"options": {"x": 1}}, ["create", "--url", URL], "unknown field `x`"),
        ({}, ["fly"], "there is no action 'fly'"),
        ({}, ["links", "0", "--url", URL], "0 is no number of links"),
        ({}, ["links", "2"], "links need the address of the server"),
    ],
)
def test_mistakes_are_told_in_one_line_and_nothing_is_sent(
    changes: dict[str, object],
    options: list[str],
    told: str,
    tmp_path: Path,
    fake: FakeProlific,
    capsys: Capture,
) -> None:
    study = RecruitedStudy(tmp_path, **changes)  # type: ignore[arg-type]
    before = study.events()
    assert study.recruit(*options) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not fake.requests
    assert study.events() == before


@pytest.mark.parametrize(
    ("status", "told"), [(401, "check PROLIFIC_TOKEN"), (429, "is busy"), (500, "has failed")]
)
def test_trouble_at_the_service_leaves_nothing_half_done(
    status: int, told: str, study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    before = study.events()
    fake.failures = [(status, {"retry-after": "0"})] * 9
    assert study.recruit("create", "--url", URL) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert study.events() == before


def test_the_status_of_the_service_is_the_truth(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    study.offer()
    (listing,) = fake.studies
    codes = fold_study(study.events()).listing.codes  # type: ignore[union-attr]
    done, done_session = come_by_prolific(study, fake, "anna")
    gone, gone_session = come_by_prolific(study, fake, "berta")
    late, late_session = come_by_prolific(study, fake, "carla")
    fake.take_place(listing, "dora")  # never arrives here
    study.finish(done)
    fake.enter_code(done_session, codes["finished"])
    fake.end_submission(gone_session, "RETURNED")
    fake.end_submission(late_session, "TIMED-OUT")
    assert fold_study(study.events()).places_taken == 3
    capsys.readouterr()
    assert study.recruit("status") == 0
    told = capsys.readouterr().out
    state = fold_study(study.events())
    assert [state.people[who].outcome for who in (done, gone, late)] == ["finished", "left", "timed out"]
    assert state.places_taken == 1, "who returned or was too late at the service frees the place"
    assert f"{done}: finished here, awaiting review there: approve" in told
    assert "not known" in told
    assert not any(name in told for name in ("anna", "berta", "carla", "dora"))
    events = study.events()
    assert study.recruit("status") == 0
    assert study.events() == events, "what is known already is not logged again"

    assert study.recruit("approve", "--yes") == 0
    assert fake.rewards == {"anna": 200}
    state = fold_study(study.events())
    assert state.people[done].paid == {"base"}, "the service has paid its reward"
    capsys.readouterr()
    assert study.recruit("status") == 0
    assert (
        f"{done}: finished here, approved there: approved there, 1.50 unpaid here" in capsys.readouterr().out
    )
    assert study.recruit("approve", "--yes") == 0
    assert fake.rewards == {"anna": 200}
    assert sum(isinstance(event, AmountPaid) for event in study.events()) == 1
    assert {event.status for event in study.events() if isinstance(event, SubmissionSeen)} == {
        "awaiting review",
        "returned",
        "timed out",
        "approved",
    }


def test_a_submission_of_somebody_who_was_erased_is_listed(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    study.offer()
    code, session = come_by_prolific(study, fake, "anna")
    study.finish(code)
    fake.end_submission(session, "AWAITING REVIEW")
    assert study.run("erase", code) == 0
    capsys.readouterr()
    assert study.recruit("status") == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "not known" in line)
    assert row.split() == ["not", "known", "awaiting", "review", "look", "at", "the", "service", "1"]
    assert study.recruit("approve", "--yes") == 0
    assert fake.rewards == {}, "nobody here knows who it is"


def test_the_status_is_asked_for_again_and_changes_are_printed(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    study.offer()
    code, session = come_by_prolific(study, fake, "anna")
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        match len(waits):
            case 2:
                fake.end_submission(session, "RETURNED")
            case 3:
                fake.failures = [(401, {})]
            case 4:
                raise KeyboardInterrupt

    monkeypatch.setattr("groundling.cli.study_recruit.sleep", wait)
    assert study.recruit("status", "--every", "5") == 130
    assert waits == [300.0] * 4
    told = capsys.readouterr()
    assert told.out.count("people") == 2 * 2, "a table at first, and one after the change"
    assert "check PROLIFIC_TOKEN" in told.err
    assert fold_study(study.events()).people[code].outcome == "left"


def test_people_are_asked_to_return_before_anything_is_rejected(
    study: RecruitedStudy, fake: FakeProlific, capsys: Capture
) -> None:
    study.offer()
    code, session = come_by_prolific(study, fake, "anna")
    assert study.recruit("reject", code, "--reason", "x" * 120, "--yes") == 2
    assert "only people whom the study has excluded" in capsys.readouterr().err
    assert study.run("exclude", code, "--reason", "copied texts") == 0
    fake.submissions[session]["status"] = "AWAITING REVIEW"
    assert study.recruit("return") == 0
    assert fake.submissions[session]["return_requested"] == ["Your answers could not be used."]
    assert study.recruit("reject", code, "--reason", "too short", "--yes") == 2
    assert "needs 100 characters" in capsys.readouterr().err
    assert study.recruit("reject", code, "--reason", "x" * 120, "--yes") == 0
    assert fake.submissions[session]["status"] == "REJECTED"


def test_who_is_screened_out_and_did_not_enter_the_code_is_paid_for_it(
    tmp_path: Path, fake: FakeProlific, capsys: Capture
) -> None:
    study = RecruitedStudy(tmp_path, screened_out=0.5)
    study.offer()
    code, session = come_by_prolific(study, fake, "anna")
    ended = PersonEnded(at=1.0, person=code, outcome="screened out")
    released = TaskReleased(at=1.0, person=code, task=study.walk.state.people[code].task, why="administrator")
    study.record([released, AmountOwed(at=1.0, person=code, key="screened out", amount=50), ended])
    assert study.recruit("screen-out") == 2
    assert "Screen out 1 people, which pays 0.50 USD?" in capsys.readouterr().err
    assert study.recruit("screen-out", "--yes") == 0
    assert fake.submissions[session]["status"] == "SCREENED OUT"
    assert fake.rewards == {"anna": 50}
    assert fold_study(study.events()).people[code].paid == {"screened out"}
    assert study.recruit("screen-out", "--yes") == 0
    assert fake.rewards == {"anna": 50}
    assert study.recruit("places", "1", "--yes") == 0
    (there,) = fake.studies.values()
    assert fold_study(study.events()).places == 6
    assert there["total_available_places"] == 7, "the place of the screened out is not one of the six"


def test_a_group_of_people_is_made_at_the_service(
    tmp_path: Path, fake: FakeProlific, capsys: Capture
) -> None:
    study = RecruitedStudy(tmp_path, options={"workspace": "w"})
    study.offer()
    assert study.recruit("group") == 2
    come_by_prolific(study, fake, "anna")
    assert study.recruit("group") == 0
    assert [each["participant_ids"] for each in fake.groups.values()] == [["anna"]]


def test_the_same_commands_recruit_through_mechanical_turk(
    tmp_path: Path, turk: FakeMturk, capsys: Capture
) -> None:
    study = RecruitedStudy(tmp_path, service="mturk")
    study.offer()
    (hit,) = turk.hits
    state = fold_study(study.events())
    assert state.listing is not None
    assert state.listing.listing == hit, "the id of what was published"
    code, assignment = come_by_mturk(study, turk, "W1")
    study.finish(code)
    turk.submit(assignment, state.listing.codes["finished"])
    assert study.recruit("approve", "--yes") == 0
    assert turk.rewards == {"W1": 200}
    assert study.recruit("places", "2", "--yes") == 0
    assert turk.hits[hit]["MaxAssignments"] == 7
    assert study.run("pay", "--send", "b1", "--yes") == 0
    assert [(each["WorkerId"], each["BonusAmount"]) for each in turk.bonuses] == [("W1", "1.50")]
    person = fold_study(study.events()).people[code]
    assert person.paid == {*person.owed}


def test_links_have_ids_that_nobody_can_guess(study: RecruitedStudy, capsys: Capture) -> None:
    assert study.recruit("links", "3", "--url", URL) == 0
    links = capsys.readouterr().out.splitlines()
    assert len({*links}) == 3
    assert all(link.startswith(f"{URL}/study/s?person=") for link in links)


def test_a_lab_list_gives_each_name_one_link_for_good(study: RecruitedStudy, tmp_path: Path) -> None:
    names, out = tmp_path / "names.csv", tmp_path / "links.csv"
    names.write_text('Anna Ahrens,a@example.org\n"Bohn, Berta"\n\nAnna Ahrens\n')
    assert study.recruit("links", "--people", str(names), "--url", URL, "-o", str(out)) == 0
    rows = list(csv.reader(out.open()))
    assert [name for name, _ in rows] == ["Anna Ahrens", "Bohn, Berta"]
    assert len({link for _, link in rows}) == 2
    names.write_text("Carla\nAnna Ahrens\n")
    assert study.recruit("links", "--people", str(names), "--url", URL, "-o", str(out)) == 0
    again = dict(csv.reader(out.open()))
    assert again["Anna Ahrens"] == dict(rows)["Anna Ahrens"]
    known = read_service_ids(study.db, "s")
    assert sorted(ids["name"] for ids in known.values()) == ["Anna Ahrens", "Bohn, Berta", "Carla"]
    assert not any("Anna" in code or "Anna" in ids["invited"] for code, ids in known.items())
