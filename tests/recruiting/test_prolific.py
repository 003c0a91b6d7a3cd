"""The client of Prolific's API, against a fake that refuses what the service refuses."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from tests.recruiting.fake_prolific import FakeProlific

from groundling.bridges.prolific import ProlificService
from groundling.core.values import Problem
from groundling.studies.recruiting import (
    CODED_ENDS,
    PaymentRefused,
    ServiceBonus,
    ServiceRequest,
    StudyOffer,
    make_codes,
)

OFFER = StudyOffer(
    name="s",
    title="Words",
    description="Play.",
    url="https://lab.example.org/study/s",
    codes=make_codes({}),
    places=4,
    minutes=10,
    reward=200,
    screened_out=50,
    currency="USD",
    floor=800,
    device="computer",
)
BONUS = ServiceBonus("p1", "session", 125, "Bonus", "token")


@pytest.fixture
def service(fake: FakeProlific) -> ProlificService:
    return ProlificService({"workspace": "w"})


def test_a_study_is_created_as_the_service_documents_it(service: ProlificService, fake: FakeProlific) -> None:
    listing = service.create_study(OFFER)
    study = fake.studies[listing]
    assert study["external_study_url"] == (
        "https://lab.example.org/study/s?PROLIFIC_PID={{%PROLIFIC_PID%}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert {each["code"] for each in study["completion_codes"]} == {*OFFER.codes.values()}
    actions = {
        end: next(each["actions"][0]["action"] for each in study["completion_codes"] if each["code"] == code)
        for end, code in OFFER.codes.items()
    }
    assert {*actions} == {*CODED_ENDS}
    assert actions["finished"] == actions["partner left"] == "MANUALLY_REVIEW"
    assert actions["screened out"] == "FIXED_SCREEN_OUT_PAYMENT"
    assert {end for end, action in actions.items() if action == "REQUEST_RETURN"} == {
        "declined",
        "left",
        "timed out",
        "excluded",
        "asked to return",
    }
    service.publish_study(listing, OFFER)
    assert study["status"] == "ACTIVE"
    service.pause_study(listing)
    service.resume_study(listing)
    assert study["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"reward": 100}, "pay.base: 1.00 for 10 minutes is 6.00 USD an hour, less than 8.00"),
        ({"reward": 100, "floor": 0}, "less than 8.00"),
        ({"reward": 0}, "pay.base is 0"),
        ({"currency": "EUR"}, "Prolific pays in USD or GBP, not in EUR"),
        ({"screened_out": 200}, "pay.screened_out must be less than pay.base"),
        ({"codes": {"finished": "A", "left": "A"}}, "finished and left have the same code 'A'"),
    ],
)
def test_faults_are_found_before_anything_is_sent(
    changes: dict[str, Any], told: str, service: ProlificService, fake: FakeProlific
) -> None:
    assert service.find_faults(OFFER) == []
    faults = service.find_faults(structs.replace(OFFER, **changes))
    assert any(told in fault for fault in faults)
    assert all("\n" not in fault for fault in faults)
    assert not fake.requests


def test_what_the_service_refuses_is_told_in_its_words(service: ProlificService, fake: FakeProlific) -> None:
    with pytest.raises(Problem, match="below the minimum hourly rate"):
        service.create_study(structs.replace(OFFER, reward=100, screened_out=0))
    listing = service.create_study(OFFER)
    service.publish_study(listing, OFFER)
    service.set_places(listing, 6)
    with pytest.raises(Problem, match="can only be increased"):
        service.set_places(listing, 5)
    session = fake.take_place(listing, "p1")["SESSION_ID"]
    with pytest.raises(Problem, match="cannot be approved"):
        service.approve_submissions(listing, [session])
    with pytest.raises(Problem, match="needs 100 characters"):
        service.reject_submission(session, "too short")
    service.reject_submission(session, "x" * 100)
    assert fake.submissions[session]["status"] == "REJECTED"
    for body in ({"code": "A", "actions": [{"action": "MANUALLY_REVIEW"}]}, {"code_type": "X"}):
        with pytest.raises(Problem, match="code_type"):
            service._call("POST", "/studies/", {**fake.studies[listing], "completion_codes": [body]})
    action = {"action": "REJECT", "rejection_category": "OTHER", "message": "short"}
    with pytest.raises(Problem, match="100 characters"):
        service._call("POST", f"/submissions/{session}/transition/", action)


def test_all_pages_of_submissions_are_read(service: ProlificService, fake: FakeProlific) -> None:
    listing = service.create_study(structs.replace(OFFER, places=20))
    service.publish_study(listing, OFFER)
    sessions = [fake.take_place(listing, f"p{number}")["SESSION_ID"] for number in range(10)]
    fake.enter_code(sessions[0], OFFER.codes["finished"])
    fake.enter_code(sessions[1], OFFER.codes["declined"])
    fake.enter_code(sessions[2], OFFER.codes["screened out"])
    fake.end_submission(sessions[3], "TIMED-OUT")
    fake.submissions[sessions[4]]["status"] = "SOMETHING NEW"
    found = service.list_submissions(listing)
    assert [each.id for each in found] == sessions
    assert [each.status for each in found[:6]] == [
        "awaiting review",
        "returned",
        "screened out",
        "timed out",
        "unknown",
        "active",
    ]
    assert fake.rewards == {"p2": 50}


def test_a_link_to_another_host_is_not_followed(service: ProlificService) -> None:
    page = {"_links": {"next": {"href": "https://elsewhere.example.org/api/v1/submissions/?page=2"}}}
    assert service._next_page(page) is None


def test_a_busy_or_failing_service_is_asked_again(fake: FakeProlific) -> None:
    waits: list[float] = []
    service = ProlificService({}, wait=waits.append)
    fake.failures = [(429, {"retry-after": "0.004"}), (503, {}), (500, {})]
    assert service.list_submissions("x") == []
    assert len(fake.requests) == 4
    assert waits[0] == 0.004


@pytest.mark.parametrize(
    ("status", "told"),
    [(429, "Prolific is busy"), (500, "Prolific has failed"), (401, "check PROLIFIC_TOKEN")],
)
def test_a_service_that_stays_down_is_told_in_one_line(
    status: int, told: str, service: ProlificService, fake: FakeProlific
) -> None:
    fake.failures = [(status, {"retry-after": "0"})] * 9
    with pytest.raises(Problem, match=told) as caught:
        service.list_submissions("x")
    assert "\n" not in str(caught.value)


def test_paying_and_creating_are_never_repeated_when_in_doubt(
    service: ProlificService, fake: FakeProlific
) -> None:
    fake.failures = [(500, {})]
    with pytest.raises(Problem) as caught:
        service.pay_bonuses("b", [BONUS])
    assert not isinstance(caught.value, PaymentRefused), "it is not known whether it was paid"
    fake.failures = [(502, {})]
    with pytest.raises(Problem, match="502"):
        service.create_study(OFFER)
    assert len(fake.requests) == 2
    with pytest.raises(PaymentRefused):
        service.pay_bonuses("none", [BONUS])


def test_without_a_token_or_a_service_nothing_is_sent(
    service: ProlificService, fake: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", "wrong")
    with pytest.raises(Problem, match=r"refuses the token \(Invalid token.\): check PROLIFIC_TOKEN"):
        service.list_submissions("x")
    monkeypatch.delenv("PROLIFIC_TOKEN")
    with pytest.raises(Problem, match="PROLIFIC_TOKEN is not set"):
        service.list_submissions("x")
    monkeypatch.setenv("PROLIFIC_TOKEN", "t")
    monkeypatch.setenv("PROLIFIC_URL", "http://127.0.0.1:9")
    with pytest.raises(Problem, match="Prolific cannot be reached"):
        ProlificService({}, wait=lambda seconds: None).list_submissions("x")


def test_bonuses_are_set_up_and_then_paid(service: ProlificService, fake: FakeProlific) -> None:
    listing = service.create_study(OFFER)
    service.publish_study(listing, OFFER)
    with pytest.raises(Problem, match="have not taken part: p1"):
        service.set_up_bonuses(listing, [BONUS])
    fake.take_place(listing, "p1")
    payment = service.set_up_bonuses(listing, [BONUS])
    assert fake.bonuses_paid == {}
    service.pay_bonuses(payment, [BONUS])
    assert fake.bonuses_paid == {"p1": 125}


def test_a_dry_run_shows_each_request_and_sends_nothing(fake: FakeProlific) -> None:
    shown: list[ServiceRequest] = []
    service = ProlificService({}, shown.append)
    listing = service.create_study(OFFER)
    service.publish_study(listing, OFFER)
    service.pay_bonuses(service.set_up_bonuses(listing, [BONUS]), [BONUS])
    assert [(each.method, each.url.removeprefix(fake.url)) for each in shown] == [
        ("POST", "/studies/"),
        ("POST", "/studies/ID/transition/"),
        ("POST", "/submissions/bonus-payments/"),
        ("POST", "/bulk-bonus-payments/ID/pay/"),
    ]
    assert shown[2].body == {"study_id": "ID", "csv_bonuses": "p1,1.25\n"}
    assert not fake.requests


def test_unknown_options_are_mistakes() -> None:
    with pytest.raises(Problem, match="unknown field `x`"):
        ProlificService({"x": 1})
