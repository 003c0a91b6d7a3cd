"""CoDraw players that learn. Torch is needed only in this package, which the game's pack loads by name."""

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
    options="groundling.games.codraw.neural.learn:DrawerOptions",
    train="groundling.games.codraw.neural.learn:learn_drawer",
    checkpoint=CHECKPOINT,
    extra="train",
)

teller = Trainer(
    name="codraw-teller",
    about="CoDraw's Tellers that learn: from people's dialogs, then by playing with Drawers",
    options="groundling.games.codraw.neural.learn_teller:TellerOptions",
    train="groundling.games.codraw.neural.learn_teller:learn_teller",
    checkpoint=CHECKPOINT,
    extra="train",
)


def weights(seat: Seat) -> Player:
    """Load a trained player from the folder that `groundling train` wrote."""
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs a folder: {seat.role}={seat.name}:DIR, "
            f"made by groundling train codraw-{seat.role}"
        )
    try:
        from groundling.games.codraw.neural.seats import sit_down
    except ImportError:
        raise missing("train") from None
    return sit_down(seat, Path(seat.arg))
