"""`groundling tournament GAME…` plays every player with every player, over several games."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace
from typer import Argument, Option

from groundling.cli.options import with_struct_options
from groundling.cli.play import estimate_costs, print_estimated_costs
from groundling.cli.play_options import PlayOptions
from groundling.core.pack import Pack, choices_hint, find, installed_packs
from groundling.core.values import Problem, Role
from groundling.files import is_run_folder
from groundling.players import CONTROLS
from groundling.progress import ProgressBar, progress_bar
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.budget import SpendingBudget
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.pair_design import is_connected
from groundling.runs.playing import make_session_workers
from groundling.runs.prices import FREE
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.session import RunSession, check_session_controls, control_sessions, lacks_shards
from groundling.runs.shards import CONTROLS_WAIT
from groundling.runs.tournament import (
    GameTable,
    Tournament,
    TournamentRules,
    prepare_tables,
    prepare_tournament,
    record_people,
)
from groundling.runs.tournament_plan import (
    TournamentFile,
    read_tournament_file,
    tournament_schema,
    write_tournament_plan,
)

ALL, FIT = "all", "fit"


def play_tournament(
    options: PlayOptions,
    games: Annotated[
        list[str] | None, Argument(metavar="GAME...", help="Games: NAME, FILE.py or PACKAGE:PACK.")
    ] = None,
    players: Annotated[
        Path | None, Option(help="The players (TOML), and what is played of each game.", metavar="FILE")
    ] = None,
    out: Annotated[Path, Option("-o", "--out", help="The folder of the tournament.", metavar="DIR")] = Path(
        "tournament"
    ),
    n: Annotated[
        int | None, Option("-n", min=1, help="Fresh instances of each game; default: the game's.")
    ] = None,
    partners: Annotated[
        str, Option(help="Followers for each giver; fit: as many as the limits allow.", metavar="N|all|fit")
    ] = ALL,
    no_controls: Annotated[
        bool, Option("--no-controls", help="Do not play without words and with other words.")
    ] = False,
    schema: Annotated[bool, Option("--schema", help="Print the JSON schema of the file.")] = False,
) -> None:
    """Play every player with every player, over several games.

    Each pair is a run in the folder. The same command resumes; a player that is added to the file plays
    only its own pairs."""
    if schema:
        print(json.dumps(tournament_schema(), indent=2))
        return
    import groundling.report.leaderboard_data  # noqa: F401 - names a missing extra before a game begins

    packs = _find_packs(games or [])
    if players is None:
        raise Problem("who plays? name a file with --players FILE (--schema prints what it may hold)")
    file = read_tournament_file(players)
    if is_run_folder(out):
        raise Problem(f"{out} holds a run: choose another folder with -o")
    rules = TournamentRules(
        folder=out,
        fields=options.plan_fields(),
        n=n,
        partners=_parse_partners(partners, options),
        controls=not no_controls,
        prompts=options.prompts,
    )
    tables = prepare_tables(packs, file, rules)
    command = _choose_design(tables, file, rules, options, fits=partners == FIT)
    raise typer.Exit(0 if _run_tournament(command, tables) else 1)


tournament_command = with_struct_options(play_tournament, "options", PlayOptions)


def _find_packs(games: Sequence[str]) -> list[Pack]:
    if not games:
        raise Problem(
            f"tournament of which games? groundling tournament GAME...: {choices_hint(installed_packs())}"
        )
    packs = [find(name) for name in games]
    names = [pack.name for pack in packs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise Problem(f"the game {twice} is named twice: name it once")
    return packs


def _parse_partners(text: str, options: PlayOptions) -> int | None:
    if text == FIT and options.max_cost is None and options.max_tokens_total is None:
        raise Problem("--partners fit needs a limit: add --max-cost X or --max-tokens-total N")
    if text in (ALL, FIT):
        return None
    if not text.isdecimal() or int(text) < 1:
        raise Problem(f"--partners {text}: give a number from 1, {ALL} or {FIT}")
    return int(text)


class TournamentCommand(Struct, frozen=True):
    """What is played now, how, and what it may cost."""

    tournament: Tournament
    rules: TournamentRules
    options: PlayOptions
    budget: SpendingBudget

    @property
    def sessions(self) -> list[RunSession]:
        return [pair.session for pair in self.tournament.all_pairs()]

    def estimate_costs(self, sessions: Sequence[RunSession]) -> dict[tuple[Role, str], SeatUsage]:
        return estimate_costs(sessions, with_controls=self.rules.controls, reuse=not self.options.no_reuse)

    def estimate_spending(self, sessions: Sequence[RunSession]) -> tuple[int, float]:
        """Return the most tokens and dollars that these runs may take."""
        costs, prices = self.estimate_costs(sessions), self.budget.prices
        money = sum(prices.get(name, FREE).usage_cost(used) for (_, name), used in costs.items())
        return sum(used.total_tokens for used in costs.values()), money

    def describe_excess(self, tokens: int, money: float) -> str:
        """Return the limit that this does not fit, or nothing."""
        budget = self.budget
        if budget.tokens is not None and tokens > budget.tokens - budget.spent_tokens:
            return f"may take {tokens:,} tokens: raise --max-tokens-total"
        if budget.money is not None and money > budget.money - budget.spent_money:
            return f"may cost ${money:.4f}: raise --max-cost"
        return ""

    def check_one_pair(self) -> None:
        """Raise Problem if the limits are below the cheapest pair that costs anything."""
        spent = [(*self.estimate_spending([pair.session]), pair) for pair in self.tournament.all_pairs()]
        paid = [one for one in spent if (one[0] if self.budget.money is None else one[1])]
        if not paid:
            return
        tokens, money, pair = min(paid, key=lambda one: (one[1], one[0]))
        if excess := self.describe_excess(tokens, money):
            names = f"{pair.speaker} → {pair.listener} in {pair.session.pack.name}"
            raise Problem(f"the limit is below one pair: the cheapest, {names}, {excess}, or play less (-n)")


def _choose_design(
    tables: Mapping[str, GameTable],
    file: TournamentFile,
    rules: TournamentRules,
    options: PlayOptions,
    *,
    fits: bool,
) -> TournamentCommand:
    """Return the tournament with the pairs that are asked for, or with as many as fit the limits."""
    whole = prepare_tournament(tables, file, rules)
    budget = options.make_budget([pair.session for pair in whole.all_pairs()])
    command = TournamentCommand(whole, rules, options, budget)
    if budget.is_limited:
        command.check_one_pair()
    if not fits:
        return command
    most = max(len(list(table.seated.values())[1]) for table in tables.values())
    for partners in (None, *range(most, 0, -1)):
        smaller = prepare_tournament(tables, file, replace(rules, partners=partners))
        command = TournamentCommand(smaller, rules, options, budget)
        if not command.describe_excess(*command.estimate_spending(command.sessions)):
            return command
    raise Problem("no connected design fits the limits: raise them, or play less (-n, --limit)")


def _run_tournament(command: TournamentCommand, tables: Mapping[str, GameTable]) -> bool:
    rules, tournament = command.rules, command.tournament
    for line in _plan_lines(tournament, rules):
        print_text(line, "    ")
    if rules.controls:
        for pairs in tournament.pairs.values():
            check_session_controls(pairs[0].session)
    if command.options.dry_run:
        costs = command.estimate_costs(command.sessions)
        print_estimated_costs(costs, command.budget, not command.options.no_reuse)
        tokens, money = command.estimate_spending(command.sessions)
        print(f"in all at most {tokens:,} tokens, ${money:.4f}")
        return True
    write_tournament_plan(rules.folder, tournament.plan)
    for name, table in tables.items():
        if count := record_people(table, rules.folder):
            print_text(f"{name}: {count_noun(count, 'recorded game')} of people", "  ")
    try:
        complete = _play_pairs(command)
    except KeyboardInterrupt:
        print("stopped; run the same command again to resume", file=sys.stderr)
        raise typer.Exit(130) from None
    if command.options.shard:
        print_text(f"when all shards are played: groundling merge {rules.folder} -o NEW", "  ")
    else:
        _print_results(tournament, rules)
    return complete


def _plan_lines(tournament: Tournament, rules: TournamentRules) -> Iterator[str]:
    """Yield what is played of each game, and who takes which seats."""
    for name, pairs in tournament.pairs.items():
        session = pairs[0].session
        done = sum(len(pair.session.read_tally().score) for pair in pairs)
        planned = sum(len(pair.session.plan) for pair in pairs)
        yield (
            f"{name}: {count_noun(len(pairs), 'pair')}, {planned:,} episodes ({done:,} done)"
            f"{', then controls' if rules.controls else ''}, from {session.plan.source}"
        )
        speaker, listener = cross_play_roles(session.pack)
        yield f"  {speaker}: {', '.join(dict.fromkeys(pair.speaker for pair in pairs))}"
        yield f"  {listener}: {', '.join(dict.fromkeys(pair.listener for pair in pairs))}"
        if not is_connected([(pair.speaker, pair.listener) for pair in pairs]):
            yield "  without self-play, the players are not connected: their abilities cannot be compared"


def _play_pairs(command: TournamentCommand) -> bool:
    """Play what is missing, pair by pair, each followed by its controls; return whether all that can be
    played is complete. Controls of a shard wait for the other shards."""
    pairs, with_controls = command.tournament.all_pairs(), command.rules.controls
    total = (1 + len(CONTROLS) * with_controls) * sum(len(pair.session.plan) for pair in pairs)
    done, complete, waiting = 0, True, False
    with progress_bar(shown=not any(pair.session.is_interactive for pair in pairs)) as bar:
        for pair in pairs:
            label, before = f"{pair.session.pack.name} {pair.speaker} → {pair.listener}", done
            bar.set_progress(label, done, total)
            played = _play_quietly(pair.session, command, bar)
            done += len(pair.session.plan)
            ready = played and not (with_controls and lacks_shards(pair.session))
            waiting |= played and not ready
            for control in control_sessions(pair.session) if with_controls and ready else ():
                bar.set_progress(f"{label}, {control.folder.path.name}", done, total)
                played &= _play_quietly(control, command, bar)
                done += len(control.plan)
            done = before + total // len(pairs)
            complete &= played
    if waiting:
        print_text(CONTROLS_WAIT, "  ")
    if not complete:
        print("run the same command again to play errored and missing episodes")
    return complete


def _play_quietly(session: RunSession, command: TournamentCommand, bar: ProgressBar) -> bool:
    """Play what is missing of a run; return whether it is complete, else print why not."""
    options, budget, reuse = command.options, command.budget, not command.options.no_reuse
    budget.stopped = ""
    session.play_missing(
        1 if session.is_interactive else options.jobs or session.default_jobs,
        on_start=bar.advance_by,
        on_synced=lambda episodes: bar.advance_by(len(episodes)),
        budget=budget,
        reuse=reuse,
        start_workers=make_session_workers(session, options.workers, options.jobs, budget, reuse=reuse),
    )
    summary = session.read_summary()
    if not summary.is_complete:
        why = ": ".join(summary.why) if summary.why else "episodes are missing"
        print(f"{session.folder.path}: {budget.stopped or why}", file=sys.stderr)
    return summary.is_complete


def _print_results(tournament: Tournament, rules: TournamentRules) -> None:
    from groundling.report.cross_matrix import cross_matrix, cross_matrix_notes
    from groundling.report.leaderboard import wordless_lines
    from groundling.report.leaderboard_data import gather_leaderboard

    board = gather_leaderboard(rules.folder)
    for name, pairs in tournament.pairs.items():
        print()
        print_table(cross_matrix(pairs[0].session.pack, pairs))
        for line in [*cross_matrix_notes(pairs), *wordless_lines(board, name)]:
            print_text(line, "  ")
    print(f"\nleaderboard: groundling leaderboard {rules.folder} -o leaderboard.html")
