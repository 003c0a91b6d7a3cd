"""A Drawer that asks questions: where its likelihoods are uncertain about a piece, it asks instead of saying
ok."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from msgspec import Struct
from torch import Tensor

from groundling.boards.scene import INDEX, KINDS, SIZES, diff
from groundling.boards.scene.packed import LOOK, unpack
from groundling.core.pack import Seat
from groundling.core.player import Ask, Reply
from groundling.core.values import Problem, Say
from groundling.games.codraw.moves import Agree
from groundling.games.codraw.neural.choosing import choose
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.player import WeightsDrawer
from groundling.games.codraw.neural.reading import Readings
from groundling.games.codraw.neural.scenes import mirrored
from groundling.games.codraw.neural.transformer import Guess, TransformerDrawer
from groundling.games.codraw.park import DRAWER
from groundling.games.codraw.players.grammar.names import mentions
from groundling.games.codraw.players.grammar.text import words as tokens
from groundling.games.codraw.players.questions import ABSENT, TOPICS, Question, Topic, reach, read, understood
from groundling.games.codraw.players.questions import ask as worded
from groundling.games.codraw.players.template.names import WITH_FRONT, flipped
from groundling.games.codraw.rules import OK, DrawerView, Spoken
from groundling.train.weights import Card

PIECE = 4.0
"""Points that a piece is worth, less the usual loss by its looks."""
TOLD = 0.5
"""A kind is asked about only if people would have drawn it by now with at least this likelihood. Earlier
questions are in vain, because the Teller has not mentioned the piece yet."""
WORTH: Mapping[Topic, float] = {"there": 0.1, "side": 0.015, "size": 0.05, "way": 0.05}
"""The least expected gain of an answer, in points of one piece."""
MOST = 5
"""The number of questions per game."""


class Asking(Struct, frozen=True):
    topics: tuple[Topic, ...]
    most: int = MOST
    late: bool = True
    """Ask only when the Teller has finished, so that nothing is asked that it would have said anyway."""
    worth: tuple[float, ...] = tuple(WORTH[topic] for topic in TOPICS)
    """The least gain for each topic."""
    trusting: bool = True
    """Apply answers to the guess; otherwise they are only read as messages."""

    @classmethod
    def of(cls, seat: Seat) -> Asking | None:
        """Parse the seat's options: `ask=all`, or topics joined by +; `questions=N`; `when=end|any`."""
        written, most, when = (
            seat.option("ask", "no"),
            seat.option("questions", str(MOST)),
            seat.option("when", "end"),
        )
        topics = (
            TOPICS if written == "all" else tuple(topic for topic in TOPICS if topic in written.split("+"))
        )
        if written not in ("no", "all") and len(topics) != len(written.split("+")):
            raise Problem(
                f"{seat.name} cannot ask={written}: no, all, "
                f"or some of {', '.join(TOPICS)} with a + between them"
            )
        if not most.isdecimal() or not int(most):
            raise Problem(
                f"{seat.name} cannot have questions={most}: it is a number of questions a game, 1 or more"
            )
        if when not in ("end", "any"):
            raise Problem(
                f"{seat.name} cannot have when={when}: it is end (when the Teller has finished) or any"
            )
        return None if written == "no" else cls(topics, int(most), when == "end")

    @property
    def written(self) -> str:
        return "all" if self.topics == TOPICS else "+".join(self.topics)


def over(view: DrawerView) -> bool:
    """Check whether the Teller has finished, now or earlier. Only then does a Drawer speak twice in a row."""
    return view.asked or any(one.seat == other.seat == DRAWER for one, other in pairwise(view.talk))


class Answered(NamedTuple):
    question: Question
    answer: str


def answers(talk: Sequence[Spoken]) -> list[Answered]:
    """Collect the Drawer's questions and their answers, except where a later message mentions the same
    piece."""
    found: list[Answered] = []
    asked: Question | None = None
    for spoken in talk:
        if spoken.seat == DRAWER:
            asked = read(spoken.text)
        elif asked is not None and (answer := understood(asked, spoken.text)):
            found.append(Answered(asked, answer))
        else:
            _, named = mentions(tokens(spoken.text))
            kinds = {kind for mention in named for kind in mention.kinds}
            found = [known for known in found if known.question.kind not in kinds]
    return found


