"""The bridge to Mechanical Turk: every request passes botocore's own description of the service."""

from __future__ import annotations

import boto3
import pytest
from msgspec import structs
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.test_prolific import OFFER

from groundling.bridges.mturk import LIVE, SANDBOX, MturkService
from groundling.core.values import Problem
from groundling.studies.recruiting import PaymentRefused, ServiceBonus, ServiceRequest, StudyOffer

PAID = structs.replace(OFFER, screened_out=0)
QUALIFIED = {"QualificationTypeId": "00000000000000000071", "Comparator": "Exists"}


@pytest.fixture
def service(turk: FakeMturk) -> MturkService:
    return MturkService({"qualifications": [QUALIFIED]})


def publish(service: MturkService, offer: StudyOffer = PAID) -> str:
    return service.publish_study(service.create_study(offer), offer)


def test_a_task_is_made_first_and_published_once(service: MturkService, turk: FakeMturk) -> None:
    kind = service.create_study(PAID)
    assert not turk.hits
    assert turk.types[kind]["Reward"] == "2.00"
    assert turk.types[kind]["QualificationRequirements"] == [QUALIFIED]
    hit = service.publish_study(kind, PAID)
    question = turk.hits[hit]["about"]["Question"]
    assert "<ExternalURL>https://lab.example.org/study/s/mturk</ExternalURL>" in question
    with pytest.raises(Problem, match="was used before"):
        service.publish_study(kind, PAID)
    assert len(turk.hits) == 1
    service.pause_study(hit)
    before = turk.hits[hit]["ExpireAt"]
    service.resume_study(hit)
    assert turk.hits[hit]["ExpireAt"] > before


def test_places_only_grow(service: MturkService, turk: FakeMturk) -> None:
    hit = publish(service)
    service.set_places(hit, 6)
    service.set_places(hit, 6)
    assert turk.hits[hit]["MaxAssignments"] == 6
    with pytest.raises(Problem, match="has 6 places: they cannot become 5"):
        service.set_places(hit, 5)


def test_submissions_carry_the_code_of_the_form(service: MturkService, turk: FakeMturk) -> None:
    hit = publish(service)
    names = [turk.accept(hit, f"W{number}")["assignmentId"] for number in range(4)]
    for name in names[:3]:
        turk.submit(name, "A<1")
    service.approve_submissions(hit, names[:1])
    found = service.list_submissions(hit)
    assert [(each.id, each.status, each.code) for each in found] == [
        (names[0], "approved", "A<1"),
        (names[1], "awaiting review", "A<1"),
        (names[2], "awaiting review", "A<1"),
    ]
    assert turk.rewards == {"W0": 200}


def test_a_bonus_is_paid_once_however_often_it_is_sent(service: MturkService, turk: FakeMturk) -> None:
    bonuses = hire(service, turk, 3)
    turk.fail_at = {"SendBonus": 1}  # the second is paid, but the answer is lost
    with pytest.raises(Problem) as caught:
        service.pay_bonuses("", bonuses)
    assert not isinstance(caught.value, PaymentRefused)
    service.pay_bonuses("", bonuses)
    service.pay_bonuses("", bonuses)
    assert [(each["WorkerId"], each["BonusAmount"]) for each in turk.bonuses] == [
        ("W0", "1.25"),
        ("W1", "1.25"),
        ("W2", "1.25"),
    ]


def test_what_is_surely_not_paid_is_told_apart(service: MturkService, turk: FakeMturk) -> None:
    with pytest.raises(PaymentRefused, match="has not worked"):
        service.pay_bonuses("", [ServiceBonus("W", "nothing", 1, "Bonus", "t")])
    with pytest.raises(Problem, match="1 people have no assignment"):
        service.set_up_bonuses("", [ServiceBonus("W", "", 1, "Bonus", "t")])


def hire(service: MturkService, turk: FakeMturk, people: int) -> list[ServiceBonus]:
    """Bonuses of people who have submitted their tasks."""
    hit, bonuses = publish(service), []
    for number in range(people):
        name = turk.accept(hit, f"W{number}")["assignmentId"]
        turk.submit(name, "x")
        bonuses.append(ServiceBonus(f"W{number}", name, 125, "Bonus", f"token{number}"))
    return bonuses


