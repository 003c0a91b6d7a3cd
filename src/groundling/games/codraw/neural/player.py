"""Trained weights in a seat. What many games ask at once is answered at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import ClassVar

import torch
from msgspec import ValidationError
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.rnn import pad_sequence

from ....boards.scene import KINDS, Scene, diff
from ....boards.scene.packed import pack, unpack
from ....core.pack import Seat
from ....core.player import Ask, Player, Reply
from ....core.values import Problem, Role, Say
from ....train.gpus import device, onednn, quick_halves
from ....train.together import Together
from ....train.weights import CARD, WEIGHTS, Card, check_there, load_weights
from ..moves import Agree, Finish
from ..park import DRAWER, TELLER
from ..rules import OK, DrawerView, TellerView
from .building import DRAWERS, TELLERS, build_drawer, build_teller
from .decoder import DecoderTeller
from .drawers import Drawer
from .saying import Manners, messages, tell
from .tellers import Teller
from .transformer import TransformerDrawer
from .words import PAD, START, Vocabulary

REMEMBERED = 4096
"""Scenes, of which a Teller knows what it would say."""
STEP = 16
"""Words, in whole numbers of which dialogs are read: for a length that is new to it, oneDNN first has to prepare itself."""
DRAWN = 32
"""Dialogs that are read together, of like length: padding is paid for in time."""


def sit_down(seat: Seat, folder: Path) -> Player:
    """The same player for the same weights: one serves many games, and answers them together."""
    check_there(folder)
    player = _read(folder.resolve(), tuple((folder / name).stat().st_mtime_ns for name in (WEIGHTS, CARD)))
    if seat.role != player.role:
        what = f"{player.role.capitalize()} ({player.model})"
        raise Problem(f"{folder} holds the weights of a {what}: seat it as {player.role}")
    return player


@lru_cache(maxsize=8)
def _read(folder: Path, changed: tuple[int, ...]) -> WeightsTeller | WeightsDrawer:
    card, state, digest = load_weights(folder)
    if card.model not in (*DRAWERS, *TELLERS):
        raise Problem(f"{folder} holds weights of {card.model!r}, which this version of groundling does not know: upgrade it")
    try:
        model = (build_teller if card.model in TELLERS else build_drawer)(card.model, card.settings)
        model.load_state_dict(state)
    except (ValidationError, RuntimeError):
        raise Problem(f"the weights in {folder} are not those that its card tells of: copy or train them again") from None
    return WeightsTeller(model, card, digest) if isinstance(model, Teller) else WeightsDrawer(model, card, digest)


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
        words = pad_sequence(list(heard), batch_first=True, padding_value=PAD)
        if self._model.whole:
            words = F.pad(words, (0, min(-words.shape[1] % STEP, self._model.longest - words.shape[1])), value=PAD)
        words = words.to(self._where)
        with onednn(self._model.whole):
            return unpack(self._model.draw(words, canvas, allowed).cpu().numpy())


@cache
def _allowed(palette: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([kind in palette for kind in KINDS])


class WeightsTeller(Trained):
    """Says the likeliest words of each scene, message by message, and finishes. It hears nothing and does not peek, so that it
    thinks of a scene once; what it thought can be thought again."""

    role = TELLER

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
