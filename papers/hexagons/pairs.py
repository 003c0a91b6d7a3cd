"""Plays instructors with executors on dev's images, and keeps how well the images were redrawn.

    python -m papers.hexagons.pairs DATA OUT.json [--executors parser,reader,…] [--instructors NAME;…]
        [--writer DIR] [--questions 0,1,2] [--images N] [--again]

Each game is one of `groundling play hexagons --mode live --questions N`. DIR has a network that writes
instructions: it is played with each of the listeners that choose among its wordings, and with none. Pairs
that OUT.json has already are played again only with --again. `tables.py` prints the tables, with recorded
people's from results/."""

from __future__ import annotations

import argparse
import asyncio
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Protocol

import msgspec
from msgspec import Struct
from papers.commands import report_problems

from groundling.boards.english.numbers import CARDINALS, ORDINALS
from groundling.boards.hexes import COLOURS
from groundling.core.events import Moved, Transcript
from groundling.core.pack import Pack, find
from groundling.core.player import Ask, Player, Reply
from groundling.core.table import play
from groundling.core.values import Say
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.level_guess import guess_level
from groundling.games.hexagons.moves import InstructorView
from groundling.games.hexagons.narration import NarrationStep
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.players.narrator import reply_with_steps
from groundling.games.hexagons.program import Program
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings
from groundling.games.hexagons.score import score
from groundling.games.hexagons.tile_scores import TileScores
from groundling.players.player_specs import make_player_from_spec, read_player_spec
from groundling.scores.intervals import estimate_mean

PEOPLE = "people, one procedure an image"
_WORD_THAT_VARIES = re.compile(rf"\b(?:{'|'.join((*COLOURS, *CARDINALS, *ORDINALS))}|\d+\w*)\b|\s+")
CROSSTALK = "crosstalk-"
"""Executors of halves of train, which have a table of their own."""
INSTRUCTORS = {
    "describer, people's words": "describer:weights/hexagons-describer",
    "describer, narrator's words": "describer",
    "describer, half A of train": "describer:weights/hexagons-describer-a",
    "describer, half B of train": "describer:weights/hexagons-describer-b",
    "narrator, lines": "narrator,level=1",
    "narrator, tiles": "narrator,level=0",
    PEOPLE: "",
}
WRITERS = {
    "describer, network's words": "describer:{}",
    "describer, network's words, reader listens": "describer:{},listener=reader",
    "describer, network's words, nobody listens": "describer:{},listener=none",
}
EXECUTORS = "parser,reader,reader:weights/hexagons-reader-small"


class PairScores(Struct, frozen=True, omit_defaults=True):
    """The last boards of an instructor and an executor."""

    instructor: str
    executor: str
    scores: dict[str, tuple[float, float]]
    """F1 and exact match by image."""
    questions: int = 0
    """How many the executor might ask about an instruction."""
    asked: int = 0
    steps: int = 0

    @property
    def key(self) -> tuple[str, str, int]:
        return self.instructor, self.executor, self.questions


class Spoken(Struct, frozen=True):
    """What an instructor says of dev's images."""

    instructor: str
    images: int
    steps: int
    words: int
    levels: tuple[int, ...]
    """How many steps have the levels none, low, and above: as meant by the instructor, or annotated."""
    guessed: tuple[int, ...] = ()
    """The same by `guess_level`, which is one measure for all."""
    distinct: int = 0
    """Wordings that differ in more than colours and numbers."""
    network: int = 0
    """Steps in the words of a network."""


class Pairs(Struct, frozen=True):
    spoken: list[Spoken]
    pairs: list[PairScores]


class Narrating(Player, Protocol):
    """An instructor whose steps are known beforehand."""

    def narrate_steps(self, image: HexagonsImage) -> list[NarrationStep]: ...


class RecordedInstructor:
    """Says a recorded procedure, and answers in the narrator's words what its gold boards show."""

    name = "recorded"

    def __init__(self, images: Sequence[HexagonsImage]) -> None:
        self.images = {image.id: image for image in images}

    def narrate_steps(self, image: HexagonsImage) -> list[NarrationStep]:
        return [
            NarrationStep(step.spoken_text, Program(), step.level or 0, step.board) for step in image.steps
        ]

    async def act(self, ask: Ask) -> Reply:
        assert isinstance(ask.view, InstructorView)
        return reply_with_steps(ask.view, self.narrate_steps(self.images[ask.episode]))


