"""Consolidation: judges look for errors of authors who carried out their own steps, and correct the boards.

Only what a step painted is corrected, never its text. Later boards follow from it: the changes of later steps
are applied to the corrected board. The original boards are kept beside the corrected data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage

ERROR_TYPES = {
    "over-execution": "more than the text asks for",
    "under-execution": "less than the text asks for",
    "position": "a position on the board was miscounted",
    "propagation": "it follows from an error in an earlier step",
    "other": "such as a wrong colour",
}
DISPUTED = frozenset({"VV", "F"})
"""Tags of steps in which no verifier has the author's board."""


class StepJudgement(Struct, frozen=True):
    """What one judge says about one step, or what was settled."""

    error: bool
    kind: str = ""
    """One of ERROR_TYPES where there is an error."""
    board: Board | None = None
    """The whole board as it should be after the step, where there is an error."""


class ConsolidatedStep(Struct, frozen=True):
    board: Board
    conflicts: tuple[Tile, ...] = ()
    """Tiles that the step paints over although an earlier correction has changed them: a person has to
    look."""


class StepCorrection(Struct, frozen=True):
    """Why and by whom a board was changed, with the board as it was."""

    step: int
    original: str
    """180 digits."""
    kind: str = ""
    """The type of the author's error; "" where the board only follows from an earlier correction."""
    judges: tuple[str, ...] = ()
    """Those who looked at it, and how it was settled."""
    conflicts: tuple[Tile, ...] = ()
    review: bool = False
    """It follows from a correction of an earlier step, and no judge has looked at it since."""


class ConsolidationRecord(Struct, frozen=True):
    """One line of a file of corrections, which lies next to the file of its split."""

    index: int
    corrections: tuple[StepCorrection, ...]


def is_disputed(image: HexagonsImage) -> bool:
    """Whether no verifier has the author's board after some step."""
    return bool(image.facts and image.facts.tags and DISPUTED & set(image.facts.tags))


def choose_consolidation_steps(
    images: Iterable[HexagonsImage], audit: int, rng: Random
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the steps to be judged, by procedure: all steps of disputed procedures, and as an audit a sample
    of steps of others in which both verifiers have the author's board, at most as many as there are."""
    images = list(images)
    judged = {image.id: [*range(1, len(image.steps) + 1)] for image in images if is_disputed(image)}
    agreed = [
        (image.id, number)
        for image in images
        if image.id not in judged and image.facts
        for number, tag in enumerate(image.facts.tags or (), 1)
        if tag == "A"
    ]
    audited: dict[str, list[int]] = {}
    for name, number in sorted(rng.sample(agreed, min(audit, len(agreed)))):
        audited.setdefault(name, []).append(number)
    return judged, audited


def consolidate_boards(boards: Sequence[Board], corrected: Mapping[int, Board]) -> list[ConsolidatedStep]:
    """Return the boards after each step, given corrected boards by the number of the step, from 1.

    Judges correct what a step does to the author's board before it. These changes, or the author's own where
    nothing is corrected, are applied to the board that came of the steps before."""
    before = now = Board.empty()
    found: list[ConsolidatedStep] = []
    for number, after in enumerate(boards, 1):
        changes = before.changes_to(corrected.get(number, after))
        conflicts = [
            tile
            for tile, colour in changes.items()
            if now.colour_at(tile) not in (before.colour_at(tile), colour)
        ]
        now = now.with_tiles(changes)
        found.append(ConsolidatedStep(now, tuple(conflicts)))
        before = after
    return found


def consolidate_image(
    image: HexagonsImage, settled: Mapping[int, StepJudgement], judges: Mapping[int, Sequence[str]]
) -> tuple[HexagonsImage, ConsolidationRecord]:
    """Return the corrected procedure, and what was changed in it, given judgements and who made them by the
    number of the step. An error without a corrected board changes nothing."""
    assert image.facts is not None
    if beyond := [number for number in settled if not 0 < number <= len(image.steps)]:
        raise Problem(f"procedure {image.id} has no step {beyond[0]}: it has {len(image.steps)}")
    boards = [step.board for step in image.steps]
    corrected = {number: found.board for number, found in settled.items() if found.error and found.board}
    steps = consolidate_boards(boards, corrected)
    corrections = [
        StepCorrection(
            number,
            old.cells,
            settled[number].kind if number in corrected else "",
            tuple(judges.get(number, ())),
            new.conflicts,
            number not in corrected or bool(new.conflicts),
        )
        for number, (old, new) in enumerate(zip(boards, steps, strict=True), 1)
        if new.board != old or new.conflicts
    ]
    return _with_boards(image, [step.board for step in steps]), ConsolidationRecord(
        image.facts.index, tuple(corrections)
    )


def add_earlier_corrections(
    record: ConsolidationRecord, earlier: ConsolidationRecord, judges: Mapping[int, Sequence[str]]
) -> ConsolidationRecord:
    """Add the corrections from which the data of this record came: the boards as they were at first, and why
    they were changed. What judges have looked at since needs no review, unless it has changed again."""
    merged = {one.step: one for one in record.corrections}
    for old in earlier.corrections:
        new = merged.get(old.step)
        merged[old.step] = replace(
            new or old,
            original=old.original,
            kind=(new and new.kind) or old.kind,
            judges=(*old.judges, *judges.get(old.step, ())),
            review=new.review if new else old.review and old.step not in judges,
        )
    return ConsolidationRecord(record.index, tuple(merged[step] for step in sorted(merged)))


def restore_original(image: HexagonsImage, record: ConsolidationRecord) -> HexagonsImage:
    """Return the procedure as it was before the consolidation."""
    originals = {correction.step: Board(correction.original) for correction in record.corrections}
    return _with_boards(
        image, [originals.get(number, step.board) for number, step in enumerate(image.steps, 1)]
    )


def _with_boards(image: HexagonsImage, boards: Sequence[Board]) -> HexagonsImage:
    steps = tuple(replace(step, board=board) for step, board in zip(image.steps, boards, strict=True))
    return replace(image, target=boards[-1], steps=steps)
