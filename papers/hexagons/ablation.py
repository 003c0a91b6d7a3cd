"""Trains the network of `reader` without one of its sources or parts at a time, and measures what is lost.

    python -m papers.hexagons.ablation DATA OUT NARRATED [--rows 'all-*' no-hints-0 …] [--at-once 4]

NARRATED is a folder with files of `groundling make hexagons --told LEVEL`, named told-LEVEL-SEED.jsonl. All
rows are trained for as many steps, and measured on the same images, which no row is trained on: those that
the trainings of `reader` set aside with seeds 0, 1 and 2. What a row reaches is in OUT/rows as soon as it is
measured. `ensemble-0` is the three seeds of `all` together. The rows of the two halves of train are not
measured here: `pairs.py` plays them with instructors of the two halves."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import torch
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace
from papers.commands import report_problems, run_logged
from papers.hexagons.ablation_measures import measure_row
from papers.hexagons.wordings import half_of_procedures, read_by_parser

from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.narration.people_wordings import PeopleWording, learn_wordings
from groundling.games.hexagons.neural.executor_trainer import GeneratorOptions, train_executor
from groundling.games.hexagons.neural.hints import hint_procedure, invent_hints
from groundling.games.hexagons.neural.procedures import (
    BLANK,
    Procedure,
    read_narrated_procedures,
    read_procedures,
    set_aside_procedures,
)
from groundling.games.hexagons.neural.reader import load_reader_network
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.games.hexagons.players.describer import Speech, describe_target
from groundling.train.devices import select_device
from groundling.train.training_plan import CHECKPOINT_FILE
from groundling.train.weights import has_weights

SEEDS = (0, 1, 2)
BATCH, NARRATED, MEASURED = 8, 0.5, 6
"""Procedures of a step; the share of narrated ones; held-out procedures that a training itself looks at."""
MEASURING = 75.0
"""Seconds kept for measuring a row; a training is not begun if it would have less than that again."""
MOST_STEPS = 24
"""Longer narrated procedures are left out."""
DESCRIBED = 2000
"""Images that are also told in people's wordings."""


class AblationRow(Struct, frozen=True):
    says: str
    people: bool = True
    levels: str = "0123"
    """Of narration."""
    hints: bool = True
    lesson: dict[str, float] = {}
    described: bool = False
    half: str = ""


ROWS = {
    "all": AblationRow("all sources"),
    "no-narration": AblationRow("without narration", levels=""),
    "crosstalk-a": AblationRow("half A of train", hints=False, half="a"),
    "crosstalk-b": AblationRow("half B of train", hints=False, half="b"),
    "no-hints": AblationRow("without hints", hints=False),
    "no-people": AblationRow("narration alone, none of people's words", people=False),
    "no-colours": AblationRow("without permuted colours", lesson={"colours": 0.0}),
    "no-faults": AblationRow("without faults in earlier steps", lesson={"spoiled": 0.0}),
    "low-levels": AblationRow("narration of levels 0 and 1 only", levels="01"),
    "high-levels": AblationRow("narration of levels 2 and 3 only", levels="23"),
    "described": AblationRow("with images told in people's wordings", described=True),
}
ENSEMBLE = "ensemble"


class Sources(Struct, frozen=True):
    """What there is to learn from, and what is held out."""

    people: list[Procedure]
    hinted: list[Procedure]
    narrated: dict[str, list[Procedure]]
    """By level."""
    described: list[Procedure]
    held: list[Procedure]


def hold_out(people: Sequence[Procedure]) -> tuple[list[Procedure], list[Procedure]]:
    """Those to learn from, and those of images that `reader`'s training with one of the seeds sets aside."""
    images = {one.image for seed in SEEDS for one in set_aside_procedures(people, seed)[1]}
    return [one for one in people if one.image not in images], [one for one in people if one.image in images]


def read_sources(data: Path, narrated: Path) -> Sources:
    people, held = hold_out(read_procedures(data, "train"))
    levels = {
        level: [
            one
            for one in read_narrated_procedures(sorted(narrated.glob(f"told-{level}-*.jsonl")))
            if len(one.texts) <= MOST_STEPS
        ]
        for level in "0123"
    }
    steps = [(text, one.step_changes(number)) for one in people for number, text in enumerate(one.texts)]
    wordings = learn_wordings(steps, read_by_parser)
    images = [
        image
        for file in sorted(narrated.glob("told-3-*.jsonl"))
        for image in msgspec.json.Decoder(HexagonsImage).decode_lines(file.read_bytes())
    ]
    with get_context("fork").Pool() as pool:
        described = pool.map(partial(_describe_image, wordings), images[:DESCRIBED], chunksize=20)
        hinted = pool.map(hint_procedure, people, chunksize=8)
    for one in held:
        hint_procedure(one)  # the readings on gold boards are kept for all rows
    return Sources(people, hinted, levels, described, held)


def _describe_image(wordings: Sequence[PeopleWording], image: HexagonsImage) -> Procedure:
    told = describe_target(image.target, Speech(wordings))
    boards = (BLANK, *(step.board.cells for step in told))
    return Procedure(f"described {image.id}", image.id, tuple(step.text for step in told), boards)


def choose_sources(row: AblationRow, sources: Sources) -> tuple[list[Procedure], list[Procedure]]:
    """People's procedures and narrated ones that a row is trained on, with hints where it has them."""
    people = [*sources.people, *(sources.hinted if row.hints else [])] if row.people else []
    if row.half:
        # a half is one of the whole of train: no row of a half is measured on held-out images
        people = half_of_procedures([*sources.people, *sources.held], row.half)
    narrated = [one for level in row.levels for one in sources.narrated[level]]
    if row.described:
        narrated = Random(0).sample(narrated, len(narrated) - len(sources.described)) + sources.described
    if row.hints:
        narrated = [invent_hints(one, Random(one.id)) if n % 2 else one for n, one in enumerate(narrated)]
    return people, narrated


