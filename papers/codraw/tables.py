"""The paper's Table 1 with our rows, what the similarities are made of, and what is left without words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from random import Random
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from papers.codraw.played import BEFORE_PEEK, PEOPLE, PlayedRun, PlayedScenes, RunCollection
from papers.codraw.weights_folders import OTHER_HALF, best_label

from groundling.boards.scene.batches import LOOK, Batch
from groundling.games.codraw.batch_similarity import Floats, batch_components, batch_similarities
from groundling.games.codraw.instance import DRAWER
from groundling.games.codraw.similarity import BEST
from groundling.games.codraw.text_table import TextRow, format_text_table
from groundling.scores.intervals import estimate_mean

NONE = "-"
LOST = ("flip", "size", "pose", "expression", "distance", "order")
NEURAL = "BiLSTM"
"""The paper's own neural Drawer."""
ORDER = (PEOPLE, "template", "nearest", "scene2seq", "decoder", NEURAL, "transformer", "MiniLM", "grammar")
"""Players in the order of the tables, by the first word of their label."""
SCRIPT, UNAIDED, MACHINES, HUMANS, CODEBOOK = (
    "people's words",
    "people's words before the peek",
    "machines, crosstalk",
    "people",
    "one half for both: a codebook can pass for communication",
)
PAPER = {
    (SCRIPT, PEOPLE, "nearest"): 0.96,
    (SCRIPT, PEOPLE, NEURAL): 3.34,
    (UNAIDED, PEOPLE, PEOPLE): 3.83,
    (MACHINES, "nearest", NEURAL): 3.08,
    (MACHINES, "scene2seq", NEURAL): 2.66,
    (MACHINES, "scene2seq + aux", NEURAL): 3.02,
    (MACHINES, "scene2seq + aux + RL", NEURAL): 3.66,
    (HUMANS, PEOPLE, PEOPLE): 4.17,
}
"""The paper's scores, all on test. Its people who drew from a script were read the messages before the peek:
so does the scripted Teller in the code that was released with it."""
Rows: TypeAlias = Iterator["TableRow"]


class DrawnScenes(Struct, frozen=True):
    half: str
    """The half that the Drawer learned from; empty if it was not trained."""
    drawn: Batch


class TableRow(Struct, frozen=True):
    part: str
    teller: str
    drawer: str
    games: tuple[DrawnScenes, ...]

    @property
    def paper_score(self) -> float | None:
        teller, drawer = (label.partition(" (")[0] for label in (self.teller, self.drawer))
        return PAPER.get((self.part, teller, drawer))


def label_rank(label: str) -> tuple[int, int, str]:
    """Sort the paper's players first, and longer trainings of one kind later."""
    first = label.split()[0]
    return ORDER.index(first) if first in ORDER else len(ORDER), len(label.split()), label


def list_rows(found: RunCollection) -> Rows:
    """Yield all rows of the table. Beside the paper's Drawer, Tellers are shown with the Drawer that drew
    best what its training had set aside."""
    own = [run for run in found.runs if run.words == "own"]
    drawers = [one for one in found.weights if one.role == DRAWER]
    neural, best = best_label(one for one in drawers if one.base_label == NEURAL), best_label(drawers)
    yield from group_rows(SCRIPT, [run for run in own if run.teller.label == PEOPLE])
    yield from group_rows(UNAIDED, [run for run in own if run.teller.label == BEFORE_PEEK])
    yield TableRow(UNAIDED, PEOPLE, PEOPLE, ())
    for drawer in dict.fromkeys(filter(None, (neural, best))):
        yield from group_rows(
            MACHINES, [run for run in own if is_crosstalk(run) and run.drawer.label == drawer]
        )
    yield TableRow(HUMANS, PEOPLE, PEOPLE, (DrawnScenes("", found.scenes.finals),))
    yield TableRow(HUMANS, BEFORE_PEEK, PEOPLE, (DrawnScenes("", found.scenes.unaided),))
    codebook = [run for run in own if run.teller.half and run.teller.half == run.drawer.half]
    for nearest in (False, True):
        yield from group_rows(
            CODEBOOK, [run for run in codebook if (run.drawer.label == "nearest") is nearest]
        )


def is_crosstalk(run: PlayedRun) -> bool:
    """Whether the two learned from different halves."""
    return OTHER_HALF.get(run.teller.half) == run.drawer.half


def group_rows(part: str, runs: Sequence[PlayedRun]) -> Rows:
    """Yield one row for all trainings of a pair of players; Drawers that learned from all are apart."""

    def names(run: PlayedRun) -> tuple[str, str]:
        drawer = run.drawer.label + (", from all" if run.drawer.half == "all" else "")
        return PEOPLE if part == UNAIDED else run.teller.label, drawer

    def rank(run: PlayedRun) -> tuple[object, ...]:
        teller, drawer = names(run)
        return label_rank(drawer), label_rank(teller), ["b", "a", "", "all"].index(run.drawer.half), run.seed

    for (teller, drawer), some in groupby(sorted(runs, key=rank), key=names):
        yield TableRow(part, teller, drawer, tuple(DrawnScenes(run.drawer.half, run.drawn) for run in some))


def format_number(value: float | None, digits: int = 2) -> str:
    return NONE if value is None or np.isnan(value) else f"{value:.{digits}f}"


def result_report(found: RunCollection) -> Iterator[str]:
    rows = list(list_rows(found))
    yield from main_table(found.scenes, rows)
    yield from ("", "## What the similarities are made of")
    yield from component_table(found.scenes.targets, rows)
    yield from ("", "## Without words")
    yield from control_table(found)
    for one in found.weights:
        if known := len(set(found.scenes.ids).intersection(one.card.seen)):
            yield f"{one.folder} learned from {known:,} of these scenes: its rows are no test of it"


