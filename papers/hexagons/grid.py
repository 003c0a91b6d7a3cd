"""Trains the rows of the paper's tables from people's procedures alone, several at a time on one GPU.

    python -m papers.hexagons.grid DATA OUT [--only minilm] [--rows 'minilm-full-history-*'] [--at-once 5]

First a few recipes are tried for each model, and the one with the highest F1 on train's held-out images is
taken for all rows. Then come the contexts, two more seeds, the shares of train and the split by instructor.
What a row answers on dev is in OUT/results as soon as it is trained; rows of SmolLM2 on the whole of train
also answer with a beam. The same command resumes."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from shutil import copyfile
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.json import encode
from papers.commands import report_problems, run_logged
from papers.hexagons.evaluate import evaluate_weights

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.executor_trainer import (
    ClassifierOptions,
    GeneratorOptions,
    train_executor,
)
from groundling.games.hexagons.neural.procedures import Procedure, keep_share_of_procedures
from groundling.games.hexagons.neural.situations import TRAINED
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.games.hexagons.split import HexagonsSplitRecipe, split_hexagons_images
from groundling.train.devices import select_device
from groundling.train.training_loop import CURVE_FILE
from groundling.train.training_plan import CHECKPOINT_FILE
from groundling.train.weights import read_weights_card

PLAIN = {"colours": 0.0, "spoiled": 0.0}
"""The paper's data as they are: neither other colours nor faults in earlier steps."""
SHARES = (0.75, 0.5, 0.25, 0.12)
MAIN = "predicted+full"
LEAST = 100.0
"""Seconds without which no training is begun."""
MEASURING = 60.0
"""Seconds kept for what a training reaches on dev."""
BEAMS = 3
"""As in the paper, beside the likeliest tokens."""
Recipe = Mapping[str, Any]
RECIPES: dict[str, dict[str, Recipe]] = {
    "minilm": {
        "varied": {"batch": 32, "epochs": 100.0, "rate": 1e-3, "lesson": {"slow": 0.1}},
        "plain": {"batch": 32, "epochs": 100.0, "rate": 1e-3, "lesson": {"slow": 0.1, **PLAIN}},
    },
    "smollm2": {
        f"{epochs} epochs": {"batch": 8, "epochs": epochs, "rate": 5e-4, "settings": {"ternary": False}}
        for epochs in (6, 10, 16)
    },
}
BY_STEP = 32
"""Steps in a batch of SmolLM2 where it does not learn from whole procedures."""


class GridJob(Struct, frozen=True, kw_only=True):
    name: str
    model: str
    context: str = MAIN
    seed: int = 0
    share: float = 1.0
    split: str = "image"
    recipe: str = ""
    """Which one is tried; else the best."""


def list_trials(model: str) -> list[GridJob]:
    return [GridJob(name=f"{model}-trial-{one}", model=model, recipe=one) for one in RECIPES[model]]


def list_rows(model: str) -> Iterator[GridJob]:
    """In the order of how much they matter."""
    yield GridJob(name=f"{model}-{MAIN}-0", model=model)
    for context in ("full-history", *(one for one in TRAINED if one not in (MAIN, "full-history"))):
        yield GridJob(name=f"{model}-{context}-0", model=model, context=context)
    for seed in (1, 2):
        yield GridJob(name=f"{model}-{MAIN}-{seed}", model=model, seed=seed)
    for draw in (0, 1):
        for share in SHARES if draw == 0 else (1.0, *SHARES):
            name = f"{model}-full-history-{draw}" + (f"-{share:g}" if share < 1 else "")
            yield GridJob(name=name, model=model, context="full-history", seed=draw, share=share)
    yield GridJob(name=f"{model}-instructor-0", model=model, split="instructor")


def options_of(job: GridJob, recipe: Recipe) -> ClassifierOptions | GeneratorOptions:
    """Smaller shares are learned from for about as many steps, and so for more epochs."""
    given = dict(recipe)
    lesson = given.get("lesson", {})
    by_step = {"batch": BY_STEP} if job.model == "smollm2" and job.context != MAIN else {}
    given |= by_step | {
        "model": job.model,
        "context": job.context,
        "seed": job.seed,
        "share": job.share,
        "epochs": given["epochs"] / job.share,
        "lesson": encode(lesson).decode() if lesson else "",
        "settings": encode(given["settings"]).decode() if given.get("settings") else "",
    }
    return (ClassifierOptions if job.model == "minilm" else GeneratorOptions)(**given)


