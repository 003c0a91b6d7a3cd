"""What a Drawer has in mind of a scene: what was said of every piece, and the scene that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from .....boards.scene import KINDS, PEOPLE, Piece, Scene
from . import decide, steps
from .layout import place
from .nouns import family_name
from .phrases import read, within
from .reader import Fact, Memory, facts

_STEPS = ("bigger", "smaller", "flip", "otherway", "swap")
SHIFT = 1.0


class Draft(Struct):
    kind: str
    facts: list[tuple[int, Fact]]

    def said(self, *rules: str) -> list[Fact]:
        return [fact for _, fact in self.facts if fact.rule in rules]


class Sketch:
    def __init__(self, palette: Sequence[str] = KINDS) -> None:
        self.palette = frozenset(palette)
        self.memory = Memory([], [], {})
        self.drafts: dict[str, Draft] = {}
        self.messages = 0
        self.unsure: list[str] = []
        """Kinds that the last message only gave a general word for."""

    def hear(self, message: str) -> None:
        self.messages += 1
        known = set(self.memory.guesses)
        before: Scene | None = None
        for fact in facts(self.memory, within(read(message), self.palette)):
            if fact.rule == "denied":
                continue
            if fact.rule == "renamed":
                self.rename(fact.kind, fact.said["to"])
                continue
            if fact.rule == "remove":
                self.drafts.pop(fact.kind, None)
                continue
            if fact.rule in _STEPS:
                before = before or self.scene()
                self.step(fact, before)
                continue
            self.note(fact)

        self.unsure = [guess for guess in self.memory.guesses if guess not in known and guess in self.drafts]

    def question(self) -> str:
        """About a word of the last message that may mean several kinds; nothing, where all is clear."""
        return f"Which {family_name(self.memory.guesses[self.unsure[0]])} is it?" if self.unsure else ""

    def asked(self, text: str) -> None:
        """That question, if it was asked, so that what comes next is understood as the answer."""
        self.memory.asked = self.unsure[0] if text and text == self.question() else ""

    def rename(self, old: str, new: str) -> None:
        """It was not what it was taken for."""
        draft = self.drafts.pop(old, None)
        if draft is not None:
            mine = self.drafts.setdefault(new, Draft(new, []))
            mine.facts[:0] = [(number, replace(fact, kind=new)) for number, fact in draft.facts]
        for other in self.drafts.values():
            other.facts = [
                (number, replace(fact, anchors=tuple(new if kind == old else kind for kind in fact.anchors)) if old in fact.anchors else fact)
                for number, fact in other.facts
            ]

    def note(self, fact: Fact) -> None:
        if fact.kind not in self.palette or not self.palette.issuperset(fact.anchors):
            return
        draft = self.drafts.setdefault(fact.kind, Draft(fact.kind, []))
        draft.facts.append((self.messages, fact))
        for kind in fact.anchors:
            self.drafts.setdefault(kind, Draft(kind, []))

    def step(self, fact: Fact, before: Scene) -> None:
        """A correction, as what it makes of the piece."""
        old = before.get(fact.kind)
        if old is None:
            return
        match fact.rule:
            case "bigger" | "smaller":
                by = int(float(fact.said.get("steps", "1").replace("two", "2"))) * (-1 if fact.rule == "bigger" else 1)
                self.note(Fact(fact.kind, "resized", {"to": min(2, max(0, old.size + by))}))
            case "flip" | "otherway":
                self.note(Fact(fact.kind, "turned", {"flip": not old.flip}))
            case "swap":
                other = before.get(fact.anchors[0])
                if other is not None:
                    self.note(Fact(old.kind, "put", {"x": other.x, "y": other.y}))
                    self.note(Fact(other.kind, "put", {"x": old.x, "y": old.y}))

    def scene(self) -> Scene:
        said: dict[str, Sequence[Fact]] = {kind: [fact for _, fact in draft.facts] for kind, draft in self.drafts.items()}
        if not said:
            return Scene()
        sizes = decide.sizes(said)
        pieces = {}
        for kind, told in said.items():
            person = kind in PEOPLE
            pose = decide.pose(told) if person else None
            pieces[kind] = Piece(kind, 0, 0, sizes[kind], False, pose, decide.expression(told) if person else None)
        at = place(pieces, said)
        flips = decide.flips(said, {kind: x for kind, (x, _) in at.items()})
        pieces = {kind: replace(piece, flip=flips[kind]) for kind, piece in pieces.items()}
        at = _shifted(place(pieces, said), said)
        return Scene.of(replace(piece, x=round(at[kind][0]), y=round(at[kind][1])) for kind, piece in pieces.items())


def _shifted(at: Mapping[str, tuple[float, float]], said: Mapping[str, Sequence[Fact]]) -> dict[str, tuple[float, float]]:
    found = dict(at)
    for kind, told in said.items():
        for fact in told:
            if fact.rule == "shift":
                across, down = steps.shift(fact)
                found[kind] = found[kind][0] + SHIFT * across, found[kind][1] + SHIFT * down
            elif fact.rule == "put":
                found[kind] = fact.said["x"], fact.said["y"]
    return found
