"""Prints the paper's Tables 7, 8 and 9 with our rows, from the answers that evaluate.py saved.

    python -m papers.hexagons.tables DATA [RESULTS] [--figures FOLDER]

Ours are on dev, means over seeds with 95 % intervals over images and seeds; the paper's models were measured
on test. With --figures it also draws, as SVG, F1 on the images set aside over the steps of trainings, and F1
on dev over the share of train that was learned from."""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import hypot
from pathlib import Path
from statistics import fmean, stdev

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from papers.commands import report_problems
from papers.hexagons.ablation_tables import list_ablation_tables, list_crosstalk_tables
from papers.hexagons.errors import KINDS, RIGHT, error_kind
from papers.hexagons.evidence_tables import RowPair, list_reader_tables
from papers.hexagons.pairs import list_pair_tables
from scipy.stats import t as student_t

from groundling.boards.hexes import Board
from groundling.boards.plot import PlotTrack, plot_tracks
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage, score_image_steps
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.neural.notation import paint_notation_cells, read_action_notation
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.games.hexagons.paper_tables import DEV_LEVELS, TEST_BOUNDS, TEST_MODELS, mean_above
from groundling.games.hexagons.rules import CONTEXTS
from groundling.games.hexagons.tile_scores import TileScores, board_scores
from groundling.report.score_table import format_p
from groundling.scores.comparison import adjust_holm
from groundling.scores.intervals import Estimate, estimate_mean
from groundling.scores.label_tests import kruskal_wallis

RESULTS = Path(__file__).parent / "results"
TESTED = tuple(
    f"{model}-{context}" for model in ("minilm", "smollm2") for context in ("full-history", "no-history")
)
"""The rows that correspond to those of the paper's tests."""
PEOPLES_NAMES = {
    "reader-0": "hexagons-reader",
    "reader-small-0": "hexagons-reader-small",
    "minilm-pf-0": "hexagons-minilm-pf-0",
    "smollm2-told-0": "hexagons-smollm2-told-0",
}
"""The weights that answered in rows of results/."""


class ResultRow(Struct, frozen=True, kw_only=True):
    """The first line of a file of answers."""

    name: str
    model: str
    context: str
    seed: int = 0
    share: float = 1.0
    narrated: int = 0

    @property
    def stem(self) -> str:
        """The name without seed and share: rows that differ in their seed alone are one row of a table."""
        return re.sub(r"-\d+(-0\.\d+)?$", "", self.name)


class Answers(Struct, frozen=True):
    id: str
    answers: tuple[str, ...]
    expected: tuple[float, ...] = ()
    """The F1 of each, as `reader` expects it."""


class ScoredStep(Struct, frozen=True):
    image: str
    category: str
    level: int | None
    f1: float
    exact: float
    asked: bool
    """Whether the instruction asks for anything."""
    kind: str
    """What is wrong, if anything."""
    expected: float | None = None
    """F1."""


class Measured(Struct, frozen=True):
    row: ResultRow
    steps: list[ScoredStep]
    boards: dict[str, TileScores]
    """How near the last board of each procedure is to the image."""

    @property
    def final(self) -> int:
        """Last boards that are the target."""
        return sum(one.exact == 1 for one in self.boards.values())


