"""Formats the tables as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

import numpy as np

from groundling.boards.scene.packed import LOOK, Batch
from groundling.games.codraw.batches import Floats, component_arrays, similarities
from groundling.games.codraw.neural.table.rows import PEOPLE, SCRIPT, Company, Game, Row, moved_on, silent
from groundling.games.codraw.similarity import BEST
from groundling.games.codraw.tables import table
from groundling.scores.intervals import estimate

Cells: TypeAlias = tuple[str, ...]
NONE = "-"
LOST = ("flip", "size", "pose", "expression", "distance", "order")


def number(value: float | None, digits: int = 2) -> str:
    return NONE if value is None or np.isnan(value) else f"{value:.{digits}f}"


def main_table(company: Company, found: Sequence[Row]) -> Iterator[str]:
    """Yield the paper's Table 1, with more rows."""
    head = ("teller", "drawer", "similarity", "b draws", "a draws", "trained", "spread", "paper, on test")
    yield from _parted(head, found, lambda row: _main(company, row))
    yield (
        f"{company.stage.about}; 95 % intervals resample clusters; spread: "
        "standard deviation between seeds of one half"
    )


def _main(company: Company, row: Row) -> Cells:
    stage = company.stage
    if not row.games:
        return row.teller, row.drawer, NONE, NONE, NONE, NONE, NONE, number(row.paper)
    scores = [similarities(stage.targets, game.drawn) for game in row.games]
    found = estimate(np.concatenate(scores), stage.clusters * len(scores), low=0.0, high=BEST)
    means = [float(each.mean()) for each in scores]
    return (
        row.teller,
        row.drawer,
        f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]",
        *(_of_half(row.games, means, half) for half in "ba"),
        _trained(row.games),
        number(spread(row.games, means), 3),
        number(row.paper),
    )


def _of_half(games: Sequence[Game], means: Sequence[float], half: str) -> str:
    mine = [mean for game, mean in zip(games, means, strict=True) if game.half == half]
    return number(float(np.mean(mine))) if mine else NONE


def _trained(games: Sequence[Game]) -> str:
    """Format the number of trainings of each half."""
    halves = [game.half for game in games if game.half]
    return "+".join(str(halves.count(half)) for half in dict.fromkeys(halves)) or NONE


def spread(games: Sequence[Game], means: Sequence[float]) -> float | None:
    """Compute the standard deviation between seeds of the same half."""
    halves = {
        half: [m for g, m in zip(games, means, strict=True) if g.half == half]
        for half in {g.half for g in games}
    }
    several = [(float(np.var(some, ddof=1)), len(some) - 1) for some in halves.values() if len(some) > 1]
    return float(np.sqrt(sum(v * n for v, n in several) / sum(n for _, n in several))) if several else None


def component_table(company: Company, found: Sequence[Row]) -> Iterator[str]:
    """Yield the table of the components of the similarities."""
    head = ("teller", "drawer", "similarity", "precision", "recall", "F1", *LOST)
    played = [row for row in found if row.games]
    yield from _parted(head, played, lambda row: _components(company.stage.targets, row))
    yield "precision, recall, F1: of the kinds drawn, over all scenes; then points of similarity lost by each"


def _components(targets: Batch, row: Row) -> Cells:
    parts = [component_arrays(targets, game.drawn) for game in row.games]
    mean = {name: float(np.mean([part[name].mean() for part in parts])) for name in parts[0]}
    points = BEST * mean["kinds"] - sum(mean[name] for name in LOST)
    kinds = np.mean([_overlap(targets, game.drawn) for game in row.games], axis=0)
    lost = (number(mean[name], 3) for name in LOST)
    return row.teller, row.drawer, number(points, 3), *(number(float(one), 3) for one in kinds), *lost


def _overlap(targets: Batch, drawn: Batch) -> Floats:
    wanted, found = targets[:, LOOK] >= 0, drawn[:, LOOK] >= 0
    both = (wanted & found).sum()
    return np.array(
        [
            both / max(found.sum(), 1),
            both / max(wanted.sum(), 1),
            2 * both / max(wanted.sum() + found.sum(), 1),
        ]
    )


def control_table(company: Company) -> Iterator[str]:
    """Yield the table of controls: each Drawer hears people's words, no words, or those of another scene. For
    the last it is enough to compare with the drawing of the other scene."""
    stage, people = company.stage, company.stage.people()
    other = moved_on(len(people))

    def mean(row: Row, order: Sequence[int]) -> str:
        return number(
            float(np.mean([similarities(stage.targets, game.drawn[order]).mean() for game in row.games])), 3
        )

    same = range(len(people))
    nothing = {row.drawer: mean(row, same) for row in company.heard(SCRIPT, PEOPLE, silent(people))}
    heard = list(company.heard(SCRIPT, PEOPLE, people))
    rows = [(row.drawer, mean(row, same), nothing.get(row.drawer, NONE), mean(row, other)) for row in heard]
    yield from table(("drawer", "people's words", '"…"', "another scene's"), rows)
    yield "a blind Drawer was trained without words, and hears only that something was said"


def _parted(head: Cells, found: Iterable[Row], cells: Callable[[Row], Cells]) -> Iterator[str]:
    """Yield a table with a heading for each part."""
    body = [(row.part, cells(row)) for row in found]
    lines = list(table(head, [row for _, row in body]))
    yield lines[0]
    rest = iter(lines[1:])
    for part, some in groupby(part for part, _ in body):
        yield f"-- {part}"
        for _ in some:
            yield next(rest)
