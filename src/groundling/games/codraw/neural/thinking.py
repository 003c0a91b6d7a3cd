"""Plans a Teller's messages for many scenes at once, as far as needed, and caches them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from groundling.boards.scene import Scene
from groundling.boards.scene.packed import pack
from groundling.games.codraw.neural.saying import FEW, ROUNDS, Manners, Telling, dialog
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.words import Vocabulary

REMEMBERED = 4096
"""The number of scenes whose messages are cached."""


class Topic(NamedTuple):
    target: Scene
    cap: int


class Plan(NamedTuple):
    messages: list[str]
    whole: bool
    """The dialog is complete."""


class Thinking:
    def __init__(self, teller: Teller, words: Vocabulary, where: torch.device) -> None:
        self._teller, self._words, self._where = teller, words, where
        self._known: OrderedDict[Topic, Plan] = OrderedDict()
        self._convoys: dict[int, _Convoy] = {}

    def known(self, topic: Topic, many: int) -> list[str] | None:
        """Return at least `many` messages, or all that there are; `None` if they are not planned yet."""
        plan = self._known.get(topic)
        return plan.messages if plan and (plan.whole or len(plan.messages) >= many) else None

    @torch.inference_mode()
    def think(self, asked: Sequence[tuple[Topic, int]]) -> list[list[str]]:
        """Plan at least the wanted number of messages for each scene, or all that there are."""
        needed: dict[Topic, int] = {}
        for topic, many in asked:
            if self.known(topic, many) is None:
                needed[topic] = max(many, needed.get(topic, 0))
        found: dict[Topic, Plan] = {}
        for cap in {topic.cap for topic in needed}:
            if cap not in self._convoys:
                self._convoys[cap] = _Convoy(
                    self._teller, Manners(self._words, self._where, cap), self._words
                )
            found |= self._convoys[cap].go_on(
                {topic: many for topic, many in needed.items() if topic.cap == cap}
            )
        self._known |= found
        answers = [self._known[topic].messages for topic, _ in asked]
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return answers


class _Convoy:
    """Scenes that are planned in one batch. All of them advance, also those that no game waits for."""

    def __init__(self, teller: Teller, manners: Manners, words: Vocabulary) -> None:
        self._telling = Telling(teller, manners)
        self._words, self._where = words, manners.length.device
        self._names: dict[Topic, int] = {}

    def go_on(self, needed: Mapping[Topic, int]) -> dict[Topic, Plan]:
        """Generate until each scene has the needed messages; return these plans and all finished ones."""
        new = [topic for topic in needed if topic not in self._names]
        if new:
            targets = torch.from_numpy(pack(topic.target for topic in new)).to(self._where)
            self._names |= zip(new, self._telling.join(targets), strict=True)
        gone: dict[int, Tensor] = {}
        while self._short(needed):
            self._telling.go_on()
            gone |= self._telling.leave(FEW)
        found = {}
        for topic, name in list(self._names.items()):
            if name in gone:
                found[topic] = Plan(dialog(gone[name].tolist(), self._words), whole=True)
                del self._names[topic]
            elif topic in needed:
                row = self._telling.names.index(name)
                said, over = self._telling.rows.words[row], self._telling.rows.over[row]
                found[topic] = Plan(dialog(said.tolist(), self._words), whole=bool(over))
        return found

    def _short(self, needed: Mapping[Topic, int]) -> bool:
        """Check whether some scene needs more messages."""
        if not self._telling.names:
            return False
        rows = self._telling.rows
        said = dict(
            zip(self._telling.names, torch.where(rows.over, ROUNDS, rows.messages).tolist(), strict=True)
        )
        return any(said.get(self._names[topic], ROUNDS) < min(many, ROUNDS) for topic, many in needed.items())
