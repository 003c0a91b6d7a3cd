"""What happens when people arrive, agree, work, leave or stay away: pure functions from state to events."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from groundling.studies.admission import refuse_consent, refuse_newcomer, refuse_return
from groundling.studies.assignment import PersonOutcome, TaskAssignment, TaskDecision, find_task
from groundling.studies.eligibility import has_worked, may_enter_group
from groundling.studies.group_decisions import judge_person
from groundling.studies.partner_cells import wait_limit
from groundling.studies.pay_rules import ASKED_TO_RETURN, owe_answer, owe_early_task, owe_outcome, owe_wait
from groundling.studies.payments import unpaid_keys
from groundling.studies.ranking import read_result
from groundling.studies.study_events import (
    AmountPaid,
    AnyStudyEvent,
    Arrived,
    Consented,
    FailedQualification,
    OutcomeName,
    PartnerReported,
    PersonEnded,
    PersonErased,
    Qualified,
    ReleaseReason,
    Returned,
    TaskReleased,
    TaskSubmitted,
    WaitBegan,
    WaitEnded,
)
from groundling.studies.study_records import ParticipantState, TaskState, holds_place
from groundling.studies.study_state import StudyState

StudyEvents: TypeAlias = list[AnyStudyEvent]
TaskEnding: TypeAlias = Literal[
    "finished", "left", "ended", "closed", "idle", "stayed", "refused", "declined", "absent"
]
"""How a task ended for a person, in the words of rooms."""


class EndingRule(Struct, frozen=True):
    """What an ending means: why the task is released, and the outcome of the person. Where there is no
    outcome, the person gets the next task."""

    release: ReleaseReason | None
    outcome: OutcomeName | None


ENDING_RULES: dict[TaskEnding, EndingRule] = {
    "finished": EndingRule(None, None),
    "left": EndingRule("left", "left"),
    "closed": EndingRule("left", "left"),
    "idle": EndingRule("timed out", "timed out"),
    "absent": EndingRule("timed out", "timed out"),
    "declined": EndingRule("left", "declined"),
    "refused": EndingRule("unusable", "excluded"),
    "ended": EndingRule("partner left", None),
    "stayed": EndingRule("time up", None),
}
"""A person who stayed and whose partner has an outcome by this table was left by the partner."""
FINAL_OUTCOMES: tuple[OutcomeName, ...] = ("declined", "screened out", "excluded")
"""After these a person cannot come back."""
BARRED = "took part in another study"


class TaskReport(Struct, frozen=True):
    """What a person's task was like, as a room or a page tells when it ends."""

    ending: TaskEnding
    score: float | None = None
    messages: int = 0
    attention_failed: int = 0
    wrong: tuple[int, ...] = ()
    labels: dict[str, dict[str, str]] = {}
    """What `TaskSubmitted` has of an annotation."""


def arrive_person(state: StudyState, person: str, now: float, barred: bool = False) -> StudyEvents:
    """A person opens the study, for the first time or again. `barred`: they took part in another study whose
    people may not take part."""
    study, known = state.study, state.people.get(person)
    if known is None:
        arrived, reason = Arrived(at=now, person=person), BARRED if barred else refuse_newcomer(state, now)
        if not reason:
            return [arrived]
        return [arrived, PersonEnded(at=now, person=person, outcome="study full", reason=reason)]
    if known.outcome is not None:
        if known.outcome in FINAL_OUTCOMES or known.erased or study.returning == "block":
            return []
        if known.reason == BARRED or refuse_return(state, known):
            return []
        if not holds_place(known, known.outcome) and refuse_newcomer(state, now):
            return []
        again = structs.replace(known, gave_up=set(), closing=False)
        if isinstance(find_task(state, again, now), PersonOutcome):
            return []
        return [Returned(at=now, person=person)]
    if not known.task or study.returning == "resume":
        return []
    if study.returning == "restart":
        return _break_task(state, known, "restarted", now)
    return [*_break_task(state, known, "left", now), *_end_person(state, known, "left", now, "came back")]


def answer_consent(
    state: StudyState, person: str, agreed: bool, now: float, *, language: str = "", age: int | None = None
) -> StudyEvents:
    """`age`: at least as old as this the person stated to be."""
    known = state.people[person]
    if known.outcome is not None or known.consented:
        return []
    if not agreed:
        return _end_person(state, known, "declined", now)
    if full := refuse_consent(state, now):
        return _end_person(state, known, "study full", now, full)
    text = state.digests.get(f"consent.{language}", state.digests.get("consent", ""))
    return [Consented(at=now, person=person, consent=text, language=language, age=age)]


