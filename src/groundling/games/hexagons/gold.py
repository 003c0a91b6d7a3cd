"""The oracle pair. The instructor lists tiles by colour, and the executor paints exactly these. For a
recorded procedure the instructor says the recorded words, and the executor paints what their author
painted."""

from __future__ import annotations

import re

from groundling.boards.hexes import Board
from groundling.core.pack import Seat, find_episode_instance
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    InstructionsDone,
    InstructorView,
    Next,
    PaintTile,
)
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame

_GROUP = re.compile(r"(\w+): ([\d ,;]+)")


def plan_gold_instructions(target: Board, most: int) -> list[str]:
    """Return an instruction for each colour, or fewer with several colours each if the limit requires it."""
    tiles: dict[str, list[str]] = {}
    for (row, column), colour in target.painted_tiles().items():
        tiles.setdefault(colour, []).append(f"{row},{column}")
    groups = [f"{colour}: {'; '.join(places)}" for colour, places in tiles.items()]
    each = -(-len(groups) // most) or 1
    return [
        f"Paint these tiles, row,column. {' / '.join(groups[i : i + each])}"
        for i in range(0, len(groups), each)
    ]


def parse_gold_paints(told: tuple[str, ...]) -> tuple[HexagonsMove, ...]:
    """Return the moves that such instructions describe."""
    found: list[HexagonsMove] = []
    for text in told:
        for colour, places in _GROUP.findall(text):
            for place in places.strip(" ").split("; "):
                row, column = map(int, place.split(","))
                found.append(PaintTile(row, column, colour))
    return (*found, Next())


class HexagonsGold:
    name = "gold"

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.game, HexagonsGame)
        self.game = seat.game
        self.instances: dict[str, HexagonsImage] = {
            image.id: image for image in seat.instances if isinstance(image, HexagonsImage)
        }

    async def act(self, ask: Ask) -> Reply:
        recorded = self._recorded_image(ask)
        if recorded is not None:
            replies = gold_recorded_replies(self.game, recorded, ask.role)
            return replies[min(len(ask.past), len(replies) - 1)]
        view = ask.view
        if isinstance(view, ExecutorView):
            return Reply(moves=parse_gold_paints(view.current_instructions))
        assert isinstance(view, InstructorView)
        if view.due:
            return Reply(moves=parse_gold_paints(view.said[view.due - 1 : view.due]))
        if view.asked:  # there is nothing more exact to say
            return Reply(moves=(Say(view.said[view.asked.step]),))
        said = plan_gold_instructions(view.target, view.left + len(view.said))
        return Reply(moves=(Say(said[len(view.said)]) if len(view.said) < len(said) else InstructionsDone(),))

    def _recorded_image(self, ask: Ask) -> HexagonsImage | None:
        """Return the instance if its recorded procedure is played."""
        image = find_episode_instance(self.instances, ask.episode)
        return image if image and image.steps and self.game.play_mode(image) == "execute" else None


def gold_recorded_replies(game: HexagonsGame, image: HexagonsImage, role: str) -> list[Reply]:
    """Return the replies of the author of a recorded procedure."""
    mode = game.play_mode(image)
    said = [Reply(moves=(Say(step.spoken_text),)) for step in image.steps] + [
        Reply(moves=(InstructionsDone(),))
    ]
    steps = [
        [PaintTile(*change) for change in image.step_changes(number)] for number in range(len(image.steps))
    ]
    if game.settings.whole and mode != "align":
        last: dict[tuple[int, int], PaintTile] = {
            (paint.row, paint.column): paint for step in steps for paint in step
        }
        steps = [list(last.values())]
    done = [Reply(moves=(*step, Next())) for step in steps]
    if role != INSTRUCTOR:
        return done
    return said + done if mode == "align" else said


def make_hexagons_gold(seat: Seat) -> Player:
    return HexagonsGold(seat)
