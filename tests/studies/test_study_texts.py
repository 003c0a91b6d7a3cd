"""Texts are exported without addresses, numbers and ids."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.studies.privacy_rules import redact_event
from groundling.studies.study_events import Arrived, MessageSent, PartnerReported, PersonEnded
from groundling.studies.study_texts import find_event_text, scrub_text


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
    told = [
        PartnerReported(at=1, person="a", task="t", reason="x"),
        MessageSent(at=1, text="x", person="a"),
        PersonEnded(at=1, person="a", outcome="excluded", reason="x"),
    ]
    assert [find_event_text(event) for event in told] == ["x"] * 3
    assert [find_event_text(redact_event(event, "a")) for event in told] == [""] * 3
    others = [
        *(redact_event(event, "b") for event in told),
        PersonEnded(at=1, person="a", outcome="screened out", reason="attention checks"),
        MessageSent(at=1, text="x"),
        Arrived(at=1, person="a"),
    ]
    assert [redact_event(event, "b") for event in others] == others
    assert [redact_event(event, "a") for event in others[3:]] == others[3:]
