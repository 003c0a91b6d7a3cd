"""What the grammar Drawer makes of sentences, all of them our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.scene import CATEGORIES, EXPRESSIONS, HORIZON, KINDS, POSES, SCALES, Piece, Scene
from groundling.games.codraw.players.grammar import lexicon
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.phrases import MAX_MESSAGE, parse_message_phrases
from groundling.games.codraw.players.grammar.sketch import Sketch
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.scene_generation.scene_builder import built_bounding_box, built_piece_extent

LEFT, MIDDLE, RIGHT = range(170), range(190, 311), range(331, 501)


def sketch(*messages: str, palette: tuple[str, ...] = KINDS) -> Sketch:
    found = Sketch(palette)
    for message in messages:
        found.read_message(message)
    return found


def drawn(*messages: str) -> Scene:
    return sketch(*messages).draw_scene()


def only(*messages: str) -> Piece:
    """The piece of a scene that must have one."""
    (piece,) = drawn(*messages).pieces
    return piece


# names


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((kind, kind) for kind in KINDS if kind not in ("glasses", "cloud")),
        ("chopper", "helicopter"),
        ("hot-air balloon", "hot air balloon"),
        ("plain cloud", "cloud"),
        ("thunder cloud", "lightning cloud"),
        ("cloud with a lightning bolt", "lightning cloud"),
        ("cloud that is raining", "rain cloud"),
        ("rocketship", "rocket"),
        ("jet", "airplane"),
        ("bumblebee ride", "spring bee"),
        ("bbq", "grill"),
        ("swing set", "swing"),
        ("bench", "picnic table"),
        ("Christmas tree", "pine tree"),
        ("tree with a hole", "oak tree"),
        ("tree with red apples", "apple tree"),
        ("boy", "Mike"),
        ("girl", "Jenny"),
        ("kitty", "cat"),
        ("puppy", "dog"),
        ("baseball cap", "star cap"),
        ("cook's hat", "chef hat"),
        ("beanie with a propeller", "propeller cap"),
        ("witch hat", "wizard hat"),
        ("hat with horns", "viking helmet"),
        ("purple glasses", "glasses"),
        ("shades", "sunglasses"),
        ("hamburger", "burger"),
        ("soda", "drink"),
        ("bucket", "pail"),
        ("rugby ball", "football"),
        ("bunch of balloons", "balloons"),
        ("catcher's mitt", "glove"),
        ("tennis racquet", "racket"),
        ("bonfire", "campfire"),
    ],
)
def test_a_piece_is_known_by_its_names(name: str, kind: str) -> None:
    assert only(f"There is a {name} in the middle.").kind == kind


def test_every_kind_has_a_name() -> None:
    named = {mention.kinds[0] for mention in lexicon.LEXICON.values() if mention.how == "name"}
    assert named == set(KINDS)


def test_several_pieces_of_one_message_are_all_drawn() -> None:
    scene = drawn("Big sun on the left, small plane on the right, a girl and a boy on the grass with a dog")
    assert scene.kinds == ("sun", "airplane", "Mike", "Jenny", "dog")


def test_a_verb_is_no_slide_and_steps_are_no_ladder() -> None:
    assert drawn("a boy in the middle", "slide the boy left", "and three steps up").kinds == ("Mike",)


def test_what_is_said_not_to_be_there_is_not_drawn() -> None:
    assert drawn("a boy in the middle without a hat", "there is no dog").kinds == ("Mike",)


# places


@pytest.mark.parametrize(
    ("words", "across"),
    [
        ("on the left", LEFT),
        ("on the far left", LEFT),
        ("on the right side", RIGHT),
        ("in the middle", MIDDLE),
        ("left side", LEFT),
        ("touching the right edge", RIGHT),
        ("almost touching the left edge", LEFT),
        ("1 inch from the right side", RIGHT),
        ("half an inch from the left edge", LEFT),
        ("close to the right edge", RIGHT),
        ("in the bottom left corner", LEFT),
    ],
)
@pytest.mark.parametrize("kind", ["dog", "girl", "campfire", "bear"])
def test_a_piece_is_on_its_side(kind: str, words: str, across: range) -> None:
    assert only(f"a {kind} {words}").x in across
    assert only(f"{words} there is a {kind}").x in across


@pytest.mark.parametrize("kind", CATEGORIES["sky"])
def test_sky_things_are_in_the_sky_and_the_rest_is_below(kind: str) -> None:
    scene = drawn(f"a {kind} on the left", "a dog on the right", "a table in the middle")
    assert scene.by_kind[kind].y < HORIZON - 40
    assert min(scene.by_kind["dog"].y, scene.by_kind["picnic table"].y) > HORIZON


def test_corners_are_nearer_to_both_edges_than_sides() -> None:
    corner, side = only("big sun in the top left corner"), only("big sun on the left")
    assert corner.x < side.x
    assert corner.y <= side.y + 5


def test_touching_an_edge_is_touching_it() -> None:
    sun = only("a small sun touching the top and the left edge")
    left, top, _, _ = built_bounding_box(sun)
    assert abs(left) < 12
    assert abs(top) < 12
    assert abs(built_bounding_box(only("a cat touching the bottom edge"))[3] - 400) < 12


@pytest.mark.parametrize(
    ("near", "far"),
    [
        ("half an inch", "an inch and a half"),
        ("1/2 inch", "1 1/2 inches"),
        ("0.5 inches", "2 inches"),
        ("1 cm", "2 inches"),
    ],
)
def test_more_inches_are_farther_from_the_edge(near: str, far: str) -> None:
    assert only(f"a dog {near} from the left edge").x < only(f"a dog {far} from the left edge").x - 15
    assert only(f"a dog {near} from the bottom").y > only(f"a dog {far} from the bottom").y


def test_what_is_cut_off_reaches_over_the_edge() -> None:
    for share in ("a little", "half", "mostly"):
        left, _, right, _ = built_bounding_box(
            only(f"a large bear on the left, {share} cut off by the left edge")
        )
        assert left < 0 < right
    assert only("a bear on the right, fully visible").x < only("a bear on the right, half of it cut off").x


@pytest.mark.parametrize(
    ("part", "share"),
    [("head", 0.88), ("eyes", 0.62), ("neck", 0.4), ("waist", -0.07), ("knees", -0.6), ("feet", -0.9)],
)
def test_the_horizon_goes_through_what_was_said(part: str, share: float) -> None:
    boy = only(f"a boy on the left, his {part} on the horizon")
    assert abs(boy.y - share * built_piece_extent(boy)[1] / 2 - HORIZON) < 15


def test_above_and_below_the_horizon_differ() -> None:
    above, on, below = (
        only(f"a boy in the middle, his eyes {how} the horizon") for how in ("above", "at", "below")
    )
    assert above.y < on.y < below.y


def test_grass_and_sky_are_places() -> None:
    assert only("a kite in the sky").y < HORIZON
    assert only("a frisbee on the grass").y > HORIZON
    assert only("a football at the bottom of the grass").y > only("a football in the air").y + 60


# by other pieces


@pytest.mark.parametrize(
    ("words", "right", "down"),
    [
        ("to the left of", -1, 0),
        ("right of", 1, 0),
        ("2 inches to the right of", 1, 0),
        ("above", 0, -1),
        ("under", 0, 1),
        ("in front of", 0, 1),
        ("behind", 0, -1),
        ("at the upper left of", -1, -1),
    ],
)
def test_a_piece_is_placed_by_another(words: str, right: int, down: int) -> None:
    scene = drawn("a medium bear in the middle", f"a large cat {words} the bear")
    bear, cat = scene.by_kind["bear"], scene.by_kind["cat"]
    assert not right or (cat.x - bear.x) * right > 25
    assert right or abs(cat.x - bear.x) < 40
    if words not in ("in front of", "behind"):
        assert not down or (cat.y - bear.y) * down > 15
    else:  # feet, not middles
        assert (built_bounding_box(cat)[3] - built_bounding_box(bear)[3]) * down > -30


def test_the_piece_may_come_after_its_place() -> None:
    scene = drawn(
        "a boy on the left",
        "to the right of the boy is a dog. below the sun is a cat",
        "sun on the far right",
    )
    assert scene.by_kind["dog"].x > scene.by_kind["Mike"].x + 25
    assert scene.by_kind["cat"].x in RIGHT


def test_between_is_between() -> None:
    scene = drawn(
        "a duck on the left, a snake on the right and a cat between them",
        "an owl between the duck and the cat",
    )
    duck, owl, cat, snake = (scene.by_kind[kind].x for kind in ("duck", "owl", "cat", "snake"))
    assert duck < owl < cat < snake


def test_things_are_on_tables_and_in_trees() -> None:
    scene = drawn("a table in the middle with a pizza on it", "an oak tree on the right. an owl in the tree")
    table, pizza = scene.by_kind["picnic table"], scene.by_kind["pizza"]
    assert abs(pizza.x - table.x) < 60
    assert built_bounding_box(table)[1] - 20 < pizza.y < table.y
    left, _, right, bottom = built_bounding_box(scene.by_kind["oak tree"])
    owl = scene.by_kind["owl"]
    assert left < owl.x < right
    assert owl.y < bottom


@pytest.mark.parametrize("hat", CATEGORIES["clothing"])
@pytest.mark.parametrize("person", ["boy", "girl"])
def test_what_is_worn_is_on_the_head(person: str, hat: str) -> None:
    noun = "purple glasses" if hat == "glasses" else hat
    scene = drawn(f"a {person} on the far left, facing right, wearing a {noun}")
    wearer = next(piece for piece in scene.pieces if piece.category in ("boy", "girl"))
    worn = scene.by_kind[hat]
    left, top, right, bottom = built_bounding_box(wearer)
    assert left < worn.x < right
    assert top - 60 < worn.y < top + 0.4 * (bottom - top)
    assert worn.size == wearer.size


def test_a_hat_goes_with_its_wearer_and_not_the_wearer_with_the_hat() -> None:
    alone = only("a boy on the far left")
    scene = drawn("a boy on the far left, he is wearing a crown and sunglasses")
    assert abs(scene.by_kind["Mike"].x - alone.x) < 5


def test_anything_can_be_on_a_head() -> None:
    scene = drawn("a boy on the left with his arms up. an owl on the boy's head")
    boy, owl = scene.by_kind["Mike"], scene.by_kind["owl"]
    assert abs(owl.x - boy.x) < 30
    assert owl.y < boy.y


def test_what_is_held_is_in_that_hand() -> None:
    scene = drawn(
        "a boy in the middle with both arms up, facing right", "he is holding a burger in his left hand"
    )
    boy, burger = scene.by_kind["Mike"], scene.by_kind["burger"]
    assert burger.x < boy.x - 10
    assert burger.y < boy.y
    scene = drawn("a girl in the middle with both arms up", "in her right hand she has a pie")
    assert abs(scene.by_kind["pie"].x - scene.by_kind["Jenny"].x) < 110


def test_a_hand_or_a_seat_is_no_place_on_the_canvas() -> None:
    scene = drawn("a girl on the far right with both arms up, holding a pizza on the left")
    assert scene.by_kind["pizza"].x in RIGHT
    scene = drawn("a large swing set on the right", "the boy is sitting on the left swing")
    assert scene.by_kind["Mike"].x > 200


def test_a_balloon_in_a_hand_is_no_hot_air_balloon() -> None:
    assert "balloons" in drawn("a boy on the left holding a balloon").kinds
    assert "hot air balloon" in drawn("a balloon in the sky").kinds


def test_what_was_placed_by_a_piece_stays_when_that_is_removed() -> None:
    assert only("a dog on the left. a cat to the right of the dog.", "remove the dog").kind == "cat"


def test_the_ball_of_a_game_is_the_ball() -> None:
    assert "tennis ball" in drawn("a girl with a racket", "a ball in front of her").kinds
    assert "baseball" in drawn("the boy has a bat", "there is a ball above the boy").kinds


def test_lists_go_from_one_to_the_next() -> None:
    scene = drawn("From left to right: a tent, then a grill, then a slide")
    tent, grill, slide = (scene.by_kind[kind].x for kind in ("tent", "grill", "slide"))
    assert tent < grill < slide


def test_who_is_meant_by_a_pronoun() -> None:
    scene = drawn("a girl on the left. a boy on the right.", "she has a crown. he has a drink")
    assert scene.by_kind["crown"].x in LEFT
    assert scene.by_kind["drink"].x in range(280, 501)
    dog = drawn("a dog on the left", "he is facing left").by_kind["dog"]
    assert dog.flip


# looks


@pytest.mark.parametrize(
    ("word", "size"),
    [("large", 0), ("big", 0), ("medium", 1), ("med", 1), ("small", 2), ("tiny", 2), ("medium sized", 1)],
)
def test_sizes(word: str, size: int) -> None:
    assert only(f"a {word} dog on the left").size == size
    assert only(f"the dog on the left is {word}").size == size


def test_people_are_of_one_size_with_what_they_have() -> None:
    scene = drawn("a medium boy on the left holding a bat", "a girl on the right with a crown", "a football")
    assert {piece.size for piece in scene.pieces} == {1}
    scene = drawn("a small boy on the left wearing a crown", "a girl on the right")
    assert [scene.by_kind[kind].size for kind in ("Mike", "crown", "Jenny")] == [2, 2, 1], (
        "what is small is said to be small"
    )


def test_a_small_smile_does_not_make_anybody_small() -> None:
    assert only("a boy on the left with a small smile").size == 0


@pytest.mark.parametrize(("side", "flip"), [("right", False), ("left", True)])
def test_facing(side: str, flip: bool) -> None:
    for kind in ("dog", "boy", "plane", "tent", "slide"):
        for verb in ("facing", "looking to the", "pointing"):
            assert only(f"a {kind} in the middle {verb} {side}").flip == flip
    assert only(f"a rocket in the middle pointing {side}").flip != flip
    assert only(f"an oak tree in the middle, the hole is on the {side}").flip != flip
    assert only(f"a sandbox with the mound on the {side}").flip == flip


def test_people_face_each_other_or_whatever_they_look_at() -> None:
    scene = drawn("boy on the left and girl on the right", "they are facing each other")
    assert (scene.by_kind["Mike"].flip, scene.by_kind["Jenny"].flip) == (False, True)
    scene = drawn(
        "a dog on the left",
        "a cat on the right looking at the dog",
        "a duck in the middle facing away from the dog",
    )
    assert (scene.by_kind["cat"].flip, scene.by_kind["duck"].flip) == (True, False)


def test_who_is_not_told_where_to_look_looks_towards_the_middle() -> None:
    scene = drawn(
        "a bear on the left",
        "a dog on the right, wearing sunglasses",
        "an owl on the right facing the center",
    )
    assert [scene.by_kind[kind].flip for kind in ("bear", "dog", "sunglasses", "owl")] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("words", "pose"),
    [
        ("with her arms out", "arms to the side"),
        ("reaching to the right", "arms to the side"),
        ("both arms up", "arms up"),
        ("jumping for joy", "arms up"),
        ("kicking a ball", "kicking"),
        ("one leg up in front", "kicking"),
        ("running", "running"),
        ("sitting cross legged", "sitting cross-legged"),
        ("kneeling", "sitting cross-legged"),
        ("sitting with legs out", "sitting with legs out"),
        ("waving", "waving"),
        ("standing with one hand up", "waving"),
        ("has a hand on her hip", "waving"),
    ],
)
def test_poses(words: str, pose: str) -> None:
    assert POSES[drawn(f"a girl on the left, {words}").by_kind["Jenny"].pose or 0] == pose


@pytest.mark.parametrize(
    ("words", "face"),
    [
        ("angry", "angry"),
        ("looks mad", "angry"),
        ("smiling with teeth", "wide smile"),
        ("big smile", "wide smile"),
        ("laughing", "wide smile"),
        ("smiling, no teeth", "smile"),
        ("smiling without teeth", "smile"),
        ("small smile, mouth closed", "smile"),
        ("smiling", "smile"),
        ("sad", "sad"),
        ("crying", "sad"),
        ("not happy, frowning", "sad"),
        ("surprised", "surprised"),
        ("scared", "surprised"),
        ("mouth is an o", "surprised"),
    ],
)
def test_faces(words: str, face: str) -> None:
    for sentence in (f"a boy on the left, running, {words}", f"the boy is {words}"):
        assert EXPRESSIONS[drawn(sentence).by_kind["Mike"].expression or 0] == face


def test_each_has_their_own_face_and_pose() -> None:
    scene = drawn("a sad boy is running on the left. the girl on the right is angry and kicking.")
    mike, jenny = scene.by_kind["Mike"], scene.by_kind["Jenny"]
    assert (POSES[mike.pose or 0], EXPRESSIONS[mike.expression or 0]) == ("running", "sad")
    assert (POSES[jenny.pose or 0], EXPRESSIONS[jenny.expression or 0]) == ("kicking", "angry")


# corrections


@pytest.mark.parametrize(
    ("words", "right", "down"),
    [
        ("move the dog up a bit", 0, -1),
        ("move it down", 0, 1),
        ("move the dog left an inch", -1, 0),
        ("move the dog a little to the right", 1, 0),
        ("the dog should be higher", 0, -1),
        ("bring the dog down and left a bit", -1, 1),
        ("lower the dog", 0, 1),
        ("move everything up", 0, -1),
    ],
)
def test_a_piece_can_be_moved(words: str, right: int, down: int) -> None:
    before, after = only("a dog in the middle"), only("a dog in the middle", words)
    step = after.x - before.x, after.y - before.y
    assert (step[0] > 0) - (step[0] < 0) == right
    assert (step[1] > 0) - (step[1] < 0) == down


def test_two_inches_are_more_than_a_bit() -> None:
    dog = "a dog on the left"
    assert only(dog, "move the dog right 2 inches").x > only(dog, "move the dog right a bit").x > only(dog).x


def test_sizes_can_be_corrected() -> None:
    boy = "a medium boy in the middle"
    assert only(boy, "make him bigger").size == 0
    assert only(boy, "make the boy smaller").size == 2
    assert only("a large boy in the middle", "make the boy two sizes smaller").size == 2
    assert only(boy, "the boy is too big, make the boy smaller", "the boy should be large").size == 0


def test_looks_can_be_corrected() -> None:
    assert only("a dog facing left", "flip the dog").flip is False
    assert only("a dog facing left", "the dog should face the other way").flip is False
    girl = "a happy girl running on the left"
    assert EXPRESSIONS[only(girl, "the girl should be sad").expression or 0] == "sad"
    assert POSES[only(girl, "the girl should be sitting cross legged").pose or 0] == "sitting cross-legged"


def test_pieces_can_be_removed_and_swapped() -> None:
    assert drawn("a dog on the left, a cat on the right", "remove the cat").kinds == ("dog",)
    scene = drawn("a dog on the left. a cat on the right.", "swap the dog and the cat")
    assert scene.by_kind["cat"].x < scene.by_kind["dog"].x


def test_a_guess_is_corrected_by_a_better_name() -> None:
    assert only("a tree on the left", "it is a pine tree").kind == "pine tree"
    scene = drawn("a tree on the left. a dog to the right of the tree", "the apple tree is large")
    assert scene.kinds == ("apple tree", "dog")
    assert scene.by_kind["apple tree"].x in LEFT
    assert drawn("a tree on the left", "another tree on the right").kinds == ("oak tree", "apple tree")


def test_nothing_is_carried_out_of_sight() -> None:
    dog = only("a dog on the left", *["move the dog left 99 inches"] * 5, *["move the dog up 99 inches"] * 5)
    width, height = built_piece_extent(dog)
    assert (dog.x, dog.y) == (round(-width / 2), round(-height / 2))


# questions and palettes


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("a big tree on the left", "Which tree is it?"),
        ("the boy has a hat", "Which hat is it?"),
        ("a ball next to the girl", "Which ball is it?"),
        ("a kid on the left", "Which kid is it?"),
        ("a bottle on the table", "Which bottle is it?"),
        ("a pine tree on the left", ""),
        ("a cloud on the left", ""),
        ("a tree with a hole on the left", ""),
        ("ok, what else?", ""),
    ],
)
def test_a_question_is_asked_where_a_word_has_many_meanings(message: str, question: str) -> None:
    assert sketch(message).open_question() == question


@pytest.mark.parametrize(
    "answer", ["pine", "a large pine tree", "the evergreen one", "It is a small pine tree on the left."]
)
def test_the_answer_settles_it(answer: str) -> None:
    found = sketch("a big tree on the left")
    found.note_reply(found.open_question())
    found.read_message(answer)
    assert found.draw_scene().kinds == ("pine tree",)
    assert not found.open_question()


def test_without_a_question_a_new_tree_is_another_tree() -> None:
    found = sketch("a big tree on the left")
    found.note_reply("ok")
    found.read_message("a large pine tree on the right")
    assert found.draw_scene().kinds == ("pine tree", "oak tree")


def test_a_general_word_means_what_there_is_in_the_palette() -> None:
    found = sketch("a tree on the left", palette=("Mike", "Jenny", "pine tree", "sun"))
    assert found.draw_scene().kinds == ("pine tree",)
    assert not found.open_question()


def test_what_is_not_in_the_palette_must_be_something_like_it() -> None:
    palette = ("Mike", "Jenny", "pine tree", "wizard hat", "beach ball")
    scene = sketch(
        "an oak tree on the left, the boy has a pirate hat", "a football, a dog and a sun", palette=palette
    ).draw_scene()
    assert scene.kinds == ("pine tree", "Mike", "wizard hat", "beach ball")


def test_what_is_said_of_a_piece_that_cannot_be_drawn_is_not_said_of_another() -> None:
    found = sketch(
        "a large boy on the left. a small owl on the right", palette=("Mike", "Jenny")
    ).draw_scene()
    (boy,) = found.pieces
    assert (boy.size, boy.x in LEFT) == (0, True)


# words


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("1/2 inch", ["0.5", "inch"]),
        ("1 1/2 inches", ["1.5", "inch"]),
        ("half an inch", ["0.5", "inch"]),
        ("an inch and a half", ["1.5", "inch"]),
        ('2" up', ["2", "inch", "up"]),
        ("½ inch", ["0.5", "inch"]),
        ("two fingers", ["2", "finger"]),
        ("a couple of inches", ["2", "inch"]),
        ("3 cm", ["3", "cm"]),
        (".5 inches", ["0.5", "inch"]),
        ("can't", ["can", "not"]),
        ("isn’t", ["is", "not"]),
        ("123456789 inches", ["99", "99", "inch"]),
        ("²", ["²"]),
        ("", []),
    ],
)
def test_numbers_and_units_are_written_one_way(message: str, found: list[str]) -> None:
    assert tokenize_message(message) == found


def test_owners_are_not_the_pieces_themselves() -> None:
    text, found = find_mentions(tokenize_message("the boy's hand is near her"))
    assert text == "the @0 's hand is near @1"
    assert [(mention.kinds, mention.owner) for mention in found] == [(("Mike",), True), (("Jenny",), False)]


_VOCABULARY = sorted(
    {
        word
        for table in (Path(lexicon.__file__).parent / "vocabulary").iterdir()
        for word in "".join(c if c.isalpha() else " " for c in table.read_text().lower()).split()
    }
)


@given(
    st.lists(
        st.lists(st.sampled_from([*_VOCABULARY, *",.?;'\"@½²٣", "1/2", "'s"]), max_size=30).map(" ".join),
        max_size=4,
    )
)
def test_any_words_in_any_order_give_a_scene(messages: list[str]) -> None:
    for piece in drawn(*messages).pieces:
        assert -SCALES[0] * 800 < piece.x < 1300


@given(st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=3))
def test_no_words_take_for_ever_however_often_they_are_said(repeated: list[str]) -> None:
    text = " ".join(repeated * 1000)
    assert len(parse_message_phrases(text).text) <= 2 * MAX_MESSAGE
