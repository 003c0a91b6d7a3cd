"""`reader`: the rules where they are sure, else the best of what they and trained generators propose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from pathlib import Path
from statistics import fmean
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
    PROGRAM,
    SURE,
    AnswerCandidate,
    Painted,
    ReadingEvidence,
    can_be_chosen,
    choose_answer,
    describe_program,
    is_program,
    list_features,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation
from groundling.train.batched_inference import BatchedInference
from groundling.train.devices import select_device, set_onednn
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, check_weights_exist

CHOICE_FILE = "choice.json"
_OTHER_VERSION = "{} belongs to another version of the reader: copy or train it again"
CONTEXT = "predicted+full"
LONGEST_ANSWER = 160
ENOUGH = 0.9
"""The expected F1 from which on nothing further is asked."""
KNOWN_VIEWS = ((HINT,), (HINT, PLAIN), (HINT, PLAIN, PROGRAM + HINT))


class ReaderChoice(Struct, frozen=True):
    """How the features of an answer are weighed."""

    features: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def views(self) -> tuple[str, ...]:
        """The prompts whose features these are."""
        return next((views for views in KNOWN_VIEWS if list_features(views) == self.features), ())

    @property
    def usable(self) -> bool:
        return bool(self.views) and len(self.weights) == len(self.features)


class StagedChoice(ReaderChoice, frozen=True):
    """The choice with one network; and with further ones, which are asked in doubt."""

    beside: tuple[str, ...] = ()
    """The folders of further networks, beside this one's. One of them may answer by programs."""
    together: ReaderChoice | None = None
    """The choice among what all of them propose."""


class SituationReading:
    """What the rules and networks make of a situation. No network is asked the same twice."""

    def __init__(self, situation: Situation, read: dict[Generator, list[PromptReading]]) -> None:
        """`read` is what each network read last."""
        readings = [
            read_by_rules(situation.texts[: number + 1], board)
            for number, board in enumerate(situation.boards)
        ]
        texts = tuple(add_hint(text, one) for text, one in zip(situation.texts, readings, strict=True))
        self.rules = readings[-1]
        self._shown = {HINT: Situation(texts, situation.boards), PLAIN: situation}
        self._read = read
        self._prompts: dict[tuple[Generator, str], PromptReading] = {}

    def gather_evidence(self, models: Sequence[Generator], choice: ReaderChoice) -> ReadingEvidence:
        """What the rules and these networks propose. After each of its prompts a network follows the last
        proposal as far as it agrees, and judges all of them. A network with one prompt that is alone writes
        no longer than its answer can be chosen."""
        if self.rules.whole >= SURE:
            return ReadingEvidence(self.rules)
        asked = {
            view: [self._read_prompt(one, view) for one in models if one.writes_programs == is_program(view)]
            for view in choice.views
        }

        def judge(painted: Painted, votes: int = 1) -> AnswerCandidate:
            likely, program = list[float](), list[float]()
            for view, prompts in asked.items():
                if is_program(view):
                    program += describe_program(*max(one.judge_texts(painted) for one in prompts))
                else:
                    likely.append(fmean(one.judge_answer(painted) for one in prompts))
            length = len(models[0].encode_painted(painted))
            return AnswerCandidate(painted, tuple(likely), length, votes, tuple(program))

        def goes_on(begun: BegunAnswer) -> bool:
            longest = AnswerCandidate(begun.painted, (begun.likely,), models[0].settings.answer)
            both = ReadingEvidence(self.rules, (judge(self.rules.painted), longest))
            return can_be_chosen(both, choice.weights)

        proposed: list[Painted] = [self.rules.painted]
        prompts = list(chain(*asked.values()))
        for prompt in prompts:
            found = prompt.follow_draft(proposed[-1], goes_on if len(prompts) == 1 else None)
            if not found.ended:
                left = AnswerCandidate(found.painted, (found.likely,), found.length)
                return ReadingEvidence(self.rules, (judge(self.rules.painted), left))
            proposed.append(found.painted)
        answers = [one for number, one in enumerate(proposed) if one not in proposed[:number]]
        return ReadingEvidence(self.rules, tuple(judge(one, proposed.count(one)) for one in answers))

    def _read_prompt(self, model: Generator, view: str) -> PromptReading:
        if (model, view) not in self._prompts:
            known = self._read.get(model, [])
            prompt = PromptReading(model, self._shown[view.removeprefix(PROGRAM)], known)
            kept = [one for one in known if not prompt.goes_on_from(one)]
            self._read[model] = [*kept, prompt][-REMEMBERED:]
            self._prompts[model, view] = prompt
        return self._prompts[model, view]


