"""The tables that a study is exported as, and the codebook that explains their columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from groundling.studies.study_events import AnyStudyEvent, PersonErased, TaskSubmitted, encode_study_event
from groundling.studies.study_state import StudyState

RowT = TypeVar("RowT", bound=Struct)
SEPARATOR = "; "
"""Between the parts of a cell."""
DAY = 86_400.0
COARSE = "seconds since 1970; only the day, in UTC"
EXACT = "seconds since 1970"


def _time(description: str) -> Meta:
    """What is said of a column with times."""
    return Meta(description=description, extra={"time": True})


class ParticipantRow(Struct, frozen=True, kw_only=True):
    """One row for each person who opened the study. Of an erased person only the code is left."""

    person: Annotated[str, Meta(description="the person's code, which only the study knows")]
    erased: Annotated[bool, Meta(description="their data was deleted")]
    arrived: Annotated[float | None, _time("first arrival")] = None
    consented: Annotated[bool | None, Meta(description="agreed to the consent text")] = None
    consent: Annotated[str | None, Meta(description="the SHA-256 of the text that they agreed to")] = None
    agreed: Annotated[float | None, _time("when they agreed")] = None
    outcome: Annotated[str | None, Meta(description="the outcome; empty: still taking part")] = None
    groups: Annotated[str | None, Meta(description="groups that they are in")] = None
    conditions: Annotated[str | None, Meta(description="conditions drawn for them, as stage=condition")] = (
        None
    )
    tasks: Annotated[int | None, Meta(description="tasks that they were given")] = None
    accepted: Annotated[int | None, Meta(description="tasks that they submitted and that count")] = None
    attention_failed: Annotated[int | None, Meta(description="attention checks that they failed")] = None
    waited: Annotated[float | None, Meta(description="seconds in waiting rooms")] = None
    owed: Annotated[float | None, Meta(description="all that they were ever owed, in the currency")] = None
    paid: Annotated[float | None, Meta(description="all that they were paid, in the currency")] = None


class AssignmentRow(Struct, frozen=True, kw_only=True):
    """One row for each person in each task; none for erased people."""

    task: Annotated[str, Meta(description="the task; two people of one task were paired")]
    stage: Annotated[str, Meta(description="the stage")]
    items: Annotated[str, Meta(description="the items; TASK/ITEM is the answer to ITEM in an earlier task")]
    person: Annotated[str, Meta(description="the person's code")]
    seat: Annotated[str, Meta(description="the seat in the game")]
    condition: Annotated[str, Meta(description="the condition")]
    machine: Annotated[bool, Meta(description="the partner was a program")]
    about: Annotated[str, Meta(description="the task that a questionnaire was about")]
    assigned: Annotated[float, _time("when it was given")]
    ended: Annotated[float | None, _time("when it ended for the person")]
    after: Annotated[float, Meta(description="seconds from the person's first arrival until it was given")]
    seconds: Annotated[float | None, Meta(description="seconds until it ended for the person")]
    end: Annotated[str, Meta(description="submitted, or why it was released; empty: still open")]
    counts: Annotated[bool, Meta(description="the task is an answer to its items")]
    why: Annotated[str, Meta(description="why a submitted task does not count")]
    score: Annotated[float | None, Meta(description="the score")]
    messages: Annotated[int | None, Meta(description="messages of the person")]
    attention_failed: Annotated[int | None, Meta(description="attention checks that the person failed")]


class StudyEventRow(Struct, frozen=True, kw_only=True):
    """One row for each event of the log; none for events of erased people but their erasure."""

    number: Annotated[int, Meta(description="position in the log, from 0")]
    at: Annotated[float, _time("when it happened")]
    after: Annotated[float | None, Meta(description="seconds since the person's first arrival")]
    type: Annotated[str, Meta(description="kind of event")]
    person: Annotated[str | None, Meta(description="the person's code; empty where several are concerned")]
    body: Annotated[str, Meta(description="the event as JSON")]


class StoredAnswer(Struct, frozen=True):
    """What a person sent for a task: the answers to questions, or a drawing, as JSON."""

    task: str
    person: str
    body: bytes


class AnswerRow(Struct, frozen=True, kw_only=True):
    """One row for each answer to a question and for each drawing; none for erased people."""

    task: Annotated[str, Meta(description="the task")]
    stage: Annotated[str, Meta(description="the stage")]
    person: Annotated[str, Meta(description="the person's code")]
    number: Annotated[int, Meta(description="number of the question, from 1; 1 for a drawing")]
    question: Annotated[str, Meta(description="the question; empty for a drawing")]
    answer: Annotated[str, Meta(description="the answer; a drawing as an instance of its game, in JSON")]
    attention: Annotated[bool, Meta(description="the question is an attention check")]
    right: Annotated[bool | None, Meta(description="the answer is right; empty: no answer is")]


class GameRow(Struct, frozen=True, kw_only=True):
    """One row for each game that began; none for games with erased people."""

    episode: Annotated[str, Meta(description="the name of the game in its run")]
    run: Annotated[str, Meta(description="the folder of its run; empty: its task does not count")]
    task: Annotated[str, Meta(description="the task, whose people are in assignments")]
    stage: Annotated[str, Meta(description="the stage")]
    item: Annotated[str, Meta(description="the item")]
    condition: Annotated[str, Meta(description="the condition")]
    machine: Annotated[bool, Meta(description="the partner was a program")]


def participant_rows(state: StudyState) -> Iterator[ParticipantRow]:
    for name, person in state.people.items():
        if person.erased:
            yield ParticipantRow(person=name, erased=True)
            continue
        drawn = (f"{stage}={','.join(names)}" for stage, names in person.conditions.items())
        yield ParticipantRow(
            person=name,
            erased=False,
            arrived=person.arrived,
            consented=person.consented,
            consent=person.consent or None,
            agreed=person.consented_at,
            outcome=person.outcome,
            groups=SEPARATOR.join(sorted(person.groups)),
            conditions=SEPARATOR.join(drawn),
            tasks=len(state.tasks_of.get(name, ())),
            accepted=sum(person.accepted.values()),
            attention_failed=person.attention_failed,
            waited=round(person.waited, 1),
            owed=person.owed_total / 100,
            paid=person.paid_total / 100,
        )


def assignment_rows(state: StudyState, tasks: Iterable[str] | None = None) -> Iterator[AssignmentRow]:
    for name in state.tasks if tasks is None else tasks:
        task = state.tasks[name]
        stage = state.stages[task.assigned.stage].stage
        for seat, person in task.assigned.seats.items():
            if state.people[person].erased:
                continue
            end = task.ends.get(person)
            report = end if isinstance(end, TaskSubmitted) else None
            how = "" if end is None else "submitted" if isinstance(end, TaskSubmitted) else end.why
            yield AssignmentRow(
                task=task.assigned.task,
                stage=task.assigned.stage,
                items=SEPARATOR.join(task.assigned.items),
                person=person,
                seat=seat,
                condition=task.assigned.condition,
                machine=task.assigned.machine or stage.has_program_in(task.assigned.condition),
                about=task.assigned.about,
                assigned=task.assigned.at,
                ended=end.at if end else None,
                after=round(task.assigned.at - state.people[person].arrived, 1),
                seconds=round(end.at - task.assigned.at, 1) if end else None,
                end=how,
                counts=task.counted,
                why=report.why if report else "",
                score=report.score if report else None,
                messages=report.messages if report else None,
                attention_failed=report.attention_failed if report else None,
            )


def study_event_rows(
    state: StudyState, events: Iterable[AnyStudyEvent], exact: bool = True
) -> Iterator[StudyEventRow]:
    """`exact`: whether the events as JSON have their times, or only days."""
    for number, event in enumerate(events):
        person = getattr(event, "person", None)
        if person is None or not state.people[person].erased or isinstance(event, PersonErased):
            shown = event if exact else _round_times(event)
            yield StudyEventRow(
                number=number,
                at=event.at,
                after=round(event.at - state.people[person].arrived, 1) if person else None,
                type=str(type(event).__struct_config__.tag),
                person=person,
                body=encode_study_event(shown).decode(),
            )


def _round_times(event: AnyStudyEvent) -> AnyStudyEvent:
    """The event with its day only; deadlines become their days, too."""
    times = [name for name in ("at", "until") if name in event.__struct_fields__]
    return msgspec.structs.replace(event, **{name: day_of(getattr(event, name)) for name in times})


def day_of(at: float) -> float:
    return at // DAY * DAY


def round_row_times(row: RowT) -> RowT:
    """The row with days in place of times. Durations stay."""
    times = {name: getattr(row, name) for name in time_columns(type(row))}
    return msgspec.structs.replace(row, **{name: day_of(at) for name, at in times.items() if at is not None})


@cache
def time_columns(kind: type[Struct]) -> tuple[str, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(name for name, hint in hints.items() if (get_args(hint)[1].extra or {}).get("time"))


def answer_rows(state: StudyState, answers: Iterable[StoredAnswer]) -> Iterator[AnswerRow]:
    for sent in answers:
        if state.people[sent.person].erased:
            continue
        stage = state.stages[state.tasks[sent.task].assigned.stage].stage
        where = {"task": sent.task, "stage": stage.name, "person": sent.person}
        if not stage.questions:
            drawing = sent.body.decode()
            yield AnswerRow(**where, number=1, question="", answer=drawing, attention=False, right=None)
        texts = msgspec.json.decode(sent.body, type=list[str]) if stage.questions else []
        for number, (asked, text) in enumerate(zip(stage.questions, texts, strict=True), 1):
            yield AnswerRow(
                **where,
                number=number,
                question=asked.text,
                answer=text,
                attention=asked.attention,
                right=asked.is_right(text) if asked.answer else None,
            )


TABLES: dict[str, type[Struct]] = {
    "participants": ParticipantRow,
    "assignments": AssignmentRow,
    "answers": AnswerRow,
    "games": GameRow,
    "events": StudyEventRow,
}
TYPE_NAMES = {str: "text", float: "number", int: "whole number", bool: "true or false"}


def write_codebook(title: str, exact: bool = True) -> str:
    """Markdown that explains every column of every table. `exact`: whether times are exact, or only days."""
    lines = [f"# Codebook of {title}", ""]
    for name, kind in TABLES.items():
        lines += [
            f"## {name}",
            (kind.__doc__ or "").strip(),
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        types = column_types(kind)
        for column, hint in get_type_hints(kind, include_extras=True).items():
            told = get_args(hint)[1].description
            if column in time_columns(kind):
                told += f", {EXACT if exact else COARSE}"
            lines.append(f"| `{column}` | {TYPE_NAMES[types[column]]} | {told} |")
        lines.append("")
    return "\n".join(lines)


def column_types(kind: type[Struct]) -> dict[str, type]:
    """The type of each column of a table. Any column may be empty."""
    hints = get_type_hints(kind).items()
    return {column: next(iter(get_args(hint)), hint) for column, hint in hints}


def row_cells(rows: Iterable[Struct]) -> list[Sequence[Any]]:
    return [msgspec.structs.astuple(row) for row in rows]
