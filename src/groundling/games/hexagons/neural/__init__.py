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
    about="trained HEXAGONS executors that choose one of nine classes for each of the 180 tiles",
    options=f"{__name__}.executor_trainer:ClassifierOptions",
    train=f"{__name__}.executor_trainer:train_classifier_executor",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)

generator_trainer = Trainer(
    name="hexagons-generator",
    about="trained HEXAGONS executors that write their actions as text",
    options=f"{__name__}.executor_trainer:GeneratorOptions",
    train=f"{__name__}.executor_trainer:train_generator_executor",
    checkpoint=CHECKPOINT_FILE,
    extra="train",
)


READER = "weights/hexagons-reader"


def make_reader_player(seat: Seat) -> Player:
    """The executor that reads by rules and by a network, from its own folder of weights or another."""
    try:
        from groundling.games.hexagons.neural.reader import seat_reader_player
    except ImportError:
        raise missing_extra("train") from None
    return seat_reader_player(seat, Path(seat.arg or READER))


def make_hexagons_weights_player(seat: Seat) -> Player:
    """A trained executor, from the folder that `groundling train` made."""
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs a folder: executor={seat.name}:DIR, made by groundling train hexagons-…"
        )
    try:
        from groundling.games.hexagons.neural.player import seat_weights_player
    except ImportError:
        raise missing_extra("train") from None
    return seat_weights_player(seat, Path(seat.arg))
