"""What people ask about a scene is read, and answered from the scene or not at all."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.scenes import scenes

from groundling.boards.scene import KINDS, Piece, Put, Scene
from groundling.core.pack import Seat, find
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.players.grammar.drawer import grammar_drawer_moves, make_grammar_drawer
from groundling.games.codraw.players.questions import AskingSettings, PieceQuestion, complete_answer
from groundling.games.codraw.players.template.answers import (
    CANNOT_LOOK,
    DO_NOT_KNOW,
    asks_to_check,
    write_template_answer,
)
from groundling.games.codraw.players.template.question_reader import mentioned_context
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import DrawerView, SpokenMessage

SCENE = Scene.of(
    [
        Piece("sun", 450, 20, 0),
        Piece("apple tree", 90, 120, 1),
        Piece("Mike", 150, 250, 0, pose=3, expression=2),
        Piece("Jenny", 350, 250, 0, flip=True, pose=4, expression=3),
        Piece("dog", 250, 340, 2),
    ]
)
QUESTIONS = (
    "is he facing left ?",
    "are they facing each other?",
    "what size is it ?",
    "where is the @ ?",
    "is the @ cut off ?",
    "how far is it from the left edge",
    "is the @ left of the boy?",
    "is the @ touching the girl ?",
    "what is she holding ?",
    "how many trees ?",
    "anything in the sky ?",
    "which hand is the @ in ?",
    "@ ?",
    "what kind of tree ?",
)


def answer(question: str, before: str = "", **facts: bool) -> str:
    words = SceneDescriber(SCENE, Random(1))
    context = mentioned_context([before], SCENE)
    return write_template_answer(words, question, context, 140, message=before, **facts).lower()


@pytest.mark.parametrize(
    ("question", "begins", "has"),
    [
        ("is the boy facing left ?", "no, ", "facing right"),
        ("is she sad ?", "yes, ", "sad"),
        ("is he running or standing ?", "", "running"),
        ("is the girl standing ?", "no, ", "sitting"),
        ("are they facing each other ?", "yes, ", "facing"),
        ("is the boy to the left of the girl ?", "yes, ", "left of"),
        ("ok . is the dog big ?", "no, ", "small"),
        ("is the sun cut off at the top ?", "yes, ", "top"),
        ("can you see all of the dog ?", "yes, ", "not cut off"),
        ("what kind of tree ?", "", "apple tree"),
        ("pine tree or apple tree ?", "there is", "an apple tree"),
        ("is there a cat ?", "no, ", "no cat"),
        ("any animals ?", "there", "dog"),
        ("how many people are there ?", "there are 2", ""),
        ("is the dog touching the sun ?", "no, ", "do not touch"),
        ("is she holding anything ?", "no, ", "not holding anything"),
        ("what is in the sky ?", "there is", "sun"),
    ],
)
def test_a_check_is_confirmed_or_corrected_and_the_fact_is_told(question: str, begins: str, has: str) -> None:
    found = answer(question)
    assert found.startswith(begins)
    assert has in found


def test_a_pronoun_or_nothing_means_what_was_mentioned_last() -> None:
    assert "dog" in answer("what size is it ?", "there is a dog in front")
    assert "dog" in answer("size ?", "there is a dog in front")
    assert "apple tree" in answer("which side is the tree on ?", "there is a dog in front")


def test_each_part_of_a_message_is_answered() -> None:
    found = answer("is he sad ? and what size is the dog ?")
    assert found.startswith("no, ")
    assert "the dog is small" in found


@pytest.mark.parametrize(
    "question", ["what color is the dog ?", "which way does the sun face ?", "what gender ?"]
)
def test_what_the_scene_does_not_say_is_not_known(question: str) -> None:
    assert answer(question) == DO_NOT_KNOW.lower()


@pytest.mark.parametrize("text", ["can you repeat that ?", "say that again please", "huh ?"])
def test_the_last_message_is_repeated_when_asked(text: str) -> None:
    assert answer(text, "a small dog in the middle") == "a small dog in the middle"


@pytest.mark.parametrize("text", ["can you check ?", "how does it look ?", "is that right ?", "better ?"])
def test_a_request_to_look_is_recognised_and_refused_after_the_peek(text: str) -> None:
    assert asks_to_check(SceneDescriber(SCENE, Random(0)), text)
    assert answer(text) == ""
    assert answer(text, peeked=True) == CANNOT_LOOK.lower()


@given(scenes(), st.sampled_from(QUESTIONS), st.sampled_from(KINDS), st.integers(60, 160))
def test_every_answer_fits_and_names_only_what_is_there(scene: Scene, form: str, kind: str, cap: int) -> None:
    words = SceneDescriber(scene, Random(0))
    found = write_template_answer(words, form.replace("@", kind), tuple(scene.kinds[:2]), cap)
    assert len(found) <= cap
    if kind not in scene.by_kind and f"no {words.piece_name(kind)}" not in found:
        assert f"the {words.piece_name(kind)} is" not in found.lower()


def drawer_view(*talk: str, asked: bool) -> DrawerView:
    """After messages of both in turns, the Teller's first."""
    spoken = tuple(SpokenMessage((TELLER, DRAWER)[n % 2], text) for n, text in enumerate(talk))
    return DrawerView(KINDS, Scene(), spoken, asked, 140, False)


def last_words(view: DrawerView) -> str:
    return getattr(grammar_drawer_moves(view, AskingSettings(("side", "size", "way")))[-1], "text", "agree")


def test_the_grammar_drawer_asks_what_nobody_said_when_the_teller_has_finished() -> None:
    told = "a large dog on the left"
    assert last_words(drawer_view(told, asked=False)) == "ok"
    assert last_words(drawer_view(told, asked=True)) == "which way does the dog face?"
    assert last_words(drawer_view(f"{told} facing right", asked=True)) == "agree"


def test_a_short_answer_is_drawn() -> None:
    asked = "which way does the dog face?"
    for side, flip in (("left", True), ("right", False)):
        moves = grammar_drawer_moves(drawer_view("a large dog on the left", asked, side, asked=False))
        assert isinstance(moves[0], Put)
        assert moves[0].piece.flip is flip
        assert complete_answer(PieceQuestion("way", "dog"), side) == f"the dog is facing {side}"


def test_a_drawer_asks_by_default_only_with_a_person() -> None:
    pack = find("codraw")

    def name(live: bool) -> str:
        return make_grammar_drawer(Seat(pack, pack.new(), DRAWER, "grammar", live=live)).name

    assert name(True) == "grammar asking all"
    assert name(False) == "grammar"
