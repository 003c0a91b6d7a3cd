"""Which sources a row of papers/hexagons/ablation.py is trained on, and the tables of what it reaches."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.games.hexagons.procedures import told_images

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import ablation
from papers.hexagons.ablation_tables import list_ablation_tables, list_crosstalk_tables

from groundling.games.hexagons.neural.procedures import Procedure

TOLD = [Procedure.from_image(image) for image in told_images()]


def make_sources() -> ablation.Sources:
    people, held = TOLD[:4], TOLD[4:5]
    narrated = {level: [TOLD[5]] * 2 for level in "0123"}
    return ablation.Sources(people, people[::-1], narrated, [TOLD[6]], held)


@pytest.mark.parametrize("name", ablation.ROWS)
def test_a_row_is_trained_without_what_it_leaves_out_and_without_held_out_images(name: str) -> None:
    row, sources = ablation.ROWS[name], make_sources()
    people, narrated = ablation.choose_sources(row, sources)
    assert bool(people) == row.people
    assert len(narrated) == 2 * len(row.levels)
    assert row.half or not {one.image for one in people} & {one.image for one in sources.held}
    assert any("Rules (" in text for one in narrated for text in one.texts) == (
        row.hints and bool(row.levels)
    )


def test_the_halves_of_train_share_no_image() -> None:
    halves = [ablation.choose_sources(ablation.ROWS[f"crosstalk-{half}"], make_sources())[0] for half in "ab"]
    first, second = ({one.image for one in half} for half in halves)
    assert first
    assert second
    assert not first & second


def write_row(folder: Path, row: str, seed: int, f1: int, instructions: int) -> None:
    scores = {"f1": [f1] * instructions, "exact": "01" * (instructions // 2) + "1" * (instructions % 2)}
    keys = ("held gold rules", "held gold network", "held gold choice")
    line: dict[str, Any] = {"row": row, "seed": seed, "steps": 1, "scores": dict.fromkeys(keys, scores)}
    (folder / f"{row}-{seed}.json.gz").write_bytes(gzip.compress(json.dumps(line).encode()))


def test_rows_are_means_over_their_seeds_and_compared_with_the_same_seeds_of_all_sources(
    tmp_path: Path,
) -> None:
    held = sum(len(one.texts) for one in ablation.hold_out(TOLD)[1])
    for seed, f1 in ((0, 500), (1, 700)):
        write_row(tmp_path, "all", seed, f1, held)
    write_row(tmp_path, "no-hints", 0, 400, held)
    reached, differences = list_ablation_tables(tmp_path, TOLD)
    assert reached[2][1][0] == "all sources"
    assert reached[2][1][1].startswith("60.0 / ")
    assert reached[2][1][1].endswith(" (2)")
    assert differences[2] == [["without hints", *["-10.0 [-10.0, -10.0]"] * 2, ""]]


def test_crosstalk_compares_the_same_half_with_the_other(tmp_path: Path) -> None:
    pairs = [
        {
            "instructor": f"describer, half {teller.upper()} of train",
            "executor": f"crosstalk-{listener}-0",
            "scores": {"one": [0.9 if teller == listener else 0.5, 0.0], "two": [0.7, 1.0]},
        }
        for teller in "ab"
        for listener in "ab"
    ]
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps({"spoken": [], "pairs": pairs}))
    ((_, _, rows),) = list_crosstalk_tables(file)
    assert rows[0][1].startswith("80.0 ")
    assert rows[0][2].startswith("60.0 ")
    assert rows[2][1].startswith("+20.0 [")
