"""Trainings as they are asked for: of which model, from which half, how long."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.train.training_plan import TrainingPlan

S = TypeVar("S", bound=Struct)
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
    """Not used; it is part of what identifies a checkpoint."""
    start: str = ""
    """The folder of a Teller that then learns by playing."""
    drawers: tuple[str, ...] = ()
    """Folders of the Drawers that a Teller plays with."""

    @property
    def half_name(self) -> str:
        """The half as the card names it."""
        return f"grouped {self.half}" if self.grouped else self.half

    def merge_lesson(self, usual: S) -> S:
        with report_invalid_job(self, "lesson"):
            return msgspec.convert({**to_builtins(usual), **self.lesson}, type(usual))

    def merge_plan(self, usual: TrainingPlan, many: int, batch: int, epochs: float) -> TrainingPlan:
        """Return the plan for many examples, with as many steps as epochs take if there are any. The default
        is one measurement per epoch."""
        with report_invalid_job(self, "plan"):
            plan = msgspec.convert({**to_builtins(usual), **self.plan, "seed": self.seed}, TrainingPlan)
        if epochs:
            plan = replace(plan, steps=ceil(many * epochs / batch))
        return plan if plan.every else replace(plan, every=max(1, ceil(many / batch)))


@contextmanager
def report_invalid_job(job: Job, what: str) -> Iterator[None]:
    """Turn a validation error in a part of a job into a `Problem`."""
    try:
        yield
    except msgspec.ValidationError as trouble:
        raise Problem(f"the {what} of {job.name or job.model} is not valid: {trouble}") from None


class JobOptions(Struct, frozen=True, kw_only=True):
    """Options of every training. A number of 0 means the model's default."""

    half: Annotated[
        Literal["a", "b", "all"], Meta(description="the half of the training dialogs to train on")
    ] = "all"
    grouped: Annotated[bool, Meta(description="use halves that share no prompt")] = False
    narrated: Annotated[
        bool, Meta(description="also train on the same scenes, described by the template Teller")
    ] = False
    seed: Annotated[
        int, Meta(ge=0, description="random seed; the same seed gives the same weights on the same CPU")
    ] = 0
    steps: Annotated[int, Meta(ge=0, description="training steps; 0: the model's default")] = 0
    batch: Annotated[int, Meta(ge=0, description="batch size; 0: the model's default")] = 0
    rate: Annotated[float, Meta(ge=0, description="learning rate; 0: the model's default")] = 0.0
    every: Annotated[int, Meta(ge=0, description="steps between two evaluations; 0: the model's default")] = 0
    minutes: Annotated[
        float, Meta(ge=0, description="stop after this time; the same command resumes; 0: no limit")
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