def record_decision(state: StudyState, person: str, decision: TaskDecision, now: float) -> StudyEvents:
    """The events of a decision that was just made; none where it changes nothing."""
    known = state.people[person]
    if isinstance(decision, TaskAssignment):
        if not decision.is_new:
            return []
        people = [state.people[name] for name in decision.assigned.seats.values()]
        waits = chain.from_iterable(owe_wait(state, each, now) for each in people)
        draw = [decision.draw] if decision.draw else []
        return [*waits, *_end_wait(known, decision.assigned.stage, now), *draw, decision.assigned]
    if isinstance(decision, PersonOutcome):
        if known.outcome is not None:
            return []
        ended = _end_person(state, known, decision.outcome, now, decision.reason)
        return [*_end_wait(known, "", now), *ended]
    if not decision.stage or decision.stage == known.waiting:
        return []
    began = WaitBegan(at=now, person=person, stage=decision.stage)
    released = [*owe_wait(state, known, now), *_end_wait(known, decision.stage, now)]
    return [*released, *([decision.draw] if decision.draw else ()), began]


def _end_wait(person: ParticipantState, stage: str, now: float) -> StudyEvents:
    """The end of a wait for another stage than this."""
    return [WaitEnded(at=now, person=person.person)] if person.waiting not in ("", stage) else []


def end_task(
    state: StudyState,
    name: str,
    reports: Mapping[str, TaskReport],
    now: float,
    *,
    broken_off: bool = False,
    fault: bool = False,
) -> StudyEvents:
    """The events of the end of a task, for those of its people who are still in it. `broken_off`: nobody of
    them ended it; `fault`: a program failed."""
    task = state.tasks[name]
    gone = {person for person, report in reports.items() if ENDING_RULES[report.ending].outcome}
    events: StudyEvents = []
    for person, report in reports.items():
        if person in task.open:
            left = broken_off or bool(gone - {person})
            known = state.people[person]
            events += _end_for_person(state, task, known, report, now, left=left, fault=fault)
    return events


def _end_for_person(
    state: StudyState,
    task: TaskState,
    person: ParticipantState,
    report: TaskReport,
    now: float,
    *,
    left: bool,
    fault: bool,
) -> StudyEvents:
    rule = ENDING_RULES[report.ending]
    if rule.release is None:
        return _submit_task(state, task, person, report, now)
    why: ReleaseReason = rule.release
    if report.ending == "stayed" and (left or fault):
        why = "technical fault" if fault else "partner left"
    events: StudyEvents = [TaskReleased(at=now, person=person.person, task=task.assigned.task, why=why)]
    stage = state.stages[task.assigned.stage].stage
    pay = state.study.pay
    enough = report.messages >= max(1, stage.least_messages)
    if why in ("partner left", "technical fault") or (why == "time up" and enough):
        events += owe_early_task(state, task, person, pay.partner_left, now, report.messages)
    elif rule.outcome == "left":
        events += owe_early_task(state, task, person, pay.left, now, report.messages)
    if rule.outcome is not None:
        reason = "replies could not be used" if rule.outcome == "excluded" else ""
        events += _end_person(state, person, rule.outcome, now, reason)
    return events


def _submit_task(
    state: StudyState, task: TaskState, person: ParticipantState, report: TaskReport, now: float
) -> StudyEvents:
    stage = state.stages[task.assigned.stage].stage
    why = ""
    if now - task.assigned.at < stage.least_seconds:
        why = "too fast"
    elif report.messages < stage.least_messages:
        why = "too few messages"
    events: StudyEvents = [
        TaskSubmitted(
            at=now,
            person=person.person,
            task=task.assigned.task,
            counts=not why,
            why=why,
            score=report.score,
            messages=report.messages,
            attention_failed=report.attention_failed,
            wrong=report.wrong,
            labels=report.labels,
        )
    ]
    if not why:
        events += owe_answer(state, task, person, report.score, now)
    if person.attention_failed + report.attention_failed > state.study.attention_failures:
        return [*events, *_fail_attention(state, person, now)]
    scores = [*person.scores.get(stage.name, ()), *([report.score or 0.0] if not why else ())]
    result = read_result(stage, scores, person.used.get(stage.name, 0) + 1)
    return [*events, *judge_person(state, person, stage, result, now)]


def _fail_attention(state: StudyState, person: ParticipantState, now: float) -> StudyEvents:
    """Screen out a person with too many failed attention checks. What they were owed before stays owed; their
    answers no longer count."""
    asked = state.study.failed_attention == "ask to return"
    reason = ASKED_TO_RETURN if asked else "attention checks"
    *owed, ended = _end_person(state, person, "screened out", now, reason)
    assert isinstance(ended, PersonEnded)
    return [*owed, structs.replace(ended, uncounted=True)]


def leave_study(
    state: StudyState,
    person: str,
    now: float,
    messages: Mapping[str, int] | None = None,
    early: OutcomeName = "left",
) -> StudyEvents:
    """A person stops. Between tasks, those who have worked are finished. `messages`: what each person has
    sent in the open task, where it is known. `early`: the outcome of those who have not finished."""
    known = state.people[person]
    if known.outcome is not None:
        return []
    outcome: OutcomeName = early if known.task or not has_worked(state, known) else "finished"
    return [*_break_task(state, known, "left", now, messages), *_end_person(state, known, outcome, now)]