def main_table(scenes: PlayedScenes, rows: Sequence[TableRow]) -> Iterator[str]:
    head = ("teller", "drawer", "similarity", "b draws", "a draws", "trained", "spread", "paper, on test")
    yield from _table_with_parts(head, rows, lambda row: _main_cells(scenes, row))
    yield (
        f"{scenes.about}; 95 % intervals resample clusters; spread: "
        "standard deviation between seeds of one half"
    )


def _main_cells(scenes: PlayedScenes, row: TableRow) -> TextRow:
    if not row.games:
        return row.teller, row.drawer, NONE, NONE, NONE, NONE, NONE, format_number(row.paper_score)
    scores = [batch_similarities(scenes.targets, game.drawn) for game in row.games]
    found = estimate_mean(np.concatenate(scores), scenes.clusters * len(scores), low=0.0, high=BEST)
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


def _half_mean(games: Sequence[DrawnScenes], means: Sequence[float], half: str) -> str:
    mine = [mean for game, mean in zip(games, means, strict=True) if game.half == half]
    return format_number(float(np.mean(mine))) if mine else NONE


def _count_trainings(games: Sequence[DrawnScenes]) -> str:
    """Format the number of trainings of each half."""
    halves = [game.half for game in games if game.half]
    return "+".join(str(halves.count(half)) for half in dict.fromkeys(halves)) or NONE


def seed_spread(games: Sequence[DrawnScenes], means: Sequence[float]) -> float | None:
    """Compute the standard deviation between seeds of the same half."""
    halves = {
        half: [m for g, m in zip(games, means, strict=True) if g.half == half]
        for half in {g.half for g in games}
    }
    several = [(float(np.var(some, ddof=1)), len(some) - 1) for some in halves.values() if len(some) > 1]
    return float(np.sqrt(sum(v * n for v, n in several) / sum(n for _, n in several))) if several else None


def component_table(targets: Batch, rows: Sequence[TableRow]) -> Iterator[str]:
    """Yield the table of the components of the similarities."""
    head = ("teller", "drawer", "similarity", "precision", "recall", "F1", *LOST)
    played = [row for row in rows if row.games]
    yield from _table_with_parts(head, played, lambda row: _component_cells(targets, row))
    yield "precision, recall, F1: of the kinds drawn, over all scenes; then points of similarity lost by each"


def _component_cells(targets: Batch, row: TableRow) -> TextRow:
    parts = [batch_components(targets, game.drawn) for game in row.games]
    mean = {name: float(np.mean([part[name].mean() for part in parts])) for name in parts[0]}
    points = BEST * mean["kinds"] - sum(mean[name] for name in LOST)
    kinds = np.mean([_kind_overlap(targets, game.drawn) for game in row.games], axis=0)
    numbers = (points, *kinds.tolist(), *(mean[name] for name in LOST))
    return row.teller, row.drawer, *(format_number(number, 3) for number in numbers)


def _kind_overlap(targets: Batch, drawn: Batch) -> Floats:
    """Return precision, recall and F1 of the kinds drawn."""
    wanted, found = targets[:, LOOK] >= 0, drawn[:, LOOK] >= 0
    both = (wanted & found).sum()
    sizes = np.array([found.sum(), wanted.sum(), (wanted.sum() + found.sum()) / 2])
    overlap: Floats = both / np.maximum(sizes, 1)
    return overlap


def control_table(found: RunCollection) -> Iterator[str]:
    """Yield the table of controls: each Drawer hears people's words, no words, or those of another scene. For
    the last it is enough to compare with the drawing of the other scene."""
    targets, other = found.scenes.targets, shuffle_without_fixed_points(len(found.scenes.ids))

    def rows_of(words: str) -> Rows:
        heard = [run for run in found.runs if run.words == words and run.teller.label == PEOPLE]
        return group_rows(SCRIPT, heard)

    def mean_similarity(row: TableRow, order: Sequence[int]) -> str:
        means = [batch_similarities(targets, game.drawn[order]).mean() for game in row.games]
        return format_number(float(np.mean(means)), 3)

    same = range(len(targets))
    nothing = {row.drawer: mean_similarity(row, same) for row in rows_of("silent")}
    rows = [
        (row.drawer, mean_similarity(row, same), nothing.get(row.drawer, NONE), mean_similarity(row, other))
        for row in rows_of("own")
    ]
    yield from format_text_table(("drawer", "people's words", '"…"', "another scene's"), rows)
    yield "a blind Drawer was trained without words, and hears only that something was said"


def shuffle_without_fixed_points(many: int, seed: int = 0) -> list[int]:
    """Return a random permutation without fixed points."""
    order = list(range(many))
    Random(seed).shuffle(order)
    found = [0] * many
    for one, other in zip(order, [*order[1:], *order[:1]], strict=True):
        found[one] = other
    return found


def _table_with_parts(
    head: TextRow, rows: Iterable[TableRow], cells: Callable[[TableRow], TextRow]
) -> Iterator[str]:
    """Yield a table with a heading for each part."""
    body = [(row.part, cells(row)) for row in rows]
    lines = list(format_text_table(head, [row for _, row in body]))
    yield lines[0]
    rest = iter(lines[1:])
    for part, some in groupby(part for part, _ in body):
        yield f"-- {part}"
        for _ in some:
            yield next(rest)
