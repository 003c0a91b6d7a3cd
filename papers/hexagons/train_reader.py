"""Trains the network of `reader` on five sources: people's procedures, the same in other words, and at other
places, procedures that language models wrote for images of their own, and narrated ones; or the network of
the instructor `describer`, which writes their words.

    python -m papers.hexagons.train_reader SOURCES OUT [--rows writer-0 …] [--minutes 12 | --steps 4000]
        [--start DIR …] [--stop 9]

SOURCES is the file of `reader_sources.py`. Rows differ in what they write and in which images of train they
hold out: most hold out those of their seed, as `groundling train` does; rows `…-held` those of all seeds, so
that several such networks can be measured together; rows `…-all` none. `choice.py` measures readers on them,
`pairs.py --writer` plays an instructor. The learning rate falls with time, so that trainings of different
speeds end together. With --stop, the same command resumes; what is trained is not trained again."""

from __future__ import annotations

import argparse
import time
from collections.abc import Container, Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace
from papers.commands import report_problems, run_logged
from papers.hexagons.ablation import hold_out
from papers.hexagons.reader_sources import ReaderSources, load_sources

from groundling.core.values import Problem
from groundling.games.hexagons.neural import llama
from groundling.games.hexagons.neural.executor_trainer import GeneratorOptions, train_executor
from groundling.games.hexagons.neural.notation import Notation
from groundling.games.hexagons.neural.procedures import Procedure, set_aside_procedures
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.train.devices import select_device
from groundling.train.training_plan import CHECKPOINT_FILE
from groundling.train.weights import has_weights, read_weights_card


class Row(Struct, frozen=True):
    left_out: tuple[str, ...] = ()
    """Sources that are not learned from."""
    writes: Literal["actions", "words"] = "actions"
    notation: Notation = "runs"
    """Of actions."""
    layers: int = 0
    """Of SmolLM2, at equal distances; 0: all."""


ROWS = {
    "reader": Row(),
    "reader-held": Row(),
    "reader-all": Row(),
    "reader-without-written": Row(("reworded", "written")),
    "reader-without-narrated": Row(("narrated",)),
    "reader-without-varied": Row(("varied",)),
    "reader-without-varied-held": Row(("varied",)),
    "small": Row(layers=12),
    "small-held": Row(layers=12),
    "program": Row(notation="program"),
    "program-held": Row(notation="program"),
    "program-all": Row(notation="program"),
    "writer": Row(("narrated",), "words"),
    "writer-with-narrated": Row((), "words"),
}
"""Each row and seed is a training. `program` answers by drawing programs: those that the sources have, else
the shortest that are found. Narrated words are the narrator's, so that `writer` does not learn from them."""
SEEDS = (0, 1, 2)
TRAININGS = tuple(f"{row}-{seed}" for row in ROWS for seed in SEEDS)
SHARES = {"people": 0.1, "reworded": 0.05, "varied": 0.48, "written": 0.25, "narrated": 0.12}
"""Of the procedures of a batch."""
NEVER = 10**9
"""Steps."""
MEASURED = 6
"""Procedures that a reader's training itself looks at, after its last step; nothing is chosen by them. Words
are measured on all held-out ones."""


def hold_out_images(people: Sequence[Procedure], name: str) -> list[Procedure]:
    """The procedures of train that the training of this name does not learn from."""
    row, _, digits = name.rpartition("-")
    if row.endswith("-all"):
        return []
    return hold_out(people)[1] if row.endswith("-held") else set_aside_procedures(people, int(digits))[1]


