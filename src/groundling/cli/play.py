"""`groundling play GAME` plays instances and logs the run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from groundling.cli.options import with_field_options, with_struct_options
from groundling.cli.play_options import ControlsOption, PlayOptions
from groundling.core.pack import Pack, load
from groundling.core.values import Role, Settings, missing_extra
from groundling.players.player_specs import read_seat_specs, with_prompt_specs
from groundling.report.cost_table import cost_line
from groundling.report.text_table import count_noun, print_text
from groundling.runs.budget import SpendingBudget
from groundling.runs.instances import choose_instances
from groundling.runs.playing import play_session
from groundling.runs.run_extent import extent_lines
from groundling.runs.scoring import score_columns
from groundling.runs.scoring_table import DONOR_SET, describe_borrowed_words, scored_strata
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.session import (
    RunSession,
    check_session_controls,
    control_sessions,
    lacks_shards,
    new_session_plan,
    prepare_session,
)
from groundling.runs.shards import CONTROLS_WAIT


def play_command(pack: Pack) -> Callable[..., Any]:
    def run_play(
        settings: Settings,
        options: PlayOptions,
        instances: Annotated[
            Path | None, Argument(help="Instances to play; default: the built-in set.")
        ] = None,
        data: Annotated[Path | None, Option(help="Folder or file of published data to play instead.")] = None,
        split: Annotated[str, Option(help="The part of the data to play; default: all.")] = "",
        splits: Annotated[
            Path | None,
            Option(help="A file made by groundling data split; choose one of its splits with --split."),
        ] = None,
        seat: Annotated[
            list[str] | None, Option(help="The player for a seat.", metavar="ROLE=PLAYER")
        ] = None,
        out: Annotated[
            Path | None, Option("-o", "--out", help="The run's folder; default: runs/GAME-HASH.")
        ] = None,
        strict: Annotated[
            bool, Option("--strict", help="Abort an episode at the first malformed reply.")
        ] = False,
        with_controls: ControlsOption = False,
    ) -> None:
        chosen = choose_instances(pack, instances, data, split, splits)
        plan = new_session_plan(
            pack,
            chosen.instances,
            settings=settings,
            source=chosen.source,
            data=chosen.data,
            seats=with_prompt_specs(read_seat_specs(seat or [], pack), options.prompts),
            strict=strict,
            **options.plan_fields(),
        )
        session = prepare_session(pack, plan, out)
        complete = play_sessions([session], options, with_controls=with_controls)
        if options.dry_run:
            return
        print(f"scores: groundling score {session.folder.path}")
        raise typer.Exit(0 if complete else 1)

    return with_play_options(run_play, pack)


def with_play_options(function: Callable[..., Any], pack: Pack) -> Callable[..., Any]:
    """Replace the parameters `options` and `settings` by the options of playing and those of the game."""
    shared = with_struct_options(function, "options", PlayOptions)
    return with_field_options(shared, "settings", load(pack.game).Settings)


def play_sessions(
    sessions: Sequence[RunSession], options: PlayOptions, *, with_controls: bool = False
) -> bool:
    """Play runs one after another, each followed by its controls, or print what would be played; return
    whether nothing is errored or missing. Controls of a shard wait for the other shards."""
    budget, reuse = options.make_budget(sessions), not options.no_reuse
    if with_controls:
        for session in sessions:
            check_session_controls(session)
    if options.dry_run:
        _print_plans(sessions, budget, with_controls, reuse=reuse)
        return True
    complete = True
    for session in sessions:
        played = run_play_session(session, options.jobs, budget, reuse=reuse, workers=options.workers)
        complete &= played
        if with_controls and not played:
            print("the controls are played once no episode is errored or missing")
        elif with_controls and lacks_shards(session):
            print_text(CONTROLS_WAIT, "  ")
        elif with_controls:
            for control in control_sessions(session):
                complete &= run_play_session(
                    control, options.jobs, budget, reuse=reuse, workers=options.workers
                )
    return complete


def _print_plans(
    sessions: Sequence[RunSession], budget: SpendingBudget, with_controls: bool, *, reuse: bool
) -> None:
    """Print what would be played and what it may cost, then the first prompts of each model."""
    from groundling.players.chat.preview import preview_first_prompts

    for session in sessions:
        plan, tally = session.asked, session.read_tally()
        done = sum(tally.is_done(episode.id) for episode in plan.planned_episodes())
        print(
            f"would play {len(plan) - done} of {len(plan)} episodes ({done} done) "
            f"of {plan.game} from {plan.source}"
        )
        for role, spec in plan.seats.items():
            print(f"  {role} = {spec}")
        print(f"  into {session.folder.path}")
    print_estimated_costs(estimate_costs(sessions, with_controls=with_controls, reuse=reuse), budget, reuse)
    shown: set[tuple[Role, str]] = set()
    for session in sessions:
        first = next(session.asked.planned_episodes())
        players = session.players
        new = [role for role, player in players.items() if (role, player.name) not in shown]
        for line in preview_first_prompts(session.pack, session.game, first.instance, players, new):
            print(line)
        shown |= {(role, players[role].name) for role in new}


def estimate_costs(
    sessions: Sequence[RunSession], *, with_controls: bool, reuse: bool
) -> dict[tuple[Role, str], SeatUsage]:
    """Estimate what the calls of each language model may use in all of these runs together."""
    from groundling.players.chat.reply_book import ReplyBook

    book = ReplyBook() if reuse else None
    costs: dict[tuple[Role, str], SeatUsage] = {}
    for session in sessions:
        if session.has_models:
            for role, used in session.estimate_usage(with_controls=with_controls, book=book).items():
                costs.setdefault((role, session.players[role].name), SeatUsage()).add_usage(used)
    return costs


def print_estimated_costs(
    costs: Mapping[tuple[Role, str], SeatUsage], budget: SpendingBudget, reuse: bool
) -> None:
    for (role, name), used in costs.items():
        print_text(cost_line(role, name, used, budget.prices.get(name), at_most=True), "  ")
    if costs:
        reused = " and replies that are reused" if reuse else ""
        print_text(f"calls are counted in games of gold players, without retries{reused}", "  ")


def run_play_session(
    session: RunSession,
    jobs: int | None,
    budget: SpendingBudget | None = None,
    *,
    reuse: bool = True,
    workers: str = "",
) -> bool:
    """Play and print the summary; return whether nothing is errored or missing."""
    budget = budget or PlayOptions().make_budget([session])
    plan = session.asked
    seats = ", ".join(f"{role}={spec}" for role, spec in plan.seats.items())
    print_text(f"{plan.game}, {seats}, into {session.folder.path}", "  ")
    if session.folder.about_path.exists():
        _print_growth(session)
    try:
        play_session(session, jobs, budget, reuse=reuse, workers=workers)
    except KeyboardInterrupt:
        _print_summary(session, budget)
        print("stopped; run the same command again to resume", file=sys.stderr)
        raise typer.Exit(130) from None
    complete = _print_summary(session, budget)
    if budget.stopped:
        print(f"stopped: {budget.stopped}", file=sys.stderr)
    return complete


def _print_growth(session: RunSession) -> None:
    """Say what is added to a run that was begun before, or that it holds more than is asked for."""
    before, now, asked = session.folder.read_about()["episodes"], len(session.plan), len(session.asked)
    if now > before:
        print(f"the run grows from {before:,} to {now:,} episodes; only what is new is played")
    elif asked < now:
        print(f"the run holds {now:,} episodes; only the {asked:,} that are asked for are played now")


def _print_summary(session: RunSession, budget: SpendingBudget) -> bool:
    summary = session.read_summary()
    print(
        f"planned {summary.planned} = played {summary.played} + aborted {summary.aborted} "
        f"+ errored {summary.errored} + missing {summary.missing}"
    )
    if summary.score is not None:
        _print_scores(session, summary.score)
    for role, used in summary.seats.items():
        name = session.players[role].name
        print_text(cost_line(role, name, used, budget.prices.get(name)), "  ")
    if summary.reused:
        sources = ", ".join(f"{count:,} from {run}" for run, count in sorted(summary.reused.items()))
        print_text(f"replies reused, not sent again: {sources}", "  ")
    if summary.why:
        print_text("{}: {}".format(*summary.why), "  ")
    if summary.missing and not _asks_for_missing(session):
        advice = "give the instances, --limit and --repeat that planned them"
        print_text(f"the missing episodes are none of those that were asked for: {advice}", "  ")
    elif summary.missing or summary.errored > summary.lasting:
        print("run the same command again to play errored and missing episodes")
    elif summary.lasting:
        advice = "complete the recording, or complete the script and use a new folder"
        print_text(f"the same command would fail again: {advice}", "  ")
    return summary.is_complete


def _asks_for_missing(session: RunSession) -> bool:
    if len(session.asked) == len(session.plan):
        return True
    tally = session.read_tally()
    return not all(tally.is_done(episode.id) for episode in session.asked.planned_episodes())


def _print_scores(session: RunSession, score: float) -> None:
    """Print the headline measures with intervals, where the extra `score` is installed."""
    main, *others = load(session.pack.measures)
    about = session.folder.read_about()
    try:
        from groundling.report.score_table import format_estimate, score_interval, weighted_mean
    except ImportError:
        for line in extent_lines(about, session.scored_strata()):
            print_text(line, "  ")
        print(f"{main.name} {score:.3f}; for intervals, {missing_extra('score')}")
        return
    shown = [main, *(other for other in others if other.headline)]
    donors = f"{DONOR_SET}_{session.pack.speaker}"
    names = (*(measure.name for measure in shown), "cluster", "chance", "weight", donors)
    episodes = score_columns(session.folder, names)
    words = sum(name is not None for name in episodes[donors])
    borrowed = describe_borrowed_words(words, len(episodes[donors]))
    outcomes = Counter(zip(episodes["set"], episodes["category"], episodes["status"], strict=True))
    for line in (*extent_lines(about, scored_strata(outcomes)), *borrowed):
        print_text(line, "  ")
    for measure in shown:
        found = score_interval(episodes, measure)
        if found.n:
            chance = weighted_mean(episodes, "chance") if measure is main else None
            print(
                f"{measure.name} {format_estimate(found)} ({count_noun(found.clusters, 'cluster')}"
                f"{'' if chance is None else f', chance {chance:.3f}'})"
            )
