"""The score table: a row for each set and pair of players, followed by controls and chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
from groundling.runs.scoring_table import BASELINE_PREFIX, ScoreColumns
from groundling.scores.intervals import Estimate, Floats, estimate_mean

if TYPE_CHECKING:
    import polars as pl

ALL, CHANCE = "all", "chance"
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


class StreamedColumns:
    """The columns of a table as arrays, each read when it is asked for: of a large run, all would take much
    memory. Statistics therefore compute one measure for all rows of the score table before the next."""

    def __init__(self, episodes: pl.LazyFrame) -> None:
        import polars as pl

        self._episodes = episodes
        self._last: tuple[str, NDArray[Any]] = "", np.array(())
        self._kept = {
            "cluster": self._read_column(label_code(episodes, "cluster")),
            "weight": self._read_column(pl.col("weight")),
            "sampling_weight": self._read_column(pl.col("sampling_weight")),
        }

    def _read_column(self, column: pl.Expr) -> NDArray[Any]:
        return self._episodes.select(column).collect(engine="streaming").to_series().to_numpy()

    def __getitem__(self, name: str) -> NDArray[Any]:
        import polars as pl

        if name not in self._kept and name != self._last[0]:
            self._last = name, self._read_column(pl.col(name).cast(pl.Float64))
        return self._kept.get(name, self._last[1])


class EpisodeGroup(Struct, frozen=True):
    """The episodes that a row of the score table is about."""

    set: str
    columns: StreamedColumns
    where: NDArray[Any] | slice
    """The places of the episodes in the columns."""
    run: str = ""
    players: str = ""
    control: str = CHANCE
    statuses: Counter[str] = Counter()

    def __getitem__(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] = self.columns[name][self.where]
        return found


def score_table_roles(pack: Pack, episodes: pl.DataFrame | pl.LazyFrame) -> list[Role]:
    return [role for role in pack.roles if f"refused_{role}" in episodes.collect_schema()]


def score_rows(pack: Pack, episodes: pl.DataFrame | pl.LazyFrame) -> list[ScoreRow]:
    """Return the rows of a game's runs and controls by set, each ended by chance and simple players."""
    groups, roles = _group_episodes(episodes.lazy()), score_table_roles(pack, episodes)
    simple = ["chance", *(one for one in episodes.collect_schema() if one.startswith(BASELINE_PREFIX))]
    played = iter(_played_rows([one for one in groups if one.control != CHANCE], load(pack.measures), roles))
    expected = iter(_expected_rows([one for one in groups if one.control == CHANCE], simple))
    return [row for one in groups for row in (next(expected) if one.control == CHANCE else [next(played)])]


def _played_rows(
    groups: Sequence[EpisodeGroup], measures: Iterable[Measure], roles: Iterable[Role]
) -> list[ScoreRow]:
    main, *others = measures
    mains = [score_interval(group, main) for group in groups]
    strict, tolerant = ([weighted_mean(one, name) for one in groups] for name in ("strict", "tolerant"))
    means = [[_summarise_measure(group, measure) for group in groups] for measure in others]
    refused = [[int(np.nansum(group[f"refused_{role}"])) for group in groups] for role in roles]
    return [
        ScoreRow(
            set=group.set,
            run=group.run,
            players=group.players,
            control=group.control,
            main=mains[at],
            strict=strict[at],
            tolerant=tolerant[at],
            others=tuple(values[at] for values in means),
            refused=tuple(counts[at] for counts in refused),
            aborted=group.statuses["aborted"],
            limited=group.statuses["limited"],
        )
        for at, group in enumerate(groups)
    ]


def _expected_rows(groups: Sequence[EpisodeGroup], columns: Iterable[str]) -> list[list[ScoreRow]]:
    found: list[list[ScoreRow]] = [[] for _ in groups]
    for column in columns:
        label = column.removeprefix(BASELINE_PREFIX) + (EXPECTED if column != CHANCE else "")
        for rows, group in zip(found, groups, strict=True):
            mean = weighted_mean(group, column)
            guess = Estimate(nan if mean is None else mean, nan, nan, 0, 0)
            rows.append(ScoreRow(group.set, "", label, CHANCE, guess))
    return found


