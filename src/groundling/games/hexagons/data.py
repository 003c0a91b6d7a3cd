"""The published HEXAGONS data: lossless conversion between its records and images with steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.events import Transcript
from groundling.core.replay import recorded_transcript
from groundling.core.source import Collection, DataTerms, Source
from groundling.core.values import Problem
from groundling.games.hexagons.consolidation import ConsolidationRecord
from groundling.games.hexagons.gold import gold_recorded_replies
from groundling.games.hexagons.image import HexagonsImage, ImageStep, ProcedureFacts
from groundling.games.hexagons.near_copies import find_near_copies, near_copy_base_id
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame, HexagonsSettings

SPLITS = ("train", "dev", "test")
UNTAGGED = "None"
"""Replaces tags and scores of a procedure that nobody verified."""
ALIGN = HexagonsSettings(mode="align")
"""The setting of the data collection: an author wrote a procedure and then carried it out."""


class ProcedureRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file, with field names and their order as published."""

    index: int
    annotation_round: int
    category: str
    image_id: str
    instructor_id: int
    number_of_drawing_steps: int
    agreement_tags: tuple[str, ...] | str
    agreement_scores: tuple[tuple[int | float, ...], ...] | str
    drawing_procedure: tuple[tuple[int, str, tuple[int, ...]], ...]


class LevelsRecord(Struct, frozen=True):
    """One line of a file of abstraction levels, which lies next to the file of its split."""

    index: int
    levels: tuple[int | None, ...]
    """One for each step; None where nobody has labelled it."""


class ProcedureVerification(Struct, frozen=True):
    """What a verifier painted: the board after each step, as 180 digits."""

    episode: str
    person: str
    boards: tuple[str, ...]


class VerificationsRecord(Struct, frozen=True):
    """One line of a file of verifications, next to the file of its split; only our own data has them."""

    index: int
    episode: str
    instructor: str
    verifications: tuple[ProcedureVerification, ...]


BESIDE = {"levels": LevelsRecord, "verifications": VerificationsRecord, "consolidation": ConsolidationRecord}
"""What may lie next to the file SPLIT.jsonl, as SPLIT_NAME.jsonl."""


def list_hexagons_splits(path: Path) -> list[str]:
    """Return the splits in a folder, or the split that a file holds."""
    if path.is_file():
        beside = path.stem.endswith(tuple(f"_{name}" for name in BESIDE))
        return [path.stem] if path.suffix == ".jsonl" and not beside else []
    return [name for name in SPLITS if (path / f"{name}.jsonl").is_file()]


def read_hexagons_data(path: Path, part: str) -> list[Collection]:
    images = read_data_images(path, part)
    return [Collection("hexagons", part, images, map(image_to_data_transcript, images))]


def read_data_images(path: Path, part: str) -> list[HexagonsImage]:
    """Return the procedures of a split, with the near-copies of their images in other splits."""
    file = path if path.is_file() else path / f"{part}.jsonl"
    images = _read_file(file, part)
    others = [
        image
        for name in list_hexagons_splits(file.parent)
        if name != part
        for image in _read_file(file.parent / f"{name}.jsonl", name)
    ]
    near = find_near_copies(images, others)
    return [replace(image, near=near.get(image.image, ())) for image in images]


def _read_file(file: Path, part: str) -> list[HexagonsImage]:
    levels: dict[int, LevelsRecord] = _read_beside(file, "levels")
    images = []
    for number, record in _decode_lines(file, ProcedureRecord):
        try:
            known = levels.get(record.index)
            images.append(data_record_to_image(record, part, known.levels if known else ()))
        except ValueError as trouble:
            raise Problem(
                f"{file}:{number} is not a drawing procedure ({trouble}): restore the file as published"
            ) from None
    return images


def read_data_verifications(path: Path, part: str) -> dict[int, VerificationsRecord]:
    """Return what verifiers painted, by the index of the procedure; nothing for the published data."""
    return _read_beside(path if path.is_file() else path / f"{part}.jsonl", "verifications")


def read_data_corrections(path: Path, part: str) -> dict[int, ConsolidationRecord]:
    """Return what judges have corrected, by the index of the procedure."""
    return _read_beside(path if path.is_file() else path / f"{part}.jsonl", "consolidation")


def _read_beside(file: Path, name: str) -> dict[int, Any]:
    """Read the file of that name next to the file of a split, by index."""
    beside = file.with_name(f"{file.stem}_{name}.jsonl")
    if not beside.is_file():
        return {}
    return {found.index: found for _, found in _decode_lines(beside, BESIDE[name])}


