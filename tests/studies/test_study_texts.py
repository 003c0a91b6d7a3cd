"""Texts are exported without addresses, numbers and ids."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.study_walk import make_stage, make_study, start_study

from groundling.studies.annotation_labels import StoredLabels, decode_labels
from groundling.studies.annotation_schema import AnnotateTask, AnnotationField
from groundling.studies.privacy_rules import redact_event
from groundling.studies.study import FormQuestion, QuestionnaireTask, StudyStage
from groundling.studies.study_events import (
    AnyStudyEvent,
    Arrived,
    MessageSent,
    PartnerReported,
    PersonEnded,
    TaskAssigned,
    TaskSubmitted,
)
from groundling.studies.study_state import fold_study
from groundling.studies.study_tables import StoredAnswer
from groundling.studies.study_texts import (
    find_event_text,
    list_written_texts,
    replace_answer_texts,
    scrub_text,
)


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("write to ann.lee+x@mail.example.org!", "write to [email]!"),
        ("call +49 (170) 123-45 67 or 030/1234567", "call [phone] or [phone]"),
        ("my number is 555-123-4567.", "my number is [phone]."),
        ("card 4111 1111 1111 1111, born 1999", "card [number], born 1999"),
        ("I am 5f00dbadcafe0001deadbeef (A1B2C3D4E5F6G7)", "I am [id] ([id])"),
        ("my code is WORKER-77.", "my code is [id]."),
        ("paint 3 tiles in columns 1, 2, 3, 4, 5, 6, 7 and 18", None),
        ("from 10 to 100, then rows 1 2 3 4 5 6 7 8 9 10 11", None),
        ("a 2 x 2 square, 12 tiles; 50 % of 2026", None),
    ],
)
def test_what_identifies_people_is_marked_and_the_rest_stays(text: str, scrubbed: str | None) -> None:
    assert scrub_text(text, ["worker-77", "red"]) == (text if scrubbed is None else scrubbed)


@given(st.text(alphabet="0123456789 +-().@/abA_é\n", max_size=40))
def test_scrubbing_again_changes_nothing_and_leaves_no_long_number(text: str) -> None:
    once = scrub_text(text)
    assert scrub_text(once) == once
    assert not re.search(r"[0-9]{7}", once)


def test_only_what_was_written_by_to_or_about_the_person_is_redacted() -> None:
    told: list[AnyStudyEvent] = [
        PartnerReported(at=1, person="a", task="t", reason="x"),
        MessageSent(at=1, text="x", person="a"),
        PersonEnded(at=1, person="a", outcome="excluded", reason="x"),
    ]
    assert [find_event_text(event) for event in told] == ["x"] * 3
    assert [find_event_text(redact_event(event, "a")) for event in told] == [""] * 3
    others: list[AnyStudyEvent] = [
        *(redact_event(event, "b") for event in told),
        PersonEnded(at=1, person="a", outcome="screened out", reason="attention checks"),
        MessageSent(at=1, text="x"),
        Arrived(at=1, person="a"),
    ]
    assert [redact_event(event, "b") for event in others] == others
    assert [redact_event(event, "a") for event in others[3:]] == others[3:]


def test_free_texts_of_forms_and_of_annotations_are_replaced_and_nothing_else() -> None:
    form = QuestionnaireTask(
        questions=(FormQuestion(text="Say x", choices=("x", "y")), FormQuestion(text="?"))
    )
    fields = (
        AnnotationField(name="note", kind="text"),
        AnnotationField(name="kind", kind="choice", labels=("x",)),
    )
    study = make_study(
        StudyStage(name="form", task=form), make_stage("label", AnnotateTask(fields=fields), items="s")
    )
    events: list[AnyStudyEvent] = [start_study(study), Arrived(at=0, person="a")]
    for task, items in (("form", ()), ("label", ("i0", "i1"))):
        seats = {"person": "a"}
        events += [
            TaskAssigned(at=0, task=task, stage=task, items=items, seats=seats, until=9),
            TaskSubmitted(at=1, person="a", task=task, counts=True),
        ]
    state = fold_study(events)
    labels = [
        StoredLabels(item="i0", values={"note": "x", "kind": "x"}), StoredLabels(item="i1", skipped="x"),
    ]  # fmt: skip
    answers = [
        StoredAnswer("form", "a", b'["x","x"]'), StoredAnswer("label", "a", msgspec.json.encode(labels)),
    ]  # fmt: skip
    assert [each.text for each in list_written_texts(state, events, answers)] == ["x", "x", "x"]
    sent_form, said = (replace_answer_texts(state, sent, str.upper).body for sent in answers)
    assert sent_form == b'["x","X"]'
    assert [(each.values, each.skipped) for each in decode_labels(said)] == [
        ({"note": "X", "kind": "x"}, ""), ({}, "X"),
    ]  # fmt: skip
