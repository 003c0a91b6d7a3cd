"""What Tellers gain by playing: similarity over divergence from the imitating Teller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.boards.picture import png
from groundling.boards.plot import Track, tracks
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.games.codraw.neural.table.cast import Weights, folders_in, labelled, read
from groundling.games.codraw.neural.table.printing import number
from groundling.games.codraw.park import TELLER
from groundling.games.codraw.tables import table
from groundling.train.loop import CURVE
from groundling.train.weights import check_there

BOUNDS = (0.1, 0.3, 1.0)
"""Bounds in nats per word; the table shows the best similarity within each."""
PICTURES = (".svg", ".png")


class Measured(Struct, frozen=True):
    """A measurement on held-out dialogs."""

    step: int
    similarity: float
    divergence: float


class Course(Struct, frozen=True):
    """The measurements of one training by playing."""

    teller: Weights
    start: float | None
    """The similarity at the start, where it is known."""
    measured: tuple[Measured, ...]

    @property
    def points(self) -> list[tuple[float, float]]:
        begun = [] if self.start is None else [(0.0, self.start)]
        return begun + [(found.divergence, found.similarity) for found in self.measured]

    @property
    def best(self) -> Measured:
        return max(self.measured, key=lambda found: found.similarity)

    def within(self, bound: float) -> float | None:
        return max(
            (similarity for divergence, similarity in self.points if divergence <= bound), default=None
        )


def courses(places: Sequence[Path]) -> list[Course]:
    """Read the curves of all Tellers below these folders that learned by playing. A path may also be a curve
    file."""
    folders = [folder for place in places for folder in _folders(place)]
    tellers = [
        one for one in labelled([read(folder) for folder in dict.fromkeys(folders)]) if one.role == TELLER
    ]
    found = [
        Course(one, _start(one, tellers), _measured(one)) for one in tellers if one.card.job.get("start")
    ]
    if not found:
        told = ", ".join(map(str, places))
        raise Problem(
            f"{told}: no Teller that learned by playing: "
            "give folders made by groundling train codraw-teller --start"
        )
    return sorted(found, key=lambda one: (one.teller.label, one.teller.half, one.teller.seed))


def _folders(place: Path) -> list[Path]:
    if place.name != CURVE:
        return folders_in(place)
    check_there(place.parent)
    return [place.parent]


def _start(teller: Weights, tellers: Iterable[Weights]) -> float | None:
    """Return the similarity of the Teller that it started from, if measured with the same Drawers; others are
    not comparable."""
    for one in tellers:
        before, after = one.card.job, teller.card.job
        if (one.folder.name, one.card.half) == (Path(after["start"]).name, teller.card.half):
            return one.card.scores.get("similarity") if _partners(before) == _partners(after) else None
    return None


def _partners(job: dict[str, Sequence[str]]) -> list[str]:
    return [Path(name).name for name in job.get("drawers", ())]


def _measured(teller: Weights) -> tuple[Measured, ...]:
    """Read the measurements from the curve, or from the card where there is no curve."""
    file = teller.folder / CURVE
    card = Measured(teller.card.step, teller.card.scores["similarity"], teller.card.scores["divergence"])
    if not file.is_file():
        return (card,)
    lines = [
        line for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")
    ]  # the last may be half written
    try:
        return tuple(msgspec.json.decode(line, type=Measured) for line in lines) or (card,)
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{file} is not the curve of a Teller that learns by playing ({trouble}): give another folder"
        ) from None


def curve(places: Sequence[Path], picture: Path | None) -> Iterator[str]:
    """Yield the lines of the table, and draw the picture."""
    if picture and picture.suffix not in PICTURES:
        raise Problem(f"{picture} is no picture: name it with {' or '.join(PICTURES)} at its end")
    found = courses(places)
    yield from table(
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
        [_row(one) for one in found],
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
        drawn = tracks(
            "What playing gains, and how far from imitation",
            [Track(one.teller.label, one.points) for one in found],
            along="divergence from imitation, nats a word",
            up="scene similarity",
        )
        write_whole(picture, png(drawn) if picture.suffix == ".png" else drawn.encode())
        yield f"drawn in {picture}, one line a training"


def _row(one: Course) -> tuple[str, ...]:
    teller, best = one.teller, one.best
    within = (number(one.within(bound)) for bound in BOUNDS)
    best_row = (number(best.similarity), number(best.divergence), f"{best.step:,}")
    return (teller.label, teller.half, str(teller.seed), number(one.start), *within, *best_row)
