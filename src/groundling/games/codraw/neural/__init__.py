"""CoDraw players that learn. Torch is needed only in this package, which the game's pack loads by name."""

from __future__ import annotations

from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.trainer import Trainer
from groundling.core.values import Problem, missing_extra
from groundling.train.training_plan import CHECKPOINT_FILE

drawer = Trainer(
    name="codraw-drawer",
    about="trained Drawers for CoDraw: the paper's, and one that reads the whole dialog",
    options="groundling.games.codraw.neural.drawer_trainer:DrawerOptions",
    train="groundling.games.codraw.neural.drawer_trainer:learn_drawer",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)

teller = Trainer(
    name="codraw-teller",
    about="trained Tellers for CoDraw: from people's dialogs, then by playing with Drawers",
    options="groundling.games.codraw.neural.teller_trainer:TellerOptions",
    train="groundling.games.codraw.neural.teller_trainer:learn_teller",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)


def make_codraw_weights_player(seat: Seat) -> Player:
    """Load a trained player from the folder that `groundling train` wrote."""
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs a folder: {seat.role}={seat.name}:DIR, "
            f"made by groundling train codraw-{seat.role}"
        )
    try:
        from groundling.games.codraw.neural.player_factory import make_seat_player
    except ImportError:
        raise missing_extra("train") from None
    return make_seat_player(seat, Path(seat.arg))
