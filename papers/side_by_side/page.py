"""Writes docs/papers.md, the published tables beside ours: `make papers-page`.

Published figures are those of the code that prints the tables, and of clembench.csv; ours are in figures.json
(`python -m papers.side_by_side.measure DATA`) and in the tables of papers/codraw/README.md."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from papers.codraw.tables import CODEBOOK, HUMANS, MACHINES, PAPER, SCRIPT, UNAIDED
from papers.commands import report_problems
from papers.side_by_side.measure import ClembenchRow, Figures, PrintedTable, read_figures

from groundling.games.hexagons.paper_tables import DEV_LEVELS, TEST_BOUNDS, TEST_MODELS, mean_above
from groundling.games.hexagons.stats import ACTION_AGREEMENT

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/papers.md"
CODRAW = ROOT / "papers/codraw/README.md"
CLEMBENCH = Path(__file__).parent / "clembench.csv"
TEXTS = Path(__file__).parent / "page.md"
NONE = "–"
GAMES = ("reference", "image")
EXECUTORS = {
    "`parser`, rules": r"parser$",
    "SmolLM2, beam 3": r"smollm2-(?!told).*beam3",
    "MiniLM": r"minilm-(?!pf)",
    "`reader`": r"reader,",
}
"""Our executors by context: the rows of Table 8 that they are in."""
LEVEL_ROWS = (
    *("naive", "parser", "smollm2-full-history", "minilm-full-history", "smollm2-told"),
    *("minilm-pf", "reader,"),
)
"""Our rows by level, in the contexts that follow."""
LEVEL_CONTEXTS = {"naive": "predicted+full", "smollm2-told": "predicted+full", "minilm-pf": "predicted+full"}
LEVEL_CONTEXTS |= {"reader,": "predicted+full"}
HUMAN_DRAWERS = {"nearest": 3.21, "scene2seq": 2.69, "scene2seq + aux": 3.04, "scene2seq + aux + RL": 3.65}
"""CoDraw, Table 1: Tellers with people who draw."""


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    lines = [re.sub(r"(\[[\d.]+,) ([\d.]+\])", "\\1\N{NO-BREAK SPACE}\\2", line) for line in lines]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])


def render_page(figures: Figures) -> str:
    tables = {
        **dict(hexagons_tables(figures)),
        **dict(codraw_tables(figures)),
        **dict(clembench_tables(figures)),
        "director": director_table(figures),
    }
    text = TEXTS.read_text(encoding="utf-8")
    used = set(re.findall(r"^\{(.+)\}$", text, flags=re.MULTILINE))
    if used != set(tables):
        raise SystemExit(f"{TEXTS.name} and the tables differ in {', '.join(sorted(used ^ set(tables)))}")
    return re.sub(r"^\{(.+)\}$", lambda found: tables[found[1]], text, flags=re.MULTILINE)


# HEXAGONS


def hexagons_tables(figures: Figures) -> Iterator[tuple[str, str]]:
    contexts = figures.table("Table 8")
    yield "hexagons bounds", markdown_table(*_bounds(contexts))
    for at, name in ((0, "F1"), (1, "exact match")):
        yield f"hexagons {name}", markdown_table(*_contexts(contexts, at))
    levels = figures.table("Table 9")
    yield "hexagons levels", markdown_table(*_levels(levels))
    yield "hexagons gaps", markdown_table(*_gaps(levels))
    yield "hexagons tests", _as_printed(figures.table("Kruskal"))
    yield (
        "hexagons categories",
        _as_printed(figures.table("By category"), r"$|instructions|parser|reader,|.*told"),
    )
    yield "hexagons sizes", markdown_table(*_two_columns(figures.table("Table 1")))
    yield "hexagons splits", markdown_table(*_two_columns(figures.table("Table 6")))
    agreement = figures.table("Table 2")
    rows = [[name, theirs or NONE, ours] for name, ours, theirs in agreement.rows]
    names = ("F1, actions, all", "exact match, actions, all")
    rows += [[name, theirs, NONE] for name, theirs in zip(names, ACTION_AGREEMENT, strict=True)]
    yield "hexagons agreement", markdown_table(("", "paper", "ours"), rows)
    rows = [[name, theirs, ours] for name, ours, theirs in figures.table("Table 5").rows]
    yield "hexagons level counts", markdown_table(("level", "paper", "ours"), rows)


def _bounds(contexts: PrintedTable) -> tuple[Sequence[str], list[list[str]]]:
    found = {row[1]: row[2:4] for row in contexts.rows if row[0] == "predicted+full"}
    rows = []
    for (name, test), (_, levels) in zip(TEST_BOUNDS.items(), DEV_LEVELS.items(), strict=True):
        kind = name.partition(",")[0]
        ours = found["naive"] if kind == "rules" else [NONE, NONE]
        pairs = zip(("F1", "exact match"), test, levels[-1], ours, strict=True)
        rows += [
            [kind, score, f"{on_test:.2f}", f"{on_dev:.2f}", our] for score, on_test, on_dev, our in pairs
        ]
    rows += [
        ["`parser`, our rules", score, NONE, NONE, our]
        for score, our in zip(("F1", "exact match"), found["parser"], strict=True)
    ]
    return ("", "score", "paper, test", "paper, dev", "ours, dev"), rows


def _contexts(contexts: PrintedTable, at: int) -> tuple[Sequence[str], list[list[str]]]:
    rows = []
    for context, published in TEST_MODELS.items():
        found = {row[1]: row[2 + at] for row in contexts.rows if row[0] == context}
        ours = [
            next((cell for name, cell in found.items() if re.match(which, name)), NONE)
            for which in EXECUTORS.values()
        ]
        rows.append([f"`{context}`", f"{published[at]:.2f}", f"{published[2 + at]:.2f}", *ours])
    return (
        "context",
        "DeBERTa, paper, test",
        "T5, paper, test",
        *(f"{name}, dev" for name in EXECUTORS),
    ), rows


def _levels(levels: PrintedTable) -> tuple[Sequence[str], list[list[str]]]:
    rows = []
    for name, (none, low, mid, high, everything) in DEV_LEVELS.items():
        pairs = (none, low, mean_above((mid, high)), mid, high, everything)
        rows.append([name, "", *(" / ".join(f"{value:.2f}" for value in pair) for pair in pairs)])
    for label, context, *cells, total in _level_rows(levels):
        rows.append([label, f"`{context}`", *cells, NONE, NONE, total])
    return (
        "F1 / exact match",
        "context",
        *("none, 174", "low, 47", "mid and high, 225", "mid, 104", "high, 121", "all, 446"),
    ), rows


def _level_rows(levels: PrintedTable) -> Iterator[list[str]]:
    for start in LEVEL_ROWS:
        context = LEVEL_CONTEXTS.get(start, "full-history")
        yield next(
            row
            for row in levels.rows
            if row[0].startswith(start) and row[1] == context and "beam" not in row[0]
        )


def _gaps(levels: PrintedTable) -> tuple[Sequence[str], list[list[str]]]:
    rows = [["DeBERTa and T5, `full-history`, on average", "circa 38", NONE]]
    for label, context, none, _, above, _ in _level_rows(levels):
        if context == "full-history":
            first, second = (float(cell.partition(" /")[0]) for cell in (none, above))
            rows.append([f"{label}, `{context}`", NONE, f"{first - second:.1f}"])
    return ("F1 at level none less F1 at mid and high", "paper, from its curves", "ours, dev"), rows


def _two_columns(table: PrintedTable) -> tuple[Sequence[str], list[list[str]]]:
    """Cells have our figure and then the paper's."""
    head = [name for column in table.head[1:] for name in (f"{column}, paper", "ours")]
    rows = [
        [row[0], *(part for cell in row[1:] for part in reversed(cell.split(" / ")))] for row in table.rows
    ]
    return ("", *head), rows


