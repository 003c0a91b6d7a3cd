"""Plots are well-formed and show every number that is one."""

from __future__ import annotations

import re
from math import nan
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.plot import (
    COLOURS,
    AxisMark,
    PlotTrack,
    draw_bars,
    plot_document,
    plot_tracks,
    round_plot_ticks,
    text_plot_bar,
)

SVG = "{http://www.w3.org/2000/svg}"


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6), st.booleans())
def test_ticks_are_few_and_reach_around_the_values(low: float, width: float, whole: bool) -> None:
    found = round_plot_ticks(low, low + width, whole=whole)
    assert 2 <= len(found) <= 9
    assert found[0] <= low + 1e-6 * max(1, width)
    assert found[-1] >= low + width - 1e-6 * max(1, width)
    if whole:
        assert all(tick == int(tick) for tick in found)


def test_a_bar_is_as_long_as_its_share_and_never_nothing() -> None:
    assert text_plot_bar(10, 10, 5) == "█████"
    assert text_plot_bar(5, 10, 5) == "██▌"
    assert text_plot_bar(0.001, 10, 5) == "▏"
    assert text_plot_bar(20, 10, 5) == "█████"
    assert text_plot_bar(0, 10) == text_plot_bar(nan, 10) == text_plot_bar(1, 0) == ""


def test_bars_over_the_limit_carry_their_number() -> None:
    root = ElementTree.fromstring(
        plot_document(
            "T & t",
            draw_bars(
                [1, 2, 3],
                {"a": [1, 2, 90], "b": [2, nan, 1]},
                along="x",
                up="y",
                most=10,
                marks=[AxisMark(2, "median 2", 1)],
            ),
        )
    )
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert {"T & t", "a", "b", "x", "y", "90", "median 2"} <= set(words)
    assert len(root.findall(f".//{SVG}rect/{SVG}title")) == 5


@pytest.mark.parametrize("ys", [[1.0, nan, 3.0], [1.0, 2.0, 3.0]])
def test_a_line_has_a_dot_for_each_number(ys: list[float]) -> None:
    track = PlotTrack("", list(zip((1.0, 2.0, 3.0), ys, strict=True)))
    root = ElementTree.fromstring(plot_tracks("t", [track], along="x", up="y"))
    assert len(root.findall(f".//{SVG}circle")) == len([y for y in ys if y == y])


def test_tracks_of_one_label_look_alike_and_are_named_once() -> None:
    found = [
        PlotTrack("one", [(0, 3), (0.5, 3.4)]),
        PlotTrack("one", [(0, 3.1)]),
        PlotTrack("two & more", [(0.2, 3.2), (0.1, 3.3)]),
    ]
    root = ElementTree.fromstring(plot_tracks("t", found, along="x", up="y"))
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words.count("one") == words.count("two & more") == 1
    assert [colour for colour, _ in drawn_lines(root)] == ["c0", "c0", "c1"]
    assert len(root.findall(f".//{SVG}circle")) == 5 + 2, "five points, and two in the legend"


def test_more_labels_than_colours_are_distinguished_by_dashes() -> None:
    many = [PlotTrack(str(number), [(0.0, 1.0), (1.0, 2.0)]) for number in range(2 * COLOURS)]
    root = ElementTree.fromstring(plot_tracks("t", many, along="x", up="y"))
    assert len(set(drawn_lines(root))) == len(many)


def test_a_document_brings_the_colours_that_its_classes_name() -> None:
    root = ElementTree.fromstring(plot_tracks("t", [PlotTrack("a", [(0, 1), (1, 2)])], along="x", up="y"))
    style = root.findtext(f"{SVG}style") or ""
    used = {name for node in root.iter() for name in (node.get("class") or "").split()}
    assert used - {"label"} == {name for name in used if f".{name}{{" in style}


def drawn_lines(root: ElementTree.Element) -> list[tuple[str | None, str | None]]:
    """The colour class and the dashes of every line."""
    return [
        (group.get("class"), line.get("stroke-dasharray"))
        for group in root.iter(f"{SVG}g")
        for line in group.findall(f"{SVG}polyline")
    ]


@pytest.mark.parametrize("most", [0.5, 90, 1500, 1_250_000])
def test_the_numbers_of_an_axis_keep_clear_of_its_label(most: float) -> None:
    svg = draw_bars([1, 2], {"one": [most / 2, most]}, along="x", up="the label").svg
    ticks = re.findall(r'<text[^>]*x="([0-9.]+)"[^>]*text-anchor="end"[^>]*>([^<]+)</text>', svg)
    assert ticks
    for x, text in ticks:
        assert float(x) - 6.5 * len(text) >= 14, f"{text} begins where the label is"
