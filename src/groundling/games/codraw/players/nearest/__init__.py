"""CoDraw's three nearest-neighbour baselines, which repeat what people once said or drew in a similar
situation. They ignore the scene at hand; two that remember the same dialogs share a codebook
and win by it."""

from __future__ import annotations

from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Player
from groundling.core.trainer import Trainer
from groundling.core.values import Problem, missing_extra
from groundling.games.codraw.instance import TELLER
from groundling.games.codraw.players.nearest.memory import MEMORY_KIND, NearestMemory, read_nearest_memory

trainer = Trainer(
    name=MEMORY_KIND,
    about="CoDraw's nearest-neighbour players, which remember recorded dialogs",
    options="groundling.games.codraw.players.nearest.learn:NearestOptions",
    train="groundling.games.codraw.players.nearest.learn:learn_nearest_memory",
)


def make_nearest_player(seat: Seat) -> Player:
    """Make a Teller of one message a piece, or a Drawer of one piece a message."""
    memory, digest = _load_memory(seat)
    try:
        from groundling.games.codraw.players.nearest.drawer import NearestDrawer
        from groundling.games.codraw.players.nearest.teller import NearestPieceTeller
    except ImportError:
        raise missing_extra("score") from None
    return NearestPieceTeller(memory, digest) if seat.role == TELLER else NearestDrawer(memory, digest)


def make_nearest_scene_teller(seat: Seat) -> Player:
    """Make a Teller that repeats all messages about the most similar scene."""
    if seat.role != TELLER:
        raise Problem(f"nearest-scene only tells: seat it as {TELLER}, and {seat.role}=nearest:FILE")
    memory, digest = _load_memory(seat)
    try:
        from groundling.games.codraw.players.nearest.teller import NearestSceneTeller
    except ImportError:
        raise missing_extra("score") from None
    return NearestSceneTeller(memory, digest)


def _load_memory(seat: Seat) -> tuple[NearestMemory, str]:
    if not seat.arg:
        raise Problem(
            f"{seat.name} needs what it remembers: {seat.role}={seat.name}:FILE, "
            f"made by groundling train {MEMORY_KIND}"
        )
    return read_nearest_memory(Path(seat.arg))
