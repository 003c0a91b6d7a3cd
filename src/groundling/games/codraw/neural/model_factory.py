"""Builds models from the settings on their cards, and loads their weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from torch import Tensor

from groundling.core.values import Problem
from groundling.games.codraw.neural.bilstm import BilstmDrawer, BilstmSettings
from groundling.games.codraw.neural.decoder import DecoderSettings, DecoderTeller
from groundling.games.codraw.neural.dialog_pack import DialogPack
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.scene2seq import Scene2seqSettings, Scene2seqTeller
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.transformer import TransformerDrawer, TransformerSettings
from groundling.games.codraw.neural.vocabulary import Vocabulary
from groundling.train.weights import ModelCard, load_weights

DRAWERS = ("bilstm", "transformer", "minilm")
TELLERS = ("scene2seq", "decoder")
M = TypeVar("M", Drawer, Teller)


def build_drawer_model(model: str, settings: dict[str, Any]) -> Drawer:
    """Build an untrained Drawer with these settings."""
    if model not in DRAWERS:
        raise Problem(f"{model} is no Drawer: it is one of {', '.join(DRAWERS)}")
    if model == "bilstm":
        return BilstmDrawer(msgspec.convert(settings, BilstmSettings))
    return TransformerDrawer(msgspec.convert(settings, TransformerSettings))


def build_teller_model(model: str, settings: dict[str, Any]) -> Teller:
    if model not in TELLERS:
        raise Problem(f"{model} is no Teller: it is one of {', '.join(TELLERS)}")
    if model == "scene2seq":
        return Scene2seqTeller(msgspec.convert(settings, Scene2seqSettings))
    return DecoderTeller(msgspec.convert(settings, DecoderSettings))


def load_player_model(folder: Path) -> tuple[Drawer | Teller, ModelCard, str]:
    """Load a model with its weights; return it with its card and the checksum of the weights."""
    card, state, digest = load_weights(folder)
    if card.model not in (*DRAWERS, *TELLERS):
        raise Problem(
            f"{folder} holds weights of {card.model!r}, which this version of groundling does not know: "
            "upgrade it"
        )
    try:
        if card.model in TELLERS:
            model: Drawer | Teller = build_teller_model(card.model, card.settings)
        else:
            settings, state = _drop_canvas_input(card.settings, state)
            model = build_drawer_model(card.model, settings)
        model.load_state_dict(state)
    except (msgspec.ValidationError, RuntimeError):
        why = "do not match its card, or were made by an older groundling: copy or train them again"
        raise Problem(f"the weights in {folder} {why}") from None
    return model, card, digest


def _drop_canvas_input(
    settings: dict[str, Any], state: dict[str, Tensor]
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Drop an unused layer of older Drawers that hear the whole dialog; one that used it is refused."""
    if settings.get("looks", False) is not False:
        return settings, state
    kept = {name: value for name, value in settings.items() if name != "looks"}
    return kept, {name: value for name, value in state.items() if not name.startswith("seen.")}


def load_model_as(kind: type[M], folder: Path) -> tuple[M, ModelCard, str]:
    """Load the weights of a Drawer or of a Teller, and of no other."""
    model, card, digest = load_player_model(folder)
    if not isinstance(model, kind):
        has, wanted, names = (
            ("Teller", "Drawer", DRAWERS) if kind is Drawer else ("Drawer", "Teller", TELLERS)
        )
        raise Problem(
            f"{folder} holds the weights of a {has} ({card.model}): a {wanted} is needed, "
            f"one of {', '.join(names)}"
        )
    return model, card, digest


def model_vocabulary(pack: DialogPack, ids: Sequence[str], blind: bool = False) -> Vocabulary:
    """Collect the words of the Tellers in these dialogs."""
    wanted, corpus = set(ids), pack.corpus
    rows = (row for row, name in enumerate(corpus.ids) if name in wanted)
    said = [message for row in rows for message in corpus.teller[corpus.starts[row] : corpus.starts[row + 1]]]
    return Vocabulary.from_messages(said, blind=blind)
