"""What people are owed: amounts in hundredths of the currency's unit, from the rules of a study."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from groundling.studies.study import StudyPay, StudyStage
from groundling.studies.study_events import AmountOwed, AnyStudyEvent, OutcomeName
from groundling.studies.study_part import Share
from groundling.studies.study_records import ParticipantState, TaskState
from groundling.studies.study_state import StudyState

FLOORS = {"USD": 800, "GBP": 600}
"""Least pay for an hour that recruiting services ask for, by currency."""
STAYED_MESSAGES = 3
"""Messages with which a person has taken part, in the rule of CoDraw's collection."""
BASE_PAID: tuple[OutcomeName, ...] = ("finished", "partner left", "no partner", "study full")
"""The outcomes with base pay."""
ASKED_TO_RETURN = "asked to return"


def minor_units(amount: float) -> int:
    """An amount as study files write it, in hundredths."""
    return round(amount * 100)


def format_amount(amount: int) -> str:
    """Hundredths in units, such as 1.50."""
    return f"{amount // 100}.{amount % 100:02d}"


def share_of(amount: int, share: float) -> int:
    """A share of an amount, rounded to the nearest hundredth."""
    return floor(amount * Fraction(share).limit_denominator(10**6) + Fraction(1, 2))


def pay_floor(pay: StudyPay) -> int:
    """Least pay for an hour; 0 where there is none."""
    return FLOORS.get(pay.currency, 0) if pay.floor is None else minor_units(pay.floor)


def early_pay(stage: StudyStage, rule: Share | str, seconds: float, messages: int | None) -> int:
    """The pay of a task that ended early. Where the number of messages is not known, there were enough."""
    if rule == "prorated":
        share = min(1.0, seconds / 60 / stage.usual_minutes)
    elif rule == "stayed":
        enough = max(STAYED_MESSAGES, stage.least_messages)
        share = float(messages is None or messages >= enough)
    else:
        share = float(rule)
    return share_of(minor_units(stage.pay), share)


def task_bonus(stage: StudyStage, score: float | None) -> int:
    bonus = stage.bonus
    if bonus is None or score is None or score < bonus.least_score:
        return 0
    return share_of(minor_units(bonus.amount), score if bonus.by == "score" else 1.0)


def owe_early_task(
    state: StudyState,
    task: TaskState,
    person: ParticipantState,
    rule: Share | str,
    now: float,
    messages: int | None,
) -> list[AnyStudyEvent]:
    stage = state.stages[task.assigned.stage].stage
    amount = early_pay(stage, rule, now - task.assigned.at, messages)
    return owe_amount(person, f"task {task.assigned.task}", amount, now)


def owe_answer(
    state: StudyState, task: TaskState, person: ParticipantState, score: float | None, now: float
) -> list[AnyStudyEvent]:
    """For an answer that counts."""
    stage, name = state.stages[task.assigned.stage].stage, task.assigned.task
    return [
        *owe_amount(person, f"task {name}", minor_units(stage.pay), now),
        *owe_amount(person, f"bonus {name}", task_bonus(stage, score), now),
    ]


def owe_wait(state: StudyState, person: ParticipantState, now: float) -> list[AnyStudyEvent]:
    if not person.waiting:
        return []
    amount = share_of(minor_units(state.study.pay.waiting_minute), (now - person.waiting_since) / 60)
    return owe_amount(person, f"wait {person.waiting} {person.waiting_since:.0f}", amount, now)


def owe_outcome(
    state: StudyState, person: ParticipantState, outcome: OutcomeName, reason: str, now: float
) -> list[AnyStudyEvent]:
    pay = state.study.pay
    amounts: Mapping[str, float] = {
        "base": pay.base if person.consented and outcome in BASE_PAID else 0,
        "screened out": pay.screened_out if outcome == "screened out" and reason != ASKED_TO_RETURN else 0,
        f"outcome {outcome}": pay.outcomes.get(outcome, 0) if person.consented else 0,
    }
    owed = (owe_amount(person, key, minor_units(amount), now) for key, amount in amounts.items())
    return [event for events in owed for event in events]


def owe_amount(person: ParticipantState, key: str, amount: int, now: float) -> list[AnyStudyEvent]:
    """A person is owed one amount for each key."""
    if not amount or key in person.owed:
        return []
    return [AmountOwed(at=now, person=person.person, key=key, amount=amount)]
