"""A Drawer's questions about single pieces: their wording, when they are asked, and reading the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from groundling.boards.scene import KINDS, SIZES, WIDTH
from groundling.core.pack import Seat
from groundling.core.values import Problem
from groundling.games.codraw.instance import DRAWER
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.players.template import piece_words, position_phrases
from groundling.games.codraw.rules import DrawerView

Topic: TypeAlias = Literal["there", "side", "size", "way"]
TOPICS: tuple[Topic, ...] = get_args(Topic)
"""Whether the piece exists, on which side it is, its size, and its direction."""
ABSENT = "no"
"""The answer to every question about a piece that is not in the scene."""

_NOTHING = re.compile(r"\bthere (?:is|are) (?:no|not|none)\b|\bno such\b|\bis not (?:there|any|in)\b")
_YES = re.compile(r"^(?:yes|yeah|yep|yea|yup|there (?:is|are))\b")
_NO = re.compile(r"^(?:no|nope|none)\b")
_SIZES = {
    **{name: name for name in SIZES},
    "big": "large",
    "little": "small",
    "tiny": "small",
    "huge": "large",
}
_SIDES = {"left": "left", "right": "right", "middle": "middle", "center": "middle", "centre": "middle"}

MIN_GAINS: Mapping[Topic, float] = {"there": 0.1, "side": 0.015, "size": 0.05, "way": 0.05}
"""The least expected gain of an answer, in points of one piece."""
MAX_QUESTIONS = 5
"""The number of questions per game."""


class PieceQuestion(Struct, frozen=True, gc=False):
    """A question about one kind."""

    topic: Topic
    kind: str

    @property
    def is_sensible(self) -> bool:
        """Whether the question makes sense: only pieces with a front have a direction."""
        return self.topic != "way" or self.kind in piece_words.WITH_FRONT


def word_question(question: PieceQuestion) -> str:
    kind = question.kind
    noun, many = piece_words.usual_piece_name(kind), kind in piece_words.PLURAL
    be, the = "are" if many else "is", piece_words.piece_with_the(noun)
    match question.topic:
        case "there":
            return f"{be} there {'any ' + noun if many else piece_words.piece_with_article(noun, kind)}?"
        case "side":
            return f"{be} {the} on the left or the right?"
        case "size":
            return f"{be} {the} large, medium or small?"
        case "way":
            return f"which way {'do' if many else 'does'} {the} face?"


_OURS = {
    word_question(one): one
    for topic in TOPICS
    for kind in KINDS
    if (one := PieceQuestion(topic, kind)).is_sensible
}


def parse_own_question(text: str) -> PieceQuestion | None:
    """Parse a question in our own wording."""
    return _OURS.get(text.strip().lower())


def parse_question_answer(question: PieceQuestion, text: str) -> str:
    """Return yes or no, a side, or a size; empty if the answer does not say it, is contradictory, or is
    about other pieces. Words after "not" are ignored."""
    said = tokenize_message(text)
    named = {kind for mention in find_mentions(said)[1] for kind in mention.kinds}
    if named and question.kind not in named:
        return ""
    plain = " ".join(said)
    if _NOTHING.search(plain) or (question.topic == "there" and _NO.search(plain)):
        return ABSENT
    if question.topic == "there":
        return "yes" if _YES.search(plain) else ""
    if "not" in said:
        said = said[: said.index("not")]
    if question.topic == "side":
        return next((_SIDES[word] for word in said if word in _SIDES), "")
    known = _SIZES if question.topic == "size" else {"left": "left", "right": "right"}
    found = {known[word] for word in said if word in known}
    return found.pop() if len(found) == 1 else ""


def complete_answer(question: PieceQuestion, text: str) -> str:
    """Return an answer as a whole sentence: "left" becomes "the dog is facing left". What names a piece, or
    is no answer, is returned as it is."""
    answer = parse_question_answer(question, text)
    if not answer or find_mentions(tokenize_message(text))[1]:
        return text
    the = piece_words.piece_with_the(piece_words.usual_piece_name(question.kind))
    if answer == ABSENT:
        return f"remove {the}"
    phrase = {"there": "there", "side": f"on the {answer}", "size": answer, "way": f"facing {answer}"}
    return f"{the} is {phrase[question.topic]}"


def question_side_range(side: str) -> tuple[float, float]:
    """Return the range of a side as shares of the width."""
    edge = position_phrases.MIDDLE / WIDTH
    return {"left": (-1.0, edge), "middle": (edge, 1 - edge), "right": (1 - edge, 2.0)}[side]


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
