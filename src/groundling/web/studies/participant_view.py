"""What a participant's page shows: consent, a task, the waiting room, or the end."""

from __future__ import annotations

from typing import Any

from groundling.core.pack import find, load
from groundling.studies.assignment import TaskAssignment, TaskWait, assign_task
from groundling.studies.pay_rules import ASKED_TO_RETURN
from groundling.studies.study import DrawTask, GameTask, QuestionnaireTask, QuizTask, StudyStage
from groundling.studies.study_decisions import arrive_person
from groundling.studies.study_events import OutcomeName, TaskReleased, TaskSubmitted
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

OUTCOME_WORDS: dict[OutcomeName, str] = {
    "declined": "You decided not to take part. Nothing else was recorded.",
    "finished": "You have finished. Thank you for taking part!",
    "left": "You have left the study. Thank you for your time.",
    "timed out": "The time for your task was up, so your part has ended.",
    "screened out": "You did not pass the test, so your part ends here. Thank you for your time.",
    "excluded": "Your part has ended, because your answers could not be used.",
    "partner left": "Your partner left, and there is no other task for you. This was not your fault.",
    "no partner": "No partner came in time, and there is no other task for you. Thank you for waiting.",
    "study full": "There is no place or task for you now. Thank you for your interest.",
}
RETURN_WORDS = (
    "Some questions that check attention were not answered as asked, so your answers cannot be used. Please "
    "return your submission; nothing is rejected."
)
RELEASE_WORDS = {
    "partner left": "Your last task ended because your partner left or a program failed. "
    "This was not your fault.",
    "time up": "The time for your last task was up.",
    "timed out": "The time for your last task was up.",
    "administrator": "The researchers ended your last task, so that you can go on.",
    "restarted": "You opened the study again, so your last task was given back.",
}
UNCOUNTED_WORDS = {
    "too fast": "Your last answer came too fast to count.",
    "too few messages": "Your last task had too few messages to count.",
}


def describe_page(state: StudyState, person: str, consent: str, now: float) -> dict[str, Any]:
    """The page of a person, as JSON. It says nothing of other people or of stimuli."""
    study, known = state.study, state.people[person]
    page: dict[str, Any] = {
        "title": study.title,
        "contact": study.contact,
        "language": study.language,
        "code": person,
        "notice": _describe_last_task(state, person),
        "messages": [{"at": at, "text": text} for at, text in known.messages],
        "owed": sum(known.owed.values()) / 100,
        "currency": study.pay.currency,
    }
    if known.outcome is not None:
        again = bool(arrive_person(state, person, now))
        text = RETURN_WORDS if known.reason == ASKED_TO_RETURN else OUTCOME_WORDS[known.outcome]
        return {**page, "page": "end", "outcome": known.outcome, "text": text, "again": again}
    decision = assign_task(state, person, now)
    if isinstance(decision, TaskAssignment) and not decision.is_new:
        assigned = decision.assigned
        stage = state.stages[assigned.stage].stage
        task = {"task": assigned.task, "until": assigned.until, "pay": stage.pay}
        return {**page, **task, **_describe_task(known, stage)}
    if not known.consented:
        return {**page, "page": "consent", "text": consent}
    if isinstance(decision, TaskWait):
        wait = {"since": decision.since, "until": decision.until, "expected": decision.expected}
        return {**page, **wait, "page": "wait", "machine": bool(decision.machine)}
    return {**page, "page": "between"}


def _describe_task(person: ParticipantState, stage: StudyStage) -> dict[str, Any]:
    match stage.task:
        case QuizTask(questions=quiz, attempts=attempts):
            asked: list[dict[str, Any]] = [{"text": each.text, "choices": each.choices} for each in quiz]
            left = attempts - person.used.get(stage.name, 0)
            return {"page": "quiz", "questions": asked, "attempts": left}
        case QuestionnaireTask(questions=form):
            asked = [{"text": each.text, "choices": each.choices, "optional": each.optional} for each in form]
            return {"page": "questionnaire", "questions": asked}
        case DrawTask(game=game):
            gallery = find(game).live.gallery
            assert gallery is not None
            assert gallery.canvas is not None
            desk = load(gallery.canvas.desk)()
            shown = {"now": desk.now, "tool": desk.tool, "facts": desk.facts, "panels": desk.panels}
            return {"page": "draw", **shown}
        case GameTask(game=game):
            return {"page": "game", "game": find(game).live.title}


def _describe_last_task(state: StudyState, person: str) -> str:
    """What the person should know about how their last task ended."""
    ended = [task for name in state.tasks_of.get(person, ()) if (task := state.tasks[name].ends.get(person))]
    match ended[-1:]:
        case [TaskReleased(why=why)]:
            return RELEASE_WORDS.get(why, "")
        case [TaskSubmitted(why=why)]:
            return UNCOUNTED_WORDS.get(why, "")
    return ""
