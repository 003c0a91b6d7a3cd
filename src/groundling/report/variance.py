"""Lines below the score table on variance components, for runs with repeated instances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundling.core.pack import Pack, load
from groundling.report.score_table import label_codes
from groundling.scores.variance import variance_shares

if TYPE_CHECKING:
    import polars as pl


def variance_lines(pack: Pack, episodes: pl.DataFrame) -> Iterator[str]:
    import polars as pl

    main = load(pack.measures)[0].name
    prompts = [name for name in (f"prompt_{role}" for role in pack.roles) if name in episodes.columns]
    played = episodes.filter(pl.col("control") == "").drop_nulls(main)
    worded = played.with_columns(
        pl.concat_str(*prompts, separator=" ", ignore_nulls=True).alias("wording")
        if prompts
        else pl.lit("").alias("wording")
    )
    for (run, players), rows in worded.group_by("run", "players", maintain_order=True):
        found = variance_shares(
            rows[main].to_numpy(), label_codes(rows["instance"]), label_codes(rows["wording"])
        )
        if found is None or rows["instance"].n_unique() == rows.height or not rows[main].n_unique() > 1:
            continue
        several = rows["wording"].n_unique() > 1
        parts = {
            "instance": found.instance,
            "wording": found.wording,
            "instance and wording together": found.both,
        }
        parts = {**(parts if several else {"instance": found.instance}), "repeat": found.repeat}
        told = ", ".join(f"{name} {share:.0%}" for name, share in parts.items())
        yield f"{run}, {players}: variance of {main} over {found.instances} instances: {told}"
