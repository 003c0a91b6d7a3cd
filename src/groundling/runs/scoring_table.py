"""Tables of scored episodes. A table is the content of a Parquet file, a few bytes an episode. polars reads
those columns of it that are asked for, so that the rows of large runs are never in memory together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from groundling.core.events import SCORED
from groundling.files import write_whole_file
from groundling.runs.kept_rows import ScoredRow
from groundling.runs.sampling import Stratum, check_set_names, sampling_weights
from groundling.runs.stored_run import Run

if TYPE_CHECKING:
    import polars as pl

Frame = TypeVar("Frame", "pl.DataFrame", "pl.LazyFrame")
Outcome: TypeAlias = tuple[str, str, str]
"""The set, the category and the status of an episode."""
BASELINE_PREFIX = "baseline_"
"""The prefix of columns with the expected scores of simple players."""
DONOR_SET = "donor_set"
"""The detail of replies, and with the seat the column, with the set that `shuffled` took words from."""
WORDS, TURNS, FACET = "_words", "_turns", "_facet_"
"""Columns that only reports need: words said, main score by turn, and the prefix of facets."""
CHUNK_ROWS = 10_000
"""Rows that are held as Python objects before they are encoded."""
GROUP_ROWS = 50_000
"""Rows in a row group of the file, of which writing holds a few in memory."""


class ScoreColumns(Protocol):
    """Columns by name: a DataFrame, or a mapping of lists or arrays."""

    def __getitem__(self, name: str, /) -> Any: ...


def encode_scoring_table(
    everywhere: Mapping[str, str],
    columns: Sequence[str],
    rows: Iterator[ScoredRow],
    whole: Mapping[str, Mapping[str, int]],
    for_report: bool,
) -> bytes:
    """Return rows as the content of a Parquet file, with the values that are the same everywhere, and with
    weights for samples of a whole that has these numbers of instances by set and category."""
    import polars as pl

    parts = []
    while chunk := list(islice(rows, CHUNK_ROWS)):
        buffer = BytesIO()
        _make_frame(everywhere, columns, chunk, for_report).write_parquet(buffer)
        parts.append(pl.scan_parquet(buffer.getvalue()))
    if not parts:
        return b""
    buffer = BytesIO()
    table = with_sampling_weights(join_scoring_tables(parts), whole)
    table.sink_parquet(buffer, row_group_size=GROUP_ROWS)
    return buffer.getvalue()


def _make_frame(
    everywhere: Mapping[str, str], columns: Sequence[str], rows: Sequence[ScoredRow], for_report: bool
) -> pl.DataFrame:
    import polars as pl

    *values, more = zip(*rows, strict=True)
    keys = dict.fromkeys(key for some in more for key in some)
    extra = {
        key: [some.get(key) for some in more]
        for key in keys
        if for_report or not key.startswith((WORDS, TURNS, FACET))
    }
    same = {name: [value] * len(rows) for name, value in everywhere.items()}
    frame = pl.DataFrame({**same, **dict(zip(columns, values, strict=True)), **extra}, strict=False)
    # the constructor is slow if it is given the type of lists that are empty
    return frame.with_columns(pl.col(TURNS).cast(pl.List(pl.Float64))) if for_report else frame


def scan_scoring_table(content: bytes) -> pl.LazyFrame:
    """Return a table whose columns are read when they are needed. One without rows has no columns."""
    import polars as pl

    return pl.scan_parquet(content) if content else pl.LazyFrame()


def write_scoring_table(folder: Run, content: bytes) -> None:
    """Write the table beside the log, atomically."""
    write_whole_file(folder.scores_path, content)


def join_scoring_tables(tables: Sequence[Frame]) -> Frame:
    """Concatenate tables; the result has all columns that any of them has."""
    import polars as pl

    return tables[0] if len(tables) == 1 else pl.concat(tables, how="diagonal_relaxed")


def with_sampling_weights(table: pl.LazyFrame, whole: Mapping[str, Mapping[str, int]]) -> pl.LazyFrame:
    """Add `stratum_size`, the number of instances that the whole has of an episode's set and category, null
    where that is unknown, and `sampling_weight`, by which an episode counts in means over the whole."""
    import polars as pl

    outcomes = count_outcomes(table)
    weights = sampling_weights(whole, scored_strata(outcomes))
    strata = list(dict.fromkeys((name, category) for name, category, _ in outcomes))
    added = {
        "stratum_size": pl.Series(
            [whole.get(name, {}).get(category) for name, category in strata], dtype=pl.Int64
        ),
        "sampling_weight": pl.Series([weights.get(stratum, 1.0) for stratum in strata], dtype=pl.Float64),
    }
    keys = {name: [stratum[at] for stratum in strata] for at, name in enumerate(("set", "category"))}
    return table.drop(*added, strict=False).join(
        pl.LazyFrame({**keys, **added}), on=list(keys), how="left", maintain_order="left"
    )


def count_outcomes(table: pl.DataFrame | pl.LazyFrame) -> Counter[Outcome]:
    """Count episodes by set, category and status."""
    if "status" not in table.collect_schema():  # a table without rows has no columns
        return Counter()
    counts = table.lazy().group_by("set", "category", "status").len().collect()
    return Counter({(name, category, status): count for name, category, status, count in counts.rows()})


def scored_strata(outcomes: Mapping[Outcome, int]) -> Counter[Stratum]:
    """Count the episodes that have a score by set and category."""
    found = Counter[Stratum]()
    for (name, category, status), count in outcomes.items():
        if status in SCORED:
            found[name, category] += count
    return found


def count_statuses(outcomes: Mapping[Outcome, int]) -> Counter[str]:
    found = Counter[str]()
    for (_, _, status), count in outcomes.items():
        found[status] += count
    return found


def choose_table_sets(table: Frame, names: Sequence[str]) -> Frame:
    """Return the episodes of these sets; of all sets if no name is given."""
    import polars as pl

    if not names or "set" not in table.collect_schema():
        return table
    check_set_names(names, table.lazy().select(pl.col("set").unique()).collect()["set"].to_list())
    return table.filter(pl.col("set").is_in(list(names)))


def borrowed_words_lines(table: pl.DataFrame | pl.LazyFrame) -> Iterator[str]:
    """Yield a line if the control `shuffled` took words from other sets."""
    import polars as pl

    for column in table.collect_schema().names():
        if column.startswith(f"{DONOR_SET}_"):
            counts = table.lazy().select(pl.col(column).count(), pl.len()).collect()
            yield from describe_borrowed_words(*counts.row(0))


def describe_borrowed_words(borrowed: int, episodes: int) -> Iterator[str]:
    """The same, given the number of episodes whose words were taken from another set."""
    if borrowed:
        yield (
            f"in {borrowed:,} of {episodes:,} episodes the words are about an instance "
            "of another set, as their own set has no other: play more of each set to avoid this"
        )
