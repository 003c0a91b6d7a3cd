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
from groundling.boards.scene.packed import ABSENT, LOOK, Batch, pack, unpack
from groundling.games.codraw.neural.building import load_drawer, load_teller
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.saying import CAP, Manners, messages, tell
from groundling.games.codraw.neural.table.cast import Weights
from groundling.games.codraw.neural.words import PAD, START, Vocabulary
from groundling.games.codraw.park import DRAWER, TELLER
from groundling.games.codraw.players.grammar.drawer import heard as grammar_heard
from groundling.games.codraw.players.nearest.drawer import NearestDrawer
from groundling.games.codraw.players.nearest.memory import Memory
from groundling.games.codraw.players.nearest.teller import PieceTeller
from groundling.games.codraw.players.template.plan import messages as template_messages
from groundling.games.codraw.players.template.sentences import Words
from groundling.games.codraw.rules import OK, Spoken
from groundling.train.gpus import device, onednn

Script: TypeAlias = list[list[str]]
"""The messages of each game."""
TOGETHER = 128
"""Scenes per batch of a Teller."""
HEARD = 2048
"""Words per batch of a Drawer: more are no faster on a CPU, and need more memory."""


class Player(ABC):
    label: str
    half: str = ""
    seed: int = 0
    seeded: bool = False
    """It was trained, so others may differ only by seed."""
    key: str
    """A key that is equal for players that play the same, given the same code."""
    seen: frozenset[str] = frozenset()
    """The dialogs that it learned from."""


class Voice(Player):
    @abstractmethod
    def say(self, targets: Batch) -> Script:
        """Describe packed scenes."""


class Hand(Player):
    @abstractmethod
    def draw(self, script: Script) -> Batch:
        """Return the canvas at the end of each game."""


class _Trained(Player):
    seeded = True

    def __init__(self, weights: Weights) -> None:
        self.weights, self.label, self.half, self.seed = weights, weights.label, weights.half, weights.seed
        self.key, self.seen = weights.digest, frozenset(weights.card.seen)


class WeightsVoice(_Trained, Voice):
    @torch.no_grad()
    def say(self, targets: Batch) -> Script:
        teller, card, _ = load_teller(self.weights.folder)
        where, words = device(), Vocabulary(card.words, card.blind)
        teller.to(where).eval()
        manners = Manners(words, where, CAP)
        found: Script = []
        for start in range(0, len(targets), TOGETHER):
            some = torch.from_numpy(targets[start : start + TOGETHER]).to(where)
            found += messages(tell(teller, some, manners), words)
        return found


class WeightsHand(_Trained, Hand):
    def draw(self, script: Script) -> Batch:
        drawer, card, _ = load_drawer(self.weights.folder)
        return drawn(drawer.to(device()).eval(), Vocabulary(card.words, card.blind), script)


@torch.no_grad()
def drawn(drawer: Drawer, words: Vocabulary, script: Script) -> Batch:
    """Draw message by message. A Drawer that reads the whole dialog and does not see its canvas draws only
    once."""
    where = device()
    canvas = torch.zeros(len(script), 3, len(KINDS), dtype=torch.int16, device=where)
    canvas[:, LOOK] = ABSENT
    numbers = [[words.message(text) for text in texts] for texts in script]
    once = drawer.whole and not drawer.looks
    for place in [-1] if once else range(max(map(len, numbers), default=0)):
        last = place if place >= 0 else None
        rows = [row for row, said in enumerate(numbers) if len(said) > max(place, 0)]
        heard = [_heard(drawer, numbers[row][: None if last is None else last + 1]) for row in rows]
        for some in _batches([len(row) for row in heard]):
            batch = pad_sequence(
                [torch.tensor(heard[one]) for one in some], batch_first=True, padding_value=PAD
            ).to(where)
            now = torch.tensor([rows[one] for one in some], device=where)
            with onednn(drawer.whole):
                canvas[now] = drawer.draw(batch, canvas[now])
    found: Batch = canvas.cpu().numpy()
    return found


def _heard(drawer: Drawer, said: Sequence[Sequence[int]]) -> list[int]:
    if not drawer.whole:
        return list(said[-1])
    return [START, *(word for message in said for word in message)][-drawer.longest :]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group rows of similar length, so that there is little padding."""
    some: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if some and (len(some) + 1) * lengths[some[0]] > HEARD:
            yield some
            some = []
        some.append(row)
    if some:
        yield some


class _Nearest(Player):
    """The paper's rule-based players."""

    def __init__(self, memory: Memory, halves: str) -> None:
        self.label, self.half, self.key = (
            "nearest",
            memory.half,
            f"nearest {halves} {memory.half} {memory.data}",
        )
        self.seen = frozenset(memory.ids)
        self._given = memory, halves

    def __reduce__(self) -> tuple[type[Player], tuple[Memory, str]]:
        """Leave caches behind when pickled for another process."""
        return type(self), self._given


class NearestVoice(_Nearest, Voice):
    def __init__(self, memory: Memory, halves: str) -> None:
        super().__init__(memory, halves)
        self._teller = PieceTeller(memory, "")

    def say(self, targets: Batch) -> Script:
        return [list(self._teller.messages(scene, CAP)) for scene in unpack(targets)]


class NearestHand(_Nearest, Hand):
    def __init__(self, memory: Memory, halves: str) -> None:
        super().__init__(memory, halves)
        self._piece = cache(partial(NearestDrawer(memory, "").piece, palette=KINDS))

    def draw(self, script: Script) -> Batch:
        scenes = []
        for texts in script:
            canvas = Scene()
            for text in texts:
                piece = self._piece(text)
                canvas = canvas.put(piece) if piece else canvas
            scenes.append(canvas)
        return pack(scenes)


class GrammarHand(Hand):
    label = key = "grammar"

    def draw(self, script: Script) -> Batch:
        return pack(
            grammar_heard(list(_talk(texts)), KINDS).scene() if texts else Scene() for texts in script
        )


def _talk(texts: Sequence[str]) -> Iterator[Spoken]:
    for text in texts:
        yield Spoken(TELLER, text)
        yield Spoken(DRAWER, OK)


class TemplateVoice(Voice):
    """Describes scenes as the Teller `template` does, with random wordings."""

    label = key = "template"

    def say(self, targets: Batch) -> Script:
        return [
            template_messages(Words(scene, Random(number)), CAP)
            for number, scene in enumerate(unpack(targets))
        ]
