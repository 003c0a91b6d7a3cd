"""Plots of a study for the researcher's page, in the colours of the page."""

from __future__ import annotations

from math import ceil
from statistics import median, quantiles

from groundling.boards.plot import (
    PlotBody,
    PlotGroup,
    PlotPoint,
    PlotSeries,
    draw_curves,
    draw_intervals,
    plot_page,
)
from groundling.studies.study_events import TaskSubmitted
from groundling.studies.study_state import StudyState
from groundling.studies.study_summary import task_minutes

MOST_POINTS = 40
"""Points of a curve."""
TIME_UNITS = (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0))


def plot_answers(state: StudyState) -> str:
    """The answers of each stage of work over time; "" where there is none."""
    work = [name for name, stage in state.stages.items() if state.study.is_work(stage.stage)]
    times = {name: _answer_times(state, name) for name in work}
    ends = [at for found in times.values() for at in found]
    if not ends:
        return ""
    start, last = state.started.at, max(ends)
    unit, seconds = next((each for each in TIME_UNITS if last - start >= 2 * each[1]), TIME_UNITS[-1])
    series = []
    for number, (name, found) in enumerate(times.items()):
        step = ceil((len(found) + 1) / MOST_POINTS)
        counts = [*range(0, len(found), step), len(found)]
        points = [PlotPoint((([start, *found])[count] - start) / seconds, count) for count in counts]
        series.append(PlotSeries(name, number, points))
    body = draw_curves(series, f"{unit} since the start", "", (0, None), whole=False)
    told = ", ".join(f"{name}: {len(found):,}" for name, found in times.items())
    return _as_page("answers", "Answers over time", told, body)


def _answer_times(state: StudyState, stage: str) -> list[float]:
    """When the tasks of a stage ended that count."""
    return sorted(
        max(end.at for end in task.ends.values() if isinstance(end, TaskSubmitted))
        for task in state.tasks.values()
        if task.counted and task.assigned.stage == stage
    )


def plot_minutes(state: StudyState) -> str:
    """How long submitted tasks took, by stage; "" where there is none."""
    found = {name: minutes for name, minutes in task_minutes(state).items() if minutes}
    if not found:
        return ""
    rows = []
    for number, (name, minutes) in enumerate(found.items()):
        tenths = quantiles(minutes, n=10, method="inclusive") if len(minutes) > 1 else minutes
        rows.append(PlotSeries(name, number, [PlotPoint(0, median(minutes), tenths[0], tenths[-1])]))
    body = draw_intervals([PlotGroup("", rows, None)], "minutes: median, and eight of ten tasks", (0, None))
    told = ", ".join(f"{name}: median {median(minutes):.1f}" for name, minutes in found.items())
    return _as_page("minutes", "Minutes of a task", told, body)


def _as_page(name: str, title: str, about: str, body: PlotBody) -> str:
    return plot_page(name, title, about, body).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
