"""Players with trained weights. They answer many games in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import ClassVar

import torch

from groundling.boards.scene import KINDS, diff
from groundling.boards.scene.packed import pack, unpack
from groundling.core.player import Ask, Reply
from groundling.core.values import Role, Say
from groundling.games.codraw.moves import Agree, Close, Finish
from groundling.games.codraw.neural.choosing import choose
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.reading import Readings
from groundling.games.codraw.neural.saying import rows
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.thinking import Thinking, Topic
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.neural.words import START, Vocabulary
from groundling.games.codraw.park import DRAWER, TELLER
from groundling.games.codraw.players.template.sentences import Words
from groundling.games.codraw.players.template.teller import NEVER, Manner
from groundling.games.codraw.players.template.teller import tell as go_on
from groundling.games.codraw.rules import OK, DrawerView, TellerView
from groundling.train.gpus import device, onednn, quick_bytes, quick_halves
from groundling.train.together import Together
from groundling.train.weights import Card

DRAWN = 8
"""Dialogs that a Drawer reads in one batch; small enough for the processor's cache."""
THOUGHT = 32
"""Dialogs that a Teller plans in one batch; the Drawer can go on with them while others are planned."""


class Trained:
    """A player with trained weights, described by its card."""

    role: ClassVar[Role]
    at_once: ClassVar[int] = 128
    """The number of games to play at once, because they are answered in batches."""

    def __init__(self, card: Card, digest: str) -> None:
        self.model = card.model
        self.name = f"{card.model} {card.half}" + (" blind" if card.blind else "")
        self.facts = card.facts(digest)
        self.learned_from = frozenset(card.seen)
        self.words = Vocabulary(card.words, card.blind)
        self._where = device()


class WeightsDrawer(Trained):
    """Redraws the canvas after each message of the Teller, and says only ok."""

    role = DRAWER

    def __init__(self, model: Drawer, card: Card, digest: str) -> None:
        super().__init__(card, digest)
        self._halves = isinstance(model, TransformerDrawer) and quick_halves(self._where)
        if isinstance(model, TransformerDrawer):
            if self._halves:
                model.lighten()
            elif quick_bytes(self._where):
                model.quicken()
        self._model = model.to(self._where).eval()
        self._readings = Readings(model) if isinstance(model, TransformerDrawer) else None
        self._together = Together(self._draw, DRAWN)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.asked:
            self._forget(view)
            return Reply(moves=(Agree(),))
        if ask.complaint is not None or not view.talk or view.talk[-1].seat != TELLER:
            return Reply(moves=(Say(OK),))
        return await self._together.ask(view)

    def _words(self, view: DrawerView) -> tuple[int, ...]:
        """Return the words of the whole dialog, or of its last message."""
        said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
        if self._readings is None:
            return tuple(self.words.message(said[-1]))
        return (START, *(word for text in said for word in self.words.message(text)))

    def _forget(self, view: DrawerView) -> None:
        if self._readings is not None:
            self._readings.forget(self._words(view))

    @torch.inference_mode()
    def _draw(self, views: Sequence[DrawerView]) -> list[Reply]:
        with onednn(self._halves):
            return self._replies(views)

    def _replies(self, views: Sequence[DrawerView]) -> list[Reply]:
        words, allowed = [self._words(view) for view in views], self._allowed(views)
        if self._readings is None:
            drawn = self._model.draw(rows(words, self._where), self._canvas(views), allowed)
        else:
            drawn = choose(
                *self._readings.guess(words, self._canvas(views) if self._model.looks else None).among(
                    allowed
                )
            )
        scenes = unpack(drawn.cpu().numpy())
        return [
            Reply(moves=(*diff(view.canvas, scene), Say(OK)))
            for view, scene in zip(views, scenes, strict=True)
        ]

    def _canvas(self, views: Sequence[DrawerView]) -> torch.Tensor:
        return torch.from_numpy(pack(view.canvas for view in views)).to(self._where)

    def _allowed(self, views: Sequence[DrawerView]) -> torch.Tensor:
        return torch.stack([_in_palette(view.palette) for view in views]).to(self._where)


@cache
def _in_palette(palette: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([kind in palette for kind in KINDS])


class WeightsTeller(Trained):
    """Says the likeliest words about each scene, message by message, and finishes. It answers questions and,
    if it peeks, corrects the drawing as `template` does."""

    role = TELLER

    def __init__(self, model: Teller, card: Card, digest: str, manner: Manner = Manner(peek=NEVER)) -> None:  # noqa: B008
        super().__init__(card, digest)
        self.manner = manner
        if manner.peek != NEVER:
            self.name += " peeking"
        self._model = model.to(self._where).eval()
        self._thinking = Thinking(self._model, self.words, self._where)
        self._together = Together(self._thinking.think, THOUGHT)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, TellerView)
        if ask.complaint is not None:
            return Reply(moves=(Finish(),) if view.canvas is None else (Close(), Finish()))
        topic = Topic(view.target, view.cap)
        next_one = 1 + sum(spoken.seat == TELLER for spoken in view.talk)
        plan = self._thinking.known(topic, next_one)
        if plan is None:
            plan = await self._together.ask((topic, next_one))
        return Reply(moves=go_on(ask, Words(view.target, Random(ask.episode)), plan, self.manner))
