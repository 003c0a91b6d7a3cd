"""Players with trained weights. What many games ask at once is answered at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import ClassVar

import torch
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.rnn import pad_sequence

from ....boards.scene import KINDS, diff
from ....boards.scene.packed import pack, unpack
from ....core.player import Ask, Reply
from ....core.values import Role, Say
from ....train.gpus import device, onednn, quick_bytes, quick_halves
from ....train.together import Together
from ....train.weights import Card
from ..moves import Agree, Close, Finish
from ..park import DRAWER, TELLER
from ..players.template.sentences import Words
from ..players.template.teller import NEVER, Manner
from ..players.template.teller import tell as go_on
from ..rules import OK, DrawerView, TellerView
from .drawers import Drawer
from .tellers import Teller
from .thinking import Thinking, Topic
from .transformer import TransformerDrawer
from .words import PAD, START, Vocabulary

STEP = 16
"""Words, in whole numbers of which dialogs are read: for a length that is new to it, torch first has to prepare itself."""
DRAWN = 8
"""Dialogs that are read together, of like length: padding is paid for in time."""


class Trained:
    """What its card says of a player with trained weights."""

    role: ClassVar[Role]
    at_once: ClassVar[int] = 128
    """So many games it would play at once: it answers them together."""

    def __init__(self, card: Card, digest: str) -> None:
        self.model = card.model
        self.name = f"{card.model} {card.half}" + (" blind" if card.blind else "")
        self.facts = card.facts(digest)
        self.learned_from = frozenset(card.seen)
        self.words = Vocabulary(card.words, card.blind)
        self._where = device()


class WeightsDrawer(Trained):
    """Draws the canvas anew after each message of the Teller, and says nothing but ok."""

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
        self._together = Together(self._draw)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.asked:
            return Reply(moves=(Agree(),))
        if ask.complaint is not None or not view.talk or view.talk[-1].seat != TELLER:
            return Reply(moves=(Say(OK),))
        return await self._together.ask(view)

    def _heard(self, view: DrawerView) -> torch.Tensor:
        said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
        if not self._model.whole:
            return torch.tensor(self.words.message(said[-1]))
        return torch.tensor([START, *(word for text in said for word in self.words.message(text))][-self._model.longest :])

    @torch.inference_mode()
    def _draw(self, views: Sequence[DrawerView]) -> list[Reply]:
        heard = [self._heard(view) for view in views]
        order = sorted(range(len(views)), key=lambda place: len(heard[place]))
        replies: dict[int, Reply] = {}
        for start in range(0, len(order), DRAWN):
            some = order[start : start + DRAWN]
            here = [views[place] for place in some]
            replies |= zip(some, self._replies(here, self._side_by_side([heard[place] for place in some])), strict=True)
        return [replies[place] for place in range(len(views))]

    def _side_by_side(self, heard: Sequence[torch.Tensor]) -> torch.Tensor:
        words = pad_sequence(list(heard), batch_first=True, padding_value=PAD)
        if self._model.whole:
            words = F.pad(words, (0, min(-words.shape[1] % STEP, self._model.longest - words.shape[1])), value=PAD)
        return words.to(self._where)

    def _replies(self, views: Sequence[DrawerView], words: torch.Tensor) -> list[Reply]:
        canvas = torch.from_numpy(pack(view.canvas for view in views)).to(self._where)
        with onednn(self._halves):
            drawn = unpack(self._model.draw(words, canvas, self._allowed(views)).cpu().numpy())
        return [Reply(moves=(*diff(view.canvas, scene), Say(OK))) for view, scene in zip(views, drawn, strict=True)]

    def _allowed(self, views: Sequence[DrawerView]) -> torch.Tensor:
        return torch.stack([_in_palette(view.palette) for view in views]).to(self._where)


@cache
def _in_palette(palette: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([kind in palette for kind in KINDS])


class WeightsTeller(Trained):
    """Says the likeliest words of each scene, message by message, and finishes. Questions it answers as `template` does, and
    like that it corrects what it sees, if it is to peek."""

    role = TELLER

    def __init__(self, model: Teller, card: Card, digest: str, manner: Manner = Manner(peek=NEVER)) -> None:  # noqa: B008
        super().__init__(card, digest)
        self.manner = manner
        if manner.peek != NEVER:
            self.name += " peeking"
        self._model = model.to(self._where).eval()
        self._thinking = Thinking(self._model, self.words, self._where)
        self._together = Together(self._thinking.think)

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