def test_a_bonus_that_is_refused_stops_no_other(service: MturkService, turk: FakeMturk) -> None:
    bonuses = hire(service, turk, 3)
    wrong = structs.replace(bonuses[1], participant="W9")
    with pytest.raises(PaymentRefused, match=r"has not worked .* \(refused: 1 of 3 bonuses\)") as caught:
        service.pay_bonuses("", [bonuses[0], wrong, bonuses[2]])
    assert caught.value.tokens == {wrong.token}
    assert [each["WorkerId"] for each in turk.bonuses] == ["W0", "W2"]


def test_a_list_that_is_refused_after_a_payment_leaves_it_in_doubt(
    service: MturkService, turk: FakeMturk
) -> None:
    bonuses = hire(service, turk, 2)
    turk.refuse_at = {"ListBonusPayments": (1, "ThrottlingException")}
    with pytest.raises(Problem) as caught:
        service.pay_bonuses("", bonuses)
    assert not isinstance(caught.value, PaymentRefused)
    assert len(turk.bonuses) == 1


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("UnrecognizedClientException", "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ("ThrottlingException", "try again later"),
    ],
)
def test_a_wrong_account_and_a_busy_service_are_told_in_one_line(
    code: str, told: str, service: MturkService, turk: FakeMturk
) -> None:
    turk.refuse_at = {"CreateHITType": (0, code)}
    with pytest.raises(Problem, match=told) as caught:
        service.create_study(PAID)
    assert "\n" not in str(caught.value)
    assert not turk.types


def test_a_service_that_is_down_and_a_missing_account_are_told_in_one_line(
    service: MturkService, turk: FakeMturk, monkeypatch: pytest.MonkeyPatch
) -> None:
    turk.fail_at = {"GetHIT": 0}
    hit = publish(service)
    with pytest.raises(Problem, match=r"Mechanical Turk has failed \(failed\): try again later"):
        service.set_places(hit, 9)
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", "http://127.0.0.1:9")
    with pytest.raises(Problem, match=r"cannot be asked .*\): try again later") as caught:
        MturkService({}).create_study(PAID)
    assert "\n" not in str(caught.value)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(Problem, match=r"Unable to locate credentials\): check AWS_ACCESS_KEY_ID"):
        MturkService({}).create_study(PAID)


def test_a_submission_is_rejected_with_words(service: MturkService, turk: FakeMturk) -> None:
    (bonus,) = hire(service, turk, 1)
    service.reject_submission(bonus.submission, "The texts were copied.")
    assert turk.assignments[bonus.submission]["AssignmentStatus"] == "Rejected"


def test_qualifications_serve_as_groups(service: MturkService, turk: FakeMturk) -> None:
    kind = service.add_to_group("s red", ["W1", "W2"])
    assert turk.qualifications == {kind: ["W1", "W2"]}


def test_a_dry_run_needs_no_account_and_checks_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL_MTURK", raising=False)
    shown: list[ServiceRequest] = []
    service = MturkService({"sandbox": True}, shown.append)
    publish(service)
    service.pay_bonuses("", [ServiceBonus("W", "a", 125, "Bonus", "t")])
    names = ("CreateHITType", "CreateHITWithHITType", "ListBonusPayments", "SendBonus")
    assert [each.url for each in shown] == [f"{SANDBOX}/ {name}" for name in names]
    MturkService({}, shown.append).pause_study("hit")
    assert shown[-1].url == f"{LIVE}/ UpdateExpirationForHIT"
    with pytest.raises(Problem, match="would refuse UpdateExpirationForHIT: Missing required parameter"):
        service._call("UpdateExpirationForHIT", HITId=1)


def test_faults_are_found_before_anything_is_sent(service: MturkService, turk: FakeMturk) -> None:
    assert service.find_faults(PAID) == []
    wrong = structs.replace(PAID, currency="GBP", screened_out=50)
    assert len(service.find_faults(wrong)) == 2
    assert not turk.requests
