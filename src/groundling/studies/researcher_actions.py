"""What researchers decide while a study runs: pure functions from the state and an action to events."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from groundling.core.pack import choices_hint
from groundling.core.values import Problem
from groundling.studies.eligibility import may_enter_group
from groundling.studies.group_decisions import choose_candidates
from groundling.studies.study_decisions import (
    FINAL_OUTCOMES,
    StudyEvents,
    decide_group,
    exclude_person,
    release_person,
)
from groundling.studies.study_events import (
    MessageSent,
    PlacesAdded,
    Qualified,
    RecruitingPaused,
    RecruitingResumed,
)
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

MOST_PLACES = 100_000
"""Places that can be added at once."""
MOST_MESSAGE = 1_000
"""Characters of a message, or of a reason."""


class ResearcherActionBase(Struct, frozen=True, tag_field="do"): ...


class PauseRecruiting(ResearcherActionBase, frozen=True, tag="pause"):
    """Take no new people."""


class ResumeRecruiting(ResearcherActionBase, frozen=True, tag="resume"):
    """Take new people again."""


class AddPlaces(ResearcherActionBase, frozen=True, tag="places"):
    """Let more people take part."""

    number: int


class SendMessage(ResearcherActionBase, frozen=True, tag="message"):
    """Show a text to a person, or to all who take part now."""

    text: str
    person: str = ""


class QualifyPerson(ResearcherActionBase, frozen=True, tag="qualify"):
    """Take a person into a group."""

    person: str
    group: str


class RefusePerson(ResearcherActionBase, frozen=True, tag="refuse"):
    """Do not take a person into a group."""

    person: str
    group: str


class ChooseCandidates(ResearcherActionBase, frozen=True, tag="choose"):
    """Take the best of those who are candidates for a group now, and refuse the others."""

    group: str


class ExcludePerson(ResearcherActionBase, frozen=True, tag="exclude"):
    """End a person's participation. Their answers no longer count."""

    person: str
    reason: str


class ReleasePerson(ResearcherActionBase, frozen=True, tag="release"):
    """End a person's open task, or their wait for a partner. They get the next task."""

    person: str


ResearcherAction: TypeAlias = (
    PauseRecruiting
    | ResumeRecruiting
    | AddPlaces
    | SendMessage
    | QualifyPerson
    | RefusePerson
    | ChooseCandidates
    | ExcludePerson
    | ReleasePerson
)


def take_action(state: StudyState, action: ResearcherAction, now: float) -> tuple[StudyEvents, str]:
    """The events of an action, and a line that says what was done. Raises Problem where it cannot be done."""
    match action:
        case PauseRecruiting() | ResumeRecruiting():
            return _switch_recruiting(state, isinstance(action, PauseRecruiting), now)
        case AddPlaces(number=number):
            return _add_places(state, number, now)
        case SendMessage(text=text, person=person):
            return _send_message(state, text, person, now)
        case QualifyPerson(person=person, group=group):
            return _decide_group(state, person, group, True, now)
        case RefusePerson(person=person, group=group):
            return _decide_group(state, person, group, False, now)
        case ChooseCandidates(group=group):
            return _choose_candidates(state, group, now)
        case ExcludePerson(person=person, reason=reason):
            return _exclude_person(state, person, reason, now)
        case ReleasePerson(person=person):
            return _release_person(state, person, now)


def _switch_recruiting(state: StudyState, pause: bool, now: float) -> tuple[StudyEvents, str]:
    if state.paused == pause:
        raise Problem(f"recruiting is {'paused' if pause else 'not paused'} already: nothing was changed")
    if pause:
        return [RecruitingPaused(at=now)], "recruiting is paused: nobody new can take part"
    return [RecruitingResumed(at=now)], "recruiting is resumed"


