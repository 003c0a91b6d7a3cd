"""The rows of the table: who played with whom, from which halves, and what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from groundling.boards.scene.batches import Batch
from groundling.games.codraw.instance import DRAWER
from groundling.games.codraw.neural.evaluation.batch_players import (
    BatchDrawer,
    BatchTeller,
    GrammarBatchDrawer,
    NearestBatchDrawer,
    NearestBatchTeller,
    Script,
    WeightsBatchDrawer,
    WeightsBatchTeller,
)
from groundling.games.codraw.neural.evaluation.play_cache import PlayCache
from groundling.games.codraw.neural.evaluation.weights_folders import OTHER_HALF, WeightsFolder, best_label

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


class PlayedScenes(Struct, frozen=True):
    """All scenes, played once by one pair."""

    half: str
    """The half that the Drawer learned from; empty if it was not trained."""
    seed: int
    """The Teller's seed if it was trained, otherwise the Drawer's."""
    drawn: Batch


class ResultRow(Struct, frozen=True):
    part: str
    teller: str
    drawer: str
    games: tuple[PlayedScenes, ...]

    @property
    def paper_score(self) -> float | None:
        teller, drawer = (label.partition(" (")[0] for label in (self.teller, self.drawer))
        return PAPER.get((self.part, teller, drawer))


class PlayerRoster:
    """All players for some scenes: those with weights, and the paper's rule-based players."""

    def __init__(self, stage: PlayCache, weights: Sequence[WeightsFolder]) -> None:
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
        self.neural = best_label(one for one in drawers if one.base_label == NEURAL)
        memories = [stage.data.nearest_memory(stage.halves, half) for half in OTHER_HALF]
        self.voices: list[BatchTeller] = [NearestBatchTeller(memory, stage.halves) for memory in memories]
        self.voices += [WeightsBatchTeller(one) for one in mine if one.role != DRAWER]
        self.hands: list[BatchDrawer] = [NearestBatchDrawer(memory, stage.halves) for memory in memories]
        self.hands += [*(WeightsBatchDrawer(one) for one in drawers), GrammarBatchDrawer()]

    @property
    def teller_labels(self) -> list[str]:
        """The Tellers' labels, in the order of the table."""
        return sorted({voice.label for voice in self.voices}, key=_label_rank)

    @property
    def drawer_labels(self) -> list[str]:
        return sorted({hand.label for hand in self.hands}, key=_label_rank)

    def drawers_of(self, label: str, half: str) -> list[BatchDrawer]:
        found = [hand for hand in self.hands if hand.label == label and hand.half == half]
        return sorted(found, key=lambda hand: hand.seed)

    def tellers_of(self, label: str, half: str) -> list[BatchTeller]:
        found = [voice for voice in self.voices if voice.label == label and voice.half == half]
        return sorted(found, key=lambda voice: voice.seed)

    def rows_for_script(self, part: str, teller: str, script: Script) -> Iterator[ResultRow]:
        """Yield a row for every Drawer with the same words."""
        for label in self.drawer_labels:
            halves = sorted(
                {hand.half for hand in self.hands if hand.label == label}, key=["b", "a", "", "all"].index
            )
            apart = [[half for half in halves if half != "all"], [half for half in halves if half == "all"]]
            for some in filter(None, apart):
                hands = [
                    hand
                    for half in some
                    for hand in self.drawers_of(label, half)
                    if self.stage.can_draw(script, hand)
                ]
                games = [
                    PlayedScenes(hand.half, hand.seed, self.stage.drawn_scenes(script, hand))
                    for hand in hands
                ]
                if games:
                    yield ResultRow(
                        part, teller, f"{label}, from all" if some == ["all"] else label, tuple(games)
                    )

    def pair_players(
        self, teller: str, drawer: str, *, crosstalk: bool = True
    ) -> Iterator[tuple[BatchTeller, BatchDrawer]]:
        """Yield each Teller with the Drawer of its seed, or with another one if there is none. An untrained
        Teller plays with all of them. The Drawer is of the other half, or of the same half as a control."""
        for half, other in OTHER_HALF.items():
            hands = self.drawers_of(drawer, other if crosstalk else half)
            for number, voice in enumerate(self.tellers_of(teller, half) if hands else ()):
                alike = next((hand for hand in hands if hand.seed == voice.seed), hands[number % len(hands)])
                for hand in [alike] if voice.seeded else hands:
                    if crosstalk and voice.seen & hand.seen:
                        self.notes.append(
                            f"{teller} of half {half} and {drawer} learned from the same dialogs: not played"
                        )
                    else:
                        yield voice, hand

    def play_pairs(self, part: str, teller: str, drawer: str, *, crosstalk: bool = True) -> ResultRow | None:
        games = []
        for voice, hand in self.pair_players(teller, drawer, crosstalk=crosstalk):
            if self.stage.can_say(voice) and self.stage.can_draw(
                script := self.stage.teller_script(voice), hand
            ):
                seed = voice.seed if voice.seeded else hand.seed
                games.append(PlayedScenes(hand.half, seed, self.stage.drawn_scenes(script, hand)))
        return ResultRow(part, teller, drawer, tuple(games)) if games else None


def _label_rank(label: str) -> tuple[int, int, str]:
    """Sort the paper's players first, and longer trainings of one kind later."""
    order = ["nearest", "scene2seq", "decoder", NEURAL, "transformer", "MiniLM", "grammar"]
    first = label.split()[0]
    return order.index(first) if first in order else len(order), len(label.split()), label


def list_result_rows(company: PlayerRoster) -> Iterator[ResultRow]:
    """Yield all rows of the table."""
    stage = company.stage
    yield from company.rows_for_script(SCRIPT, PEOPLE, stage.people_scripts())
    yield ResultRow(SCRIPT, PEOPLE, PEOPLE, ())
    yield from company.rows_for_script(UNAIDED, PEOPLE, stage.people_scripts(unaided=True))
    partners = list(dict.fromkeys(filter(None, (company.neural, company.best))))
    tellers = company.teller_labels
    for drawer in partners:
        yield from filter(None, (company.play_pairs(MACHINES, teller, drawer) for teller in tellers))
    yield ResultRow(HUMANS, PEOPLE, PEOPLE, (PlayedScenes("", 0, stage.finals),))
    yield ResultRow(HUMANS, "people before the peek", PEOPLE, (PlayedScenes("", 0, stage.unaided),))
    alike = [(teller, company.neural) for teller in tellers if company.neural] + [("nearest", "nearest")]
    yield from filter(None, (company.play_pairs(CODEBOOK, *pair, crosstalk=False) for pair in alike))


def silence_script(script: Script) -> Script:
    """Replace each message by an ellipsis."""
    return [["…"] * len(texts) for texts in script]


def shuffle_without_fixed_points(many: int, seed: int = 0) -> list[int]:
    """Return a random permutation without fixed points."""
    order = list(range(many))
    Random(seed).shuffle(order)
    found = [0] * many
    for one, other in zip(order, [*order[1:], *order[:1]], strict=True):
        found[one] = other
    return found
