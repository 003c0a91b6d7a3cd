"""Trainings as they are asked for: of which model, from which half, how long. A list of them can be run in
one command, several at once, within a time limit: what is not done by then goes on with the next such
command."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from groundling.core.trainer import Training
from groundling.core.values import Problem

DrawerModel = Literal["bilstm", "transformer", "minilm"]
TellerModel = Literal["scene2seq", "decoder"]


class Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    """The name of its folder."""
    model: DrawerModel | TellerModel
    half: Literal["a", "b", "all"] = "all"
    grouped: bool = False
    seed: int = 0
    batch: int = 0
    """0: the model's default."""
    epochs: float = 0
    """The number of epochs; replaces the plan's steps."""
    blind: bool = False
    """Train without words, as a control."""
    narrated: bool = False
    """Also learn from the same scenes as the `template` Teller describes them."""
    plan: dict[str, Any] = {}
    """Changes to the model's defaults, as are the next two fields."""
    settings: dict[str, Any] = {}
    lesson: dict[str, Any] = {}
    minutes: float = 0
    """The time limit; 0: none of its own."""
    start: str = ""
    """The folder of a Teller that then learns by playing: the name of another job, or of existing weights."""
    drawers: tuple[str, ...] = ()
    """Folders of the Drawers that a Teller plays with, named likewise."""

    @property
    def half_name(self) -> str:
        """The half as the card names it."""
        return f"grouped {self.half}" if self.grouped else self.half

    @property
    def needed_weights(self) -> tuple[str, ...]:
        return (self.start, *self.drawers) if self.start else self.drawers


@contextmanager
def report_invalid(job: Job, what: str) -> Iterator[None]:
    """Turn a validation error in a part of a job into a `Problem`."""
    try:
        yield
    except msgspec.ValidationError as trouble:
        raise Problem(
            f"the {what} of {job.name or job.model} cannot be what it is asked to be: {trouble}"
        ) from None


class TrainingOptions(Struct, frozen=True, kw_only=True):
    """Options of every training. A number of 0 means the model's default."""

    half: Annotated[
        Literal["a", "b", "all"], Meta(description="which half of the training dialogs to learn from")
    ] = "all"
    grouped: Annotated[bool, Meta(description="halves that share no scene of one prompt")] = False
    narrated: Annotated[
        bool, Meta(description="learn also from the same scenes as the template Teller tells them")
    ] = False
    seed: Annotated[
        int, Meta(ge=0, description="the same seed gives the same weights on the same machine's CPU")
    ] = 0
    steps: Annotated[int, Meta(ge=0, description="of training; 0: as many as suit the model")] = 0
    batch: Annotated[
        int, Meta(ge=0, description="of what is learned from in a step; 0: what suits the model")
    ] = 0
    rate: Annotated[float, Meta(ge=0, description="of learning; 0: what suits the model")] = 0.0
    every: Annotated[
        int, Meta(ge=0, description="steps between two measurements; 0: what suits the model")
    ] = 0
    minutes: Annotated[
        float, Meta(ge=0, description="stop then, to go on with the same command; 0: when it is done")
    ] = 0.0

    def make_job(self, name: str, model: DrawerModel | TellerModel, **others: Any) -> Job:
        plan = {field: getattr(self, field) for field in ("steps", "rate", "every") if getattr(self, field)}
        chosen: dict[str, Any] = {
            name: getattr(self, name) for name in ("half", "grouped", "narrated", "seed", "batch")
        }
        return Job(name=name, model=model, plan=plan, **chosen, **others)

    def select_splits(self, training: Training) -> Mapping[str, Sequence[str]] | None:
        """Return the splits of the user, if any; `None` means the published ones."""
        if self.grouped and training.splits is not None:
            raise Problem(
                "--grouped has halves of its own: leave out --splits, "
                "or --grouped where the splits are grouped already"
            )
        return training.splits

    @property
    def deadline(self) -> float | None:
        """The deadline on the monotonic clock."""
        return time.monotonic() + 60 * self.minutes if self.minutes else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", type=Path, required=True, help="the dialogs, packed")
    parser.add_argument("--jobs", type=Path, required=True, help="a JSON list of trainings")
    parser.add_argument("--out", type=Path, required=True, help="where their folders are")
    parser.add_argument("--pretrained", type=Path, help="the reader that some of them start from")
    parser.add_argument("--weights", type=Path, help="folders of weights that are there already")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--only", help="the name of one job, done in this process")
    given = parser.parse_args()
    jobs = msgspec.json.decode(given.jobs.read_bytes(), type=list[Job])
    if given.only:
        _run_job(next(job for job in jobs if job.name == given.only), given)
        return
    deadline = time.monotonic() + 60 * given.minutes
    waiting, running = list(jobs), dict[str, subprocess.Popen[bytes]]()
    while waiting or running:
        running = {name: process for name, process in running.items() if process.poll() is None}
        left = deadline - time.monotonic()
        undone = {job.name for job in waiting} | set(running)
        ready = [job for job in waiting if not undone.intersection(job.needed_weights)]
        if ready and len(running) < given.at_once and left > 20:
            waiting.remove(job := ready[0])
            again = [*sys.argv[1:], "--only", job.name, "--minutes", f"{left / 60:.3f}"]
            running[job.name] = subprocess.Popen([sys.executable, "-u", "-m", f"{__package__}.jobs", *again])
            continue
        if not running and (left <= 20 or not ready):
            break
        time.sleep(0.2)


def _run_job(job: Job, given: argparse.Namespace) -> None:
    from groundling.games.codraw.neural.dialog_pack import load_pack
    from groundling.games.codraw.neural.drawer_trainer import summary_line, train_drawer
    from groundling.games.codraw.neural.teller_trainer import train_teller
    from groundling.train.devices import select_device

    started = time.monotonic()
    folder: Path = given.out / job.name
    folder.mkdir(parents=True, exist_ok=True)

    heard = ""

    def print_progress(what: str, done: int, of: int) -> None:
        nonlocal heard
        if what == heard:
            return
        heard = what
        print(f"{time.monotonic() - started:6.1f}s {job.name} {done}/{of} {what}", flush=True)

    minutes = min(job.minutes or given.minutes, given.minutes)
    pack, deadline = load_pack(given.pack), started + 60 * minutes
    if job.model in get_args(TellerModel):
        found = {name: _find_weights(name, given) for name in job.needed_weights}
        card = train_teller(
            pack, job, folder, where=select_device(), found=found, deadline=deadline, told=print_progress
        )
    else:
        card = train_drawer(
            pack,
            job,
            folder,
            where=select_device(),
            pretrained=given.pretrained,
            deadline=deadline,
            told=print_progress,
        )
    print(f"{time.monotonic() - started:6.1f}s {job.name}: {summary_line(card)}", flush=True)


def _find_weights(name: str, given: argparse.Namespace) -> Path:
    """Find the folder with the weights of a job, or of an existing player."""
    places = [given.out / name, *([given.weights / name] if given.weights else [])]
    return next((place for place in places if (place / "card.json").is_file()), Path(name))


if __name__ == "__main__":
    main()
