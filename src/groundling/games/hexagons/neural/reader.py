"""`reader`: the rules where they are sure, else the best of what they and trained generators propose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, PlayerInfo, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.neural.answer_drafts import BegunAnswer, PromptReading
from groundling.games.hexagons.neural.generator import REMEMBERED, Generator
from groundling.games.hexagons.neural.hints import add_hint, read_by_rules
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells
from groundling.games.hexagons.neural.player import check_weights_seat, player_boards_before
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PLAIN,
    SURE,
    AnswerCandidate,
    Painted,
    ReadingEvidence,
    can_be_chosen,
    choose_answer,
    list_features,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation
from groundling.train.batched_inference import BatchedInference
from groundling.train.devices import select_device, set_onednn
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, check_weights_exist

CHOICE_FILE = "choice.json"
CONTEXT = "predicted+full"
LONGEST_ANSWER = 160
ENOUGH = 0.8
"""The expected F1 from which on no further network is asked."""
KNOWN_VIEWS = ((HINT,), (HINT, PLAIN))


class ReaderChoice(Struct, frozen=True):
    """How the features of an answer are weighed."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    beside: tuple[str, ...] = ()
    """Folders of further readers, beside this one's: each answers with its own network and choice, and the
    answer with the highest expected F1 is taken."""

    @property
    def views(self) -> tuple[str, ...]:
        """The prompts whose features these are."""
        return next((views for views in KNOWN_VIEWS if list_features(views) == self.features), ())


class Reader(Struct, frozen=True):
    model: Generator
    weights: tuple[float, ...]
    views: tuple[str, ...] = (HINT,)
    """The prompts after which the network is asked."""
    read: list[PromptReading] = []
    """What was read last."""

    def gather_evidence(self, situation: Situation) -> ReadingEvidence:
        """What the rules and the network propose. After each of its prompts the network follows the last
        proposal as far as it agrees, and judges all of them. With one prompt, it writes no longer than its
        answer can be chosen."""
        readings = [
            read_by_rules(situation.texts[: number + 1], board)
            for number, board in enumerate(situation.boards)
        ]
        rules = readings[-1]
        if rules.whole >= SURE:
            return ReadingEvidence(rules)
        texts = tuple(add_hint(text, one) for text, one in zip(situation.texts, readings, strict=True))
        shown = {HINT: Situation(texts, situation.boards), PLAIN: situation}
        prompts = [self._read_situation(shown[view]) for view in self.views]

        def judge(painted: Painted, votes: int = 1) -> AnswerCandidate:
            likely = tuple(prompt.judge_answer(painted) for prompt in prompts)
            return AnswerCandidate(painted, likely, len(self.model.encode_painted(painted)), votes)

        def goes_on(begun: BegunAnswer) -> bool:
            longest = AnswerCandidate(begun.painted, (begun.likely,), self.model.settings.answer)
            both = ReadingEvidence(rules, (judge(rules.painted), longest))
            return can_be_chosen(both, self.weights)

        proposed = [rules.painted]
        for prompt in prompts:
            found = prompt.follow_draft(proposed[-1], goes_on if len(prompts) == 1 else None)
            if not found.ended:
                left = AnswerCandidate(found.painted, (found.likely,), found.length)
                return ReadingEvidence(rules, (judge(rules.painted), left))
            proposed.append(found.painted)
        answers = [one for number, one in enumerate(proposed) if one not in proposed[:number]]
        return ReadingEvidence(rules, tuple(judge(one, proposed.count(one)) for one in answers))

    def _read_situation(self, situation: Situation) -> PromptReading:
        prompt = PromptReading(self.model, situation, self.read)
        self.read[:] = [*(one for one in self.read if not prompt.goes_on_from(one)), prompt][-REMEMBERED:]
        return prompt

    def answer_situation(self, situation: Situation) -> tuple[dict[Tile, str], float]:
        """The tiles to paint, and the expected F1."""
        chosen, expected = choose_answer(self.gather_evidence(situation), self.weights)
        return dict(chosen), expected


