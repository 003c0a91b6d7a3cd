"""Tables in text files."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from groundling.boards.english.text_tables import (
    read_pattern_table,
    read_rewrite_table,
    read_table_entries,
    read_table_lines,
)

PACKAGE = "tables_of_a_test"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop(PACKAGE, None)
    return folder


def test_comments_and_blank_lines_are_left_out(package: Path) -> None:
    (package / "table.txt").write_text("# a comment\n\nred\n#1 is a word\n")
    assert read_table_lines(PACKAGE, "table.txt") == ["red", "#1 is a word"]


def test_an_entry_goes_on_as_long_as_lines_are_indented(package: Path) -> None:
    (package / "table.txt").write_text("a: one\n    two: three\nb:\n    four\na: five\n")
    assert read_table_entries(PACKAGE, "table.txt") == [
        ("a", ["one", "two: three"]),
        ("b", ["four"]),
        ("a", ["five"]),
    ]


def test_an_underscore_in_the_new_text_is_a_blank(package: Path) -> None:
    (package / "table.txt").write_text(r"\bbut_\b => _except_" + "\n(very) =>\n")
    assert list(read_rewrite_table(PACKAGE, "table.txt")) == [(r"\bbut_\b", " except "), ("(very)", "")]


@pytest.mark.parametrize(
    ("pattern", "read", "unread"),
    [
        ("{SIZE} cat", ["big cat"], ["SIZE cat", "cat"]),
        ("{one: big tiny_little} cat", ["big cat", "tiny little cat"], ["tiny_little cat"]),
        ("{maybe: a the}cat", ["cat", "a cat"], ["a the cat"]),
        ("{many: very {SIZE}}cat", ["cat", "very very big cat"], ["very small cat"]),
        ("cat{then: sat ran}", ["cat", "cat sat"], ["cat sat ran"]),
        ("cat{more: sat ran}", ["cat", "cat sat ran"], ["catsat"]),
        ("a{2,3}\\\n    b c\n    d", ["aab c d", "aaab c d"], ["aa b c d"]),
    ],
)
def test_slots_of_a_pattern_are_building_blocks_and_lists_of_words(
    package: Path, pattern: str, read: list[str], unread: list[str]
) -> None:
    (package / "table.txt").write_text(f"SIZE: (?:{{HUGE}}|big)\nrule:\n    {pattern}\n")
    ((name, text),) = read_pattern_table(PACKAGE, "table.txt", {"HUGE": "huge"})
    assert name == "rule"
    assert [said for said in (*read, *unread) if re.fullmatch(text, said)] == read
