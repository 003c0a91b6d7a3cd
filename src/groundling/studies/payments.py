"""Batches of payments: owed, prepared, sent, paid. Each step is logged before the next one begins, so that
whatever is interrupted, no amount is paid twice.

A batch is `prepared` under an id. Before the request that pays it goes out it is logged as `sent`, and never
sent again: with some services a second request pays a second time. A batch that was sent and not settled is
in doubt: look at the service, then settle or cancel it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct

from groundling.core.values import Problem
from groundling.studies.study_events import (
    AmountPaid,
    AnyStudyEvent,
    PaymentCancelled,
    PaymentPrepared,
    PaymentSent,
)
from groundling.studies.study_records import BatchState, ParticipantState
from groundling.studies.study_state import StudyState


class Payment(Struct, frozen=True):
    """What one person gets in a batch."""

    person: str
    amount: int
    """In hundredths."""
    keys: tuple[str, ...]


def unpaid_keys(person: ParticipantState) -> tuple[str, ...]:
    """What a person is owed that is neither paid nor in a batch."""
    return tuple(key for key in person.owed if key not in person.paid and key not in person.prepared)


def list_unpaid(state: StudyState, accept: Callable[[str, str], bool]) -> list[Payment]:
    """What people are still owed. `accept` says of a person and a key whether to take it."""
    found = []
    for name, person in state.people.items():
        if keys := tuple(key for key in unpaid_keys(person) if accept(name, key)):
            found.append(Payment(name, sum(person.owed[key] for key in keys), keys))
    return found


def list_batch(state: StudyState, batch: str) -> list[Payment]:
    """The payments of a batch that is prepared or sent."""
    found = []
    for name, person in state.people.items():
        if keys := tuple(key for key, each in person.prepared.items() if each == batch):
            found.append(Payment(name, sum(person.owed[key] for key in keys), keys))
    return found


def prepare_batch(
    state: StudyState, batch: str, now: float, accept: Callable[[str, str], bool]
) -> list[AnyStudyEvent]:
    """Put all that is still owed into a batch. A batch that is prepared stays as it is."""
    if _batch_state(state, batch, {"prepared"}) is not None:
        return []
    return [
        PaymentPrepared(at=now, person=payment.person, batch=batch, keys=payment.keys)
        for payment in list_unpaid(state, accept)
    ]


def send_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """Log that a batch is paid now. Raises Problem where it may have been sent before."""
    if _batch_state(state, batch, {"prepared"}) is None:
        raise _no_batch(batch)
    return [PaymentSent(at=now, person=payment.person, batch=batch) for payment in list_batch(state, batch)]


def settle_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """A batch was paid. It can be repeated."""
    if _batch_state(state, batch, {"prepared", "sent", "paid"}) is None:
        raise _no_batch(batch)
    return [
        AmountPaid(at=now, person=payment.person, batch=batch, keys=payment.keys)
        for payment in list_batch(state, batch)
    ]


def cancel_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """A batch was not paid, and never will be. It can be repeated."""
    if _batch_state(state, batch, {"prepared", "sent", "cancelled"}) is None:
        raise _no_batch(batch)
    return [
        PaymentCancelled(at=now, person=payment.person, batch=batch) for payment in list_batch(state, batch)
    ]


def close_batch(state: StudyState, batch: str, refused: Collection[str], now: float) -> list[AnyStudyEvent]:
    """A batch was paid, but not to the people in `refused`: they are owed it again."""
    payments = list_batch(state, batch)
    cancelled: list[AnyStudyEvent] = [
        PaymentCancelled(at=now, person=payment.person, batch=batch)
        for payment in payments
        if payment.person in refused
    ]
    return cancelled + [
        AmountPaid(at=now, person=payment.person, batch=batch, keys=payment.keys)
        for payment in payments
        if payment.person not in refused
    ]


def _batch_state(state: StudyState, batch: str, wanted: Collection[BatchState]) -> BatchState | None:
    """How far a batch is; None where there is none. Raises Problem where it is elsewhere than wanted."""
    found = state.batches.get(batch)
    if found is not None and found not in wanted:
        raise Problem(f"the batch {batch} is {found} already: name another one")
    return found


def _no_batch(batch: str) -> Problem:
    return Problem(f"there is no batch {batch}: prepare it first")
