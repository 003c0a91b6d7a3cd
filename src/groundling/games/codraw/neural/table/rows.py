"""The rows of the table: who played with whom, from which halves, and what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from groundling.boards.scene.packed import Batch
from groundling.games.codraw.neural.table.cast import OTHER, Weights, best_label
from groundling.games.codraw.neural.table.players import (
    GrammarHand,
    Hand,
    NearestHand,
    NearestVoice,
    Script,
    Voice,
    WeightsHand,
    WeightsVoice,
)
from groundling.games.codraw.neural.table.stage import Stage
from groundling.games.codraw.park import DRAWER

PEOPLE = "people"
NEURAL = "BiLSTM"
"""The paper's own neural Drawer."""
SCRIPT, UNAIDED, MACHINES, HUMANS, CODEBOOK = (
    "people's words",
    "people's words before the peek",
    "machines, crosstalk",
    "people",
    "one half for both: a codebook can pass for communication",
)
PAPER = {
    (SCRIPT, PEOPLE, "nearest"): 0.96,
    (SCRIPT, PEOPLE, NEURAL): 3.34,
    (SCRIPT, PEOPLE, PEOPLE): 3.83,
    (MACHINES, "nearest", NEURAL): 3.08,
    (MACHINES, "scene2seq", NEURAL): 2.66,
    (MACHINES, "scene2seq + aux", NEURAL): 3.02,
    (MACHINES, "scene2seq + aux + RL", NEURAL): 3.66,
    (HUMANS, PEOPLE, PEOPLE): 4.17,
}
"""The paper's scores, all on test."""


class Game(Struct, frozen=True):
    """All scenes, played once by one pair."""

    half: str
    """The half that the Drawer learned from; empty if it was not trained."""
    seed: int
    """The Teller's seed if it was trained, otherwise the Drawer's."""
    drawn: Batch


class Row(Struct, frozen=True):
    part: str
    teller: str
    drawer: str
    games: tuple[Game, ...]

    @property
    def paper(self) -> float | None:
        teller, drawer = (label.partition(" (")[0] for label in (self.teller, self.drawer))
        return PAPER.get((self.part, teller, drawer))


