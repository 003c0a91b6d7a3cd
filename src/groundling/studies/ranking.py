"""Groups of the best: who is a candidate, and who is chosen when all candidates are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from groundling.studies.study import QuizTask, StudyStage
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

LOST_CANDIDATES = ("declined", "screened out", "excluded")
"""The outcomes of people who cannot be chosen."""


class StageResult(Struct, frozen=True):
    """What a person has reached in a stage so far, or would have with one more task."""

    passed: bool | None
    """None while the stage is open for them, or where it has no pass mark."""
    done: bool
    """They have done all that it asks for, and did not fail."""
    score: float


def read_result(stage: StudyStage, scores: Sequence[float], used: int) -> StageResult:
    """A quiz is judged by the best attempt, other stages by the mean over all tasks."""
    is_quiz = isinstance(stage.task, QuizTask)
    score = max(scores, default=0.0) if is_quiz else sum(scores) / max(1, used)
    over = used >= stage.tasks_per_person
    passed: bool | None = None
    if stage.pass_mark is not None:
        if is_quiz:
            passed = True if scores and score >= stage.pass_mark else False if over else None
        elif over:
            passed = score >= stage.pass_mark
    return StageResult(passed, passed is True or (over and passed is None), score)


def stage_result(person: ParticipantState, stage: StudyStage) -> StageResult:
    return read_result(stage, person.scores.get(stage.name, ()), person.used.get(stage.name, 0))


def candidate_scores(state: StudyState, group: str) -> dict[str, float]:
    """The scores of those who have done the stage of a group, also where somebody has decided about them."""
    stage = state.stages[state.study.groups[group].stage]
    scores: dict[str, float] = {}
    for name in stage.people:
        person = state.people[name]
        if stage.stage.name in person.used and not person.erased and person.outcome not in LOST_CANDIDATES:
            result = stage_result(person, stage.stage)
            if result.done:
                scores[name] = result.score
    return scores


def rank_people(state: StudyState, scores: Mapping[str, float]) -> list[str]:
    """People by their scores, the best first. Of equals, who came first."""
    return sorted(scores, key=lambda person: (-scores[person], state.people[person].arrived))


def has_candidate_place(state: StudyState, person: ParticipantState, group: str) -> bool:
    """Whether a person may be one of the candidates for a group that is chosen by rank. Those who practise
    for it have a place; those who left before they had done all make room for others."""
    rule = state.study.groups[group]
    if rule.by != "rank" or rule.candidates is None:
        return True
    stage = state.stages[rule.stage]
    others = {
        name
        for name in state.active
        if name in stage.people or stage.stage.group in state.people[name].groups
    }
    return len(others.union(candidate_scores(state, group)) - {person.person}) < rule.candidates
