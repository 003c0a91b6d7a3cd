"""`groundling data import`, `stats`, `split` and `export`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
import typer
from msgspec import Struct

from groundling.cli.options import with_field_options
from groundling.core.pack import choices_hint, find, installed_entry_points, load
from groundling.core.source import Collection, Source, find_source
from groundling.core.values import Problem, Recipe
from groundling.runs.garbage_collection import write_whole_file
from groundling.runs.instances import check_instance_ids, encode_instances
from groundling.runs.run import open_run
from groundling.runs.run_folder import RunFolder
from groundling.runs.stored_run import Run

PUBLISHED = "jsonl"
"""The extension of files in the format of a game's published data."""
DataPath: TypeAlias = Annotated[
    Path, typer.Argument(metavar="PATH", help="The folder or file of the data as published.")
]


def import_command(source: Source) -> Callable[..., Any]:
    def run_import(
        path: DataPath,
        split: Annotated[str, typer.Option(help="Only this part.")] = "",
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="The folder to write; default: data/SOURCE.")
        ] = None,
    ) -> None:
        for part in source.read_collections(_check_path(path), split):
            _write_collection(part, path, out or Path("data") / source.name)

    return run_import


def _write_collection(part: Collection, path: Path, out: Path) -> None:
    """Write an instance file, and beside it a run folder with the recorded games."""
    check_instance_ids(f"{path}, {part.name},", part.instances)
    file = out / f"{part.name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole_file(file, encode_instances(part.instances))
    print(f"{file}: {len(part.instances)} instances of {part.game}")
    folder = RunFolder(out / part.name)
    if count := folder.write_transcripts(find(part.game), part.transcripts, str(path)):
        print(f"{folder.path}: {count} recorded games")


def stats_command(source: Source) -> Callable[..., Any]:
    def run_stats(
        path: DataPath,
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="Also write plots into this folder.")
        ] = None,
    ) -> None:
        if source.stats is None:
            raise Problem(
                f"there are no published figures for {source.name} data: "
                "import it, then use groundling score and show"
            )
        if out and source.plots is None:
            raise Problem(f"there are no plots of {source.name} data: leave out --out")
        for line in load(source.stats)(_check_path(path)):
            print(line)
        if out and source.plots:
            out.mkdir(parents=True, exist_ok=True)
            for name, svg in load(source.plots)(path).items():
                write_whole_file(out / f"{name}.svg", svg.encode())
                print(out / f"{name}.svg")

    return run_stats


def split_command(source: Source) -> Callable[..., Any]:
    def run_split(
        path: DataPath,
        recipe: Struct,
        out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("splits.json"),
    ) -> None:
        if source.split is None:
            raise Problem(f"{source.name} data cannot be split: use it as published")
        found = {name: list(ids) for name, ids in load(source.split)(_check_path(path), recipe).items()}
        write_whole_file(
            out,
            msgspec.json.format(msgspec.json.encode({"recipe": recipe, "splits": found}), indent=1) + b"\n",
        )
        print(f"{out}: " + ", ".join(f"{name} {len(ids)}" for name, ids in found.items()))

    return with_field_options(run_split, "recipe", load(source.recipe) if source.recipe else Recipe)


def export_data_runs(names: Sequence[str], out: Path) -> None:
    writers = installed_entry_points("groundling.exports")
    ending = out.suffix.removeprefix(".")
    if ending != PUBLISHED and ending not in writers:
        known = (f".{known}" for known in (*writers, PUBLISHED))
        raise Problem(f"{out} needs a known file extension: {choices_hint(known)}")
    runs = [open_run(name) for name in names]
    for run in runs:
        run.read_about()
    out.parent.mkdir(parents=True, exist_ok=True)
    if ending == PUBLISHED:
        print(f"{out}: {_write_published(runs, out)}")
    elif len(runs) > 1:
        raise Problem(f"{out} holds one run, and {len(runs)} are given: write each into a file of its own")
    else:
        print(f"{out}: {load(writers[ending].value)(runs[0], out)} episodes of {runs[0].find_pack().name}")


def _write_published(runs: Sequence[Run], out: Path) -> str:
    """Write the games of these runs in the format of their game's published data."""
    games = sorted({run.find_pack().name for run in runs})
    if len(games) > 1:
        raise Problem(f"these are runs of {' and '.join(games)}: export the runs of one game at a time")
    source = find_source(games[0])
    if source.write is None:
        raise Problem(f"games of {games[0]} cannot be written as published data: export them as .eval")
    written = load(source.write)(chain.from_iterable(run.read_transcripts() for run in runs))
    if not written.count:
        raise Problem(
            f"there is nothing to write in {', '.join(str(run.path) for run in runs)}: {written.about}"
        )
    write_whole_file(out, written.content)
    return written.about


def _check_path(path: Path) -> Path:
    if not path.exists():
        raise Problem(f"{path} does not exist: give the folder or file of the data as published")
    return path
