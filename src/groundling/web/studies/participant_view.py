"""What a participant's page shows: consent, what comes next, a task, the waiting room, or the end. The page
finds the words for it in the table of the person's language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from groundling.core.pack import find, load
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.assignment import TaskAssignment, TaskDecision, TaskWait, assign_task
from groundling.studies.eligibility import has_passed, may_qualify, task_limit
from groundling.studies.pay_rules import ASKED_TO_RETURN
from groundling.studies.study import (
    DrawTask,
    FormQuestion,
    GameTask,
    QuestionnaireTask,
    QuizTask,
    StudyQuestion,
    StudyStage,
)
from groundling.studies.study_decisions import arrive_person, leave_study
from groundling.studies.study_events import AmountOwed, TaskReleased, TaskSubmitted
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState
from groundling.web.studies.served_study import ServedStudy
from groundling.web.studies.stage_games import describe_stage_help, has_program_partner, list_partner_kinds

PageFields = dict[str, Any]
TOLD_RELEASES = (
    "partner left",
    "technical fault",
    "reported",
    "time up",
    "timed out",
    "restarted",
    "administrator",
)
"""Ends of a task that the next page speaks about."""


@cache
def load_page_texts(language: str) -> dict[str, Any]:
    """All words of the pages by name. A name with `one` and `other` depends on a number."""
    table = files("groundling.web.studies") / "texts" / f"{language}.toml"
    return tomllib.loads(table.read_text(encoding="utf-8"))


def needs_start(state: StudyState, person: ParticipantState, stage: StudyStage) -> bool:
    """Whether a person begins a task of the stage by a button, after they have read what it is."""
    if isinstance(stage.task, GameTask | DrawTask | AnnotateTask):
        return True
    first = not state.tasks_of.get(person.person)
    reads = bool(stage.instructions) and not person.used.get(stage.name)
    return reads or (first and bool(state.study.instructions))


def find_next_stage(state: StudyState, decision: TaskDecision) -> StudyStage | None:
    """The stage of a task that a person would get now."""
    if isinstance(decision, TaskAssignment):
        return state.stages[decision.assigned.stage].stage
    return state.stages[decision.stage].stage if isinstance(decision, TaskWait) and decision.stage else None


def describe_page(
    state: StudyState, study: ServedStudy, person: str, language: str, now: float
) -> PageFields:
    """The page of a person, as JSON. It says nothing of other people or of stimuli."""
    known, about = state.people[person], state.study
    page: PageFields = {
        "title": about.title,
        "contact": about.contact,
        "language": language,
        "languages": about.languages,
        "own_language": about.language,
        "code": person,
        "messages": [{"at": at, "text": text} for at, text in known.messages],
        "owed": known.owed_total / 100,
        "currency": about.pay.currency,
        "pays": bool(about.pay.base or any(stage.pay for stage in about.stages)),
        "notice": _describe_last_task(state, known),
    }
    if known.outcome is not None:
        return page | _describe_end(state, study, known, language, now)
    if not known.consented:
        texts = _describe_texts(study, ["consent"], language)
        return page | {"page": "consent", "texts": texts} | _describe_conditions(state, study)
    decision = assign_task(state, person, now)
    stage = find_next_stage(state, decision)
    if stage is None:
        return page | {"page": "between"}
    page |= {
        "progress": _list_progress(state, known, stage),
        "guide": _describe_guide(state, study, known, stage, language),
        "leave": _find_leave_pay(state, known, now),
        "stage": _name_stage(stage),
        "pay": stage.pay,
        "minutes": stage.minutes,
        "idle": about.idle_minutes,
    }
    if isinstance(decision, TaskAssignment) and not decision.is_new:
        assigned = decision.assigned
        live = len(assigned.seats) > 1 or stage.is_blind
        task = {"task": assigned.task, "until": assigned.until, "live": live}
        return page | task | _describe_task(state, known, stage)
    if isinstance(decision, TaskWait) and known.waiting:
        wait = {"since": decision.since, "until": decision.until, "expected": decision.expected}
        rate = {"waiting_minute": about.pay.waiting_minute, "machine": bool(decision.machine)}
        return page | wait | rate | {"page": "wait"}
    blind = stage.is_blind
    programs = has_program_partner(study, stage) and not blind
    partners = {"partners": stage.pairs_people and not blind, "programs": programs, "blind": blind}
    return page | partners | {"page": "next", "machine": _offers_machine(stage)}


def _describe_texts(study: ServedStudy, keys: Iterable[str], language: str) -> list[PageFields]:
    """Those of the study's texts that exist, with their languages."""
    found = [study.files.find_text(key, language) for key in keys]
    return [{"text": text, "language": own} for text, own in found if text]