class ReaderExecutor:
    name = "reader"

    def __init__(self, readers: Sequence[Reader], facts: Mapping[str, str], learned_from: Set[str]) -> None:
        self.info = PlayerInfo(facts=dict(facts), learned_from=frozenset(learned_from))
        self._readers = readers
        self._together = BatchedInference(self._answer, 1)
        self._alone = Lock()

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        texts, boards = list(view.told), player_boards_before(ask, view)
        painted: dict[Tile, str] = {}
        least = 1.0
        for number in range(len(texts) - view.due, len(texts)):
            found, expected = await self._together.request_answer(
                make_situation(CONTEXT, texts, boards, number)
            )
            painted |= found
            least = min(least, expected)
            if number + 1 < len(texts):
                boards[number + 1] = paint_notation_cells(boards[number], found)
        moves = (*(PaintTile(*tile, colour) for tile, colour in painted.items()), Next())
        return Reply(moves=moves, detail={"expected": round(least, 3)})

    def paint_situation(self, situation: Situation) -> dict[Tile, str]:
        return self._answer([situation])[0][0]

    def _answer(self, situations: Sequence[Situation]) -> list[tuple[dict[Tile, str], float]]:
        with self._alone, set_onednn(False):  # an instructor may listen by it in another thread
            return [self._answer_situation(situation) for situation in situations]

    def _answer_situation(self, situation: Situation) -> tuple[dict[Tile, str], float]:
        first, *others = self._readers
        found = first.answer_situation(situation)
        for reader in others:
            if found[1] < ENOUGH:
                found = max(found, reader.answer_situation(situation), key=itemgetter(1))
        return found


def seat_reader_player(seat: Seat, folder: Path) -> Player:
    reader = load_reader(folder)
    check_weights_seat(seat, folder, CONTEXT)
    return reader


def load_reader(folder: Path) -> ReaderExecutor:
    """The same player for the same weights."""
    folders = [folder, *(folder.parent / name for name in read_choice(folder).beside)]
    for one in folders:
        read_choice(one)
        check_weights_exist(one)
    names = (WEIGHTS_FILE, CARD_FILE, CHOICE_FILE)
    changed = tuple((one / name).stat().st_mtime_ns for one in folders for name in names)
    return _load_reader(tuple(one.resolve() for one in folders), changed)


@lru_cache(maxsize=2)
def _load_reader(folders: Sequence[Path], changed: tuple[int, ...]) -> ReaderExecutor:
    readers, facts, learned_from = list[Reader](), dict[str, str](), set[str]()
    for number, folder in enumerate(folders, start=1):
        choice = read_choice(folder)
        model, card, digest = load_reader_network(folder)
        readers.append(Reader(model, choice.weights, choice.views))
        facts |= card.player_facts(digest) if number == 1 else {f"weights {number}": digest}
        learned_from |= set(card.seen)
    return ReaderExecutor(readers, facts, learned_from)


def read_choice(folder: Path) -> ReaderChoice:
    """How a reader weighs its answers."""
    if not (folder / CHOICE_FILE).is_file():
        raise Problem(f"{folder} has no {CHOICE_FILE}: give the folder of a reader, as reader:DIR")
    try:
        choice = msgspec.json.decode((folder / CHOICE_FILE).read_bytes(), type=ReaderChoice)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{folder / CHOICE_FILE} cannot be read ({trouble}): copy it again") from None
    if not choice.views or len(choice.weights) != len(choice.features):
        raise Problem(f"{folder} belongs to another version of the reader: copy or train it again")
    return choice


def load_reader_network(folder: Path) -> tuple[Generator, ModelCard, str]:
    """The network of a reader, ready to answer; its card, and the checksum of its weights."""
    model, card, digest = load_executor_model(folder)
    if not isinstance(model, Generator) or card.settings["context"] != CONTEXT:
        raise Problem(f"{folder} holds no generator of {CONTEXT}: give the folder of a reader")
    model.settings = replace(model.settings, answer=min(model.settings.answer, LONGEST_ANSWER))
    return model.prepare_to_play(select_device()), card, digest
