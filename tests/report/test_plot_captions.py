"""Plots are small, well-formed and say in numbers what they show."""

from math import nan
from xml.etree import ElementTree

import pytest

from groundling.boards.plot import MAX_LABEL, PlotGroup, PlotSeries
from groundling.report.plot_captions import Plot, estimate_point, plot_by_length, plot_by_set, plot_by_turn
from groundling.scores.intervals import Estimate

UNIT = (0.0, 1.0)
GOOD, UNSURE, NONE = (
    Estimate(0.5, 0.4, 0.6, 10, 5),
    Estimate(0.2, nan, nan, 3, 1),
    Estimate(nan, nan, nan, 0, 0),
)


def well_formed(plot: Plot) -> ElementTree.Element:
    assert "nan" not in plot.svg
    root = ElementTree.fromstring(plot.svg)
    assert root.findtext("title") == plot.title
    assert root.findtext("desc") == plot.about
    return root


def test_means_stand_by_set_with_chance() -> None:
    rows = [
        PlotSeries("gold", 0, [estimate_point(0, GOOD)]),
        PlotSeries("silent", 0, [estimate_point(0, UNSURE)], True),
        PlotSeries("x", 1, [estimate_point(0, NONE)]),
    ]
    plot = plot_by_set([PlotGroup("easy", rows, 0.25), PlotGroup("hard", rows, None)], "success", UNIT)
    root = well_formed(plot)
    assert len(root.findall(".//circle")) == 2, "one that has no mean has no dot"
    assert len(root.findall(".//line[@class='chance']")) == 1
    assert ("easy", "gold", "10", "5", "0.500", "[0.400, 0.600]") in plot.numbers
    assert ("easy", "chance", "", "", "0.250", "") in plot.numbers


@pytest.mark.parametrize("draw", [plot_by_turn, plot_by_length])
def test_curves_have_a_point_for_each_number(draw: type) -> None:
    points = [estimate_point(float(x), found) for x, found in enumerate((GOOD, UNSURE, GOOD), 1)]
    plot = draw(
        [PlotSeries("a", 0, points, dots=[(1.0, 0.3)]), PlotSeries("b", 9, points[:1], True)], "f1", UNIT
    )
    root = well_formed(plot)
    assert len(plot.numbers) == 4
    assert len(root.findall(".//polyline")) == 2


def test_names_are_escaped_and_cut() -> None:
    plot = plot_by_turn(
        [PlotSeries("<script>&" + "x" * 200, 0, [estimate_point(1, GOOD), estimate_point(2, GOOD)])],
        "f1",
        UNIT,
    )
    (label,) = [
        t.text or "" for t in well_formed(plot).findall(".//text") if (t.text or "").startswith("<script>&")
    ]
    assert len(label) == MAX_LABEL


def test_a_measure_without_bounds_is_shown_as_far_as_it_goes() -> None:
    plot = plot_by_set(
        [PlotGroup("all", [PlotSeries("a", 0, [estimate_point(0, Estimate(130, 110, 171, 9, 9))])], None)],
        "points",
        (None, None),
    )
    shown = [float(t.text or 0) for t in well_formed(plot).findall(".//text") if (t.text or "").isdecimal()]
    assert (min(shown) <= 110, max(shown) >= 171) == (True, True)
