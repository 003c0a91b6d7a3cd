import sys

import pytest

from groundling.boards.picture import document, png, text_at, wrap
from groundling.core.values import Problem


def test_long_words_are_cut_and_line_breaks_kept() -> None:
    assert wrap("abcdef gh\n\ni", 4) == ("abcd", "ef", "gh", "", "i")


def test_text_is_drawn_with_our_own_font() -> None:
    blank, written = (png(document(80, 30, text_at(text, 5, 20, 16), "t")) for text in (" ", "▢ é"))
    assert blank != written


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Problem, match=r"pip install \"groundling\[picture\]\""):
        png("<svg/>")
