"""`groundling study pay --send`: bonuses are paid through the service once, wherever it is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from subprocess import Popen
from typing import Any

import pytest
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.fake_prolific import FakeProlific
from tests.recruiting.recruiting_helpers import RecruitedStudy, come_by_mturk, come_by_prolific

from groundling.bridges.prolific import ProlificService
from groundling.studies.study_state import fold_study
from groundling.web.study_store import StudyLog

PEOPLE = ("anna", "berta", "carla")
STEPS = ("prepare", "set up", "sent", "pay", "settle")


class Killed(BaseException):
    """Like a signal: no handler for errors sees it."""


@pytest.fixture
def paid_study(study: RecruitedStudy, fake: FakeProlific) -> RecruitedStudy:
    """Three people have finished, and are owed 1.50 each beside the base pay."""
    study.offer()
    for who in PEOPLE:
        code, _ = come_by_prolific(study, fake, who)
        study.finish(code)
    return study


def send(study: RecruitedStudy, batch: str = "b", *options: str) -> int:
    return study.run("pay", "--send", batch, "--yes", *options)


def paid_here(study: RecruitedStudy) -> int:
    people = fold_study(study.events()).people.values()
    return sum(person.owed[key] for person in people for key in person.paid)


def test_bonuses_are_paid_once_and_logged(
    paid_study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    assert send(paid_study) == 0
    assert "batch b: 3 people, 4.50 USD paid" in capsys.readouterr().out
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)
    assert paid_here(paid_study) == 450
    assert send(paid_study) == 0
    assert send(paid_study, "c") == 0
    assert "no bonuses are to be paid" in capsys.readouterr().out
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)


def test_nothing_is_paid_without_asking(
    paid_study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paid_study.run("pay", "--send", "b") == 2
    assert "Pay 3 people 4.50 USD in bonuses through prolific? Nobody can be asked" in capsys.readouterr().err
    assert paid_study.run("pay", "--send", "b", "--dry-run") == 0
    told = capsys.readouterr().out
    assert "/submissions/bonus-payments/" in told
    assert "/bulk-bonus-payments/ID/pay/" in told
    assert (fold_study(paid_study.events()).batches, fake.bonuses_paid) == ({}, {})


def kill_at(step: str, after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Die before or after one of the five steps of paying."""

    def wrap(work: Callable[..., Any]) -> Callable[..., Any]:
        def dying(*parts: Any) -> Any:
            if not after:
                raise Killed
            work(*parts)
            raise Killed

        return dying

    match step:
        case "set up":
            monkeypatch.setattr(ProlificService, "set_up_bonuses", wrap(ProlificService.set_up_bonuses))
        case "pay":
            monkeypatch.setattr(ProlificService, "pay_bonuses", wrap(ProlificService.pay_bonuses))
        case _:
            at = {"prepare": 2, "sent": 3, "settle": 4}[step]
            real, calls = StudyLog.decide_events, list[int]()

            def decide(log: StudyLog, work: Any) -> Any:
                calls.append(1)
                if len(calls) == at:
                    return wrap(real)(log, work)
                return real(log, work)

            monkeypatch.setattr(StudyLog, "decide_events", decide)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_pays_nobody_twice(
    step: str, after: bool, paid_study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        kill_at(step, after, patch)
        with pytest.raises(Killed):
            send(paid_study)
    was_paid = fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)
    in_doubt = fold_study(paid_study.events()).batches.get("b") == "sent"
    assert was_paid == (step == "settle" or (step, after) == ("pay", True))
    capsys.readouterr()
    if step == "settle" and after:
        assert send(paid_study) == 0
    elif in_doubt:
        assert send(paid_study) == 2
        assert "the batch b was sent, and may have been paid: look at prolific" in capsys.readouterr().err
        assert paid_study.run("pay", "--settle" if was_paid else "--cancel", "b") == 0
        assert send(paid_study, "c") == 0
    else:
        assert send(paid_study) == 0, "the same command goes on"
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)
    assert paid_here(paid_study) == 450