class Grid:
    def __init__(self, data: Path, out: Path, deadline: float, epochs: float, rows: Sequence[str]) -> None:
        self.out, self.deadline, self.epochs, self.rows = out, deadline, epochs, rows
        parts = {name: read_data_images(data, name) for name in ("train", "dev")}
        known = {image.id: image for images in parts.values() for image in images}
        recipe = HexagonsSplitRecipe(by="instructor", dev=0.1, test=0.0)
        others = split_hexagons_images(data, recipe)
        self.parts = {"image": parts} | {
            "instructor": {name: [known[one] for one in others[name] if one in known] for name in parts}
        }

    def run_job(self, job: GridJob) -> None:
        run_logged(self.out / "logs" / f"{job.name}.log", self._train_and_measure, job)

    def _train_and_measure(self, job: GridJob) -> None:
        begun, folder = time.monotonic(), self.out / job.name
        parts = self.parts[job.split]
        people = [Procedure.from_image(image) for image in parts["train"]]
        recipe = RECIPES[job.model][job.recipe or self.read_best(job.model)]
        asked = options_of(job, {**recipe, **({"epochs": self.epochs} if self.epochs else {})})
        folder.mkdir(exist_ok=True)
        card = train_executor(
            f"hexagons-{job.model}",
            asked,
            keep_share_of_procedures(people, asked.share, asked.seed),
            (),
            folder,
            select_device(),
            self.deadline - MEASURING,
        )
        print(f"{job.name}: {card.done} of {card.plan.steps} steps, {card.scores}", flush=True)
        trained = time.monotonic()
        if card.finished and not job.recipe:
            place = self.out / "results" / ("instructor" if job.split == "instructor" else "")
            evaluate_weights(folder, parts["dev"], [], place)
            if job.model == "smollm2" and job.share == 1 and job.split == "image":
                evaluate_weights(folder, parts["dev"], [], place, BEAMS)
            copyfile(folder / CURVE_FILE, self.out / "curves" / f"{job.name}.jsonl")
            copyfile(folder / "card.json", self.out / "cards" / f"{job.name}.json")
            (folder / CHECKPOINT_FILE).unlink(missing_ok=True)
        print(f"{trained - begun:.0f} s of training, {time.monotonic() - trained:.0f} s of dev", flush=True)

    def is_done(self, job: GridJob) -> bool:
        if not job.recipe:
            return (self.out / "cards" / f"{job.name}.json").is_file()
        folder = self.out / job.name
        return self.best_file(job.model).is_file() or (
            (folder / "card.json").is_file() and bool(read_weights_card(folder).finished)
        )

    def best_file(self, model: str) -> Path:
        return self.out / f"{model}-recipes.json"

    def read_best(self, model: str) -> str:
        return str(msgspec.json.decode(self.best_file(model).read_bytes())["best"])

    def choose_recipe(self, model: str) -> None:
        """Keep what the recipes reached on held-out images, and the best training as a row."""
        scores = {}
        for job in list_trials(model):
            if (self.out / job.name / "card.json").is_file():
                card = read_weights_card(self.out / job.name)
                scores[job.recipe] = {**card.scores, "step": card.step, "finished": card.finished}
                copyfile(self.out / job.name / CURVE_FILE, self.out / "curves" / f"{job.name}.jsonl")
        best = max(scores, key=lambda one: (bool(scores[one]["finished"]), scores[one]["f1"]))
        (self.out / f"{model}-trial-{best}").rename(self.out / f"{model}-{MAIN}-0")
        self.best_file(model).write_bytes(encode({"best": best, "held_out": scores}))
        print(f"{model}: {best} of {encode(scores).decode()}", flush=True)

    def run_all(self, models: Sequence[str], at_once: int) -> None:
        fork = get_context("fork")
        waiting = {model: list_trials(model) for model in models}
        running: dict[GridJob, tuple[BaseProcess, float]] = {}
        failed = set[str]()
        rows = dict.fromkeys(models, False)
        while any(waiting.values()) or running or not all(rows.values()):
            for job, (process, begun) in list(running.items()):
                if process.exitcode is None:
                    continue
                del running[job]
                took = time.monotonic() - begun
                print(f"{job.name}: exit {process.exitcode}, {took:.0f} s", flush=True)
                if process.exitcode and job.name not in failed:
                    failed.add(job.name)
                    waiting[job.model].append(job)
            for model in models:
                busy = any(job.model == model for job in running)
                if not rows[model] and not waiting[model] and not busy:
                    rows[model] = True
                    if not self.best_file(model).is_file():
                        self.choose_recipe(model)
                    waiting[model] = [
                        job for job in list_rows(model) if any(fnmatch(job.name, one) for one in self.rows)
                    ]
            late = time.monotonic() > self.deadline - LEAST
            for model in models:
                waiting[model] = [] if late else [job for job in waiting[model] if not self.is_done(job)]
                if late:
                    rows[model] = True
            while len(running) < at_once and any(waiting.values()):
                model = min((one for one in models if waiting[one]), key=lambda one: self._busy(running, one))
                job = waiting[model].pop(0)
                process = fork.Process(target=self.run_job, args=(job,))
                process.start()
                running[job] = process, time.monotonic()
            time.sleep(0.2)

    @staticmethod
    def _busy(running: Mapping[GridJob, object], model: str) -> int:
        return sum(job.model == model for job in running)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", choices=tuple(RECIPES), help="one of the two models")
    parser.add_argument("--rows", nargs="+", default=["*"], help="names or patterns of the rows to train")
    parser.add_argument("--at-once", type=int, default=5, help="trainings at a time")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after this time")
    parser.add_argument("--epochs", type=float, default=0.0, help="fewer epochs, to try the grid out")
    given = parser.parse_args()
    deadline = time.monotonic() + 60 * given.minutes
    for name in ("results", "curves", "cards", "logs"):
        (given.out / name).mkdir(parents=True, exist_ok=True)
    models = [given.only] if given.only else list(RECIPES)
    if "smollm2" in models:
        read_smollm2(find_smollm2_file())  # once for all trainings, which are forked
    Grid(given.data, given.out, deadline, given.epochs, given.rows).run_all(models, given.at_once)


if __name__ == "__main__":
    main()
