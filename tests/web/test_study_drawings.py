"""Drawings of a study: empty ones and copies are refused, and checks of the keys that the templates use."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.web.study_helpers import PAIRS, moves_of, write_study

from groundling.core.values import Problem
from groundling.games.hexagons.gallery import gallery_moves_from_image
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import builtin
from groundling.studies.study import DrawTask, StudyStimuli
from groundling.studies.study_checks import read_checked_study
from groundling.studies.study_file import make_study_stimuli
from groundling.web.studies.participant_actions import SubmitTask, read_answer

ONE, OTHER = builtin()[:2]


def send(image: HexagonsImage | None, *others: HexagonsImage) -> HexagonsImage:
    moves = gallery_moves_from_image(image) if image else []
    body, _ = read_answer(
        DrawTask(game="hexagons"),
        SubmitTask("t1", moves=moves_of(msgspec.to_builtins(moves))),
        "drawn",
        lambda: others,
    )
    return msgspec.json.decode(body, type=HexagonsImage)


def test_a_drawing_becomes_an_image() -> None:
    assert send(ONE, OTHER).target == ONE.target


def test_an_empty_drawing_is_refused() -> None:
    with pytest.raises(Problem, match="paint at least 3 tiles first"):
        send(None)


def test_a_drawing_that_is_nearly_the_same_as_another_is_refused() -> None:
    nearly = replace(ONE, target=ONE.target.paint_tile((10, 18), "green"))
    for copy in (ONE, nearly):
        with pytest.raises(Problem, match="nearly the same as another image of the study"):
            send(copy, OTHER, ONE)


def test_the_items_of_conditions_are_checked(tmp_path: Path) -> None:
    text = PAIRS.replace(
        'items = "refs"', 'condition_items = { a = "refs", b = "none" }\nconditions = { a = {} }'
    )
    _, mistakes = read_checked_study(write_study(tmp_path / "pairs", text))
    assert [line.partition("stages.games: ")[2] for line in mistakes] == [
        "condition_items does not name the same conditions as conditions: name each of them",
        "condition_items: there are no stimuli 'none': choose from refs",
    ]


def test_parts_have_one_of_each_group_and_together_all_instances(tmp_path: Path) -> None:
    study = StudyStimuli(game="director", recipe={"n": 8, "seed": 1})
    every = make_study_stimuli(tmp_path, "all", study)
    parts = [make_study_stimuli(tmp_path, "all", replace(study, part=f"{n}/4")) for n in range(1, 5)]
    assert sorted(each.id for part in parts for each in part) == sorted(each.id for each in every)
    for part in parts:
        assert len({each.group for each in part}) == len(part) == 2
    with pytest.raises(Problem, match="part is 1/2"):
        make_study_stimuli(tmp_path, "all", replace(study, part="1/2"))
