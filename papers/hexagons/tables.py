"""Prints the paper's Tables 7, 8 and 9 with our rows, from the answers that evaluate.py saved.

    python papers/hexagons/tables.py DATA [RESULTS] [--curves FILE]

Ours are on dev, with 95 % intervals over its images; the paper's models were measured on test. With --curves
it also draws F1 on what was set aside over the steps of trainings, as SVG."""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.boards.hexes import Board
from groundling.boards.plot import PlotTrack, plot_tracks
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage, score_image_steps
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.neural.notation import paint_notation_cells, read_action_notation
from groundling.games.hexagons.paper_tables import DEV_LEVELS, TEST_BOUNDS, TEST_MODELS, mean_above
from groundling.games.hexagons.rules import CONTEXTS
from groundling.scores.intervals import Estimate, estimate_mean

RESULTS = Path(__file__).parent / "results"


class ResultRow(Struct, frozen=True, kw_only=True):
    """The first line of a file of answers."""

    name: str
    model: str
    context: str
    seed: int = 0
    share: float = 1.0
    narrated: int = 0

    @property
    def label(self) -> str:
        words = [self.name]
        if self.narrated:
            words.append(f"{self.narrated:,} narrated")
        return ", ".join(words)


class Answers(Struct, frozen=True):
    id: str
    answers: tuple[str, ...]


class ScoredStep(Struct, frozen=True):
    image: str
    category: str
    level: int | None
    f1: float
    exact: float


class Measured(Struct, frozen=True):
    row: ResultRow
    steps: list[ScoredStep]
    final: int
    """Last boards that are the target."""


def read_results(folder: Path, images: Sequence[HexagonsImage]) -> Iterator[Measured]:
    """Every row of a folder, scored."""
    known = {image.id: image for image in images}
    for file in sorted(folder.glob("*.jsonl.gz")):
        first, *rest = gzip.decompress(file.read_bytes()).splitlines()
        row, steps, final = msgspec.json.decode(first, type=ResultRow), list[ScoredStep](), 0
        for line in rest:
            found = msgspec.json.decode(line, type=Answers)
            image = known[found.id]
            done = [read_action_notation(answer, "runs") for answer in found.answers]
            actions = [[(*tile, colour) for tile, colour in painted.items()] for painted in done]
            for step, score in zip(image.steps, score_image_steps(image, actions), strict=True):
                where = near_copy_base_id(image.image)
                steps.append(ScoredStep(where, image.category, step.level, score.f1, score.exact))
            cells = Board.empty().cells
            for painted in done:
                cells = paint_notation_cells(cells, painted)
            final += cells == image.target.cells
        yield Measured(row, steps, final)


def estimate(steps: Sequence[ScoredStep], measure: str) -> Estimate:
    values = [100 * getattr(step, measure) for step in steps]
    return estimate_mean(values, [step.image for step in steps], low=0, high=100)


def with_interval(steps: Sequence[ScoredStep]) -> list[str]:
    found = (estimate(steps, measure) for measure in ("f1", "exact"))
    return [f"{one.mean:.1f} [{one.low:.1f}, {one.high:.1f}]" for one in found]


def means(steps: Sequence[ScoredStep]) -> str:
    if not steps:
        return ""
    total = (sum(getattr(step, measure) for step in steps) for measure in ("f1", "exact"))
    return " / ".join(f"{100 * one / len(steps):.1f}" for one in total)


def write_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from ("", f"## {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
    yield from (f"| {' | '.join(row)} |" for row in rows)


def write_tables(measured: Sequence[Measured], procedures: int) -> Iterator[str]:
    by_context: dict[str, list[Measured]] = defaultdict(list)
    for one in measured:
        by_context[one.row.context].append(one)
    rows = [[name, *(f"{value:.1f}" for value in pair)] for name, pair in TEST_BOUNDS.items()]
    rules = [one for one in by_context["predicted+full"] if one.row.model in ("naive", "parser")]
    rows += [[f"{one.row.label}, predicted+full", *with_interval(one.steps)] for one in rules]
    yield from write_table("Table 7: rules and people", ("", "F1", "exact match"), rows)

    rows = []
    for context in CONTEXTS:
        deberta, t5 = TEST_MODELS[context][:2], TEST_MODELS[context][2:]
        rows += [
            [context, f"{name}, the paper's, on test", *(f"{value:.1f}" for value in pair), ""]
            for name, pair in (("DeBERTa", deberta), ("T5", t5))
        ]
        rows += [
            [context, one.row.label, *with_interval(one.steps), f"{one.final} of {procedures}"]
            for one in by_context[context]
        ]
    yield from write_table(
        "Table 8: models by context", ("context", "", "F1", "exact match", "final boards exact"), rows
    )

    rows = []
    for name, pairs in DEV_LEVELS.items():
        none, low, *above, everything = pairs
        shown = (none, low, mean_above(above), everything)
        rows.append([name, "", *(" / ".join(f"{value:.1f}" for value in pair) for pair in shown)])
    for one in measured:
        levels = [[step for step in one.steps if step.level == level] for level in (0, 1, 2)]
        rows.append([one.row.label, one.row.context, *map(means, levels), means(one.steps)])
    yield from write_table(
        "Table 9: dev by level, F1 / exact match",
        ("", "context", "none (174)", "low (47)", "mid and high (225)", "all (446)"),
        rows,
    )

    categories = sorted({step.category for one in measured for step in one.steps})
    shown_rows = by_context["predicted+full"]
    rows = []
    for category in categories:
        parts = [[step for step in one.steps if step.category == category] for one in shown_rows]
        rows.append([category, str(len(parts[0])), *map(means, parts)])
    yield from write_table(
        "By category, predicted+full, F1 / exact match",
        ("", "instructions", *(one.row.name for one in shown_rows)),
        rows,
    )


def draw_curves(folder: Path) -> str:
    """F1 with each measurement of the trainings whose curves are kept."""
    tracks = []
    for file in sorted(folder.glob("*.jsonl")):
        lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
        tracks.append(PlotTrack(file.stem, [(line["step"], 100 * line["f1"]) for line in lines]))
    return plot_tracks("F1 on the images set aside", tracks, along="steps", up="F1, %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS)
    parser.add_argument("--curves", type=Path, help="an SVG file to write")
    given = parser.parse_args()
    images = read_data_images(given.data, "dev")
    measured = sorted(read_results(given.results, images), key=lambda one: one.row.name)
    if given.curves:
        given.curves.write_text(draw_curves(given.results / "curves"), "utf-8")
    print("\n".join(write_tables(measured, len(images))).lstrip("\n"))


if __name__ == "__main__":
    main()