def _offers_machine(stage: StudyStage) -> bool:
    return isinstance(stage.task, GameTask) and bool(stage.task.machine_partner)


def _describe_conditions(state: StudyState, served: ServedStudy) -> PageFields:
    """What taking part involves, for the page of consent."""
    study = state.study
    games = [stage for stage in study.stages if isinstance(stage.task, GameTask)]
    chosen = [name for name, group in study.groups.items() if group.by != "score"]
    for_all = [stage for stage in study.stages if stage.pay and stage.group not in chosen]
    return {
        "minimum_age": study.minimum_age,
        "expected_minutes": study.expected_minutes,
        "device": study.device,
        "base": study.pay.base,
        "tasks": [{**_name_stage(stage), "pay": stage.pay, "most": stage.most} for stage in for_all],
        "watched": bool(games),
        "programs": any(has_program_partner(served, stage) for stage in games),
        "machine": any(_offers_machine(stage) for stage in games),
    }


def _name_stage(stage: StudyStage) -> PageFields:
    kind = str(type(stage.task).__struct_config__.tag)
    game = find(stage.task.game).live.title if isinstance(stage.task, GameTask | DrawTask) else ""
    decides = stage.pass_mark is not None
    return {"title": stage.title, "kind": kind, "game": game, "practice": stage.practice, "decides": decides}


def _list_progress(state: StudyState, person: ParticipantState, now: StudyStage) -> list[PageFields]:
    """The stages that are for the person, and how far they are. Who tries to enter a group is not shown the
    way into others."""
    stages, leads = state.study.stages, state.study.groups_entered_by
    done = [stage for stage in stages if stage.name in person.used]
    shown = [
        stage
        for stage in stages
        if (not stage.group or stage.group in person.groups)
        and not person.groups.intersection(stage.never)
        and (
            stage in (now, *done)
            or not leads(stage.name)
            or (not leads(now.name) and may_qualify(state, person, stage))
        )
    ]
    return [
        {
            **_name_stage(stage),
            "done": person.used.get(stage.name, 0),
            "most": task_limit(state, stage),
            "state": "now"
            if stage is now
            else "done"
            if stages.index(stage) < stages.index(now) or has_passed(person, stage)
            else "later",
        }
        for stage in shown
    ]


def _describe_guide(
    state: StudyState, study: ServedStudy, person: ParticipantState, stage: StudyStage, language: str
) -> PageFields:
    """What can be read again at any time. A quiz comes with the help of the game that it leads to."""
    keys = ("instructions", f"stages.{stage.name}.instructions")
    later = state.study.stages[state.study.stages.index(stage) :] if stage.task.__class__ is QuizTask else ()
    groups = ("", *state.study.groups_entered_by(stage.name))
    games = [each for each in later if isinstance(each.task, GameTask) and each.group in groups]
    about = games[0] if games else stage
    condition = next(iter(person.conditions.get(about.name, ())), "") if not about.is_blind else ""
    role = ""
    if person.task and about is stage:
        assigned = state.tasks[person.task].assigned
        condition = assigned.condition
        role = next(role for role, who in assigned.seats.items() if who == person.person)
    return {
        "texts": _describe_texts(study, keys, language),
        "help": describe_stage_help(study, about, condition, role),
    }


def _find_leave_pay(state: StudyState, person: ParticipantState, now: float) -> float:
    """What the person will have earned if they leave now."""
    events = leave_study(state, person.person, now)
    mine = [each for each in events if isinstance(each, AmountOwed) and each.person == person.person]
    return (person.owed_total + sum(each.amount for each in mine)) / 100


