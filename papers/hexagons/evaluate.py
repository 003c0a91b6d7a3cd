"""Prints F1 and exact match of trained executors on a split, by context, level and category.

    python -m papers.hexagons.evaluate DATA WEIGHTS… [--split dev] [--contexts CONTEXT,…] [--out FOLDER]

It carries procedures out in batches, own answers fed back, as `groundling play` does, faster on a GPU. A run
of `groundling play` can stand in place of weights. With --out, the answers go to a file for each row, from
which tables.py makes tables: a line on the row, then a line for each procedure."""

from __future__ import annotations

import argparse
import gzip
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from papers.commands import report_problems

from groundling.boards.hexes import COLOURS
from groundling.core.events import Replied
from groundling.core.replay import replay_transcript
from groundling.core.values import Problem
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.neural.executor import run_executor, score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells, write_action_notation
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.situations import SAME_INPUT
from groundling.games.hexagons.rules import painted_actions
from groundling.runs.run import open_run
from groundling.train.devices import select_device
from groundling.train.weights import ModelCard, has_weights


def contexts_of(trained: str) -> list[str]:
    """The context that a model was trained in, and the one with gold boards that looks the same to it."""
    return [trained, *(oracle for oracle, same in SAME_INPUT.items() if same == trained)]


def tabulate(
    images: Sequence[HexagonsImage], scores: np.ndarray[Any, Any]
) -> dict[str, tuple[int, float, float]]:
    """How many instructions, F1 and exact match: of all, and by level and category."""
    rows: dict[str, list[int]] = defaultdict(list)
    number = 0
    for image in images:
        for step in image.steps:
            rows["all"].append(number)
            rows[f"level {step.level}"].append(number)
            rows[image.category].append(number)
            number += 1
    return {
        name: (len(places), 100 * scores[places, 2].mean(), 100 * scores[places, 3].mean())
        for name, places in sorted(
            rows.items(), key=lambda item: (item[0] != "all", "level" not in item[0], item[0])
        )
    }


def count_final_boards(images: Sequence[HexagonsImage], done: Sequence[Sequence[dict[Tile, str]]]) -> int:
    """How many last boards are the target."""
    right = 0
    for image, answers in zip(images, done, strict=True):
        cells = BLANK
        for answer in answers:
            cells = paint_notation_cells(cells, answer)
        right += cells == image.target.cells
    return right


def describe(name: str, card: ModelCard, context: str) -> dict[str, Any]:
    """What a row of the tables is a row of."""
    return {
        "name": name,
        "model": card.model,
        "context": context,
        "trained": card.settings["context"],
        "seed": card.job["seed"],
        "share": card.job["share"],
        "narrated": card.job["narrated"],
        "steps": card.done,
        "finished": card.finished,
        "set_aside": card.scores,
    }


def read_run(
    folder: Path, images: Sequence[HexagonsImage]
) -> tuple[dict[str, Any], list[list[dict[Tile, str]]], list[list[float]]]:
    """The row, the answers and, of a `reader`, the expected F1 of each, in a run with recorded
    instructions."""
    run = open_run(folder)
    game, found = run.make_game(), dict[str, list[dict[Tile, str]]]()
    expected: dict[str, list[float]] = {}
    for transcript in run.read_transcripts():
        painted = painted_actions(replay_transcript(game, transcript))
        found[transcript.opened.instance.id] = [
            {(row, column): _colour(colour) for row, column, colour in step} for step in painted
        ]
        expected[transcript.opened.instance.id] = [
            event.detail["expected"]
            for event in transcript.events
            if isinstance(event, Replied) and "expected" in event.detail
        ]
        name, context = transcript.opened.seats["executor"], transcript.opened.settings.context
    if missing := sum(image.id not in found for image in images):
        raise Problem(f"{folder} has not played {missing} of {len(images)} procedures: play the whole split")
    row = {"name": name, "model": name, "context": context}
    return row, [found[image.id] for image in images], [expected[image.id] for image in images]


def _colour(colour: int | str) -> str:
    return COLOURS[colour] if isinstance(colour, int) else colour


def write_answers(
    folder: Path,
    row: dict[str, Any],
    images: Sequence[HexagonsImage],
    done: Sequence[Sequence[dict[Tile, str]]],
    expected: Sequence[Sequence[float]] = (),
) -> None:
    """The same bytes for the same answers, which are written as generators write theirs."""
    lines = [row]
    for number, (image, answers) in enumerate(zip(images, done, strict=True)):
        line = {"id": image.id, "answers": [write_action_notation(answer, "runs") for answer in answers]}
        lines.append(line | {"expected": expected[number]} if any(expected) else line)
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{row['name']}.{row['context']}.jsonl.gz").write_bytes(gzip.compress(text, mtime=0))


def evaluate_weights(
    folder: Path, images: Sequence[HexagonsImage], contexts: Sequence[str], out: Path | None, beams: int = 1
) -> None:
    """Print what weights reach, and write their answers; without contexts, in those of the training."""
    procedures = [Procedure.from_image(image) for image in images]
    model, card, _ = load_executor_model(folder)
    model.to(select_device()).eval()
    name = folder.name
    if isinstance(model, Generator):
        model.settings = replace(model.settings, beams=beams)
        if beams > 1:
            stem, _, seed = name.rpartition("-")
            name = f"{stem}-beam{beams}-{seed}"
        model.prepare_to_play(model.where)
    for context in contexts or contexts_of(card.settings["context"]):
        begun = time.monotonic()
        done = run_executor(model, procedures, context)
        table = tabulate(images, score_executor_actions(procedures, done))
        final = count_final_boards(images, done)
        took = time.monotonic() - begun
        print(f"{name} {context}: final boards {final} of {len(images)}, {took:.0f} s", flush=True)
        told = " | ".join(
            f"{name} ({many}) {f1:.1f}/{exact:.1f}" for name, (many, f1, exact) in table.items()
        )
        print(f"  {told}", flush=True)
        if out:
            write_answers(out, describe(name, card, context), images, done)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--split", default="dev")
    parser.add_argument(
        "--contexts", default="", help="comma-separated; else those that the model was trained for"
    )
    parser.add_argument("--beams", type=int, default=1, help="answers that a generator continues at a time")
    parser.add_argument("--out", type=Path, help="a folder for files with every answer")
    given = parser.parse_args()
    images = read_data_images(given.data, given.split)
    procedures = [Procedure.from_image(image) for image in images]
    for folder in given.weights:
        if not has_weights(folder):
            row, done, expected = read_run(folder, images)
            table = tabulate(images, score_executor_actions(procedures, done))
            print(f"{row['name']} {row['context']}: {table['all'][1]:.1f}/{table['all'][2]:.1f}", flush=True)
            if given.out:
                write_answers(given.out, row, images, done, expected)
            continue
        contexts = given.contexts.split(",") if given.contexts else []
        evaluate_weights(folder, images, contexts, given.out, given.beams)


if __name__ == "__main__":
    main()
