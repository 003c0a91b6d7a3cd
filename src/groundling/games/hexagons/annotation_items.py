"""Steps of recorded procedures as items to annotate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from groundling.core.annotation_item import AnnotationItem, ItemPicture
from groundling.games.hexagons.consolidation import choose_consolidation_steps
from groundling.games.hexagons.data import (
    VerificationsRecord,
    list_hexagons_splits,
    read_data_corrections,
    read_data_images,
    read_data_verifications,
)
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.score import cluster

FIRST_LEVELS = ("0", "1", "2-3", "2-3")
"""The labels of the first stage of levels."""
JUDGED = "To be judged"
AUDIT = "audit-"
"""Begins the ids of steps that are judged although the verifiers agree with the author."""
AUDITED = 100
"""Steps of the audit; fewer where there are not as many."""


def step_item_id(image: HexagonsImage, number: int) -> str:
    return f"{image.id}-{number}"


def split_item_id(item: str) -> tuple[str, int]:
    """Return the id of the procedure and the number of the step."""
    name, _, number = item.removeprefix(AUDIT).rpartition("-")
    return name, int(number)


def list_step_items(path: Path, part: str) -> Iterator[AnnotationItem]:
    """Yield every step, with the board before and after it. Published levels are known answers."""
    for image in _read_images(path, part):
        for number in range(1, len(image.steps) + 1):
            before, after = (board.cells for board in image.gold_boards(number - 1))
            yield _make_item(image, number, _step_pictures(before, after, "After"))


def list_consolidation_items(path: Path, part: str) -> Iterator[AnnotationItem]:
    """Yield all steps of procedures that verifiers dispute, and a sample of agreed ones as an audit. The
    boards of the verifiers, where the data has them, are in random order. Nothing tells whose board is
    whose."""
    images = _read_images(path, part)
    verified = {
        index: record
        for name in ([part] if part else list_hexagons_splits(path))
        for index, record in read_data_verifications(path, name).items()
    }
    rng = Random(0)
    judged, audited = choose_consolidation_steps(images, AUDITED, rng)
    for image in images:
        record = verified.get(image.facts.index) if image.facts else None
        for prefix, chosen in (("", judged), (AUDIT, audited)):
            for number in chosen.get(image.id, ()):
                pictures = _judged_pictures(image, number, record, rng)
                yield _make_item(image, number, pictures, prefix, image.steps[number - 1].board.cells)


def list_review_items(path: Path, part: str) -> Iterator[AnnotationItem]:
    """Yield the steps of corrected data at which no judge has looked since an earlier step was corrected,
    beside the boards as they were."""
    for split in [part] if part else list_hexagons_splits(path):
        corrections = read_data_corrections(path, split)
        for image in read_data_images(path, split):
            record = corrections.get(image.facts.index) if image.facts else None
            for found in record.corrections if record else ():
                if found.review:
                    before, after = (board.cells for board in image.gold_boards(found.step - 1))
                    pictures = (
                        *_step_pictures(before, after, JUDGED),
                        ItemPicture(title="Before the correction", board=found.original, against=after),
                    )
                    yield _make_item(image, found.step, pictures, board=after)


def _read_images(path: Path, part: str) -> list[HexagonsImage]:
    splits = [part] if part else list_hexagons_splits(path)
    return [image for name in splits for image in read_data_images(path, name)]


def _make_item(
    image: HexagonsImage, number: int, pictures: tuple[ItemPicture, ...], prefix: str = "", board: str = ""
) -> AnnotationItem:
    return AnnotationItem(
        id=f"{prefix}{step_item_id(image, number)}",
        text=image.steps[number - 1].spoken_text,
        before=tuple(step.spoken_text for step in image.steps[: number - 1]),
        pictures=pictures,
        board=board,
        cluster=cluster(image),
        answers={} if (level := image.steps[number - 1].level) is None else {"level": FIRST_LEVELS[level]},
    )


def _judged_pictures(
    image: HexagonsImage, number: int, record: VerificationsRecord | None, rng: Random
) -> tuple[ItemPicture, ...]:
    before, after = (board.cells for board in image.gold_boards(number - 1))
    others = [each.boards[number - 1] for each in record.verifications] if record else []
    rng.shuffle(others)
    return (
        *_step_pictures(before, after, JUDGED),
        *(ItemPicture(title="Another person", board=board, against=after) for board in others),
    )


def _step_pictures(before: str, after: str, title: str) -> tuple[ItemPicture, ItemPicture]:
    return ItemPicture(title="Before", board=before), ItemPicture(title=title, board=after, against=before)
