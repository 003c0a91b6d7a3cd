"""What a Drawer has in mind of a scene: what was said of every piece, and the scene that follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from .....boards.scene import PEOPLE, Piece, Scene
from . import decide
from .layout import place
from .phrases import read
from .reader import Fact, Memory, facts


class Draft(Struct):
    kind: str
    facts: list[tuple[int, Fact]]

    def said(self, *rules: str) -> list[Fact]:
        return [fact for _, fact in self.facts if fact.rule in rules]


class Sketch:
    def __init__(self) -> None:
        self.memory = Memory([], [])
        self.drafts: dict[str, Draft] = {}
        self.messages = 0

    def hear(self, message: str) -> None:
        self.messages += 1
        for fact in facts(self.memory, read(message)):
            if fact.rule == "denied":
                continue
            draft = self.drafts.setdefault(fact.kind, Draft(fact.kind, []))
            draft.facts.append((self.messages, fact))
            for kind in fact.anchors:
                self.drafts.setdefault(kind, Draft(kind, []))

    def scene(self) -> Scene:
        said: dict[str, Sequence[Fact]] = {kind: [fact for _, fact in draft.facts] for kind, draft in self.drafts.items()}
        if not said:
            return Scene()
        sizes = decide.sizes(said)
        pieces = {}
        for kind, facts_ in said.items():
            person = kind in PEOPLE
            pose = decide.pose(facts_) if person else None
            pieces[kind] = Piece(kind, 0, 0, sizes[kind], False, pose, decide.expression(facts_) if person else None)
        at = place(pieces, said)
        for _ in range(1):
            x = {kind: spot[0] for kind, spot in at.items()}
            pieces = {kind: replace(piece, flip=decide.flip(kind, said[kind], x)) for kind, piece in pieces.items()}
            at = place(pieces, said)
        return Scene.of(replace(piece, x=round(at[kind][0]), y=round(at[kind][1])) for kind, piece in pieces.items())