def seat_instructor(pack: Pack, game: HexagonsGame, spec: str, images: Sequence[HexagonsImage]) -> Narrating:
    if not spec:
        return RecordedInstructor(images)
    return make_player_from_spec(pack, game, INSTRUCTOR, spec, images, lambda _: {})  # type: ignore[return-value]


def measure_speech(name: str, instructor: Narrating, images: Sequence[HexagonsImage]) -> Spoken:
    steps = [step for image in images for step in instructor.narrate_steps(image)]
    network = sum(step.words == "network" for step in steps)
    return _count_speech(name, len(images), [(step.text, step.level) for step in steps], network)


def _count_speech(
    name: str, images: int, steps: Sequence[tuple[str, int | None]], network: int = 0
) -> Spoken:
    words = sum(len(text.split()) for text, _ in steps)
    meant, guessed = (
        tuple(levels.count(number) for number in range(3))
        for levels in ([min(level or 0, 2) for _, level in steps], [guess_level(text) for text, _ in steps])
    )
    distinct = len({_WORD_THAT_VARIES.sub("_", text.lower()) for text, _ in steps})
    return Spoken(name, images, len(steps), words, meant, guessed, distinct, network)


async def play_games(
    game: HexagonsGame, players: Mapping[str, Player], images: Sequence[HexagonsImage]
) -> list[Transcript]:
    """Play all images at once, so that networks answer in batches."""

    async def play_image(image: HexagonsImage) -> Transcript:
        events = [event async for event in play(game, image, players, seed=0, clock=time.time)]
        return Transcript(tuple(events))

    return list(await asyncio.gather(*(play_image(image) for image in images)))


def measure_pair(
    names: tuple[str, str], game: HexagonsGame, players: Mapping[str, Player], images: Sequence[HexagonsImage]
) -> PairScores:
    scores: dict[str, tuple[float, float]] = {}
    said = asked = 0
    for image, transcript in zip(images, asyncio.run(play_games(game, players, images)), strict=True):
        found = score(game, transcript).episode
        scores[image.image] = found["f1"] or 0.0, found["exact"] or 0.0
        said += int(found["steps"] or 0)
        asked += sum(
            isinstance(move, Say)
            for event in transcript.events
            if isinstance(event, Moved) and event.role == EXECUTOR
            for move in event.moves
        )
    return PairScores(*names, scores, game.settings.questions, asked, said)


def list_pair_tables(
    file: Path, images: Sequence[HexagonsImage], people: Mapping[str, Mapping[str, TileScores]]
) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """Last boards by instructor and executor, what questions change, and what the instructors say. People's
    are those of recorded procedures, by executor and id."""
    found = msgspec.json.decode(file.read_bytes(), type=Pairs)
    executors = [
        one for one in dict.fromkeys(one.executor for one in found.pairs) if not one.startswith(CROSSTALK)
    ]
    where = {image.id: near_copy_base_id(image.image) for image in images}
    cells = {one.key: [(image, *scores) for image, scores in one.scores.items()] for one in found.pairs}
    for executor, boards in people.items():
        cells["people", executor, 0] = [(where[each], one.f1, one.exact) for each, one in boards.items()]
    names = [*dict.fromkeys(one.instructor for one in found.pairs), "people"]
    yield (
        "Instructor by executor, dev's images: F1 [95 % interval] / exact match of the last board (games)",
        ("", *executors),
        [
            [name, *(_pair_cell(cells.get((name, executor, 0), [])) for executor in executors)]
            for name in names
        ],
    )
    most = sorted({one.questions for one in found.pairs})
    asking = dict.fromkeys(one.key[:2] for one in found.pairs if one.questions)
    by_key = {one.key: one for one in found.pairs}
    if asking:
        yield (
            "Questions: F1 [95 % interval] / exact match of the last board (games), questions a game",
            ("instructor", "executor", *(f"at most {number} a step" for number in most)),
            [
                [*pair, *(_asking_cell(by_key.get((*pair, number)), cells) for number in most)]
                for pair in asking
            ],
        )
    recorded = _count_speech(
        "people", len(images), [(step.text, step.level) for image in images for step in image.steps]
    )
    yield (
        "What instructors say, and its level: as meant (people's: as annotated), and guessed from the words",
        (
            "",
            "steps an image",
            "words a step",
            "none",
            "low",
            "above",
            "guessed none, low, above",
            "distinct wordings",
            "network's words",
        ),
        [
            [
                one.instructor,
                f"{one.steps / one.images:.1f}",
                f"{one.words / one.steps:.1f}",
                *(f"{100 * level / one.steps:.0f} %" for level in one.levels),
                ", ".join(f"{100 * level / one.steps:.0f} %" for level in one.guessed),
                *(f"{100 * number / one.steps:.0f} %" for number in (one.distinct, one.network)),
            ]
            for one in (*found.spoken, recorded)
        ],
    )