class SeedGroup(Struct, frozen=True):
    """Rows that differ in their seed alone, each over the same steps in the same order."""

    rows: list[Measured]

    @property
    def context(self) -> str:
        return self.rows[0].row.context

    @property
    def label(self) -> str:
        row = self.rows[0].row
        told = [f"{row.narrated:,} narrated"] if row.narrated else []
        return ", ".join([row.stem, *told, *([f"{len(self.rows)} seeds"] if len(self.rows) > 1 else [])])

    @property
    def final(self) -> str:
        return ", ".join(str(one.final) for one in self.rows)

    @property
    def steps(self) -> list[ScoredStep]:
        """Each step with its mean scores over the seeds."""
        return [
            replace(same[0], f1=fmean(one.f1 for one in same), exact=fmean(one.exact for one in same))
            for same in zip(*(one.steps for one in self.rows), strict=True)
        ]

    def estimate(self, measure: str) -> Estimate:
        """The mean, with the interval over images widened by what the seeds differ."""
        steps = self.steps
        values = [100 * getattr(step, measure) for step in steps]
        found = estimate_mean(values, [step.image for step in steps], low=0, high=100)
        if len(self.rows) == 1:
            return found
        each = [100 * fmean(getattr(step, measure) for step in one.steps) for one in self.rows]
        apart = student_t.ppf(0.975, len(each) - 1) * stdev(each) / len(each) ** 0.5
        low, high = (abs(found.mean - end) for end in (found.low, found.high))
        return replace(
            found,
            low=max(0.0, found.mean - hypot(low, apart)),
            high=min(100.0, found.mean + hypot(high, apart)),
        )


def group_seeds(measured: Sequence[Measured]) -> list[SeedGroup]:
    """Rows of the whole of train, in the order of their names."""
    groups: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for one in sorted(measured, key=lambda one: one.row.name):
        if one.row.share == 1:
            groups[one.row.stem, one.row.context].append(one)
    return [SeedGroup(rows) for rows in groups.values()]


def read_results(folder: Path, images: Sequence[HexagonsImage]) -> Iterator[Measured]:
    """Every row of a folder, scored."""
    known = {image.id: image for image in images}
    for file in sorted(folder.glob("*.jsonl.gz")):
        first, *rest = gzip.decompress(file.read_bytes()).splitlines()
        row, steps = msgspec.json.decode(first, type=ResultRow), list[ScoredStep]()
        boards: dict[str, TileScores] = {}
        for line in rest:
            found = msgspec.json.decode(line, type=Answers)
            image = known[found.id]
            done = [read_action_notation(answer, "runs") for answer in found.answers]
            actions = [[(*tile, colour) for tile, colour in painted.items()] for painted in done]
            scores = score_image_steps(image, actions)
            where, right = near_copy_base_id(image.image), Procedure.from_image(image)
            for number, (step, score) in enumerate(zip(image.steps, scores, strict=True)):
                asked = right.step_changes(number)
                kind = error_kind(asked, done[number])
                of = where, image.category, step.level, score.f1, score.exact, bool(asked)
                steps.append(ScoredStep(*of, kind, found.expected[number] if found.expected else None))
            cells = Board.empty().cells
            for painted in done:
                cells = paint_notation_cells(cells, painted)
            boards[image.id] = board_scores(image.target, cells)
        yield Measured(row, steps, boards)


def with_interval(group: SeedGroup) -> list[str]:
    found = (group.estimate(measure) for measure in ("f1", "exact"))
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
    groups = group_seeds(measured)
    by_context: dict[str, list[SeedGroup]] = defaultdict(list)
    for one in groups:
        by_context[one.context].append(one)
    rows = [[name, *(f"{value:.1f}" for value in pair)] for name, pair in TEST_BOUNDS.items()]
    rules = [one for one in by_context["predicted+full"] if one.rows[0].row.model in ("naive", "parser")]
    rows += [[f"{one.label}, predicted+full", *with_interval(one)] for one in rules]
    yield from write_table("Table 7: rules and people", ("", "F1", "exact match"), rows)

    rows = []
    for context in CONTEXTS:
        deberta, t5 = TEST_MODELS[context][:2], TEST_MODELS[context][2:]
        rows += [
            [context, f"{name}, the paper's, on test", *(f"{value:.1f}" for value in pair), ""]
            for name, pair in (("DeBERTa", deberta), ("T5", t5))
        ]
        rows += [
            [context, one.label, *with_interval(one), f"{one.final} of {procedures}"]
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
    for one in groups:
        steps = one.steps
        levels = [[step for step in steps if step.level == level] for level in (0, 1, 2)]
        rows.append([one.label, one.context, *map(means, levels), means(steps)])
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
        ("", "instructions", *(one.label for one in shown_rows)),
        rows,
    )
    yield from write_error_table(shown_rows)
    yield from write_level_tests(groups)
    yield from write_share_table(measured)


