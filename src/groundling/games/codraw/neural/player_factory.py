"""Makes players from a folder of trained weights and the seat's options."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.values import Problem
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.neural.asking_drawer import AskingDrawer
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.model_factory import load_player_model
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.trained_players import WeightsDrawer, WeightsTeller
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.players.questions import AskingSettings
from groundling.games.codraw.players.template.teller import PeekPolicy
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, check_weights_exist


def make_seat_player(seat: Seat, folder: Path) -> Player:
    """Return the same player for the same weights and options, which answers many games in batches."""
    check_weights_exist(folder)
    changed = tuple((folder / name).stat().st_mtime_ns for name in (WEIGHTS_FILE, CARD_FILE))
    model, card, _ = _load_model(folder.resolve(), changed)
    role = TELLER if isinstance(model, Teller) else DRAWER
    if seat.role != role:
        raise Problem(
            f"{folder} holds the weights of a {role.capitalize()} ({card.model}): seat it as {role}"
        )
    if role == TELLER:
        return _make_teller(folder.resolve(), changed, PeekPolicy.from_seat(seat, "no"))
    asking = AskingSettings.from_seat(seat, able=isinstance(model, TransformerDrawer))
    if asking is not None and not isinstance(model, TransformerDrawer):
        raise Problem(
            f"{card.model} hears one message at a time and cannot use an answer: "
            f"leave out ask={asking.written_topics}"
        )
    precision = seat.option("precision", "fastest")
    if precision not in ("fastest", "full"):
        raise Problem(f"precision={precision} is neither fastest nor full: choose one of these")
    return _make_drawer(folder.resolve(), changed, asking, precision == "full")


@lru_cache(maxsize=8)
def _load_model(
    folder: Path, changed: tuple[int, ...], full: bool = False
) -> tuple[Teller | Drawer, ModelCard, str]:
    """Load a model once for all players with it, and once more for those in full precision."""
    return load_player_model(folder)


@lru_cache(maxsize=8)
def _make_teller(folder: Path, changed: tuple[int, ...], manner: PeekPolicy) -> WeightsTeller:
    model, card, digest = _load_model(folder, changed)
    assert isinstance(model, Teller)
    return WeightsTeller(model, card, digest, manner)


@lru_cache(maxsize=8)
def _make_drawer(
    folder: Path, changed: tuple[int, ...], asking: AskingSettings | None, full: bool
) -> WeightsDrawer:
    model, card, digest = _load_model(folder, changed, full)
    assert isinstance(model, Drawer)
    if asking is None:
        return WeightsDrawer(model, card, digest, full=full)
    return AskingDrawer(model, card, digest, asking, full=full)
