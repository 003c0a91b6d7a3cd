"""The Teller that says in plain English what it sees."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.boards.scenes import PARK, scenes

from groundling.boards.scene import EXPRESSIONS, KINDS, POSES, Piece, Put, Remove, Scene, Shift, apply_changes
from groundling.core.events import AnyEvent, Moved, Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Player, Reply
from groundling.core.table import play
from groundling.core.values import Problem, Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance
from groundling.games.codraw.make import builtin
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek
from groundling.games.codraw.players.template import piece_words
from groundling.games.codraw.players.template.answers import (
    DO_NOT_KNOW,
    needs_template_answer,
    write_template_answer,
)
from groundling.games.codraw.players.template.attachments import Attachment, find_attachment
from groundling.games.codraw.players.template.corrections import plan_corrections
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import CodrawSettings, DrawerView

park = CodrawInstance(id="p", target=PARK, palette=KINDS)


def words(scene: Scene, seed: int = 0) -> SceneDescriber:
    return SceneDescriber(scene, Random(seed))


def only(piece: Piece) -> str:
    """All that is said of a scene with one piece."""
    return " ".join(message_plan_texts(words(Scene.of([piece])), 140)).lower()


class Hand:
    """A Drawer with these replies, one after the other, and then ok."""

    name = "hand"

    def __init__(self, *replies: tuple[CodrawMove, ...]) -> None:
        self.replies = replies

    async def act(self, ask: Ask) -> Reply:
        view: DrawerView = ask.view
        if len(ask.past) < len(self.replies):
            return Reply(moves=self.replies[len(ask.past)])
        return Reply(moves=(Agree() if view.asked else Say("ok"),))


def template(episode: str = "p", **options: str) -> Player:
    pack = find("codraw")
    return load(pack.players["template"])(Seat(pack, pack.new(), TELLER, "template", options=options))


def told(
    drawer: Player, found: CodrawInstance = park, game_settings: CodrawSettings | None = None, **options: str
) -> list[tuple[str, tuple[CodrawMove, ...]]]:
    async def all_of_it() -> Transcript:
        game = find("codraw").new(game_settings)
        players = {TELLER: template(**options), DRAWER: drawer}
        events: list[AnyEvent] = [
            event async for event in play(game, found, players, seed=0, clock=lambda: 0.0)
        ]
        return Transcript(tuple(events))

    played = asyncio.run(all_of_it())
    assert played.status == "played"
    return [(event.role, event.moves) for event in played.events if isinstance(event, Moved)]


def said(moves: list[tuple[str, tuple[CodrawMove, ...]]]) -> list[str]:
    return [move.text for role, made in moves if role == TELLER for move in made if isinstance(move, Say)]


@pytest.mark.parametrize("cap", [140, 60, 300])
def test_every_scene_is_told_whole_in_short_messages(cap: int) -> None:
    for made in builtin():
        found = words(made.target)
        plan = message_plan_texts(found, cap)
        assert all(0 < len(text) <= cap and text == text.strip() for text in plan)
        text = " ".join(plan).lower()
        assert [kind for kind in made.target.kinds if found.piece_name(kind).lower() not in text] == []


def test_a_message_tells_one_to_three_pieces() -> None:
    for made in builtin():
        found = words(made.target)
        for text in message_plan_texts(found, 140):
            assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 3


@given(scenes(), st.integers(0, 140))
def test_no_scene_is_too_odd_to_be_told(scene: Scene, cap: int) -> None:
    plan = message_plan_texts(words(scene), cap)
    assert bool(plan) == bool(scene.pieces)
    assert all(0 < len(text) <= (cap or 140) for text in plan)
    assert all(len(text) <= max(cap, 40) for text in plan_corrections(words(scene), PARK, max(cap, 40)))


@pytest.mark.parametrize(
    ("piece", "heard"),
    [
        (Piece("sun", 50, 45, 0), "top left corner"),
        (Piece("sun", 470, 20, 2), "top right corner"),
        (Piece("cloud", 250, 60, 0), "in the middle"),
        (Piece("slide", 60, 230, 1), "cut off"),
        (Piece("bear", 250, 300, 0, flip=True), "facing left"),
        (Piece("oak tree", 400, 120, 1), "hole facing left"),
        (Piece("swing", 400, 250, 1), "facing right"),
        (Piece("campfire", 330, 300, 2), "small"),
        (Piece("soccer ball", 480, 380, 0), "bottom right corner"),
        (Piece("Mike", 250, 258, 0, pose=0, expression=0), "his eyes on the horizon"),
        (Piece("Jenny", 250, 300, 0, pose=4, expression=1), "cross"),
        (Piece("Jenny", 250, 300, 0, pose=4, expression=1), "teeth"),
        (Piece("Mike", 250, 320, 1, pose=3, expression=4), "running"),
    ],
)
def test_what_where_how_large_and_which_way(piece: Piece, heard: str) -> None:
    assert heard in only(piece)


def test_pieces_without_a_front_are_given_none_and_colours_are_never_named() -> None:
    assert "facing" not in only(Piece("pizza", 100, 300, 0, flip=True))
    everything = " ".join(
        text
        for made in builtin()
        for seed in range(3)
        for text in message_plan_texts(words(made.target, seed), 140)
    )
    assert not re.search(
        r"\b(?:red|blue|yellow|green|orange|purple|pink|black|white|gr[ae]y|brown)\b", everything.lower()
    )


def test_every_pose_and_expression_has_words_of_its_own() -> None:
    assert len({text for texts in piece_words.POSES for text in texts}) == sum(
        len(set(texts)) for texts in piece_words.POSES
    )
    assert (len(piece_words.POSES), len(piece_words.EXPRESSIONS)) == (len(POSES), len(EXPRESSIONS))


def test_what_is_worn_held_or_in_something_is_told_by_that() -> None:
    mike = Piece("Mike", 150, 260, 0, pose=0, expression=2)
    hat = Piece("crown", 134, 161, 0)
    assert find_attachment(hat, Scene.of([mike, hat])) == Attachment("worn", "Mike")
    far = replace(hat, x=400)
    assert find_attachment(far, Scene.of([mike, far])) is None
    pie = Piece("pie", 196, 254, 0)
    assert find_attachment(pie, Scene.of([mike, pie])) == Attachment("held", "Mike")
    owl, tree = Piece("owl", 400, 90, 2), Piece("oak tree", 400, 130, 1)
    assert find_attachment(owl, Scene.of([owl, tree])) == Attachment("in", "oak tree")
    told_ = " ".join(message_plan_texts(words(Scene.of([mike, hat, pie])), 140)).lower()
    assert "wearing a crown" in told_
    assert "holding a pie" in told_


def test_wordings_differ_by_seed_and_stay_the_same_for_one() -> None:
    plans = {tuple(message_plan_texts(words(builtin()[4].target, seed), 140)) for seed in range(12)}
    assert len(plans) > 3
    assert message_plan_texts(words(PARK, 5), 140) == message_plan_texts(words(PARK, 5), 140)


def test_it_tells_peeks_and_finishes_when_all_is_well() -> None:
    moves = told(Hand((*map(Put, PARK.pieces), Say("ok"))))
    teller = [made for role, made in moves if role == TELLER]
    assert teller[-2:] == [(Peek(),), (Close(), Finish())]
    assert all(len(text) <= 140 for text in said(moves))


def test_without_a_peek_it_tells_and_finishes() -> None:
    moves = told(Hand(), game_settings=CodrawSettings(peeks=0, silent=True))
    assert not any(isinstance(move, Peek) for _, made in moves for move in made)


def test_after_the_peek_it_says_what_to_correct() -> None:
    drawn = apply_changes(PARK, [Remove("beach ball"), Shift("sun", 400, 40), Put(Piece("cat", 250, 300, 0))])
    moves = told(Hand((*map(Put, drawn.pieces), Say("ok"))))
    position = [made for _, made in moves].index((Peek(),))
    after = " ".join(said(moves[position:])).lower()
    assert "beach ball" in after
    assert "remove the cat" in after
    assert "move the sun left" in after
    assert "tree" not in after


def test_it_can_peek_earlier_and_then_corrects_only_what_it_has_told() -> None:
    plan = message_plan_texts(words_of_game(), 140)
    assert len(plan) > 2
    first = next(kind for kind in PARK.kinds if words_of_game().piece_name(kind).lower() in plan[0].lower())
    cat = Put(Piece("cat", 250, 300, 0))
    moves = told(Hand((cat, Say("ok"))), peek="1")
    assert [made for role, made in moves if role == TELLER].index((Peek(),)) == 1
    texts = said(moves)
    assert texts[0] == plan[0]
    assert texts[-len(plan) + 1 :] == plan[1:]
    between = " ".join(texts[1 : -len(plan) + 1]).lower()
    assert "remove the cat" in between
    assert words_of_game().piece_name(first).lower() in between
    assert not any(isinstance(move, Peek) for _, made in told(Hand(), peek="no") for move in made)


def test_what_is_wrong_can_be_said_again() -> None:
    right = Piece("dog", 150, 300, 1, flip=True)
    found = words(Scene.of([right]))
    wrong = Scene.of([replace(right, size=2)])
    assert plan_corrections(found, wrong, 140) == ["Make the dog bigger."]
    assert plan_corrections(found, wrong, 140, anew=True) == words(Scene.of([right])).piece_sentences(
        right, 140
    )
    assert plan_corrections(found, Scene.of([right]), 140, anew=True) == []


@pytest.mark.parametrize("option", [{"peek": "0"}, {"peek": "late"}, {"mend": "all"}])
def test_no_other_ways_to_peek_are_known(option: dict[str, str]) -> None:
    with pytest.raises(Problem, match="template cannot have"):
        template(**option)


@pytest.mark.parametrize(
    ("change", "heard"),
    [
        ({"size": 2}, "make {it} bigger"),
        ({"size": 0}, "make {it} smaller"),
        ({"flip": False}, "flip {it}, facing left"),
        ({"pose": 1}, "{it} should be with one arm up"),
        ({"expression": 3}, "{it} should be smiling with teeth"),
        ({"x": 110}, "move {it} right a bit"),
        ({"y": 220}, "move {it} down a little"),
        ({"x": 155}, ""),
    ],
)
def test_each_fault_has_its_words(change: dict[str, object], heard: str) -> None:
    right = Piece("Mike", 150, 250, 1, flip=True, pose=6, expression=1)
    found = words(Scene.of([right]))
    text = " ".join(plan_corrections(found, Scene.of([replace(right, **change)]), 140)).lower()
    assert text.rstrip(".") == heard.format(it=found.definite_name("Mike").lower())


def test_two_sizes_are_two_sizes() -> None:
    found = words(Scene.of([Piece("sun", 60, 50, 2)]))
    assert plan_corrections(found, Scene.of([Piece("sun", 60, 50, 0)]), 140) == [
        "Make the sun 2 sizes smaller."
    ]


@pytest.mark.parametrize(
    ("question", "heard"),
    [
        ("what size is the tree?", "medium"),
        ("which way is the boy facing?", "facing left"),
        ("is she smiling?", "sad"),
        ("what is the girl doing?", "cross"),
        ("where is the ball?", "ball"),
        ("what is he wearing?", "crown"),
        ("is there a dog?", "There is no dog"),
        ("and the dog, how big?", "There is no dog"),
        ("is he facing left and how big is he?", "Yes, the boy is facing left. The boy is large"),
        ("a big smile or a small one for the boy?", "teeth"),
    ],
)
def test_simple_questions_are_answered(question: str, heard: str) -> None:
    assert needs_template_answer(question)
    assert heard.lower() in write_template_answer(words(PARK), question, (), 140).lower()


def test_a_question_without_a_name_is_about_what_was_told_last() -> None:
    assert "large" in write_template_answer(words(PARK), "what size?", ("sun",), 140)
    assert write_template_answer(words(PARK), "what size?", (), 140) == DO_NOT_KNOW


@pytest.mark.parametrize("text", ["ok", "done", "got it", "ready when you are"])
def test_what_is_no_question_gets_no_answer(text: str) -> None:
    assert not needs_template_answer(text)


def test_asking_for_more_gets_the_next_thing() -> None:
    for text in (
        "what else?",
        "anything else ?",
        "ok , what is next",
        "is that all right?",
        "is this right ?",
    ):
        assert write_template_answer(words(PARK), text, ("sun",), 140) == ""
    plain, asked = said(told(Hand())), said(told(Hand(*[(Say("what else?"),)] * 3)))
    assert plain == asked


def test_who_asks_the_same_again_and_again_hears_the_rest_nevertheless() -> None:
    texts = said(told(Hand(*[(Say("what size is the tree?"),)] * 30)))
    plan = message_plan_texts(words_of_game(), 140)
    assert list(dict.fromkeys(text for text in texts if text in plan)) == plan
    assert len(texts) < 30


def words_of_game() -> SceneDescriber:
    return SceneDescriber(PARK, Random("0/p"))


def test_it_is_a_teller_only() -> None:
    pack = find("codraw")
    with pytest.raises(Problem, match="template is a Teller"):
        load(pack.players["template"])(Seat(pack, pack.new(), DRAWER, "template"))
