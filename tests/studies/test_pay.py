"""What people are owed, the sheet that adds it up, and batches of payments that are interrupted anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.studies.study_walk import PAIR, PAY, StudyWalk, make_stage, make_study, random_history

from groundling.core.values import Problem
from groundling.studies.pay_checks import find_pay_mistakes
from groundling.studies.pay_rules import (
    early_pay,
    format_amount,
    minor_units,
    pay_floor,
    share_of,
    task_bonus,
)
from groundling.studies.pay_sheet import (
    MTURK_ASSIGNMENT,
    median_hourly,
    pay_rows,
    platform_cells,
    request_token,
)
from groundling.studies.payments import (
    Payment,
    cancel_batch,
    list_batch,
    prepare_batch,
    send_batch,
    settle_batch,
)
from groundling.studies.study import StageBonus, StudyPay
from groundling.studies.study_decisions import TaskReport, leave_study, pay_person
from groundling.studies.study_events import AmountOwed, AmountPaid

seeds = st.integers(0, 2**32)


def take_all(person: str, key: str) -> bool:
    return True


@given(st.integers(0, 10**7))
def test_an_amount_of_two_decimals_is_exact(hundredths: int) -> None:
    assert minor_units(float(f"{hundredths // 100}.{hundredths % 100:02d}")) == hundredths
    assert minor_units(float(format_amount(hundredths))) == hundredths


@given(st.integers(0, 10**6), st.floats(0, 1))
def test_a_share_is_never_more_than_the_whole(amount: int, share: float) -> None:
    assert 0 <= share_of(amount, share) <= amount
    assert share_of(amount, 1.0) == amount


@pytest.mark.parametrize(
    ("rule", "minutes", "messages", "amount"),
    [
        ("prorated", 0, 0, 0),
        ("prorated", 2.5, 0, 75),
        ("prorated", 5, 0, 150),
        ("prorated", 9, 0, 150),
        ("stayed", 0, 2, 0),
        ("stayed", 0, 3, 150),
        ("stayed", 0, None, 150),
        (0.5, 0, 0, 75),
        (0, 9, 9, 0),
    ],
)
def test_a_task_that_ends_early_is_paid_by_rule(
    rule: Any, minutes: float, messages: Any, amount: int
) -> None:
    stage = make_stage("work", pay=1.5, minutes=10)
    assert early_pay(stage, rule, 60 * minutes, messages) == amount


@pytest.mark.parametrize(
    ("bonus", "score", "amount"),
    [
        (StageBonus(amount=0.5), 0.5, 25),
        (StageBonus(amount=0.5, least_score=0.6), 0.5, 0),
        (StageBonus(amount=0.5, by="fixed", least_score=0.5), 0.5, 50),
        (StageBonus(amount=0.5), None, 0),
        (None, 1.0, 0),
    ],
)
def test_a_bonus_is_for_the_score_or_fixed(bonus: Any, score: float | None, amount: int) -> None:
    assert task_bonus(make_stage("work", bonus=bonus), score) == amount


def test_early_leavers_and_their_partners_are_paid_for_their_time_by_default() -> None:
    walk = StudyWalk(make_study(make_stage("work", PAIR, expected_minutes=10), pay=StudyPay()))
    walk.enter("a")
    walk.enter("b")
    walk.now = 300.0
    walk.finish("a", a=TaskReport("left"), b=TaskReport("stayed"))
    assert [walk.state.people[name].owed for name in "ab"] == [{"task t1": 50}, {"task t1": 50}]


@pytest.mark.parametrize("button", [True, False])
def test_the_papers_rule_pays_who_stayed_and_sent_three_messages(button: bool) -> None:
    pay = StudyPay(partner_left="stayed", left=0)
    for messages, amounts in ((3, {"task t1": 100}), (2, {})):
        walk = StudyWalk(make_study(make_stage("work", PAIR, least_messages=3), pay=pay))
        walk.enter("a")
        walk.enter("b")
        if button:
            walk.record(leave_study(walk.state, "a", 300.0, {"a": 9, "b": messages}))
        else:
            walk.now = 300.0
            walk.finish("a", a=TaskReport("left", messages=9), b=TaskReport("stayed", messages=messages))
        assert (walk.state.people["a"].owed, walk.state.people["b"].owed) == ({}, amounts)


def test_an_outcome_may_have_an_amount() -> None:
    pay = structs.replace(PAY, outcomes={"left": 0.2})
    walk = StudyWalk(make_study(make_stage("work"), pay=pay))
    walk.enter("a")
    walk.record(leave_study(walk.state, "a", 1.0))
    assert walk.state.people["a"].owed == {"outcome left": 20}


@given(seeds)
def test_the_sheet_adds_up_to_the_log_to_the_cent(seed: int) -> None:
    walk = random_history(seed)
    owed, paid, amounts = Counter[str](), Counter[str](), dict[tuple[str, str], int]()
    for event in walk.events:
        if isinstance(event, AmountOwed):
            owed[event.person] += event.amount
            amounts[event.person, event.key] = event.amount
        elif isinstance(event, AmountPaid):
            paid[event.person] += sum(amounts[event.person, key] for key in event.keys)
    rows = pay_rows(walk.state)
    assert {row.person: row.owed for row in rows if row.owed} == +owed
    assert {row.person: row.paid for row in rows if row.paid} == +paid
    for row in rows:
        assert row.tasks + row.bonuses + row.waiting + row.fixed == row.owed
        assert row.paid + row.in_batch <= row.owed


class Service:
    """A recruiting service that pays as often as it is asked to."""

    def __init__(self) -> None:
        self.paid = Counter[tuple[str, str]]()

    def pay(self, payments: list[Payment]) -> None:
        for payment in payments:
            self.paid.update((payment.person, key) for key in payment.keys)


class KilledError(Exception): ...


@given(seeds, st.lists(st.integers(0, 5), max_size=6))
def test_whenever_paying_is_killed_nobody_is_paid_twice_and_in_the_end_everybody_once(
    seed: int, kills: list[int]
) -> None:
    walk, service = random_history(seed, 120), Service()

    def pay_batch(batch: str, survives: int) -> None:
        """The steps of a program that pays; it is killed after some of them."""
        steps: list[Callable[[], object]] = [
            lambda: walk.record(prepare_batch(walk.state, batch, walk.now, take_all)),
            lambda: walk.record(send_batch(walk.state, batch, walk.now)),
            lambda: service.pay(list_batch(walk.state, batch)),
            lambda: walk.record(settle_batch(walk.state, batch, walk.now)),
        ]
        for work in steps[:survives]:
            work()
        if survives < len(steps):
            raise KilledError

    before = {(name, key) for name, person in walk.state.people.items() for key in person.paid}
    for batch, state in list(walk.state.batches.items()):
        if state in ("prepared", "sent"):
            walk.record(cancel_batch(walk.state, batch, walk.now))
    for number, survives in enumerate((*kills, 4)):
        try:
            pay_batch(f"run {number}", survives)
        except (KilledError, Problem):  # nothing was owed: there is no batch
            for batch, state in list(walk.state.batches.items()):
                if state == "sent":  # a person looks at the service
                    is_paid = all(
                        service.paid[payment.person, key]
                        for payment in list_batch(walk.state, batch)
                        for key in payment.keys
                    )
                    step = settle_batch if is_paid else cancel_batch
                    walk.record(step(walk.state, batch, walk.now))
                elif state == "prepared":
                    walk.record(cancel_batch(walk.state, batch, walk.now))
    owed = {(name, key) for name, person in walk.state.people.items() for key in person.owed}
    assert set(service.paid.values()) <= {1}
    assert set(service.paid) == owed - before
    assert all(set(person.owed) == person.paid for person in walk.state.people.values())


def test_a_batch_that_was_sent_is_not_sent_again() -> None:
    walk = StudyWalk(make_study(make_stage("work")))
    walk.enter("a")
    walk.finish("a")
    walk.record(prepare_batch(walk.state, "b", 0.0, take_all))
    assert pay_person(walk.state, "a", 0.0) == [], "it is in a batch"
    assert prepare_batch(walk.state, "b", 0.0, take_all) == [], "a repeated step changes nothing"
    walk.record(send_batch(walk.state, "b", 0.0))
    with pytest.raises(Problem, match="the batch b is sent already: name another one"):
        send_batch(walk.state, "b", 0.0)
    with pytest.raises(Problem, match="the batch b is sent already"):
        prepare_batch(walk.state, "b", 0.0, take_all)
    with pytest.raises(Problem, match="there is no batch c: prepare it first"):
        settle_batch(walk.state, "c", 0.0)
    walk.record(settle_batch(walk.state, "b", 0.0))
    assert settle_batch(walk.state, "b", 0.0) == []
    with pytest.raises(Problem, match="the batch b is paid already"):
        cancel_batch(walk.state, "b", 0.0)


def test_the_hourly_rate_is_the_median_with_waiting() -> None:
    walk = StudyWalk(make_study(make_stage("work", PAIR)))
    walk.enter("a")
    walk.now = 600.0
    walk.enter("b")
    walk.now = 1200.0
    walk.finish("a")
    rows = pay_rows(walk.state)
    assert [(row.person, row.owed, row.seconds, row.hourly) for row in rows] == [
        ("a", 200, 1200.0, 600),
        ("b", 100, 600.0, 600),
    ]
    assert median_hourly(rows) == 600
    assert median_hourly([]) is None


def test_files_have_what_each_service_asks_for() -> None:
    payments = [
        Payment("a", 150, ("task t1",)),
        Payment("b", 5, ("wait w 0",)),
        Payment("c", 1, ("task t2",)),
    ]
    ids = {"a": {"prolific": "P1"}, "b": {"prolific": "P2", "mturk": "W2", MTURK_ASSIGNMENT: "A2"}}
    assert platform_cells("prolific", payments, ids, "Bonus") == ([("P1", "1.50"), ("P2", "0.05")], ["c"])
    rows, missing = platform_cells("mturk", payments, ids, "Bonus")
    assert rows == [("W2", "A2", "0.05", "Bonus", request_token(payments[1]))]
    assert missing == ["a", "c"]
    assert request_token(payments[1]) != request_token(structs.replace(payments[1], keys=("wait w 9",)))


@pytest.mark.parametrize(
    ("values", "pay", "lines"),
    [
        ({"pay": 1.5, "expected_minutes": 10}, StudyPay(), []),
        ({"pay": 0.0}, StudyPay(), []),
        (
            {"pay": 1.5, "minutes": 30},
            StudyPay(),
            ["stages.work.pay: 1.50 for 15 minutes is 6.00 USD an hour", "pay: 1.50 for 15 minutes is 6.00"],
        ),
        ({"pay": 1.5, "minutes": 30}, StudyPay(currency="GBP"), []),
        ({"pay": 1.5, "minutes": 30}, StudyPay(currency="EUR"), []),
        ({"pay": 1.5, "minutes": 30}, StudyPay(floor=0), []),
        (
            {"pay": 2.0, "minutes": 30},
            StudyPay(floor=9.0, waiting_minute=0.1),
            ["stages.work.pay: 2.00 for 15", "pay.waiting_minute: 0.10 for 1 min", "pay: 2.00 for 15"],
        ),
        ({"pay": 5.005}, StudyPay(), ["stages.work.pay: 5.005 has more than two decimals: round it"]),
        (
            {"pay": 5},
            StudyPay(outcomes={"lost": 1}),
            ["pay.outcomes: there is no outcome 'lost': choose from"],
        ),
    ],
)
def test_pay_below_the_floor_and_amounts_that_cannot_be_paid_are_refused(
    values: dict[str, Any], pay: StudyPay, lines: list[str]
) -> None:
    found = list(find_pay_mistakes(make_study(make_stage("work", **values), pay=pay)))
    assert len(found) == len(lines)
    assert all(told.startswith(line) for told, line in zip(found, lines, strict=True))


def test_the_floor_is_the_recruiting_services() -> None:
    assert [pay_floor(StudyPay(currency=name)) for name in ("USD", "GBP", "EUR")] == [800, 600, 0]
    assert pay_floor(StudyPay(floor=9.5)) == 950
