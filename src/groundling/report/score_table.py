"""The score table: a row for each set and pair of players, followed by controls and chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from groundling.core.pack import Measure, Pack, load
from groundling.core.values import Role
from groundling.players import CONTROLS
from groundling.report.text_table import Column, TableRow, TextTable
from groundling.runs.scoring import BASELINE_PREFIX, ScoreColumns
from groundling.scores.intervals import Estimate, Floats, estimate_mean

if TYPE_CHECKING:
    import polars as pl

ALL, CHANCE = "all", "chance"
UNUSED = (
    "game",
    "category",
    "episode",
    "instance",
    "group",
    "origin",
    "seconds",
    "failed_at",
    "stratum_size",
)
"""Columns that the table does not need."""
EXPECTED = ", expected"
"""The ending of rows with the expected scores of simple players."""


class ScoreRow(Struct, frozen=True):
    """One line of the score table."""

    set: str
    run: str
    players: str
    control: str
    """The name of the control; CHANCE for expected scores, of which only the mean is known."""
    main: Estimate
    strict: float | None = None
    tolerant: float | None = None
    others: tuple[float | str | Estimate | None, ...] = ()
    """The other measures: means, headline measures with intervals, and categories as a text of shares."""
    refused: tuple[int, ...] = ()
    """Refusals by seat, in the order of `score_table_roles`."""
    aborted: int = 0
    limited: int = 0


def score_table_roles(pack: Pack, episodes: pl.DataFrame) -> list[Role]:
    return [role for role in pack.roles if f"refused_{role}" in episodes.columns]


def score_rows(pack: Pack, episodes: pl.DataFrame) -> list[ScoreRow]:
    """Return the rows of a game's runs and controls by set, each ended by chance and simple players."""
    import polars as pl

    measures, roles = load(pack.measures), score_table_roles(pack, episodes)
    sets = episodes["set"].unique(maintain_order=True).to_list()
    # rows are copied for each set and pair of players: in a large run, texts would take most of the memory
    episodes = episodes.drop(UNUSED, strict=False).with_columns(
        pl.col("run", "players", "control", "set", "status").cast(pl.Categorical),
        pl.Series("cluster", label_codes(episodes["cluster"])),
    )
    found: list[ScoreRow] = []
    for name in [*sets, ALL] if len(sets) > 1 else sets:
        within = episodes if name == ALL else episodes.filter(pl.col("set") == name)
        for control in ("", *CONTROLS):
            for rows in _player_groups(within.filter(pl.col("control") == control)):
                found.append(_make_row(name, rows, measures, roles))
        for column in ["chance", *(each for each in episodes.columns if each.startswith(BASELINE_PREFIX))]:
            guess = weighted_mean(within, column)
            label = (
                f"{column.removeprefix(BASELINE_PREFIX)}{EXPECTED}"
                if column.startswith(BASELINE_PREFIX)
                else column
            )
            found.append(
                ScoreRow(name, "", label, CHANCE, Estimate(nan if guess is None else guess, nan, nan, 0, 0))
            )
    return found


def _make_row(name: str, rows: pl.DataFrame, measures: Iterable[Measure], roles: Iterable[Role]) -> ScoreRow:
    main, *others = measures
    return ScoreRow(
        set=name,
        run=rows["run"][0],
        players=rows["players"][0],
        control=rows["control"][0],
        main=score_interval(rows, main),
        strict=weighted_mean(rows, "strict"),
        tolerant=weighted_mean(rows, "tolerant"),
        others=tuple(_summarise_measure(rows, measure) for measure in others),
        refused=tuple(int(rows[f"refused_{role}"].sum()) for role in roles),
        aborted=int((rows["status"] == "aborted").sum()),
        limited=int((rows["status"] == "limited").sum()),
    )


def _summarise_measure(rows: pl.DataFrame, measure: Measure) -> float | str | Estimate | None:
    if measure.category:
        return _category_shares(rows, measure.name)
    if measure.headline:
        return score_interval(rows, measure)
    return weighted_mean(rows, measure.name, by_weight=measure.by_weight)


def drop_empty_score_columns(pack: Pack, rows: Sequence[ScoreRow]) -> tuple[list[Measure], list[ScoreRow]]:
    """Return the game's measures and the rows without those other measures that no episode here has."""
    main, *others = load(pack.measures)
    known = [
        at for at in range(len(others)) if any(row.others and row.others[at] is not None for row in rows)
    ]
    kept = [replace(row, others=tuple(row.others[at] for at in known)) if row.others else row for row in rows]
    return [main, *(others[at] for at in known)], kept