class ReaderTraining(Struct, frozen=True):
    out: Path
    sources: ReaderSources
    like: GeneratorOptions
    deadline: float | None = None
    """The `time.monotonic()` after which trainings stop, to be resumed."""

    def choose_mixture(self, row: str, images: Container[str]) -> list[tuple[list[Procedure], float]]:
        """The sources of a row without held-out images, and the share of each. Those who write words see no
        hints, which every second narrated procedure has."""
        recipe, found = ROWS[row], list[tuple[list[Procedure], float]]()
        for name, share in SHARES.items():
            told: list[Procedure] = getattr(self.sources, name) if name not in recipe.left_out else []
            if name == "narrated":
                told = told[::2] if recipe.writes == "words" else told
            elif recipe.writes == "actions":
                told = self.with_hints(told)
            found.append(([one for one in told if one.image not in images], share))
        return found

    def with_hints(self, procedures: Sequence[Procedure]) -> list[Procedure]:
        return [version for one in procedures for version in (one, self.sources.hinted[one.id])]

    def train_row(self, name: str, folder: Path, start: str) -> None:
        (row, _, digits), begun = name.rpartition("-"), time.monotonic()
        checkpoint = folder / CHECKPOINT_FILE
        if has_weights(folder) and read_weights_card(folder).finished and not checkpoint.exists():
            print(f"{name} is trained already", flush=True)
            return
        recipe = ROWS[row]
        held = hold_out_images(self.sources.people, name)
        settings: dict[str, Any] = {"layers": recipe.layers} if recipe.layers else {}
        if self.like.settings:
            settings |= msgspec.json.decode(self.like.settings)
        actions, measured = recipe.writes == "actions", held or self.sources.people[:MEASURED]
        if actions:
            measured = [self.sources.hinted[one.id] for one in measured[:MEASURED]]
        folder.mkdir(exist_ok=True)
        card = train_executor(
            "hexagons-" + {"scratch": "generator"}.get(self.like.model, self.like.model),
            replace(
                self.like,
                seed=int(digits),
                start=start,
                settings=encode(settings).decode() if settings and not start else "",  # weights have theirs
                every=self.like.steps or NEVER,  # but at the end
                writes=recipe.writes,
                notation=recipe.notation,
                hints=actions,
            ),
            self.sources.people,
            self.sources.narrated,
            folder,
            select_device(),
            self.deadline,
            held=measured,
            mixture=self.choose_mixture(row, {one.image for one in held}),
        )
        if card.finished:
            checkpoint.unlink()
        told = card.scores if card.finished else "stopped: run the same command again to resume"
        print(f"{name}: {card.done} steps, {told}, {time.monotonic() - begun:.0f} s", flush=True)
        if torch.cuda.is_available():
            print(f"{torch.cuda.max_memory_reserved() / 2**30:.0f} GiB", flush=True)


def train_rows(work: ReaderTraining, starts: Mapping[str, str]) -> None:
    """All at a time, each in a process of its own, from the weights where it starts."""
    fork, out, names = get_context("fork"), work.out, list(starts)
    print(f"training {', '.join(names)}; what they come to is written to {out}/NAME.log", flush=True)
    running = [
        fork.Process(target=run_logged, args=(out / f"{name}.log", work.train_row, name, out / name, start))
        for name, start in starts.items()
    ]
    for one in running:
        one.start()
    for one in running:
        one.join()
    if failed := [name for name, one in zip(names, running, strict=True) if one.exitcode]:
        raise Problem(f"trainings that failed: {', '.join(failed)}; the logs in {out} say why")


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=12.0, help="of learning")
    parser.add_argument("--steps", type=int, default=0, help="in place of --minutes")
    parser.add_argument("--rows", nargs="+", choices=TRAININGS, default=TRAININGS[: len(SEEDS)])
    parser.add_argument(
        "--kept-tokens",
        type=int,
        default=llama.KEPT_TOKENS,
        help="of a larger batch, numbers are computed again rather than kept, about 1.2 MB a token",
    )
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--model", default="smollm2", help="scratch, to try it out")
    parser.add_argument("--settings", default="", help="those of the model")
    parser.add_argument(
        "--start",
        nargs="+",
        default=[""],
        help="the folders of weights to start from, in place of SmolLM2's: one for all rows, or one for "
        "each; those that learned from the images that a row holds out make its scores worthless",
    )
    parser.add_argument("--stop", type=float, default=0.0, help="stop after this number of minutes; 0: never")
    given, begun = parser.parse_args(), time.monotonic()
    starts = given.start * len(given.rows) if len(given.start) == 1 else given.start
    if len(starts) != len(given.rows):
        parser.error(
            f"there are {len(starts)} folders to start from and {len(given.rows)} rows: give one, or as many"
        )
    llama.KEPT_TOKENS = given.kept_tokens
    given.out.mkdir(parents=True, exist_ok=True)
    sources = load_sources(given.sources)
    if given.model == "smollm2":
        read_smollm2(find_smollm2_file())  # once for all trainings, which are forked
    seconds = 0.0 if given.steps else 60 * given.minutes
    like = GeneratorOptions(
        model=given.model, settings=given.settings, batch=given.batch, steps=given.steps, seconds=seconds
    )
    deadline = begun + 60 * given.stop if given.stop else None
    train_rows(ReaderTraining(given.out, sources, like, deadline), dict(zip(given.rows, starts, strict=True)))


if __name__ == "__main__":
    main()
