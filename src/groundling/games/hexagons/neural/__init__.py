"""HEXAGONS players that learn. Only this folder of the game needs torch; the pack reaches it by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from groundling.core.pack import Seat
from groundling.core.player import Player, PlayerInfo
from groundling.core.trainer import Trainer
from groundling.core.values import Problem, missing_extra
from groundling.train.training_plan import CHECKPOINT_FILE

if TYPE_CHECKING:
    from groundling.games.hexagons.neural.situations import HearInstruction, WriteInstruction

A = TypeVar("A")
B = TypeVar("B")

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
    about="trained HEXAGONS executors that write their actions as text, or an instructor's network",
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


def load_writer_network(folder: Path, draws: int, seed: int) -> tuple[WriteInstruction, PlayerInfo]:
    """The network of the instructor `describer`, and what a player with it declares."""
    try:
        from groundling.games.hexagons.neural.instruction_writer import load_instruction_writer
    except ImportError:
        raise missing_extra("train") from None
    writer, card, digest = load_instruction_writer(folder, draws, seed)
    info = PlayerInfo(facts=card.player_facts(digest), learned_from=frozenset(card.seen))
    return writer.write_words, info


def load_reader_listener(folder: Path) -> tuple[HearInstruction, PlayerInfo]:
    """The reader as one who has to understand an instructor, and what a player with it declares."""
    try:
        from groundling.games.hexagons.neural.reader import load_reader
    except ImportError:
        raise missing_extra("train") from None
    reader = load_reader(folder)
    return reader.paint_situation, reader.info


def answer_in_thread(answer: Callable[[A], B]) -> Callable[[A], Awaitable[B]]:
    """Let networks answer one question after the other, in a thread of their own."""
    from groundling.train.batched_inference import BatchedInference

    return BatchedInference[A, B](lambda asked: [answer(one) for one in asked], 1).request_answer


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
