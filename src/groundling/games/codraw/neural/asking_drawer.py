"""A Drawer that asks questions: where it is uncertain about a piece, it asks instead of saying ok."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from msgspec.structs import replace
from torch import Tensor

from groundling.boards.scene import INDEX, KINDS, SIZES, find_scene_changes
from groundling.boards.scene.batches import LOOK, unpack_scene_batch
from groundling.core.player import Ask, Reply
from groundling.core.values import Say
from groundling.games.codraw.instance import DRAWER
from groundling.games.codraw.moves import Agree
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.reading_cache import ReadingCache
from groundling.games.codraw.neural.scene_choice import choose_scenes
from groundling.games.codraw.neural.trained_players import WeightsDrawer
from groundling.games.codraw.neural.transformer import SceneGuess, TransformerDrawer
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.players.questions import (
    ABSENT,
    TOPICS,
    AskingSettings,
    PieceQuestion,
    asked_teller_finished,
    parse_own_question,
    parse_question_answer,
    question_side_range,
)
from groundling.games.codraw.players.questions import word_question as worded
from groundling.games.codraw.players.template.piece_words import WITH_FRONT, is_piece_flipped
from groundling.games.codraw.rules import OK, DrawerView, SpokenMessage
from groundling.train.weights import ModelCard

PIECE_POINTS = 4.0
"""Points that a piece is worth, less the usual loss by its looks."""
MIN_DRAWN_LIKELIHOOD = 0.5
"""A kind is asked about only if people would have drawn it by now with at least this likelihood. Earlier
questions are in vain, because the Teller has not mentioned the piece yet."""


class QuestionAnswer(NamedTuple):
    question: PieceQuestion
    answer: str


def collect_asked_answers(talk: Sequence[SpokenMessage]) -> list[QuestionAnswer]:
    """Collect the Drawer's questions and their answers, unless a later message mentions the piece."""
    found: list[QuestionAnswer] = []
    asked: PieceQuestion | None = None
    for spoken in talk:
        if spoken.seat == DRAWER:
            asked = parse_own_question(spoken.text)
        elif asked is not None and (answer := parse_question_answer(asked, spoken.text)):
            found.append(QuestionAnswer(asked, answer))
        else:
            _, named = find_mentions(tokenize_message(spoken.text))
            kinds = {kind for mention in named for kind in mention.kinds}
            found = [known for known in found if known.question.kind not in kinds]
    return found


def apply_asked_answer(guess: SceneGuess, row: int, known: QuestionAnswer) -> None:
    """Overwrite one row of the guess, in place, with what was answered."""
    question, answer = known
    kind = INDEX[question.kind]
    guess.target[row, kind] = 0.0 if answer == ABSENT else 1.0
    if answer == ABSENT:
        return
    match question.topic:
        case "side":
            guess.xy[row, kind, 0].clamp_(*question_side_range(answer))
        case "size":
            guess.size[row, kind] = 0.0
            guess.size[row, kind, SIZES.index(answer)] = 1.0
        case "way":
            guess.flip[row, kind] = 0.0
            guess.flip[row, kind, int(is_piece_flipped(question.kind, answer))] = 1.0
        case "there":
            pass


def asking_drawer_gains(guess: SceneGuess, apart: Tensor, drawn: Tensor) -> Tensor:
    """Estimate what the answer to each question would gain, in points of one piece, per scene, topic and
    kind. `apart` is the horizontal distance between the guesses from the dialog and from its mirror image.
    `drawn` tells which kinds would be drawn."""
    there = PIECE_POINTS * torch.minimum(guess.target, 1 - guess.target)
    front = torch.tensor([kind in WITH_FRONT for kind in KINDS], device=drawn.device)
    size, way = 1 - guess.size.amax(-1), 1 - guess.flip.amax(-1)
    return torch.stack([there, apart / 2 * drawn, size * drawn, way * drawn * front], dim=1)


class AskingDrawer(WeightsDrawer):
    """Draws like `WeightsDrawer`, and asks the question with the largest expected gain."""

    def __init__(
        self, model: Drawer, card: ModelCard, digest: str, asking: AskingSettings, *, full: bool = False
    ) -> None:
        super().__init__(model, card, digest, full=full)
        assert isinstance(model, TransformerDrawer)
        self._in_mirror = ReadingCache(model, mirror=True)
        """Reads the mirrored dialog: the Drawer is uncertain where the two guesses differ."""
        self.asking = asking
        self.name += f" asking {asking.written_topics}"
        self.info = replace(self.info, facts={**self.info.facts, "asks": asking.written_topics})

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.silent or ask.complaint is not None or not view.asked:
            return await super().act(ask)
        return await self._together.request_answer(view)

    def _forget_dialog(self, view: DrawerView) -> None:
        super()._forget_dialog(view)
        self._in_mirror.forget_dialog(self._dialog_words(view))

    def _reply_batch(self, views: Sequence[DrawerView]) -> list[Reply]:
        assert self._readings is not None
        words = [self._dialog_words(view) for view in views]
        guess = self._readings.guess_scenes(words)
        other = self._in_mirror.guess_scenes(words)
        apart = (guess.xy[..., 0] - other.xy[..., 0]).abs()
        guess = guess.only_allowed(self._allowed_kinds(views))
        if self.asking.trusting:
            for row, view in enumerate(views):
                for known in collect_asked_answers(view.talk):
                    apply_asked_answer(guess, row, known)
        packed = choose_scenes(*guess)
        gains = asking_drawer_gains(guess, apart, packed[:, LOOK] >= 0).cpu()
        told = (guess.drawn > MIN_DRAWN_LIKELIHOOD).cpu()
        replies = []
        for row, (view, scene) in enumerate(
            zip(views, unpack_scene_batch(packed.cpu().numpy()), strict=True)
        ):
            question = self._best_question(
                view, gains[row] if asked_teller_finished(view) else gains[row] * told[row]
            )
            last = Say(question) if question else Agree() if view.asked else Say(OK)
            if isinstance(last, Agree):
                self._forget_dialog(view)
            replies.append(Reply(moves=(*find_scene_changes(view.canvas, scene), last)))
        return replies

    def _best_question(self, view: DrawerView, gains: Tensor) -> str:
        """Word the question with the largest gain that is worth asking and was not asked yet."""
        asked = [found for spoken in view.talk if (found := parse_own_question(spoken.text))]
        if (
            view.silent
            or len(asked) >= self.asking.most
            or (self.asking.late and not asked_teller_finished(view))
        ):
            return ""
        worth = torch.tensor(self.asking.worth)[:, None]
        best: tuple[float, str] = (0.0, "")
        for topic, kind in (gains >= worth).nonzero().tolist():
            question = PieceQuestion(TOPICS[topic], KINDS[kind])
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
