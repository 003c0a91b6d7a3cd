"""Questions about a piece: worded, read, answered from a scene, and the answers understood."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.scenes import scenes

from groundling.boards.scene import KINDS, SIZES, WIDTH, Piece, Scene
from groundling.games.codraw.players.questions import (
    TOPICS,
    PieceQuestion,
    Topic,
    parse_own_question,
    parse_question_answer,
    question_side_range,
    word_question,
)
from groundling.games.codraw.players.template import piece_words
from groundling.games.codraw.players.template.answers import write_template_answer
from groundling.games.codraw.players.template.scene_describer import SceneDescriber

EVERY = [
    question for topic in TOPICS for kind in KINDS if (question := PieceQuestion(topic, kind)).is_sensible
]


def words(scene: Scene) -> SceneDescriber:
    return SceneDescriber(scene, Random(0))


def answer_question(words: SceneDescriber, question: PieceQuestion, cap: int) -> str:
    return write_template_answer(words, word_question(question), (), cap)


def test_every_question_is_read_as_what_it_asks() -> None:
    assert [question for question in EVERY if parse_own_question(word_question(question)) != question] == []
    assert len({word_question(question) for question in EVERY}) == len(EVERY)


@given(scenes(), st.sampled_from(EVERY), st.integers(60, 200))
def test_answers_are_true_short_and_understood(scene: Scene, question: PieceQuestion, cap: int) -> None:
    text = answer_question(words(scene), question, cap)
    assert 0 < len(text) <= cap
    found, piece = parse_question_answer(question, text), scene.get(question.kind)
    if piece is None:
        assert found == "no"
    elif question.topic == "there":
        assert found == "yes"
    elif question.topic == "size":
        assert found == SIZES[piece.size]
    elif question.topic == "way":
        assert piece_words.is_piece_flipped(piece.kind, found) == piece.flip
    else:
        low, high = question_side_range(found)
        assert low <= min(max(piece.x / WIDTH, -1), 2) <= high


def test_a_yes_comes_with_a_description() -> None:
    scene = Scene.of([Piece("rain cloud", 60, 50, 2)])
    assert answer_question(words(scene), PieceQuestion("there", "rain cloud"), 140).startswith(
        "Yes, a small rain cloud in the top left corner"
    )
    assert answer_question(words(scene), PieceQuestion("there", "dog"), 140) == "No, there is no dog."


@pytest.mark.parametrize(
    ("topic", "kind", "text", "found"),
    [
        ("there", "dog", "yep", "yes"),
        ("there", "dog", "nope", "no"),
        ("there", "dog", "a large sun on the left", ""),
        ("size", "dog", "small", "small"),
        ("size", "dog", "a big one", "large"),
        ("size", "dog", "small or medium", ""),
        ("size", "dog", "the sun is large", ""),
        ("size", "dog", "there is no dog", "no"),
        ("way", "dog", "left", "left"),
        ("way", "dog", "the dog is facing right", "right"),
        ("way", "dog", "no idea", ""),
        ("side", "dog", "on the right, by the tree with the dog", "right"),
        ("side", "dog", "in the center", "middle"),
        ("side", "dog", "not on the left , on the right", ""),
        ("side", "dog", "on the left, not far from the edge", "left"),
        ("way", "dog", "he isn't facing left", ""),
        ("size", "dog", "not large", ""),
        ("size", "dog", "small , not large", "small"),
    ],
)
def test_what_people_answer_is_understood_or_nothing_is(
    topic: Topic, kind: str, text: str, found: str
) -> None:
    assert parse_question_answer(PieceQuestion(topic, kind), text) == found