def _pair_cell(scores: Sequence[tuple[str, float, float]]) -> str:
    if not scores:
        return ""
    places = [image for image, *_ in scores]
    f1 = estimate_mean([100 * one for _, one, _ in scores], places, low=0, high=100)
    exact = 100 * fmean(one for *_, one in scores)
    return f"{f1.mean:.1f} [{f1.low:.1f}, {f1.high:.1f}] / {exact:.1f} ({len(scores)})"


def _asking_cell(
    pair: PairScores | None, cells: Mapping[tuple[str, str, int], Sequence[tuple[str, float, float]]]
) -> str:
    if pair is None:
        return ""
    return f"{_pair_cell(cells[pair.key])}, {pair.asked / len(pair.scores):.1f}"


def executor_label(spec: str) -> str:
    """The name of an executor in the tables: that of its weights, if it has any."""
    read = read_player_spec(spec)
    return Path(read.arg).name or ("hexagons-reader" if read.name == "reader" else read.name)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--executors", default=EXECUTORS)
    parser.add_argument(
        "--instructors", default="", help="separated by ;, default: those of --writer, else all"
    )
    parser.add_argument("--writer", default="", help="a folder of train_reader's rows writer-…")
    parser.add_argument("--questions", default="0")
    parser.add_argument("--images", type=int, default=0, help="the first so many; 0: all")
    parser.add_argument("--again", action="store_true", help="play pairs that OUT.json has already")
    options = parser.parse_args()
    written = {name: spec.format(options.writer) for name, spec in WRITERS.items() if options.writer}
    instructors = INSTRUCTORS | written
    chosen = options.instructors.split(";") if options.instructors else list(written or INSTRUCTORS)
    if strange := [name for name in chosen if name not in instructors]:
        parser.error(f"there is no instructor {strange[0]!r}: choose from {'; '.join(instructors)}")
    every = list({one.image: one for one in reversed(read_data_images(options.data, "dev"))}.values())
    known = Pairs([], [])
    if options.out.exists():
        known = msgspec.json.decode(options.out.read_bytes(), type=Pairs)
    spoken = {one.instructor: one for one in known.spoken}
    pairs = {one.key: one for one in known.pairs}
    images = every[: options.images or None]
    pack, tellers = find("hexagons"), dict[str, Narrating]()
    for executor in options.executors.split(","):
        for questions in map(int, options.questions.split(",")):
            game = HexagonsGame(HexagonsSettings(mode="live", questions=questions))
            painter = make_player_from_spec(pack, game, EXECUTOR, executor, images, lambda _: {})
            for name in chosen:
                key = name, executor_label(executor), questions
                if key in pairs and not options.again:
                    continue
                if name not in tellers:  # what a describer has found for an image, it knows again
                    tellers[name] = seat_instructor(pack, game, instructors[name], every)
                teller = tellers[name]
                heard = spoken[name].images if name in spoken else 0
                if heard < len(images) and name != PEOPLE:
                    spoken[name] = measure_speech(name, teller, images)
                found = measure_pair(key[:2], game, {INSTRUCTOR: teller, EXECUTOR: painter}, images)
                pairs[key] = found
                scores = [(image, *one) for image, one in found.scores.items()]
                print(*key, _pair_cell(scores), f"{found.asked} questions", sep=" | ", flush=True)
                saved = msgspec.json.encode(Pairs(list(spoken.values()), list(pairs.values())))
                options.out.write_bytes(msgspec.json.format(saved, indent=1) + b"\n")


if __name__ == "__main__":
    main()
