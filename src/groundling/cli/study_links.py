"""Links by which people come to a study, with ids that only its database can tell apart."""

from __future__ import annotations

import csv
import secrets
from pathlib import Path
from urllib.parse import urlencode

from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row
from groundling.files import write_output
from groundling.web.study_store import StudyLog, open_study_log, read_service_ids

INVITED, NAME = "invited", "name"
"""Under these are the id in a person's link, and the name from a list, in the table of ids."""


def write_links(name: str, db: str, url: str, count: str, people: Path | None, out: Path | None) -> None:
    """Links with random ids; those of a list are the same each time, and only the database knows whose."""
    if not url.startswith(("https://", "http://")):
        raise Problem("links need the address of the server: --url https://...")
    if people is None:
        number = read_number(count, "links")
        rows: list[tuple[str, ...]] = [
            (_make_link(url, name, secrets.token_urlsafe(9)),) for _ in range(number)
        ]
    else:
        names = _read_names(people)
        with open_study_log(db, name) as log:
            rows = [(who, _make_link(url, name, _find_invitation(log, db, name, who))) for who in names]
    if out is None:
        print("\n".join(",".join(row) for row in rows))
    else:
        write_output(out, b"".join(map(format_csv_row, rows)), 0o600)
        print(f"{out}: {len(rows)} links")


def _read_names(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            names = [row[0].strip() for row in csv.reader(stream) if row and row[0].strip()]
    except (OSError, UnicodeDecodeError, csv.Error) as trouble:
        raise Problem(f"{path} cannot be read ({trouble}): check the file") from None
    if not names:
        raise Problem(f"{path} has no names: write one in each line")
    return list(dict.fromkeys(names))


def _find_invitation(log: StudyLog, db: str, study: str, who: str) -> str:
    person = log.find_person(NAME, who)
    known = read_service_ids(db, study).get(person, {})
    if INVITED not in known:
        known[INVITED] = secrets.token_urlsafe(9)
        log.keep_id(person, INVITED, known[INVITED])
    return known[INVITED]


def _make_link(url: str, study: str, invitation: str) -> str:
    return f"{url.rstrip('/')}/study/{study}?{urlencode({'person': invitation})}"


def read_number(text: str, what: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000:
        raise Problem(f"{text or 'nothing'} is no number of {what}: give one from 1 to 100,000")
    return int(text)
