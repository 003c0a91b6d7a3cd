"""Trained weights as the rows of a table know them: what they are, which half they learned from, with which seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from .....core.values import Problem
from .....train.weights import CARD, WEIGHTS, Card
from ...park import DRAWER, TELLER
from ..building import TELLERS

Halves: TypeAlias = Literal["paper", "grouped"]
OTHER = {"a": "b", "b": "a"}
NAMES = {"bilstm": "BiLSTM", "minilm": "MiniLM"}
"""Of models, where they are written otherwise than on cards."""
BASELINE = "learned"
"""Of the lesson: how the expected reward is known. It makes learning quicker, and no other row of it."""


class Weights(Struct, frozen=True, kw_only=True):
    folder: Path
    card: Card
    digest: str

    @property
    def role(self) -> str:
        return TELLER if self.card.model in TELLERS else DRAWER

    @property
    def halves(self) -> Halves:
        return "grouped" if self.card.half.startswith("grouped") else "paper"

    @property
    def half(self) -> str:
        """a, b or all."""
        return self.card.half.split()[-1]

    @property
    def seed(self) -> int:
        return int(self.card.job.get("seed", 0))

    @property
    def label(self) -> str:
        """What a row is called: weights with equal labels differ by their half and seed alone."""
        job = self.card.job
        lesson: dict[str, Any] = {name: value for name, value in job.get("lesson", {}).items() if name != BASELINE}
        parts = [NAMES.get(self.card.model, self.card.model)]
        if job.get("start"):
            many = len(job.get("drawers", ()))
            strict, bound = lesson.pop("strict", 0), lesson.pop("bound", 0)
            parts += ["+ aux"] if self.card.model == "scene2seq" else []
            parts.append("+ RL" + (f" with {many} Drawers" if many > 1 else ""))
            parts += [f"within {bound:g} nats"] if strict else []
        elif self.card.model == "scene2seq" and lesson.pop("aux", 0):
            parts.append("+ aux")
        settings = {name: value for name, value in job.get("settings", {}).items() if name != "mirror"}
        others = ", ".join(f"{name} {value}" for name, value in sorted({**lesson, **settings}.items()))
        parts += [f"({others})"] if others else []
        return " ".join(parts + ["blind"] * self.card.blind)


def find(places: Iterable[Path]) -> tuple[list[Weights], list[str]]:
    """All weights in these folders, however deep, and what to say of those that are left out: of two that would be the same
    in a table, the one that is found later is taken."""
    found: dict[tuple[str, str, str, int], Weights] = {}
    notes = []
    for place in places:
        cards = sorted(file for file in place.rglob(CARD) if (file.parent / WEIGHTS).is_file())
        if not cards:
            raise Problem(f"{place} holds no weights ({WEIGHTS} beside {CARD}): give folders made by groundling train")
        for file in cards:
            new = read(file.parent)
            key = new.label, new.halves, new.half, new.seed
            if key in found and found[key].folder.resolve() != new.folder.resolve():
                notes.append(f"{found[key].folder} is left out: {new.folder} is of the same model, half and seed")
            found[key] = new
    return list(found.values()), notes


def read(folder: Path) -> Weights:
    """The card, and the checksum of the weights; they themselves are read when they are needed."""
    try:
        card = msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{folder / CARD} cannot be read ({trouble}): train it again") from None
    return Weights(folder=folder, card=card, digest=sha256((folder / WEIGHTS).read_bytes()).hexdigest())


def best_label(drawers: Sequence[Weights]) -> str | None:
    """Of Drawers that learned from a half, the one that drew best what was set aside of its training dialogs. What is played
    for the table has no part in this."""
    scores: dict[str, list[float]] = {}
    for drawer in drawers:
        if drawer.half in OTHER and not drawer.card.blind:
            scores.setdefault(drawer.label, []).append(drawer.card.scores["similarity"])
    return max(scores, key=lambda label: sum(scores[label]) / len(scores[label]), default=None)
