"""`groundling data import`, `stats`, `split`, `sample`, `labels`, `items` and `export`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Struct
from typer import Argument, Option

from groundling.cli.options import with_field_options
from groundling.core.annotation_item import AnnotationItem
from groundling.core.pack import choices_hint, find, installed_entry_points, load
from groundling.core.source import Collection, ItemLabel, Source, find_source, installed_sources
from groundling.core.values import Problem, Recipe
from groundling.csv_cells import format_csv_row
from groundling.files import write_output
from groundling.report.run_items import UNITS, list_run_items
from groundling.report.text_table import Column, TableRow, TextTable, print_table
from groundling.runs.instances import check_instance_ids, encode_instances, mark_data_instances
from groundling.runs.published_data import name_data
from groundling.runs.run import open_run
from groundling.runs.run_folder import RunFolder
from groundling.runs.sampling import sample_by_share
from groundling.runs.stored_run import Run

PUBLISHED = "jsonl"
"""The extension of files in the format of a game's published data."""
DataPath: TypeAlias = Annotated[
    Path, Argument(metavar="PATH", help="The folder or file of the data as published.")
]


def import_command(source: Source) -> Callable[..., Any]:
    def run_import(
        path: DataPath,
        split: Annotated[str, Option(help="Only this part.")] = "",
        out: Annotated[
            Path | None, Option("-o", "--out", help="The folder to write; default: data/SOURCE.")
        ] = None,
    ) -> None:
        for part in source.read_collections(_check_path(path), split):
            _write_collection(source, part, path, out or Path("data") / source.name)

    return run_import


