"""Lines below the score table on variance components, for runs with repeated instances."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from groundling.core.pack import Pack, load
from groundling.report.score_table import label_code
from groundling.scores.variance import variance_shares


def variance_lines(pack: Pack, episodes: pl.DataFrame | pl.LazyFrame) -> Iterator[str]:
    main, known = load(pack.measures)[0].name, episodes.collect_schema()
    prompts = [name for name in (f"prompt_{role}" for role in pack.roles) if name in known]
    wording = pl.concat_str(*prompts, separator=" ", ignore_nulls=True) if prompts else pl.lit("")
    played = episodes.lazy().filter(pl.col("control") == "").drop_nulls(main)
    worded = played.with_columns(wording.alias("wording"))
    pairs = worded.select("run", "players").unique(maintain_order=True).collect(engine="streaming")
    for run, players in pairs.rows():
        own = worded.filter(pl.col("run") == run, pl.col("players") == players)
        labels = (label_code(own, name) for name in ("instance", "wording"))
        rows = own.select(main, *labels).collect(engine="streaming")
        found = variance_shares(*(rows[name].to_numpy() for name in (main, "instance", "wording")))
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
