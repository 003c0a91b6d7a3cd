"""Scores by what episodes are like, in tables and plots; and what simple players would get, beside them."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from groundling.cli import main
from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.report.breakdown import Breakdown
from groundling.report.facets import facet_plots
from groundling.report.plot_captions import Plot, plot_offsets
from groundling.report.report_data import gather_report_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two policies on the same small sweep."""
    folder = tmp_path_factory.mktemp("runs")
    made = ["make", "director", "-n", "40", "--sweep", "fill=0.4,0.6,0.8", "-o", str(folder / "set.jsonl")]
    assert main(made) == 0
    for player in ("egocentric", "superlative-blind"):
        seat = f"participant={player}"
        assert (
            main(["play", "director", str(folder / "set.jsonl"), "--seat", seat, "-o", str(folder / player)])
            == 0
        )
    return folder


def plots(*folders: Path) -> dict[str, Plot]:
    pack, found = gather_report_runs([str(folder) for folder in folders])
    return {plot.title: plot for plot in facet_plots(pack, found)}


def test_every_plot_is_well_formed_and_has_its_numbers(runs: Path) -> None:
    found = plots(runs / "egocentric", runs / "superlative-blind")
    assert list(found) == [
        *(f"success by kind and {facet}" for facet in ("rule", "physics", "frame", "fill", "competitors")),
        "success over fill",
        "where egocentric was off",
        "where superlative-blind was off",
    ]
    for plot in found.values():
        assert ElementTree.fromstring(plot.svg).findtext("title") == plot.title
        assert "nan" not in plot.svg
        assert plot.numbers


def test_policies_stand_beside_the_players(runs: Path) -> None:
    rows = plots(runs / "egocentric")["success by kind and physics"].numbers
    tests = [row for row in rows if row[0] == "test physics"]
    assert [row[1] for row in tests] == [
        "egocentric",
        *(f"{policy}, expected" for policy in ("egocentric", "frame-blind", "superlative-blind")),
        "chance",
    ]
    assert [row[4] for row in tests[:2]] == ["0.000", "0.000"]


def test_a_sweep_is_a_line_over_its_values(runs: Path) -> None:
    rows = plots(runs / "egocentric")["success over fill"].numbers
    assert {row[:2] for row in rows} == {
        (kind, value) for kind in ("control", "test") for value in ("0.4", "0.6", "0.8")
    }


def test_a_map_shows_where_a_choice_was_off(runs: Path) -> None:
    plot = plots(runs / "egocentric")["where egocentric was off"]
    assert sum(int(row[1]) for row in plot.numbers) == 60, "as many as there are tests"
    assert "+0, +0" not in {row[0] for row in plot.numbers}
    assert len(ElementTree.fromstring(plot_offsets("m", "t", {(1, -1): 3}, 0).svg).findall(".//rect")) == 9


def test_the_report_and_the_table_tell_what_simple_players_would_get(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["score", str(runs / "egocentric"), "--by", "kind+rule", "--by", "frame"]) == 0
    out = capsys.readouterr().out
    assert "superlative-blind* " in out
    assert "director by kind+rule" in out
    assert "unique_director" not in out, "nobody spoke, so there is nothing to say of it"
    (line,) = [line for line in out.splitlines() if line.startswith("test size_related")]
    perfect, egocentric, frame_blind, *_ = line.split()[-5:]
    assert (perfect, egocentric, frame_blind) == ("1.000", "0.000", "1.000")
    assert "director by frame" in out
    assert "controls were not played" not in out, "there is no speaker whose words could be taken away"
    assert main(["report", str(runs / "egocentric"), "-o", str(runs / "report.html")]) == 0
    page = (runs / "report.html").read_text()
    assert "Success over fill" in page
    assert "perfect, expected" in page


def test_the_effect_within_twins_is_a_comparison_of_sets(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [f"{runs / 'egocentric'}@{kind} fill=0.6" for kind in ("control", "test")]
    assert main(["compare", *sides]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("success")]
    assert line.split()[:6] == ["success", "10", "10", "1.000", "0.000", "-1.000"]


def test_unknown_facets_are_reported_with_the_known_ones(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(runs / "egocentric"), "--by", "kind+colour"]) == 2
    assert (
        "cannot be broken down by 'kind+colour': choose from competitors, distractor"
        in capsys.readouterr().err
    )
    with pytest.raises(Problem, match="no facets, leave out --by"):
        Breakdown(find("director")).facet_table("kind")


def test_controls_are_refused_where_nobody_speaks(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["play", "director", "--seat", "participant=perfect", "--controls", "-o", str(runs / "x")]) == 2
    )
    assert "nobody sits as director" in capsys.readouterr().err
