"""From labels of a study to tables, and to data with corrected boards and levels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.annotation_item import AnnotationItem
from groundling.core.result_tables import TextTable
from groundling.core.source import AnnotatorLabels, StudyResults
from groundling.core.values import Problem
from groundling.games.hexagons.annotated_data import annotate_hexagons_data
from groundling.games.hexagons.annotation_items import (
    list_consolidation_items,
    list_review_items,
    list_step_items,
)
from groundling.games.hexagons.consolidation import restore_original
from groundling.games.hexagons.data import read_data_corrections, read_data_images
from groundling.games.hexagons.image import HexagonsImage, ProcedureFacts
from groundling.games.hexagons.release import encode_data_lines
from groundling.games.hexagons.study_results import hexagons_study_tables

from .small import FLOWER, LINE, MENDED, RECORDED

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[4] / "shared" / "data")) / "hexagons"
SHORT = LINE.with_tiles({(5, 3): "white"})
"""What the author painted in place of the line: one tile is missing."""
LATER = MENDED.with_tiles({(5, 3): "red"})
"""The last board with the missing tile: the author's own step could not erase what was not there."""
AGREED = ((1.0, 1.0, 1.0),) * 4


def planted(index: int, tags: tuple[str, ...], *boards: Board) -> HexagonsImage:
    steps = tuple(
        replace(step, board=board, level=None) for step, board in zip(RECORDED.steps, boards, strict=True)
    )
    facts = ProcedureFacts(index, 1, tags, AGREED)
    return replace(RECORDED, id=f"{index:03d}", steps=steps, target=boards[-1], facts=facts)


def write_planted_data(folder: Path) -> Path:
    """A disputed procedure in which the first step misses a tile, and one that all agree on."""
    without = {(5, 3): "white"}
    wrong = planted(3, ("VV", "VV", "F", "A"), SHORT, SHORT, FLOWER.with_tiles(without), MENDED)
    right = planted(4, ("A", "A", "V1", "A"), LINE, LINE, FLOWER, MENDED)
    folder.mkdir()
    (folder / "dev.jsonl").write_bytes(encode_data_lines([wrong, right]))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_planted_data(tmp_path / "data")


def label(stage: str, item: AnnotationItem, who: str, **values: Any) -> AnnotatorLabels:
    return AnnotatorLabels(stage=stage, item=item, annotator=who, values=values)


def judge(
    items: Mapping[str, AnnotationItem], errors: Mapping[str, tuple[str, Board]], settled: bool = True
) -> StudyResults:
    """Two judges who agree: these errors, and no others."""
    labels = []
    for name, item in items.items():
        kind, board = errors.get(name, ("", None))
        values = {"error": "yes", "type": kind, "board": board.cells} if board else {"error": "no"}
        labels += [label("judge", item, who, **values) for who in ("ann", "ben")]
    agreed = [replace(one, annotator="all") for one in labels[::2]] if settled else []
    return StudyResults(labels=labels, settled=agreed)