def report_partner(state: StudyState, person: str, reason: str, now: float) -> StudyEvents:
    """A person reports their partner. The task ends; all are paid as if the partner had left, and get
    the next one. What follows for the partner is the researchers' decision."""
    known = state.people[person]
    task = state.tasks.get(known.task)
    if task is None:
        return []
    if len(task.assigned.seats) < 2 and not state.stages[task.assigned.stage].stage.is_blind:
        return []
    return [
        PartnerReported(at=now, person=person, task=known.task, reason=reason),
        *_break_task(state, known, "reported", now),
        *owe_early_task(state, task, known, state.study.pay.partner_left, now, None),
    ]


def expire_person(state: StudyState, person: str, now: float) -> StudyEvents:
    """End what has lasted too long: a task with all its people, a wait, or a visit without any action."""
    known = state.people[person]
    if known.outcome is not None:
        return []
    if known.task:
        task = state.tasks[known.task]
        if now < task.assigned.until:
            return []
        report = TaskReport("absent")
        return end_task(state, known.task, dict.fromkeys(sorted(task.open), report), now)
    if known.waiting:
        decision = find_task(state, known, now)
        if is_wait_over(known, decision):
            return end_wait(state, person, now)
        return record_decision(state, person, decision, now)
    return leave_study(state, person, now) if now >= known.seen_at + 60 * state.study.idle_minutes else []


def next_deadline(state: StudyState, person: str) -> float:
    """When `expire_person` has to be asked about a person without an outcome."""
    known = state.people[person]
    if known.task:
        return state.tasks[known.task].assigned.until
    if known.waiting:
        return known.waiting_since + wait_limit(state, known, state.stages[known.waiting].stage)
    return known.seen_at + 60 * state.study.idle_minutes


def exclude_person(state: StudyState, person: str, reason: str, now: float) -> StudyEvents:
    """An administrator's decision. It also holds for people who had another outcome."""
    known = state.people[person]
    if known.outcome == "excluded":
        return []
    return [*_break_task(state, known, "excluded", now), *_end_person(state, known, "excluded", now, reason)]


def decide_group(state: StudyState, person: str, group: str, passed: bool, now: float) -> StudyEvents:
    """An administrator's decision about a group that people enter by such decisions."""
    if not may_enter_group(state, state.people[person], group):
        return []
    return [(Qualified if passed else FailedQualification)(at=now, person=person, group=group)]


def is_wait_over(person: ParticipantState, decision: TaskDecision) -> bool:
    """Whether a person who waits for a partner would get a task of another stage now."""
    if isinstance(decision, PersonOutcome):
        return False
    stage = decision.assigned.stage if isinstance(decision, TaskAssignment) else decision.stage
    return person.waiting not in ("", stage)


def end_wait(state: StudyState, person: str, now: float) -> StudyEvents:
    """A person no longer waits for a partner, during this visit. They may begin something else."""
    return [*owe_wait(state, state.people[person], now), WaitEnded(at=now, person=person)]


def release_person(state: StudyState, person: str, now: float) -> StudyEvents:
    """An administrator ends a person's open task, or their wait for a partner. They get the next task."""
    known = state.people[person]
    if known.waiting:
        return end_wait(state, person, now)
    return _break_task(state, known, "administrator", now)


def pay_person(state: StudyState, person: str, now: float) -> StudyEvents:
    """Pay all that a person is owed, has not been paid, and is in no batch of payments."""
    keys = unpaid_keys(state.people[person])
    return [AmountPaid(at=now, person=person, keys=keys)] if keys else []


def erase_person(state: StudyState, person: str, now: float) -> StudyEvents:
    known = state.people[person]
    if known.erased:
        return []
    ended = [] if known.outcome else _end_person(state, known, "left", now, "erased")
    return [*_break_task(state, known, "left", now), *ended, PersonErased(at=now, person=person)]


def _break_task(
    state: StudyState,
    person: ParticipantState,
    why: ReleaseReason,
    now: float,
    messages: Mapping[str, int] | None = None,
) -> StudyEvents:
    """Release the open task of a person; they and their partners are paid by rule, and these get another."""
    if not person.task:
        return []
    task, pay, sent = state.tasks[person.task], state.study.pay, messages or {}
    events: StudyEvents = [TaskReleased(at=now, person=person.person, task=person.task, why=why)]
    if why == "left":
        events += owe_early_task(state, task, person, pay.left, now, sent.get(person.person))
    for name in sorted(task.open - {person.person}):
        events.append(TaskReleased(at=now, person=name, task=person.task, why="partner left"))
        partner = state.people[name]
        events += owe_early_task(state, task, partner, pay.partner_left, now, sent.get(name))
    return events


def _end_person(
    state: StudyState, person: ParticipantState, outcome: OutcomeName, now: float, reason: str = ""
) -> StudyEvents:
    return [
        *owe_wait(state, person, now),
        *owe_outcome(state, person, outcome, reason, now),
        PersonEnded(at=now, person=person.person, outcome=outcome, reason=reason),
    ]
