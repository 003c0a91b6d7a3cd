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
from groundling.files import write_whole_file
from groundling.train.ternary import is_ternary, pack_ternary, unpack_ternary
from groundling.train.training_plan import TrainingPlan

WEIGHTS_FILE, CARD_FILE = "weights.safetensors", "card.json"
CARD_FORMAT = 1
SCALE_SUFFIX, TERNARY_SUFFIX = ":scale", ":ternary"


class ModelCard(Struct, frozen=True, kw_only=True):
    model: str
    """The name of the model that reads these weights."""
    settings: dict[str, Any]
    """The settings of the model."""
    plan: TrainingPlan
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
    format: int = CARD_FORMAT

    def player_facts(self, digest: str) -> dict[str, str]:
        """Return what identifies a player with these weights."""
        ids = sha256("\n".join(sorted(self.seen)).encode()).hexdigest()
        return {
            "weights": digest,
            "model": self.model,
            "half": self.half,
            "data": self.data,
            "learned_from": ids,
        }


def weights_code_checksum() -> str:
    """Return the checksum of groundling's own code, with its tables of words and poses."""
    here = Path(__file__).parents[1]
    found = sha256()
    for file in sorted(file for kind in ("py", "txt", "json") for file in here.rglob(f"*.{kind}")):
        found.update(str(file.relative_to(here)).encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def weights_tool_versions() -> dict[str, str]:
    """Return the versions of the code and of torch for the card."""
    return {"version": __version__, "code": weights_code_checksum(), "torch": str(torch.__version__)}


def save_weights(folder: Path, state: Mapping[str, Tensor], card: ModelCard, *, bytes_each: int = 2) -> None:
    """Save weights in half precision, or with `bytes_each` 1 matrices in int8 with a scale for each row;
    ternary ones in less."""
    kept = {}
    for name, value in state.items():
        if bytes_each == 1 and value.ndim == 2 and value.is_floating_point():
            if is_ternary(value):
                kept[name + TERNARY_SUFFIX], kept[name + SCALE_SUFFIX] = pack_ternary(value)
            else:
                kept[name], kept[name + SCALE_SUFFIX] = _quantize_rows(value)
        else:
            kept[name] = value.half() if value.is_floating_point() else value
    content = save(
        {name: value.contiguous() for name, value in kept.items()}, {"card": encode(card).decode()}
    )
    write_whole_file(folder / WEIGHTS_FILE, content)
    write_whole_file(folder / CARD_FILE, msgspec.json.format(encode(card), indent=1))


def _quantize_rows(value: Tensor) -> tuple[Tensor, Tensor]:
    scale = (value.abs().amax(1, keepdim=True) / 127).clamp(min=1e-7).half()
    return (value / scale.float()).round().clamp(-127, 127).to(torch.int8), scale


def round_weights(state: Mapping[str, Tensor], *, bytes_each: int = 2) -> dict[str, Tensor]:
    """Return the weights as they are after saving and loading."""
    found = {}
    for name, value in state.items():
        if bytes_each == 1 and value.ndim == 2 and value.is_floating_point():
            if is_ternary(value):
                found[name] = value.sign() * value.abs().amax(1, keepdim=True).half().float()
            else:
                numbers, scale = _quantize_rows(value)
                found[name] = numbers * scale.float()
        else:
            found[name] = value.half().float() if value.is_floating_point() else value
    return found


def has_weights(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (WEIGHTS_FILE, CARD_FILE))


def check_weights_exist(folder: Path) -> None:
    for name in (WEIGHTS_FILE, CARD_FILE):
        if not (folder / name).is_file():
            raise Problem(f"{folder} has no {name}: give a folder made by groundling train")


def read_weights_card(folder: Path) -> ModelCard:
    """Read the card from its file and check it against the copy inside the weights."""
    try:
        card = msgspec.json.decode((folder / CARD_FILE).read_bytes(), type=ModelCard)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{folder / CARD_FILE} cannot be read ({trouble}): train it again") from None
    inside = _read_embedded_card(folder / WEIGHTS_FILE)
    if any(getattr(card, name) != getattr(inside, name) for name in _IDENTITY_FIELDS):
        raise Problem(f"the weights in {folder} do not match its card: copy or train them again")
    return card


_IDENTITY_FIELDS = ("model", "settings", "data", "half", "seen", "words", "blind")
"""The fields of a card that identify the player."""


class _Meta(Struct):
    card: str


class _Header(Struct):
    """The part of a safetensors header that holds the card."""

    meta: _Meta = field(name="__metadata__")


def _read_embedded_card(file: Path) -> ModelCard:
    with file.open("rb") as stored:
        size = int.from_bytes(stored.read(8), "little")
        header = stored.read(min(size, file.stat().st_size))
    try:
        return msgspec.json.decode(msgspec.json.decode(header, type=_Header).meta.card, type=ModelCard)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{file} cannot be read ({trouble}): copy or train it again") from None


def load_weights(folder: Path) -> tuple[ModelCard, dict[str, Tensor], str]:
    """Return the card, the weights in full precision, and the checksum of their file."""
    check_weights_exist(folder)
    content = (folder / WEIGHTS_FILE).read_bytes()
    card = read_weights_card(folder)
    if card.format > CARD_FORMAT:
        raise Problem(
            f"{folder} was made by groundling {card.version}: upgrade groundling, or train it again"
        )
    try:
        stored = load(content)
    except SafetensorError as trouble:
        raise Problem(f"{folder / WEIGHTS_FILE} cannot be read ({trouble}): copy or train it again") from None
    state = {}
    for name, value in stored.items():
        if name.endswith(TERNARY_SUFFIX):
            name = name.removesuffix(TERNARY_SUFFIX)
            state[name] = unpack_ternary(value, stored[name + SCALE_SUFFIX])
        elif name + SCALE_SUFFIX in stored:
            state[name] = value * stored[name + SCALE_SUFFIX].float()
        elif not name.endswith(SCALE_SUFFIX):
            state[name] = value.float() if value.is_floating_point() else value
    return card, state, sha256(content).hexdigest()
