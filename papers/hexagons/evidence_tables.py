"""Tables of how sure `reader` is of its answers, and of how much better it is than others."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from pathlib import Path
from statistics import fmean
from typing import Protocol, TypeAlias

import msgspec
from msgspec import Struct
from papers.hexagons.ablation_tables import Table

from groundling.games.hexagons.neural.hints import RuleReading
from groundling.games.hexagons.neural.notation import read_action_notation
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.games.hexagons.neural.reader_choice import (
    SURE,
    AnswerCandidate,
    Painted,
    ReadingEvidence,
    choose_answer,
    describe_program,
    fit_choice,
    painted_f1,
)
from groundling.scores.intervals import estimate_mean

BINS = 10
FOLDS = 5


class EvidenceLine(Struct, frozen=True):
    """What a reader knew of an instruction, and its answer, as `choice.py` writes them."""

    id: str
    step: int
    unread: int
    whole: float
    right: str
    painted: str
    candidates: list[tuple[str, tuple[float, ...], int, dict[str, int]]]
    programs: list[dict[str, tuple[float, int]]] = []
    """How likely and how long each candidate is as a program, after each prompt."""

    def read(self) -> ReadingEvidence:
        """With the answer of the rules first."""
        programs = [
            tuple(chain(*starmap(describe_program, one.values())))
            for one in self.programs or [{} for _ in self.candidates]
        ]
        found = [
            AnswerCandidate(_read_runs(text), likely, length, sum(by.values()), program)
            for (text, likely, length, by), program in zip(self.candidates, programs, strict=True)
        ]
        rules = RuleReading(dict(found[0].painted), self.unread, self.whole)
        return ReadingEvidence(rules, () if self.whole >= SURE else tuple(found))


class StepScore(Protocol):
    """An instruction of an image, and how well it was carried out."""

    @property
    def image(self) -> str: ...
    @property
    def f1(self) -> float: ...
    @property
    def exact(self) -> float: ...


RowPair: TypeAlias = tuple[str, Sequence[StepScore], Sequence[StepScore]]
"""The name of the second, and two rows over the same instructions."""


def _read_runs(text: str) -> Painted:
    return read_action_notation(text, "runs")


def read_evidence(file: Path) -> list[EvidenceLine]:
    return msgspec.json.Decoder(EvidenceLine).decode_lines(gzip.decompress(file.read_bytes()))


def list_reader_tables(
    pairs: Iterable[RowPair], folder: Path, train: Sequence[Procedure], dev: Sequence[tuple[float, float]]
) -> Iterator[Table]:
    """Differences and calibration, where the folder has what readers knew of each instruction. `dev` is the
    expected and the reached F1 of each instruction there."""
    if folder.is_dir():
        yield _differences(pairs, folder, train)
        yield _calibration(folder, train, dev)


def _calibration(folder: Path, train: Sequence[Procedure], dev: Sequence[tuple[float, float]]) -> Table:
    """Expected and reached F1 with own boards, by what was expected. The choice for a part of the held-out
    images is fitted on the others."""
    images = {one.id: one.image for one in train}
    held = read_evidence(folder / "held.reader.gz")
    names = sorted({images[line.id] for line in held})
    expected = list[tuple[float, float]]()
    for fold in (names[first::FOLDS] for first in range(FOLDS)):
        mine = [line for line in held if images[line.id] in fold]
        expected += _expect(mine, _fit([line for line in held if images[line.id] not in fold]))
    parts = [expected, dev]
    rows = []
    for number in range(BINS):
        row = [f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}"]
        for part in parts:
            found = [pair for pair in part if min(max(int(pair[0] * BINS), 0), BINS - 1) == number]
            if found:
                row += [str(len(found)), *(f"{fmean(one):.2f}" for one in zip(*found, strict=True))]
            else:
                row += ["0", "", ""]
        rows.append(row)
    row = ["error of calibration"]
    for part in parts:
        row += [str(len(part)), "", f"{_calibration_error(part):.3f}"]
    head = [f"{where}, {what}" for where in ("held-out", "dev") for what in ("answers", "expected", "F1")]
    return "How sure `reader` is, own boards: expected and reached F1", ("", *head), [*rows, row]


def _fit(lines: Sequence[EvidenceLine]) -> list[float]:
    return fit_choice([(line.read(), _read_runs(line.right)) for line in lines])


def _expect(lines: Sequence[EvidenceLine], weights: Sequence[float]) -> list[tuple[float, float]]:
    found = []
    for line in lines:
        painted, expected = choose_answer(line.read(), weights)
        found.append((expected, painted_f1(painted, _read_runs(line.right))))
    return found


def _calibration_error(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean distance of expected from reached F1, over tenths of what was expected."""
    bins: dict[int, list[float]] = {}
    for expected, reached in pairs:
        bins.setdefault(min(max(int(expected * BINS), 0), BINS - 1), []).append(reached - expected)
    return sum(abs(sum(one)) for one in bins.values()) / len(pairs)


class _AnswerScore(Struct, frozen=True):
    image: str
    f1: float
    exact: float


def _differences(pairs: Iterable[RowPair], folder: Path, train: Sequence[Procedure]) -> Table:
    """How much better the first of each pair is, over the same steps, and all networks together than the
    former one that held out the same images."""
    images = {one.id: one.image for one in train}
    new = {(line.id, line.step): line for line in read_evidence(folder / "held.reader.gz")}
    old = read_evidence(folder / "former.reader.gz")
    same = [new[line.id, line.step] for line in old]
    rows = []
    held = (
        "former choice of one network (all answers always), held-out images, own boards, seeds: 1",
        [_score_line(line, images) for line in same],
        [_score_line(line, images) for line in old],
    )
    for name, mine, theirs in (*pairs, held):
        row = [name, str(len(mine))]
        for measure in ("f1", "exact"):
            apart = [
                100 * (getattr(one, measure) - getattr(other, measure))
                for one, other in zip(mine, theirs, strict=True)
            ]
            found = estimate_mean(apart, [one.image for one in mine])
            row.append(f"{found.mean:+.1f} [{found.low:+.1f}, {found.high:+.1f}]")
        rows.append(row)
    return (
        "`reader` minus others, means over the seeds of both [95 % interval over images]",
        ("minus", "instructions", "F1", "exact match"),
        rows,
    )


def _score_line(line: EvidenceLine, images: Mapping[str, str]) -> _AnswerScore:
    painted, right = _read_runs(line.painted), _read_runs(line.right)
    return _AnswerScore(images[line.id], painted_f1(painted, right), float(painted == right))
