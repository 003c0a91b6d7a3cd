"""Players with trained weights. They answer many games in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import ClassVar

import torch

from groundling.boards.scene import KINDS, find_scene_changes
from groundling.boards.scene.batches import pack_scene_batch, unpack_scene_batch
from groundling.core.player import Ask, PlayerInfo, Reply
from groundling.core.values import Role, Say
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.moves import Agree, Close, Finish
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.message_planner import MessagePlanner, SceneRequest
from groundling.games.codraw.neural.reading_cache import ReadingCache
from groundling.games.codraw.neural.scene_choice import choose_scenes
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.teller_generation import pad_generated_rows
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.neural.vocabulary import START, Vocabulary
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.players.template.teller import NEVER, PeekPolicy, choose_template_moves
from groundling.games.codraw.rules import OK, DrawerView, TellerView
from groundling.train.batched_inference import BatchedInference
from groundling.train.devices import has_fast_bfloat16, has_fast_int8, select_device, set_onednn
from groundling.train.weights import ModelCard


class TrainedPlayer:
    """A player with trained weights, described by its card."""

    role: ClassVar[Role]
    at_once: ClassVar[int] = 128
    """The number of games to play at once, because they are answered in batches."""

    def __init__(self, card: ModelCard, digest: str) -> None:
        self.model = card.model
        self.name = f"{card.model} {card.half}" + (" blind" if card.blind else "")
        self.info = PlayerInfo(
            facts=card.player_facts(digest), at_once=self.at_once, learned_from=frozenset(card.seen)
        )
        self.words = Vocabulary(card.words, card.blind)
        self._where = select_device()


class WeightsDrawer(TrainedPlayer):
    """Redraws the canvas after each message of the Teller, and says only ok."""

    role = DRAWER

    def __init__(self, model: Drawer, card: ModelCard, digest: str, *, full: bool = False) -> None:
        """With `full` it computes in full precision even where less is faster."""
        super().__init__(card, digest)
        lowers = isinstance(model, TransformerDrawer) and not full
        self._halves = lowers and has_fast_bfloat16(self._where)
        if isinstance(model, TransformerDrawer) and lowers:
            if self._halves:
                model.to_half_precision()
            elif has_fast_int8(self._where):
                model.to_byte_weights()
        self._model = model.to(self._where).eval()
        self._readings = ReadingCache(model) if isinstance(model, TransformerDrawer) else None
        self._together = BatchedInference(self._draw_batch, model.batch)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.asked:
            self._forget_dialog(view)
            return Reply(moves=(Agree(),))
        if ask.complaint is not None or not view.talk or view.talk[-1].seat != TELLER:
            return Reply(moves=(Say(OK),))
        return await self._together.request_answer(view)

    def _dialog_words(self, view: DrawerView) -> tuple[int, ...]:
        """Return the words of the whole dialog, or of its last message."""
        said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
        if self._readings is None:
            return tuple(self.words.encode_message(said[-1]))
        return (START, *(word for text in said for word in self.words.encode_message(text)))

    def _forget_dialog(self, view: DrawerView) -> None:
        if self._readings is not None:
            self._readings.forget_dialog(self._dialog_words(view))

    @torch.inference_mode()
    def _draw_batch(self, views: Sequence[DrawerView]) -> list[Reply]:
        with set_onednn(self._halves):
            return self._reply_batch(views)

    def _reply_batch(self, views: Sequence[DrawerView]) -> list[Reply]:
        words, allowed = [self._dialog_words(view) for view in views], self._allowed_kinds(views)
        if self._readings is None:
            drawn = self._model.draw_canvas(
                pad_generated_rows(words, self._where), self._pack_canvases(views), allowed
            )
        else:
            drawn = choose_scenes(*self._readings.guess_scenes(words).only_allowed(allowed))
        scenes = unpack_scene_batch(drawn.cpu().numpy())
        return [
            Reply(moves=(*find_scene_changes(view.canvas, scene), Say(OK)))
            for view, scene in zip(views, scenes, strict=True)
        ]

    def _pack_canvases(self, views: Sequence[DrawerView]) -> torch.Tensor:
        return torch.from_numpy(pack_scene_batch(view.canvas for view in views)).to(self._where)

    def _allowed_kinds(self, views: Sequence[DrawerView]) -> torch.Tensor:
        return torch.stack([_palette_mask(view.palette) for view in views]).to(self._where)


@cache
def _palette_mask(palette: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([kind in palette for kind in KINDS])


class WeightsTeller(TrainedPlayer):
    """Says the likeliest words about each scene, message by message, and finishes. It answers questions and,
    if it peeks, corrects the drawing as `template` does."""

    role = TELLER

    def __init__(
        self,
        model: Teller,
        card: ModelCard,
        digest: str,
        manner: PeekPolicy = PeekPolicy(peek=NEVER),  # noqa: B008
    ) -> None:
        super().__init__(card, digest)
        self.manner = manner
        if manner.peek != NEVER:
            self.name += " peeking"
        self._model = model.to(self._where).eval()
        self._thinking = MessagePlanner(self._model, self.words, self._where)
        self._together = BatchedInference(self._thinking.plan_messages, model.batch)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, TellerView)
        if ask.complaint is not None:
            return Reply(moves=(Finish(),) if view.canvas is None else (Close(), Finish()))
        topic = SceneRequest(view.target, view.cap)
        next_one = 1 + sum(spoken.seat == TELLER for spoken in view.talk)
        plan = self._thinking.known_messages(topic, next_one)
        if plan is None:
            plan = await self._together.request_answer((topic, next_one))
        return Reply(
            moves=choose_template_moves(
                ask, SceneDescriber(view.target, Random(ask.episode)), plan, self.manner
            )
        )
