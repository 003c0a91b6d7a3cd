"""`groundling play GAME` plays instances and logs the run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from groundling.cli.options import LimitOption, SampleOption, SetOption, with_field_options
from groundling.core.pack import Pack, load
from groundling.core.values import Problem, Settings, missing_extra
from groundling.players.chat.preview import preview_first_prompts
from groundling.players.player_specs import read_seat_specs, with_prompt_specs
from groundling.progress import progress_bar
from groundling.report.text_table import count_noun, print_text
from groundling.runs.instances import choose_instances
from groundling.runs.run_extent import extent_lines
from groundling.runs.session import (
    RunSession,
    check_session_controls,
    control_sessions,
    new_session_plan,
    prepare_session,
)


def play_command(pack: Pack) -> Callable[..., Any]:
    def run_play(
        settings: Settings,
        instances: Annotated[
            Path | None, typer.Argument(help="Instances to play; default: the built-in set.")
        ] = None,
        data: Annotated[
            Path | None, typer.Option(help="Folder or file of published data to play instead.")
        ] = None,
        split: Annotated[str, typer.Option(help="The part of the data to play; default: all.")] = "",
        splits: Annotated[
            Path | None,
            typer.Option(help="A file made by groundling data split; choose one of its splits with --split."),
        ] = None,
        seat: Annotated[
            list[str] | None, typer.Option(help="The player for a seat.", metavar="ROLE=PLAYER")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="The run's folder; default: runs/GAME-HASH.")
        ] = None,
        jobs: Annotated[
            int | None, typer.Option(help="Episodes played in parallel; default: chosen for the players.")
        ] = None,
        repeat: Annotated[int, typer.Option(help="Number of times each instance is played.")] = 1,
        limit: LimitOption = None,
        sample: SampleOption = None,
        sets: SetOption = None,
        retries: Annotated[int, typer.Option(help="Retries after an invalid reply.")] = 1,
        strict: Annotated[
            bool, typer.Option("--strict", help="Abort an episode at the first malformed reply.")
        ] = False,
        seed: Annotated[int, typer.Option(help="Random seed for stochastic players.")] = 0,
        prompts: Annotated[
            str, typer.Option(help="The prompt wording for language models; all: each in turn.")
        ] = "",
        max_tokens_total: Annotated[
            int | None, typer.Option(help="Stop after this number of tokens.")
        ] = None,
        with_controls: Annotated[
            bool,
            typer.Option(
                "--controls", help="Then play the controls: without words, and with another instance's words."
            ),
        ] = False,
        dry_run: Annotated[
            bool,
            typer.Option(
                "--dry-run", help="Print what would be played and the models' first prompts, without playing."
            ),
        ] = False,
    ) -> None:
        bounds = {
            "jobs": (jobs, 1),
            "repeat": (repeat, 1),
            "retries": (retries, 0),
            "max-tokens-total": (max_tokens_total, 1),
        }
        for name, (value, least) in bounds.items():
            if value is not None and value < least:
                raise Problem(f"--{name} is {value}: must be at least {least}")
        chosen = choose_instances(pack, instances, data, split, splits)
        plan = new_session_plan(
            pack,
            chosen.instances,
            limit,
            sample=sample,
            sets=sets or (),
            settings=settings,
            source=chosen.source,
            seats=with_prompt_specs(read_seat_specs(seat or [], pack), prompts)
            if prompts
            else read_seat_specs(seat or [], pack),
            seed=seed,
            repeat=repeat,
            retries=retries,
            strict=strict,
        )
        session = prepare_session(pack, plan, out)
        if dry_run:
            _print_plan(session)
            return
        if with_controls:
            check_session_controls(session)
        complete = run_play_session(session, jobs, max_tokens_total)
        if with_controls and not complete:
            print("the controls are played once no episode is errored or missing")
        elif with_controls:
            sessions = [session]
            for control in control_sessions(session):
                left = (
                    None
                    if max_tokens_total is None
                    else max_tokens_total - sum(other.spent_tokens for other in sessions)
                )
                complete &= run_play_session(control, jobs, left)
                sessions.append(control)
        print(f"scores: groundling score {session.folder.path}")
        raise typer.Exit(0 if complete else 1)

    return with_field_options(run_play, "settings", load(pack.game).Settings)


def _print_plan(session: RunSession) -> None:
    plan, tally = session.asked, session.read_tally()
    done = sum(tally.is_done(episode.id) for episode in plan.planned_episodes())
    print(
        f"would play {len(plan) - done} of {len(plan)} episodes ({done} done) "
        f"of {plan.game} from {plan.source}"
    )
    for role, spec in plan.seats.items():
        print(f"  {role} = {spec}")
    print(f"  into {session.folder.path}")
    first = next(plan.planned_episodes())
    for line in preview_first_prompts(session.pack, session.game, first.instance, session.players):
        print(line)


def run_play_session(session: RunSession, jobs: int | None, budget: int | None = None) -> bool:
    """Play and print the summary; return whether nothing is errored or missing."""
    plan = session.asked
    seats = ", ".join(f"{role}={spec}" for role, spec in plan.seats.items())
    print_text(f"{plan.game}, {seats}, into {session.folder.path}", "  ")
    if session.folder.about_path.exists():
        _print_growth(session)
    try:
        with progress_bar(shown=not session.is_interactive) as bar:
            session.play_missing(
                jobs=1 if session.is_interactive else jobs or session.default_jobs,
                on_start=lambda done: bar.set_progress(plan.game, done, len(plan)),
                on_synced=lambda episodes: bar.advance_by(len(episodes)),
                budget=budget,
            )
    except KeyboardInterrupt:
        _print_summary(session)
        print("stopped; run the same command again to resume", file=sys.stderr)
        raise typer.Exit(130) from None
    complete = _print_summary(session)
    if budget is not None and session.spent_tokens >= budget:
        print(f"stopped: {session.spent_tokens} tokens used, --max-tokens-total is {budget}", file=sys.stderr)
    return complete


def _print_growth(session: RunSession) -> None:
    """Say what is added to a run that was begun before, or that it holds more than is asked for."""
    before, now, asked = session.folder.read_about()["episodes"], len(session.plan), len(session.asked)
    if now > before:
        print(f"the run grows from {before:,} to {now:,} episodes; only what is new is played")
    elif asked < now:
        print(f"the run holds {now:,} episodes; only the {asked:,} that are asked for are played now")


def _print_summary(session: RunSession) -> bool:
    summary = session.read_summary()
    print(
        f"planned {summary.planned} = played {summary.played} + aborted {summary.aborted} "
        f"+ errored {summary.errored} + missing {summary.missing}"
    )
    if summary.score is not None:
        _print_scores(session, summary.score)
    if summary.usage:
        print("usage " + ", ".join(f"{key} {count}" for key, count in sorted(summary.usage.items())))
    if summary.why:
        print_text("{}: {}".format(*summary.why), "  ")
    if summary.missing or summary.errored > summary.lasting:
        print("run the same command again to play errored and missing episodes")
    elif summary.lasting:
        advice = "complete the recording, or complete the script and use a new folder"
        print_text(f"the same command would fail again: {advice}", "  ")
    return summary.is_complete


def _print_scores(session: RunSession, score: float) -> None:
    """Print the headline measures with intervals, where the extra `score` is installed."""
    main, *others = load(session.pack.measures)
    about = session.folder.read_about()
    try:
        from groundling.report.score_table import format_estimate, score_interval, weighted_mean
        from groundling.runs.scoring import borrowed_words_lines, score_run, scored_strata
    except ImportError:
        for line in extent_lines(about, session.scored_strata()):
            print_text(line, "  ")
        print(f"{main.name} {score:.3f}; for intervals, {missing_extra('score')}")
        return
    episodes = score_run(session.folder)
    for line in [*extent_lines(about, scored_strata(episodes)), *borrowed_words_lines(episodes)]:
        print_text(line, "  ")
    for measure in (main, *(other for other in others if other.headline)):
        found = score_interval(episodes, measure)
        if found.n:
            chance = weighted_mean(episodes, "chance") if measure is main else None
            print(
                f"{measure.name} {format_estimate(found)} ({count_noun(found.clusters, 'cluster')}"
                f"{'' if chance is None else f', chance {chance:.3f}'})"
            )
