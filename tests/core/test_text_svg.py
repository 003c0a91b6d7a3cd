"""A text becomes a picture whose grids stay in line."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.core.text_svg import text_svg


def places(svg: str) -> dict[str, tuple[float, float]]:
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<', svg)
    return {text: (float(x), float(y)) for x, y, text in found}


def test_the_cells_of_a_grid_stand_in_columns() -> None:
    at = places(text_svg("  A W\n1 i M\n2 m 4"))
    assert at["A"][0] == at["i"][0] == at["m"][0]
    assert at["W"][0] == at["M"][0] == at["4"][0]
    assert at["1"][1] == at["i"][1] < at["2"][1]


def test_other_lines_are_wrapped_and_empty_ones_kept() -> None:
    at = places(text_svg(f"first line\n\n{' '.join(map(str, range(1000, 1060)))}"))
    lines = sorted(y for _, y in at.values())
    assert len(lines) >= 3
    assert lines[1] - lines[0] == pytest.approx(2 * (lines[2] - lines[1]))


@given(st.text())
def test_any_text_is_well_formed_and_described(text: str) -> None:
    root = ElementTree.fromstring(text_svg(text))
    assert root.tag.endswith("svg")
    assert root.find("{http://www.w3.org/2000/svg}desc") is not None
