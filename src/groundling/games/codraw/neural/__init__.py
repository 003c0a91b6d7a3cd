"""Players of CoDraw that learn. Only this folder of the game needs torch; the pack reaches it by name."""

from __future__ import annotations

from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.trainer import Trainer
from groundling.core.values import Problem, missing
from groundling.train.plan import CHECKPOINT

drawer = Trainer(
    name="codraw-drawer",
    about="CoDraw's Drawers that learn: the paper's, and one that hears the whole dialog",
    options=f"{__name__}.learn:DrawerOptions",
    train=f"{__name__}.learn:learn_drawer",
    checkpoint=CHECKPOINT,
    extra="train",
)

teller = Trainer(
    name="codraw-teller",
    about="CoDraw's Tellers that learn: from people's dialogs, then by playing with Drawers",
    options=f"{__name__}.learn_teller:TellerOptions",
    train=f"{__name__}.learn_teller:learn_teller",
    checkpoint=CHECKPOINT,
    extra="train",
)


def weights(seat: Seat) -> Player:
    """A trained player, from the folder that `groundling train` made."""
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs a folder: {seat.role}={seat.name}:DIR, made by groundling train codraw-{seat.role}"
        )
    try:
        from groundling.games.codraw.neural.seats import sit_down
    except ImportError:
        raise missing("train") from None
    return sit_down(seat, Path(seat.arg))
