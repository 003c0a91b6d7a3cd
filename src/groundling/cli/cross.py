"""`groundling cross GAME` plays every speaker with every listener."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from groundling.cli.options import with_fields, with_lists
from groundling.cli.play import run_session
from groundling.core.pack import Pack, load
from groundling.core.values import Settings, missing
from groundling.runs.cross import cross, two_seats
from groundling.runs.instances import choose
from groundling.runs.playing import new_plan


def command(pack: Pack) -> Callable[..., Any]:
    def run(
        settings: Settings,
        players: dict[str, list[str]],
        on: Annotated[
            str, typer.Option(help="The part of the data, or a file of instances; else the built-in set.")
        ] = "",
        data: Annotated[Path | None, typer.Option(help="Published data to play: its folder or file.")] = None,
        splits: Annotated[
            Path | None, typer.Option(help="A file made by groundling data split: --on is one of its.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="Where the runs' folders go; else runs.")
        ] = None,
        jobs: Annotated[
            int | None, typer.Option(min=1, help="Episodes played at once; else as many as suit the players.")
        ] = None,
        limit: Annotated[int | None, typer.Option(help="Only the first so many instances.")] = None,
        retries: Annotated[int, typer.Option(min=0, help="How often a refused reply may be mended.")] = 1,
        seed: Annotated[int, typer.Option(help="For players that draw lots.")] = 0,
    ) -> None:
        try:
            from groundling.report.cross import matrix, notes, people, told
            from groundling.report.tables import print_whole
        except ImportError:
            raise missing("score") from None
        file = Path(on) if on and data is None else None
        found = choose(pack, file, data, "" if file else on, splits)
        fields = {"settings": settings, "source": found.source, "seed": seed, "retries": retries}
        plan = new_plan(pack, found.instances, limit, seats={}, **fields)
        pairs = cross(pack, plan, {role: players[f"{role}s"] for role in two_seats(pack)}, out)
        played = [run_session(pair.session, jobs) for pair in pairs]
        print_whole(matrix(pack, pairs))
        for line in notes(pairs):
            print(line)
        if human := people(pack, plan.instances, found.recorded):
            print(f"people, as they were recorded: {told(human)}")
        raise typer.Exit(0 if all(played) else 1)

    about = {f"{role}s": f"Who sits as {role}; give it for each of them." for role in two_seats(pack)}
    return with_fields(with_lists(run, "players", about, "PLAYER"), "settings", load(pack.game).Settings)
