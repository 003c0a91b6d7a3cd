"""Players that play many games at once: a Teller says all of its messages before anything is drawn. They do
the same as the players of the same names in a game with `--silent --peeks 0`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import TypeAlias

import torch
from torch.nn.utils.rnn import pad_sequence

from groundling.boards.scene import KINDS, Scene
from groundling.boards.scene.batches import ABSENT, LOOK, Batch, pack_scenes, unpack_scenes
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.evaluation.weights_folders import WeightsFolder
from groundling.games.codraw.neural.model_factory import load_drawer, load_teller
from groundling.games.codraw.neural.teller_generation import (
    CAP,
    WordConstraints,
    decode_dialogs,
    generate_dialogs,
)
from groundling.games.codraw.neural.vocabulary import PAD, START, Vocabulary
from groundling.games.codraw.players.grammar.drawer import sketch_talk as grammar_heard
from groundling.games.codraw.players.nearest.drawer import NearestDrawer
from groundling.games.codraw.players.nearest.memory import NearestMemory
from groundling.games.codraw.players.nearest.teller import PieceTeller
from groundling.games.codraw.players.template.message_plan import message_texts as template_messages
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import OK, SpokenMessage
from groundling.train.devices import select_device, set_onednn

Script: TypeAlias = list[list[str]]
"""The messages of each game."""
SCENES_AT_ONCE = 128
"""Scenes per batch of a Teller."""
WORDS_AT_ONCE = 2048
"""Words per batch of a Drawer: more are no faster on a CPU, and need more memory."""


class BatchPlayer(ABC):
    label: str
    half: str = ""
    seed: int = 0
    seeded: bool = False
    """It was trained, so others may differ only by seed."""
    key: str
    """A key that is equal for players that play the same, given the same code."""
    seen: frozenset[str] = frozenset()
    """The dialogs that it learned from."""


class BatchTeller(BatchPlayer):
    @abstractmethod
    def describe_scenes(self, targets: Batch) -> Script:
        """Describe packed scenes."""


class BatchDrawer(BatchPlayer):
    @abstractmethod
    def draw_script(self, script: Script) -> Batch:
        """Return the canvas at the end of each game."""


class _TrainedBatchPlayer(BatchPlayer):
    seeded = True

    def __init__(self, weights: WeightsFolder) -> None:
        self.weights, self.label, self.half, self.seed = weights, weights.label, weights.half, weights.seed
        self.key, self.seen = weights.digest, frozenset(weights.card.seen)


class WeightsBatchTeller(_TrainedBatchPlayer, BatchTeller):
    @torch.no_grad()
    def describe_scenes(self, targets: Batch) -> Script:
        teller, card, _ = load_teller(self.weights.folder)
        where, words = select_device(), Vocabulary(card.words, card.blind)
        teller.to(where).eval()
        manners = WordConstraints(words, where, CAP)
        found: Script = []
        for start in range(0, len(targets), SCENES_AT_ONCE):
            some = torch.from_numpy(targets[start : start + SCENES_AT_ONCE]).to(where)
            found += decode_dialogs(generate_dialogs(teller, some, manners), words)
        return found


class WeightsBatchDrawer(_TrainedBatchPlayer, BatchDrawer):
    def draw_script(self, script: Script) -> Batch:
        drawer, card, _ = load_drawer(self.weights.folder)
        return draw_dialogs(drawer.to(select_device()).eval(), Vocabulary(card.words, card.blind), script)


@torch.no_grad()
def draw_dialogs(drawer: Drawer, words: Vocabulary, script: Script) -> Batch:
    """Draw message by message. A Drawer that reads the whole dialog and does not see its canvas draws only
    once."""
    where = select_device()
    canvas = torch.zeros(len(script), 3, len(KINDS), dtype=torch.int16, device=where)
    canvas[:, LOOK] = ABSENT
    numbers = [[words.encode_message(text) for text in texts] for texts in script]
    once = drawer.whole and not drawer.looks
    for place in [-1] if once else range(max(map(len, numbers), default=0)):
        last = place if place >= 0 else None
        rows = [row for row, said in enumerate(numbers) if len(said) > max(place, 0)]
        heard = [_heard_words(drawer, numbers[row][: None if last is None else last + 1]) for row in rows]
        for some in _length_batches([len(row) for row in heard]):
            batch = pad_sequence(
                [torch.tensor(heard[one]) for one in some], batch_first=True, padding_value=PAD
            ).to(where)
            now = torch.tensor([rows[one] for one in some], device=where)
            with set_onednn(drawer.whole):
                canvas[now] = drawer.draw_canvas(batch, canvas[now])
    found: Batch = canvas.cpu().numpy()
    return found


def _heard_words(drawer: Drawer, said: Sequence[Sequence[int]]) -> list[int]:
    if not drawer.whole:
        return list(said[-1])
    return [START, *(word for message in said for word in message)][-drawer.longest :]


def _length_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group rows of similar length, so that there is little padding."""
    some: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if some and (len(some) + 1) * lengths[some[0]] > WORDS_AT_ONCE:
            yield some
            some = []
        some.append(row)
    if some:
        yield some


class _NearestBatchPlayer(BatchPlayer):
    """The paper's rule-based players."""

    def __init__(self, memory: NearestMemory, halves: str) -> None:
        self.label, self.half, self.key = (
            "nearest",
            memory.half,
            f"nearest {halves} {memory.half} {memory.data}",
        )
        self.seen = frozenset(memory.ids)
        self._given = memory, halves

    def __reduce__(self) -> tuple[type[BatchPlayer], tuple[NearestMemory, str]]:
        """Leave caches behind when pickled for another process."""
        return type(self), self._given


class NearestBatchTeller(_NearestBatchPlayer, BatchTeller):
    def __init__(self, memory: NearestMemory, halves: str) -> None:
        super().__init__(memory, halves)
        self._teller = PieceTeller(memory, "")

    def describe_scenes(self, targets: Batch) -> Script:
        return [list(self._teller.recall_messages(scene, CAP)) for scene in unpack_scenes(targets)]


class NearestBatchDrawer(_NearestBatchPlayer, BatchDrawer):
    def __init__(self, memory: NearestMemory, halves: str) -> None:
        super().__init__(memory, halves)
        self._piece = cache(partial(NearestDrawer(memory, "").nearest_piece, palette=KINDS))

    def draw_script(self, script: Script) -> Batch:
        scenes = []
        for texts in script:
            canvas = Scene()
            for text in texts:
                piece = self._piece(text)
                canvas = canvas.put(piece) if piece else canvas
            scenes.append(canvas)
        return pack_scenes(scenes)


class GrammarBatchDrawer(BatchDrawer):
    label = key = "grammar"

    def draw_script(self, script: Script) -> Batch:
        return pack_scenes(
            grammar_heard(list(_make_talk(texts)), KINDS).draw_scene() if texts else Scene()
            for texts in script
        )


def _make_talk(texts: Sequence[str]) -> Iterator[SpokenMessage]:
    for text in texts:
        yield SpokenMessage(TELLER, text)
        yield SpokenMessage(DRAWER, OK)


class TemplateBatchTeller(BatchTeller):
    """Describes scenes as the Teller `template` does, with random wordings."""

    label = key = "template"

    def describe_scenes(self, targets: Batch) -> Script:
        return [
            template_messages(SceneDescriber(scene, Random(number)), CAP)
            for number, scene in enumerate(unpack_scenes(targets))
        ]
