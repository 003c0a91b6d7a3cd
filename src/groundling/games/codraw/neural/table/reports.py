"""What `groundling codraw` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import numpy as np

from .....boards.picture import png
from .....boards.scene.packed import unpack
from .....core.values import Problem
from .....files import write_whole
from ...batches import similarities
from ...park import DRAWER, TELLER
from ...strip import strip
from .cast import Halves, find, read
from .language import panel_table, words_table
from .players import WeightsHand, WeightsVoice
from .printing import component_table, control_table, main_table
from .rows import Company, rows
from .stage import Data, Stage

_SPLITS = {"paper": "The paper's halves", "grouped": "Grouped halves: no scene of one prompt on two sides"}


def companies(
    folders: Sequence[Path], data: Path, part: str, kept: Path | None, limit: int | None, plays: bool, notes: list[str]
) -> Iterator[Company]:
    """One for each way to halve the dialogs that any of the weights were trained by."""
    weights, left_out = find(folders)
    notes += left_out
    dialogs = Data(data)
    for halves in get_args(Halves):
        if any(one.halves == halves for one in weights):
            company = Company(Stage(dialogs, halves, part, kept, limit, plays=plays), weights)
            yield company
            notes += company.notes


def results(
    folders: Sequence[Path], data: Path, part: str, kept: Path | None, limit: int | None, plays: bool = True
) -> Iterator[str]:
    notes: list[str] = []
    for company in companies(folders, data, part, kept, limit, plays, notes):
        yield f"# {_SPLITS[company.stage.halves]}"
        found = list(rows(company))
        yield from main_table(company, found)
        yield from ("", "## What the similarities are made of")
        yield from component_table(company, found)
        yield from ("", "## Without words")
        yield from control_table(company)
        yield ""
    yield from dict.fromkeys(notes)


def languages(
    folders: Sequence[Path], data: Path, part: str, kept: Path | None, limit: int | None, plays: bool = True
) -> Iterator[str]:
    notes: list[str] = []
    for company in companies(folders, data, part, kept, limit, plays, notes):
        yield f"# {_SPLITS[company.stage.halves]}: still human language?"
        yield from words_table(company)
        yield from ("", "## Who understands it")
        yield from panel_table(company)
        yield ""
    yield from dict.fromkeys(notes)


def pictures(teller: Path, drawer: Path, data: Path, part: str, many: int, out: Path, kept: Path | None) -> Iterator[str]:
    """Games from the poorest fifth of all to the best, evenly by rank; as SVG and PNG."""
    told, draws = read(teller), read(drawer)
    if (told.role, draws.role) != (TELLER, DRAWER):
        raise Problem(f"{teller} is a {told.role} and {drawer} a {draws.role}: give the folders of a teller and a drawer")
    stage = Stage(Data(data), told.halves, part, kept)
    hand, script = WeightsHand(draws), stage.said(WeightsVoice(told))
    final = similarities(stage.targets, stage.drawn(script, hand))
    order = final.argsort()
    out.mkdir(parents=True, exist_ok=True)
    for number in range(many):
        row = int(order[round((len(order) - 1) * (0.2 + 0.6 * number / max(many - 1, 1)))])
        beginnings = [script[row][: rounds + 1] for rounds in range(len(script[row]))]
        canvases = hand.draw(beginnings)
        scores = similarities(np.repeat(stage.targets[row : row + 1], len(canvases), axis=0), canvases)
        steps = list(zip(script[row], unpack(canvases), scores.tolist(), strict=True))
        title = (
            f"{stage.ids[row]}: {told.label} {told.half} tells, {draws.label} {draws.half} draws; similarity {final[row]:.2f}"
        )
        picture = strip(unpack(stage.targets[row : row + 1])[0], steps, title)
        file = out / f"{stage.ids[row]}.svg"
        write_whole(file, picture.encode())
        write_whole(file.with_suffix(".png"), png(picture))
        yield f"{file.with_suffix('.png')}: {title}"
