"""The pay sheet of a study: what each person is owed and has been paid, for what, and what an hour gave."""

from __future__ import annotations

from hashlib import sha256
from statistics import median_low
from typing import Annotated

from msgspec import Meta, Struct

from groundling.studies.pay_rules import format_amount
from groundling.studies.payments import Payment
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

KINDS = {"task": "tasks", "bonus": "bonuses", "wait": "waiting"}
"""The columns of amounts, by the first word of their keys; all others are fixed."""
MTURK_ASSIGNMENT = "mturk assignment"
"""The service under which the id of a worker's assignment is kept."""
PLATFORM_COLUMNS: dict[str, tuple[str, ...]] = {
    "prolific": (),
    "mturk": ("WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken"),
}
"""The header of each file; Prolific's has none."""


class PayRow(Struct, frozen=True, kw_only=True):
    """One row for each person who is owed something or has worked. Amounts are in hundredths."""

    person: Annotated[str, Meta(description="the person's code")]
    outcome: Annotated[str, Meta(description="the outcome; empty: still taking part")]
    tasks: Annotated[int, Meta(description="for tasks")] = 0
    bonuses: Annotated[int, Meta(description="for scores")] = 0
    waiting: Annotated[int, Meta(description="for waiting")] = 0
    fixed: Annotated[int, Meta(description="for taking part, by outcome")] = 0
    owed: Annotated[int, Meta(description="the sum")] = 0
    in_batch: Annotated[int, Meta(description="of it, in a batch that is not settled")] = 0
    paid: Annotated[int, Meta(description="of it, paid")] = 0
    seconds: Annotated[float, Meta(description="in tasks and in waiting rooms")] = 0.0

    @property
    def hourly(self) -> int | None:
        return round(self.owed * 3600 / self.seconds) if self.seconds >= 1 else None


def pay_rows(state: StudyState) -> list[PayRow]:
    rows = [_make_row(state, person) for person in state.people.values()]
    return [row for row in rows if row.owed or row.seconds]


def _make_row(state: StudyState, person: ParticipantState) -> PayRow:
    amounts = dict.fromkeys((*KINDS.values(), "fixed"), 0)
    for key, amount in person.owed.items():
        amounts[KINDS.get(key.split()[0], "fixed")] += amount
    tasks = [state.tasks[name] for name in state.tasks_of.get(person.person, ())]
    worked = sum(end.at - task.assigned.at for task in tasks if (end := task.ends.get(person.person)))
    return PayRow(
        person=person.person,
        outcome=person.outcome or "",
        **amounts,
        owed=sum(person.owed.values()),
        in_batch=sum(person.owed[key] for key in person.prepared),
        paid=sum(person.owed[key] for key in person.paid),
        seconds=worked + person.waited,
    )


def median_hourly(rows: list[PayRow]) -> int | None:
    """The median of what people get for an hour of tasks and waiting; None where nobody has worked."""
    rates = [row.hourly for row in rows if row.hourly is not None]
    return median_low(rates) if rates else None


def is_platform_bonus(key: str) -> bool:
    """Whether a recruiting service pays it as a bonus. Its fixed reward for a submission is the base pay, or
    the pay of those who were screened out."""
    return key not in ("base", "screened out")


def request_token(payment: Payment) -> str:
    """The same for the same amounts, so that a service that knows it pays them once."""
    return sha256("/".join((payment.person, *payment.keys)).encode()).hexdigest()[:32]


def platform_cells(
    service: str, payments: list[Payment], ids: dict[str, dict[str, str]], reason: str
) -> tuple[list[tuple[str, ...]], list[str]]:
    """The rows of a file of bonuses for a service, and the people whose ids are not known. Prolific takes
    participant and amount; Mechanical Turk's are the parameters of SendBonus."""
    rows: list[tuple[str, ...]] = []
    missing: list[str] = []
    for payment in payments:
        known, amount = ids.get(payment.person, {}), format_amount(payment.amount)
        if service not in known or (service == "mturk" and MTURK_ASSIGNMENT not in known):
            missing.append(payment.person)
        elif service == "prolific":
            rows.append((known[service], amount))
        else:
            rows.append((known[service], known[MTURK_ASSIGNMENT], amount, reason, request_token(payment)))
    return rows, missing