def _group_episodes(episodes: pl.LazyFrame) -> list[EpisodeGroup]:
    """Group the episodes of each set, and of all, by control, run and players. The last group of a set has
    all its episodes."""
    import polars as pl

    keys = ["set", "control", "run", "players", "status"]
    numbered = episodes.select(keys).with_row_index("at")
    counts = numbered.group_by(keys).agg(pl.len(), pl.col("at").min()).sort("at").collect(engine="streaming")
    kinds = counts.drop("at").with_row_index("kind")
    kind = numbered.join(kinds.lazy(), on=keys, how="left", maintain_order="left").select("kind")
    order = np.argsort(kind.collect(engine="streaming")["kind"].to_numpy(), kind="stable").astype(np.uint32)
    places = np.split(order, np.cumsum(kinds["len"].to_numpy())[:-1])
    columns = StreamedColumns(episodes)

    def find_places(some: pl.DataFrame) -> NDArray[Any] | slice:
        if some.height == kinds.height:
            return slice(None)
        return np.sort(np.concatenate([places[number] for number in some["kind"]]))

    sets = kinds["set"].unique(maintain_order=True).to_list()
    found: list[EpisodeGroup] = []
    for name in [*sets, ALL] if len(sets) > 1 else sets:
        within = kinds if name == ALL else kinds.filter(pl.col("set") == name)
        for control in ("", *CONTROLS):
            played = within.filter(pl.col("control") == control)
            for (run, players), some in played.group_by("run", "players", maintain_order=True):
                statuses = Counter[str]()
                for status, count in some.select("status", "len").rows():
                    statuses[status] += count
                who = str(run), str(players), control
                found.append(EpisodeGroup(name, columns, find_places(some), *who, statuses))
        found.append(EpisodeGroup(name, columns, find_places(within)))
    return found


def _summarise_measure(rows: ScoreColumns, measure: Measure) -> float | str | Estimate | None:
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


def score_table(
    pack: Pack, episodes: pl.DataFrame | pl.LazyFrame, *, all_measures: bool = False
) -> TextTable:
    """Make the table of the main measure and other headline measures, or of all measures."""
    (main, *others), rows = drop_empty_score_columns(pack, score_rows(pack, episodes))
    several = has_several_runs(rows)
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


def has_several_runs(rows: Iterable[ScoreRow]) -> bool:
    return len({row.run for row in rows if row.control != CHANCE}) > 1


def _short_label(row: ScoreRow) -> str:
    return f"{row.players.removesuffix(EXPECTED)}*" if row.players.endswith(EXPECTED) else row.players


def _score_cells(
    row: ScoreRow, others: Sequence[Measure], shown: Iterable[int], all_measures: bool, limits: bool
) -> tuple[str, ...]:
    main = row.main
    if row.control == CHANCE:
        return ("", "", format_score_number(main.mean))
    cells = [*format_count_cells(main), format_score_number(row.strict), str(row.aborted)]
    cells += [str(row.limited)] if limits else []
    for at in shown:
        value = row.others[at]
        if isinstance(value, Estimate):
            cells += format_mean_cells(value)
        else:
            cells.append(_format_value(value, others[at]))
    return (
        (*cells, format_score_number(row.tolerant), *map(str, row.refused)) if all_measures else tuple(cells)
    )


def _format_value(value: float | str | None, measure: Measure) -> str:
    if isinstance(value, str):
        return value
    return format_score_number(value, ".3f" if measure.high == 1 else ".1f" if (value or 0) >= 10 else ".2f")


def score_interval(rows: ScoreColumns, measure: Measure) -> Estimate:
    values, known = _known_values(rows, measure.name)
    clusters = rows["cluster"]
    return estimate_mean(
        values,
        list(compress(clusters, known)) if isinstance(clusters, list) else np.asarray(clusters)[known],
        weights=episode_weights(rows, by_weight=measure.by_weight)[known],
        low=measure.low,
        high=measure.high,
    )


def _known_values(rows: ScoreColumns, name: str) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the values of the episodes that have one, and which these are."""
    values = np.asarray(rows[name], dtype=np.float64)
    known = ~np.isnan(values)
    return values[known], known


def label_code(episodes: pl.LazyFrame, name: str) -> pl.Expr:
    """Number the labels of a column in their alphabetical order, in which statistics take clusters. A million
    labels would take much memory as texts."""
    import polars as pl

    labels = episodes.select(name).unique().sort(name).collect(engine="streaming")[name]
    return pl.col(name).cast(pl.Enum(labels)).to_physical()


def format_score_interval(low: float, high: float, form: str = ".3f") -> str:
    return "" if isnan(low) else f"[{low:{form}}, {high:{form}}]"


def format_mean_cells(found: Estimate) -> list[str]:
    """Format the mean, and its interval."""
    return [format_score_number(found.mean), format_score_interval(found.low, found.high)]


def format_count_cells(found: Estimate) -> list[str]:
    """Format the numbers of units and clusters, the mean, and its interval."""
    return [str(found.n), str(found.clusters), *format_mean_cells(found)]


def format_estimate(found: Estimate) -> str:
    return " ".join(format_mean_cells(found)).rstrip()


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


def _category_shares(rows: ScoreColumns, name: str) -> str:
    """Format the share of each value in per cent, as 1:33 2:40 3:27 %."""
    values, known = _known_values(rows, name)
    if not values.size:
        return "—"
    kinds, index = np.unique(values, return_inverse=True)
    sums = np.bincount(index, weights=np.asarray(rows["sampling_weight"], dtype=np.float64)[known])
    return (
        " ".join(f"{kind:g}:{share:.0f}" for kind, share in zip(kinds, 100 * sums / sums.sum(), strict=True))
        + " %"
    )
