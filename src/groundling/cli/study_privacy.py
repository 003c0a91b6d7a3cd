"""`groundling study erase`: delete a person, or what is kept for too long."""

from __future__ import annotations

from pathlib import Path

from groundling.cli.study_commands import study_log_name
from groundling.core.values import Problem
from groundling.report.text_table import print_text
from groundling.web.store_url import is_database_url
from groundling.web.studies.study_erasure import (
    REMAINS,
    REMAINS_IN_POSTGRES,
    erase_expired,
    erase_study_person,
)
from groundling.web.study_store import read_stored_study


def erase_in_study(folder: Path, db: str, person: str, expired: bool) -> None:
    """Erase a person or all that is due, and print what was done and what may remain elsewhere."""
    if bool(person) == expired:
        raise Problem("name a person by their code or by a service's id, or give --expired")
    name = study_log_name(folder)
    read_stored_study(db, name)  # creates nothing where there is no study
    lines = erase_expired(db, name) if expired else erase_study_person(db, person, name).splitlines()
    print("\n".join(lines))
    print("\nWhat remains, and what to do:")
    for line in (*REMAINS, *([REMAINS_IN_POSTGRES] if is_database_url(db) else ())):
        print_text(f"- {line}", "  ")
