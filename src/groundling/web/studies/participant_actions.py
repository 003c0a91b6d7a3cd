"""What a participant's page can ask for, and how answers are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.pack import find, load
from groundling.core.values import Illegal, Instance, Problem
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


class OpenStudy(Struct, frozen=True, tag="open", tag_field="do"):
    """The page was opened; in a new tab or after a break it is a new visit."""

    visit: Literal["new", "same"] = "same"


class AnswerConsent(Struct, frozen=True, tag="consent", tag_field="do"):
    agreed: bool


class SubmitTask(Struct, frozen=True, tag="submit", tag_field="do"):
    task: str
    answers: list[str] = []
    moves: msgspec.Raw = msgspec.Raw(b"[]")


class AwaitChange(Struct, frozen=True, tag="wait", tag_field="do"):
    """The person waits for a partner; the answer comes when there is one, or after a while."""


class TakeMachine(Struct, frozen=True, tag="machine", tag_field="do"):
    """The person takes the machine partner rather than wait."""


class LeaveStudy(Struct, frozen=True, tag="leave", tag_field="do"): ...


ParticipantAction: TypeAlias = OpenStudy | AnswerConsent | SubmitTask | AwaitChange | TakeMachine | LeaveStudy


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
        optional = isinstance(question, FormQuestion) and question.optional
        if len(answer) > MOST_ANSWER:
            raise Problem(f"an answer has at most {MOST_ANSWER} characters: shorten it")
        if not answer.strip() and not optional:
            raise Problem(f"“{question.text}” has no answer: answer it")
        if question.choices and answer not in question.choices and not (optional and not answer):
            raise Problem(f"“{question.text}”: choose one of the answers")
    failed = sum(question.attention and not question.is_right(answer) for question, answer in answers)
    score = None
    if isinstance(task, QuizTask):
        score = fmean(question.is_right(answer) for question, answer in answers if not question.attention)
    return msgspec.json.encode(sent.answers), TaskReport("finished", score, attention_failed=failed)
