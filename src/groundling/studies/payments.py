"""Batches of payments: owed, prepared, sent, paid. Each step is logged before the next one begins, so that
whatever is interrupted, no amount is paid twice.

A batch is `prepared` under an id. Before the request that pays it goes out it is logged as `sent`, and never
sent again: with some services a second request pays a second time. A batch that was sent and not settled is
in doubt: look at the service, then settle or cancel it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

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
    unpaid = ((person, unpaid_keys(person)) for person in state.people.values())
    return _make_payments(
        (person, [key for key in keys if accept(person.person, key)]) for person, keys in unpaid
    )


def list_batch(state: StudyState, batch: str) -> list[Payment]:
    """The payments of a batch that is prepared or sent."""
    return _make_payments(
        (person, [key for key, each in person.prepared.items() if each == batch])
        for person in state.people.values()
    )


def _make_payments(found: Iterable[tuple[ParticipantState, Sequence[str]]]) -> list[Payment]:
    return [
        Payment(person.person, sum(person.owed[key] for key in keys), tuple(keys))
        for person, keys in found
        if keys
    ]


def prepare_batch(
    state: StudyState, batch: str, now: float, accept: Callable[[str, str], bool]
) -> list[AnyStudyEvent]:
    """Put all that is still owed into a batch. A batch that is prepared stays as it is."""
    if batch in state.batches:
        _check_batch(state, batch, {"prepared"})
        return []
    return [
        PaymentPrepared(at=now, person=payment.person, batch=batch, keys=payment.keys)
        for payment in list_unpaid(state, accept)
    ]


def send_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """Log that a batch is paid now. Raises Problem where it may have been sent before."""
    _check_batch(state, batch, {"prepared"})
    return [PaymentSent(at=now, person=payment.person, batch=batch) for payment in list_batch(state, batch)]


def settle_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """A batch was paid. It can be repeated."""
    _check_batch(state, batch, {"prepared", "sent", "paid"})
    return close_batch(state, batch, (), now)


def cancel_batch(state: StudyState, batch: str, now: float) -> list[AnyStudyEvent]:
    """A batch was not paid, and never will be. It can be repeated."""
    _check_batch(state, batch, {"prepared", "sent", "cancelled"})
    return close_batch(state, batch, state.people, now)


def close_batch(state: StudyState, batch: str, refused: Container[str], now: float) -> list[AnyStudyEvent]:
    """A batch was paid, but not to the people in `refused`: they are owed it again."""
    payments = sorted(list_batch(state, batch), key=lambda payment: payment.person not in refused)
    return [
        PaymentCancelled(at=now, person=payment.person, batch=batch)
        if payment.person in refused
        else AmountPaid(at=now, person=payment.person, batch=batch, keys=payment.keys)
        for payment in payments
    ]


def _check_batch(state: StudyState, batch: str, wanted: Container[BatchState]) -> None:
    """Raise Problem where there is no such batch, or it is elsewhere than wanted."""
    found = state.batches.get(batch)
    if found is None:
        raise Problem(f"there is no batch {batch}: prepare it first")
    if found not in wanted:
        raise Problem(f"the batch {batch} is {found} already: name another one")