def _as_printed(table: PrintedTable, columns: str = "") -> str:
    kept = [at for at, name in enumerate(table.head) if re.match(columns, name)]
    head, *rows = [[row[at] for at in kept] for row in (table.head, *table.rows)]
    return markdown_table(head, rows)


# CoDraw


def codraw_tables(figures: Figures) -> Iterator[tuple[str, str]]:
    ours = read_codraw_table(CODRAW.read_text(encoding="utf-8"))
    head = ("Teller", "Drawer", "paper, test", "ours, val", "difference", "trainings")
    rows = []
    for part in (SCRIPT, UNAIDED, MACHINES, HUMANS):
        rows += [_codraw_row(key, ours) for key in PAPER if key[0] == part]
    rows += [[teller, "people", f"{score:.2f}", NONE, NONE, NONE] for teller, score in HUMAN_DRAWERS.items()]
    yield "codraw models", markdown_table(head, rows)
    others = [key for key in ours if key not in PAPER and key[0] in (SCRIPT, MACHINES, HUMANS)]
    rows = [[key[1], key[2], *ours[key]] for key in others]
    yield "codraw others", markdown_table(("Teller", "Drawer", "ours, val", "trainings"), rows)
    rows = [
        [key[1], key[2], ours.get((MACHINES, *key[1:]), (NONE,))[0], ours[key][0]]
        for key in ours
        if key[0] == CODEBOOK
    ]
    yield (
        "codraw halves",
        markdown_table(("Teller", "Drawer", "crosstalk, val", "one half for both, val"), rows),
    )
    data = next(table for table in figures.codraw_data if not table.title)
    rows = [[name, theirs or NONE, here] for name, here, theirs in data.rows]
    yield "codraw dialogs", markdown_table(("", "paper, all", "ours, train and val"), rows)
    people = figures.table("Human similarity")
    yield (
        "codraw people",
        markdown_table(people.head, [[cell or NONE for cell in row] for row in people.rows]),
    )


