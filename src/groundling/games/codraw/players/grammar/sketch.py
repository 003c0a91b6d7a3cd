"""The working memory of a Drawer: all facts about every piece, and the scene that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from groundling.boards.scene import HEIGHT, KINDS, PEOPLE, WIDTH, Piece, Scene
from groundling.games.codraw.players.grammar import decide, steps
from groundling.games.codraw.players.grammar.facts import Fact, Memory
from groundling.games.codraw.players.grammar.layout import place
from groundling.games.codraw.players.grammar.nouns import family_name
from groundling.games.codraw.players.grammar.phrases import read, within
from groundling.games.codraw.players.grammar.reader import facts
from groundling.games.codraw.scenery.stage import extent

_STEPS = ("bigger", "smaller", "flip", "otherway", "swap")
"""Corrections that depend on the canvas before them."""


class Sketch:
    def __init__(self, palette: Sequence[str] = KINDS) -> None:
        self.palette = frozenset(palette)
        self.memory = Memory([], [], {})
        self.drafts: dict[str, list[tuple[int, Fact]]] = {}
        """By kind: all facts, each with the number of its message."""
        self.messages = 0
        self.unsure: list[str] = []
        """Kinds for which the last message had only a general word."""

    def hear(self, message: str) -> None:
        self.messages += 1
        before: Scene | None = None
        guesses = set(self.memory.guesses)
        for fact in facts(self.memory, within(read(message), self.palette)):
            match fact.rule:
                case "denied":
                    pass
                case "renamed":
                    self._rename(fact.kind, fact.said["to"])
                case "remove":
                    self.drafts.pop(fact.kind, None)
                case rule if rule in _STEPS:
                    before = before or self.scene()
                    self._step(fact, before)
                case _:
                    self._note(fact)
        self.unsure = [kind for kind in self.memory.guesses if kind not in guesses and self._ambiguous(kind)]

    def question(self) -> str:
        """Return a question about an ambiguous word of the last message; "" if there is none."""
        return f"Which {family_name(self.memory.guesses[self.unsure[0]])} is it?" if self.unsure else ""

    def _ambiguous(self, guess: str) -> bool:
        """Tell whether another kind could be meant. A "cloud" is the plain cloud unless called otherwise."""
        family = self.memory.guesses[guess]
        others = [kind for kind in family if kind not in self.drafts]
        return guess in self.drafts and bool(others) and family_name(family) != guess

    def say(self, reply: str) -> None:
        """Note the Drawer's reply: if it was the question, the next message is read as the answer."""
        self.memory.asked = self.unsure[0] if self.unsure and reply == self.question() else ""

    def scene(self) -> Scene:
        said = {kind: [fact for _, fact in told] for kind, told in self.drafts.items()}
        sizes = decide.sizes(said)
        pieces = {kind: Piece(kind, 0, 0, sizes[kind], False, *self._figure(kind)) for kind in said}
        at = place(pieces, said)
        flips = decide.flips(said, {kind: x for kind, (x, _) in at.items()})
        pieces = {kind: replace(piece, flip=flips[kind]) for kind, piece in pieces.items()}
        at = _shifted(place(pieces, said), said)
        return Scene.of(_within(piece, *at[kind]) for kind, piece in pieces.items())

    def _figure(self, kind: str) -> tuple[int | None, int | None]:
        return decide.figure(self.drafts[kind]) if kind in PEOPLE else (None, None)

    def _rename(self, old: str, new: str) -> None:
        """Move all facts to the kind that was really meant."""
        told = [(number, replace(fact, kind=new)) for number, fact in self.drafts.pop(old, [])]
        self.drafts[new] = [*told, *self.drafts.get(new, [])]
        for kind, others in self.drafts.items():
            self.drafts[kind] = [(number, _renamed(fact, old, new)) for number, fact in others]

    def _note(self, fact: Fact) -> None:
        if self.palette.issuperset((fact.kind, *fact.anchors)):
            for kind in (fact.kind, *fact.anchors):
                self.drafts.setdefault(kind, [])
            self.drafts[fact.kind].append((self.messages, fact))

    def _step(self, fact: Fact, before: Scene) -> None:
        """Apply a correction by recording its result."""
        old = before.get(fact.kind)
        if old is None:
            return
        match fact.rule:
            case "bigger" | "smaller":
                by = (2 if "steps" in fact.said else 1) * (-1 if fact.rule == "bigger" else 1)
                self._note(Fact(fact.kind, "resized", {"to": min(2, max(0, old.size + by))}))
            case "flip" | "otherway":
                self._note(Fact(fact.kind, "turned", {"flip": not old.flip}))
            case "swap" if other := before.get(fact.anchors[0]):
                self._note(Fact(old.kind, "put", {"x": other.x, "y": other.y}))
                self._note(Fact(other.kind, "put", {"x": old.x, "y": old.y}))


def _renamed(fact: Fact, old: str, new: str) -> Fact:
    if old not in fact.anchors:
        return fact
    return replace(fact, anchors=tuple(new if kind == old else kind for kind in fact.anchors))


def _shifted(
    at: Mapping[str, tuple[float, float]], said: Mapping[str, Sequence[Fact]]
) -> dict[str, tuple[float, float]]:
    """Apply all corrections of positions."""
    found = dict(at)
    for kind, told in said.items():
        for fact in told:
            if fact.rule == "shift":
                across, down = steps.shift(fact)
                found[kind] = found[kind][0] + across, found[kind][1] + down
            elif fact.rule == "put":
                found[kind] = fact.said["x"], fact.said["y"]
    return found


def _within(piece: Piece, x: float, y: float) -> Piece:
    """Place a piece, keeping some of it visible."""
    width, height = extent(piece)
    x, y = min(max(x, -width / 2), WIDTH + width / 2), min(max(y, -height / 2), HEIGHT + height / 2)
    return replace(piece, x=round(x), y=round(y))