def write_error_table(groups: Sequence[SeedGroup]) -> Iterator[str]:
    """Instructions that ask for nothing apart; of the others, how many answers have which fault."""
    rows = []
    for one in groups:
        steps = [step for row in one.rows for step in row.steps]
        asked = [step for step in steps if step.asked]
        still = sum(step.kind == RIGHT for step in steps if not step.asked)
        counts = Counter(step.kind for step in asked)
        shares = (f"{100 * counts[kind] / len(asked):.1f}" for kind in KINDS)
        rows.append([one.label, f"{still} of {len(steps) - len(asked)}", means(asked), *shares])
    head = ("", "nothing asked for and painted", "something asked for, F1 / exact match", *KINDS)
    title = "Errors, predicted+full, kinds in % of the instructions that ask for something"
    yield from write_table(title, head, rows)


def write_level_tests(groups: Sequence[SeedGroup]) -> Iterator[str]:
    """The paper's eight tests: two models and two scores, with the full history and without."""
    found = [
        (one, measure, kruskal_wallis(*map(list, zip(*_values_by_level(one, measure), strict=True))))
        for one in groups
        if one.rows[0].row.stem in TESTED
        for measure in ("f1", "exact")
    ]
    plain, within = (adjust_holm([getattr(test, name) for _, _, test in found]) for name in ("p", "within"))
    rows = [
        [one.label, {"f1": "F1"}.get(measure, "exact match"), f"{test.h:.1f}", format_p(p), format_p(other)]
        for (one, measure, test), p, other in zip(found, plain, within, strict=True)
    ]
    head = ("", "score", "H", "p (Holm)", "p within images (Holm)")
    title = f"Kruskal-Wallis over the levels none, low, above, {len(rows)} tests"
    yield from write_table(title, head, rows)


def _values_by_level(group: SeedGroup, measure: str) -> list[tuple[float, int, str]]:
    return [
        (getattr(step, measure), step.level, step.image) for step in group.steps if step.level is not None
    ]


def write_share_table(measured: Sequence[Measured]) -> Iterator[str]:
    """Full history, each draw of the images apart."""
    rows = []
    for one in sorted(shares_of(measured), key=lambda one: (one.row.stem, one.row.seed, one.row.share)):
        levels = [[step for step in one.steps if step.level == level] for level in (0, 1, 2)]
        share = f"{100 * one.row.share:g} %"
        rows.append([one.row.stem, str(one.row.seed), share, *map(means, levels), means(one.steps)])
    if rows:
        head = ("", "draw", "of train's images", "none", "low", "mid and high", "all")
        yield from write_table("Shares of train, full history, F1 / exact match", head, rows)


def shares_of(measured: Sequence[Measured]) -> list[Measured]:
    """Rows of parts of train, and those of the whole of it that they belong to."""
    known = {(one.row.stem, one.row.context) for one in measured if one.row.share < 1}
    return [one for one in measured if (one.row.stem, one.row.context) in known]


def write_instructor_table(by_image: Sequence[Measured], by_instructor: Sequence[Measured]) -> Iterator[str]:
    """The rows of the split by instructor, and rows of the same models of the split by image."""
    others = group_seeds(by_instructor)
    known = {(one.rows[0].row.model, one.context) for one in others}
    rows = [
        [name, one.context, one.label, str(len(one.steps)), *with_interval(one)]
        for name, groups in (("instructor", others), ("image", group_seeds(by_image)))
        for one in groups
        if (one.rows[0].row.model, one.context) in known and not one.rows[0].row.narrated
    ]
    head = ("split by", "context", "", "instructions", "F1", "exact match")
    yield from write_table("Instructors who are not in train", head, rows)


