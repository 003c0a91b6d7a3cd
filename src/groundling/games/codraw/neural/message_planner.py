"""Plans a Teller's messages for many scenes at once, as far as needed, and caches them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from groundling.boards.scene import Scene
from groundling.boards.scene.batches import pack_scene_batch
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.teller_generation import (
    FEW_FINISHED,
    ROUNDS,
    DialogGenerator,
    WordConstraints,
    decode_generated_messages,
)
from groundling.games.codraw.neural.vocabulary import Vocabulary

REMEMBERED = 4096
"""The number of scenes whose messages are cached."""


class SceneRequest(NamedTuple):
    target: Scene
    cap: int


class MessagePlan(NamedTuple):
    messages: list[str]
    whole: bool
    """The dialog is complete."""


class MessagePlanner:
    def __init__(self, teller: Teller, words: Vocabulary, where: torch.device) -> None:
        self._teller, self._words, self._where = teller, words, where
        self._known: OrderedDict[SceneRequest, MessagePlan] = OrderedDict()
        self._convoys: dict[int, _SceneBatch] = {}

    def known_messages(self, topic: SceneRequest, many: int) -> list[str] | None:
        """Return at least `many` messages, or all that there are; `None` if they are not planned yet."""
        plan = self._known.get(topic)
        return plan.messages if plan and (plan.whole or len(plan.messages) >= many) else None

    @torch.inference_mode()
    def plan_messages(self, asked: Sequence[tuple[SceneRequest, int]]) -> list[list[str]]:
        """Plan at least the wanted number of messages for each scene, or all that there are."""
        needed: dict[SceneRequest, int] = {}
        for topic, many in asked:
            if self.known_messages(topic, many) is None:
                needed[topic] = max(many, needed.get(topic, 0))
        found: dict[SceneRequest, MessagePlan] = {}
        for cap in {topic.cap for topic in needed}:
            if cap not in self._convoys:
                self._convoys[cap] = _SceneBatch(
                    self._teller, WordConstraints(self._words, self._where, cap), self._words
                )
            found |= self._convoys[cap].extend_plans(
                {topic: many for topic, many in needed.items() if topic.cap == cap}
            )
        self._known |= found
        answers = [self._known[topic].messages for topic, _ in asked]
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return answers


class _SceneBatch:
    """Scenes that are planned in one batch. All of them advance, also those that no game waits for."""

    def __init__(self, teller: Teller, manners: WordConstraints, words: Vocabulary) -> None:
        self._telling = DialogGenerator(teller, manners)
        self._words, self._where = words, manners.length.device
        self._names: dict[SceneRequest, int] = {}

    def extend_plans(self, needed: Mapping[SceneRequest, int]) -> dict[SceneRequest, MessagePlan]:
        """Generate until each scene has the needed messages; return these plans and all finished ones."""
        new = [topic for topic in needed if topic not in self._names]
        if new:
            targets = torch.from_numpy(pack_scene_batch(topic.target for topic in new)).to(self._where)
            self._names |= zip(new, self._telling.add_scenes(targets), strict=True)
        gone: dict[int, Tensor] = {}
        while self._needs_more(needed):
            self._telling.generate_words()
            gone |= self._telling.pop_finished(FEW_FINISHED)
        found = {}
        for topic, name in list(self._names.items()):
            if name in gone:
                found[topic] = MessagePlan(
                    decode_generated_messages(gone[name].tolist(), self._words), whole=True
                )
                del self._names[topic]
            elif topic in needed:
                row = self._telling.names.index(name)
                said, over = self._telling.dialog_rows.words[row], self._telling.dialog_rows.over[row]
                found[topic] = MessagePlan(
                    decode_generated_messages(said.tolist(), self._words), whole=bool(over)
                )
        return found

    def _needs_more(self, needed: Mapping[SceneRequest, int]) -> bool:
        """Check whether some scene needs more messages."""
        if not self._telling.names:
            return False
        rows = self._telling.dialog_rows
        said = dict(
            zip(self._telling.names, torch.where(rows.over, ROUNDS, rows.messages).tolist(), strict=True)
        )
        return any(said.get(self._names[topic], ROUNDS) < min(many, ROUNDS) for topic, many in needed.items())