def _add_places(state: StudyState, number: int, now: float) -> tuple[StudyEvents, str]:
    if state.places is None:
        raise Problem("the study has no limit of places: none can be added")
    if not 1 <= number <= MOST_PLACES:
        raise Problem(f"{number} places cannot be added: give a number from 1 to {MOST_PLACES:,}")
    told = f"{state.places + number:,} people may take part, {state.places_taken:,} do or did"
    return [PlacesAdded(at=now, number=number)], told


def _send_message(state: StudyState, text: str, person: str, now: float) -> tuple[StudyEvents, str]:
    text = _check_text(text, "message")
    if not person:
        people = len(state.active)
        if not people:
            raise Problem("no person is taking part now: send it when somebody is")
        told = f"sent to {people:,} {'person who takes' if people == 1 else 'people who take'} part now"
        return [MessageSent(at=now, text=text)], told
    _find_person(state, person)
    return [MessageSent(at=now, text=text, person=person)], f"sent to {person}"


def _decide_group(
    state: StudyState, person: str, group: str, passed: bool, now: float
) -> tuple[StudyEvents, str]:
    known = _find_person(state, person)
    _check_group(state, group)
    if known.outcome in FINAL_OUTCOMES:
        raise Problem(f"{person} is {known.outcome}: no group can be decided")
    if not may_enter_group(state, known, group):
        raise Problem(f"{person} cannot enter {group}: {_why_not_in_group(state, known, group)}")
    events = decide_group(state, person, group, passed, now)
    return events, f"{person} {'is now' if passed else 'is not taken'} in the group {group}"


def _choose_candidates(state: StudyState, group: str, now: float) -> tuple[StudyEvents, str]:
    _check_group(state, group)
    if (by := state.study.groups[group].by) != "rank":
        raise Problem(f"people enter {group} by {by}, not by rank: decide about each with qualify or refuse")
    events = choose_candidates(state, group, now)
    if not events:
        raise Problem(f"nobody is a candidate for {group} now: wait until somebody has done its stage")
    taken = sum(isinstance(event, Qualified) for event in events)
    return events, f"{taken:,} of {len(events):,} candidates are now in the group {group}"


def _check_group(state: StudyState, group: str) -> None:
    if group not in state.study.groups:
        hint = choices_hint(state.study.groups) if state.study.groups else "the study has no groups"
        raise Problem(f"there is no group {group!r}: {hint}")


def _why_not_in_group(state: StudyState, person: ParticipantState, group: str) -> str:
    if group in person.groups:
        return "they are in it already"
    if group in person.failed_groups:
        return "it was decided that they are not in it"
    if clash := [other for other in sorted(person.groups) if state.study.are_disjoint(group, other)]:
        return f"they are in {clash[0]}, which shares nobody with it"
    return "it is full"


def _exclude_person(state: StudyState, person: str, reason: str, now: float) -> tuple[StudyEvents, str]:
    known, reason = _find_person(state, person), _check_text(reason, "reason")
    if known.outcome == "excluded":
        raise Problem(f"{person} is excluded already ({known.reason}): nothing was changed")
    return exclude_person(state, person, reason, now), f"{person} is excluded; their answers no longer count"


def _release_person(state: StudyState, person: str, now: float) -> tuple[StudyEvents, str]:
    known = _find_person(state, person)
    if not known.task and not known.waiting:
        raise Problem(f"{person} has no open task and waits for nobody: there is nothing to release")
    what = f"task {known.task}" if known.task else f"the wait for {known.waiting}"
    return release_person(state, person, now), f"{person} is released from {what}, and gets the next task"


def _find_person(state: StudyState, person: str) -> ParticipantState:
    known = state.people.get(person)
    if known is None:
        raise Problem(f"there is no person {person!r} in this study: look for the code among its people")
    if known.erased:
        raise Problem(f"{person} was erased: nothing can be decided about them")
    return known


def _check_text(text: str, what: str) -> str:
    if not text.strip():
        raise Problem(f"there is no {what}: write one")
    if len(text) > MOST_MESSAGE:
        raise Problem(f"a {what} has at most {MOST_MESSAGE:,} characters: shorten it")
    return text.strip()
