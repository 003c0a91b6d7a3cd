"""The tables of papers/hexagons, from answers that are made up here."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from papers.hexagons import tables
from papers.hexagons.evidence_tables import list_reader_tables
from papers.hexagons.pairs import _count_speech, list_pair_tables
from tests.games.hexagons.procedures import told_images

from groundling.games.hexagons.neural.notation import changed_notation_tiles, write_action_notation
from groundling.games.hexagons.neural.procedures import Procedure


def write_row(folder: Path, name: str, right: bool, **more: Any) -> None:
    lines: list[dict[str, Any]] = [
        {"name": name, "model": name, "context": "predicted+full", "trained": "predicted+full", **more}
    ]
    for image in told_images():
        boards = [image.gold_boards(number) for number in range(len(image.steps))]
        answers = [
            write_action_notation(changed_notation_tiles(before.cells, after.cells), "runs")
            if right
            else "none"
            for before, after in boards
        ]
        lines.append({"id": image.id, "answers": answers})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{name}.predicted+full.jsonl.gz").write_bytes(gzip.compress(text.encode()))


def test_answers_are_scored_into_tables(tmp_path: Path) -> None:
    write_row(tmp_path, "all", right=True)
    write_row(tmp_path, "none", right=False)
    images = told_images()
    best, worst = sorted(tables.read_results(tmp_path, images), key=lambda one: one.row.name)
    assert {step.exact for step in best.steps} == {1.0}
    assert best.final == len(images)
    assert worst.final == 0
    told = "\n".join(tables.write_tables([best, worst], len(images)))
    for title in ("Table 7", "Table 8", "Table 9", "By category", "Errors", "Kruskal-Wallis"):
        assert title in told
    assert re.search(r"\| none \| (\d+) of \1 \| 0\.0 / 0\.0 \| 100\.0 \|", told)
    assert "| predicted+full | all | 100.0 [" in told


def test_seeds_are_one_row_with_their_mean_and_a_wider_interval(tmp_path: Path) -> None:
    for seed in range(3):
        write_row(tmp_path, f"net-{seed}", right=seed > 0, seed=seed)
    (group,) = tables.group_seeds(list(tables.read_results(tmp_path, told_images())))
    assert group.label == "net, 3 seeds"
    found = group.estimate("exact")
    assert 60 < found.mean < 70
    assert found.low == 0
    assert found.high == 100


def test_shares_of_train_are_no_rows_of_the_tables_but_of_their_own(tmp_path: Path) -> None:
    write_row(tmp_path, "net-0", right=True)
    write_row(tmp_path, "net-0-0.25", right=False, share=0.25)
    measured = list(tables.read_results(tmp_path, told_images()))
    assert [group.label for group in tables.group_seeds(measured)] == ["net"]
    told = "\n".join(tables.write_tables(measured, 7))
    assert "| net | 0 | 25 % |" in told
    assert "<svg" in tables.draw_shares(measured)


def test_the_split_by_instructor_stands_beside_the_one_by_image(tmp_path: Path) -> None:
    for folder, name in ((tmp_path / "a", "net-0"), (tmp_path / "b", "net-instructor-0")):
        folder.mkdir()
        write_row(folder, name, right=True, model="net")
    by_image, by_instructor = (list(tables.read_results(tmp_path / one, told_images())) for one in "ab")
    told = "\n".join(tables.write_instructor_table(by_image, by_instructor))
    assert "| instructor | predicted+full | net-instructor |" in told
    assert "| image | predicted+full | net |" in told


def test_curves_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text('{"step": 5, "f1": 0.2}\n{"step": 10, "f1": 0.4}\n')
    assert "<svg" in tables.draw_curves(tmp_path)


@pytest.mark.parametrize("file", sorted(tables.RESULTS.glob("*.jsonl.gz")), ids=lambda file: file.name)
def test_saved_answers_can_be_read(file: Path) -> None:
    first, *rest = gzip.decompress(file.read_bytes()).splitlines()
    row = json.loads(first)
    assert file.name == f"{row['name']}.{row['context']}.jsonl.gz"
    assert len(rest) == 62


def test_wordings_that_differ_in_colours_and_numbers_only_are_one() -> None:
    texts = ("Paint the 3rd tile red.", "Paint the  fourth tile blue.", "Color the 3rd tile red.")
    assert _count_speech("some", 1, [(text, 0) for text in texts]).distinct == 2


def test_pairs_stand_beside_recorded_people(tmp_path: Path) -> None:
    images = told_images()
    write_row(tmp_path, "parser", right=True)
    (row,) = tables.read_results(tmp_path, images)
    levels = {"levels": [1, 3, 1], "guessed": [2, 2, 1], "distinct": 4, "network": 1}
    spoken = {"instructor": "describer", "images": 2, "steps": 5, "words": 40, **levels}
    scores = {"one": [1.0, 1.0], "two": [0.5, 0.0]}
    pair = {"instructor": "describer", "executor": "parser", "scores": scores}
    asking = {**pair, "scores": {"one": [1.0, 1.0], "two": [1.0, 1.0]}, "questions": 1, "asked": 3}
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps({"spoken": [spoken], "pairs": [pair, asking]}))
    pairs, questions, said = list_pair_tables(file, images, {"parser": row.boards})
    assert [(name, cell[:5], cell[-11:]) for name, cell in pairs[2]] == [
        ("describer", "75.0 ", " / 50.0 (2)"),
        ("people", "100.0", "/ 100.0 (7)"),
    ]
    ((*who, without, with_one),) = questions[2]
    assert who == ["describer", "parser"]
    assert without.endswith("/ 50.0 (2), 0.0")
    assert with_one.endswith("/ 100.0 (2), 1.5"), "three questions in two games"
    assert said[2][0] == [
        "describer",
        "2.5",
        "8.0",
        "20 %",
        "60 %",
        "20 %",
        "40 %, 40 %, 20 %",
        "80 %",
        "20 %",
    ]
    assert said[2][1][0] == "people"


def test_a_reader_is_compared_with_the_former_one_and_with_what_it_expected(tmp_path: Path) -> None:
    train = [Procedure.from_image(image) for image in told_images()]
    write_evidence(tmp_path / "held.reader.gz", train, right=True, programs=True)
    write_evidence(tmp_path / "former.reader.gz", train, right=False)
    dev = [(0.95, 1.0), (0.9, 1.0), (0.1, 0.0)]
    differences, calibration = list_reader_tables([], tmp_path, train, dev)
    ((_, many, f1, exact),) = differences[2]
    assert int(many) == sum(len(one.texts) for one in train)
    assert f1.startswith("+")
    assert exact.startswith("+")
    *bins, error = calibration[2]
    for place, answers in ((1, int(many)), (4, len(dev))):
        assert sum(int(row[place]) for row in bins) == int(error[place]) == answers
        assert float(error[place + 2]) < 0.2
    assert list(list_reader_tables([], tmp_path / "none", train, dev)) == []


def write_evidence(file: Path, procedures: list[Procedure], *, right: bool, programs: bool = False) -> None:
    """Of a reader whose rules propose nothing, and whose network is likely right or likely wrong."""
    lines = []
    for one in procedures:
        for step in range(len(one.texts)):
            gold = write_action_notation(one.step_changes(step), "runs")
            proposed = [["none", [-5.0], 2, {"rules": 1}], [gold, [-0.01], 9, {"hint": 1}]]
            line = {"id": one.id, "step": step, "unread": 3, "whole": 0.0, "right": gold}
            line |= {"painted": gold if right else "none", "candidates": proposed}
            lines.append(line | {"programs": [{"program, hint": [-4.0, 9]}] * 2} if programs else line)
    file.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
