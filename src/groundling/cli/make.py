"""`groundling make GAME`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from ..core.pack import Pack, load
from ..core.values import Problem, Recipe
from ..runs.files import write_whole
from ..runs.instances import encode_instances, make_fresh, make_instances, reveal, secret_path
from .options import with_fields


def command(pack: Pack) -> Callable[..., Any]:
    def make(
        recipe: Recipe,
        out: Annotated[Path | None, typer.Option("-o", "--out", help="The file to write; without it, standard output.")] = None,
        fresh: Annotated[bool, typer.Option("--fresh", help="Draw a private seed; the instances carry only its hash.")] = False,
        reveal: Annotated[Path | None, typer.Option(help="Tell and prove the private seed of this fresh file.")] = None,
    ) -> None:
        if reveal:
            _reveal(pack, reveal)
        elif fresh:
            _fresh(pack, recipe, out)
        else:
            data = encode_instances(made := make_instances(pack, recipe))
            if out is None:
                sys.stdout.buffer.write(data)
            else:
                write_whole(out, data)
                print(f"{out}: {len(made)} instances of {pack.name}")

    return with_fields(make, "recipe", load(pack.recipe))


def _fresh(pack: Pack, recipe: Recipe, out: Path | None) -> None:
    if out is None:
        raise Problem("a fresh set needs a file, its private seed is kept beside it: add -o FILE")
    if recipe.seed:
        raise Problem("--fresh draws its own seed: leave out --seed")
    secret = secret_path(out)
    if secret.exists():
        raise Problem(f"{secret} holds the private seed of an earlier set: choose another file, or remove both")
    made, private = make_fresh(pack, recipe)
    write_whole(secret, msgspec.json.encode(private), mode=0o600)
    write_whole(out, encode_instances(made))
    print(f"{out}: {len(made)} instances of {pack.name}; its private seed is in {secret}, keep it to yourself")
    print(f"to publish it later: groundling make {pack.name} --reveal {out}")


def _reveal(pack: Pack, path: Path) -> None:
    seed = reveal(pack, path)
    print(f"{path} was made with seed {seed}: the same bytes come out of it again, and its hash is the one they carry")