@pytest.mark.slow
@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("step", ["/submissions/bonus-payments/", "/pay/"])
def test_a_process_that_is_killed_while_the_service_works_pays_nobody_twice(
    step: str, answered: bool, paid_study: RecruitedStudy, fake: FakeProlific
) -> None:
    """SIGKILL when a request reaches the service: before it is carried out, or after."""
    command = ["study", "pay", str(paid_study.place / "s"), "--db", paid_study.db, "--send", "b", "--yes"]
    program = f"from groundling.cli.main import main; raise SystemExit(main({command!r}))"
    started: list[Popen[bytes]] = []
    real = fake.answer

    def answer(method: str, url: str, token: str, body: Any) -> Any:
        if step not in url:
            return real(method, url, token, body)
        found = real(method, url, token, body) if answered else {}
        started[0].kill()
        return found

    fake.answer = answer  # type: ignore[method-assign]
    with Popen([sys.executable, "-c", program]) as process:
        started.append(process)
        assert process.wait(60) == -SIGKILL
    fake.answer = real  # type: ignore[method-assign]
    was_paid = fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)
    assert was_paid == (answered and step == "/pay/")
    if step == "/pay/":
        assert send(paid_study) == 2, "it may have been paid: a person has to look"
        assert paid_study.run("pay", "--settle" if was_paid else "--cancel", "b") == 0
        assert send(paid_study, "c") == 0
    else:
        assert send(paid_study) == 0
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)
    assert paid_here(paid_study) == 450


@pytest.mark.parametrize(
    ("failures", "told", "left"),
    [
        ([(401, {})], "check PROLIFIC_TOKEN; nothing of the batch b was paid: send it again", "prepared"),
        ([(500, {})] * 5, "has failed (500): try again later; nothing of the batch b was paid", "prepared"),
    ],
)
def test_trouble_before_the_second_step_is_told_and_can_be_repeated(
    failures: list[tuple[int, dict[str, str]]],
    told: str,
    left: str,
    paid_study: RecruitedStudy,
    fake: FakeProlific,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fake.failures, fake.failing = failures, "/bonus-payments/"
    assert send(paid_study) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert fold_study(paid_study.events()).batches == {"b": left}
    assert send(paid_study) == 0
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)


def test_a_payment_that_the_service_refuses_is_cancelled(
    paid_study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProlificService, "set_up_bonuses", lambda *parts: "none")
        assert send(paid_study) == 2
    assert "nothing of the batch b was paid: use another name" in capsys.readouterr().err
    assert fold_study(paid_study.events()).batches == {"b": "cancelled"}
    assert send(paid_study, "c") == 0
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)


def test_a_payment_in_doubt_stays_so(
    paid_study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    real = ProlificService.pay_bonuses

    def pay_and_fail(service: ProlificService, *parts: Any) -> None:
        real(service, *parts)
        fake.failures = [(502, {})]
        real(service, *parts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProlificService, "pay_bonuses", pay_and_fail)
        assert send(paid_study) == 2
    assert "look at prolific whether the batch b was paid" in capsys.readouterr().err
    assert fold_study(paid_study.events()).batches == {"b": "sent"}
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)


def test_more_people_than_the_service_takes_are_several_batches(
    paid_study: RecruitedStudy, fake: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProlificService, "most_bonuses", 2)
    assert send(paid_study) == 0
    assert [len(rows) for rows in fake.bonuses.values()] == [2, 1]
    assert fold_study(paid_study.events()).batches == {"b": "paid", "b-2": "paid"}
    assert fake.bonuses_paid == dict.fromkeys(PEOPLE, 150)


