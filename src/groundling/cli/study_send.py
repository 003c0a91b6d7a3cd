"""`groundling study pay --send`: pay bonuses through the recruiting service of a study, in two steps.

Amounts are put into a batch, the service sets the payment up, the log says that it is about to be paid, the
service pays, and the log says that it has. Where this is interrupted before the fourth step, the same command
continues. After it, a batch is sent again only where the service pays the same bonuses once."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import count
from pathlib import Path
from time import time

from groundling.cli.study_commands import read_folded_study
from groundling.cli.study_recruit import ask_first, print_request, update_log
from groundling.core.values import Problem
from groundling.report.text_table import print_text
from groundling.studies.pay_rules import format_amount
from groundling.studies.pay_sheet import request_token
from groundling.studies.payments import (
    Payment,
    close_batch,
    list_batch,
    list_unpaid,
    prepare_batch,
    send_batch,
    settle_batch,
)
from groundling.studies.recruiting import (
    PaymentRefused,
    RecruitingService,
    ServiceBonus,
    Submission,
    make_service,
)
from groundling.studies.study_decisions import StudyEvents
from groundling.studies.study_records import BatchState
from groundling.studies.study_state import StudyState
from groundling.studies.submissions import pays_as_bonus
from groundling.web.study_store import StudyLog, open_study_log, read_service_ids


def send_bonuses(folder: Path, db: str, batch: str, dry_run: bool, yes: bool) -> None:
    """Pay what people of the service are owed beside its reward."""
    name, state = read_folded_study(folder, db)
    service = make_service(state.study, print_request if dry_run else None)
    if state.listing is None or state.listing.service != service.name:
        raise Problem(f"the study is not at {service.name} yet: groundling study recruit {folder} create")
    listing = state.listing.listing
    with open_study_log(db, name) as log:
        people = _find_people(log, service, listing, read_service_ids(db, name), dry_run)
        state = log.read_state()
        payments = [*_list_open(state, batch), *_list_unpaid(state, people)]
        if not payments:
            print_text("no bonuses are to be paid", "  ")
            return
        amount = format_amount(sum(payment.amount for payment in payments))
        told = f"{len({payment.person for payment in payments})} people {amount} {state.study.pay.currency}"
        if dry_run:
            for part in _split(payments, service.most_bonuses):
                bonuses = _make_bonuses(part, people, state.study.title)
                service.pay_bonuses(service.set_up_bonuses(listing, bonuses), bonuses)
            return
        ask_first(f"Pay {told} in bonuses through {service.name}?", yes)
        for part_name in _prepare(log, batch, people, service.most_bonuses):
            _send_batch(log, part_name, service, people)


def _find_people(
    log: StudyLog,
    service: RecruitingService,
    listing: str,
    ids: Mapping[str, Mapping[str, str]],
    dry_run: bool,
) -> dict[str, Submission]:
    """The people whom the service knows, by their codes. A dry run takes those who came by its links."""
    if not dry_run:
        return update_log(log, service, listing, ids)[0]
    return {
        person: Submission(known.get(service.submission_kind, ""), known[service.name], "unknown")
        for person, known in ids.items()
        if service.name in known
    }


def _list_unpaid(state: StudyState, people: Container[str]) -> list[Payment]:
    return list_unpaid(state, lambda who, key: _accept(state, people, who, key))


def _accept(state: StudyState, people: Container[str], person: str, key: str) -> bool:
    return person in people and pays_as_bonus(state.people[person], key)


def _list_open(state: StudyState, batch: str) -> list[Payment]:
    """What is in the parts of this batch already, after an interruption."""
    parts = (name for name in state.batches if name == batch or name.startswith(f"{batch}-"))
    return [payment for part in parts for payment in list_batch(state, part)]


def _split(payments: list[Payment], most: int) -> Iterator[list[Payment]]:
    for first in range(0, len(payments), most):
        yield payments[first : first + most]


def _prepare(log: StudyLog, batch: str, people: Container[str], most: int) -> Iterator[str]:
    """The batches that still have to be paid, one after the other; each has as many people as the service
    takes at once."""
    for number in count(1):
        part = batch if number == 1 else f"{batch}-{number}"
        step = log.decide_events(lambda state: _prepare_part(state, part, people, most))  # noqa: B023
        if step is None:
            return
        if step in ("prepared", "sent"):
            yield part


def _prepare_part(
    state: StudyState, part: str, people: Container[str], most: int
) -> tuple[StudyEvents, BatchState | None]:
    """Put the next people into a new batch; returns how far it is, None where nobody is left."""
    if (step := state.batches.get(part)) is not None:
        return [], step
    chosen = {payment.person for payment in _list_unpaid(state, people)[:most]}
    events = prepare_batch(state, part, time(), lambda who, key: _accept(state, chosen, who, key))
    return events, "prepared" if events else None


def _make_bonuses(
    payments: list[Payment], people: Mapping[str, Submission], title: str
) -> list[ServiceBonus]:
    """Raises Problem where the service does not know somebody of a batch that was prepared before."""
    if missing := [payment.person for payment in payments if payment.person not in people]:
        raise Problem(f"the service does not know {missing[0]}: --cancel the batch, and use another name")
    return [
        ServiceBonus(
            people[payment.person].participant,
            people[payment.person].id,
            payment.amount,
            f"Bonus: {title}",
            request_token(payment),
        )
        for payment in payments
    ]


def _send_batch(
    log: StudyLog, batch: str, service: RecruitingService, people: Mapping[str, Submission]
) -> None:
    state = log.read_state()
    assert state.listing is not None
    sent = state.batches[batch] == "sent"
    if sent and not service.bonuses_repeatable:
        raise Problem(
            f"the batch {batch} was sent, and may have been paid: look at {service.name}, "
            f"then --settle {batch} or --cancel {batch}"
        )
    payments = list_batch(state, batch)
    bonuses = _make_bonuses(payments, people, state.study.title)
    try:
        payment = service.set_up_bonuses(state.listing.listing, bonuses)
    except Problem as trouble:
        raise Problem(
            f"{trouble}; nothing of the batch {batch} was paid: send it again, or --cancel it"
        ) from None
    if not sent:
        log.decide_events(lambda state: (send_batch(state, batch, time()), None))
    try:
        service.pay_bonuses(payment, bonuses)
    except PaymentRefused as trouble:
        tokens = trouble.tokens or {request_token(each) for each in payments}
        refused = {each.person for each in payments if request_token(each) in tokens}
        log.decide_events(lambda state: (close_batch(state, batch, refused, time()), None))
        rest = "nothing of" if len(refused) == len(payments) else "the rest of"
        raise Problem(f"{trouble}; {rest} the batch {batch} was paid: use another name") from None
    except Problem as trouble:
        raise Problem(f"{trouble}; look at {service.name} whether the batch {batch} was paid") from None
    log.decide_events(lambda state: (settle_batch(state, batch, time()), None))
    amount = format_amount(sum(each.amount for each in payments))
    print_text(f"batch {batch}: {len(payments)} people, {amount} {state.study.pay.currency} paid", "  ")
