"""Do settings, players and images go together?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundling.core.values import Problem, Role
from groundling.games.hexagons.image import Image
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame

RECITERS = frozenset({"replay", "silent", "shuffled", "gold"})


def fits(game: HexagonsGame, players: Mapping[Role, str], images: Sequence[Image]) -> None:
    """What is executed is scored against its recording, so nobody may say something else instead."""
    for image in images:
        game.start(image)
        name = players.get(INSTRUCTOR, "replay")
        if game.mode(image) == "execute" and name not in RECITERS:
            raise Problem(
                f"{image.id} comes with a recorded procedure, which is what is executed and scored: leave out "
                f"--seat {INSTRUCTOR}={name}, or add --mode live to have it described anew"
            )
        if EXECUTOR in players and EXECUTOR not in game.seats(image):
            raise Problem(
                f"nobody executes in --mode {game.mode(image)}: leave out --seat {EXECUTOR}={players[EXECUTOR]}"
            )
