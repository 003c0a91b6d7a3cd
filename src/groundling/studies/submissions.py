"""Compare what a recruiting service says about people with the study's own log. The service's status is the
truth: who has returned a submission has left, and what it has approved it has paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from groundling.studies.pay_rules import ASKED_TO_RETURN, BASE_PAID, format_amount
from groundling.studies.pay_sheet import is_platform_bonus
from groundling.studies.payments import unpaid_keys
from groundling.studies.recruiting import Submission
from groundling.studies.study_decisions import StudyEvents, leave_study
from groundling.studies.study_events import AmountPaid, OutcomeName, SubmissionSeen
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

OPEN = ("reserved", "active", "awaiting review", "unknown")
"""Statuses about which something can still be decided."""
AT_SERVICE = "look at the service"


class SubmissionRow(Struct, frozen=True):
    """A person at the service and here."""

    person: str
    """Their code; "" where nobody here has such an id: who never came, and who was erased."""
    here: str
    there: str
    todo: str = ""
    """What should follow; "" where both sides agree."""
    submission: str = ""


def pays_as_bonus(person: ParticipantState, key: str) -> bool:
    """Whether an amount is paid as a bonus: also the base pay of somebody who worked, and whose submission
    the service has closed without its reward."""
    return is_platform_bonus(key) or person.submission in ("returned", "timed out")


def match_people(
    submissions: Sequence[Submission], ids: Mapping[str, Mapping[str, str]], service: str, kind: str
) -> tuple[dict[str, Submission], list[Submission]]:
    """Submissions by the person's code, and those of people who are not known here. `ids`: by code, then by
    the service and by the kind of its submissions."""
    by_submission = {found[kind]: person for person, found in ids.items() if kind in found}
    by_participant = {found[service]: person for person, found in ids.items() if service in found}
    matched: dict[str, Submission] = {}
    strangers: list[Submission] = []
    for each in submissions:
        person = by_submission.get(each.id)
        if person is not None and ids[person].get(service) == each.participant:
            matched[person] = each
        elif (person := by_participant.get(each.participant)) is None:
            strangers.append(each)
        elif kind not in ids[person]:
            matched.setdefault(person, each)
    return matched, strangers


def reconcile_people(state: StudyState, matched: Mapping[str, Submission], now: float) -> StudyEvents:
    """The events that bring the log up to what the service says."""
    events: StudyEvents = []
    for name, submission in matched.items():
        person = state.people.get(name)
        if person is None or person.erased:
            continue
        if person.submission != submission.status:
            events.append(SubmissionSeen(at=now, person=name, status=submission.status))
        if submission.status in ("returned", "timed out") and person.outcome is None:
            early: OutcomeName = "timed out" if submission.status == "timed out" else "left"
            events += leave_study(state, name, now, early=early)
        if submission.status in ("approved", "screened out"):
            keys = tuple(key for key in unpaid_keys(person) if not is_platform_bonus(key))
            events += [AmountPaid(at=now, person=name, keys=keys)] if keys else []
    return events


def compare_people(
    state: StudyState,
    matched: Mapping[str, Submission],
    strangers: Sequence[Submission],
    service_ids: set[str],
) -> list[SubmissionRow]:
    """A row for each person whom either side knows. `service_ids`: the people who came by the service."""
    rows = [
        SubmissionRow(name, _tell_here(person), each.status, _find_todo(person, each), each.id)
        for name, each in matched.items()
        if (person := state.people.get(name))
    ]
    rows += [
        SubmissionRow("", "not known", each.status, AT_SERVICE * (each.status == "awaiting review"), each.id)
        for each in strangers
    ]
    for name in sorted(service_ids - matched.keys()):
        if (person := state.people.get(name)) and not person.erased:
            rows.append(SubmissionRow(name, _tell_here(person), "none", AT_SERVICE))
    return rows


def _tell_here(person: ParticipantState) -> str:
    return "erased" if person.erased else person.outcome or "taking part"


def _find_todo(person: ParticipantState, submission: Submission) -> str:
    """What a researcher should do. Nothing is rejected: people are asked to return first."""
    status, outcome = submission.status, person.outcome
    if outcome is None or person.erased:
        return ""
    if status in OPEN:
        if outcome == "screened out" and person.reason != ASKED_TO_RETURN:
            return "screen out" if "screened out" in person.owed else "ask to return"
        if "base" in person.paid:
            return "ask to return"  # it was paid as a bonus
        if outcome in BASE_PAID and "base" in person.owed:
            return "approve" if status == "awaiting review" else "has not submitted the code yet"
        return "ask to return"
    if status == "approved" and not any(not is_platform_bonus(key) for key in person.owed):
        return "approved there, no base pay owed here"
    if unpaid := sum(person.owed[key] for key in unpaid_keys(person)):
        return f"{status} there, {format_amount(unpaid)} unpaid here"
    return ""
