"""The table and the text of `groundling fresh`: published minus fresh, for a player and for rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isnan

import polars as pl
from msgspec import Struct

from groundling.core.pack import Pack, load
from groundling.report.score_table import format_score_interval
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.runs.fresh_sets import PUBLISHED
from groundling.runs.sampling import sampling_weights
from groundling.scores.exposure import ExposureEstimate, ItemScores, SetDifference, estimate_exposure

PLAYED, IF_PLAYED = "played", "if played"


class SetEpisodes(Struct, frozen=True):
    """The scored episodes of the sets: of the player, and of every table of rules."""

    player: Mapping[str, pl.DataFrame]
    rules: Sequence[Mapping[str, pl.DataFrame]]


def exposure_estimates(pack: Pack, found: SetEpisodes) -> tuple[list[ExposureEstimate], int]:
    """Return the estimates for the main measure, for the share that was played to its end, for the measure
    where it was, and for each wording, and the number of fresh episodes that are left out because the
    published set has the same item."""
    main = load(pack.measures)[0].name
    whole = _count_table_strata(found.player[PUBLISHED])
    rules = pl.concat([_item_rows(one, main) for one in found.rules])
    shown = _item_rows(found.player, main)
    known = shown.filter(pl.col("part") == PUBLISHED)["cluster"].unique()
    again = (pl.col("part") != PUBLISHED) & pl.col("cluster").is_in(known.implode())
    kept = shown.filter(~again)
    subsets = {main: kept, PLAYED: kept, IF_PLAYED: kept.filter(pl.col(PLAYED) == 1)}
    wordings = kept["wording"].unique(maintain_order=True).to_list()
    if len(wordings) > 1:
        subsets |= {f"{main}, {name}": kept.filter(pl.col("wording") == name) for name in sorted(wordings)}
    estimates = []
    for name, rows in subsets.items():
        column = PLAYED if name == PLAYED else main
        of_rules = rules.filter(pl.col(PLAYED) == 1) if name == IF_PLAYED else rules
        means = of_rules.group_by("part", "instance").agg(pl.col(column).mean().alias("rules"))
        joined = rows.join(means, on=["part", "instance"])
        sides = (joined.filter(pl.col("part") == PUBLISHED), joined.filter(pl.col("part") != PUBLISHED))
        estimates.append(estimate_exposure(name, *(_item_scores(side, column, whole) for side in sides)))
    return estimates, shown.height - kept.height


def _item_rows(parts: Mapping[str, pl.DataFrame], main: str) -> pl.DataFrame:
    """Return the scored episodes of all sets. Clusters of one item are renamed, as ids recur in every set."""
    rows = []
    for part, table in parts.items():
        prompts = [name for name in table.columns if name.startswith("prompt_") and "hash" not in name]
        wording = pl.concat_str(*prompts, separator=" ", ignore_nulls=True) if prompts else pl.lit("")
        own = pl.col("cluster") == pl.col("instance")
        rows.append(
            table.drop_nulls(main).select(
                pl.lit(part).alias("part"),
                "instance",
                "set",
                "category",
                "status",
                "weight",
                pl.col(main).cast(pl.Float64),
                (pl.col("status") == "played").cast(pl.Float64).alias(PLAYED),
                pl.when(own)
                .then(pl.lit(f"{part} ") + pl.col("cluster"))
                .otherwise("cluster")
                .alias("cluster"),
                wording.alias("wording"),
            )
        )
    return pl.concat(rows)


def _item_scores(side: pl.DataFrame, column: str, whole: Mapping[str, Mapping[str, int]]) -> ItemScores:
    """Weight the episodes so that every set and category has the share that it has in the published set."""
    weights = sampling_weights(whole, strata := list(side.select("set", "category").iter_rows()))
    by_turns = side["weight"].to_numpy() if column != PLAYED else 1.0
    shares = pl.Series([weights[stratum] for stratum in strata], dtype=pl.Float64).to_numpy()
    return ItemScores(
        side[column].to_numpy(), side["rules"].to_numpy(), side["cluster"].to_list(), shares * by_turns
    )


def _count_table_strata(table: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Return the sizes of the sets and categories of the whole of which these episodes are a part."""
    sizes: dict[str, dict[str, int]] = {}
    for name, category, size in table.select("set", "category", "stratum_size").unique().iter_rows():
        sizes.setdefault(name, {})[category] = size or 0
    return sizes


def exposure_table(pack: Pack, players: str, sets: int, estimates: Sequence[ExposureEstimate]) -> TextTable:
    columns = [
        Column(name, joined=True) for name in ("published", "fresh", "difference", "rules", "beyond", "95 %")
    ]
    return TextTable(
        f"{pack.name}, {players}: the published set and {count_noun(sets, 'fresh set')}",
        ("",),
        (*columns, Column("95 % of difference"), Column("published clusters"), Column("fresh clusters")),
        tuple(TableRow((one.name,), _estimate_cells(one)) for one in estimates),
        (
            "difference: published minus fresh; rules: the same difference for players that cannot have seen "
            "the items; beyond: the difference without that of the rules",
            f"{PLAYED}: the share of episodes that were not aborted; {IF_PLAYED}: the score of those",
        ),
    )


def _estimate_cells(one: ExposureEstimate) -> tuple[str, ...]:
    raw, beyond = one.raw, one.adjusted
    means = [f"{value:.3f}" if isfinite(value) else "—" for value in (raw.published, raw.fresh)]
    differences = (raw.difference, one.rules_difference, beyond.difference)
    gaps = [f"{value:+.3f}" if isfinite(value) else "—" for value in differences]
    return (
        *means,
        *gaps,
        format_score_interval(beyond.low, beyond.high, "+.3f"),
        format_score_interval(raw.low, raw.high, "+.3f"),
        *map(str, one.clusters),
    )


def exposure_lines(estimates: Sequence[ExposureEstimate], left_out: int) -> Iterator[str]:
    """Yield what follows from the estimate of the main measure, and never more than that."""
    main = estimates[0]
    yield f"{main.name}: {describe_exposure(main.adjusted)}"
    if main.flat_rules:
        yield (
            "the rules score the same on all items, so that no difference in difficulty is taken out; "
            "--rules ROLE=PLAYER chooses others"
        )
    if left_out:
        yield f"{count_noun(left_out, 'fresh episode')} left out: the published set has the same item"


def describe_exposure(found: SetDifference) -> str:
    beyond = f"{found.difference:+.3f} {format_score_interval(found.low, found.high, '+.3f')}"
    if isnan(found.low):
        return "there are too few items for an interval: nothing follows"
    if found.low > 0:
        return (
            f"better on the published set by {beyond} beyond the rules. This is consistent with exposure to "
            "the published set, and with any other difference between the sets that the rules do not show"
        )
    if found.high < 0:
        return f"worse on the published set by {beyond} beyond the rules: no sign of exposure"
    told = f"no difference was found beyond the rules, {beyond}"
    if isnan(found.detectable):
        return f"{told}; the scores do not vary, so that the size that could be found is unknown"
    return f"{told}; one of {found.detectable:.3f} would be found in 80 % of such comparisons"
