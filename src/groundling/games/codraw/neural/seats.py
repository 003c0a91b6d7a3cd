"""Makes players from a folder of trained weights and the seat's options."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.values import Problem
from groundling.games.codraw.neural.asking import Asking, AskingDrawer
from groundling.games.codraw.neural.building import load_player
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.player import WeightsDrawer, WeightsTeller
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.park import DRAWER, TELLER
from groundling.games.codraw.players.template.teller import Manner
from groundling.train.weights import CARD, WEIGHTS, Card, check_there


def sit_down(seat: Seat, folder: Path) -> Player:
    """Return the same player for the same weights and options, so that it can answer many games in
    batches."""
    check_there(folder)
    changed = tuple((folder / name).stat().st_mtime_ns for name in (WEIGHTS, CARD))
    model, card, _ = _read(folder.resolve(), changed)
    role = TELLER if isinstance(model, Teller) else DRAWER
    if seat.role != role:
        raise Problem(
            f"{folder} holds the weights of a {role.capitalize()} ({card.model}): seat it as {role}"
        )
    if role == TELLER:
        return _teller(folder.resolve(), changed, Manner.of(seat, "no"))
    asking = Asking.of(seat)
    if asking is not None and not isinstance(model, TransformerDrawer):
        raise Problem(
            f"{card.model} hears one message at a time and cannot use an answer: "
            f"leave out ask={asking.written}"
        )
    return _drawer(folder.resolve(), changed, asking)


@lru_cache(maxsize=8)
def _read(folder: Path, changed: tuple[int, ...]) -> tuple[Teller | Drawer, Card, str]:
    return load_player(folder)


@lru_cache(maxsize=8)
def _teller(folder: Path, changed: tuple[int, ...], manner: Manner) -> WeightsTeller:
    model, card, digest = _read(folder, changed)
    assert isinstance(model, Teller)
    return WeightsTeller(model, card, digest, manner)


@lru_cache(maxsize=8)
def _drawer(folder: Path, changed: tuple[int, ...], asking: Asking | None) -> WeightsDrawer:
    model, card, digest = _read(folder, changed)
    assert isinstance(model, Drawer)
    return WeightsDrawer(model, card, digest) if asking is None else AskingDrawer(model, card, digest, asking)
