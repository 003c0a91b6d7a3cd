"""Weights of tiny networks, trained for two steps once a session, for tests that only need some weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from msgspec.json import encode

from groundling.games.codraw.neural.dialog_pack import DialogPack
from groundling.games.codraw.neural.drawer_trainer import train_drawer
from groundling.games.codraw.neural.jobs import Job
from groundling.games.codraw.neural.teller_trainer import train_teller
from groundling.train.weights import ModelCard

CPU = torch.device("cpu")
DRAWERS: dict[str, dict[str, Any]] = {
    "bilstm": {"word_size": 16, "hidden": 16},
    "transformer": {"width": 16, "heads": 2, "layers": 1, "deep": 1, "dropout": 0.0},
}
TELLERS: dict[str, dict[str, Any]] = {
    "scene2seq": {"word_size": 16, "tag_size": 8, "hidden": 32, "heads": 2, "attention": 8, "longest": 60},
    "decoder": {"width": 16, "heads": 2, "layers": 2, "sees": 1, "dropout": 0.1, "longest": 60},
}
TINY = {**DRAWERS, **TELLERS}


def tiny_job(model: str, **fields: Any) -> Job:
    """Two steps on half a, but for the fields that are given; `plan` and `settings` add to the usual ones."""
    usual: dict[str, Any] = {"name": model, "model": model, "half": "a", "batch": 8}
    plan = {"steps": 2, "every": 2, "rate": 5e-3, "warmup": 0, **fields.pop("plan", {})}
    settings = {**TINY.get(model, {}), **fields.pop("settings", {})}
    return Job(**{**usual, "plan": plan, "settings": settings, **fields})


def train(dialogs: DialogPack, job: Job, folder: Path, **others: Any) -> ModelCard:
    folder.mkdir(parents=True, exist_ok=True)
    learn = train_teller if job.model in TELLERS else train_drawer
    return learn(dialogs, job, folder, where=CPU, **others)


class TinyWeights:
    """`weights("bilstm", "b")` is the folder of a Drawer of half b."""

    def __init__(self, dialogs: DialogPack, place: Path) -> None:
        self.dialogs, self.place = dialogs, place
        self._made: dict[bytes, Path] = {}

    def __call__(self, model: str, half: str = "a", **fields: Any) -> Path:
        job = tiny_job(model, half=half, **fields)
        if (key := encode(job)) not in self._made:
            folder = self.place / f"{model}-{half}-{len(self._made)}"
            train(self.dialogs, job, folder)
            self._made[key] = folder
        return self._made[key]