def score_table(pack: Pack, episodes: pl.DataFrame, *, all_measures: bool = False) -> TextTable:
    """Make the table of the main measure and other headline measures, or of all measures."""
    (main, *others), rows = drop_empty_score_columns(pack, score_rows(pack, episodes))
    several = episodes["run"].n_unique() > 1
    shown = [at for at, measure in enumerate(others) if all_measures or measure.headline]
    limits = any(row.limited for row in rows)
    names = ("clusters", main.name, "95 %", "strict", "aborted", *(["limited"] if limits else []))
    columns = [Column("n"), *(Column(name, joined=True) for name in names)]
    for at in shown:
        columns.append(Column(others[at].name))
        columns += [Column("95 %", joined=True)] if others[at].headline else []
    if all_measures:
        roles = score_table_roles(pack, episodes)
        columns += [Column("tolerant"), *(Column(f"refused {role}") for role in roles)]
    notes = []
    if any(row.players.endswith(EXPECTED) for row in rows):
        notes.append("* the expected score of this player, computed from the instances; it did not play")
    if more := [measure.name for at, measure in enumerate(others) if at not in shown]:
        notes.append(f"--all adds {', '.join(more)}, the tolerant score and refused replies")
    return TextTable(
        f"{pack.name}: {main.about}",
        ("set", *(["run"] if several else []), "players"),
        tuple(columns),
        tuple(
            TableRow(
                (row.set, *([row.run] if several else []), _short_label(row)),
                _score_cells(row, others, shown, all_measures, limits),
            )
            for row in rows
        ),
        tuple(notes),
    )


def _short_label(row: ScoreRow) -> str:
    return f"{row.players.removesuffix(EXPECTED)}*" if row.players.endswith(EXPECTED) else row.players


def _score_cells(
    row: ScoreRow, others: Sequence[Measure], shown: Iterable[int], all_measures: bool, limits: bool
) -> tuple[str, ...]:
    main = row.main
    if row.control == CHANCE:
        return ("", "", format_score_number(main.mean))
    cells = [
        str(main.n),
        str(main.clusters),
        format_score_number(main.mean),
        format_score_interval(main.low, main.high),
    ]
    cells += [format_score_number(row.strict), str(row.aborted), *([str(row.limited)] if limits else [])]
    for at in shown:
        value = row.others[at]
        cells += (
            [format_score_number(value.mean), format_score_interval(value.low, value.high)]
            if isinstance(value, Estimate)
            else [_format_value(value, others[at])]
        )
    return (
        (*cells, format_score_number(row.tolerant), *map(str, row.refused)) if all_measures else tuple(cells)
    )


def _format_value(value: float | str | None, measure: Measure) -> str:
    if isinstance(value, str):
        return value
    return format_score_number(value, ".3f" if measure.high == 1 else ".1f" if (value or 0) >= 10 else ".2f")


def _player_groups(episodes: pl.DataFrame) -> Iterator[pl.DataFrame]:
    for _, rows in episodes.group_by("run", "players", maintain_order=True):
        yield rows


def score_interval(rows: ScoreColumns, measure: Measure) -> Estimate:
    values, known = _known_values(rows, measure.name)
    clusters = rows["cluster"]
    return estimate_mean(
        values,
        list(compress(clusters, known)) if isinstance(clusters, list) else label_codes(clusters)[known],
        weights=episode_weights(rows, by_weight=measure.by_weight)[known],
        low=measure.low,
        high=measure.high,
    )


def _known_values(rows: ScoreColumns, name: str) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the values of the episodes that have one, and which these are."""
    values = np.asarray(rows[name], dtype=np.float64)
    known = ~np.isnan(values)
    return values[known], known


def label_codes(labels: pl.Series) -> NDArray[Any]:
    """Number labels in their alphabetical order, in which statistics take clusters, unless they are numbers
    already. A million labels would take much memory as texts."""
    import polars as pl

    if labels.dtype.is_integer():
        return labels.to_numpy()
    return labels.cast(pl.Enum(labels.unique().sort())).to_physical().to_numpy()


def format_score_interval(low: float, high: float, form: str = ".3f") -> str:
    return "" if isnan(low) else f"[{low:{form}}, {high:{form}}]"


def format_estimate(found: Estimate) -> str:
    return f"{format_score_number(found.mean)} {format_score_interval(found.low, found.high)}".rstrip()


def weighted_mean(rows: ScoreColumns, name: str, *, by_weight: bool = True) -> float | None:
    values, known = _known_values(rows, name)
    weights = episode_weights(rows, by_weight=by_weight)[known]
    return float(np.average(values, weights=weights)) if values.size else None


def episode_weights(rows: ScoreColumns, *, by_weight: bool = True) -> Floats:
    """Return how much each episode counts in means: its turns, where means are over turns, times the
    weight of its set and category in an uneven sample."""
    sampled = np.asarray(rows["sampling_weight"], dtype=np.float64)
    return sampled * np.asarray(rows["weight"], dtype=np.float64) if by_weight else sampled


def format_score_number(value: float | None, form: str = ".3f") -> str:
    return "—" if value is None or not isfinite(value) else f"{value:{form}}"


def format_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else format_score_number(p)


def _category_shares(rows: pl.DataFrame, name: str) -> str:
    """Format the share of each value in per cent, as 1:33 2:40 3:27 %."""
    known = rows.drop_nulls(name).sort(name)
    if known.is_empty():
        return "—"
    weights = known.group_by(name, maintain_order=True).agg("sampling_weight")
    sums = [(value, sum(some)) for value, some in weights.rows()]
    total = sum(weight for _, weight in sums)
    return " ".join(f"{value:g}:{100 * weight / total:.0f}" for value, weight in sums) + " %"
