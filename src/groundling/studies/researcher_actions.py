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

TakenAction: TypeAlias = tuple[StudyEvents, str]
"""The events of an action, and a line that says what was done. What cannot be done raises Problem."""
MOST_PLACES = 100_000
"""Places that can be added at once."""
MOST_MESSAGE = 1_000
"""Characters of a message, or of a reason."""


class ResearcherActionBase(Struct, frozen=True, tag_field="do"): ...


class PauseRecruiting(ResearcherActionBase, frozen=True, tag="pause"):
    """Take no new people."""

    def take(self, state: StudyState, now: float) -> TakenAction:
        if state.paused:
            raise Problem("recruiting is paused already: nothing was changed")
        return [RecruitingPaused(at=now)], "recruiting is paused: nobody new can take part"


class ResumeRecruiting(ResearcherActionBase, frozen=True, tag="resume"):
    """Take new people again."""

    def take(self, state: StudyState, now: float) -> TakenAction:
        if not state.paused:
            raise Problem("recruiting is not paused already: nothing was changed")
        return [RecruitingResumed(at=now)], "recruiting is resumed"


class AddPlaces(ResearcherActionBase, frozen=True, tag="places"):
    """Let more people take part."""

    number: int

    def take(self, state: StudyState, now: float) -> TakenAction:
        if state.places is None:
            raise Problem("the study has no limit of places: none can be added")
        if not 1 <= self.number <= MOST_PLACES:
            raise Problem(f"{self.number} places cannot be added: give a number from 1 to {MOST_PLACES:,}")
        told = f"{state.places + self.number:,} people may take part, {state.places_taken:,} do or did"
        return [PlacesAdded(at=now, number=self.number)], told


class SendMessage(ResearcherActionBase, frozen=True, tag="message"):
    """Show a text to a person, or to all who take part now."""

    text: str
    person: str = ""

    def take(self, state: StudyState, now: float) -> TakenAction:
        text = _check_text(self.text, "message")
        if self.person:
            _find_person(state, self.person)
            return [MessageSent(at=now, text=text, person=self.person)], f"sent to {self.person}"
        people = len(state.active)
        if not people:
            raise Problem("no person is taking part now: send it when somebody is")
        told = f"sent to {people:,} {'person who takes' if people == 1 else 'people who take'} part now"
        return [MessageSent(at=now, text=text)], told


class GroupDecision(ResearcherActionBase, frozen=True):
    person: str
    group: str

    def decide(self, state: StudyState, passed: bool, now: float) -> TakenAction:
        person, group, known = self.person, self.group, _find_person(state, self.person)
        _check_group(state, group)
        if known.outcome in FINAL_OUTCOMES:
            raise Problem(f"{person} is {known.outcome}: no group can be decided")
        if not may_enter_group(state, known, group):
            raise Problem(f"{person} cannot enter {group}: {_why_not_in_group(state, known, group)}")
        events = decide_group(state, person, group, passed, now)
        return events, f"{person} {'is now' if passed else 'is not taken'} in the group {group}"


class QualifyPerson(GroupDecision, frozen=True, tag="qualify"):
    """Take a person into a group."""

    def take(self, state: StudyState, now: float) -> TakenAction:
        return self.decide(state, True, now)


class RefusePerson(GroupDecision, frozen=True, tag="refuse"):
    """Do not take a person into a group."""

    def take(self, state: StudyState, now: float) -> TakenAction:
        return self.decide(state, False, now)


class ChooseCandidates(ResearcherActionBase, frozen=True, tag="choose"):
    """Take the best of those who are candidates for a group now, and refuse the others."""

    group: str

    def take(self, state: StudyState, now: float) -> TakenAction:
        group = self.group
        _check_group(state, group)
        if (by := state.study.groups[group].by) != "rank":
            raise Problem(
                f"people enter {group} by {by}, not by rank: decide about each with qualify or refuse"
            )
        events = choose_candidates(state, group, now)
        if not events:
            raise Problem(f"nobody is a candidate for {group} now: wait until somebody has done its stage")
        taken = sum(isinstance(event, Qualified) for event in events)
        return events, f"{taken:,} of {len(events):,} candidates are now in the group {group}"


class ExcludePerson(ResearcherActionBase, frozen=True, tag="exclude"):
    """End a person's participation. Their answers no longer count."""

    person: str
    reason: str

    def take(self, state: StudyState, now: float) -> TakenAction:
        known, reason = _find_person(state, self.person), _check_text(self.reason, "reason")
        if known.outcome == "excluded":
            raise Problem(f"{self.person} is excluded already ({known.reason}): nothing was changed")
        events = exclude_person(state, self.person, reason, now)
        return events, f"{self.person} is excluded; their answers no longer count"


class ReleasePerson(ResearcherActionBase, frozen=True, tag="release"):
    """End a person's open task, or their wait for a partner. They get the next task."""

    person: str

    def take(self, state: StudyState, now: float) -> TakenAction:
        known = _find_person(state, self.person)
        if not known.task and not known.waiting:
            raise Problem(f"{self.person} has no open task and waits for nobody: there is nothing to release")
        what = f"task {known.task}" if known.task else f"the wait for {known.waiting}"
        told = f"{self.person} is released from {what}, and gets the next task"
        return release_person(state, self.person, now), told


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
