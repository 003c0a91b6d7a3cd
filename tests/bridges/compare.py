"""The same episodes scored by `groundling score`, by Inspect and as clembench: `python -m
tests.bridges.compare` prints the table."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from groundling.bridges.clem import clembench_replies, replay, to_clembench
from groundling.core.pack import find, load
from groundling.report.score_table import format_score_number
from groundling.report.text_table import Column, TableRow, TextTable, print_table
from groundling.runs.scoring import score_run
from groundling.runs.session import new_session_plan, prepare_session

from .helpers import evaluate, means
from .helpers import ours as models

PAIRS = [
    ("reference", "gold", "rule"),
    ("reference", "gold", "random"),
    ("image", "gold", "rule"),
    ("image", "rule", "rule"),
    ("image", "rule", "random"),
]
SAME = ""
ROUNDED = "whole per cents there, halves to the even one"
TAG = "the tag counts there"
BLANKS = "parted at blanks there, with the tag; words and punctuation marks here"
MEASURES: dict[str, list[tuple[str, str, float, str]]] = {
    "reference": [
        ("success", "Success", 1, SAME),
        ("success", "Main Score", 100, SAME),
        ("characters", "Generated Expression Length", 1, TAG),
        ("tokens", "Generated Expression Number of Tokens", 1, BLANKS),
    ],
    "image": [
        ("f1", "Main Score", 100, ROUNDED),
        ("f1", "F1", 100, ROUNDED),
        ("precision", "Precision", 100, ROUNDED),
        ("recall", "Recall", 100, ROUNDED),
        ("changed", "Average Changed Cell Count", 1, "4 places there"),
        (
            "characters",
            "Average Generated Instruction Length",
            1,
            "4 places there; the tag Instruction: does not count, Command: would",
        ),
        (
            "tokens",
            "Average Generated Expression Number of Tokens",
            1,
            "parted at blanks there; words and punctuation marks here",
        ),
    ],
}
"""Our measure, clembench's, how many of its are one of ours, and why they may differ."""


class Compared(NamedTuple):
    game: str
    players: str
    measure: str
    theirs: str
    n: int
    our_mean: float
    inspect_mean: float
    their_mean: float
    scale: float
    equal: int
    """Episodes in which both give the same number."""
    largest: float
    """The largest difference in an episode, on our scale."""
    why: str


def compare(
    folder: Path, game: str, giver: str, follower: str, limit: int | None = None
) -> Iterator[Compared]:
    """The built-in set, or its first `limit` instances, played once and scored in all three ways."""
    pack = find(game)
    seats = {"giver": giver, "follower": follower}
    plan = new_session_plan(
        pack, load(pack.builtin)(), limit, settings=pack.new().settings, source="built in", seats=seats
    )
    session = prepare_session(pack, plan, folder)
    session.play_missing(16, lambda done: None, lambda episodes: None, None)
    ours = {row["episode"]: row for row in score_run(session.folder).to_dicts()}
    theirs = {
        transcript.episode: replay(
            f"{game}game", to_clembench(transcript.opened.instance), clembench_replies(transcript)
        )[1]
        for transcript in session.folder.read_transcripts()
    }
    assert ours.keys() == theirs.keys()
    by_inspect = means(
        evaluate(
            f"groundling/{game}",
            folder,
            task_args={"n": limit} if limit else {},
            model_roles=models(game, giver=giver, follower=follower),
        )
    )
    for measure, name, scale, why in MEASURES[game]:
        pairs = [(ours[one][measure], theirs[one][name] / scale) for one in ours]
        assert not any(isnan(b) for _, b in pairs)
        equal = sum(a == b for a, b in pairs)
        yield Compared(
            game,
            f"{giver} → {follower}",
            measure,
            name,
            len(pairs),
            fmean(a for a, _ in pairs),
            by_inspect[measure],
            fmean(b for _, b in pairs) * scale,
            scale,
            equal,
            max(abs(a - b) for a, b in pairs),
            SAME if equal == len(pairs) else why,
        )


def compare_all(
    folder: Path, pairs: list[tuple[str, str, str]] = PAIRS, limit: int | None = None
) -> list[Compared]:
    return [row for pair in pairs for row in compare(folder / "-".join(pair), *pair, limit)]


def main() -> None:
    with TemporaryDirectory() as folder:
        rows = compare_all(Path(folder))
    print_table(
        TextTable(
            "the same episodes, scored by groundling, by its Inspect task and by clembench's rules",
            ("game", "players", "measure", "clembench's name"),
            tuple(
                map(Column, ("ours", "Inspect", "clembench's", "equal in", "at most apart", "why different"))
            ),
            tuple(map(_table_row, rows)),
        )
    )


def _table_row(row: Compared) -> TableRow:
    means = (format_score_number(mean, ".4f") for mean in (row.our_mean, row.inspect_mean, row.their_mean))
    cells = (*means, f"{row.equal} of {row.n}", f"{row.largest:.4g}", row.why)
    return TableRow((row.game, row.players, row.measure, row.theirs), cells)


if __name__ == "__main__":
    main()
