"""`groundling make GAME` makes new instances."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from typer import Option

from groundling.cli.options import with_field_options
from groundling.core.pack import Pack, command_name, load
from groundling.core.values import Instance, Problem, Recipe
from groundling.files import write_output, write_whole_file
from groundling.runs.instances import (
    encode_instances,
    instances_seed_path,
    make_fresh_instances,
    make_instances,
    reveal_instances_seed,
)


def make_command(pack: Pack) -> Callable[..., Any]:
    def run_make(
        recipe: Recipe,
        out: Annotated[
            Path | None, Option("-o", "--out", help="The file to write; default: standard output.")
        ] = None,
        fresh: Annotated[
            bool, Option("--fresh", help="Draw a private seed; the instances contain only its hash.")
        ] = False,
        reveal: Annotated[
            Path | None, Option(help="Reveal and verify the private seed of this file.")
        ] = None,
    ) -> None:
        if reveal:
            _print_revealed_seed(pack, reveal)
            return
        file = _instances_path(pack, recipe, out)
        made = _make_fresh_set(pack, recipe, file) if fresh else make_instances(pack, recipe)
        for note in recipe.notes():
            print(f"note: {note}", file=sys.stderr)
        if file is None:
            sys.stdout.buffer.write(encode_instances(made))
            return
        if file != out:
            file.parent.mkdir(parents=True, exist_ok=True)
        write_output(file, encode_instances(made))
        private = f"; its private seed is in {instances_seed_path(file)}, keep it private" if fresh else ""
        print(f"{file}: {len(made)} instances of {pack.name}{private}")
        if fresh:
            print(f"to publish it later: groundling make {command_name(pack)} --reveal {file}")
        if file != out:
            _write_set_files(pack, recipe, made, file.parent)

    return with_field_options(run_make, "recipe", load(pack.recipe))


def _instances_path(pack: Pack, recipe: Recipe, out: Path | None) -> Path | None:
    """The file for the instances: in the folder of the set, if it has a name."""
    name: str = getattr(recipe, "name", "") if pack.data.folder else ""
    if not name:
        return out
    if out is None:
        raise Problem("--name makes a folder: add -o DIR for the folder to create it in")
    if Path(name).name != name or name == ".." or not name.isprintable():
        raise Problem(f"--name {name} is not a valid folder name: give one plain name")
    return out / name / "instances.jsonl"


def _write_set_files(pack: Pack, recipe: Recipe, made: Sequence[Instance], folder: Path) -> None:
    """Write the other files of a set."""
    count = 0
    for path, data in load(pack.data.folder)(recipe, made) if pack.data.folder else ():
        (folder / path).parent.mkdir(exist_ok=True)
        write_whole_file(folder / path, data)
        count += 1
    print(f"{folder}: {count} more files")


def _make_fresh_set(pack: Pack, recipe: Recipe, file: Path | None) -> list[Instance]:
    if file is None:
        raise Problem("--fresh stores the private seed next to the instances: add -o FILE")
    if recipe.seed:
        raise Problem("--fresh draws its own seed: leave out --seed")
    secret = instances_seed_path(file)
    if secret.exists():
        raise Problem(
            f"{secret} holds the private seed of an earlier set: choose another file, or remove both"
        )
    made, private = make_fresh_instances(pack, recipe)
    if getattr(recipe, "name", ""):
        file.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_whole_file(secret, msgspec.json.encode(private), mode=0o600)
    except OSError as trouble:
        trouble.filename = str(file)
        raise
    return made


def _print_revealed_seed(pack: Pack, path: Path) -> None:
    seed = reveal_instances_seed(pack, path)
    print(
        f"{path} was made with seed {seed}: "
        "the same bytes come out of it again, and its hash is the one they carry"
    )
