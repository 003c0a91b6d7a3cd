"""Texts of people before they are published: a file to read and to correct, and what it says."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row, unescape_csv_formula
from groundling.files import write_output
from groundling.studies.study_texts import REMOVED, Replacements, StudyText

COLUMNS = ("id", "place", "changed", "text", "published")


def write_review(path: Path, texts: Iterable[StudyText], scrub: Callable[[str], str]) -> str:
    """Write each different text once, with what would be published. Returns a line about it."""
    found = {text.id: text for text in texts}
    rows = [(each.id, each.place, each.text, scrub(each.text)) for each in found.values()]
    rows.sort(key=lambda row: row[2] == row[3])
    cells = [(name, place, "yes" * (text != other), text, other) for name, place, text, other in rows]
    write_output(path, b"".join(map(format_csv_row, [COLUMNS, *cells])))
    changed = sum(text != other for _, _, text, other in rows)
    return (
        f"{path}: {len(rows):,} texts, {changed:,} of them changed: read them, correct the column published, "
        f"and export with --reviewed {path}"
    )


def read_review(path: Path, texts: Iterable[StudyText]) -> Replacements:
    """What the file says in place of each text. Raises Problem where texts are not in it."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reviewed = {row["id"]: unescape_csv_formula(row["published"]) for row in csv.DictReader(file)}
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, TypeError):
        raise Problem(f"{path} is no file with reviewed texts: write one with --review {path}") from None
    read = set(reviewed.values())  # what was replaced before needs no second reading
    found = {text.id: text.text for text in texts if text.id in reviewed or text.text not in read}
    if missing := found.keys() - reviewed.keys():
        raise Problem(
            f"{len(missing):,} texts are not in {path}: write it anew with --review, and read these"
        )
    published = {text: reviewed[name].strip() or REMOVED for name, text in found.items()}
    return {text: other for text, other in published.items() if other != text.strip()}