def test_what_mechanical_turk_may_have_paid_is_sent_again(
    tmp_path: Path, turk: FakeMturk, capsys: pytest.CaptureFixture[str]
) -> None:
    study = RecruitedStudy(tmp_path, service="mturk")
    study.offer()
    for who in PEOPLE:
        code, assignment = come_by_mturk(study, turk, who)
        study.finish(code)
        turk.submit(assignment, "x")
    turk.fail_at = {"SendBonus": 1}  # the second is paid, but the answer is lost
    assert send(study) == 2
    assert "look at mturk whether the batch b was paid" in capsys.readouterr().err
    assert send(study) == 0
    assert sorted(each["WorkerId"] for each in turk.bonuses) == list(PEOPLE)
    assert paid_here(study) == 450


def test_who_is_refused_by_mechanical_turk_is_owed_it_again_and_all_others_are_paid(
    tmp_path: Path, turk: FakeMturk, capsys: pytest.CaptureFixture[str]
) -> None:
    study = RecruitedStudy(tmp_path, service="mturk")
    study.offer()
    for who in PEOPLE:
        code, assignment = come_by_mturk(study, turk, who)
        study.finish(code)
        turk.submit(assignment, "x")
    turk.refuse_at = {"SendBonus": (2, "RequestError")}
    assert send(study) == 2
    assert (
        "(refused: 1 of 3 bonuses); the rest of the batch b was paid: use another" in capsys.readouterr().err
    )
    assert fold_study(study.events()).batches == {"b": "paid"}
    assert paid_here(study) == 300
    turk.refuse_at = {}
    assert send(study, "c") == 0
    assert sorted(each["WorkerId"] for each in turk.bonuses) == list(PEOPLE)
    assert paid_here(study) == 450


def test_a_batch_that_was_sent_is_not_cancelled_when_all_of_it_is_refused_later(
    tmp_path: Path, turk: FakeMturk, capsys: pytest.CaptureFixture[str]
) -> None:
    study = RecruitedStudy(tmp_path, service="mturk")
    study.offer()
    for who in PEOPLE:
        code, assignment = come_by_mturk(study, turk, who)
        study.finish(code)
        turk.submit(assignment, "x")
    turk.fail_at = {"SendBonus": 1}
    assert send(study) == 2
    turk.refuse_at = {"ListBonusPayments": (0, "ThrottlingException")}
    assert send(study) == 2
    assert "look at mturk whether the batch b was paid" in capsys.readouterr().err
    assert fold_study(study.events()).batches == {"b": "sent"}
    turk.refuse_at = {}
    assert send(study) == 0
    assert sorted(each["WorkerId"] for each in turk.bonuses) == list(PEOPLE)


def test_sending_is_a_step_of_its_own(paid_study: RecruitedStudy) -> None:
    assert send(paid_study, "b", "--settle", "b") == 2


def test_the_base_pay_of_who_worked_and_was_too_late_there_is_a_bonus(
    study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    study.offer()
    code, session = come_by_prolific(study, fake, "anna")
    study.finish(code)
    fake.end_submission(session, "TIMED-OUT")
    assert send(study) == 0
    assert fake.bonuses_paid == {"anna": 350}
    fake.end_submission(session, "AWAITING REVIEW")  # a code entered late
    assert study.recruit("approve", "--yes") == 0
    assert fake.rewards == {}, "nobody gets the base pay twice"
    capsys.readouterr()
    assert study.recruit("status") == 0
    assert f"{code}: finished here, awaiting review there: ask to return" in capsys.readouterr().out


def test_who_came_by_a_link_that_they_made_up_is_not_paid(
    study: RecruitedStudy, fake: FakeProlific, capsys: pytest.CaptureFixture[str]
) -> None:
    study.offer()
    honest, session = come_by_prolific(study, fake, "anna")
    for who in ("anna,99.00", "mallory"):
        study.finish(study.come("prolific", who, "prolific submission", f"{session}{who}"))
    study.finish(honest)
    assert send(study) == 0
    assert fake.bonuses_paid == {"anna": 150}
    capsys.readouterr()
    assert study.recruit("status") == 0
    assert capsys.readouterr().out.count("finished here, none there: look at the service") == 2
