"""Trains the network of `reader` on four sources: people's procedures, the same in other words, procedures
that language models wrote for images of their own, and narrated ones; or the network of the instructor
`describer`, which writes their words.

    python -m papers.hexagons.train_reader SOURCES OUT [--rows reader-0 writer-0 …]
        [--steps 4000 | --minutes 12] [--notation program]

SOURCES is the file of `reader_sources.py`. Each seed sets aside its own images of train, as `groundling
train` does. `choice.py` measures a reader on them, `pairs.py --writer` plays an instructor. With --notation
program, a reader answers by drawing programs: those that the sources have, else the shortest that are found.
With --minutes, the number of steps is what the first steps promise to fit into that time."""

from __future__ import annotations

import argparse
import time
from collections.abc import Container, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import torch
from msgspec import Struct
from msgspec.structs import replace
from papers.commands import report_problems, run_logged
from papers.hexagons.reader_sources import ReaderSources, load_sources

from groundling.core.values import Problem
from groundling.games.hexagons.neural.executor_trainer import GeneratorOptions, train_executor
from groundling.games.hexagons.neural.procedures import Procedure, set_aside_procedures
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.train.devices import select_device
from groundling.train.training_plan import CHECKPOINT_FILE


class Row(Struct, frozen=True):
    left_out: tuple[str, ...] = ()
    """Sources that are not learned from."""
    writes: Literal["actions", "words"] = "actions"


ROWS = {
    "reader": Row(),
    "reader-without-written": Row(("reworded", "written")),
    "reader-without-narrated": Row(("narrated",)),
    "writer": Row(("narrated",), "words"),
    "writer-with-narrated": Row((), "words"),
}
"""Each row and seed is a training. Narrated words are the narrator's, so that `writer` does not learn from
them."""
SEEDS = (0, 1, 2)
MOST = 6000
"""Steps, where the time would do for more: people's procedures are known by heart by then."""
SHARES = 0.19, 0.09, 0.5, 0.22
"""Of the procedures of a batch: people's, reworded, written and narrated ones; by instructions about 20, 10,
40 and 30 %, as written procedures are short."""
MEASURED = 6
"""Held-out procedures that a reader's training itself looks at, after its last step; nothing is chosen by
them. Words are measured on all."""
TRIED = 96, 32
"""Steps by which the speed is measured, and those of them that are not counted."""


class ReaderTraining(Struct, frozen=True):
    out: Path
    sources: ReaderSources
    like: GeneratorOptions

    def choose_mixture(self, row: str, images: Container[str]) -> list[tuple[list[Procedure], float]]:
        """The sources of a row without held-out images, and the share of each. Those who write words see no
        hints, which every second narrated procedure has."""
        recipe, found = ROWS[row], list[list[Procedure]]()
        for name in ("people", "reworded", "written", "narrated"):
            told: list[Procedure] = getattr(self.sources, name) if name not in recipe.left_out else []
            if name == "narrated":
                told = told[::2] if recipe.writes == "words" else told
            elif recipe.writes == "actions":
                told = self.with_hints(told)
            found.append([one for one in told if one.image not in images])
        return list(zip(found, SHARES, strict=True))

    def with_hints(self, procedures: Sequence[Procedure]) -> list[Procedure]:
        return [version for one in procedures for version in (one, self.sources.hinted[one.id])]

    def train_row(self, name: str, steps: int, folder: Path) -> None:
        (row, _, digits), marks = name.rpartition("-"), [time.monotonic()]
        seed, writes = int(digits), ROWS[row].writes

        def mark_time(what: str, done: int, of: int) -> None:
            if done in (TRIED[1], of - 1):
                if torch.cuda.is_available():
                    torch.cuda.synchronize()
                marks.append(time.monotonic())

        _, held = set_aside_procedures(self.sources.people, seed)
        actions = writes == "actions"
        measured = [self.sources.hinted[one.id] for one in held[:MEASURED]] if actions else held
        folder.mkdir(exist_ok=True)
        card = train_executor(
            "hexagons-" + {"scratch": "generator"}.get(self.like.model, self.like.model),
            replace(
                self.like,
                seed=seed,
                steps=steps,
                every=steps,
                writes=writes,
                hints=actions,
                notation=self.like.notation if actions else "runs",
            ),
            self.sources.people,
            self.sources.narrated,
            folder,
            select_device(),
            told=mark_time,
            held=measured,
            mixture=self.choose_mixture(row, {one.image for one in held}),
        )
        (folder / CHECKPOINT_FILE).unlink()
        each = (marks[-1] - marks[1]) / (steps - 1 - TRIED[1])
        (folder / "seconds-per-step").write_text(f"{each}\n", "utf-8")
        print(f"{name}: {card.scores}, {each:.3f} s a step, {time.monotonic() - marks[0]:.0f} s", flush=True)
        if torch.cuda.is_available():
            print(f"{torch.cuda.max_memory_reserved() / 2**30:.0f} GiB", flush=True)


def train_rows(work: ReaderTraining, names: Sequence[str], steps: int, out: Path) -> None:
    """All at a time, each in a process of its own."""
    fork = get_context("fork")
    out.mkdir(exist_ok=True)
    running = [
        fork.Process(target=run_logged, args=(out / f"{name}.log", work.train_row, name, steps, out / name))
        for name in names
    ]
    for one in running:
        one.start()
    for one in running:
        one.join()
    if failed := [name for name, one in zip(names, running, strict=True) if one.exitcode]:
        raise Problem(f"trainings that failed: {', '.join(failed)}; the logs in {out} say why")


def count_steps(work: ReaderTraining, names: Sequence[str], seconds: float) -> int:
    """As many as fit into the time, by the pace of short trainings of all rows at a time."""
    begun, out = time.monotonic(), work.out / "tried"
    train_rows(work, names, TRIED[0], out)
    each = max(float((out / name / "seconds-per-step").read_text("utf-8")) for name in names)
    took = time.monotonic() - begun
    left = seconds - 2 * took + TRIED[0] * each  # a training has to be begun and measured once more
    print(f"{each:.3f} s a step, {took:.0f} s for {TRIED[0]} steps, {left:.0f} s left", flush=True)
    return min(max(int(left / each), TRIED[0]), MOST)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument(
        "--minutes", type=float, default=12.0, help="for all trainings, where --steps is not given"
    )
    rows = [f"{row}-{seed}" for row in ROWS for seed in SEEDS]
    parser.add_argument("--rows", nargs="+", choices=rows, default=rows[: len(SEEDS)])
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--model", default="smollm2", help="scratch, to try it out")
    parser.add_argument("--settings", default='{"dropout":0}', help="those of the model")
    parser.add_argument("--notation", choices=("runs", "program"), default="runs", help="of the answers")
    given = parser.parse_args()
    begun = time.monotonic()
    given.out.mkdir(parents=True, exist_ok=True)
    sources = load_sources(given.sources)
    if given.model == "smollm2":
        read_smollm2(find_smollm2_file())  # once for all trainings, which are forked
    like = GeneratorOptions(
        model=given.model, settings=given.settings, notation=given.notation, batch=given.batch, rate=1e-3
    )
    work = ReaderTraining(given.out, sources, like)
    left = 60 * given.minutes - (time.monotonic() - begun)
    steps = given.steps or count_steps(work, given.rows, left)
    print(f"{steps} steps", flush=True)
    train_rows(work, given.rows, steps, given.out)


if __name__ == "__main__":
    main()
