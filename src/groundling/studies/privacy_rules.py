"""What is removed from a study's log when a person is erased, and who is due to be erased."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from groundling.studies.study_events import AnyStudyEvent
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState
from groundling.studies.study_tables import DAY
from groundling.studies.study_texts import replace_event_text


def redact_event(event: AnyStudyEvent, person: str) -> AnyStudyEvent:
    """The event without what a person wrote, or researchers wrote to or about them. Codes, amounts, times and
    the version of the consent text stay."""
    return event if getattr(event, "person", None) != person else replace_event_text(event, "")


class ExpiredPeople(Struct, frozen=True):
    """People whose data is kept longer than the study says."""

    ids: tuple[str, ...]
    """Whose ids of recruiting services are due to be deleted."""
    people: tuple[str, ...]
    """Who are due to be erased."""
    unpaid: tuple[str, ...]
    """Those who would be due, but are owed something that was not paid."""


def find_expired_people(state: StudyState, identified: Collection[str], now: float) -> ExpiredPeople:
    """`identified`: people with ids of services. Who is still taking part is never due. Ids of people who
    never saw a page of the study are."""
    ids, people, unpaid = list[str](), list[str](), list[str]()
    rules = state.study.privacy
    for name, person in state.people.items():
        is_due = _is_older(person, rules.data_days, now) and not person.erased
        if not is_due and not (name in identified and _is_older(person, rules.ids_days, now)):
            continue
        (unpaid if is_owed(person) else people if is_due else ids).append(name)
    unseen = sorted({*identified} - {*state.people}) if rules.ids_days is not None else []
    return ExpiredPeople((*ids, *unseen), tuple(people), tuple(unpaid))


def _is_older(person: ParticipantState, days: int | None, now: float) -> bool:
    return days is not None and person.outcome is not None and now >= person.seen_at + days * DAY


def is_owed(person: ParticipantState) -> bool:
    return any(amount for key, amount in person.owed.items() if key not in person.paid)
