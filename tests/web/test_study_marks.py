"""Marks of who took part in a study: keyed, known to other studies, and gone in time."""

from __future__ import annotations

from tests.studies.study_walk import make_stage, make_study

from groundling.studies.study import StudyRecruiting
from groundling.web.study_marks import DAY_SECONDS, is_barred_person, mark_participant
from groundling.web.study_store import open_study_database

ABOUT = make_study(make_stage("work"), recruiting=StudyRecruiting(never_in=("first",), remember_days=10))
PEOPLE = [
    ("first", "a", "prolific", "anna"),
    ("second", "b", "prolific", "anna"),
    ("first", "c", "link", "x"),
]


def test_a_mark_bars_a_person_until_it_expires_and_is_then_deleted(place: str) -> None:
    database = open_study_database(place)
    try:
        database.write_rows("INSERT INTO study_people VALUES (?, ?, ?, ?)", PEOPLE)
        assert not is_barred_person(database, "second", ABOUT, "b", 0.0)
        mark_participant(database, "first", ABOUT, "a", 0.0)
        mark_participant(database, "first", ABOUT, "a", 5.0)
        mark_participant(database, "first", ABOUT, "c", 5.0)
        ((study, mark, until),) = database.fetch_rows("SELECT study, mark, until FROM study_marks", ())
        assert (study, until) == ("first", 5.0 + 10 * DAY_SECONDS), "who has no id of a service has no mark"
        assert "anna" not in mark
        assert is_barred_person(database, "second", ABOUT, "b", until)
        assert not is_barred_person(database, "second", ABOUT, "b", until + 1)
        mark_participant(database, "first", ABOUT, "nobody", until + 1)
        assert not database.fetch_rows("SELECT 1 FROM study_marks", ())
        assert len(database.fetch_rows("SELECT secret FROM study_keys", ())) == 1
    finally:
        database.close()
