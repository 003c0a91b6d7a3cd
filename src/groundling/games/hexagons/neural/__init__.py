"""HEXAGONS executors that learn. Only this folder of the game needs torch; the pack reaches it by name."""

from __future__ import annotations

from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.trainer import Trainer
from groundling.core.values import Problem, missing_extra
from groundling.train.training_plan import CHECKPOINT_FILE

classifier_trainer = Trainer(
    name="hexagons-classifier",
    about="HEXAGONS executors that choose one of nine classes for each of the 180 tiles",
    options=f"{__name__}.learn:ClassifierOptions",
    train=f"{__name__}.learn:learn_classifier",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)

generator_trainer = Trainer(
    name="hexagons-generator",
    about="HEXAGONS executors that write their actions as text",
    options=f"{__name__}.learn:GeneratorOptions",
    train=f"{__name__}.learn:learn_generator",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)


def weights(seat: Seat) -> Player:
    """A trained executor, from the folder that `groundling train` made."""
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs a folder: executor={seat.name}:DIR, made by groundling train hexagons-…"
        )
    try:
        from groundling.games.hexagons.neural.player import seat_weights
    except ImportError:
        raise missing_extra("train") from None
    return seat_weights(seat, Path(seat.arg))
