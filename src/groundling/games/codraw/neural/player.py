"""Trained weights in a seat. What many games ask at once is answered at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

from ....boards.scene import KINDS, Scene, diff
from ....boards.scene.packed import pack, unpack
from ....core.pack import Seat
from ....core.player import Ask, Player, Reply
from ....core.values import Problem, Say
from ....train.gpus import device, onednn, quick_halves
from ....train.together import Together
from ....train.weights import Card, load_weights
from ..moves import Agree, Finish
from ..park import DRAWER, TELLER
from ..rules import OK, DrawerView, TellerView
from .building import TELLERS, build_drawer, build_teller
from .decoder import DecoderTeller
from .drawers import Drawer
from .saying import Manners, messages, tell
from .tellers import Teller
from .transformer import TransformerDrawer
from .words import PAD, START, Vocabulary

REMEMBERED = 4096
"""Scenes, of which a Teller knows what it would say."""
DRAWN = 32
"""Dialogs that are read together, of like length: padding is paid for in time."""


def sit_down(seat: Seat, folder: Path) -> Player:
    card, state, digest = load_weights(folder)
    role = TELLER if card.model in TELLERS else DRAWER
    if seat.role != role:
        raise Problem(f"{folder} holds the weights of a {role.capitalize()} ({card.model}): seat it as {role}")
    if role == TELLER:
        teller = build_teller(card.model, card.settings)
        teller.load_state_dict(state)
        return WeightsTeller(teller, card, digest)
    drawer = build_drawer(card.model, card.settings)
    drawer.load_state_dict(state)
    return WeightsDrawer(drawer, card, digest)


class Trained:
    """What its card says of a player with trained weights."""

    at_once = 128
    """So many games it would play at once: it answers them together."""

    def __init__(self, card: Card, digest: str) -> None:
        self.name = f"{card.model} {card.half}" + (" blind" if card.blind else "")
        self.facts = card.facts(digest)
        self.learned_from = frozenset(card.seen)
        self.words = Vocabulary(card.words, card.blind)
        self._where = device()


class WeightsDrawer(Trained):
    """Draws the canvas anew after each message of the Teller, and says nothing but ok."""

    def __init__(self, model: Drawer, card: Card, digest: str) -> None:
        super().__init__(card, digest)
        if isinstance(model, TransformerDrawer) and quick_halves(self._where):
            model.lighten()
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
        drawn: dict[int, Scene] = {}
        for start in range(0, len(order), DRAWN):
            some = order[start : start + DRAWN]
            drawn |= zip(some, self._scenes([views[place] for place in some], [heard[place] for place in some]), strict=True)
        return [Reply(moves=(*diff(view.canvas, drawn[place]), Say(OK))) for place, view in enumerate(views)]

    def _scenes(self, views: Sequence[DrawerView], heard: Sequence[torch.Tensor]) -> list[Scene]:
        canvas = torch.from_numpy(pack(view.canvas for view in views)).to(self._where)
        allowed = torch.stack([_allowed(view.palette) for view in views]).to(self._where)
        words = pad_sequence(list(heard), batch_first=True, padding_value=PAD).to(self._where)
        with onednn(self._model.whole):
            return unpack(self._model.draw(words, canvas, allowed).cpu().numpy())


@cache
def _allowed(palette: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([kind in palette for kind in KINDS])


class WeightsTeller(Trained):
    """Says the likeliest words of each scene, message by message, and finishes. It hears nothing and does not peek, so that it
    thinks of a scene once; what it thought can be thought again."""

    def __init__(self, model: Teller, card: Card, digest: str) -> None:
        super().__init__(card, digest)
        self._model = model.to(self._where).eval()
        self._together = Together(self._tell)
        self._thought: OrderedDict[tuple[Scene, int], list[str]] = OrderedDict()

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, TellerView)
        plan = self._thought.get((view.target, view.cap))
        if plan is None:
            plan = await self._together.ask((view.target, view.cap))
        said = sum(spoken.seat == TELLER for spoken in view.talk)
        over = view.finished or ask.complaint is not None or said >= len(plan)
        return Reply(moves=(Finish(),) if over else (Say(plan[said]),))

    @torch.inference_mode()
    def _tell(self, asked: Sequence[tuple[Scene, int]]) -> list[list[str]]:
        found: dict[tuple[Scene, int], list[str]] = {}
        for cap in {cap for _, cap in asked}:
            some = [scene for scene, other in asked if other == cap]
            targets = torch.from_numpy(pack(some)).to(self._where)
            with onednn(isinstance(self._model, DecoderTeller)):
                told = messages(tell(self._model, targets, Manners(self.words, self._where, cap)), self.words)
            found |= {(scene, cap): plan for scene, plan in zip(some, told, strict=True)}
        self._thought |= found
        while len(self._thought) > REMEMBERED:
            self._thought.popitem(last=False)
        return [found[question] for question in asked]
