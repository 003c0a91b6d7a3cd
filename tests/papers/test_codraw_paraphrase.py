"""The same said otherwise."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from papers.codraw.paraphrase import NAMES, WORDINGS, paraphrase_text

from groundling.boards.scene import KINDS, Scene
from groundling.core.pack import find, load
from groundling.games.codraw.players.grammar.lexicon import LEXICON
from groundling.games.codraw.players.grammar.sketch import Sketch
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.score import similarity

SIDES = [[f"on the {side} side", f"on {side} side", f"on {side}"] for side in ("left", "right")]
SWAPPED = {f"large cloud {right} . large sun {left} ." for left, right in product(*SIDES)}


def test_names_that_stand_for_each_other_are_names_of_one_kind() -> None:
    for name, group in NAMES.items():
        assert LEXICON[name].how == "name"
        assert {LEXICON[other].kinds for other in group} == {LEXICON[name].kinds}
        assert len(group) > 1


def test_no_wording_stands_in_two_groups() -> None:
    assert all(name in group and len(group) > 1 for name, (group, _) in WORDINGS.items())


@pytest.mark.parametrize(
    ("said", "otherwise"),
    [
        ("An airplane , top left .", {"a plane , upper left ."}),
        ("the boy is angry", {"mike is mad"}),
        ("small smile , mike", {"small smile , boy"}),
        ("on the left corner", {"on the left corner"}),
        ("sun , small , facing left", {"sun , looking left , small size"}),
        ("big sun on the left . big cloud on the right .", SWAPPED),
        ("big boy . he is happy", {"large mike . he is happy"}),
        ("hello , are you there ?", {"hello , are you there ?"}),
    ],
)
def test_it_is_said_otherwise_and_means_the_same(said: str, otherwise: set[str]) -> None:
    assert {paraphrase_text(said, Random(seed)) for seed in range(40)} == otherwise


def test_the_same_lot_says_it_in_the_same_way() -> None:
    said = "a big boy in the middle , next to the table"
    assert paraphrase_text(said, Random(3)) == paraphrase_text(said, Random(3)) != said


def test_who_understands_english_draws_nearly_the_same() -> None:
    """The measure of a codebook must not cost those anything who have none."""
    parks = load(find("codraw").builtin)()[:40]
    scores = []
    for number, park in enumerate(parks):
        told = message_plan_texts(SceneDescriber(park.target, Random(number)), 140)
        otherwise = [paraphrase_text(text, Random(number)) for text in told]
        assert all(new != " ".join(text.lower().split()) for new, text in zip(otherwise, told, strict=True))
        scores.append([similarity(park.target, _drawn(texts)) for texts in (told, otherwise)])
    plain, other = (sum(column) / len(column) for column in zip(*scores, strict=True))
    assert abs(plain - other) < 0.03


def _drawn(texts: list[str]) -> Scene:
    sketch = Sketch(KINDS)
    for text in texts:
        sketch.read_message(text)
    return sketch.draw_scene()
