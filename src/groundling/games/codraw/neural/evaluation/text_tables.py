"""Formats the tables as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

import numpy as np

from groundling.boards.scene.batches import LOOK, Batch
from groundling.games.codraw.batch_similarity import Floats, component_arrays, similarities
from groundling.games.codraw.neural.evaluation.result_rows import (
    PEOPLE,
    SCRIPT,
    PlayedScenes,
    PlayerRoster,
    ResultRow,
    shuffle_without_fixed_points,
    silence_script,
)
from groundling.games.codraw.similarity import BEST
from groundling.games.codraw.text_table import format_table
from groundling.scores.intervals import estimate_mean

Cells: TypeAlias = tuple[str, ...]
NONE = "-"
LOST = ("flip", "size", "pose", "expression", "distance", "order")


def format_number(value: float | None, digits: int = 2) -> str:
    return NONE if value is None or np.isnan(value) else f"{value:.{digits}f}"


def main_table(company: PlayerRoster, found: Sequence[ResultRow]) -> Iterator[str]:
    """Yield the paper's Table 1, with more rows."""
    head = ("teller", "drawer", "similarity", "b draws", "a draws", "trained", "spread", "paper, on test")
    yield from _table_with_parts(head, found, lambda row: _main_cells(company, row))
    yield (
        f"{company.stage.about}; 95 % intervals resample clusters; spread: "
        "standard deviation between seeds of one half"
    )


def _main_cells(company: PlayerRoster, row: ResultRow) -> Cells:
    stage = company.stage
    if not row.games:
        return row.teller, row.drawer, NONE, NONE, NONE, NONE, NONE, format_number(row.paper_score)
    scores = [similarities(stage.targets, game.drawn) for game in row.games]
    found = estimate_mean(np.concatenate(scores), stage.clusters * len(scores), low=0.0, high=BEST)
    means = [float(each.mean()) for each in scores]
    return (
        row.teller,
        row.drawer,
        f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]",
        *(_half_mean(row.games, means, half) for half in "ba"),
        _count_trainings(row.games),
        format_number(seed_spread(row.games, means), 3),
        format_number(row.paper_score),
    )


def _half_mean(games: Sequence[PlayedScenes], means: Sequence[float], half: str) -> str:
    mine = [mean for game, mean in zip(games, means, strict=True) if game.half == half]
    return format_number(float(np.mean(mine))) if mine else NONE


def _count_trainings(games: Sequence[PlayedScenes]) -> str:
    """Format the number of trainings of each half."""
    halves = [game.half for game in games if game.half]
    return "+".join(str(halves.count(half)) for half in dict.fromkeys(halves)) or NONE


def seed_spread(games: Sequence[PlayedScenes], means: Sequence[float]) -> float | None:
    """Compute the standard deviation between seeds of the same half."""
    halves = {
        half: [m for g, m in zip(games, means, strict=True) if g.half == half]
        for half in {g.half for g in games}
    }
    several = [(float(np.var(some, ddof=1)), len(some) - 1) for some in halves.values() if len(some) > 1]
    return float(np.sqrt(sum(v * n for v, n in several) / sum(n for _, n in several))) if several else None


def component_table(company: PlayerRoster, found: Sequence[ResultRow]) -> Iterator[str]:
    """Yield the table of the components of the similarities."""
    head = ("teller", "drawer", "similarity", "precision", "recall", "F1", *LOST)
    played = [row for row in found if row.games]
    yield from _table_with_parts(head, played, lambda row: _component_cells(company.stage.targets, row))
    yield "precision, recall, F1: of the kinds drawn, over all scenes; then points of similarity lost by each"


def _component_cells(targets: Batch, row: ResultRow) -> Cells:
    parts = [component_arrays(targets, game.drawn) for game in row.games]
    mean = {name: float(np.mean([part[name].mean() for part in parts])) for name in parts[0]}
    points = BEST * mean["kinds"] - sum(mean[name] for name in LOST)
    kinds = np.mean([_kind_overlap(targets, game.drawn) for game in row.games], axis=0)
    lost = (format_number(mean[name], 3) for name in LOST)
    return (
        row.teller,
        row.drawer,
        format_number(points, 3),
        *(format_number(float(one), 3) for one in kinds),
        *lost,
    )


def _kind_overlap(targets: Batch, drawn: Batch) -> Floats:
    wanted, found = targets[:, LOOK] >= 0, drawn[:, LOOK] >= 0
    both = (wanted & found).sum()
    return np.array(
        [
            both / max(found.sum(), 1),
            both / max(wanted.sum(), 1),
            2 * both / max(wanted.sum() + found.sum(), 1),
        ]
    )


def control_table(company: PlayerRoster) -> Iterator[str]:
    """Yield the table of controls: each Drawer hears people's words, no words, or those of another scene. For
    the last it is enough to compare with the drawing of the other scene."""
    stage, people = company.stage, company.stage.people_scripts()
    other = shuffle_without_fixed_points(len(people))

    def mean_similarity(row: ResultRow, order: Sequence[int]) -> str:
        return format_number(
            float(np.mean([similarities(stage.targets, game.drawn[order]).mean() for game in row.games])), 3
        )

    same = range(len(people))
    nothing = {
        row.drawer: mean_similarity(row, same)
        for row in company.rows_for_script(SCRIPT, PEOPLE, silence_script(people))
    }
    heard = list(company.rows_for_script(SCRIPT, PEOPLE, people))
    rows = [
        (row.drawer, mean_similarity(row, same), nothing.get(row.drawer, NONE), mean_similarity(row, other))
        for row in heard
    ]
    yield from format_table(("drawer", "people's words", '"…"', "another scene's"), rows)
    yield "a blind Drawer was trained without words, and hears only that something was said"


def _table_with_parts(
    head: Cells, found: Iterable[ResultRow], cells: Callable[[ResultRow], Cells]
) -> Iterator[str]:
    """Yield a table with a heading for each part."""
    body = [(row.part, cells(row)) for row in found]
    lines = list(format_table(head, [row for _, row in body]))
    yield lines[0]
    rest = iter(lines[1:])
    for part, some in groupby(part for part, _ in body):
        yield f"-- {part}"
        for _ in some:
            yield next(rest)
