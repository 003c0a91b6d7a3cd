"""Abilities by a facet of instances or turns, such as the set, the level or the distance."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.report.ability_ranking import GameRanking, rank_game
from groundling.report.breakdown import Breakdown, ScoredUnit, breakdown_sort_key, facet_value
from groundling.report.score_table import format_score_interval
from groundling.report.text_table import Column, TableRow, TextTable
from groundling.runs.pair_scores import FOLLOWER, GIVER, SELF_PLAY, GamePairs
from groundling.runs.run import open_run
from groundling.runs.scoring import ScoreCallback
from groundling.runs.tournament_folder import TournamentPair


class FacetPairs:
    """Collects the episodes and turns of one game's pairs with their facets."""

    def __init__(self, pack: Pack, sets: Sequence[str]) -> None:
        self._pack, self._parts = pack, Breakdown(pack)
        self._parts.sets = sets
        self._pairs: dict[str, TournamentPair] = {}

    def note_run(self, pair: TournamentPair) -> ScoreCallback:
        """Return what is to be called with each episode of this run."""
        self._parts.run = name = str(pair.run)
        self._parts.whole[name] = open_run(pair.run).read_about()["plan"].get("strata", {})
        self._pairs[name] = pair
        return self._parts.note_episode

    def facet_table(self, facet: str, seed: int) -> TextTable:
        """Make a table with a row for each value of the facet, seat and player. A value for which pairs are
        not connected has no rows but a note."""
        self._parts.check_facet(facet)
        parts: dict[str, list[ScoredUnit]] = {}
        for unit in self._parts.units_with(facet):
            if unit.values.get(self._parts.measures[0].name) is not None:
                parts.setdefault(facet_value(unit, facet) or "—", []).append(unit)
        rows, notes = [], []
        for value in sorted(parts, key=breakdown_sort_key):
            try:
                found = rank_game(GamePairs(self._pack, self._unit_table(parts[value]), []), seed=seed)
            except Problem as trouble:
                notes.append(f"{value}: {trouble}")
            else:
                rows += _facet_rows(value, found)
        if not rows:
            raise Problem(notes[0])
        names = ("ability", "95 %", self._parts.measures[0].name, "95 %", "rank")
        return TextTable(
            f"{self._pack.name}: abilities by {facet}",
            (facet, "seat", "player"),
            (Column("n"), *(Column(name, joined=True) for name in names)),
            tuple(rows),
            tuple(notes),
        )

    def _unit_table(self, units: Sequence[ScoredUnit]) -> pl.DataFrame:
        main = self._parts.measures[0].name
        weights = {run: self._parts.run_weights(run) for run in {unit.run for unit in units}}
        pairs = [self._pairs[unit.run] for unit in units]
        return pl.DataFrame(
            {
                GIVER: [pair.giver for pair in pairs],
                FOLLOWER: [pair.follower for pair in pairs],
                SELF_PLAY: [pair.self_play for pair in pairs],
                "cluster": [unit.cluster for unit in units],
                "instance": [unit.cluster for unit in units],
                "chance": [unit.chance for unit in units],
                "weight": [1.0] * len(units),
                "sampling_weight": [weights[unit.run].get(unit.stratum, 1.0) for unit in units],
                main: [float(unit.values[main] or 0.0) for unit in units],
            }
        )


def _facet_rows(value: str, found: GameRanking) -> list[TableRow]:
    rows = []
    for seat in found.seats:
        players = {player.name: player for player in seat.fit.players}
        for name, (low, high) in seat.ranks.ranks.items():
            one = players[name]
            cells = (
                *(str(one.episodes), f"{one.ability:+.2f}", format_score_interval(one.low, one.high, "+.2f")),
                *(f"{one.score:.3f}", format_score_interval(one.score_low, one.score_high)),
                f"{low}–{high}" if low < high else str(low),
            )
            rows.append(TableRow((value, seat.role, name), cells))
    return rows
