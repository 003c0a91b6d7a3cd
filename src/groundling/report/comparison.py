"""The comparison of two sets of episodes, in pairs where they share instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import polars as pl
from msgspec import Struct

from groundling.core.pack import Measure, load
from groundling.core.values import Problem
from groundling.report.score_table import ALL, format_p, format_score_interval, format_score_number
from groundling.report.text_table import Column, TableRow, TextTable
from groundling.runs.sampling import sampling_weights
from groundling.runs.scoring import score_run
from groundling.runs.scoring_table import choose_table_sets
from groundling.runs.stored_run import Run
from groundling.scores.comparison import Comparison, adjust_comparisons, compare_pairs, compare_samples
from groundling.scores.intervals import Floats


class ComparisonSide(Struct, frozen=True):
    """One side of a comparison: a run, its episodes, and those of them that are compared."""

    name: str
    run: Run
    played: pl.DataFrame
    chosen: pl.DataFrame


def read_comparison_side(name: str, open_named: Callable[[str], Run], sets: Sequence[str]) -> ComparisonSide:
    """Score a run that is given as DIR or DIR@SET."""
    path, _, one_set = name.partition("@")
    run = open_named(path)
    played = score_run(run)
    chosen = choose_table_sets(choose_table_sets(played, sets), [one_set] if one_set else [])
    if chosen.is_empty():
        raise Problem(f"nothing to compare in {name}: nothing was played")
    return ComparisonSide(name, run, played, chosen)


def compare_run_sides(a: ComparisonSide, b: ComparisonSide) -> tuple[list[Comparison], int]:
    """Compare two sides of one game as `compare_report_sides` does."""
    one, other = a.run.find_pack(), b.run.find_pack()
    if one.name != other.name:
        raise Problem(f"{a.name} is a run of {one.name}, {b.name} of {other.name}: compare runs of one game")
    return compare_report_sides(load(one.measures), a.chosen, b.chosen)


def compare_report_sides(
    measures: Iterable[Measure], a: pl.DataFrame, b: pl.DataFrame
) -> tuple[list[Comparison], int]:
    """Return a comparison for each measure and set, and the number of episodes without a partner. Two sides
    that share no instance, such as two sets made from the same targets, are paired by their source; without a
    common source they are compared as independent samples."""
    a, b = _with_pair_keys(a), _with_pair_keys(b)
    unit = next((unit for unit in ("same", "source") if set(a[unit]) & set(b[unit]) - {""}), None)
    shared = a.join(b, on=unit, how="semi") if unit else a
    sets = sorted(set(shared["set"])) if unit == "same" else []
    found: list[Comparison] = []
    for measure in measures:
        if not measure.category:
            for name in [*sets, ALL] if len(sets) != 1 else sets:
                found += _compare_measure(measure, name, a, b, unit)
    unpaired = (
        sum(one.join(other, on=unit, how="anti").height for one, other in ((a, b), (b, a))) if unit else 0
    )
    return adjust_comparisons(found), unpaired


def _with_pair_keys(side: pl.DataFrame) -> pl.DataFrame:
    """Add the columns `same` and `source`, which identify an instance and its source. Ids alone do not
    suffice, since every file numbers its instances from 1."""
    same = pl.concat_str("episode", "origin", "cluster", separator="|").alias("same")
    source = (
        pl.when(pl.col("group") == "")
        .then(pl.lit(""))
        .otherwise(pl.concat_str("origin", "group", separator="|"))
    )
    return side.with_columns(same, source.alias("source"))


def _compare_measure(
    of: Measure, name: str, a: pl.DataFrame, b: pl.DataFrame, unit: str | None
) -> list[Comparison]:
    measure = of.name
    if not of.by_weight:
        a, b = (side.with_columns(pl.lit(1.0).alias("weight")) for side in (a, b))
    if unit is None:
        own = pl.col("weight") * pl.col("sampling_weight")
        a, b = (side.with_columns(own.alias("weight")) for side in (a, b))
    label = measure if name == ALL else f"{measure}, {name}"
    a, b = (side.drop_nulls(measure) for side in (a, b))
    if unit is None:
        samples = [(side[measure].to_numpy(), side["cluster"].to_list()) for side in (a, b)]
        weights = a["weight"].to_numpy(), b["weight"].to_numpy()
        if a.height and b.height:
            return [compare_samples(label, *samples[0], *samples[1], weights=weights)]
        return []
    if name != ALL:
        a = a.filter(pl.col("set") == name)
    means = (
        pl.col(measure, "weight").mean(),
        pl.col("set", "category", "stratum_size").first(),
        pl.col("cluster" if unit == "same" else "source").first().alias("pair"),
    )
    sides = [
        side.filter(pl.col(unit) != "").group_by(pl.col(unit).alias("unit")).agg(*means) for side in (a, b)
    ]
    pairs = sides[0].join(sides[1], on="unit", suffix="_b").sort("unit")
    if pairs.is_empty():
        return []
    values = pairs[measure].to_numpy(), pairs[f"{measure}_b"].to_numpy()
    sampled = pairs["weight"].to_numpy() * _pair_weights(pairs)
    return [compare_pairs(label, *values, pairs["pair"].to_list(), weights=sampled)]


def _pair_weights(pairs: pl.DataFrame) -> Floats:
    """Return the weights with which the pairs stand for the whole, which one side may have played."""
    sizes = pairs.select("set", "category", size=pl.max_horizontal("stratum_size", "stratum_size_b"))
    whole: dict[str, dict[str, int]] = {}
    for name, category, size in sizes.rows():
        if size is not None:
            whole.setdefault(name, {})[category] = size
    strata = list(sizes.select("set", "category").rows())
    weights = sampling_weights(whole, strata)
    return np.array([weights[stratum] for stratum in strata])


COLUMNS = ("n", "clusters", "A", "B", "B - A", "95 %", "p", "p (Holm)", "effect", "detectable")


def comparison_cells(found: Comparison) -> list[str]:
    """Format the cells of COLUMNS."""
    return [
        str(found.n),
        str(found.clusters),
        format_score_number(found.a),
        format_score_number(found.b),
        format_score_number(found.difference, "+.3f"),
        format_score_interval(found.low, found.high, "+.3f"),
        *map(format_p, (found.p, found.holm)),
        format_score_number(found.effect, "+.2f"),
        format_score_number(found.detectable),
    ]


def comparison_table(a: str, b: str, comparisons: Iterable[Comparison]) -> TextTable:
    comparisons = list(comparisons)
    how = (
        "in pairs"
        if all(found.paired for found in comparisons)
        else "two independent samples, nothing to pair"
    )
    joined = COLUMNS[1 : COLUMNS.index("95 %") + 1]
    return TextTable(
        f"B - A, {how} (A: {a}; B: {b})",
        ("measure",),
        tuple(Column(name, joined=name in joined) for name in COLUMNS),
        tuple(TableRow((found.name,), tuple(comparison_cells(found))) for found in comparisons),
    )
