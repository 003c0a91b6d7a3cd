"""The reports that `groundling codraw` prints."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
from msgspec import Struct

from groundling.boards.picture import render_png
from groundling.boards.scene.batches import unpack_scenes
from groundling.core.pack import choices_hint
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.games.codraw.batch_similarity import similarities
from groundling.games.codraw.game_strip import draw_strip
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.neural.evaluation.batch_players import WeightsBatchDrawer, WeightsBatchTeller
from groundling.games.codraw.neural.evaluation.language_tables import (
    collect_scripts,
    panel_labels,
    panel_table,
    words_table,
)
from groundling.games.codraw.neural.evaluation.play_cache import DialogSplits, PlayCache
from groundling.games.codraw.neural.evaluation.result_rows import PlayerRoster, list_result_rows
from groundling.games.codraw.neural.evaluation.text_tables import component_table, control_table, main_table
from groundling.games.codraw.neural.evaluation.weights_folders import (
    Halves,
    find_weights,
    read_weights_folder,
)
from groundling.games.codraw.neural.evaluation.worker_processes import run_missing_tasks

_SPLITS = {"paper": "The paper's halves", "grouped": "Grouped halves: no scene of one prompt on two sides"}


class ReportOptions(Struct, frozen=True, kw_only=True):
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


def make_rosters(order: ReportOptions) -> tuple[list[PlayerRoster], list[str]]:
    """Make a roster for each way to halve the dialogs that the weights use, with notes about weights left
    out."""
    weights, notes = find_weights(order.folders)
    dialogs = DialogSplits(order.data)
    stages = [
        PlayCache(dialogs, halves, order.part, order.kept, order.limit, plays=order.plays)
        for halves in get_args(Halves)
        if any(one.halves == halves for one in weights)
    ]
    return [PlayerRoster(stage, weights) for stage in stages], notes


def _play_ahead(
    company: PlayerRoster, order: ReportOptions, *tables: Callable[[PlayerRoster], Iterable[object]]
) -> None:
    """Play the games of these tables in several processes, if there are several."""

    def read_tables() -> None:
        for table in tables:
            deque(table(company), 0)

    if order.plays and order.processes > 1:
        run_missing_tasks(company.stage, read_tables, order.processes)


def result_report(order: ReportOptions) -> Iterator[str]:
    found, notes = make_rosters(order)
    for company in found:
        _play_ahead(company, order, list_result_rows, control_table)
        yield f"# {_SPLITS[company.stage.halves]}"
        played = list(list_result_rows(company))
        yield from main_table(company, played)
        yield from ("", "## What the similarities are made of")
        yield from component_table(company, played)
        yield from ("", "## Without words")
        yield from control_table(company)
        yield ""
    yield from dict.fromkeys([*notes, *(note for company in found for note in company.notes)])


def language_report(order: ReportOptions, panel: Sequence[str] = ()) -> Iterator[str]:
    """Yield the language report, with a panel of all Drawers or of those with these labels."""
    found, notes = make_rosters(order)
    known = sorted({label for company in found for label in panel_labels(company)})
    if strange := [label for label in panel if label not in known]:
        raise Problem(f"there is no Drawer {strange[0]!r} for the panel: {choices_hint(known)}")
    for company in found:
        _play_ahead(company, order, collect_scripts, partial(panel_table, wanted=panel))
        yield f"# {_SPLITS[company.stage.halves]}: still human language?"
        yield from words_table(company)
        yield from ("", "## Who understands it")
        yield from panel_table(company, panel)
        yield ""
    yield from dict.fromkeys([*notes, *(note for company in found for note in company.notes)])


def write_pictures(
    teller: Path, drawer: Path, data: Path, part: str, many: int, out: Path, kept: Path | None
) -> Iterator[str]:
    """Draw games as SVG and PNG, chosen evenly by rank without the poorest and the best fifth."""
    told, draws = read_weights_folder(teller), read_weights_folder(drawer)
    if (told.role, draws.role) != (TELLER, DRAWER):
        raise Problem(
            f"{teller} is a {told.role} and {drawer} a {draws.role}: "
            "give the folders of a teller and a drawer"
        )
    stage = PlayCache(DialogSplits(data), told.halves, part, kept)
    hand, script = WeightsBatchDrawer(draws), stage.teller_script(WeightsBatchTeller(told))
    final = similarities(stage.targets, stage.drawn_scenes(script, hand))
    order = final.argsort()
    out.mkdir(parents=True, exist_ok=True)
    for number in range(many):
        row = int(order[round((len(order) - 1) * (0.2 + 0.6 * number / max(many - 1, 1)))])
        beginnings = [script[row][: rounds + 1] for rounds in range(len(script[row]))]
        canvases = hand.draw_script(beginnings)
        scores = similarities(np.repeat(stage.targets[row : row + 1], len(canvases), axis=0), canvases)
        steps = list(zip(script[row], unpack_scenes(canvases), scores.tolist(), strict=True))
        title = (
            f"{stage.ids[row]}: {told.label} {told.half} tells, {draws.label} {draws.half} draws; "
            f"similarity {final[row]:.2f}"
        )
        picture = draw_strip(unpack_scenes(stage.targets[row : row + 1])[0], steps, title)
        file = out / f"{stage.ids[row]}.svg"
        write_whole(file, picture.encode())
        write_whole(file.with_suffix(".png"), render_png(picture))
        yield f"{file.with_suffix('.png')}: {title}"
