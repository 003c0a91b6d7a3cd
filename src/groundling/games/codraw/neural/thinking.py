"""What a Teller will say of scenes: thought as far as is asked for, of many scenes at once, and
remembered."""

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
"""Scenes of which it is known what was thought."""


class Topic(NamedTuple):
    target: Scene
    cap: int


class Plan(NamedTuple):
    messages: list[str]
    whole: bool
    """There is nothing more to say."""


class Thinking:
    def __init__(self, teller: Teller, words: Vocabulary, where: torch.device) -> None:
        self._teller, self._words, self._where = teller, words, where
        self._known: OrderedDict[Topic, Plan] = OrderedDict()
        self._convoys: dict[int, _Convoy] = {}

    def known(self, topic: Topic, many: int) -> list[str] | None:
        """So many messages, or all that there are; unless it has to be thought first."""
        plan = self._known.get(topic)
        return plan.messages if plan and (plan.whole or len(plan.messages) >= many) else None

    @torch.inference_mode()
    def think(self, asked: Sequence[tuple[Topic, int]]) -> list[list[str]]:
        """So many messages of each, at least, or all that there are."""
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
    """Scenes that are thought of together: all go on, also those of which nobody wants to know more just
    now."""

    def __init__(self, teller: Teller, manners: Manners, words: Vocabulary) -> None:
        self._telling = Telling(teller, manners)
        self._words, self._where = words, manners.length.device
        self._names: dict[Topic, int] = {}

    def go_on(self, needed: Mapping[Topic, int]) -> dict[Topic, Plan]:
        """Until so much is thought of each; and what else has come to its end."""
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
        """Of some scene more is to be thought."""
        if not self._telling.names:
            return False
        rows = self._telling.rows
        said = dict(
            zip(self._telling.names, torch.where(rows.over, ROUNDS, rows.messages).tolist(), strict=True)
        )
        return any(said.get(self._names[topic], ROUNDS) < min(many, ROUNDS) for topic, many in needed.items())
