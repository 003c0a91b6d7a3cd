"""Writes a set of samples as a folder of the reference implementation: samples.json and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from groundling.boards.picture import render_png
from groundling.games.director.data import sample_to_data_record
from groundling.games.director.draw import draw
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.rules import PARTICIPANT, DirectorGame, DirectorSettings, Sample


def write_sample_folder(recipe: SampleRecipe, samples: Sequence[Sample]) -> Iterator[tuple[str, bytes]]:
    """Yield the files beside the instances, by path; pictures are drawn one at a time."""
    images = [
        f"images/sample_{number:04d}.png" if recipe.pictures else None for number in range(len(samples))
    ]
    told = [sample_to_data_record(sample, number, images[number]) for number, sample in enumerate(samples)]
    yield "samples.json", msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
    game = DirectorGame(DirectorSettings())
    for sample, image in zip(samples, images, strict=True):
        if image:
            yield image, render_png(draw(game.view(game.start(sample), PARTICIPANT)).svg)
