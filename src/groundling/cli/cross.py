"""`groundling cross GAME` plays every speaker with every listener."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from groundling.cli.options import with_list_options
from groundling.cli.play import play_sessions, with_play_options
from groundling.cli.play_options import ControlsOption, PlayOptions
from groundling.core.pack import Pack
from groundling.core.values import Role, Settings
from groundling.players.player_specs import with_prompt_specs
from groundling.report.text_table import print_table, print_text
from groundling.runs.cross_play import cross_play_roles, cross_players
from groundling.runs.instances import choose_instances
from groundling.runs.session import new_session_plan


def cross_command(pack: Pack) -> Callable[..., Any]:
    def run_cross(
        settings: Settings,
        options: PlayOptions,
        players: dict[str, list[str]],
        on: Annotated[
            str, Option(help="A part of the data, or a file of instances; default: the built-in set.")
        ] = "",
        data: Annotated[Path | None, Option(help="Folder or file of published data to play.")] = None,
        splits: Annotated[
            Path | None,
            Option(help="A file made by groundling data split; choose one of its splits with --on."),
        ] = None,
        out: Annotated[
            Path | None, Option("-o", "--out", help="The folder for the runs; default: runs.")
        ] = None,
        with_controls: ControlsOption = False,
    ) -> None:
        from groundling.report.cross_matrix import cross_matrix, cross_matrix_notes, recorded_matrix_estimate
        from groundling.report.score_table import format_estimate

        file = Path(on) if on and data is None else None
        found = choose_instances(pack, file, data, "" if file else on, splits)
        plan = new_session_plan(
            pack,
            found.instances,
            settings=settings,
            source=found.source,
            data=found.data,
            seats={},
            **options.plan_fields(),
        )
        roles = cross_play_roles(pack)
        given = {(role, n): text for role in roles for n, text in enumerate(players[f"{role}s"])}
        specs: dict[Role, list[str]] = {role: [] for role in roles}
        for (role, _), text in with_prompt_specs(given, options.prompts).items():
            specs[role].append(text)
        pairs = cross_players(pack, plan, specs, out)
        complete = play_sessions([pair.session for pair in pairs], options, with_controls=with_controls)
        if options.dry_run:
            return
        print_table(cross_matrix(pack, pairs))
        for line in cross_matrix_notes(pairs):
            print_text(line, "  ")
        if human := recorded_matrix_estimate(pack, plan, found.recorded):
            print(f"people, as they were recorded: {format_estimate(human)}")
        raise typer.Exit(0 if complete else 1)

    about = {
        f"{role}s": f"A player for the seat {role}; repeat the option for more."
        for role in cross_play_roles(pack)
    }
    return with_play_options(with_list_options(run_cross, "players", about, "PLAYER"), pack)
