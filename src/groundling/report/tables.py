"""The score table: a row for each set and pair of players, the controls and chance beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite, isnan
from typing import TYPE_CHECKING

from rich import box
from rich.markup import escape
from rich.table import Table

from ..core.pack import Measure, Pack, load
from ..core.values import Role
from ..players import CONTROLS
from ..scores.intervals import Estimate, estimate

if TYPE_CHECKING:
    import polars as pl

ALL = "all"


def score_table(pack: Pack, episodes: pl.DataFrame) -> Table:
    """One game's episodes, of one or more runs and their controls."""
    import polars as pl

    measures = load(pack.measures)
    main = measures[0]
    roles = [role for role in pack.roles if f"refused_{role}" in episodes.columns]
    table = plain_table(f"{pack.name}: {main.about}")
    several = episodes["run"].n_unique() > 1
    for name in ("set", *(["run"] if several else []), "players"):
        table.add_column(name)
    for name in ("n", "clusters", main.name, "95 %", "strict", "tolerant"):
        table.add_column(name, justify="right")
    for measure in measures[1:]:
        table.add_column(measure.name, justify="right")
    for role in roles:
        table.add_column(f"refused\n{role}", justify="right")

    sets = episodes["set"].unique(maintain_order=True).to_list()
    for name in [*sets, ALL] if len(sets) > 1 else sets:
        within = episodes if name == ALL else episodes.filter(pl.col("set") == name)
        for control in ("", *CONTROLS):
            for rows in _groups(within.filter(pl.col("control") == control)):
                run, players = escape(rows["run"][0]), escape(rows["players"][0])
                who = [*([run] if several else []), f"[italic]{players}[/]" if control else players]
                table.add_row(escape(name), *who, *_cells(rows, measures, roles))
        chance = ["", "[italic]chance[/]"] if several else ["[italic]chance[/]"]
        table.add_row(escape(name), *chance, "", "", number(_mean(within["chance"])), end_section=True)
    return table


def plain_table(title: str) -> Table:
    return Table(title=escape(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)


def _groups(episodes: pl.DataFrame) -> Iterator[pl.DataFrame]:
    for _, rows in episodes.group_by("run", "players", maintain_order=True):
        yield rows


def _cells(rows: pl.DataFrame, measures: Iterable[Measure], roles: Iterable[Role]) -> list[str]:
    main, *others = measures
    found = interval(rows, main)
    cells = [str(found.n), str(found.clusters), number(found.mean), span(found.low, found.high)]
    cells += [number(_mean(rows[column])) for column in ("strict", "tolerant")]
    for measure in others:
        cells.append(_shares(rows[measure.name]) if measure.category else number(_mean(rows[measure.name]), ".1f"))
    return cells + [str(rows[f"refused_{role}"].sum()) for role in roles]


def interval(rows: pl.DataFrame, measure: Measure) -> Estimate:
    known = rows.filter(rows[measure.name].is_not_null())
    return estimate(known[measure.name].to_numpy(), known["cluster"].to_list(), low=measure.low, high=measure.high)


def span(low: float, high: float, form: str = ".3f") -> str:
    return "" if isnan(low) else rf"\[{low:{form}}, {high:{form}}]"


def _mean(column: pl.Series) -> float | None:
    mean = column.mean()
    return float(mean) if isinstance(mean, int | float) else None


def number(value: float | None, form: str = ".3f") -> str:
    return "—" if value is None or not isfinite(value) else f"{value:{form}}"


def _shares(column: pl.Series) -> str:
    """How often each value, in per cent, as 33/40/27."""
    known = column.drop_nulls()
    if not len(known):
        return "—"
    counts = [(known == value).sum() for value in range(1, int(known.cast(int).max()) + 1)]  # type: ignore[arg-type]
    return "/".join(f"{100 * count / len(known):.0f}" for count in counts) + " %"