def read_codraw_table(text: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Read the first table of the README: similarity and number of trainings by part, Teller and Drawer."""
    block = next(part for part in text.split("```text\n") if part.startswith("teller ")).partition("```")[0]
    found, part = dict[tuple[str, str, str], tuple[str, str]](), ""
    for line in block.strip().split("\n")[1:]:
        cells = re.split(r"  +", line)
        if line.startswith("-- "):
            part = line.removeprefix("-- ")
        elif len(cells) == 8:
            found[part, cells[0], cells[1]] = (
                NONE if cells[2] == "-" else cells[2],
                NONE if cells[5] == "-" else cells[5],
            )
    return found


def _codraw_row(key: tuple[str, str, str], ours: Mapping[tuple[str, str, str], tuple[str, str]]) -> list[str]:
    part, teller, drawer = key
    similarity, trainings = ours[key]
    known = similarity != NONE
    apart = f"{float(similarity.partition(' ')[0]) - PAPER[key]:+.2f}" if known else NONE
    words = {SCRIPT: "people's words", UNAIDED: "people's words before the peek"}
    return [words.get(part, teller), drawer, f"{PAPER[key]:.2f}", similarity, apart, trainings]


# clembench and the director task


def clembench_tables(figures: Figures) -> Iterator[tuple[str, str]]:
    with CLEMBENCH.open(encoding="utf-8") as file:
        published = list(csv.DictReader(file))
    for version in ("1.0", "1.6"):
        mine = [row for row in figures.clembench if row.version == version]
        counts = {row.game: row.n for row in mine}
        head = [f"{game}, {told}" for game in GAMES for told in (f"% played (n = {counts[game]})", "quality")]
        rows = [_our_clembench_row(players, mine) for players in dict.fromkeys(row.players for row in mine)]
        theirs = [row for row in published if row["version"] == version]
        for row in sorted(theirs, key=_clembench_rank, reverse=True):
            cells = (row[f"{game}_{told}"] for game in GAMES for told in ("played", "quality"))
            rows.append([row["model"], *(f"{float(cell):.2f}" if cell else NONE for cell in cells)])
        yield f"clembench {version}", markdown_table(("", *head), rows)


def _our_clembench_row(players: str, rows: Sequence[ClembenchRow]) -> list[str]:
    cells = [f"ours: **{players}**"]
    for game in GAMES:
        found = next((row for row in rows if (row.players, row.game) == (players, game)), None)
        cells += (
            [f"{found.played:.2f}", f"{found.quality:.2f} [{found.low:.1f}, {found.high:.1f}]"]
            if found
            else [NONE, NONE]
        )
    return cells


def _clembench_rank(row: Mapping[str, str]) -> float:
    """Of both games, % played times quality, as clembench ranks models over all its games."""
    return sum(float(row[f"{game}_played"]) * float(row[f"{game}_quality"] or 0) for game in GAMES)


PUBLISHED_DIRECTOR = {"o3": ("0.97", "0.38"), "GPT-4o": ("0.46", "0.13")}
"""Accuracy where both see all items that fit, and where the participant alone sees one of them."""


def director_table(figures: Figures) -> str:
    rows = [["published", "–", name, *cells, "–"] for name, cells in PUBLISHED_DIRECTOR.items()]
    for first in (row for row in figures.director if row.kind == "control"):
        test = next(
            row
            for row in figures.director
            if (row.samples, row.participant, row.kind) == (first.samples, first.participant, "test")
        )
        cells = [f"{row.success:.3f} [{row.low:.3f}, {row.high:.3f}]" for row in (first, test)]
        rows.append([first.samples, str(first.n), f"`{first.participant}`", *cells, f"{test.hidden:.3f}"])
    return markdown_table(
        ("samples", "n of each kind", "participant", "control", "test", "egocentric errors, test"), rows
    )


@report_problems
def main() -> None:
    PAGE.write_text(render_page(read_figures()), encoding="utf-8")


if __name__ == "__main__":
    main()
