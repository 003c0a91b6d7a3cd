"""Which episodes of a run a report lists, and which of these it replays."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import polars as pl

REPLAYED = "_replayed"
"""The column that says whether an episode is replayed."""
MOST_LISTED = 10_000
"""A run with more episodes is listed in part: a page of a million lines is of no use."""
RESERVED_ONE_IN = 10
"""One episode in this many is reserved for aborted and limited ones, and one for errored and missing ones."""


def sample_episodes(
    episodes: pl.DataFrame | pl.LazyFrame, main: str, count: int | None, seed: int
) -> pl.DataFrame:
    """Return the episodes that are listed, in their order: all, or those that are replayed and others at
    random. At most `count` are replayed (None: all): a third the worst, a third the best, the rest random.
    The random order depends on the id, so that runs on the same instances get the same episodes. Damaged
    episodes cannot be replayed."""

    def draw_lots(ids: pl.Series) -> pl.Series:
        lots = [blake2b(f"{seed}/{name}".encode(), digest_size=8).digest() for name in ids]
        return pl.Series([int.from_bytes(lot) for lot in lots], dtype=pl.UInt64)

    numbered = episodes.lazy().with_row_index("_at")
    lot = pl.col("episode").map_batches(draw_lots, pl.UInt64, is_elementwise=True).alias("_lot")
    lots = numbered.select("_at", pl.col("status").cast(pl.Categorical), main, lot).collect().sort("_lot")
    replayed = _choose_replayed(lots.filter(pl.col("status") != "damaged"), main, count)
    listed = [*replayed, *_places(lots, replayed, max(0, MOST_LISTED - len(replayed)))]
    return (
        numbered.filter(pl.col("_at").is_in(listed))
        .with_columns(pl.col("_at").is_in(replayed).alias(REPLAYED))
        .drop("_at")
        .collect()
    )


def _choose_replayed(by_lot: pl.DataFrame, main: str, count: int | None) -> list[int]:
    if count is None or count >= by_lot.height:
        return by_lot["_at"].to_list()
    chosen: list[int] = []
    for kinds in (["aborted", "limited"], ["errored", "missing"]):
        chosen += _places(by_lot.filter(pl.col("status").is_in(kinds)), (), count // RESERVED_ONE_IN)
    share = (count - len(chosen)) // 3
    for best in (False, True):
        ranked = by_lot.drop_nulls(main).sort(main, "_lot", descending=[best, False])
        chosen += _places(ranked, chosen, share)
    return [*chosen, *_places(by_lot, chosen, count - len(chosen))]


def _places(ranked: pl.DataFrame, without: Sequence[int], count: int) -> list[int]:
    """Return the places of the first episodes that are not chosen already."""
    found = ranked["_at"]
    return found.filter(~found.is_in(list(without))).head(count).to_list()
