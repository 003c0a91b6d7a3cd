"""`groundling verify` checks the logs of runs and archives."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from groundling.boards.picture import replace_unprintable
from groundling.cli.options import GameOption
from groundling.cli.run_reading import unbroken_counts
from groundling.report.text_table import count_noun, print_text
from groundling.runs.verify import find_runs, verify_run


def verify_command(
    runs: Annotated[list[str], Argument(help="Runs, folders of runs, or archives.", metavar="DIR...")],
    game: GameOption = "",
) -> None:
    """Check that the logs of runs are undamaged.

    Every episode is replayed, and checksums and sums are compared."""
    archives = [name for name in runs if Path(name).suffix == ".tar"]
    rest = [name for name in runs if name not in archives]
    problems = sum(_verify_archive(name, game) for name in archives) + _verify_runs(rest, game)
    raise typer.Exit(1 if problems else 0)


def _verify_runs(names: Sequence[str], game: str) -> int:
    """Print what is off in runs, or in all runs of a folder; return the number of problems."""
    # runs by path: a folder may also be named with one of its runs
    runs = {run.path.resolve(): run for name in names for run in find_runs(Path(name), game)}.values()
    found = []
    for run in runs:
        found.append(checked := verify_run(run))
        for finding in checked.findings:
            print(replace_unprintable(str(finding)))
        for note in checked.notes:
            print_text(f"{run.path}: note: {note}", "  ")
        print_text(unbroken_counts(str(checked)), "  ")
    problems = sum(len(checked.findings) for checked in found)
    if len(found) > 1:
        broken = sum(bool(checked.findings) for checked in found)
        told = f"{count_noun(problems, 'problem')} in {broken} of them" if broken else "no problems"
        print(f"{len(found)} runs: {told}")
    return problems


def _verify_archive(name: str, game: str) -> int:
    """Print what is off in an archive; return the number of problems."""
    from groundling.publish.archive import verify_archive

    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for checked in verify_archive(Path(name), Path(folder), game):
            for line in (*map(str, checked.findings), str(checked)):
                print_text(line.replace(f"{folder}/", f"{name}/"), "  ")
            problems += len(checked.findings)
    told = "the scores follow from the logs" if not problems else count_noun(problems, "problem")
    print_text(f"{name}: SHA-256 {sha256(Path(name).read_bytes()).hexdigest()}; {told}", "  ")
    return problems
