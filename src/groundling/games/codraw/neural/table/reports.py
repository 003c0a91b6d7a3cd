"""The reports that `groundling codraw` prints."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
from msgspec import Struct

from groundling.boards.picture import png
from groundling.boards.scene.packed import unpack
from groundling.core.pack import choices
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.games.codraw.batches import similarities
from groundling.games.codraw.neural.table.cast import Halves, find, read
from groundling.games.codraw.neural.table.crew import work
from groundling.games.codraw.neural.table.language import panel_table, seated, speeches, words_table
from groundling.games.codraw.neural.table.players import WeightsHand, WeightsVoice
from groundling.games.codraw.neural.table.printing import component_table, control_table, main_table
from groundling.games.codraw.neural.table.rows import Company, rows
from groundling.games.codraw.neural.table.stage import Data, Stage
from groundling.games.codraw.park import DRAWER, TELLER
from groundling.games.codraw.strip import strip

_SPLITS = {"paper": "The paper's halves", "grouped": "Grouped halves: no scene of one prompt on two sides"}


class Order(Struct, frozen=True, kw_only=True):
    """What the reports are made from."""

    folders: Sequence[Path]
    data: Path
    part: str = "val"
    kept: Path | None = None
    """The folder where played games are kept; by default the user's cache."""
    limit: int | None = None
    """Only this many scenes, from the first."""
    plays: bool = True
    """Play games that are not kept; otherwise show only kept ones."""
    processes: int = 1


def companies(order: Order) -> tuple[list[Company], list[str]]:
    """Make a roster for each way to halve the dialogs that the weights use, with notes about weights left
    out."""
    weights, notes = find(order.folders)
    dialogs = Data(order.data)
    stages = [
        Stage(dialogs, halves, order.part, order.kept, order.limit, plays=order.plays)
        for halves in get_args(Halves)
        if any(one.halves == halves for one in weights)
    ]
    return [Company(stage, weights) for stage in stages], notes


def _ready(company: Company, order: Order, *tables: Callable[[Company], Iterable[object]]) -> None:
    """Play the games of these tables in several processes, if there are several."""

    def look() -> None:
        for table in tables:
            deque(table(company), 0)

    if order.plays and order.processes > 1:
        work(company.stage, look, order.processes)


def results(order: Order) -> Iterator[str]:
    found, notes = companies(order)
    for company in found:
        _ready(company, order, rows, control_table)
        yield f"# {_SPLITS[company.stage.halves]}"
        played = list(rows(company))
        yield from main_table(company, played)
        yield from ("", "## What the similarities are made of")
        yield from component_table(company, played)
        yield from ("", "## Without words")
        yield from control_table(company)
        yield ""
    yield from dict.fromkeys([*notes, *(note for company in found for note in company.notes)])


def languages(order: Order, panel: Sequence[str] = ()) -> Iterator[str]:
    """Yield the language report, with a panel of all Drawers or of those with these labels."""
    found, notes = companies(order)
    known = sorted({label for company in found for label in seated(company)})
    if strange := [label for label in panel if label not in known]:
        raise Problem(f"there is no Drawer {strange[0]!r} for the panel: {choices(known)}")
    for company in found:
        _ready(company, order, speeches, partial(panel_table, wanted=panel))
        yield f"# {_SPLITS[company.stage.halves]}: still human language?"
        yield from words_table(company)
        yield from ("", "## Who understands it")
        yield from panel_table(company, panel)
        yield ""
    yield from dict.fromkeys([*notes, *(note for company in found for note in company.notes)])


def pictures(
    teller: Path, drawer: Path, data: Path, part: str, many: int, out: Path, kept: Path | None
) -> Iterator[str]:
    """Draw games as SVG and PNG, chosen evenly by rank without the poorest and the best fifth."""
    told, draws = read(teller), read(drawer)
    if (told.role, draws.role) != (TELLER, DRAWER):
        raise Problem(
            f"{teller} is a {told.role} and {drawer} a {draws.role}: "
            "give the folders of a teller and a drawer"
        )
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
            f"{stage.ids[row]}: {told.label} {told.half} tells, {draws.label} {draws.half} draws; "
            f"similarity {final[row]:.2f}"
        )
        picture = strip(unpack(stage.targets[row : row + 1])[0], steps, title)
        file = out / f"{stage.ids[row]}.svg"
        write_whole(file, picture.encode())
        write_whole(file.with_suffix(".png"), png(picture))
        yield f"{file.with_suffix('.png')}: {title}"
