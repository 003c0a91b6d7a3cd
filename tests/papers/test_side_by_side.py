"""docs/papers.md has the published tables beside ours, as the code that prints them has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from papers.codraw.tables import PAPER
from papers.side_by_side.measure import measure_figures, parse_text_tables, read_figures
from papers.side_by_side.page import CODRAW, PAGE, read_codraw_table, render_page

DATA = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[3] / "shared" / "data"))


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(read_figures()), "run make papers-page"


@pytest.mark.slow
def test_the_kept_figures_are_those_that_the_data_gives() -> None:
    if not DATA.is_dir():
        pytest.skip("the published data is not here: GROUNDLING_DATA names its folder")
    measured = render_page(measure_figures(DATA))
    assert measured == render_page(read_figures()), "run python -m papers.side_by_side.measure DATA"


def test_every_published_row_of_codraw_has_a_place_in_our_table() -> None:
    assert PAPER.keys() <= read_codraw_table(CODRAW.read_text(encoding="utf-8")).keys()


def test_printed_tables_are_read_with_their_columns() -> None:
    printed = [
        "Sizes",
        "       here / paper  of all",
        "dev           1 / 2",
        "  old         3 / 4     5 %",
        "a note",
        "",
    ]
    (table,) = parse_text_tables([*printed, "no table", "in two lines"])
    assert (table.title, table.head) == ("Sizes", ["", "here / paper", "of all"])
    assert table.rows == [["dev", "1 / 2", ""], ["… old", "3 / 4", "5 %"]]
