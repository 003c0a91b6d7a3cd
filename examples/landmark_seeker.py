"""A player in one file: a seeker for the game in treasure.py that reads landmarks and directions.

groundling play examples/treasure.py --seat giver=gold --seat seeker=examples/landmark_seeker.py"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from random import Random

from groundling.core.player import Ask, Reply

COLUMNS, ROWS = "ABCDE", "12345"
CELLS = tuple(column + row for row in ROWS for column in COLUMNS)
STEPS = {
    (-1, 0): ("left", "west"),
    (1, 0): ("right", "east"),
    (0, -1): ("above", "up", "over", "north"),
    (0, 1): ("below", "down", "under", "south"),
}
DIRECTIONS = {word: step for step, words in STEPS.items() for word in words}
NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
DIRECTION = re.compile(
    rf"(?:\b({'|'.join(NUMBERS)}|[1-4])\s+)?(?:(?:cells?|steps?|squares?|rows?|columns?)\s+)?"
    rf"(?:to\s+the\s+)?\b({'|'.join(DIRECTIONS)})\b"
)


class LandmarkSeeker:
    """Digs where most landmarks of the message point to, as in "two cells left of the well"."""

    def __init__(self, steps: int = 1) -> None:
        self.steps = steps
        """The number of cells that a direction without a number stands for."""

    async def act(self, ask: Ask) -> Reply:
        message, landmarks = ask.view.message, ask.view.landmarks
        named = re.findall(r"\b[A-E][1-5]\b", message)
        free = [cell for cell in CELLS if cell not in landmarks]
        votes = Counter(named or self.pointed_cells(message.lower(), landmarks))
        likely = [cell for cell, _ in votes.most_common() if cell in free]
        return Reply(text=f"Dig: {likely[0] if likely else Random(ask.seed).choice(free)}")

    def pointed_cells(self, message: str, landmarks: Mapping[str, str]) -> list[str]:
        """Return the cells that the landmarks of the message point to. The words before a landmark tell the
        way, and those after the last one too."""
        cells = {name: cell for cell, name in landmarks.items()}
        before, *mentions = re.split(rf"({'|'.join(cells)})", message)
        found = []
        for place in range(0, len(mentions), 2):
            name, after = mentions[place], mentions[place + 1]
            x, y = COLUMNS.index(cells[name][0]), ROWS.index(cells[name][1])
            words = before + after if place == len(mentions) - 2 else before
            for number, word in DIRECTION.findall(words):
                count = NUMBERS.get(number) or int(number or self.steps)
                x, y = x + count * DIRECTIONS[word][0], y + count * DIRECTIONS[word][1]
            if x in range(len(COLUMNS)) and y in range(len(ROWS)):
                found.append(COLUMNS[x] + ROWS[y])
            before = after
        return found
