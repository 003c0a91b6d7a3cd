"""What a participant's page can ask for, and how answers are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from statistics import fmean
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.pack import find, load
from groundling.core.values import Illegal, Instance, Problem
from groundling.studies.annotation_labels import ItemAnswer
from groundling.studies.study import (
    DrawTask,
    FormQuestion,
    QuestionnaireTask,
    QuizTask,
    StageTask,
    StudyQuestion,
)
from groundling.studies.study_decisions import TaskReport
from groundling.web.responses import DECODE_ERRORS

MOST_ANSWER = 4_000
"""Characters of one answer in a questionnaire."""
MOST_REASON = 1_000
"""Characters of a report."""


class OpenStudy(Struct, frozen=True, tag="open", tag_field="do"):
    """The page was opened; in a new tab or after a break it is a new visit."""

    visit: Literal["new", "same"] = "same"


class AnswerConsent(Struct, frozen=True, tag="consent", tag_field="do"):
    agreed: bool
    of_age: bool = False
    """They stated to have the age that the study asks for."""


class StartTask(Struct, frozen=True, tag="start", tag_field="do"):
    """The person has read what comes next, and begins it."""


class SubmitTask(Struct, frozen=True, tag="submit", tag_field="do"):
    task: str
    answers: list[str] = []
    moves: msgspec.Raw = msgspec.Raw(b"[]")
    labels: list[ItemAnswer] = []


class AwaitChange(Struct, frozen=True, tag="wait", tag_field="do"):
    """The person waits for a partner; the answer comes when there is one, or after a while."""


class TakeMachine(Struct, frozen=True, tag="machine", tag_field="do"):
    """The person takes the machine partner rather than wait."""


class ReportPartner(Struct, frozen=True, tag="report", tag_field="do"):
    """The person reports the partner of the open task and leaves the game."""

    task: str
    reason: str


class LeaveStudy(Struct, frozen=True, tag="leave", tag_field="do"): ...


class EraseData(Struct, frozen=True, tag="erase", tag_field="do"):
    """The person leaves, and what they did is deleted."""


ParticipantAction: TypeAlias = (
    OpenStudy
    | AnswerConsent
    | StartTask
    | SubmitTask
    | AwaitChange
    | TakeMachine
    | ReportPartner
    | LeaveStudy
    | EraseData
)


def read_reason(reason: str) -> str:
    """Why a partner is reported. Raises Problem where it is missing or too long."""
    told = " ".join(reason.split())
    if not told or len(told) > MOST_REASON:
        raise Problem(f"say what happened, in at most {MOST_REASON} characters")
    return told


def read_answer(
    task: StageTask, sent: SubmitTask, drawing: str, others: Callable[[], Sequence[Instance]] = lambda: ()
) -> tuple[bytes, TaskReport]:
    """What is stored of an answer, and what it counts. Raises Problem where it cannot be taken. A drawing
    gets the id `drawing`, and must be no copy of the `others`."""
    if isinstance(task, DrawTask):
        pack = find(task.game)
        assert pack.live.gallery is not None
        assert pack.live.gallery.canvas is not None
        try:
            moves = msgspec.json.decode(sent.moves, type=tuple[load(pack.game).Move, ...])  # type: ignore[misc]
            instance = load(pack.live.gallery.canvas.made)(drawing, moves)
        except (*DECODE_ERRORS, Illegal) as trouble:
            raise Problem(f"this cannot be drawn: {trouble}") from None
        copies = pack.live.gallery.canvas.copies
        if copies is not None and load(copies)(instance, others()):
            raise Problem("this is nearly the same as another image of the study: draw something else")
        return msgspec.json.encode(instance), TaskReport("finished")
    if not isinstance(task, QuizTask | QuestionnaireTask):
        raise Problem("this task is a game: play it to its end")
    if len(sent.answers) != len(task.questions):
        raise Problem("some questions have no answer: answer all of them")
    answers: list[tuple[StudyQuestion, str]] = [*zip(task.questions, sent.answers, strict=True)]
    for question, answer in answers:
        if fault := find_answer_fault(question, answer):
            raise Problem(fault)
    failed = sum(question.attention and not question.is_right(answer) for question, answer in answers)
    score, wrong = None, tuple[int, ...]()
    if isinstance(task, QuizTask):
        score = fmean(question.is_right(answer) for question, answer in answers if not question.attention)
        wrong = tuple(
            number
            for number, (question, answer) in enumerate(answers)
            if not question.attention and not question.is_right(answer)
        )
    report = TaskReport("finished", score, attention_failed=failed, wrong=wrong)
    return msgspec.json.encode(sent.answers), report


def find_answer_fault(question: StudyQuestion, answer: str) -> str:
    """Why an answer cannot be taken, or ""."""
    form = question if isinstance(question, FormQuestion) else None
    kind = form.answer_kind if form else "choice"
    if len(answer) > MOST_ANSWER:
        return f"an answer has at most {MOST_ANSWER} characters: shorten it"
    if not answer.strip():
        return "" if form and form.optional else f"“{question.text}” has no answer: answer it"
    if kind in ("choice", "several"):
        chosen = [answer] if kind == "choice" else answer.split("\n")
        if not {*chosen} <= {*question.choices} or len({*chosen}) < len(chosen):
            return f"“{question.text}”: choose one of the answers"
    if form and kind == "scale" and answer not in map(str, range(1, form.points + 1)):
        return f"“{question.text}”: choose a number from 1 to {form.points}"
    if form and kind == "number" and not _is_number(form, answer):
        return f"“{question.text}”: write a number{_describe_bounds(form)}"
    return ""


def _is_number(question: FormQuestion, answer: str) -> bool:
    try:
        value = float(answer)
    except ValueError:
        return False
    least, most = question.least, question.most
    return isfinite(value) and (least is None or value >= least) and (most is None or value <= most)


def _describe_bounds(question: FormQuestion) -> str:
    least = "" if question.least is None else f" from {question.least:g}"
    return least + ("" if question.most is None else f" to {question.most:g}")
