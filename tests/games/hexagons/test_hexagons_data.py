"""Published data in and out again: small data of our own, and the real files where they are."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.cli.main import main
from groundling.core.source import find_source
from groundling.core.values import Problem
from groundling.games.hexagons.data import (
    image_to_data_transcript,
    list_hexagons_splits,
    read_data_images,
    read_hexagons_data,
)
from groundling.games.hexagons.image import HexagonsImage, ProcedureFacts
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.release import write_hexagons_data
from groundling.games.hexagons.split import HexagonsSplitRecipe, deal_split_images, split_hexagons_images

from .small import FLOWER, LINE, MENDED

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[4] / "shared" / "data")) / "hexagons"
real = pytest.mark.skipif(not (REAL / "train.jsonl").exists(), reason=f"the HEXAGONS data is not in {REAL}")


def digits(board: Board) -> list[int]:
    return [int(digit) for digit in board.cells]


def record(index: int = 7, **changes: Any) -> dict[str, Any]:
    written = ((" Make a line\n", LINE), ("", LINE), ("Then a “flower”", FLOWER))
    steps = [[number, text, digits(board)] for number, (text, board) in enumerate(written, 1)]
    return {
        "index": index,
        "annotation_round": 1,
        "category": "recursion",
        "image_id": f"P01C05T{index:02d}",
        "instructor_id": 3,
        "number_of_drawing_steps": 3,
        "agreement_tags": ["A", "V1", "VV"],
        "agreement_scores": [[1.0, 1, 1.0], [1.0, 0.5, 0.5], [0, 0.25, 1.0]],
        "drawing_procedure": [[0, "NONE", [0] * 180], *steps],
    } | changes


def put(folder: Path, name: str, *records: dict[str, Any]) -> bytes:
    data = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records).encode()
    (folder / f"{name}.jsonl").write_bytes(data)
    return data


def final(board: Board) -> dict[str, Any]:
    return {
        "number_of_drawing_steps": 1,
        "agreement_tags": ["A"],
        "agreement_scores": [[1, 1, 1]],
        "drawing_procedure": [[0, "NONE", [0] * 180], [1, "all of it", digits(board)]],
    }


def test_a_procedure_is_an_image_with_its_recorded_steps(tmp_path: Path) -> None:
    put(tmp_path, "dev", record())
    (tmp_path / "dev_levels.jsonl").write_text('{"index": 7, "levels": [1, 2, 0]}\n')
    (image,) = read_data_images(tmp_path, "dev")
    assert (image.id, image.set, image.group, image.round) == ("007", "dev", "P01C05T07", 1)
    assert image.target == FLOWER
    assert [(step.text, step.board, step.level) for step in image.steps] == [
        (" Make a line\n", LINE, 1),
        ("", LINE, 2),
        ("Then a “flower”", FLOWER, 0),
    ]


def test_what_was_read_is_written_byte_for_byte(tmp_path: Path) -> None:
    untagged = record(
        8, agreement_tags="None", agreement_scores="None", image_id="P02M01T01a", category="NONE"
    )
    data = put(tmp_path, "train", record(), untagged)
    (found,) = read_hexagons_data(tmp_path, "train")
    assert write_hexagons_data(found.transcripts).content == data


def test_a_transcript_is_its_author_writing_and_then_carrying_out(tmp_path: Path) -> None:
    put(tmp_path, "dev", record())
    (image,) = read_data_images(tmp_path, "dev")
    found = image_to_data_transcript(image)
    assert found.status == "played"
    assert found.result is not None
    assert found.result.score == 1
    assert found.opened.seats == {"instructor": "person, who drew what they wrote"}
    assert write_hexagons_data([found]).count == 1


def test_the_word_none_for_tags_means_that_nobody_verified(tmp_path: Path) -> None:
    put(tmp_path, "train", record(agreement_tags="None", agreement_scores="None"))
    (image,) = read_data_images(tmp_path, "train")
    assert image.facts is not None
    assert image.facts.tags is None
    assert image.facts.agreement is None


def test_the_splits_that_are_there_are_found(tmp_path: Path) -> None:
    put(tmp_path, "test", record())
    put(tmp_path, "train", record())
    (tmp_path / "dev_levels.jsonl").write_text("")
    assert list_hexagons_splits(tmp_path) == ["train", "test"]
    assert list_hexagons_splits(tmp_path / "test.jsonl") == ["test"]
    assert list_hexagons_splits(tmp_path / "dev_levels.jsonl") == []


START = [0, "NONE", [0] * 180]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"drawing_procedure": [START, [1, "x", [0] * 179]], "number_of_drawing_steps": 1},
            "180 digits, not 179",
        ),
        (
            {"drawing_procedure": [START, [1, "x", [8] * 180]], "number_of_drawing_steps": 1},
            "'8' is no colour",
        ),
        ({"number_of_drawing_steps": 4}, "steps 1 to 4"),
        ({"drawing_procedure": [[0, "hello", [0] * 180]]}, "NONE on a blank board"),
        ({"agreement_tags": "Nobody"}, '"Nobody", neither a list nor "None"'),
        ({"agreement_tags": ["A"]}, "1 entries for 3 steps"),
        ({"category": None}, "category"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_broken_record_is_reported_with_its_line(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    put(tmp_path, "dev", record(), record(**changes))
    with pytest.raises(Problem, match=r"dev\.jsonl:2 .*restore the file") as told:
        read_data_images(tmp_path, "dev")
    assert why in str(told.value)
    assert "\n" not in str(told.value)


def test_levels_that_do_not_fit_are_reported(tmp_path: Path) -> None:
    put(tmp_path, "dev", record())
    (tmp_path / "dev_levels.jsonl").write_text('{"index": 7, "levels": [1, 2]}\n')
    with pytest.raises(Problem, match="3 steps and 2 levels"):
        read_data_images(tmp_path, "dev")


def test_near_copies_in_other_splits_are_flagged(tmp_path: Path) -> None:
    put(
        tmp_path,
        "train",
        record(1, image_id="P01a", **final(LINE)),
        record(2, image_id="P02", **final(FLOWER)),
    )
    put(
        tmp_path,
        "dev",
        record(3, image_id="P01", **final(MENDED)),
        record(4, image_id="P04", **final(Board("7" * 180))),
    )
    found = {image.image: image.near for image in read_data_images(tmp_path, "dev")}
    assert found == {"P01": ("train P01a", "train P02"), "P04": ()}, (
        "by name, by what they look like, not at all"
    )


def test_a_folder_without_data_is_reported(tmp_path: Path) -> None:
    for verb in ("import", "stats", "split"):
        assert main(["data", verb, "hexagons", str(tmp_path)]) == 2


def test_figures_are_given_of_whatever_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "train", record(1, agreement_tags="None", agreement_scores="None"))
    assert main(["data", "stats", "hexagons", str(tmp_path)]) == 0
    alone = capsys.readouterr().out
    assert "missing: dev, test" in alone
    assert "no file of levels lies beside the splits" in alone
    assert "F1, all              —" in alone
    put(tmp_path, "dev", record(2, image_id="P01C05T01a"), record(3))
    (tmp_path / "dev_levels.jsonl").write_text(
        '{"index": 2, "levels": [0, 1, 2]}\n{"index": 3, "levels": [2, 2, 2]}\n'
    )
    assert main(["data", "stats", "hexagons", str(tmp_path)]) == 0
    both = " ".join(capsys.readouterr().out.split())
    assert "round I 9 / 1909 3 / 304" in both
    assert "exact match, all 50.00 [33.33, 66.67]" in both, (
        "A counts for both verifiers, V1 for one, VV for none"
    )
    assert "F1, all 62.50 [50.00, 75.00]" in both
    assert 'over 6 tagged steps; 3 have "None" for tags' in both
    assert "mid and high 4 (66.7 %)" in both
    assert "dev: 6 of 6 instructions stand word for word in train as well" in both
    assert "- dev P01C05T01a, train P01C05T01" in both


# Splits


def some_images() -> list[HexagonsImage]:
    """Forty images of four kinds, three procedures each."""
    found = []
    for number in range(40):
        board = Board.from_tiles({(number % 10 + 1, number // 10 + 1 + 4 * step): "red" for step in range(3)})
        for writer in range(3):
            name, kind = f"{number:02d}-{writer}", f"kind {number % 4}"
            found.append(
                HexagonsImage(id=name, image=f"I{number:02d}", category=kind, round=number % 2, target=board)
            )
    return found


@pytest.mark.parametrize("seed", range(5))
def test_splits_are_by_image_and_keep_the_mixture(seed: int) -> None:
    images = some_images()
    found = deal_split_images(images, HexagonsSplitRecipe(seed=seed, dev=0.2, test=0.2))
    assert sorted(name for ids in found.values() for name in ids) == sorted(image.id for image in images)
    of_image = {name: split for split, ids in found.items() for name in ids}
    assert all(len({of_image[f"{n:02d}-{writer}"] for writer in range(3)}) == 1 for n in range(40))
    kinds = {split: Counter(f"kind {int(name[:2]) % 4}" for name in ids) for split, ids in found.items()}
    assert all(kinds[split] == Counter({f"kind {k}": 6 for k in range(4)}) for split in ("dev", "test"))


@pytest.mark.parametrize("seed", range(5))
def test_splits_by_instructor_share_no_instructor(seed: int) -> None:
    images = [
        replace(image, facts=ProcedureFacts(index=number, instructor=number % 11))
        for number, image in enumerate(some_images())
    ]
    found = deal_split_images(images, HexagonsSplitRecipe(by="instructor", seed=seed, dev=0.2, test=0.2))
    assert sorted(name for ids in found.values() for name in ids) == sorted(image.id for image in images)
    known = {image.id: image.facts.instructor for image in images if image.facts}
    people = [{known[name] for name in ids} for ids in found.values()]
    assert all(people)
    assert sum(map(len, people)) == 11


def test_the_same_seed_deals_the_same_and_another_does_not() -> None:
    one, again, other = (
        deal_split_images(some_images(), HexagonsSplitRecipe(seed=seed)) for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_near_copies_stay_together() -> None:
    boards = [LINE, MENDED, FLOWER]
    images = [
        HexagonsImage(id=f"{n}", image=name, target=boards[n]) for n, name in enumerate(("P1", "P1a", "P2"))
    ]
    for seed in range(10):
        assert sorted(
            map(len, deal_split_images(images, HexagonsSplitRecipe(seed=seed, dev=0.4, test=0.4)).values())
        ) == [0, 0, 3]


def test_splits_that_leave_nothing_to_train_on_are_refused() -> None:
    with pytest.raises(Problem, match="leave nothing for train"):
        deal_split_images(some_images(), HexagonsSplitRecipe(dev=0.5, test=0.5))


# The real files


@pytest.mark.no_cover
@real
@pytest.mark.parametrize("part", list_hexagons_splits(REAL) if REAL.exists() else ["none"])
def test_the_published_files_come_back_byte_for_byte(part: str) -> None:
    (found,) = read_hexagons_data(REAL, part)
    assert write_hexagons_data(found.transcripts).content == (REAL / f"{part}.jsonl").read_bytes()


@real
def test_the_published_figures_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Of train and dev; what the whole release gives is in the paper."""
    if list_hexagons_splits(REAL) != ["train", "dev"]:
        pytest.skip("the test file is there as well: the sums are others")
    assert main(["data", "stats", "hexagons", str(REAL)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "recruitment 1,038 / 1045 121 / 123 20,880 / 21K 16 / 17",
        "round I 1,590 / 1909 262 / 304 36,399 / 43K 87 / 101",
        "round II 1,096 / 1223 175 / 193 32,106 / 36K 57 / 63",
        "total 3,724 / 4177 558 / 620 89,385 / 100K 155 / 175",
        "F1, all 91.10 [85.91, 96.28] 91.11 [85.85, 96.37]",
        "exact match, all 72.99 [59.00, 86.98] 72.32 [58.07, 86.57]",
        'over 3,671 tagged steps; 53 have "None" for tags, as nobody verified their procedures',
        "none 174 (39.0 %) 174 (39.0 %)",
        "low 47 (10.5 %) 47 (10.5 %)",
        "mid and high 225 (50.4 %) 225 (50.4 %): 104 and 121",
        "train 496 / 496 3,278 / 3278 394 (79.92 %) / 392 (79.51 %) 87.19 % / 87.19 %",
        "dev 62 / 62 446 / 446 49 (79.03 %) / 49 (79.09 %) 85.43 % / 85.43 %",
        "- dev P02M01T02, train P02M01T02a",
        "- dev P02M11T01, train P02M11T01a",
    ):
        assert line in lines
    dev = [line for line in lines if line.startswith(("F1, dev", "exact match, dev"))]
    assert dev == ["F1, dev 92.77 [88.81, 96.72]", "exact match, dev 71.52 [57.62, 85.43]"]


@real
def test_no_image_of_the_real_data_is_split() -> None:
    images = {
        i.id: i
        for part in find_source("hexagons").read_collections(REAL)
        for i in part.instances
        if isinstance(i, HexagonsImage)
    }
    found = split_hexagons_images(REAL, HexagonsSplitRecipe(seed=3))
    names = {name: {near_copy_base_id(images[one].image) for one in ids} for name, ids in found.items()}
    assert not names["dev"] & names["test"] | names["dev"] & names["train"] | names["test"] & names["train"]
    assert all(abs(len(found[name]) / len(images) - 0.1) < 0.02 for name in ("dev", "test"))