def _write_collection(source: Source, part: Collection, path: Path, out: Path) -> None:
    """Write an instance file, and beside it a run folder with the recorded games."""
    check_instance_ids(f"{path}, {part.name},", part.instances)
    file, name = out / f"{part.name}.jsonl", name_data(source, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    if part.instances:
        write_output(file, encode_instances(mark_data_instances(name, part.instances)))
        print(f"{file}: {len(part.instances)} instances of {part.game}")
    folder = RunFolder(out / part.name)
    if count := folder.write_transcripts(find(part.game), part.transcripts, str(path), data=name):
        print(f"{folder.path}: {count} recorded games")


def stats_command(source: Source) -> Callable[..., Any]:
    def run_stats(
        path: DataPath,
        out: Annotated[Path | None, Option("-o", "--out", help="Also write plots into this folder.")] = None,
    ) -> None:
        if source.stats is None:
            raise Problem(
                f"there are no published figures for {source.name} data: "
                "import it, then use groundling score and show"
            )
        if out and source.plots is None:
            raise Problem(f"there are no plots of {source.name} data: leave out --out")
        source.list_parts(_check_path(path))
        for line in load(source.stats)(path):
            print(line)
        if out and source.plots:
            out.mkdir(parents=True, exist_ok=True)
            for name, svg in load(source.plots)(path).items():
                write_output(out / f"{name}.svg", svg.encode())
                print(out / f"{name}.svg")

    return run_stats


def split_command(source: Source) -> Callable[..., Any]:
    def run_split(
        path: DataPath,
        recipe: Struct,
        out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("splits.json"),
    ) -> None:
        if source.split is None:
            raise Problem(f"{source.name} data cannot be split: use it as published")
        found = {name: list(ids) for name, ids in load(source.split)(_check_path(path), recipe).items()}
        write_output(
            out,
            msgspec.json.format(msgspec.json.encode({"recipe": recipe, "splits": found}), indent=1) + b"\n",
        )
        print(f"{out}: " + ", ".join(f"{name} {len(ids)}" for name, ids in found.items()))

    return with_field_options(run_split, "recipe", load(source.recipe) if source.recipe else Recipe)


def sample_command(source: Source) -> Callable[..., Any]:
    def run_sample(
        path: DataPath,
        procedures: Annotated[
            int, Option("-n", "--procedures", help="Number of instances to choose.", metavar="N")
        ],
        by: Annotated[
            str, Option(help="Keep the shares of these fields, as category+round.", metavar="FIELD+…")
        ] = "set",
        split: Annotated[str, Option(help="Only this part.")] = "",
        seed: Annotated[int, Option(help="Random seed for the choice.")] = 0,
        out: Annotated[
            Path | None, Option("-o", "--out", help="The folder to write; default: data/SOURCE.")
        ] = None,
    ) -> None:
        parts = source.read_collections(_check_path(path), split)
        games = {part.game for part in parts}
        if len(games) > 1:
            raise Problem(
                f"{path} has instances of {' and '.join(sorted(games))}: choose a part with --split"
            )
        instances = [instance for part in parts for instance in part.instances]
        strata = [_field_values(instance, by) for instance in instances]
        chosen = sample_by_share(instances, strata, procedures, Random(seed))
        ids = {(instance.set, instance.id) for instance in chosen}
        kept = (
            transcript
            for part in parts
            for transcript in part.transcripts
            if (transcript.opened.instance.set, transcript.opened.instance.id) in ids
        )
        sample = Collection(games.pop(), f"sample-{procedures}", chosen, kept)
        _write_collection(source, sample, path, out or Path("data") / source.name)
        print_table(_shares_table(by, strata, [_field_values(instance, by) for instance in chosen]))

    return run_sample


def _field_values(instance: Struct, by: str) -> tuple[str, ...]:
    known = [
        name
        for name in instance.__struct_fields__
        if isinstance(getattr(instance, name), str | int | None) and name != "id"
    ]
    for name in by.split("+"):
        if name not in known:
            raise Problem(f"--by {by}: the instances have no field {name!r}: {choices_hint(known)}")
    return tuple(str(getattr(instance, name)) for name in by.split("+"))


def _shares_table(by: str, strata: Sequence[tuple[str, ...]], chosen: Sequence[tuple[str, ...]]) -> TextTable:
    whole, sample = Counter(strata), Counter(chosen)
    return TextTable(
        f"{len(chosen)} of {len(strata)} by {by}",
        tuple(by.split("+")),
        (Column("all"), Column("share", joined=True), Column("sample"), Column("share", joined=True)),
        tuple(
            TableRow(
                stratum,
                (
                    str(count),
                    f"{100 * count / len(strata):.1f} %",
                    str(sample[stratum]),
                    f"{100 * sample[stratum] / len(chosen):.1f} %",
                ),
            )
            for stratum, count in sorted(whole.items())
        ),
    )


def labels_command(source: Source) -> Callable[..., Any]:
    def run_labels(
        path: DataPath,
        split: Annotated[str, Option(help="Only this part.")] = "",
        out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("labels.csv"),
    ) -> None:
        if source.labels is None:
            raise Problem(f"{source.name} data has no labels: choose another source")
        found = [
            label
            for part in source.read_collections(_check_path(path), split)
            for label in load(source.labels)(part.instances)
        ]
        rows = [ItemLabel.__struct_fields__, *map(msgspec.structs.astuple, found)]
        write_output(out, b"".join(map(format_csv_row, rows)))
        counts = Counter(label.annotator for label in found)
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        print(f"{out}: labels by {told}; groundling agree {out} compares them")

    return run_labels


def items_command(source: Source) -> Callable[..., Any]:
    def run_items(
        path: DataPath,
        purpose: Annotated[str, Option("--for", help="What they are annotated for.", metavar="NAME")] = "",
        split: Annotated[str, Option(help="Only this part.")] = "",
        out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("items.jsonl"),
    ) -> None:
        if not source.items:
            raise Problem(f"{source.name} data has no items to annotate: choose another source")
        if purpose not in source.items:
            raise Problem(f"--for {purpose or 'NAME'}: {choices_hint(source.items)}")
        source.list_parts(_check_path(path), split)
        found = list(load(source.items[purpose])(path, split))
        if not found:
            raise Problem(f"{path} has nothing to annotate for {purpose}: give another part")
        write_output(out, b"".join(msgspec.json.encode(item) + b"\n" for item in found))
        print(f"{out}: {len(found)} items; name it in [stimuli.NAME] of a study, as table")

    return run_items


def export_command(
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs of one game.")],
    out: Annotated[Path, Option("-o", "--out", help="The file to write; its extension sets the format.")],
) -> None:
    """Write runs as other files: FILE.eval for inspect view, FILE.jsonl in the published format."""
    writers = installed_entry_points("groundling.exports")
    ending = out.suffix.removeprefix(".")
    if ending != PUBLISHED and ending not in writers:
        known = (f".{known}" for known in (*writers, PUBLISHED))
        raise Problem(f"{out} needs a known file extension: {choices_hint(known)}")
    opened = [open_run(name) for name in runs]
    for run in opened:
        run.read_about()
    out.parent.mkdir(parents=True, exist_ok=True)
    if ending == PUBLISHED:
        print(f"{out}: {_write_published(opened, out)}")
    elif len(runs) > 1:
        raise Problem(f"{out} holds one run, and {len(runs)} are given: write each into a file of its own")
    else:
        count: int = load(writers[ending].value)(opened[0], out)
        print(f"{out}: {count} episodes of {opened[0].find_pack().name}")


def steps_command(
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs of any game.")],
    unit: Annotated[
        str, Option(help="What an item is: a step, an episode or an image.", metavar="NAME")
    ] = "step",
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("items.jsonl"),
) -> None:
    """Write what was said and done in runs as a table of items to annotate in a study."""
    if unit not in UNITS:
        raise Problem(f"--unit {unit}: {choices_hint(UNITS)}")
    items: dict[str, AnnotationItem] = {}
    for run in map(open_run, runs):
        for item in list_run_items(run.find_pack(), run.make_game(), run.read_transcripts(), unit):
            if item.id in items and unit != "image":
                raise Problem(
                    f"{run.path} has the {unit} {item.id!r} twice: give runs of different instances"
                )
            items[item.id] = item
    if not items:
        raise Problem(f"there is nothing to annotate in {', '.join(runs)}: play some episodes first")
    write_output(out, b"".join(msgspec.json.encode(item) + b"\n" for item in items.values()))
    clusters = len({item.cluster for item in items.values()})
    print(f"{out}: {len(items)} items of {clusters} clusters")


def _write_published(runs: Sequence[Run], out: Path) -> str:
    """Write the games of these runs in the format of their game's published data."""
    games = sorted({run.find_pack().name for run in runs})
    if len(games) > 1:
        raise Problem(f"these are runs of {' and '.join(games)}: export the runs of one game at a time")
    source = find_source(games[0]) if games[0] in installed_sources() else None
    if source is None or source.write is None:
        raise Problem(f"games of {games[0]} cannot be written as published data: export them as .eval")
    written = load(source.write)(chain.from_iterable(run.read_transcripts() for run in runs))
    if not written.count:
        raise Problem(
            f"there is nothing to write in {', '.join(str(run.path) for run in runs)}: {written.about}"
        )
    write_output(out, written.content)
    return written.about


def _check_path(path: Path) -> Path:
    if not path.exists():
        raise Problem(f"{path} does not exist: give the folder or file of the data as published")
    return path
