"""Small data in the published form, told by the narrator, and tiny models to train on it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from groundling.cli import main
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import ImageRecipe, make

TINY_LLAMA = {"width": 32, "layers": 1, "heads": 2, "kv_heads": 1, "inner": 64, "answer": 8}
TINY_TILES = {"width": 32, "heads": 2, "layers": 1}
QUICK = ["--steps", "4", "--every", "4", "--batch", "4"]


@cache
def told_images(many: int = 7) -> tuple[HexagonsImage, ...]:
    return tuple(make(ImageRecipe(n=many, told="2", seed=3)))


def write_published(folder: Path, many: int = 7) -> Path:
    """The images as train.jsonl and dev.jsonl, as people's data is published."""
    folder.mkdir(parents=True, exist_ok=True)
    images = told_images(many)
    for part, those in (("train", images[:-2]), ("dev", images[-2:])):
        lines = [json.dumps(_record(number, image, part)) for number, image in enumerate(those)]
        (folder / f"{part}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def _record(number: int, image: HexagonsImage, part: str) -> dict[str, Any]:
    steps = [[0, "NONE", [0] * 180]]
    steps += [[place, step.text, [*map(int, step.board.cells)]] for place, step in enumerate(image.steps, 1)]
    return {
        "index": number if part == "train" else 500 + number,
        "annotation_round": 1,
        "category": image.category,
        "image_id": f"P01C01T{image.image}",
        "instructor_id": 1,
        "number_of_drawing_steps": len(image.steps),
        "agreement_tags": "None",
        "agreement_scores": "None",
        "drawing_procedure": steps,
    }


def train(trainer: str, data: Path, out: Path, *more: str, settings: dict[str, Any] | None = None) -> Path:
    """A trained folder, made as a user makes it."""
    words = ["train", trainer, "--data", str(data), "-o", str(out), *QUICK, *more]
    assert main([*words, "--settings", json.dumps(settings)] if settings else words) == 0
    return out