def _describe_task(state: StudyState, person: ParticipantState, stage: StudyStage) -> PageFields:
    match stage.task:
        case QuizTask(questions=quiz, attempts=attempts):
            last = _find_last_end(state, person)
            tried = isinstance(last, TaskSubmitted) and state.tasks[last.task].assigned.stage == stage.name
            asked = [_describe_question(each) for each in quiz]
            left = attempts - person.used.get(stage.name, 0)
            wrong = last.wrong if isinstance(last, TaskSubmitted) and tried else ()
            return {"page": "quiz", "questions": asked, "attempts": left, "wrong": wrong}
        case QuestionnaireTask(questions=form):
            return {"page": "questionnaire", "questions": [_describe_question(each) for each in form]}
        case DrawTask(game=game):
            gallery = find(game).live.gallery
            assert gallery is not None
            assert gallery.canvas is not None
            desk = load(gallery.canvas.desk)()
            shown = {"now_text": desk.now, "tool": desk.tool, "facts": desk.facts, "panels": desk.panels}
            return {"page": "draw", **shown}
        case GameTask():
            return {"page": "game"}
        case AnnotateTask():
            return {"page": "annotate"}


def _describe_question(question: StudyQuestion) -> PageFields:
    """A question without its answer. The points of a scale are its choices."""
    asked: PageFields = {"text": question.text, "choices": question.choices, "kind": "choice"}
    if isinstance(question, FormQuestion):
        asked |= {"kind": question.answer_kind, "optional": question.optional}
        if question.answer_kind == "scale":
            points = [str(point) for point in range(1, question.points + 1)]
            asked |= {"choices": points, "ends": question.ends}
        elif question.answer_kind == "number":
            asked |= {"least": question.least, "most": question.most}
    return asked


def _describe_end(
    state: StudyState, study: ServedStudy, person: ParticipantState, language: str, now: float
) -> PageFields:
    assert person.outcome is not None
    code, redirect = find_completion(state, person)
    partners = list_partner_kinds(study, state, person.person) if person.consented else []
    blind = any(stage.is_blind for stage in state.study.stages)
    told = blind or any(kind != "person" for kinds in partners for kind in kinds)
    return {
        "page": "end",
        "outcome": person.outcome,
        "told": "erased" if person.erased else _name_end(person),
        "erased": person.erased,
        "again": bool(arrive_person(state, person.person, now)),
        "completion": code,
        "redirect": redirect,
        "debriefing": _describe_texts(study, ["debriefing"] if person.consented else [], language),
        "partners": partners if told else [],
        "kept": person.consented and not person.erased,
    }


def find_completion(state: StudyState, person: ParticipantState) -> tuple[str, str]:
    """A person's completion code, and the address to return to: as the study's file says, else as the study
    was created at the recruiting service."""
    assert person.outcome is not None
    ends = (_name_end(person) or "", person.outcome)
    recruiting, listing = state.study.recruiting, state.listing
    codes = {**(listing.codes if listing else {}), **recruiting.codes}
    code = next((codes[end] for end in ends if end in codes), person.person)
    address = next((recruiting.redirects[end] for end in ends if end in recruiting.redirects), "")
    address = address or (listing.redirect if listing else "")
    return code, address.replace("{code}", quote(code, safe=""))


def _name_end(person: ParticipantState) -> str | None:
    """The text that tells a person how their part ended."""
    return person.reason if person.reason == ASKED_TO_RETURN else person.outcome


def _find_last_end(state: StudyState, person: ParticipantState) -> TaskSubmitted | TaskReleased | None:
    """How the person's last task that has ended did so."""
    tasks = reversed(state.tasks_of.get(person.person, ()))
    return next((end for name in tasks if (end := state.tasks[name].ends.get(person.person))), None)


def _describe_last_task(state: StudyState, person: ParticipantState) -> PageFields | None:
    """What the person should know about how their last task ended, as the name of a text."""
    last = _find_last_end(state, person)
    if isinstance(last, TaskReleased):
        return {"text": last.why} if last.why in TOLD_RELEASES else None
    if last is None:
        return None
    stage = state.stages[state.tasks[last.task].assigned.stage].stage
    if last.why:
        return {"text": last.why}
    if stage.practice and not isinstance(stage.task, QuestionnaireTask):
        score = None if last.score is None else round(100 * last.score)
        return {"text": "practice" if score is None else "practice score", "score": score}
    return None