class Reader(Struct, frozen=True):
    models: Sequence[Generator]
    """The first is asked alone; in doubt, all."""
    choice: StagedChoice
    read: dict[Generator, list[PromptReading]] = {}

    def answer_situation(self, situation: Situation) -> tuple[dict[Tile, str], float]:
        """The tiles to paint, and the expected F1."""
        reading, together = SituationReading(situation, self.read), self.choice.together
        evidence = reading.gather_evidence(self.models[:1], self.choice)
        chosen, expected = choose_answer(evidence, self.choice.weights)
        if expected < ENOUGH and together:
            evidence = reading.gather_evidence(self.models, together)
            chosen, expected = choose_answer(evidence, together.weights)
        return dict(chosen), expected


class ReaderExecutor:
    name = "reader"

    def __init__(self, reader: Reader, facts: Mapping[str, str], learned_from: Set[str]) -> None:
        self.info = PlayerInfo(facts=dict(facts), learned_from=frozenset(learned_from))
        self._reader = reader
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
            return [self._reader.answer_situation(situation) for situation in situations]


def seat_reader_player(seat: Seat, folder: Path) -> Player:
    reader = load_reader(folder)
    check_weights_seat(seat, folder, CONTEXT)
    return reader


def load_reader(folder: Path) -> ReaderExecutor:
    """The same player for the same weights."""
    folders = [folder, *(folder.parent / name for name in read_choice(folder).beside)]
    for one in folders:
        check_weights_exist(one)
    files = [folder / CHOICE_FILE, *(one / name for one in folders for name in (WEIGHTS_FILE, CARD_FILE))]
    changed = tuple(one.stat().st_mtime_ns for one in files)
    return _load_reader(tuple(one.resolve() for one in folders), changed)


@lru_cache(maxsize=2)
def _load_reader(folders: Sequence[Path], changed: tuple[int, ...]) -> ReaderExecutor:
    models, facts, learned_from = list[Generator](), dict[str, str](), set[str]()
    for number, folder in enumerate(folders, start=1):
        model, card, digest = load_reader_network(folder)
        models.append(model)
        facts |= card.player_facts(digest) if number == 1 else {f"weights {number}": digest}
        learned_from |= set(card.seen)
    choice = read_choice(folders[0])
    first, *others = (one.writes_programs for one in models)
    if first or any(others) != bool(choice.together and any(map(is_program, choice.together.views))):
        raise Problem(_OTHER_VERSION.format(folders[0]))
    return ReaderExecutor(Reader(models, choice), facts, learned_from)


def read_choice(folder: Path) -> StagedChoice:
    """How a reader weighs its answers."""
    if not (folder / CHOICE_FILE).is_file():
        raise Problem(f"{folder} has no {CHOICE_FILE}: give the folder of a reader, as reader:DIR")
    try:
        choice = msgspec.json.decode((folder / CHOICE_FILE).read_bytes(), type=StagedChoice)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{folder / CHOICE_FILE} cannot be read ({trouble}): copy it again") from None
    together = choice.together
    if not choice.usable or bool(choice.beside) != bool(together) or (together and not together.usable):
        raise Problem(_OTHER_VERSION.format(folder))
    return choice


def load_reader_network(folder: Path) -> tuple[Generator, ModelCard, str]:
    """The network of a reader, ready to answer; its card, and the checksum of its weights."""
    model, card, digest = load_executor_model(folder)
    if not isinstance(model, Generator) or card.settings["context"] != CONTEXT:
        raise Problem(f"{folder} holds no generator of {CONTEXT}: give the folder of a reader")
    model.settings = replace(model.settings, answer=min(model.settings.answer, LONGEST_ANSWER))
    return model.prepare_to_play(select_device()), card, digest