def believe(guess: Guess, row: int, known: Answered) -> None:
    """Overwrite one row of the guess, in place, with what was answered."""
    question, answer = known
    kind = INDEX[question.kind]
    guess.target[row, kind] = 0.0 if answer == ABSENT else 1.0
    if answer == ABSENT:
        return
    match question.topic:
        case "side":
            guess.xy[row, kind, 0].clamp_(*reach(answer))
        case "size":
            guess.size[row, kind] = 0.0
            guess.size[row, kind, SIZES.index(answer)] = 1.0
        case "way":
            guess.flip[row, kind] = 0.0
            guess.flip[row, kind, int(flipped(question.kind, answer))] = 1.0
        case "there":
            pass


def doubts(guess: Guess, apart: Tensor, drawn: Tensor) -> Tensor:
    """Estimate what the answer to each question would gain, in points of one piece, per scene, topic and
    kind. `apart` is the horizontal distance between the guesses from the dialog and from its mirror image.
    `drawn` tells which kinds would be drawn."""
    there = PIECE * torch.minimum(guess.target, 1 - guess.target)
    front = torch.tensor([kind in WITH_FRONT for kind in KINDS], device=drawn.device)
    size, way = 1 - guess.size.amax(-1), 1 - guess.flip.amax(-1)
    return torch.stack([there, apart / 2 * drawn, size * drawn, way * drawn * front], dim=1)


class AskingDrawer(WeightsDrawer):
    """Draws like `WeightsDrawer`, and asks the question with the largest expected gain."""

    def __init__(self, model: Drawer, card: Card, digest: str, asking: Asking) -> None:
        super().__init__(model, card, digest)
        assert isinstance(model, TransformerDrawer)
        self._in_mirror = Readings(model, mirror=True)
        """Reads the mirrored dialog. The mean of both guesses is no better than the first guess, but the
        Drawer is uncertain where the two differ."""
        self.asking = asking
        self.name += f" asking {asking.written}"
        self.facts = {**self.facts, "asks": asking.written}

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.silent or ask.complaint is not None or not view.asked:
            return await super().act(ask)
        return await self._together.ask(view)

    def _forget(self, view: DrawerView) -> None:
        super()._forget(view)
        self._in_mirror.forget(self._words(view))

    def _replies(self, views: Sequence[DrawerView]) -> list[Reply]:
        assert self._readings is not None
        words, canvas = (
            [self._words(view) for view in views],
            self._canvas(views) if self._model.looks else None,
        )
        guess = self._readings.guess(words, canvas)
        other = self._in_mirror.guess(words, None if canvas is None else mirrored(canvas))
        apart = (guess.xy[..., 0] - other.xy[..., 0]).abs()
        guess = guess.among(self._allowed(views))
        if self.asking.trusting:
            for row, view in enumerate(views):
                for known in answers(view.talk):
                    believe(guess, row, known)
        packed = choose(*guess)
        gains = doubts(guess, apart, packed[:, LOOK] >= 0).cpu()
        told = (guess.drawn > TOLD).cpu()
        replies = []
        for row, (view, scene) in enumerate(zip(views, unpack(packed.cpu().numpy()), strict=True)):
            question = self._question(view, gains[row] if over(view) else gains[row] * told[row])
            last = Say(question) if question else Agree() if view.asked else Say(OK)
            if isinstance(last, Agree):
                self._forget(view)
            replies.append(Reply(moves=(*diff(view.canvas, scene), last)))
        return replies

    def _question(self, view: DrawerView, gains: Tensor) -> str:
        """Word the question with the largest gain among those that are worth asking and were not asked
        yet."""
        asked = [found for spoken in view.talk if spoken.seat == DRAWER and (found := read(spoken.text))]
        if view.silent or len(asked) >= self.asking.most or (self.asking.late and not over(view)):
            return ""
        worth = torch.tensor(self.asking.worth)[:, None]
        best: tuple[float, str] = (0.0, "")
        for topic, kind in (gains >= worth).nonzero().tolist():
            question = Question(TOPICS[topic], KINDS[kind])
            text = worded(question)
            if (
                question.topic not in self.asking.topics
                or question.kind not in view.palette
                or question in asked
            ):
                continue
            if not view.cap or len(text) <= view.cap:
                best = max(best, (gains[topic, kind].item(), text))
        return best[1]
