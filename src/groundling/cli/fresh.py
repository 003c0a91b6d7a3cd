"""`groundling fresh GAME` compares a published set with fresh sets of the same recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from groundling.cli.options import read_recipe
from groundling.cli.play import play_sessions, with_play_options
from groundling.cli.play_options import PlayOptions
from groundling.core.pack import Pack, load
from groundling.core.values import Problem, Role, Settings
from groundling.players.player_specs import read_seat_specs, with_prompt_specs
from groundling.progress import progress_bar
from groundling.report.text_table import print_table, print_text
from groundling.runs.fresh_sets import (
    PUBLISHED,
    RULES,
    InstanceSet,
    check_published_recipe,
    choose_rule_tables,
    prepare_fresh_sets,
    prepare_set_sessions,
    table_label,
)
from groundling.runs.instances import choose_instances
from groundling.runs.sampling import choose_sets
from groundling.runs.session import RunSession, new_session_plan

FEWEST_SETS = 5


def fresh_command(pack: Pack) -> Callable[..., Any]:
    def run_fresh(
        settings: Settings,
        options: PlayOptions,
        published: Annotated[
            Path | None, Option(help="The published instances; default: the built-in set.")
        ] = None,
        seat: Annotated[
            list[str] | None, Option(help="The player for a seat.", metavar="ROLE=PLAYER")
        ] = None,
        rules: Annotated[
            list[str] | None,
            Option(
                help="Players that cannot have seen the items; default: the game's own, in turn.",
                metavar="ROLE=PLAYER",
            ),
        ] = None,
        sets: Annotated[int, Option("--sets", min=FEWEST_SETS, help="Number of fresh sets.")] = FEWEST_SETS,
        n: Annotated[
            int | None, Option("-n", min=1, help="Size of a fresh set; default: as published.")
        ] = None,
        recipe: Annotated[
            list[str] | None, Option(help="A field of the published set's recipe.", metavar="FIELD=VALUE")
        ] = None,
        out: Annotated[
            Path | None, Option("-o", "--out", help="The folder; default: runs/GAME-fresh-HASH.")
        ] = None,
    ) -> None:
        import groundling.report.exposure_table  # noqa: F401 - names a missing extra before a game begins

        seats = read_seat_specs(seat or [], pack)
        chosen = choose_instances(pack, published, None, "", None)
        offered = choose_sets(chosen.instances, options.only or ())
        fields = {**options.plan_fields(), "settings": settings}
        with_prompts = with_prompt_specs(seats, options.prompts)
        plan = new_session_plan(pack, chosen.instances, source=chosen.source, seats=with_prompts, **fields)
        folder = out or Path("runs") / f"{pack.name}-fresh-{plan.identity_hash()}"
        tables = (
            [read_seat_specs(rules, pack)]
            if rules
            else choose_rule_tables(pack, pack.new(settings), seats, offered)
        )
        whole = InstanceSet(PUBLISHED, chosen.instances, chosen.source)
        made = read_recipe(load(pack.recipe), recipe or (), n or len(chosen.instances))
        if published and not check_published_recipe(pack, made, whole):
            print_text(f"note: that {published} was made with the recipe of the fresh sets cannot be checked")
        wanted = InstanceSet(PUBLISHED, offered, chosen.source)
        parts = [whole, *prepare_fresh_sets(pack, made, sets, folder, wanted)]
        sessions = prepare_set_sessions(pack, parts, folder, with_prompts, **fields)
        complete = play_sessions(list(sessions.values()), options)
        if options.dry_run:
            return
        if not complete:
            print("the sets are compared once no episode is errored or missing")
            raise typer.Exit(1)
        by_rules = [
            prepare_set_sessions(pack, parts, folder / RULES / table_label(table), table, **fields)
            for table in tables
        ]
        _play_rules(tables, by_rules, options.jobs)
        _print_comparison(pack, seats, sessions, by_rules, folder)

    return with_play_options(run_fresh, pack)


def _play_rules(
    tables: Sequence[Mapping[Role, str]], runs: Sequence[Mapping[str, RunSession]], jobs: int | None
) -> None:
    """Play the runs of rules, without a summary of each."""
    for table, sessions in zip(tables, runs, strict=True):
        print_text(f"rules: {', '.join(f'{role}={spec}' for role, spec in table.items())}", "  ")
        done, total = 0, sum(len(session.asked) for session in sessions.values())
        with progress_bar() as bar:
            for session in sessions.values():
                bar.set_progress("rules", done, total)
                session.play_missing(
                    jobs or session.default_jobs, on_synced=lambda episodes: bar.advance_by(len(episodes))
                )
                done += len(session.asked)
                if not session.read_summary().is_complete:
                    raise Problem(
                        f"the rules could not finish {session.folder.path}: choose others with --rules"
                    )


def _print_comparison(
    pack: Pack,
    seats: Mapping[Role, str],
    sessions: Mapping[str, RunSession],
    by_rules: Sequence[Mapping[str, RunSession]],
    folder: Path,
) -> None:
    from groundling.report.exposure_table import (
        SetEpisodes,
        exposure_estimates,
        exposure_lines,
        exposure_table,
    )
    from groundling.report.variance import variance_lines
    from groundling.runs.scoring import score_run
    from groundling.runs.scoring_table import join_scoring_tables

    scored = [{part: score_run(one.folder) for part, one in each.items()} for each in (sessions, *by_rules)]
    estimates, left_out = exposure_estimates(pack, SetEpisodes(scored[0], scored[1:]))
    players = " → ".join(sessions[PUBLISHED].players[role].name for role in seats)
    print()
    print_table(exposure_table(pack, players, len(sessions) - 1, estimates))
    for line in exposure_lines(estimates, left_out):
        print_text(line, "  ")
    for line in variance_lines(pack, join_scoring_tables(list(scored[0].values()))):
        print_text(line, "  ")
    print(f"scores of the sets: groundling score {folder / PUBLISHED} {folder}/fresh-*/")
