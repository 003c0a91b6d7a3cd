"""Prints F1 and exact match of trained executors on a split, by context, level and category.

    python papers/hexagons/evaluate.py DATA WEIGHTS… [--split dev] [--contexts CONTEXT,…] [--out FILE]

It carries procedures out in batches, own answers fed back, as `groundling play` does, faster on a GPU."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from groundling.games.hexagons.data import read_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.neural.building import load_executor
from groundling.games.hexagons.neural.executor import carry_out_procedures, score_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import Tile, paint_cells
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.situations import SAME_INPUT
from groundling.train.devices import select_device


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
            cells = paint_cells(cells, answer)
        right += cells == image.target.cells
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--split", default="dev")
    parser.add_argument(
        "--contexts", default="", help="parted by commas; else those that the model was trained for"
    )
    parser.add_argument("--out", type=Path, help="a JSON file with every answer")
    given = parser.parse_args()
    images = read_images(given.data, given.split)
    procedures = [Procedure.from_image(image) for image in images]
    kept: dict[str, Any] = {}
    for folder in given.weights:
        model, card, _ = load_executor(folder)
        model.to(select_device()).eval()
        if isinstance(model, Generator) and model.where.type == "cuda":
            model.halve_base()
        for context in given.contexts.split(",") if given.contexts else contexts_of(card.settings["context"]):
            begun = time.monotonic()
            done = carry_out_procedures(model, procedures, context)
            table = tabulate(images, score_actions(procedures, done))
            final = count_final_boards(images, done)
            took = time.monotonic() - begun
            print(f"{folder.name} {context}: final boards {final} of {len(images)}, {took:.0f} s", flush=True)
            told = " | ".join(
                f"{name} ({many}) {f1:.1f}/{exact:.1f}" for name, (many, f1, exact) in table.items()
            )
            print(f"  {told}", flush=True)
            kept[f"{folder.name} {context}"] = [
                [[[*tile, colour] for tile, colour in answer.items()] for answer in answers]
                for answers in done
            ]
    if given.out:
        given.out.write_bytes(msgspec.json.encode(kept))


if __name__ == "__main__":
    main()