def _decode_lines(file: Path, kind: type[Any]) -> Iterator[tuple[int, Any]]:
    decode = msgspec.json.Decoder(kind).decode
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if line.strip():
            try:
                yield number, decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
                told = f"{file}:{number} is not as published ({trouble}): restore the file"
                raise Problem(told) from None


def data_record_to_image(
    record: ProcedureRecord, part: str, levels: Sequence[int | None] = ()
) -> HexagonsImage:
    """Convert a record to an image. Raises ValueError if the record contradicts itself."""
    start, *steps = record.drawing_procedure
    count = record.number_of_drawing_steps
    numbers = [number for number, _, _ in record.drawing_procedure]
    if start[1] != "NONE" or any(start[2]) or numbers != list(range(count + 1)) or not steps:
        raise ValueError(f"it should have step 0, NONE on a blank board, and then the steps 1 to {count}")
    if levels and len(levels) != count:
        raise ValueError(f"it has {count} steps and {len(levels)} levels")
    boards = [Board.from_digits(digits) for _, _, digits in steps]
    return HexagonsImage(
        id=f"{record.index:03d}",
        set=part,
        group=near_copy_base_id(record.image_id),
        image=record.image_id,
        category=record.category,
        round=record.annotation_round,
        target=boards[-1],
        steps=tuple(
            ImageStep(text, board, levels[number] if levels else None)
            for number, ((_, text, _), board) in enumerate(zip(steps, boards, strict=True))
        ),
        facts=ProcedureFacts(
            record.index,
            record.instructor_id,
            _checked_entries("agreement_tags", record.agreement_tags, count),
            _checked_entries("agreement_scores", record.agreement_scores, count),
        ),
    )


def _checked_entries(name: str, found: tuple[Any, ...] | str, count: int) -> Any:
    """Return one entry for each step, or None if the procedure was not verified."""
    if isinstance(found, str):
        if found != UNTAGGED:
            raise ValueError(f'{name} is "{found}", neither a list nor "{UNTAGGED}"')
        return None
    if len(found) != count:
        raise ValueError(f"{name} has {len(found)} entries for {count} steps")
    return found


AUTHOR = "person, who drew what they wrote"
"""The label of recorded games: they are perfect because the author's own drawing is the gold standard."""


def image_to_data_transcript(image: HexagonsImage) -> Transcript:
    """Return the game that the procedure records: its author wrote it, then carried it out."""
    game = HexagonsGame(ALIGN)
    replies = gold_recorded_replies(game, image, INSTRUCTOR)
    turns = [(INSTRUCTOR, reply.moves or ()) for reply in replies]
    return recorded_transcript(game, image, {INSTRUCTOR: AUTHOR}, turns)


def image_to_data_record(image: HexagonsImage) -> ProcedureRecord:
    """Return the published record of a procedure."""
    facts = image.facts
    assert facts is not None
    boards = [Board.empty(), *(step.board for step in image.steps)]
    texts = ["NONE", *(step.text for step in image.steps)]
    return ProcedureRecord(
        index=facts.index,
        annotation_round=image.round or 0,
        category=image.category or "NONE",
        image_id=image.image,
        instructor_id=facts.instructor,
        number_of_drawing_steps=len(image.steps),
        agreement_tags=UNTAGGED if facts.tags is None else facts.tags,
        agreement_scores=UNTAGGED if facts.agreement is None else facts.agreement,
        drawing_procedure=tuple(
            (number, text, tuple(map(int, board.cells)))
            for number, (text, board) in enumerate(zip(texts, boards, strict=True))
        ),
    )


source = Source(
    name="hexagons",
    about="drawing procedures that people wrote for images on a board of hexagons (Lachmy et al. 2022)",
    terms=DataTerms(
        licence="CC-BY-4.0, for research only",
        shared=False,
        note="its page names CC BY 4.0 but also limits the use to research",
        cite="Lachmy et al. 2022, Draw Me a Flower, TACL 10",
    ),
    parts=list_hexagons_splits,
    read=read_hexagons_data,
    stats=f"{__package__}.stats:hexagons_stats_lines",
    write=f"{__package__}.release:write_hexagons_data",
    collect=f"{__package__}.collected:collect_hexagons_data",
    labels=f"{__package__}.level_guess:list_level_labels",
    items={
        "steps": f"{__package__}.annotation_items:list_step_items",
        "consolidation": f"{__package__}.annotation_items:list_consolidation_items",
        "review": f"{__package__}.annotation_items:list_review_items",
    },
    tables=f"{__package__}.study_results:hexagons_study_tables",
    annotated=f"{__package__}.annotated_data:annotate_hexagons_data",
    recipe=f"{__package__}.split:HexagonsSplitRecipe",
    split=f"{__package__}.split:split_hexagons_images",
)
