"""Gathers a leaderboard from the runs of a tournament: players in their seats, pairs, sets and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.players.player_specs import read_player_spec
from groundling.report.leaderboard import (
    Leaderboard,
    LeaderboardGame,
    LeaderboardPair,
    LeaderboardSeat,
    LeaderboardSet,
)
from groundling.report.leaderboard_entries import gather_facts, make_entries
from groundling.report.leaderboard_games import SEATS, EpisodeNotes, GatheredGame, gather_game
from groundling.report.leaderboard_skill import gather_skills
from groundling.report.score_table import score_interval, weighted_mean
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.engine import RunTally
from groundling.runs.prices import FREE, ModelPrice
from groundling.runs.run_folder import RunFolder
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.tournament_folder import read_pairs
from groundling.runs.tournament_plan import PlannedPair, TournamentPlan, read_tournament_plan
from groundling.scores.abilities import SeatAbility
from groundling.scores.intervals import Estimate

FEWEST_CLUSTERS = 5
TRACE = 0.05
"""The share of the way from chance to the top that a win without words must exceed."""
RECITED = "recited"
"""The measure of games of cells: the share that is named one by one."""


def gather_leaderboard(
    folder: Path, prices: Mapping[str, ModelPrice] | None = None, notes: EpisodeNotes | None = None
) -> Leaderboard:
    """Read the runs of a tournament that have scores."""
    runs, plan = read_pairs(folder), read_tournament_plan(folder)
    games = [
        game for name in dict.fromkeys(run.game for run in runs) if (game := gather_game(runs, name, notes))
    ]
    if not games:
        raise Problem(f"nothing has been scored yet in {folder}: play it first")
    about = [RunFolder(run.run).read_about() for run in runs]
    changed = max(RunFolder(run.run).log_path.stat().st_mtime for run in runs)
    facts = gather_facts(games)
    seats = [seat for game in games for seat in _game_seats(game, facts, plan, prices or {})]
    return Leaderboard(
        name=folder.resolve().name,
        created=_format_time(datetime.now(UTC)),
        begun=_format_time(min(one["created"] for one in about)),
        ended=_format_time(datetime.fromtimestamp(changed, UTC)),
        versions=sorted({str(one["groundling"]) for one in about}),
        plan=plan.plan_hash() if plan else "",
        repeat=plan.repeat if plan else 1,
        seed=plan.seed if plan else 0,
        games=[_describe_game(game) for game in games],
        skills=list(gather_skills(games, seats)),
        seats=seats,
        pairs=[pair for game in games for pair in _game_pairs(game, folder, plan)],
        sets=[one for game in games for one in _game_sets(game)],
        entries=make_entries(facts, plan, games),
    )


def _format_time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def _describe_game(game: GatheredGame) -> LeaderboardGame:
    pack, rows = game.pack, game.played.episodes
    about = RunFolder(game.runs[0].run).read_about()
    speaker, listener = cross_play_roles(pack)
    return LeaderboardGame(
        name=pack.name,
        about=pack.about,
        measure=game.measure.name,
        measure_about=game.measure.about,
        giver=speaker,
        follower=listener,
        chance=weighted_mean(rows, "chance", by_weight=False),
        top=weighted_mean(rows, "top", by_weight=False),
        instances=rows["instance"].n_unique(),
        source=Path(str(about["source"])).name,
        settings=dict(about["plan"]["settings"]),
        ranked=game.ranking is not None,
    )


def _game_seats(
    game: GatheredGame,
    facts: Mapping[str, Mapping[str, Mapping[str, str]]],
    plan: TournamentPlan | None,
    prices: Mapping[str, ModelPrice],
) -> Iterator[LeaderboardSeat]:
    usage = _seat_usage(game)
    for at, (seat, column) in enumerate(SEATS.items()):
        known = {one.name: one for one in game.ranking.seats[at].fit.players} if game.ranking else {}
        for player in sorted(game.played.episodes[column].unique().to_list()):
            rows = game.seat_rows(seat, player)
            if rows is None or rows.is_empty():
                continue
            used = usage.get((seat, player), SeatUsage())
            model = facts.get(player, {}).get(f"{game.pack.name}, {seat}", {}).get("model", "")
            spec = plan.players[player].spec if plan and player in plan.players else ""
            yield _make_seat(
                game, seat, player, rows, known.get(player), used, _find_dollars(used, model, spec, prices)
            )


def _make_seat(
    game: GatheredGame,
    seat: str,
    player: str,
    rows: pl.DataFrame,
    ability: SeatAbility | None,
    used: SeatUsage,
    dollars: float | None,
) -> LeaderboardSeat:
    main = game.measure
    whole = rows.filter(rows["status"] != "aborted")
    controls = {
        name: score_interval(found, main)
        for name in CONTROLS
        if seat == "follower"
        and (found := game.seat_rows(seat, player, name)) is not None
        and not found.is_empty()
    }
    silent = controls.get("silent")
    recited = weighted_mean(rows, RECITED) if seat == "giver" and RECITED in rows.columns else None
    return LeaderboardSeat(
        game=game.pack.name,
        player=player,
        seat=seat,
        partners=rows[SEATS["follower" if seat == "giver" else "giver"]].n_unique(),
        score=score_interval(rows, main),
        ability=ability,
        played=whole.height / rows.height,
        quality=weighted_mean(whole, main.name, by_weight=main.by_weight),
        silent=silent,
        shuffled=controls.get("shuffled"),
        wordless=silent is not None and _wins_without_words(rows, silent),
        recited=recited,
        usage=used,
        dollars=dollars,
    )


def _wins_without_words(rows: pl.DataFrame, silent: Estimate) -> bool:
    """Return whether a follower scores more than guessing without words, by its interval. Of few clusters the
    interval says too little, and a trace above chance is no win: an aimless drawing hits something."""
    chance, top = (weighted_mean(rows, name, by_weight=False) for name in ("chance", "top"))
    if chance is None or top is None or silent.clusters < FEWEST_CLUSTERS:
        return False
    return silent.low > chance + TRACE * (top - chance)


def _seat_usage(game: GatheredGame) -> dict[tuple[str, str], SeatUsage]:
    """Add up what the calls of each player used in each seat, also in controls and failed episodes."""
    found: dict[tuple[str, str], SeatUsage] = {}
    speaker, _ = cross_play_roles(game.pack)
    for run in game.runs:
        tally = RunTally()
        tally.read_log(RunFolder(run.run).log_path)
        for role, used in tally.seats.items():
            key = ("giver", run.giver) if role == speaker else ("follower", run.follower)
            found.setdefault(key, SeatUsage()).add_usage(used)
    return found


def _find_dollars(used: SeatUsage, model: str, spec: str, prices: Mapping[str, ModelPrice]) -> float | None:
    """Return what calls cost. Only hosted models have a price that may be unknown."""
    if price := prices.get(model):
        return price.usage_cost(used)
    hosted = bool(spec) and read_player_spec(spec).is_model
    return None if hosted and used.calls else FREE.usage_cost(used)


def _game_pairs(game: GatheredGame, folder: Path, plan: TournamentPlan | None) -> Iterator[LeaderboardPair]:
    planned = plan.games[game.pack.name].pairs if plan and game.pack.name in plan.games else ()
    marks = {(pair.giver, pair.follower): pair for pair in planned}
    for run in game.runs:
        rows = game.pair_rows(run)
        if run.control or rows is None or rows.is_empty():
            continue
        mark = marks.get((run.giver, run.follower), PlannedPair(run.giver, run.follower))
        means = {
            name: weighted_mean(found, game.measure.name, by_weight=game.measure.by_weight)
            for name in CONTROLS
            if (found := game.pair_rows(run, name)) is not None and not found.is_empty()
        }
        yield LeaderboardPair(
            game=game.pack.name,
            giver=run.giver,
            follower=run.follower,
            self_play=run.self_play,
            score=score_interval(rows, game.measure),
            planned=RunFolder(run.run).read_about()["episodes"],
            aborted=int((rows["status"] == "aborted").sum()),
            silent=means.get("silent"),
            shuffled=means.get("shuffled"),
            shared=mark.shared,
            known=mark.known,
            run=run.run.relative_to(folder).as_posix(),
        )


def _game_sets(game: GatheredGame) -> Iterator[LeaderboardSet]:
    """Yield scores by set, where a game has several."""
    names = game.played.episodes["set"].unique(maintain_order=True).to_list()
    for name in names if len(names) > 1 else ():
        for seat, column in SEATS.items():
            for player in sorted(game.played.episodes[column].unique().to_list()):
                rows = game.seat_rows(seat, player)
                within = rows.filter(rows["set"] == name) if rows is not None else rows
                if within is not None and not within.is_empty():
                    yield LeaderboardSet(
                        game.pack.name, name, player, seat, score_interval(within, game.measure)
                    )