def options_of(row: AblationRow, seed: int, like: GeneratorOptions) -> GeneratorOptions:
    steps = like.steps
    return replace(
        like,
        every=steps,
        batch=BATCH,
        rate=1e-3,
        seed=seed,
        hints=row.hints,
        lesson=encode({"narrated": NARRATED if row.people else 1.0, **row.lesson}).decode(),
    )


class Ablation(Struct, frozen=True):
    data: Path
    out: Path
    sources: Sources
    like: GeneratorOptions
    deadline: float

    def run_job(self, name: str) -> None:
        run_logged(self.out / "logs" / f"{name}.log", self._train_and_measure, name)

    def _train_and_measure(self, name: str) -> None:
        begun, folder = time.monotonic(), self.out / name
        stem, _, seed = name.rpartition("-")
        if stem == ENSEMBLE:
            facts: dict[str, Any] = {"row": stem, "seed": 0, "steps": self.like.steps}
            self.measure(name, [self.out / f"all-{one}" for one in SEEDS], hints=True, facts=facts)
            return
        row = ROWS[stem]
        if not has_weights(folder):
            people, narrated = choose_sources(row, self.sources)
            folder.mkdir(exist_ok=True)
            card = train_executor(
                "hexagons-" + {"scratch": "generator"}.get(self.like.model, self.like.model),
                options_of(row, int(seed), self.like),
                people,
                narrated,
                folder,
                select_device(),
                self.deadline - MEASURING,
                held=self.sources.held[:MEASURED],
            )
            (folder / CHECKPOINT_FILE).unlink(missing_ok=True)
            took = time.monotonic() - begun
            print(f"{name}: {card.done} of {card.plan.steps} steps, {took:.0f} s, {card.scores}", flush=True)
            if torch.cuda.is_available():
                print(f"{torch.cuda.max_memory_reserved() / 2**30:.0f} GiB", flush=True)
                torch.cuda.empty_cache()
            if not card.finished:
                raise SystemExit(1)
        if not row.half and not (self.out / "rows" / f"{name}.json").exists():
            facts = {"row": stem, "seed": int(seed), "steps": self.like.steps}
            self.measure(name, [folder], hints=row.hints, facts=facts)
        print(f"{name}: {time.monotonic() - begun:.0f} s in all", flush=True)

    def measure(self, name: str, folders: Sequence[Path], *, hints: bool, facts: dict[str, Any]) -> None:
        models = [load_reader_network(folder)[0] for folder in folders]
        dev = read_procedures(self.data, "dev") if name.startswith(("all", ENSEMBLE)) else []
        found: dict[str, Any] = {}
        for key, scores in measure_row(models, self.sources.held, dev, hints=hints):
            found[key] = scores
            text = encode({**facts, "scores": found})
            (self.out / "rows" / f"{name}.json").write_bytes(text + b"\n")
            print(f"{name}: {key} {scores.told}, {time.monotonic():.0f}", flush=True)

    def is_ready(self, name: str) -> bool:
        return not name.startswith(ENSEMBLE) or all(has_weights(self.out / f"all-{one}") for one in SEEDS)


def list_jobs() -> list[str]:
    """In the order of how much they matter: every row with the first seed, then with the others."""
    rows = [name for name, row in ROWS.items() if not row.half]
    first = [f"{name}-0" for name in ROWS]
    return [
        *first,
        "all-1",
        "all-2",
        f"{ENSEMBLE}-0",
        *(f"{name}-{seed}" for seed in SEEDS[1:] for name in rows[1:]),
    ]


def run_jobs(
    names: Sequence[str],
    at_once: int,
    deadline: float,
    run: Callable[[str], None],
    ready: Callable[[str], bool],
) -> None:
    fork = get_context("fork")
    waiting, running = list(names), dict[str, tuple[BaseProcess, float]]()
    while waiting or running:
        for name, (process, begun) in list(running.items()):
            if process.exitcode is not None:
                del running[name]
                print(f"{name}: exit {process.exitcode}, {time.monotonic() - begun:.0f} s", flush=True)
        if time.monotonic() > deadline - 2 * MEASURING:
            waiting = []
        while len(running) < at_once and (able := [name for name in waiting if ready(name)]):
            waiting.remove(able[0])
            process = fork.Process(target=run, args=(able[0],))
            process.start()
            running[able[0]] = process, time.monotonic()
        if waiting and not running:
            break
        time.sleep(0.2)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("narrated", type=Path)
    parser.add_argument("--rows", nargs="+", default=["*"], help="names or patterns of the rows to train")
    parser.add_argument("--at-once", type=int, default=4, help="trainings at a time")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after this time")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--model", default="smollm2", help="scratch, to try the rows out")
    parser.add_argument("--settings", default="", help="those of the model")
    given = parser.parse_args()
    deadline = time.monotonic() + 60 * given.minutes
    for name in ("rows", "logs"):
        (given.out / name).mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(name for one in given.rows for name in list_jobs() if fnmatch(name, one)))
    if given.model == "smollm2":
        read_smollm2(find_smollm2_file())  # once for all trainings, which are forked
    like = GeneratorOptions(model=given.model, settings=given.settings, steps=given.steps)
    work = Ablation(given.data, given.out, read_sources(given.data, given.narrated), like, deadline)
    run_jobs(names, given.at_once, deadline, work.run_job, work.is_ready)


if __name__ == "__main__":
    main()
