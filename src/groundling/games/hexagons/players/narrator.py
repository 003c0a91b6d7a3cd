"""An instructor that describes an image in English from its program, at a chosen level of abstraction."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from groundling.boards.hexes import Board
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import HexagonsMove, InstructionsDone, InstructorView, Next, PaintTile
from groundling.games.hexagons.narration import (
    LEVELS,
    WORDINGS,
    NarrationStep,
    narrate_changes,
    narrate_image,
)
from groundling.games.hexagons.players.tile_summary import answer_directly


class Narrator:
    def __init__(self, images: Sequence[HexagonsImage], level: int, wordings: str, seed: int) -> None:
        self.name = f"narrator-{level}" + ("" if wordings == "open" else f"-{wordings}")
        self.images = {image.id: image for image in images}
        self.level, self.wordings, self.seed = level, wordings, seed

    def narrate_steps(self, image: HexagonsImage) -> list[NarrationStep]:
        """Return the whole narration, which is always the same for an image."""
        return narrate_image(
            image.program or image.target, self.level, Random(f"{self.seed} {image.id}"), self.wordings
        )

    def _find_image(self, ask: Ask, view: InstructorView) -> HexagonsImage:
        """Find the image by the episode's id, or by its target in episodes with people, whose ids differ."""
        known = self.images.get(ask.episode.partition("#")[0])
        return known or next(image for image in self.images.values() if image.target == view.target)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, InstructorView)
        return reply_with_steps(view, self.narrate_steps(self._find_image(ask, view)), self.wordings)


def reply_with_steps(view: InstructorView, told: list[NarrationStep], wordings: str = "open") -> Reply:
    """Say the next of these steps, answer a question about one, or carry out the one that is due."""
    if view.due:
        parts = _group_steps(told, len(view.said))
        return Reply(moves=(*_step_paints(told, parts[view.due - 1]), Next()))
    parts = _group_steps(told, view.left + len(view.said))
    if view.asked:
        part = parts[view.asked.step]
        before, after = _boards_around(told, part)
        level = answer_level(max(step.level for step in part), view)
        again = narrate_changes(before, after, level, wordings) or view.said[view.asked.step]
        direct = answer_directly(view.asked.question, before.changes_to(after))
        return Reply(moves=(Say(f"{direct} {again}".strip()),))
    number = len(view.said)
    return Reply(
        moves=(
            Say(" ".join(step.text for step in parts[number])) if number < len(parts) else InstructionsDone(),
        )
    )


def _group_steps(told: list[NarrationStep], most: int) -> list[list[NarrationStep]]:
    """Group steps into at most this many instructions."""
    each = -(-len(told) // most) if most else 1
    return [told[start : start + each] for start in range(0, len(told), each)]


def _step_paints(told: list[NarrationStep], part: list[NarrationStep]) -> list[HexagonsMove]:
    """Return the paints of these steps."""
    before, after = _boards_around(told, part)
    return [PaintTile(*tile, colour) for tile, colour in before.changes_to(after).items()]


def _boards_around(told: list[NarrationStep], part: list[NarrationStep]) -> tuple[Board, Board]:
    first = told.index(part[0])
    return told[first - 1].board if first else Board.empty(), part[-1].board


def answer_level(level: int, view: InstructorView) -> int:
    """The level at which an instruction of that level is said again: lines in place of what is above them,
    then tiles."""
    assert view.asked is not None
    asked = sum(one.step == view.asked.step for one in view.talk)
    return max(0, min(level, 2) - asked)


def make_narrator(seat: Seat) -> Player:
    """Make the player from `narrator[,level=0…3][,wordings=open|held-out][,seed=N]`."""
    level = seat.option("level", "3")
    wordings = seat.option("wordings", "open")
    seed = seat.option("seed", "0")
    if seat.role != "instructor":
        raise Problem(f"the narrator gives instructions: seat it as instructor, not as {seat.role}")
    if level not in [str(number) for number in range(len(LEVELS))]:
        told = ", ".join(f"{number} {name}" for number, name in enumerate(LEVELS))
        raise Problem(f"the narrator has no level {level!r}: choose from {told}")
    if wordings not in WORDINGS:
        raise Problem(f"the narrator has no wordings {wordings!r}: choose from {', '.join(WORDINGS)}")
    if not seed.isdecimal():
        raise Problem(f"the narrator's seed is a number, not {seed!r}")
    images = [image for image in seat.instances if isinstance(image, HexagonsImage)]
    return Narrator(images, int(level), wordings, int(seed))
