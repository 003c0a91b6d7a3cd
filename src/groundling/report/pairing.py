"""Two sides on the same instances, pair by pair."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from ..core.pack import Measure
from ..core.values import Problem
from ..scores.pairs import Comparison, compare, family
from .tables import ALL, number, plain_table, span

if TYPE_CHECKING:
    import polars as pl


def compare_sides(measures: Iterable[Measure], a: pl.DataFrame, b: pl.DataFrame) -> tuple[list[Comparison], int]:
    """A row for each measure and set, and how many episodes had no partner. Two sides that share no episode, such as two
    sets made from the same targets, are paired by what their instances were made from."""
    unit = "episode" if set(a["episode"]) & set(b["episode"]) else "group"
    cluster = "cluster" if unit == "episode" else "group"
    shared = set(a[unit]) & set(b[unit]) - {""}
    if not shared:
        raise Problem("nothing to pair: the two sides share no instance, and none made from the same target")
    unpaired = sum(int((~side[unit].is_in(list(shared))).sum()) for side in (a, b))
    sets = sorted(set(a["set"])) if unit == "episode" else []
    found: list[Comparison] = []
    for measure in measures:
        if not measure.category:
            for name in [*sets, ALL] if len(sets) != 1 else sets:
                found += _compare(measure.name, name, a, b, unit, cluster)
    return family(found), unpaired


def _compare(measure: str, name: str, a: pl.DataFrame, b: pl.DataFrame, unit: str, cluster: str) -> list[Comparison]:
    import polars as pl

    if name != ALL:
        a = a.filter(pl.col("set") == name)
    means = pl.col(measure).mean(), pl.col(cluster).first().alias("pair")
    sides = [side.drop_nulls(measure).group_by(unit).agg(*means) for side in (a, b)]
    pairs = sides[0].join(sides[1], on=unit, suffix="_b").sort(unit)
    if pairs.is_empty():
        return []
    values = pairs[measure].to_numpy(), pairs[f"{measure}_b"].to_numpy()
    return [compare(measure if name == ALL else f"{measure}, {name}", *values, pairs["pair"].to_list())]


COLUMNS = ("pairs", "clusters", "A", "B", "B - A", "95 %", "p", "p (Holm)", "effect", "detectable")


def comparison_cells(found: Comparison) -> list[str]:
    """What stands under COLUMNS."""
    return [
        str(found.n),
        str(found.clusters),
        number(found.a),
        number(found.b),
        number(found.difference, "+.3f"),
        span(found.low, found.high, "+.3f"),
        *("< 0.001" if p < 0.001 else number(p) for p in (found.p, found.holm)),
        number(found.effect, "+.2f"),
        number(found.detectable),
    ]


def comparison_table(a: str, b: str, comparisons: Iterable[Comparison]) -> Table:
    table = plain_table(f"B - A, in pairs (A: {a}; B: {b})")
    table.add_column("measure")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for found in comparisons:
        table.add_row(escape(found.name), *map(escape, comparison_cells(found)))
    return table
