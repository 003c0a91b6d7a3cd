"""Scores broken down by facets of episodes or turns, which a game's `score` defines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct

from groundling.core.events import SCORED, Transcript
from groundling.core.pack import Measure, Pack, Scores, choices_hint, load
from groundling.core.result_tables import natural_sort_key
from groundling.core.values import Problem
from groundling.report.score_table import format_count_cells, format_mean_cells, format_score_number
from groundling.report.text_table import Column, TableRow, TextTable
from groundling.runs.sampling import Stratum, sampling_weights
from groundling.scores.intervals import estimate_mean


class ScoredUnit(Struct, frozen=True):
    """A scored episode or turn."""

    run: str
    players: str
    cluster: str
    stratum: Stratum
    facets: Mapping[str, str]
    values: Mapping[str, float | None]
    baselines: Mapping[str, float] = {}
    """Expected scores of simple players."""
    chance: float = 0.0
    """The expected main score of guessing."""


class Breakdown:
    """Collects the scores of episodes and turns, run by run, and makes tables by facet."""

    def __init__(self, pack: Pack, labels: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """`labels`: further facets by name, with the label of each instance, as its id, or of each of its
        steps, as ID-STEP, counted from 1."""
        self._labels = labels or {}
        self._matched = set[str]()
        self._cluster, self._category, self._chance = (
            load(pack.cluster),
            load(pack.category),
            load(pack.chance),
        )
        measures = load(pack.measures)
        self.measures: list[Measure] = [measure for measure in measures if measure.headline] or [measures[0]]
        self.game = pack.name
        self.episodes: list[ScoredUnit] = []
        self.turns: list[ScoredUnit] = []
        self.weighed = False
        """Whether means are over turns instead of episodes."""
        self.run = ""
        self.sets: Sequence[str] = ()
        """Only these sets are broken down; all if there are none."""
        self.whole: dict[str, dict[str, dict[str, int]]] = {}
        """The number of instances that each run was chosen from, by set and category."""

    def note_episode(self, transcript: Transcript, scores: Scores) -> None:
        if transcript.status not in SCORED or not scores.episode:  # none where it is damaged
            return
        opened = transcript.opened
        if self.sets and opened.instance.set not in self.sets:
            return
        stratum = opened.instance.set, self._category(opened.instance)
        who = self.run, " → ".join(opened.seats.values()), self._cluster(opened.instance), stratum
        named = {"set": opened.instance.set} if opened.instance.set else {}
        facets = {**named, **scores.facets, **self._find_labels(opened.instance.id)}
        chance = self._chance(opened.instance)
        self.episodes.append(ScoredUnit(*who, facets, scores.episode, scores.baselines, chance))
        own = scores.turn_facets or ({},) * len(scores.turns)
        self.turns += [
            ScoredUnit(
                *who,
                {**facets, **found, **self._find_labels(f"{opened.instance.id}-{number}")},
                values,
                chance=chance,
            )
            for number, (found, values) in enumerate(zip(own, scores.turns, strict=False), 1)
        ]
        self.weighed |= scores.weight != 1

    def _find_labels(self, item: str) -> dict[str, str]:
        found = {name: labels[item] for name, labels in self._labels.items() if item in labels}
        self._matched.update(found)
        return found

    def check_facet(self, name: str) -> None:
        for label in sorted({*name.split("+")} & {*self._labels} - self._matched):
            item = next(iter(self._labels[label]), "")
            raise Problem(
                f"no item of --labels {label}, such as {item!r}, is an instance or a step of the run: "
                "items are the ids of instances, or ID-STEP"
            )
        if not self.units_with(name):
            known = {facet for unit in [*self.episodes, *self.turns] for facet in unit.facets}
            advice = choices_hint(known) if known else "its episodes have no facets, leave out --by"
            raise Problem(f"{self.game} cannot be broken down by {name!r}: {advice}")

    def units_with(self, name: str) -> list[ScoredUnit]:
        order = (self.turns,) if self.weighed else (self.episodes, self.turns)
        return next((some for some in order if any(facet_value(unit, name) for unit in some)), [])

    def facet_table(self, name: str) -> TextTable:
        """Make a table with a row for each value of a facet, in natural order; "one+other" combines facets.
        The last columns are the expected scores of simple players."""
        self.check_facet(name)
        units = self.units_with(name)
        several = len({unit.run for unit in units}) > 1
        pairs = list(dict.fromkeys(unit.players for unit in units))
        columns = [Column("n"), Column("clusters", joined=True)]
        for measure in self.measures:
            columns += [Column(measure.name, joined=measure is self.measures[0]), Column("95 %", joined=True)]
        simple = list(dict.fromkeys(policy for unit in units for policy in unit.baselines))
        rows = []
        weights = {run: self.run_weights(run) for run in {unit.run for unit in units}}
        for (value, run, players), found in _group_units(units, name).items():
            expected = [_expected_score(found, policy, weights[run]) for policy in simple]
            who = (value, *([run] if several else []), *([players] if len(pairs) > 1 else []))
            cells = self._measure_cells(found, weights[run])
            rows.append(TableRow(who, (*cells, *map(format_score_number, expected))))
        return TextTable(
            f"{self.game} by {name}" + (f", {pairs[0]}" if len(pairs) == 1 else ""),
            (name, *(["run"] if several else []), *(["players"] if len(pairs) > 1 else [])),
            (*columns, *(Column(f"{policy}, expected") for policy in simple)),
            tuple(rows),
        )

    def run_weights(self, run: str) -> dict[Stratum, float]:
        strata = [unit.stratum for unit in self.episodes if unit.run == run]
        return sampling_weights(self.whole.get(run, {}), strata)

    def _measure_cells(self, rows: list[ScoredUnit], weights: Mapping[Stratum, float]) -> list[str]:
        cells: list[str] = []
        for measure in self.measures:
            known = [row for row in rows if row.values.get(measure.name) is not None]
            found = estimate_mean(
                [row.values[measure.name] or 0.0 for row in known],
                [row.cluster for row in known],
                weights=[weights[row.stratum] for row in known],
                low=measure.low,
                high=measure.high,
            )
            cells += format_mean_cells(found) if cells else format_count_cells(found)
        return cells


def _group_units(units: Iterable[ScoredUnit], name: str) -> dict[tuple[str, str, str], list[ScoredUnit]]:
    found: dict[tuple[str, str, str], list[ScoredUnit]] = {}
    for unit in units:
        found.setdefault((facet_value(unit, name) or "—", unit.run, unit.players), []).append(unit)
    return {key: found[key] for key in sorted(found, key=lambda key: (natural_sort_key(key[0]), key[1:]))}


def _expected_score(
    rows: Iterable[ScoredUnit], policy: str, weights: Mapping[Stratum, float]
) -> float | None:
    known = [row for row in rows if policy in row.baselines]
    values = [row.baselines[policy] for row in known]
    return fmean(values, [weights[row.stratum] for row in known]) if known else None


def facet_value(unit: ScoredUnit, name: str) -> str:
    """Return the unit's value of a facet or of a combination of facets; "" if it has none."""
    parts = [unit.facets.get(part, "") for part in name.split("+")]
    return " ".join(parts) if all(parts) else ""
