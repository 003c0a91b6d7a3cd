"""Texts of people in what is exported, without addresses, numbers and ids of recruiting services."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import TypeAlias

import msgspec
from msgspec import Struct, structs

from groundling.studies.annotation_flow import stage_fields
from groundling.studies.annotation_labels import decode_labels
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.study import FormQuestion
from groundling.studies.study_events import AnyStudyEvent, MessageSent, PartnerReported, PersonEnded
from groundling.studies.study_state import StudyState
from groundling.studies.study_tables import StoredAnswer

Replacements: TypeAlias = Mapping[str, str]
"""What is written in place of texts."""
LEAST_ID = 8
"""Characters of an id that is looked for in texts: short ones could be words."""
MANY_DIGITS = 7
REMOVED = "[removed]"
_EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_SERVICE_ID = re.compile(r"\b(?:[0-9a-f]{24}|A[0-9A-Z]{12,13})\b")
_PHONE = re.compile(r"(?<![\w+])(?:\+ ?\d|\(?0\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d)[\d ()/.-]*\d(?!\w)")
_NUMBER = re.compile(r"\d{7,}|(?<!\w)\d{3,}(?:[ -]\d{3,})+(?!\w)")


class StudyText(Struct, frozen=True):
    """A text that somebody wrote, and the stage, or what else it belongs to."""

    place: str
    text: str

    @property
    def id(self) -> str:
        return sha256(self.text.encode(errors="replace")).hexdigest()[:16]


def scrub_text(text: str, ids: Collection[str] = ()) -> str:
    """The text with marks in place of these ids, e-mail addresses, phone numbers and other long numbers."""
    text = remove_ids(text, ids)
    for mark, pattern in (("[email]", _EMAIL), ("[id]", _SERVICE_ID)):
        text = pattern.sub(mark, text)
    for mark, pattern in (("[phone]", _PHONE), ("[number]", _NUMBER)):
        text = pattern.sub(_replace_digits(mark), text)
    return text


def remove_ids(text: str, ids: Collection[str]) -> str:
    for known in ids:
        if len(known) >= LEAST_ID:
            text = re.sub(re.escape(known), "[id]", text, flags=re.IGNORECASE)
    return text


def _replace_digits(mark: str) -> Callable[[re.Match[str]], str]:
    return lambda found: mark if sum(map(str.isdigit, found[0])) >= MANY_DIGITS else found[0]


def list_written_texts(
    state: StudyState, events: Iterable[AnyStudyEvent], answers: Iterable[StoredAnswer]
) -> Iterator[StudyText]:
    """What people wrote as answers, and what people or researchers wrote into the log."""
    for sent in answers:
        place = state.tasks[sent.task].assigned.stage
        yield from (StudyText(place, text) for text in _list_answer_texts(state, sent) if text)
    for event in events:
        if text := find_event_text(event):
            yield StudyText(str(type(event).__struct_config__.tag), text)


def _list_answer_texts(state: StudyState, sent: StoredAnswer) -> list[str]:
    found: list[str] = []

    def note_text(text: str) -> str:
        found.append(text)
        return text

    replace_answer_texts(state, sent, note_text)
    return found


def replace_answer_texts(
    state: StudyState, sent: StoredAnswer, replace: Callable[[str], str]
) -> StoredAnswer:
    """An answer with other free texts. Choices, numbers, labels and drawings stay."""
    stage = state.stages[state.tasks[sent.task].assigned.stage].stage
    if stage.questions:
        given = zip(stage.questions, msgspec.json.decode(sent.body, type=list[str]), strict=True)
        answers = [
            replace(text) if isinstance(asked, FormQuestion) and asked.answer_kind == "text" else text
            for asked, text in given
        ]
        return structs.replace(sent, body=msgspec.json.encode(answers))
    free = {field.name for field in stage_fields(state.study, stage) if field.kind == "text"}
    if not isinstance(stage.task, AnnotateTask):
        return sent
    labels = [
        structs.replace(
            label,
            values={name: replace(value) if name in free else value for name, value in label.values.items()},
            skipped=replace(label.skipped) if label.skipped else "",
        )
        for label in decode_labels(sent.body)
    ]
    return structs.replace(sent, body=msgspec.json.encode(labels))


def find_event_text(event: AnyStudyEvent) -> str:
    match event:
        case (
            PartnerReported(reason=text)
            | MessageSent(text=text)
            | PersonEnded(outcome="excluded", reason=text)
        ):
            return text
        case _:
            return ""


def replace_event_text(event: AnyStudyEvent, text: str) -> AnyStudyEvent:
    """The event with this text, where it has one."""
    if not find_event_text(event):
        return event
    return structs.replace(event, **{"text" if isinstance(event, MessageSent) else "reason": text})
