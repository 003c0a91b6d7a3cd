"""The report as one self-contained HTML file that works offline."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import polars as pl

from groundling import __version__
from groundling.boards.plot import COLOURS
from groundling.core.pack import Pack, load
from groundling.core.values import Problem
from groundling.report.comparison import COLUMNS, compare_report_sides, comparison_cells
from groundling.report.cost_table import COST_COLUMNS, COST_NOTE, cost_rows, estimated_usage_notes
from groundling.report.episode_browser import make_episode_data
from groundling.report.page_parts import (
    content_policy,
    escape_text,
    fill_page_template,
    format_plan_value,
    format_settings,
    html_table,
    join_page_scripts,
    plot_figure,
    read_page_file,
)
from groundling.report.plot_data import gather_plot_data
from groundling.report.report_data import ReportRun, gather_report_runs, shorten_report_paths
from groundling.report.score_table import (
    CHANCE,
    ScoreRow,
    drop_empty_score_columns,
    format_count_cells,
    format_score_interval,
    format_score_number,
    has_several_runs,
    score_rows,
    score_table_roles,
)
from groundling.runs.scoring import STATUSES
from groundling.runs.scoring_table import join_scoring_tables
from groundling.runs.side_by_side import side_folder
from groundling.scores.intervals import Estimate

STYLES = ("common/tokens.css", "common/style.css", "common/plot.css", "lib/replay.css", "report.css")
"""The style sheets of the server's pages, and what only reports have."""
SCRIPTS = ("lib/elements.js", "lib/picture.js", "lib/replay.js", "report.js")


def render_html_report(
    names: Iterable[str], episodes: int | None = 200, seed: int = 0, game: str = "", sets: Sequence[str] = ()
) -> str:
    """Render the page on these runs, or on some sets, with at most `episodes` replays; None for all."""
    pack, runs = gather_report_runs(names, game, sets)
    table = join_scoring_tables([run.episodes for run in runs])
    rows = score_rows(pack, table)
    style, script = "".join(map(read_page_file, STYLES)), join_page_scripts(*SCRIPTS)
    data, chosen = make_episode_data(pack, runs, episodes, seed)
    comparison = _comparison_section(pack, runs)
    return fill_page_template(
        read_page_file("template.html"),
        policy=content_policy(style, script),
        version=__version__,
        title=escape_text(f"{pack.name}: {', '.join(run.name for run in runs)}"),
        style=style,
        game=escape_text(pack.name),
        about=escape_text(f"{pack.about[:1].upper()}{pack.about[1:]}."),
        compared='<a href="#comparison">Comparison</a> ' if comparison else "",
        cards="".join(_run_card(pack, rows, number, run) for number, run in enumerate(runs)),
        run=_run_section(runs),
        scores=_score_section(pack, table, rows) + _cost_section(pack, table),
        comparison=comparison,
        plots="".join(map(plot_figure, gather_plot_data(pack, runs, rows))),
        sides=_side_section(runs),
        chosen=escape_text(chosen),
        data=data,
        script=script,
    )


def _run_card(pack: Pack, rows: Sequence[ScoreRow], number_: int, run: ReportRun) -> str:
    measure = load(pack.measures)[0].name
    own = [row for row in rows if row.run == run.name and not row.control]
    last = [row for row in own if row.set == own[-1].set]
    found = "".join(
        f"<p>{escape_text(row.players)}</p>"
        f'<p class="mean">{format_score_number(row.main.mean)} <small>{escape_text(measure)}</small></p>'
        f'<p class="small">95 % {format_score_interval(row.main.low, row.main.high) or "unknown"}, '
        f"n = {row.main.n}</p>"
        for row in last
    )
    found += "".join(f'<p class="small">{escape_text(line)}</p>' for line in run.extent)
    return f'<div class="card c{number_ % COLOURS}"><p class="small">{escape_text(run.name)}</p>{found}</div>'


def _run_section(runs: Sequence[ReportRun]) -> str:
    head = ("run", "planned", *STATUSES)
    rows = [
        (_row_class(control), [f"{run.name}, {control}" if control else run.name, *map(str, counts.values())])
        for run in runs
        for control, counts in run.counts.items()
    ]
    unplayed = [run.name for run in runs if len(run.counts) == 1]
    note = (
        f'<p class="small">Played without controls: {escape_text(", ".join(unplayed))}.</p>'
        if unplayed
        else ""
    )
    plans = "".join(_plan_details(run) for run in runs)
    told = (
        "Aborted episodes ended after refused replies and count as 0. Errored episodes stopped because a "
        "player could not answer. Errored and missing episodes have no score."
    )
    return f'{html_table("Episodes", head, [("", rows)])}<p class="small">{told}</p>{note}{plans}'


def _plan_details(run: ReportRun) -> str:
    about, plan = run.about, run.about["plan"]
    facts = {
        "folder": run.name,
        "game": plan.get("game"),
        **{f"seat: {role}": spec for role, spec in plan.get("seats", {}).items()},
        **{f"{role}: {k}": v for role, known in plan.get("players", {}).items() for k, v in known.items()},
        "settings": format_settings(
            msgspec.to_builtins(msgspec.structs.asdict(run.folder.make_game().settings))
        )
        or "none",
        **{key: plan[key] for key in ("seed", "repeat", "wordings", "retries", "strict") if key in plan},
        "instances": about.get("source"),
        "their SHA-256": plan.get("instances"),
        "groundling": about.get("groundling"),
        "Python": about.get("python"),
        "platform": about.get("platform"),
        "begun": about.get("created"),
    }
    terms = "".join(
        f"<dt>{escape_text(key)}</dt><dd>{escape_text(shorten_report_paths(format_plan_value(value)))}</dd>"
        for key, value in facts.items()
    )
    summary = f"<summary>Settings and versions of {escape_text(run.name)}</summary>"
    return f'<details class="plan">{summary}<dl class="facts terms">{terms}</dl></details>'


