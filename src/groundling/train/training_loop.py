"""The training loop: on one machine's CPU the same seed gives the same weights, interrupted or not.

Before each batch, torch is seeded from the plan's seed and the number of the batch. A checkpoint therefore
needs no generator state, and a resumed training takes the same steps. For the same reason the result does not
depend on how many processes share the batches of a step. On a GPU the order of sums is not fixed, so results
are equal only up to rounding."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from math import inf, isfinite
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from msgspec import Struct
from msgspec.json import encode
from torch import Tensor, nn

from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.train.captured_steps import CapturableTask, CapturedSteps
from groundling.train.devices import (
    broadcast_between_devices,
    device_process_group,
    rank_and_world_size,
    sum_gradients_over_devices,
)
from groundling.train.training_plan import CHECKPOINT_FILE, TrainingPlan
from groundling.train.training_task import PacedTask, TrainingTask
from groundling.train.weights import weights_tool_versions

CURVE_FILE = "curve.jsonl"
CHECKPOINT_SECONDS = 60
"""The least time between two checkpoints."""


class TrainingOutcome(Struct, frozen=True):
    state: dict[str, Tensor]
    """The best weights, on the CPU."""
    step: int
    """The step at which they were measured."""
    scores: dict[str, float]
    finished: bool
    """Whether the plan was completed; else the deadline passed, and the same call resumes."""
    done: int
    """The number of steps taken, now and before."""
    idle: bool
    """Whether no step was taken now, because the plan had been completed before."""
    tools: dict[str, str]
    """The versions with which the training began."""


def train_task(
    task: TrainingTask,
    plan: TrainingPlan,
    folder: Path,
    *,
    asked: str = "",
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> TrainingOutcome:
    """Train until the plan is completed, or until `time.monotonic()` passes the deadline. Training resumes
    from the checkpoint in the folder, which must be of the same plan and the same `asked`. `told` is called
    after each step with the last measurement, and the steps done and their total, or seconds."""
    with device_process_group():
        course = _TrainingState(task, plan, folder, asked)
        course.resume_checkpoint()
        saved, idle = time.monotonic(), course.is_over
        what = "learning"
        while not course.is_over and (
            deadline is None or broadcast_between_devices(lambda: time.monotonic() < deadline)
        ):
            course.take_step()
            if course.done % plan.every == 0 or course.share_done == 1:
                what = course.measure_progress()
                if time.monotonic() - saved > CHECKPOINT_SECONDS:
                    course.save_checkpoint()
                    saved = time.monotonic()
            told(what, *course.progress)
        if not idle:
            course.save_checkpoint()
    return TrainingOutcome(
        course.best, course.best_step, course.best_scores, course.is_over, course.done, idle, course.tools
    )


class _TrainingState:
    """The state of one training."""

    def __init__(self, task: TrainingTask, plan: TrainingPlan, folder: Path, asked: str) -> None:
        self.task, self.plan, self.folder = task, plan, folder
        self.asked = encode([plan, asked]).decode()
        self.first = rank_and_world_size()[0] == 0
        groups = [(share, list(part)) for share, part in task.groups()]
        where = _model_device(task.model)
        alone = plan.batches == rank_and_world_size()[1] == 1
        captured = alone and isinstance(task, CapturableTask) and task.capturable
        self.rates = [plan.rate * share for share, _ in groups]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": part, "lr": torch.tensor(rate, device=where) if captured else rate}
                for rate, (_, part) in zip(self.rates, groups, strict=True)
            ],
            weight_decay=plan.weight_decay,
            fused=captured or None,
            capturable=captured,
        )
        self.captured = (
            CapturedSteps(task, self.optimizer, plan.clip)
            if captured and isinstance(task, CapturableTask)
            else None
        )
        self.average = deepcopy(task.model).requires_grad_(False) if plan.average else None
        self.done = 0
        self.best: dict[str, Tensor] = {}
        self.best_step = 0
        self.best_scores: dict[str, float] = {}
        self.worse = 0
        self.noted: dict[str, Tensor] = {}
        self.since = 0
        self.tools = weights_tool_versions()
        self.earlier = self.elapsed = 0.0
        """The time of earlier sessions; where the plan is in seconds, that of all steps taken."""
        self._begun = time.monotonic()

    @property
    def total_seconds(self) -> float:
        """The time of this training, earlier sessions included."""
        return self.earlier + time.monotonic() - self._begun

    @property
    def is_over(self) -> bool:
        stale = 0 < self.plan.patience <= self.worse
        return stale or self.share_done == 1

    @property
    def progress(self) -> tuple[int, int]:
        """Steps of steps, or seconds of seconds."""
        plan = self.plan
        return (round(self.elapsed), round(plan.seconds)) if plan.seconds else (self.done, plan.steps)

    @property
    def share_done(self) -> float:
        return self.plan.share_done(self.done, self.elapsed)

    @property
    def measured_model(self) -> nn.Module:
        return self.task.model if self.average is None else self.average

    def take_step(self) -> None:
        plan, model = self.plan, self.task.model
        share = plan.rate_share_after(self.done, self.elapsed)
        if isinstance(self.task, PacedTask):
            self.task.reach_share(self.share_done)
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate * share)
            else:
                group["lr"] = rate * share
        model.train()
        if self.captured is not None:
            self._seed_batch(self.done)
            self._note_batch({"loss": self.captured.take_step(self.done)})
        else:
            self._take_uncaptured_step()
        self.done += 1
        if plan.seconds:
            self.elapsed = broadcast_between_devices(lambda: self.total_seconds)
        self._update_average()

    def _take_uncaptured_step(self) -> None:
        plan, model = self.plan, self.task.model
        self.optimizer.zero_grad(set_to_none=True)
        rank, many = rank_and_world_size()
        for number in range(rank, plan.batches, many):
            self._accumulate_gradients(self.done * plan.batches + number)
        sum_gradients_over_devices(model)
        if plan.clip:
            nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
        self.optimizer.step()

    def _accumulate_gradients(self, batch: int) -> None:
        self._seed_batch(batch)
        loss, noted = self.task.loss(batch)
        (loss / self.plan.batches).backward()  # type: ignore[no-untyped-call]
        self._note_batch({"loss": loss, **noted})

    def _seed_batch(self, batch: int) -> None:
        torch.manual_seed((self.plan.seed << 32) + batch)

    def _note_batch(self, noted: Mapping[str, Tensor]) -> None:
        for name, value in noted.items():
            self.noted[name] = self.noted.get(name, torch.zeros_like(value)) + value.detach()
        self.since += 1

    def _update_average(self) -> None:
        """Update the running average of the weights; in the first steps it keeps less of the old ones."""
        if self.average is None:
            return
        keep = min(self.plan.average, (1 + self.done) / (10 + self.done))
        with torch.no_grad():
            mine, theirs = ([*map(Tensor.detach, of.parameters())] for of in (self.average, self.task.model))
            torch._foreach_lerp_(mine, theirs, 1 - keep)
            kept, new = ([*of.buffers()] for of in (self.average, self.task.model))
            if new:
                torch._foreach_copy_(kept, new)

    def measure_progress(self) -> str:
        """Measure the model, append to the curve, keep the best weights, and return a line about it. The
        values noted of batches are those of this process."""
        self.measured_model.eval()
        with torch.no_grad():
            scores = broadcast_between_devices(lambda: dict(self.task.measure(self.measured_model)))
        noted = {name: (value / self.since).item() for name, value in self.noted.items()}
        self.noted, self.since = {}, 0
        if not isfinite(noted["loss"]):
            raise Problem(
                f"after {self.done:,} steps the loss is no longer a number: try a lower learning rate"
            )
        first = next(iter(scores))
        if not self.best or scores[first] > self.best_scores[first]:
            self.best = {
                name: value.detach().cpu().clone() for name, value in self.measured_model.state_dict().items()
            }
            self.best_step, self.best_scores, self.worse = self.done, scores, 0
        else:
            self.worse += 1
        if self.first:
            with (self.folder / CURVE_FILE).open("ab") as curve:
                curve.write(
                    encode({"step": self.done, "seconds": round(self.total_seconds, 1), **noted, **scores})
                    + b"\n"
                )
        return " ".join(f"{name} {value:.4g}" for name, value in {**scores, "loss": noted["loss"]}.items())

    def save_checkpoint(self) -> None:
        """Write the checkpoint atomically."""
        if not self.first:
            return
        state = {
            "asked": self.asked,
            "model": self.task.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": None if self.average is None else self.average.state_dict(),
            **{name: getattr(self, name) for name in _CHECKPOINT_FIELDS},
            "earlier": self.total_seconds,
        }
        draft = self.folder / f"{CHECKPOINT_FILE}.part"
        torch.save(state, draft)
        draft.replace(self.folder / CHECKPOINT_FILE)

    def resume_checkpoint(self) -> None:
        """Load the checkpoint, if there is one, and truncate the curve to it."""
        state = self._load_checkpoint()
        if state is not None:
            try:
                self.task.model.load_state_dict(state["model"])
            except RuntimeError:
                why = "was begun by an older groundling, with another network: choose a new folder"
                raise Problem(f"{self.folder} {why}") from None
            self.optimizer.load_state_dict(state["optimizer"])
            if self.average is not None:
                self.average.load_state_dict(state["average"])
            for name in (*_CHECKPOINT_FIELDS, "earlier"):
                setattr(self, name, state[name])
            self.elapsed = self.earlier
            self.best = {name: value.cpu() for name, value in self.best.items()}
        if self.first:
            file = self.folder / CURVE_FILE
            lines = file.read_bytes().splitlines(keepends=True) if file.is_file() else []
            kept = [line for line in lines if _curve_line_step(line) <= self.done]
            if kept != lines or not file.is_file():
                write_whole_file(file, b"".join(kept))

    def _load_checkpoint(self) -> Mapping[str, Any] | None:
        file = self.folder / CHECKPOINT_FILE
        if not file.is_file():
            return None
        try:
            state: Mapping[str, Any] = torch.load(
                file, map_location=_model_device(self.task.model), weights_only=True
            )
            asked = state["asked"]
        except (RuntimeError, OSError, EOFError, KeyError, ValueError, UnpicklingError):
            raise Problem(f"{file} cannot be read: remove it to start over") from None
        if asked != self.asked:
            raise Problem(
                f"{file} belongs to a training with another plan or other data: choose a new folder"
            )
        return state


def _curve_line_step(line: bytes) -> float:
    """Return the step of a line of the curve; infinity for an incomplete line."""
    try:
        return float(json.loads(line)["step"])
    except ValueError:
        return inf


_CHECKPOINT_FIELDS = ("done", "best", "best_step", "best_scores", "worse", "noted", "since", "tools")


def _model_device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device
