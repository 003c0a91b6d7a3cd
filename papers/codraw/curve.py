"""What Tellers gain by playing: similarity over divergence from the imitating Teller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from papers.codraw.tables import format_number
from papers.codraw.weights_folders import (
    WeightsFolder,
    label_weights,
    list_weights_folders,
    read_weights_folder,
)

from groundling.boards.picture import render_png
from groundling.boards.plot import PlotTrack, plot_tracks
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.games.codraw.instance import TELLER
from groundling.games.codraw.text_table import format_text_table
from groundling.train.training_loop import CURVE_FILE
from groundling.train.weights import check_weights_exist

BOUNDS = (0.1, 0.3, 1.0)
"""Bounds in nats per word; the table shows the best similarity within each."""
PICTURES = (".svg", ".png")


class CurvePoint(Struct, frozen=True):
    """A measurement on held-out dialogs."""

    step: int
    similarity: float
    divergence: float


class TrainingCurve(Struct, frozen=True):
    """The measurements of one training by playing."""

    teller: WeightsFolder
    start: float | None
    """The similarity at the start, where it is known."""
    measured: tuple[CurvePoint, ...]

    @property
    def curve_points(self) -> list[tuple[float, float]]:
        begun = [] if self.start is None else [(0.0, self.start)]
        return begun + [(found.divergence, found.similarity) for found in self.measured]

    @property
    def best_point(self) -> CurvePoint:
        return max(self.measured, key=lambda found: found.similarity)

    def best_within(self, bound: float) -> float | None:
        return max(
            (similarity for divergence, similarity in self.curve_points if divergence <= bound), default=None
        )


def read_curves(places: Sequence[Path]) -> list[TrainingCurve]:
    """Read the curves of all Tellers below these folders that learned by playing. A path may also be a curve
    file."""
    folders = [folder for place in places for folder in _curve_folders(place)]
    tellers = [
        one
        for one in label_weights([read_weights_folder(folder) for folder in dict.fromkeys(folders)])
        if one.role == TELLER
    ]
    found = [
        TrainingCurve(one, _start_similarity(one, tellers), _read_points(one))
        for one in tellers
        if one.card.job.get("start")
    ]
    if not found:
        told = ", ".join(map(str, places))
        raise Problem(
            f"{told}: no Teller that learned by playing: "
            "give folders made by groundling train codraw-teller --start"
        )
    return sorted(found, key=lambda one: (one.teller.label, one.teller.half, one.teller.seed))


def _curve_folders(place: Path) -> list[Path]:
    if place.name != CURVE_FILE:
        return list_weights_folders(place)
    check_weights_exist(place.parent)
    return [place.parent]


def _start_similarity(teller: WeightsFolder, tellers: Iterable[WeightsFolder]) -> float | None:
    """Return the similarity of the Teller that it started from, if measured with the same Drawers; others are
    not comparable."""
    for one in tellers:
        before, after = one.card.job, teller.card.job
        if (one.folder.name, one.card.half) == (Path(after["start"]).name, teller.card.half):
            return (
                one.card.scores.get("similarity") if _partner_names(before) == _partner_names(after) else None
            )
    return None


def _partner_names(job: dict[str, Sequence[str]]) -> list[str]:
    return [Path(name).name for name in job.get("drawers", ())]


def _read_points(teller: WeightsFolder) -> tuple[CurvePoint, ...]:
    """Read the measurements from the curve, or from the card where there is no curve."""
    file = teller.folder / CURVE_FILE
    card = CurvePoint(teller.card.step, teller.card.scores["similarity"], teller.card.scores["divergence"])
    if not file.is_file():
        return (card,)
    lines = [
        line for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")
    ]  # the last may be half written
    try:
        return tuple(msgspec.json.decode(line, type=CurvePoint) for line in lines) or (card,)
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{file} is not the curve of a Teller that learns by playing ({trouble}): give another folder"
        ) from None


def curve_table(places: Sequence[Path], picture: Path | None) -> Iterator[str]:
    """Yield the lines of the table, and draw the picture."""
    if picture and picture.suffix not in PICTURES:
        raise Problem(f"{picture} is no picture: name it with {' or '.join(PICTURES)} at its end")
    found = read_curves(places)
    yield from format_text_table(
        (
            "teller",
            "half",
            "seed",
            "start",
            *(f"within {bound:g}" for bound in BOUNDS),
            "best",
            "nats",
            "step",
        ),
        [_format_row(one) for one in found],
    )
    yield (
        "similarity with the Drawers that it plays with, of scenes that its training had set aside; "
        "nats a word from the"
    )
    yield (
        "Teller that it started from; within so many nats, the best that was measured. start: "
        "where that Teller is here too,"
    )
    yield "and was measured with the same Drawers"
    if picture:
        drawn = plot_tracks(
            "What playing gains, and how far from imitation",
            [PlotTrack(one.teller.label, one.curve_points) for one in found],
            along="divergence from imitation, nats a word",
            up="scene similarity",
        )
        write_whole_file(picture, render_png(drawn) if picture.suffix == ".png" else drawn.encode())
        yield f"drawn in {picture}, one line a training"


def _format_row(one: TrainingCurve) -> tuple[str, ...]:
    teller, best = one.teller, one.best_point
    within = (format_number(one.best_within(bound)) for bound in BOUNDS)
    best_row = (format_number(best.similarity), format_number(best.divergence), f"{best.step:,}")
    return (teller.label, teller.half, str(teller.seed), format_number(one.start), *within, *best_row)