def _score_section(pack: Pack, episodes: pl.LazyFrame, rows: Sequence[ScoreRow]) -> str:
    (main, *others), rows = drop_empty_score_columns(pack, rows)
    several = has_several_runs(rows)
    who = ("players", *(["run"] if several else []))
    refused = [f"refused, {role}" for role in score_table_roles(pack, episodes)]

    def group_rows(cells: Any, chance: bool) -> list[tuple[str, list[tuple[str, list[str]]]]]:
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for row in rows:
            if row.control != CHANCE or chance:
                names = [row.players, *([row.run] if several else [])]
                found.setdefault(row.set, []).append((_row_class(row.control), [*names, *cells(row)]))
        return list(found.items())

    terms = "".join(f"<dt>{escape_text(m.name)}</dt><dd>{escape_text(m.about)}</dd>" for m in (main, *others))
    first = html_table(
        f"{main.name} by set",
        (*who, "n", "clusters", main.name, "95 %", "strict", "tolerant", *refused),
        group_rows(_main_cells, True),
    )
    forms = [".3f" if m.high is not None and m.high <= 1 else ".1f" for m in others]

    def mean_cells(row: ScoreRow) -> list[str]:
        return [_format_mean(value, form) for value, form in zip(row.others, forms, strict=True)]

    second = (
        html_table("Other measures, means", (*who, *(m.name for m in others)), group_rows(mean_cells, False))
        if others
        else ""
    )
    about = (
        "Intervals resample clusters of dependent instances; with few clusters they are too narrow. Controls "
        "remove the speaker's words (silent) or exchange them (shuffled): the score that is left does not "
        "come from words. Categories are shares in per cent."
    )
    return f'{first}{second}<p class="small">{about}</p><dl class="facts terms">{terms}</dl>'


def _format_mean(value: float | str | Estimate | None, form: str) -> str:
    if isinstance(value, Estimate):
        return f"{format_score_number(value.mean, form)} {format_score_interval(value.low, value.high, form)}"
    return value if isinstance(value, str) else format_score_number(value, form)


def _main_cells(row: ScoreRow) -> list[str]:
    if row.control == CHANCE:
        return ["", "", format_score_number(row.main.mean)]
    readings = (format_score_number(row.strict), format_score_number(row.tolerant))
    return [*format_count_cells(row.main), *readings, *map(str, row.refused)]


def _cost_section(pack: Pack, episodes: pl.LazyFrame) -> str:
    found = list(cost_rows(pack, episodes))
    if not found:
        return ""
    runs: dict[str, list[tuple[str, list[str]]]] = {}
    for row in found:
        runs.setdefault(row.run, []).append(("", [row.seat, *row.cells]))
    notes = " ".join([COST_NOTE, *estimated_usage_notes(found)])
    table = html_table("Calls by seat", ("seat", *COST_COLUMNS), list(runs.items()))
    return f'{table}<p class="small">{escape_text(notes)}</p>'


def _comparison_section(pack: Pack, runs: Sequence[ReportRun]) -> str:
    """Compare each run with the first."""
    if len(runs) < 2:
        return ""
    first, *others = ((run.name, run.without_controls().collect()) for run in runs)
    parts = []
    for name, episodes in others:
        try:
            found, unpaired = compare_report_sides(load(pack.measures), first[1], episodes)
        except Problem as trouble:
            parts.append(f"<p>{escape_text(first[0])} and {escape_text(name)}: {escape_text(trouble)}.</p>")
            continue
        rows = [("", [each.name, *comparison_cells(each)]) for each in found]
        parts.append(html_table(f"A: {first[0]}; B: {name}", ("measure", *COLUMNS), [("", rows)]))
        if unpaired:
            parts.append(
                f'<p class="small">{unpaired} episodes have no partner on the other side '
                "and are left out.</p>"
            )
    about = (
        "Differences within pairs of episodes on the same instance. p is from sign flips of whole clusters; "
        "Holm's adjustment covers one table."
    )
    return (
        '<section id="comparison" aria-labelledby="comparison-h"><h2 id="comparison-h">Comparison</h2>'
        f'{"".join(parts)}<p class="small">{about}</p></section>'
    )


def _side_section(runs: Sequence[ReportRun]) -> str:
    """Show the pictures that `groundling show --ROLEs` has kept beside the runs."""
    figures = [
        f'<figure class="card"><figcaption>{escape_text(f"{run.name}: {file.stem}")}</figcaption>'
        f'<img alt="{escape_text(f"Games side by side, {file.stem}")}" '
        f'src="data:image/svg+xml;base64,{b64encode(file.read_bytes()).decode()}"></figure>'
        for run in runs
        for file in sorted(side_folder(run.folder).glob("*.svg"))
    ]
    if not figures:
        return ""
    heading = '<h2 id="sides-h">Side by side</h2>'
    return f'<section id="sides" aria-labelledby="sides-h">{heading}{"".join(figures)}</section>'


def _row_class(control: str) -> str:
    return "" if not control else CHANCE if control == CHANCE else "control"
