"""What the calls of each seat used: lines for a summary, and a table for scores and reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from groundling.core.pack import Pack
from groundling.core.values import Role
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.runs.prices import FREE, ModelPrice
from groundling.runs.seat_usage import SeatUsage

if TYPE_CHECKING:
    import polars as pl

COST_COLUMNS = (
    *("calls", "tokens in", "cached", "out", "reasoning"),
    *("seconds", "retries", "truncated", "filtered", "refused"),
)
COST_NOTE = (
    "Tokens out include reasoning, retries those of calls that failed in the end. Truncated answers ended at "
    "a limit of tokens. Filtered ones were stopped by the provider and count as refused."
)


class CostRow(Struct, frozen=True):
    run: str
    seat: str
    """The role and the player, and the name of a control."""
    cells: tuple[str, ...]
    """In the order of COST_COLUMNS."""
    estimated: int


def cost_line(
    role: Role, name: str, used: SeatUsage, price: ModelPrice | None, *, at_most: bool = False
) -> str:
    """Return what a player used, or may use at most, in one line."""
    most = "at most " if at_most else ""
    parts = [count_noun(used.calls, "call")]
    if used.input_tokens or used.output_tokens:
        cached = f" ({used.cached_tokens:,} cached)" if used.cached_tokens else ""
        parts += [f"{most}{used.input_tokens:,} tokens in{cached}", f"{most}{used.output_tokens:,} out"]
    else:
        parts.append(count_noun(used.total_tokens, "token"))
    parts += [f"{most}${price.usage_cost(used):.4f}"] if price and price != FREE else []
    parts += [f"{used.truncated:,} truncated"] if used.truncated else []
    parts += [f"{used.filtered:,} filtered"] if used.filtered else []
    parts += [f"usage estimated for {count_noun(used.estimated, 'call')}"] if used.estimated else []
    return f"{role}, {name}: {', '.join(parts)}"


def cost_rows(pack: Pack, episodes: pl.DataFrame | pl.LazyFrame) -> Iterator[CostRow]:
    """Yield a row for each seat of each run and control whose player reports what it uses."""
    import polars as pl

    known = episodes.collect_schema()
    counts = [f"{key}_{role}" for role in pack.roles for key in (*SeatUsage.__struct_fields__, "refused")]
    models = [f"model_{role}" for role in pack.roles]
    sums = (
        episodes.lazy()
        .group_by("run", "control", maintain_order=True)
        .agg(
            *(pl.col(name).sum() for name in counts if name in known),
            *(pl.col(name).drop_nulls().first() for name in models if name in known),
        )
    )
    for used in sums.collect().iter_rows(named=True):
        for role in pack.roles:
            if used.get(f"calls_{role}") or used.get(f"retries_{role}"):
                names = (role, used.get(f"model_{role}"), used["control"])
                yield _make_row(used["run"], ", ".join(str(name) for name in names if name), used, role)


def _make_row(run: str, seat: str, used: Mapping[str, Any], role: Role) -> CostRow:
    keys = ("calls", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
    later = ("retries", "truncated", "filtered", "refused")
    cells = (
        *(f"{used[f'{key}_{role}']:,}" for key in keys),
        f"{used[f'seconds_{role}']:,.1f}",
        *(f"{used[f'{key}_{role}']:,}" for key in later),
    )
    return CostRow(run, seat, cells, int(used[f"estimated_{role}"]))


def cost_table(pack: Pack, episodes: pl.DataFrame | pl.LazyFrame) -> TextTable | None:
    """Make the table of all seats; None if no player reports what it uses."""
    import polars as pl

    rows = list(cost_rows(pack, episodes))
    if not rows:
        return None
    several = episodes.lazy().select(pl.col("run").n_unique()).collect().item() > 1
    return TextTable(
        f"{pack.name}: what the calls of each seat used",
        (*(["run"] if several else []), "seat"),
        tuple(Column(name) for name in COST_COLUMNS),
        tuple(TableRow((*([row.run] if several else []), row.seat), row.cells) for row in rows),
        (COST_NOTE, *estimated_usage_notes(rows)),
    )


def estimated_usage_notes(rows: list[CostRow]) -> list[str]:
    return [
        f"{row.seat}: usage estimated for {count_noun(row.estimated, 'call')}, as the provider reported none."
        for row in rows
        if row.estimated
    ]