class Company:
    """All players for some scenes: those with weights, and the paper's rule-based players."""

    def __init__(self, stage: Stage, weights: Sequence[Weights]) -> None:
        self.stage = stage
        self.notes: list[str] = []
        played = set(stage.ids)
        mine = []
        for one in weights:
            if one.halves != stage.halves:
                continue
            if known := played.intersection(one.card.seen):
                self.notes.append(
                    f"{one.folder} is left out: it learned from {len(known):,} of the scenes that are played"
                )
            else:
                mine.append(one)
        drawers = [one for one in mine if one.role == DRAWER]
        self.best = best_label(drawers)
        self.neural = best_label(one for one in drawers if one.base == NEURAL)
        memories = [stage.data.memory(stage.halves, half) for half in OTHER]
        self.voices: list[Voice] = [NearestVoice(memory, stage.halves) for memory in memories]
        self.voices += [WeightsVoice(one) for one in mine if one.role != DRAWER]
        self.hands: list[Hand] = [NearestHand(memory, stage.halves) for memory in memories]
        self.hands += [*(WeightsHand(one) for one in drawers), GrammarHand()]

    @property
    def tellers(self) -> list[str]:
        """The Tellers' labels, in the order of the table."""
        return sorted({voice.label for voice in self.voices}, key=_rank)

    @property
    def drawers(self) -> list[str]:
        return sorted({hand.label for hand in self.hands}, key=_rank)

    def hands_of(self, label: str, half: str) -> list[Hand]:
        found = [hand for hand in self.hands if hand.label == label and hand.half == half]
        return sorted(found, key=lambda hand: hand.seed)

    def voices_of(self, label: str, half: str) -> list[Voice]:
        found = [voice for voice in self.voices if voice.label == label and voice.half == half]
        return sorted(found, key=lambda voice: voice.seed)

    def heard(self, part: str, teller: str, script: Script) -> Iterator[Row]:
        """Yield a row for every Drawer with the same words."""
        for label in self.drawers:
            halves = sorted(
                {hand.half for hand in self.hands if hand.label == label}, key=["b", "a", "", "all"].index
            )
            apart = [[half for half in halves if half != "all"], [half for half in halves if half == "all"]]
            for some in filter(None, apart):
                hands = [
                    hand
                    for half in some
                    for hand in self.hands_of(label, half)
                    if self.stage.can_draw(script, hand)
                ]
                games = [Game(hand.half, hand.seed, self.stage.drawn(script, hand)) for hand in hands]
                if games:
                    yield Row(part, teller, f"{label}, from all" if some == ["all"] else label, tuple(games))

    def pairs(self, teller: str, drawer: str, *, crosstalk: bool = True) -> Iterator[tuple[Voice, Hand]]:
        """Yield each Teller with the Drawer of its seed, or with another one if there is none. An untrained
        Teller plays with all of them. The Drawer is of the other half, or of the same half as a control."""
        for half, other in OTHER.items():
            hands = self.hands_of(drawer, other if crosstalk else half)
            for number, voice in enumerate(self.voices_of(teller, half) if hands else ()):
                alike = next((hand for hand in hands if hand.seed == voice.seed), hands[number % len(hands)])
                for hand in [alike] if voice.seeded else hands:
                    if crosstalk and voice.seen & hand.seen:
                        self.notes.append(
                            f"{teller} of half {half} and {drawer} learned from the same dialogs: not played"
                        )
                    else:
                        yield voice, hand

    def played(self, part: str, teller: str, drawer: str, *, crosstalk: bool = True) -> Row | None:
        games = []
        for voice, hand in self.pairs(teller, drawer, crosstalk=crosstalk):
            if self.stage.can_say(voice) and self.stage.can_draw(script := self.stage.said(voice), hand):
                seed = voice.seed if voice.seeded else hand.seed
                games.append(Game(hand.half, seed, self.stage.drawn(script, hand)))
        return Row(part, teller, drawer, tuple(games)) if games else None


def _rank(label: str) -> tuple[int, int, str]:
    """Sort the paper's players first, and longer trainings of one kind later."""
    order = ["nearest", "scene2seq", "decoder", NEURAL, "transformer", "MiniLM", "grammar"]
    first = label.split()[0]
    return order.index(first) if first in order else len(order), len(label.split()), label


def rows(company: Company) -> Iterator[Row]:
    """Yield all rows of the table."""
    stage = company.stage
    yield from company.heard(SCRIPT, PEOPLE, stage.people())
    yield Row(SCRIPT, PEOPLE, PEOPLE, ())
    yield from company.heard(UNAIDED, PEOPLE, stage.people(unaided=True))
    partners = list(dict.fromkeys(filter(None, (company.neural, company.best))))
    tellers = company.tellers
    for drawer in partners:
        yield from filter(None, (company.played(MACHINES, teller, drawer) for teller in tellers))
    yield Row(HUMANS, PEOPLE, PEOPLE, (Game("", 0, stage.finals),))
    yield Row(HUMANS, "people before the peek", PEOPLE, (Game("", 0, stage.unaided),))
    alike = [(teller, company.neural) for teller in tellers if company.neural] + [("nearest", "nearest")]
    yield from filter(None, (company.played(CODEBOOK, *pair, crosstalk=False) for pair in alike))


def silent(script: Script) -> Script:
    """Replace each message by an ellipsis."""
    return [["…"] * len(texts) for texts in script]


def moved_on(many: int, seed: int = 0) -> list[int]:
    """Return a random permutation without fixed points."""
    order = list(range(many))
    Random(seed).shuffle(order)
    found = [0] * many
    for one, other in zip(order, [*order[1:], *order[:1]], strict=True):
        found[one] = other
    return found
