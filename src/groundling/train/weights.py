"""Trained weights as a folder: `weights.safetensors`, and `card.json` on the model and its training."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct, field
from msgspec.json import encode
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from groundling import __version__
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.train.plan import Plan

WEIGHTS, CARD = "weights.safetensors", "card.json"
FORMAT = 1
SCALE = ":scale"


class Card(Struct, frozen=True, kw_only=True):
    model: str
    """The name of the model that reads these weights."""
    settings: dict[str, Any]
    """The settings of the model."""
    plan: Plan
    job: dict[str, Any]
    """The options of the training."""
    data: str
    """The checksum of the training data."""
    half: str
    seen: tuple[str, ...]
    """The ids of all games it learned from, including those used to choose the best step."""
    words: tuple[str, ...]
    """The vocabulary."""
    blind: bool = False
    """The model gets no words as input."""
    step: int
    """The step with the best weights."""
    scores: dict[str, float]
    """The scores on held-out data."""
    finished: bool | None = None
    """Whether the plan was completed; None in older cards."""
    done: int = 0
    """The number of steps taken; 0 in older cards."""
    licence: str
    version: str = __version__
    code: str = ""
    """The checksum of the code at the start of the training, as are `version` and `torch`."""
    torch: str = str(torch.__version__)
    format: int = FORMAT

    def facts(self, digest: str) -> dict[str, str]:
        """Return what identifies a player with these weights."""
        ids = sha256("\n".join(sorted(self.seen)).encode()).hexdigest()
        return {
            "weights": digest,
            "model": self.model,
            "half": self.half,
            "data": self.data,
            "learned_from": ids,
        }


def code_checksum(*parts: str) -> str:
    """Return the checksum of groundling's own code, or of some folders of it."""
    here = Path(__file__).parents[1]
    found = sha256()
    for file in sorted(file for part in parts or [""] for file in (here / part).rglob("*.py")):
        found.update(str(file.relative_to(here)).encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def tools() -> dict[str, str]:
    """Return the versions of the code and of torch for the card."""
    return {"version": __version__, "code": code_checksum(), "torch": str(torch.__version__)}


def save_weights(folder: Path, state: Mapping[str, Tensor], card: Card, *, bytes_each: int = 2) -> None:
    """Save weights in half precision, or with `bytes_each` 1 matrices in int8 with a scale for each row."""
    kept = {}
    for name, value in state.items():
        if bytes_each == 1 and value.ndim == 2 and value.is_floating_point():
            kept[name], kept[name + SCALE] = _in_bytes(value)
        else:
            kept[name] = value.half() if value.is_floating_point() else value
    content = save(
        {name: value.contiguous() for name, value in kept.items()}, {"card": encode(card).decode()}
    )
    write_whole(folder / WEIGHTS, content)
    write_whole(folder / CARD, msgspec.json.format(encode(card), indent=1))


def _in_bytes(value: Tensor) -> tuple[Tensor, Tensor]:
    scale = (value.abs().amax(1, keepdim=True) / 127).clamp(min=1e-7).half()
    return (value / scale.float()).round().clamp(-127, 127).to(torch.int8), scale


def rounded(state: Mapping[str, Tensor], *, bytes_each: int = 2) -> dict[str, Tensor]:
    """Return the weights as they are after saving and loading."""
    found = {}
    for name, value in state.items():
        if bytes_each == 1 and value.ndim == 2 and value.is_floating_point():
            numbers, scale = _in_bytes(value)
            found[name] = numbers * scale.float()
        else:
            found[name] = value.half().float() if value.is_floating_point() else value
    return found


def is_there(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (WEIGHTS, CARD))


def check_there(folder: Path) -> None:
    for name in (WEIGHTS, CARD):
        if not (folder / name).is_file():
            raise Problem(f"{folder} has no {name}: give a folder made by groundling train")


def read_card(folder: Path) -> Card:
    """Read the card from its file and check it against the copy inside the weights."""
    try:
        card = msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{folder / CARD} cannot be read ({trouble}): train it again") from None
    inside = _card_inside(folder / WEIGHTS)
    if any(getattr(card, name) != getattr(inside, name) for name in _MAKES):
        raise Problem(
            f"the weights in {folder} are not those that its card tells of: copy or train them again"
        )
    return card


_MAKES = ("model", "settings", "data", "half", "seen", "words", "blind")
"""The fields of a card that identify the player."""


class _Meta(Struct):
    card: str


class _Header(Struct):
    """The part of a safetensors header that holds the card."""

    meta: _Meta = field(name="__metadata__")


def _card_inside(file: Path) -> Card:
    with file.open("rb") as stored:
        size = int.from_bytes(stored.read(8), "little")
        header = stored.read(min(size, file.stat().st_size))
    try:
        return msgspec.json.decode(msgspec.json.decode(header, type=_Header).meta.card, type=Card)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{file} cannot be read ({trouble}): copy or train it again") from None


def load_weights(folder: Path) -> tuple[Card, dict[str, Tensor], str]:
    """Return the card, the weights in full precision, and the checksum of their file."""
    check_there(folder)
    content = (folder / WEIGHTS).read_bytes()
    card = read_card(folder)
    if card.format > FORMAT:
        raise Problem(
            f"{folder} was made by groundling {card.version}: upgrade groundling, or train it again"
        )
    try:
        stored = load(content)
    except SafetensorError as trouble:
        raise Problem(f"{folder / WEIGHTS} cannot be read ({trouble}): copy or train it again") from None
    state = {}
    for name, value in stored.items():
        if name + SCALE in stored:
            state[name] = value * stored[name + SCALE].float()
        elif not name.endswith(SCALE):
            state[name] = value.float() if value.is_floating_point() else value
    return card, state, sha256(content).hexdigest()