def pair_readers(measured: Sequence[Measured], former: Sequence[Measured]) -> Iterator[RowPair]:
    """`reader` with the parser, with one of its networks and with the former reader, and its network with
    the former reader's, by boards; of two networks the same seeds."""
    pairs = (
        ("parser", ("reader", measured), ("parser", measured)),
        ("one network", ("reader", measured), ("reader-one", measured)),
        ("former reader", ("reader", measured), ("reader", former)),
        ("former network (one network)", ("reader-one", measured), ("reader-one", former)),
    )
    for context, boards in (("predicted+full", "own"), ("oracle+full", "gold")):
        for name, *both in pairs:
            mine, theirs = (
                [one for one in rows if (one.row.stem, one.row.context) == (stem, context)]
                for stem, rows in both
            )
            if name != "parser":
                seeds = {one.row.seed for one in mine} & {one.row.seed for one in theirs}
                mine, theirs = ([one for one in rows if one.row.seed in seeds] for rows in (mine, theirs))
            if mine and theirs:
                told = f"{name}, dev, {boards} boards, seeds: {len(mine)}"
                yield told, SeedGroup(mine).steps, SeedGroup(theirs).steps


def draw_curves(folder: Path) -> str:
    """F1 with each measurement of the trainings whose curves are kept."""
    tracks = []
    for file in sorted(folder.glob("*.jsonl")):
        lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
        tracks.append(PlotTrack(file.stem, [(line["step"], 100 * line["f1"]) for line in lines]))
    title = f"F1 on the images set aside: {folder.name}"
    return plot_tracks(title, tracks, along="steps", up="F1, %")


def draw_shares(measured: Sequence[Measured]) -> str:
    """F1 on dev by level over the share of train, means over draws."""
    tracks = []
    found = shares_of(measured)
    for stem in sorted({one.row.stem for one in found}):
        for level, name in enumerate(("none", "low", "mid and high")):
            points: dict[float, list[float]] = defaultdict(list)
            for one in found:
                if one.row.stem == stem:
                    scores = [step.f1 for step in one.steps if step.level == level]
                    points[one.row.share].append(100 * fmean(scores))
            line = [(100 * share, fmean(draws)) for share, draws in sorted(points.items())]
            tracks.append(PlotTrack(f"{stem}: {name}", line))
    return plot_tracks("F1 on dev by level", tracks, along="share of train's images, %", up="F1, %")


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS)
    parser.add_argument("--figures", type=Path, help="a folder for SVG files")
    given = parser.parse_args()
    images = read_data_images(given.data, "dev")
    measured = list(read_results(given.results, images))
    if given.figures:
        given.figures.mkdir(parents=True, exist_ok=True)
        for folder in sorted((given.results / "curves").iterdir()):
            (given.figures / f"curves-{folder.name}.svg").write_text(draw_curves(folder), "utf-8")
        (given.figures / "shares.svg").write_text(draw_shares(measured), "utf-8")
    print("\n".join(write_tables(measured, len(images))).lstrip("\n"))
    others = list(
        read_results(given.results / "instructor", [*images, *read_data_images(given.data, "train")])
    )
    print("\n".join(write_instructor_table(measured, others)))
    people = {
        PEOPLES_NAMES.get(row.row.name, row.row.name): row.boards
        for row in measured
        if row.row.context == "predicted+full"
    }
    train = [Procedure.from_image(image) for image in read_data_images(given.data, "train")]
    pairs, former = given.results / "pairs.json", list(read_results(given.results / "former", images))
    expected = [
        (step.expected, step.f1)
        for row in measured
        if row.row.context == "predicted+full"
        for step in row.steps
        if step.expected is not None
    ]
    tables = [
        *list_ablation_tables(given.results / "ablation", train),
        *list_reader_tables(pair_readers(measured, former), given.results / "evidence", train, expected),
    ]
    if pairs.is_file():
        tables = [*list_pair_tables(pairs, images, people), *list_crosstalk_tables(pairs), *tables]
    for table in tables:
        print("\n".join(write_table(*table)))


if __name__ == "__main__":
    main()
