"""Folders of trained weights, with the labels that tables show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.values import Problem
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.neural.model_factory import DRAWERS, TELLERS
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, read_weights_card

Halves: TypeAlias = Literal["paper", "grouped"]
OTHER_HALF = {"a": "b", "b": "a"}
MODEL_NAMES = {"bilstm": "BiLSTM", "minilm": "MiniLM"}
"""Display names of models, where they differ from the card."""
_UNLABELLED = ("learned", "strict", "bound", "aux", "mirror")
"""Settings that the label shows in another way, or not at all."""


class WeightsFolder(Struct, frozen=True, kw_only=True):
    folder: Path
    card: ModelCard
    digest: str
    label: str = ""
    """The name of a row. Weights with the same label differ only by half and seed."""

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
    def base_label(self) -> str:
        """The name of the model and its training, without particulars."""
        job = self.card.job
        lesson, parts = job.get("lesson", {}), [MODEL_NAMES.get(self.card.model, self.card.model)]
        parts += ["narrated"] if job.get("narrated") else []
        paper = self.card.model == "scene2seq"
        if job.get("start"):
            many = len(job.get("drawers", ()))
            parts += ["+ aux"] if paper else []
            parts.append("+ RL" + (f" with {many} Drawers" if many > 1 else ""))
            parts += [f"within {lesson.get('bound', 0):g} nats"] if lesson.get("strict") else []
        elif paper and lesson.get("aux"):
            parts.append("+ aux")
        return " ".join(parts + ["blind"] * self.card.blind)

    @property
    def particulars(self) -> str:
        """Settings of the training and the model that differ from the defaults."""
        job = self.card.job
        asked: dict[str, Any] = {**job.get("lesson", {}), **job.get("settings", {})}
        return ", ".join(
            f"{name} {value}" for name, value in sorted(asked.items()) if name not in _UNLABELLED
        )


def find_weights(places: Iterable[Path]) -> tuple[list[WeightsFolder], list[str]]:
    """Find all weights below these folders, with notes about those left out. Of two with the same label, half
    and seed, the later one is taken."""
    found: dict[tuple[str, str, str, int], WeightsFolder] = {}
    notes = []
    for new in label_weights(
        [read_weights_folder(folder) for place in places for folder in list_weights_folders(place)]
    ):
        key = new.label, new.halves, new.half, new.seed
        if key in found and found[key].folder.resolve() != new.folder.resolve():
            notes.append(f"{found[key].folder} is left out: {new.folder} is of the same model, half and seed")
        found[key] = new
    return list(found.values()), notes + [
        _unfinished_note(one) for one in found.values() if one.card.finished is False
    ]


def _unfinished_note(one: WeightsFolder) -> str:
    card = one.card
    return f"{one.folder} is not trained to its end: {card.done:,} of {card.plan.steps:,} steps"


def label_weights(found: Sequence[WeightsFolder]) -> list[WeightsFolder]:
    """Add labels. Particulars are part of a label only where they differ."""
    several = {
        one.base_label: len({other.particulars for other in found if other.base_label == one.base_label}) > 1
        for one in found
    }
    return [
        replace(
            one,
            label=f"{one.base_label} ({one.particulars or 'as usual'})"
            if several[one.base_label]
            else one.base_label,
        )
        for one in found
    ]


def list_weights_folders(place: Path) -> list[Path]:
    """List the folders of CoDraw's players below a folder; weights of other games may stand beside them."""
    found = sorted(
        file.parent
        for file in place.rglob(CARD_FILE)
        if (file.parent / WEIGHTS_FILE).is_file()
        and read_weights_card(file.parent).model in (*DRAWERS, *TELLERS)
    )
    if not found:
        raise Problem(
            f"{place} holds no weights of CoDraw ({WEIGHTS_FILE} beside {CARD_FILE}): "
            "give folders made by groundling train"
        )
    return found


def read_weights_folder(folder: Path) -> WeightsFolder:
    """Read the card and the checksum of the weights, but not the weights."""
    found = WeightsFolder(
        folder=folder,
        card=read_weights_card(folder),
        digest=sha256((folder / WEIGHTS_FILE).read_bytes()).hexdigest(),
    )
    return replace(found, label=found.base_label)


def best_label(drawers: Iterable[WeightsFolder]) -> str | None:
    """Return the label of the Drawer with the best similarity on its held-out training dialogs. The games of
    the table are not used."""
    scores: dict[str, list[float]] = {}
    for drawer in drawers:
        if drawer.half in OTHER_HALF and not drawer.card.blind:
            scores.setdefault(drawer.label, []).append(drawer.card.scores["similarity"])
    return max(scores, key=lambda label: sum(scores[label]) / len(scores[label]), default=None)
