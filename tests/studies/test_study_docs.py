"""docs/studies.md and docs/annotation.md say what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import Struct

from groundling.studies import annotation_schema, study
from groundling.studies.study_decisions import ENDING_RULES
from groundling.studies.study_events import OUTCOMES
from groundling.studies.study_part import StudyPart

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "studies.md").read_text()
ANNOTATION = (DOCS / "annotation.md").read_text()
PARTS = [
    part
    for module in (study, annotation_schema)
    for part in vars(module).values()
    if isinstance(part, type) and issubclass(part, StudyPart)
]


@pytest.mark.parametrize("part", PARTS)
def test_every_key_of_a_study_file_is_documented(part: type[Struct]) -> None:
    keys = (
        {"stages", "stimuli", "groups", "pay", "privacy", "recruiting"} if part is study.Study else set[str]()
    )
    assert [
        key for key in part.__struct_fields__ if key not in keys and f"`{key}`" not in PAGE + ANNOTATION
    ] == []
    assert [key for key in keys if f"[{key}" not in PAGE] == []


def test_the_table_of_endings_is_the_one_in_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([a-z ]+) \| ([a-z ]*)\|$", PAGE, re.MULTILINE)
    told = {ending: (release, outcome.strip()) for ending, release, outcome in rows}
    assert told == {
        ending: (rule.release or "submitted", rule.outcome or "") for ending, rule in ENDING_RULES.items()
    }


def test_every_outcome_is_named() -> None:
    words = " ".join(PAGE.split())
    assert all(re.search(rf"\b{outcome}[,.]", words) for outcome in OUTCOMES)
