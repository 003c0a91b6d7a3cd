import sys

import pytest

from groundling.boards.picture import render_png, svg_document, text_at, wrap_text
from groundling.core.values import Problem


def test_long_words_are_cut_and_line_breaks_kept() -> None:
    assert wrap_text("abcdef gh\n\ni", 4) == ("abcd", "ef", "gh", "", "i")


def test_text_is_drawn_with_our_own_font() -> None:
    blank, written = (
        render_png(svg_document(80, 30, text_at(text, 5, 20, 16), "t")) for text in (" ", "▢ é")
    )
    assert blank != written


def test_a_picture_may_say_itself_how_large_it_is() -> None:
    def size(data: bytes) -> tuple[int, ...]:
        return tuple(int.from_bytes(data[at : at + 4]) for at in (16, 20))

    usual, small = svg_document(80, 30, "", "t"), svg_document(80, 30, "", "t", zoom=1.25)
    assert size(render_png(usual)) == (160, 60)
    assert size(render_png(small)) == (100, 38)
    assert size(render_png(small, 1)) == (80, 30)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    with pytest.raises(Problem, match=r"pip install \"groundling\[picture\]\""):
        render_png("<svg/>")
