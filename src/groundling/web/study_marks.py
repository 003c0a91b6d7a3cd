"""Who took part in which study, as keyed marks that expire: other studies can then bar these people, and
nobody can read who they are. The key is in a table of the same database."""

from __future__ import annotations

import hmac
import secrets

from groundling.studies.study import Study
from groundling.web.study_store import StudyDatabase

MARKED = ("prolific", "mturk", "name")
"""The kinds of ids that are the same in every study."""
DAY_SECONDS = 86_400


def mark_participant(database: StudyDatabase, study: str, about: Study, person: str, now: float) -> None:
    """Remember that a person takes part, in the transaction in which they agree. Forget expired marks."""
    until = now + about.recruiting.remember_days * DAY_SECONDS
    database.write_rows("DELETE FROM study_marks WHERE until < ?", [(now,)])
    rows = [(study, mark, until) for mark in _make_marks(database, study, person)]
    insert = "INSERT INTO study_marks VALUES (?, ?, ?) ON CONFLICT (study, mark)"
    database.write_rows(f"{insert} DO UPDATE SET until = excluded.until", rows)


def is_barred_person(database: StudyDatabase, study: str, about: Study, person: str, now: float) -> bool:
    """Whether a person took part in a study whose people may not take part in this one."""
    if not about.recruiting.never_in:
        return False
    query = "SELECT 1 FROM study_marks WHERE study = ? AND mark = ? AND until >= ?"
    return any(
        database.fetch_rows(query, (other, mark, now))
        for mark in _make_marks(database, study, person)
        for other in about.recruiting.never_in
    )


def _make_marks(database: StudyDatabase, study: str, person: str) -> list[str]:
    query = "SELECT service, service_id FROM study_people WHERE study = ? AND person = ?"
    ids = [(kind, name) for kind, name in database.fetch_rows(query, (study, person)) if kind in MARKED]
    key = _find_key(database) if ids else b""
    return [hmac.digest(key, f"{kind} {name}".encode(), "sha256").hex() for kind, name in ids]


def _find_key(database: StudyDatabase) -> bytes:
    """The key of this database, made at the first call."""
    insert = "INSERT INTO study_keys VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
    database.write_rows(insert, [("marks", secrets.token_bytes(32))])
    ((key,),) = database.fetch_rows("SELECT secret FROM study_keys WHERE name = ?", ("marks",))
    return bytes(key)
