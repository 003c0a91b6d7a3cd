"""`groundling train TRAINER` trains a player from recorded games."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct
from typer import Option

from groundling.cli.options import with_field_options
from groundling.core.source import read_splits
from groundling.core.trainer import Trainer, Training
from groundling.core.values import Problem
from groundling.files import write_output
from groundling.progress import progress_bar


def train_command(trainer: Trainer) -> Callable[..., Any]:
    def run_train(
        options: Struct,
        data: Annotated[Path, Option(help="The folder or file of the recorded games as published.")],
        out: Annotated[Path, Option("-o", "--out", help="The file to write, or the folder.")],
        splits: Annotated[
            Path | None, Option(help="A file of other splits, made by groundling data split.")
        ] = None,
    ) -> None:
        if not data.exists():
            raise Problem(f"{data} does not exist: give the folder or file of the data as published")
        if not out.parent.is_dir():
            raise Problem(f"{out.parent} is not a folder: create it first, or choose another path with -o")
        first = os.environ.get("RANK", "0") == "0"  # only one of torchrun's processes prints
        other = read_splits(str(splits), splits.read_bytes()) if splits else None
        try:
            with progress_bar(shown=first) as bar:
                save = partial(write_output, out)
                training = Training(
                    data=data, options=options, out=out, save=save, splits=other, progress=bar.set_progress
                )
                lines = trainer.load_lazy(trainer.train)(training)
        except KeyboardInterrupt:
            kept = f"{out} was not written"
            if trainer.checkpoint:
                there = (out / trainer.checkpoint).is_file()
                kept = "the same command " + (
                    "resumes from its last checkpoint" if there else "starts over: no checkpoint yet"
                )
            print(f"stopped; {kept}", file=sys.stderr)
            raise typer.Exit(130) from None
        for line in lines if first else ():
            print(line)

    return with_field_options(run_train, "options", trainer.load_lazy(trainer.options))