def write(files: Mapping[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def cells(table: TextTable) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {row.keys: row.cells for row in table.rows}


def test_a_planted_error_is_corrected_with_the_boards_after_it(data: Path, tmp_path: Path) -> None:
    items = {item.id: item for item in list_consolidation_items(data, "")}
    assert [name for name in items if not name.startswith("audit-")] == ["003-1", "003-2", "003-3", "003-4"]
    assert {name for name in items if name.startswith("audit-")} == {
        f"audit-004-{step}" for step in (1, 2, 4)
    }
    assert items["003-1"].board == SHORT.cells
    results = judge(items, {"003-1": ("under-execution", LINE)})
    written = annotate_hexagons_data(data, results)
    assert written.about == "1 boards corrected, 3 that follow, 3 to be reviewed"
    mended = write(written.files, tmp_path / "mended")
    wrong, right = read_data_images(mended, "dev")
    assert [step.board for step in wrong.steps] == [LINE, LINE, FLOWER, LATER]
    before = read_data_images(data, "dev")
    assert right == before[1]
    (record,) = read_data_corrections(mended, "dev").values()
    assert restore_original(wrong, record) == before[0]
    assert record.corrections[0].judges == ("ann", "ben", "settled by all")


def test_boards_that_follow_are_looked_at_and_the_first_boards_stay_known(data: Path, tmp_path: Path) -> None:
    items = {item.id: item for item in list_consolidation_items(data, "")}
    first = write(
        annotate_hexagons_data(data, judge(items, {"003-1": ("under-execution", LINE)})).files,
        tmp_path / "first",
    )
    review = {item.id: item for item in list_review_items(first, "")}
    assert [*review] == ["003-2", "003-3", "003-4"]
    assert [picture.title for picture in review["003-2"].pictures][-1] == "Before the correction"
    better = FLOWER.with_tiles({(9, 9): "green"})
    second = write(
        annotate_hexagons_data(first, judge(review, {"003-3": ("propagation", better)})).files,
        tmp_path / "second",
    )
    image = read_data_images(second, "dev")[0]
    assert image.steps[2].board == better
    record = read_data_corrections(second, "dev")[3]
    assert restore_original(image, record) == read_data_images(data, "dev")[0]
    assert [one.kind for one in record.corrections] == ["under-execution", "", "propagation", ""]
    assert [item.id for item in list_review_items(second, "")] == ["003-4"], "it follows from step 3 now"


def test_the_tables_have_agreement_error_types_and_the_audit(data: Path) -> None:
    items = {item.id: item for item in list_consolidation_items(data, "")}
    results = judge(items, {"003-1": ("under-execution", LINE), "003-2": ("propagation", LINE)})
    agreement, errors = hexagons_study_tables(results)
    found = cells(agreement)
    assert [row[1] for row in found.values()] == ["1.000", "1.000", "1.000"]
    assert [row[0] for row in found.values()] == ["7", "2", "2"]
    assert [row[-1] for row in found.values()] == ["0.95", "0.98", "0.95"]
    kinds = {keys[0]: row for keys, row in cells(errors).items()}
    assert kinds["under-execution"] == ("1 (25.0 %)", "0 (0.0 %)")
    assert kinds["all errors"] == ("2 (50.0 %)", "0 (0.0 %)", "20.8 %")
    assert kinds["steps"] == ("4", "3", "1,461")


def test_what_is_not_settled_is_left_out_and_told(data: Path) -> None:
    items = {item.id: item for item in list_consolidation_items(data, "")}
    results = judge(items, {}, settled=False)
    _, errors = hexagons_study_tables(results)
    assert "7 steps are left out: judges differ, and nothing was decided." in errors.notes
    with pytest.raises(Problem, match="settled neither levels nor errors: finish it first"):
        annotate_hexagons_data(data, results)


def test_labels_of_other_data_are_refused(data: Path) -> None:
    item = AnnotationItem(id="900-1", text="x")
    with pytest.raises(Problem, match="has no step 1 of a procedure 900: give the data that was annotated"):
        annotate_hexagons_data(data, judge({"900-1": item}, {}))


def test_levels_of_two_stages_lie_beside_the_data(data: Path, tmp_path: Path) -> None:
    items = {item.id: item for item in list_step_items(data, "")}
    first = {"003-1": "1", "003-2": "0", "003-3": "2-3", "003-4": "2-3"}
    labels = [label("first", items[name], who, level=level) for name, level in first.items() for who in "ab"]
    labels += [label("second", items["003-3"], who, split="3") for who in "ab"]
    settled = [replace(one, annotator="all") for one in labels[::2]]
    results = StudyResults(labels=labels, settled=settled)
    written = annotate_hexagons_data(data, results)
    images = read_data_images(write(written.files, tmp_path / "new"), "dev")
    assert [step.level for step in images[0].steps] == [1, 0, 3, 2]
    assert {step.level for step in images[1].steps} == {None}
    alpha, counts = hexagons_study_tables(results)
    assert cells(alpha)["first stage: 0, 1, 2–3", "gwet-ordinal"][1] == "1.000"
    assert cells(alpha)["first stage: 0, 1, 2–3", "gwet-ordinal"][-1] == "0.923"
    assert cells(counts)["here",] == ("1 (25.0 %)", "1 (25.0 %)", "1 (25.0 %)", "1 (25.0 %)", "4")
    assert counts.notes == ("1 instructions at 2–3 are not split: they stand under mid.",)


def test_a_label_that_is_no_level_is_refused(data: Path) -> None:
    item = next(iter(list_step_items(data, "")))
    with pytest.raises(Problem, match="'high' of the field level is no level: choose from 0, 1, 2-3"):
        hexagons_study_tables(StudyResults(labels=[label("first", item, "a", level="high")]))


def test_phenomena_are_counted_as_occurrences_steps_and_procedures(data: Path) -> None:
    items = {item.id: item for item in list_step_items(data, "")}

    def mark(name: str, who: str, *kinds: str) -> AnnotatorLabels:
        spans = [{"start": at, "end": at + 2, "label": kind} for at, kind in enumerate(kinds)]
        return label("mark", items[name], who, **({"phenomena": spans} if spans else {}))

    labels = [
        mark("003-1", "ann", "object", "object", "control", "spatial"),
        mark("003-2", "ann"),
        mark("004-1", "ann", "functions"),
        mark("003-1", "ben", "object"),
    ]
    counts, agreement = hexagons_study_tables(StudyResults(labels=labels))
    found = cells(counts)
    assert found["abstraction", "object"][:3] == ("2", "2 (66.67 %)", "2 (100.00 %)")
    assert found["abstraction", "control"][:3] == ("1", "", "")
    assert found["spatial", "spatial"] == (
        *("1", "1 (33.33 %)", "1 (50.00 %)"),
        *("0", "0 (0.00 %)", "0 (0.00 %)"),
        *("225", "132 (68.04 %)", "23 (95.83 %)"),
    )
    assert found["abstraction", "object"][-3:] == ("77", "95 (48.97 %)", "22 (91.67 %)")
    assert "annotation 1: 3 steps of 2 procedures." in counts.notes
    assert cells(agreement)["object",][0] != "—"
    settled = [replace(labels[3], annotator="adjudication")]
    counts, _ = hexagons_study_tables(StudyResults(labels=labels, settled=settled))
    assert cells(counts)["abstraction", "object"][:3] == ("1", "1 (50.00 %)", "1 (100.00 %)")
    assert "settled: 2 steps of 1 procedures." in counts.notes, "004-1 is not settled"


@pytest.mark.skipif(not (REAL / "dev.jsonl").exists(), reason=f"the HEXAGONS data is not in {REAL}")
def test_the_released_data_has_156_disputed_procedures() -> None:
    items = [item.id for item in list_consolidation_items(REAL, "")]
    judged = [name for name in items if not name.startswith("audit-")]
    assert (len(judged), len({name.partition("-")[0] for name in judged})) == (1086, 156)
    assert len(items) - len(judged) == 100


def _confuse(rng: Random, label: str, known: tuple[str, ...], rate: float) -> str:
    return rng.choice([one for one in known if one != label]) if rng.random() < rate else label


@pytest.mark.slow
@pytest.mark.skipif(not (REAL / "dev_levels.jsonl").exists(), reason=f"the HEXAGONS data is not in {REAL}")
def test_annotators_with_known_confusions_agree_as_expected_on_dev() -> None:
    """Two annotators who give another of three labels in 10 % agree as much as the confusions say."""
    rng, rate = Random(1), 0.1
    truth = {
        f"{image.id}-{number}": ("0", "1", "2-3")[step.level or 0]
        for image in read_data_images(REAL, "dev")
        for number, step in enumerate(image.steps, 1)
    }
    items = {item.id: item for item in list_step_items(REAL, "dev")}
    labels = [
        label("first", items[name], who, level=_confuse(rng, level, ("0", "1", "2-3"), rate))
        for name, level in truth.items()
        for who in ("a", "b")
    ]
    pairs = [
        (one.values["level"], two.values["level"]) for one, two in zip(labels[::2], labels[1::2], strict=True)
    ]
    same = sum(one == two for one, two in pairs) / len(pairs)
    expected = (1 - rate) ** 2 + 2 * (rate / 2) ** 2
    assert same == pytest.approx(expected, abs=3 * (expected * (1 - expected) / len(pairs)) ** 0.5)
    settled = [label("first", items[name], "adjudication", level=level) for name, level in truth.items()]
    alpha, counts = hexagons_study_tables(StudyResults(labels=labels, settled=settled))
    assert cells(counts)["here",][:2] == ("174 (39.0 %)", "47 (10.5 %)")
    found = cells(alpha)
    assert 0.6 < float(found["first stage: 0, 1, 2–3", "gwet-ordinal"][1]) < 0.85
    assert found["settled levels and the guess by rule", "gwet-ordinal"][1] == "0.837"
