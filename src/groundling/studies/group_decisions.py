"""Who enters the groups of a study: by a pass mark, or as one of the best."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.studies.eligibility import may_enter_group
from groundling.studies.ranking import StageResult, candidate_scores, rank_people
from groundling.studies.study import StudyStage
from groundling.studies.study_events import AnyStudyEvent, FailedQualification, Qualified
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState


def judge_person(
    state: StudyState, person: ParticipantState, stage: StudyStage, result: StageResult, now: float
) -> list[AnyStudyEvent]:
    """Whether a person enters the groups of a stage, after a task that the state does not know yet."""
    events: list[AnyStudyEvent] = []
    for group in state.study.groups_entered_by(stage.name):
        by = state.study.groups[group].by
        if by == "administrator" or not may_enter_group(state, person, group):
            continue
        if result.passed is False:
            events.append(FailedQualification(at=now, person=person.person, group=group, score=result.score))
        elif by == "score" and result.passed:
            events.append(Qualified(at=now, person=person.person, group=group, score=result.score))
            break  # into the first group; the others may be disjoint from it
        elif by == "rank" and result.done:
            events += _rank_candidate(state, person, group, result.score, now)
    return events


def _rank_candidate(
    state: StudyState, person: ParticipantState, group: str, score: float, now: float
) -> list[AnyStudyEvent]:
    """Choose the best if this person is the last of the candidates."""
    candidates = {**candidate_scores(state, group), person.person: score}
    if len(candidates) < (state.study.groups[group].candidates or 0):
        return []
    return _choose_best(state, group, candidates, now)


def choose_candidates(state: StudyState, group: str, now: float) -> list[AnyStudyEvent]:
    """Choose the best of those who are candidates now, as an administrator who waits for no more."""
    return _choose_best(state, group, candidate_scores(state, group), now)


def _choose_best(
    state: StudyState, group: str, scores: Mapping[str, float], now: float
) -> list[AnyStudyEvent]:
    """Fill the places of a group with the best about whom nobody has decided yet, and refuse the others."""
    people = state.people
    ranked = [name for name in rank_people(state, scores) if may_enter_group(state, people[name], group)]
    most = state.study.groups[group].most
    places = len(ranked) if most is None else most - state.group_sizes[group]
    return [
        (Qualified if number < places else FailedQualification)(
            at=now, person=person, group=group, score=scores[person]
        )
        for number, person in enumerate(ranked)
    ]
