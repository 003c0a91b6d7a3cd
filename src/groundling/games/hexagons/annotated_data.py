"""Write data to which a study has added labels: corrected boards and levels of instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.source import CollectedData, StudyResults
from groundling.core.values import Problem
from groundling.games.hexagons.consolidation import (
    ConsolidationRecord,
    StepJudgement,
    add_earlier_corrections,
    consolidate_image,
)
from groundling.games.hexagons.data import (
    LevelsRecord,
    list_hexagons_splits,
    read_data_corrections,
    read_data_images,
    read_data_verifications,
)
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.release import VERIFIERS, encode_data_lines, with_agreement
from groundling.games.hexagons.study_results import Step, settled_judgements, settled_levels


def annotate_hexagons_data(path: Path, results: StudyResults) -> CollectedData:
    """Write all splits with corrected boards, what was corrected, and levels. What lay beside the data stays.
    Agreement is computed anew where the boards of verifiers are known."""
    levels, judged = settled_levels(results), settled_judgements(results)
    if not levels and not judged:
        raise Problem("the study has settled neither levels nor errors: finish it first")
    splits = {name: read_data_images(path, name) for name in list_hexagons_splits(path)}
    _check_steps(path, [image for images in splits.values() for image in images], {*levels, *judged})
    files: dict[str, bytes] = {}
    records: list[ConsolidationRecord] = []
    for split, images in splits.items():
        earlier = read_data_corrections(path, split)
        corrected = [_correct_image(image, judged, earlier) for image in images]
        images = _tag_images(path, split, [image for image, _ in corrected])
        files[f"{split}.jsonl"] = encode_data_lines(images)
        found = [record for _, record in corrected if record.corrections]
        records += found
        beside: dict[str, Iterable[Struct]] = {
            "consolidation": found,
            "levels": list(_level_records(images, levels)),
            "verifications": read_data_verifications(path, split).values(),
        }
        for name, lines in beside.items():
            if lines:
                content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
                files[f"{split}_{name}.jsonl"] = content
    return CollectedData(files, _describe_changes(records, levels))


def _check_steps(path: Path, images: Iterable[HexagonsImage], labelled: set[Step]) -> None:
    known = {(image.id, number) for image in images for number in range(1, len(image.steps) + 1)}
    if missing := sorted(labelled - known):
        name, number = missing[0]
        raise Problem(f"{path} has no step {number} of a procedure {name}: give the data that was annotated")


def _correct_image(
    image: HexagonsImage,
    judged: Mapping[Step, tuple[StepJudgement, tuple[str, ...]]],
    earlier: Mapping[int, ConsolidationRecord],
) -> tuple[HexagonsImage, ConsolidationRecord]:
    own = {number: found for (name, number), found in judged.items() if name == image.id}
    judges = {number: who for number, (_, who) in own.items()}
    image, record = consolidate_image(image, {number: found for number, (found, _) in own.items()}, judges)
    known = earlier.get(record.index)
    return image, add_earlier_corrections(record, known, judges) if known else record


def _tag_images(path: Path, split: str, images: Sequence[HexagonsImage]) -> list[HexagonsImage]:
    verified = read_data_verifications(path, split)
    found = []
    for image in images:
        record = verified.get(image.facts.index) if image.facts else None
        if record and len(record.verifications) == VERIFIERS:
            first, second = (each.boards for each in record.verifications)
            image = with_agreement(image, first, second)
        found.append(image)
    return found


def _level_records(images: Iterable[HexagonsImage], levels: Mapping[Step, int]) -> Iterable[LevelsRecord]:
    for image in images:
        assert image.facts is not None
        own = [levels.get((image.id, number), step.level) for number, step in enumerate(image.steps, 1)]
        if any(level is not None for level in own):
            yield LevelsRecord(image.facts.index, tuple(own))


def _describe_changes(records: Sequence[ConsolidationRecord], levels: Mapping[Step, int]) -> str:
    steps = [step for record in records for step in record.corrections]
    counts = {
        "boards corrected": sum(bool(step.kind) for step in steps),
        "that follow": sum(not step.kind for step in steps),
        "with conflicts": sum(bool(step.conflicts) for step in steps),
        "to be reviewed": sum(step.review for step in steps),
        "steps with a level": len(levels),
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing was changed"
