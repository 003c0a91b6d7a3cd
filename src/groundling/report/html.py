"""The report as one self-contained HTML file that works offline."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape as escape_html
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from groundling import __version__
from groundling.boards.picture import visible
from groundling.core.events import encode
from groundling.core.pack import Pack, load
from groundling.core.values import Problem
from groundling.report.figures import plots
from groundling.report.gather import STATUSES, Run, gather, homeless
from groundling.report.pairing import COLUMNS, compare_sides, comparison_cells
from groundling.report.plots import COLOURS, Plot
from groundling.report.replays import Replayer, choose
from groundling.report.tables import CHANCE, Row, measured, number, score_rows, seats, span
from groundling.scores.intervals import Estimate

if TYPE_CHECKING:
    import polars as pl


def report(names: Iterable[str], episodes: int | None = 200, seed: int = 0) -> str:
    """Render the page on these runs with at most `episodes` replays; None for all."""
    from groundling.runs.scoring import join

    pack, runs = gather(names)
    table = join([run.episodes for run in runs])
    rows = score_rows(pack, table)
    style, script = _part("style.css") + _part("lib/replay.css"), _script()
    data, chosen = _data(pack, runs, episodes, seed)
    comparison = _comparison(pack, runs)
    return _fill(
        _part("template.html"),
        policy=_policy(style, script),
        version=__version__,
        title=_text(f"{pack.name}: {', '.join(run.name for run in runs)}"),
        style=style,
        game=_text(pack.name),
        about=_text(f"{pack.about[:1].upper()}{pack.about[1:]}."),
        compared='<a href="#comparison">Comparison</a> ' if comparison else "",
        cards="".join(_card(pack, rows, number, run) for number, run in enumerate(runs)),
        run=_what_was_run(runs),
        scores=_scores(pack, table, rows),
        comparison=comparison,
        plots="".join(map(_figure, plots(pack, runs, rows))),
        chosen=_text(chosen),
        data=data,
        script=script,
    )


def _part(name: str) -> str:
    return (files("groundling.report") / "page" / name).read_text(encoding="utf-8")


def _script() -> str:
    """Join all modules into one script, since a self-contained file cannot import any."""
    parts = [_part(f"lib/{name}.js") for name in ("elements", "picture", "replay")]
    return re.sub(r"^(export |import .*\n)", "", "".join([*parts, _part("report.js")]), flags=re.MULTILINE)


def _fill(template: str, **parts: str) -> str:
    """Fill all placeholders in one pass, so that inserted text is not searched for placeholders."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows nothing but our own script and style sheet. Style
    attributes are allowed, since drawings use them, hashes cannot list them, and nothing can be loaded
    through them."""
    style_hash, script_hash = (b64encode(sha256(part.encode()).digest()).decode() for part in (style, script))
    return (
        f"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'sha256-{style_hash}'; "
        f"style-src-attr 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def _text(words: object) -> str:
    """Escape words for HTML and make control characters visible."""
    return escape_html(visible(str(words)))


def _card(pack: Pack, rows: Sequence[Row], number_: int, run: Run) -> str:
    measure = load(pack.measures)[0].name
    own = [row for row in rows if row.run == run.name and not row.control]
    last = [row for row in own if row.set == own[-1].set]
    found = "".join(
        f"<p>{_text(row.players)}</p>"
        f'<p class="mean">{number(row.main.mean)} <small>{_text(measure)}</small></p>'
        f'<p class="small">95 % {span(row.main.low, row.main.high) or "unknown"}, n = {row.main.n}</p>'
        for row in last
    )
    return f'<div class="figure c{number_ % COLOURS}"><p class="small">{_text(run.name)}</p>{found}</div>'


def _what_was_run(runs: Sequence[Run]) -> str:
    head = ("run", "planned", *STATUSES)
    rows = [
        (_kind(control), [f"{run.name}, {control}" if control else run.name, *map(str, counts.values())])
        for run in runs
        for control, counts in run.counts.items()
    ]
    unplayed = [run.name for run in runs if len(run.counts) == 1]
    note = f'<p class="small">Played without controls: {_text(", ".join(unplayed))}.</p>' if unplayed else ""
    plans = "".join(_plan(run) for run in runs)
    told = (
        "Aborted episodes ended on refused replies and count as nothing won; errored ones stopped because a "
        "player could not answer; they, and missing ones, have no score."
    )
    return f'{_table("Episodes", head, [("", rows)])}<p class="small">{told}</p>{note}{plans}'


def _plan(run: Run) -> str:
    about, plan = run.about, run.about["plan"]
    facts = {
        "folder": run.name,
        "game": plan.get("game"),
        **{f"seat: {role}": spec for role, spec in plan.get("seats", {}).items()},
        **{f"{role}: {k}": v for role, known in plan.get("players", {}).items() for k, v in known.items()},
        "settings": _pairs(msgspec.to_builtins(msgspec.structs.asdict(run.folder.game().settings))) or "none",
        **{key: plan[key] for key in ("seed", "repeat", "wordings", "retries", "strict") if key in plan},
        "instances": about.get("source"),
        "their SHA-256": plan.get("instances"),
        "groundling": about.get("groundling"),
        "Python": about.get("python"),
        "platform": about.get("platform"),
        "begun": about.get("created"),
    }
    terms = "".join(
        f"<dt>{_text(key)}</dt><dd>{_text(homeless(_plain(value)))}</dd>" for key, value in facts.items()
    )
    summary = f"<summary>Settings and versions of {_text(run.name)}</summary>"
    return f'<details class="plan">{summary}<dl class="terms">{terms}</dl></details>'


def _plain(value: Any) -> str:
    return (
        {True: "yes", False: "no", None: "unknown"}[value]
        if value is None or isinstance(value, bool)
        else str(value)
    )


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_plain(value)}" for key, value in values.items())


def _scores(pack: Pack, episodes: pl.DataFrame, rows: Sequence[Row]) -> str:
    (main, *others), rows = measured(pack, rows)
    several = episodes["run"].n_unique() > 1
    who = ("players", *(["run"] if several else []))
    refused = [f"refused, {role}" for role in seats(pack, episodes)]

    def grouped(cells: Any, chance: bool) -> list[tuple[str, list[tuple[str, list[str]]]]]:
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for row in rows:
            if row.control != CHANCE or chance:
                names = [row.players, *([row.run] if several else [])]
                found.setdefault(row.set, []).append((_kind(row.control), [*names, *cells(row)]))
        return list(found.items())

    terms = "".join(f"<dt>{_text(m.name)}</dt><dd>{_text(m.about)}</dd>" for m in (main, *others))
    first = _table(
        f"{main.name} by set",
        (*who, "n", "clusters", main.name, "95 %", "strict", "tolerant", *refused),
        grouped(_main_cells, True),
    )
    forms = [".3f" if m.high is not None and m.high <= 1 else ".1f" for m in others]

    def means(row: Row) -> list[str]:
        return [_mean(value, form) for value, form in zip(row.others, forms, strict=True)]

    second = (
        _table("Other measures, means", (*who, *(m.name for m in others)), grouped(means, False))
        if others
        else ""
    )
    about = (
        "Intervals are from resampled clusters of instances that are not independent; with few clusters they "
        "are too narrow. Controls take the speaker's words away (silent) or exchange them (shuffled): what "
        "is left of a score did not come from words. Categories are shares in per cent."
    )
    return f'{first}{second}<p class="small">{about}</p><dl class="terms">{terms}</dl>'


def _mean(value: float | str | Estimate | None, form: str) -> str:
    if isinstance(value, Estimate):
        return f"{number(value.mean, form)} {span(value.low, value.high, form)}"
    return value if isinstance(value, str) else number(value, form)


def _main_cells(row: Row) -> list[str]:
    if row.control == CHANCE:
        return ["", "", number(row.main.mean)]
    main = row.main
    return [
        *(str(main.n), str(main.clusters), number(main.mean), span(main.low, main.high)),
        *(number(row.strict), number(row.tolerant), *map(str, row.refused)),
    ]


def _comparison(pack: Pack, runs: Sequence[Run]) -> str:
    """Compare each run with the first."""
    if len(runs) < 2:
        return ""
    first, *others = ((run.name, run.episodes.filter(run.episodes["control"] == "")) for run in runs)
    parts = []
    for name, episodes in others:
        try:
            found, unpaired = compare_sides(load(pack.measures), first[1], episodes)
        except Problem as trouble:
            parts.append(f"<p>{_text(first[0])} and {_text(name)}: {_text(trouble)}.</p>")
            continue
        rows = [("", [each.name, *comparison_cells(each)]) for each in found]
        parts.append(_table(f"A: {first[0]}; B: {name}", ("measure", *COLUMNS), [("", rows)]))
        if unpaired:
            parts.append(
                f'<p class="small">{unpaired} episodes have no partner on the other side '
                "and are left out.</p>"
            )
    about = (
        "Differences within pairs of episodes on the same instance. p by flipping the signs of whole "
        "clusters; Holm's adjustment is over one table."
    )
    return (
        '<section id="comparison" aria-labelledby="comparison-h"><h2 id="comparison-h">Comparison</h2>'
        f'{"".join(parts)}<p class="small">{about}</p></section>'
    )


def _figure(plot: Plot) -> str:
    numbers = _table(
        f"{plot.title}, the numbers", plot.head, [("", [("", list(row)) for row in plot.numbers])]
    )
    return (
        f"<figure><figcaption>{_text(plot.title[:1].upper() + plot.title[1:])}</figcaption>"
        f'<p class="small">{_text(plot.about)}</p>'
        f'{plot.svg}<details><summary class="numbers">The numbers</summary>{numbers}</details></figure>'
    )


def _kind(control: str) -> str:
    return "" if not control else CHANCE if control == CHANCE else "control"


NAMES = frozenset({"players", "run", "set", "measure"})
"""Columns of text; all others are numbers."""


def _table(
    caption: str, head: Sequence[str], groups: Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]
) -> str:
    """Format groups of rows, each with a heading if its name is not empty. A row is a CSS class and its
    cells, of which the first is its header."""
    kinds = ["" if name in NAMES else ' class="n"' for name in head]
    top = "".join(f'<th scope="col"{kind}>{_text(name)}</th>' for name, kind in zip(head, kinds, strict=True))
    body = []
    for heading, rows in groups:
        body.append("<tbody>")
        if heading:
            body.append(f'<tr><th scope="rowgroup" colspan="{len(head)}">{_text(heading)}</th></tr>')
        for row_kind, (name, *cells) in rows:
            padded = [*cells, *[""] * (len(head) - 1 - len(cells))]
            line = "".join(
                f"<td{kind}>{_text(cell)}</td>" for cell, kind in zip(padded, kinds[1:], strict=True)
            )
            body.append(
                f'<tr{f" class={row_kind}" if row_kind else ""}><th scope="row">{_text(name)}</th>{line}</tr>'
            )
        body.append("</tbody>")
    label = _text(caption)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f"<table><caption>{label}</caption>"
        f"<thead><tr>{top}</tr></thead>{''.join(body)}</table></div>"
    )


def _data(pack: Pack, runs: Sequence[Run], count: int | None, seed: int) -> tuple[str, str]:
    """Return JSON blocks with the list of episodes and the chosen replays, and a text on how they were
    chosen."""
    main = load(pack.measures)[0].name
    own = [run.episodes.filter(run.episodes["control"] == "") for run in runs]
    sets = list(dict.fromkeys(name for episodes in own for name in episodes["set"]))
    rows: list[list[Any]] = []
    blocks: list[str] = []
    for number_, (run, episodes) in enumerate(zip(runs, own, strict=True)):
        share = None if count is None else count // len(runs) + (number_ < count % len(runs))
        chosen = choose(episodes, main, share, seed)
        places = {name: len(blocks) + place for place, name in enumerate(chosen)}
        replayer = Replayer(pack, run.folder.game())
        blocks += [
            _json(f"replay-{len(blocks) + n}", replayer.replay(t))
            for n, t in enumerate(run.folder.chosen(chosen))
        ]
        for name, place, status, score in episodes.select("episode", "set", "status", main).iter_rows():
            rounded = None if score is None else round(score, 4)
            rows.append(
                [number_, name, sets.index(place), STATUSES.index(status), rounded, places.get(name, -1)]
            )
    index = {
        "runs": [run.name for run in runs],
        "sets": sets,
        "statuses": STATUSES,
        "measure": main,
        "rows": rows,
    }
    told = f"All {len(rows)} episodes can be replayed, turn by turn."
    if len(blocks) < len(rows):
        told = (
            f"{len(blocks)} of {len(rows)} episodes can be replayed here, turn by turn: a third of them the "
            f"worst, a third the best, the rest by lot (seed {seed}), with places kept for aborted and "
            "errored ones. All are listed; groundling show DIR EPISODE prints any of them, and groundling "
            "report --episodes all puts all in."
        )
    told += " Arrow keys step through the open one."
    return _json("index", index) + "".join(blocks), told


def _json(name: str, value: Any) -> str:
    """Return a script element of JSON. Without any < it cannot end the element or begin a comment."""
    data = encode(value).decode().replace("<", r"\u003c")
    return f'<script type="application/json" id="{name}">{data}</script>\n'
