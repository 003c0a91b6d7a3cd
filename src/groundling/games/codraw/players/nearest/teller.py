"""Two Tellers that repeat what people said about something similar."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

import numpy as np

from groundling.boards.scene import KINDS, Piece, Scene
from groundling.boards.scene.batches import pack_scene_batch
from groundling.core.player import Ask, PlayerInfo, Reply
from groundling.core.values import Say
from groundling.games.codraw.batch_similarity import batch_similarity_to_each
from groundling.games.codraw.instance import TELLER
from groundling.games.codraw.moves import Finish
from groundling.games.codraw.players.nearest.memory import NearestMemory
from groundling.games.codraw.rules import TellerView

CACHED_SCENES = 1 << 14
"""The number of scenes whose messages are cached for the next turn."""


class _RecallingTeller(ABC):
    """Says the recalled messages of a scene, one a turn, whatever the Drawer answers."""

    def __init__(self, name: str, memory: NearestMemory, digest: str) -> None:
        self.name = f"{name} {memory.half}"
        self.info = PlayerInfo(facts=memory.identity_facts(digest), learned_from=frozenset(memory.ids))
        self._known = lru_cache(CACHED_SCENES)(self.recall_messages)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, TellerView)
        told = sum(spoken.seat == TELLER for spoken in view.talk)
        messages = self._known(view.target, view.cap)
        return Reply(moves=(Say(messages[told]) if told < len(messages) else Finish(),))

    @abstractmethod
    def recall_messages(self, target: Scene, cap: int) -> tuple[str, ...]:
        """Return the messages about a scene, none longer than `cap` characters (0: any length)."""


class NearestSceneTeller(_RecallingTeller):
    """Recites the messages about the most similar scene, among those whose messages are all short enough."""

    def __init__(self, memory: NearestMemory, digest: str) -> None:
        super().__init__("nearest-scene", memory, digest)
        self._scripts = memory.scripts
        self._longest = np.array([max(map(len, script), default=0) for script in memory.scripts])
        self._scenes = pack_scene_batch(
            Scene(tuple(map(Piece.from_placed, pieces))) for pieces in memory.scenes
        )

    def recall_messages(self, target: Scene, cap: int) -> tuple[str, ...]:
        likeness = batch_similarity_to_each(target, self._scenes)
        fits = (self._longest > 0) & ((self._longest <= cap) | (cap == 0))
        return self._scripts[int(np.where(fits, likeness, -1).argmax())] if fits.any() else ()


class NearestPieceTeller(_RecallingTeller):
    """Goes through the pieces in the order of KINDS (sky, large things, people, small things) and says
    what was said before the most similar piece was added. It skips kinds that were never added alone."""

    def __init__(self, memory: NearestMemory, digest: str) -> None:
        super().__init__("nearest", memory, digest)
        rounds: dict[str, list[tuple[str, Scene]]] = {}
        for placed, message in zip(memory.pieces, memory.messages, strict=True):
            rounds.setdefault(KINDS[placed.kind], []).append((message, Scene((Piece.from_placed(placed),))))
        self._messages = {kind: [message for message, _ in told] for kind, told in rounds.items()}
        self._lengths = {
            kind: np.array([len(message) for message, _ in told]) for kind, told in rounds.items()
        }
        self._pieces = {kind: pack_scene_batch(scene for _, scene in told) for kind, told in rounds.items()}

    def recall_messages(self, target: Scene, cap: int) -> tuple[str, ...]:
        found = (self.recall_message(piece, cap) for piece in target.pieces)
        return tuple(message for message in found if message is not None)

    def recall_message(self, piece: Piece, cap: int) -> str | None:
        if piece.kind not in self._messages:
            return None
        fits = (self._lengths[piece.kind] <= cap) | (cap == 0)
        if not fits.any():
            return None
        likeness = batch_similarity_to_each(Scene((piece,)), self._pieces[piece.kind])
        return self._messages[piece.kind][int(np.where(fits, likeness, -1).argmax())]
