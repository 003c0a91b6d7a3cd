"""The tables of what was left out of `reader`, and of the two halves of train, from results/."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from papers.hexagons.ablation import ENSEMBLE, ROWS, hold_out
from papers.hexagons.ablation_measures import InstructionScores, mean_scores
from papers.hexagons.pairs import Pairs

from groundling.games.hexagons.neural.procedures import Procedure
from groundling.scores.intervals import estimate_mean

SHOWN = (
    "held gold network",
    "held gold network without hint",
    "held gold choice",
    "held gold best candidate",
    "held own network",
    "held own choice",
    "dev gold choice",
    "dev own choice",
)
HALVES = ("a", "b")
Table = tuple[str, Sequence[str], list[list[str]]]


class RowScores(Struct, frozen=True):
    row: str
    seed: int
    steps: int
    scores: dict[str, InstructionScores]


def list_ablation_tables(folder: Path, train: Sequence[Procedure]) -> Iterator[Table]:
    """What each row reaches, means over its seeds, and how far its choice is from that of all sources."""
    rows: dict[str, list[RowScores]] = defaultdict(list)
    for file in sorted(folder.glob("*.json.gz")):
        one = msgspec.json.decode(gzip.decompress(file.read_bytes()), type=RowScores)
        rows[one.row].append(one)
    if "all" not in rows:
        return
    images = [one.image for one in hold_out(train)[1] for _ in one.texts]
    names = [*(name for name in ROWS if name in rows), *(name for name in (ENSEMBLE,) if name in rows)]
    says = {name: row.says for name, row in ROWS.items()} | {ENSEMBLE: "the three networks of all sources"}
    rules = mean_scores([rows["all"][0].scores["held gold rules"]])
    yield (
        "Sources and parts, F1 / exact match (seeds): held-out images of train, and dev",
        ("", *SHOWN),
        [
            ["the rules alone", *(_show(rules, 1) if key == "held gold choice" else "" for key in SHOWN)],
            *(
                [says[name], *(_show(_mean(rows[name], key), _count(rows[name], key)) for key in SHOWN)]
                for name in names
            ),
        ],
    )
    keys = ("held gold network", "held gold choice", "held own choice")
    yield (
        "Difference from all sources with the same seeds, F1 [95 % interval over the held-out images]",
        ("", *keys),
        [
            [says[name], *(_difference(rows["all"], rows[name], key, images) for key in keys)]
            for name in names
            if name != "all"
        ],
    )


def _count(rows: Sequence[RowScores], key: str) -> int:
    return sum(key in one.scores for one in rows)


def _mean(rows: Sequence[RowScores], key: str) -> np.ndarray[Any, Any] | None:
    found = [one.scores[key] for one in rows if key in one.scores]
    return mean_scores(found) if found else None


def _show(scores: np.ndarray[Any, Any] | None, seeds: int) -> str:
    return "" if scores is None else " / ".join(f"{one:.1f}" for one in scores.mean(0)) + f" ({seeds})"


def _difference(
    all_rows: Sequence[RowScores], rows: Sequence[RowScores], key: str, images: Sequence[str]
) -> str:
    seeds = {one.seed for one in rows if key in one.scores}
    alone = rows[0].row != ENSEMBLE  # an ensemble has all seeds
    mine, theirs = _mean(rows, key), _mean([one for one in all_rows if one.seed in seeds or not alone], key)
    if mine is None or theirs is None:
        return ""
    found = estimate_mean((mine - theirs)[:, 0], images)
    return f"{found.mean:+.1f} [{found.low:+.1f}, {found.high:+.1f}]"


def list_crosstalk_tables(file: Path) -> Iterator[Table]:
    """Executors of both halves of train with instructors of both, and what a common half is worth."""
    found = {one.key[:2]: one.scores for one in msgspec.json.decode(file.read_bytes(), type=Pairs).pairs}
    cells = {
        (teller, listener): found[f"describer, half {teller.upper()} of train", f"crosstalk-{listener}-0"]
        for teller in HALVES
        for listener in HALVES
        if (f"describer, half {teller.upper()} of train", f"crosstalk-{listener}-0") in found
    }
    if len(cells) < 4:
        return
    images = sorted(next(iter(cells.values())))
    rows = [
        [
            f"describer of half {teller.upper()}",
            *(_cell([cells[teller, listener][image] for image in images], images) for listener in HALVES),
        ]
        for teller in HALVES
    ]
    gains = [
        100
        * fmean(
            cells[teller, listener][image][0] * (1 if teller == listener else -1) * 2
            for teller in HALVES
            for listener in HALVES
        )
        for image in images
    ]
    gain = estimate_mean(gains, images)
    rows.append(
        ["same half minus other half, F1", f"{gain.mean:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}]", ""]
    )
    yield (
        "Crosstalk: SmolLM2 trained on a half, dev's images, F1 [95 % interval] / exact match of last boards",
        ("", "SmolLM2 of half A", "SmolLM2 of half B"),
        rows,
    )


def _cell(scores: Sequence[tuple[float, float]], images: Sequence[str]) -> str:
    f1 = estimate_mean([100 * one for one, _ in scores], images, low=0, high=100)
    return f"{f1.mean:.1f} [{f1.low:.1f}, {f1.high:.1f}] / {100 * fmean(one for _, one in scores):.1f}"
