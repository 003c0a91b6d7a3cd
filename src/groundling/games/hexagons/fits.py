"""Checks that settings, players and images are compatible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundling.core.values import Problem, Role
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame

RECITERS = frozenset({"replay", "silent", "shuffled", "gold"})


def check_hexagons_fits(
    game: HexagonsGame, players: Mapping[Role, str], images: Sequence[HexagonsImage]
) -> None:
    """Raise Problem unless the instructor recites the recorded procedure that is scored."""
    for image in images:
        game.start(image)
        name = players.get(INSTRUCTOR, "replay")
        if game.play_mode(image) == "execute" and name not in RECITERS:
            raise Problem(
                f"{image.id} comes with a recorded procedure, which is what is executed and scored: leave "
                f"out --seat {INSTRUCTOR}={name}, or add --mode live for a new description"
            )
        if EXECUTOR in players and EXECUTOR not in game.seats(image):
            raise Problem(
                f"nobody executes in --mode {game.play_mode(image)}: leave out --seat "
                f"{EXECUTOR}={players[EXECUTOR]}"
            )
