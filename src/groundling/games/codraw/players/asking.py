"""When a Drawer asks questions: the options of its seat, and whose turn it is to ask."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec import Struct

from groundling.core.pack import Seat
from groundling.core.values import Problem
from groundling.games.codraw.instance import DRAWER
from groundling.games.codraw.players.questions import TOPICS, Topic
from groundling.games.codraw.rules import DrawerView

MIN_GAINS: Mapping[Topic, float] = {"there": 0.1, "side": 0.015, "size": 0.05, "way": 0.05}
"""The least expected gain of an answer, in points of one piece."""
MAX_QUESTIONS = 5
"""The number of questions per game."""


class AskingSettings(Struct, frozen=True):
    topics: tuple[Topic, ...]
    most: int = MAX_QUESTIONS
    late: bool = True
    """Ask only when the Teller has finished, so that nothing is asked that it would have said anyway."""
    worth: tuple[float, ...] = tuple(MIN_GAINS[topic] for topic in TOPICS)
    """The least gain for each topic."""
    trusting: bool = True
    """Apply answers to the guess; otherwise they are only read as messages."""

    @classmethod
    def from_seat(cls, seat: Seat, *, able: bool = True) -> AskingSettings | None:
        """Parse the seat's options: `ask=all`, or topics joined by +; `questions=N`; `when=end|any`. With a
        person a Drawer that is able to asks by default."""
        written = seat.option("ask", "all" if seat.live and able else "no")
        most = seat.option("questions", str(MAX_QUESTIONS))
        when = seat.option("when", "end")
        topics = (
            TOPICS if written == "all" else tuple(topic for topic in TOPICS if topic in written.split("+"))
        )
        if written not in ("no", "all") and len(topics) != len(written.split("+")):
            raise Problem(
                f"{seat.name} cannot ask={written}: no, all, "
                f"or some of {', '.join(TOPICS)} with a + between them"
            )
        if not most.isdecimal() or not int(most):
            raise Problem(f"{seat.name} cannot have questions={most}: give 1 or more questions per game")
        if when not in ("end", "any"):
            raise Problem(
                f"{seat.name} cannot have when={when}: it is end (when the Teller has finished) or any"
            )
        return None if written == "no" else cls(topics, int(most), when == "end")

    @property
    def written_topics(self) -> str:
        return "all" if self.topics == TOPICS else "+".join(self.topics)


def asked_teller_finished(view: DrawerView) -> bool:
    """Check whether the Teller has finished, now or earlier. Only then does a Drawer speak twice in a row."""
    return view.asked or any(one.seat == other.seat == DRAWER for one, other in pairwise(view.talk))
