from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.level_guess import guess_level, list_level_labels
from groundling.scores.agreement import alpha, cohen

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[4] / "shared" / "data")) / "hexagons"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Paint the third tile from the top of the fourth column red.", 0),
        ("Paint the tile below it blue.", 0),
        ("In column 5, paint tiles 2 and 3 green", 0),
        ("Paint the first column red.", 1),
        ("Make a diagonal line of five blue tiles going down to the right.", 1),
        ("Paint a green flower with its centre in column 4, tile 3.", 2),
        ("Make a triangle in the top left corner", 2),
        ("Repeat this pattern in the next four columns.", 2),
        ("Paint every other column black.", 2),
        ("Paint the six tiles around the red tile yellow.", 2),
        ("", 0),
    ],
)
def test_levels_follow_their_definitions(text: str, level: int) -> None:
    assert guess_level(text) == level


@settings(max_examples=25)
@given(st.text())
def test_any_text_has_a_level(text: str) -> None:
    assert guess_level(text) in (0, 1, 2)


@pytest.mark.skipif(not (REAL / "dev_levels.jsonl").exists(), reason=f"the HEXAGONS data is not in {REAL}")
def test_the_guess_agrees_with_the_published_levels_of_dev() -> None:
    labels = list(list_level_labels(read_data_images(REAL, "dev")))
    sides = [
        {one.item: int(one.label) for one in labels if one.annotator == name} for name in ("people", "rules")
    ]
    assert [len(side) for side in sides] == [446, 446]
    people, rules = ([side[item] for item in sides[0]] for side in sides)
    assert cohen(people, rules).value == pytest.approx(0.746, abs=5e-4)
    pairs = list(zip(people, rules, strict=True))
    assert alpha(pairs, "gwet-ordinal").value == pytest.approx(0.837, abs=5e-4)
