"""The scores of pairs of players, gathered from tournaments and from single runs, game by game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from groundling.core.pack import Pack, load
from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.progress import progress_bar
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.run import open_run
from groundling.runs.scoring import ScoreCallback, score_run
from groundling.runs.scoring_table import choose_table_sets, join_scoring_tables
from groundling.runs.stored_run import Run
from groundling.runs.tournament_folder import TOURNAMENT_FILE, TournamentPair, read_pairs
from groundling.runs.verify import find_runs

if TYPE_CHECKING:
    import polars as pl

GIVER, FOLLOWER, SELF_PLAY = "_giver", "_follower", "_self_play"
"""Columns beside those of `score_run`."""


class GamePairs(Struct, frozen=True):
    """All scored episodes of one game."""

    pack: Pack
    episodes: pl.DataFrame
    runs: list[TournamentPair]


def find_pair_runs(names: Sequence[str], game: str = "") -> list[TournamentPair]:
    """Return the runs of tournaments and the single runs that are named, without controls. A folder of runs,
    such as one that `groundling cross` wrote, stands for all of them."""
    found: dict[Path, TournamentPair] = {}
    for name in names:
        path = Path(name)
        if (path / TOURNAMENT_FILE).is_file():
            pairs: list[TournamentPair] = read_pairs(path)
        else:
            runs = find_runs(path, game)
            pairs = [_read_pair(run) for run in runs if run.path.name not in CONTROLS or len(runs) == 1]
        for pair in pairs:
            if not pair.control:
                found.setdefault(pair.run.resolve(), pair)
    return list(found.values())


def _read_pair(run: Run) -> TournamentPair:
    """Name the players of a single run as they were given, or as the log names them."""
    pack = run.find_pack()
    seats = run.read_about()["plan"].get("seats", {})
    if not seats:
        first = next(run.read_transcripts(), None)
        seats = first.opened.seats if first else {}
    giver, follower = (seats.get(role, "") for role in cross_play_roles(pack))
    if not giver or not follower:
        raise Problem(f"{run.path} has no pair of players: rank takes runs of two seats")
    return TournamentPair(pack.name, giver, follower, run.path, giver == follower)


def score_game_pairs(
    pairs: Sequence[TournamentPair],
    game: str = "",
    sets: Sequence[str] = (),
    note_for: Callable[[Pack, TournamentPair], ScoreCallback] | None = None,
) -> Iterator[GamePairs]:
    """Yield the scored episodes of each game. Errored and missing episodes have no score. `note_for` returns
    what is to be called with each transcript of a run and its scores."""
    import polars as pl

    by_game: dict[str, list[TournamentPair]] = {}
    for pair in pairs:
        by_game.setdefault(open_run(pair.run, game).find_pack().name, []).append(pair)
    with progress_bar() as bar:
        bar.set_progress("scoring", 0, len(pairs))
        for played in by_game.values():
            pack = open_run(played[0].run, game).find_pack()
            main, tables = load(pack.measures)[0].name, []
            for pair in played:
                table = score_run(open_run(pair.run, game), note=note_for and note_for(pack, pair))
                bar.advance_by(1)
                if not table.is_empty():
                    named = {GIVER: pair.giver, FOLLOWER: pair.follower, SELF_PLAY: pair.self_play}
                    tables.append(table.with_columns(**{key: pl.lit(one) for key, one in named.items()}))
            episodes = choose_table_sets(join_scoring_tables(tables or [pl.DataFrame()]), sets)
            if episodes.is_empty() or episodes[main].null_count() == episodes.height:
                raise Problem(f"nothing has been scored yet in the runs of {pack.name}: play them first")
            yield GamePairs(pack, episodes.filter(episodes[main].is_not_null()), played)
