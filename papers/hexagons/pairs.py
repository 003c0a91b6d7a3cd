"""Measures how well executors redraw dev's images from the words of instructors that see only the image.

    python -m papers.hexagons.pairs DATA OUT.json [--executors parser,weights/hexagons-reader,…]

Each instructor describes each of dev's images once; people's rows are the recorded procedures, from the
answers in results/. OUT.json keeps the scores of last boards by image, which tables.py prints."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean

import msgspec
from msgspec import Struct

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.narration import NarrationStep, narrate_image
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.neural.executor import run_executor
from groundling.games.hexagons.neural.hints import read_by_rules
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.notation import paint_notation_cells
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.reader import (
    CHOICE_FILE,
    CONTEXT,
    Reader,
    load_reader_network,
    read_choice,
)
from groundling.games.hexagons.neural.situations import make_situation
from groundling.games.hexagons.players.describer import describe_target, read_wordings
from groundling.games.hexagons.players.naive import find_naive_tiles
from groundling.games.hexagons.tile_scores import TileScores, board_scores
from groundling.scores.intervals import estimate_mean

WORDINGS = Path("weights/hexagons-describer")
Redraw = Callable[[Sequence[Procedure]], list[str]]
"""The last boards of an executor."""


class PairScores(Struct, frozen=True):
    """The last boards of an instructor and an executor."""

    instructor: str
    executor: str
    scores: dict[str, tuple[float, float]]
    """F1 and exact match by image."""


class Spoken(Struct, frozen=True):
    """What an instructor says of dev's images."""

    instructor: str
    images: int
    steps: int
    words: int
    levels: tuple[int, ...]
    """How many steps have the levels none, low, and above."""


class Pairs(Struct, frozen=True):
    spoken: list[Spoken]
    pairs: list[PairScores]


def tell_images(images: Sequence[HexagonsImage]) -> dict[str, list[list[NarrationStep]]]:
    """The steps of each instructor for each image."""
    learned = read_wordings(WORDINGS).wordings
    return {
        "describer, people's words": [describe_target(one.target, learned) for one in images],
        "describer, narrator's words": [describe_target(one.target) for one in images],
        "narrator, lines": [narrate_image(one.target, 1, Random(f"0 {one.id}")) for one in images],
        "narrator, tiles": [narrate_image(one.target, 0, Random(f"0 {one.id}")) for one in images],
    }


def find_executor(name: str) -> Redraw:
    if name == "parser":
        return lambda procedures: [_redraw_by_rules(one) for one in procedures]
    if name == "naive":
        return lambda procedures: [_paint_all(list(map(find_naive_tiles, one.texts))) for one in procedures]
    folder = Path(name)
    if (folder / CHOICE_FILE).is_file():
        reader = Reader(load_reader_network(folder)[0], read_choice(folder).weights)
        return lambda procedures: [_redraw_by_reader(reader, one) for one in procedures]
    model = load_executor_model(folder)[0].eval()
    return lambda procedures: [_paint_all(answers) for answers in run_executor(model, procedures, CONTEXT)]


def _paint_all(answers: Sequence[dict[tuple[int, int], str]]) -> str:
    cells = BLANK
    for answer in answers:
        cells = paint_notation_cells(cells, answer)
    return cells


def _redraw_by_rules(procedure: Procedure) -> str:
    cells = BLANK
    for number in range(len(procedure.texts)):
        cells = paint_notation_cells(cells, read_by_rules(procedure.texts[: number + 1], cells).painted)
    return cells


def _redraw_by_reader(reader: Reader, procedure: Procedure) -> str:
    boards = [BLANK]
    for number in range(len(procedure.texts)):
        found, _ = reader.answer_situation(make_situation(CONTEXT, procedure.texts, boards, number))
        boards.append(paint_notation_cells(boards[-1], found))
    return boards[-1]


def list_pair_tables(
    file: Path, images: Sequence[HexagonsImage], people: Mapping[str, Mapping[str, TileScores]]
) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """Last boards by instructor and executor, and what the instructors say. People's are those of recorded
    procedures, by executor and id."""
    found = msgspec.json.decode(file.read_bytes(), type=Pairs)
    executors = list(dict.fromkeys(one.executor for one in found.pairs))
    where = {image.id: near_copy_base_id(image.image) for image in images}
    cells = {
        (one.instructor, one.executor): [(image, *scores) for image, scores in one.scores.items()]
        for one in found.pairs
    }
    for executor, boards in people.items():
        cells["people", executor] = [(where[each], one.f1, one.exact) for each, one in boards.items()]
    names = [*dict.fromkeys(one.instructor for one in found.pairs), "people"]
    title = "Instructor by executor, dev's 20 images: F1 / exact match of the last board"
    yield (
        title,
        ("", *executors),
        [[name, *(_pair_cell(cells.get((name, executor), [])) for executor in executors)] for name in names],
    )
    steps = [step for image in images for step in image.steps]
    levels = tuple(sum(step.level == level for step in steps) for level in range(3))
    words = sum(len(step.text.split()) for step in steps)
    yield (
        "What instructors say, and its level",
        ("", "steps an image", "words a step", "none", "low", "above"),
        [
            [
                one.instructor,
                f"{one.steps / one.images:.1f}",
                f"{one.words / one.steps:.1f}",
                *(f"{100 * level / one.steps:.0f} %" for level in one.levels),
            ]
            for one in (*found.spoken, Spoken("people", len(images), len(steps), words, levels))
        ],
    )


def _pair_cell(scores: Sequence[tuple[str, float, float]]) -> str:
    if not scores:
        return ""
    places = [image for image, *_ in scores]
    f1 = estimate_mean([100 * one for _, one, _ in scores], places, low=0, high=100)
    return f"{f1.mean:.1f} [{f1.low:.1f}, {f1.high:.1f}] / {100 * fmean(one for *_, one in scores):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--executors", default="parser")
    options = parser.parse_args()
    images = list({one.image: one for one in reversed(read_data_images(options.data, "dev"))}.values())
    told = tell_images(images)
    spoken = [
        Spoken(
            name,
            len(images),
            sum(map(len, steps)),
            sum(len(step.text.split()) for one in steps for step in one),
            tuple(sum(min(step.level, 2) == level for one in steps for step in one) for level in range(3)),
        )
        for name, steps in told.items()
    ]
    pairs = msgspec.json.decode(options.out.read_bytes(), type=Pairs).pairs if options.out.exists() else []
    for executor in options.executors.split(","):
        redraw = find_executor(executor)
        for name, steps in told.items():
            procedures = [
                Procedure(
                    one.id,
                    one.image,
                    tuple(step.text for step in said),
                    (BLANK, *(step.board.cells for step in said)),
                )
                for one, said in zip(images, steps, strict=True)
            ]
            scores = {
                one.image: board_scores(one.target, cells)[2:]
                for one, cells in zip(images, redraw(procedures), strict=True)
            }
            found = PairScores(name, Path(executor).name, scores)
            pairs = [one for one in pairs if (one.instructor, one.executor) != (name, found.executor)] + [
                found
            ]
            print(
                name,
                found.executor,
                *(round(100 * sum(each) / len(scores), 1) for each in zip(*scores.values(), strict=True)),
                flush=True,
            )
    options.out.write_bytes(msgspec.json.format(msgspec.json.encode(Pairs(spoken, pairs)), indent=1) + b"\n")


if __name__ == "__main__":
    main()
