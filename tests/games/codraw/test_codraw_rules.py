"""The rules of CoDraw, sentence by sentence."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.boards.scenes import PARK

from groundling.boards.scene import (
    KINDS,
    PEOPLE,
    Express,
    Flip,
    Piece,
    Pose,
    Put,
    Remove,
    Resize,
    Scene,
    Shift,
    apply_changes,
    find_scene_changes,
)
from groundling.core.check import check_game
from groundling.core.pack import find
from groundling.core.replay import EpisodeReplay
from groundling.core.table import open_episode
from groundling.core.values import Illegal, Say
from groundling.games.codraw.instance import CodrawInstance, choose_instance_palette, hide
from groundling.games.codraw.make import builtin
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait
from groundling.games.codraw.recorded.dialogs import RecordedTurn
from groundling.games.codraw.rules import (
    DRAWER,
    MOST_CHANGES,
    TELLER,
    CodrawGame,
    CodrawSettings,
    DrawerView,
    SpokenMessage,
    State,
    TellerView,
)
from groundling.games.codraw.similarity import similarity

park = CodrawInstance(id="p", target=PARK, palette=choose_instance_palette(PARK, Random(1)))
game = CodrawGame(CodrawSettings())
start = game.start(park)
SUN = Put(Piece("sun", 60, 40, 0))


def after(state: State, *moves: CodrawMove, by: CodrawGame = game) -> State:
    """Play each move as the seat whose turn it is."""
    for move in moves:
        role = by.turn(state)
        assert role is not None
        state = by.play(state, role, move)
    return state


def teller_sees(state: State, by: CodrawGame = game) -> TellerView:
    view = by.view(state, TELLER)
    assert isinstance(view, TellerView)
    return view


def drawer_sees(state: State, by: CodrawGame = game) -> DrawerView:
    view = by.view(state, DRAWER)
    assert isinstance(view, DrawerView)
    return view


told = after(start, Say("a sun"))
answered = after(told, SUN, Say("ok"))
peeking = after(answered, Peek())
asked = after(answered, Finish())


EVERY_SETTING = [
    CodrawSettings(),
    CodrawSettings(palette="twenty", opens="either", silent=True),
    CodrawSettings(palette="twenty", opens="either", ends="both"),
    CodrawSettings(silent=True, peeks=0),
    CodrawSettings(opens="drawer", cap=300),
    CodrawSettings(opens="drawer", silent=True, rounds=20, places="words"),
    CodrawSettings(cap=0, rounds=0, empty=True, opens="either", palette="twenty"),
    CodrawSettings(rounds=4),
    CodrawSettings(opens="drawer", ends="both", silent=True, rounds=3),
]


@pytest.mark.parametrize("settings", EVERY_SETTING[:3], ids=str)
def test_it_keeps_every_law(settings: CodrawSettings) -> None:
    assert check_game(find("codraw"), settings=settings, instances=3, texts=20) == []


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize("settings", EVERY_SETTING, ids=str)
def test_it_keeps_every_law_at_length_in_every_setting(settings: CodrawSettings) -> None:
    assert check_game(find("codraw"), settings=settings, instances=6, texts=60) == []


def test_it_is_a_message_then_a_reply() -> None:
    assert game.turn(start) == TELLER
    assert game.turn(told) == DRAWER
    assert game.turn(after(told, SUN)) == DRAWER, "drawing keeps the turn"
    assert game.turn(answered) == TELLER
    assert answered.talk == (SpokenMessage(TELLER, "a sun"), SpokenMessage(DRAWER, "ok"))


def test_who_opens_is_set() -> None:
    drawer_opens = CodrawGame(CodrawSettings(opens="drawer"))
    assert drawer_opens.turn(drawer_opens.start(park)) == DRAWER
    assert drawer_opens.turn(after(drawer_opens.start(park), Say("ready"), by=drawer_opens)) == TELLER
    either = CodrawGame(CodrawSettings(opens="either"))
    assert teller_sees(either.start(park), either).may_wait
    assert either.turn(after(either.start(park), Say("a sun"), by=either)) == DRAWER
    waited = after(either.start(park), Wait(), by=either)
    assert either.turn(waited) == DRAWER
    opened = after(waited, Say("ready"), by=either)
    assert either.turn(opened) == TELLER
    assert not teller_sees(opened, either).may_wait
    for by, state in (
        (either, opened),
        (game, start),
        (drawer_opens, after(drawer_opens.start(park), Say("hi"), by=drawer_opens)),
    ):
        with pytest.raises(Illegal, match="either may open"):
            by.play(state, TELLER, Wait())


def test_where_both_end_the_game_it_is_over_when_both_have_finished_in_any_order() -> None:
    both = CodrawGame(CodrawSettings(ends="both"))
    drawn = after(both.start(park), Say("a sun"), SUN, by=both)
    drawer_first = after(drawn, Finish(), by=both)
    assert both.turn(drawer_first) == TELLER
    assert teller_sees(drawer_first, both).drawer_finished
    teller_first = after(drawn, Say("ok"), Finish(), by=both)
    assert both.turn(teller_first) == DRAWER
    assert drawer_sees(teller_first, both).teller_finished
    for done in (
        after(drawer_first, Finish(), by=both),
        after(teller_first, Finish(), by=both),
        after(teller_first, Agree(), by=both),
    ):
        assert both.turn(done) is None
        assert both.result(done) == game.result(after(answered, Finish(), Agree()))


def test_what_one_has_finished_stays_finished_while_the_other_continues() -> None:
    both = CodrawGame(CodrawSettings(ends="both"))
    more = after(both.start(park), Say("a sun"), Finish(), Say("and a ball"), SUN, Say("ok"), by=both)
    assert drawer_sees(more, both).finished
    assert both.turn(after(more, Finish(), by=both)) is None
    asks = after(both.start(park), Say("a sun"), Say("ok"), Finish(), Say("how big?"), Say("large"), by=both)
    assert drawer_sees(asks, both).teller_finished
    assert both.turn(after(asks, SUN, Finish(), by=both)) is None


def test_a_teller_who_finishes_again_and_again_uses_up_the_messages() -> None:
    both = CodrawGame(CodrawSettings(ends="both", rounds=3))
    state = after(both.start(park), Say("a sun"), Say("ok"), by=both)
    for left in (2, 1):
        state = after(state, Finish(), Say("wait"), by=both)
        assert teller_sees(state, both).rounds == left, "the first time is free"
    assert both.turn(after(state, Finish(), Say("wait"), by=both)) is None


def test_the_drawer_finishes_nothing_before_it_was_told_something_or_where_only_the_teller_can() -> None:
    both = CodrawGame(CodrawSettings(ends="both", opens="drawer"))
    with pytest.raises(Illegal, match="nothing has been said yet"):
        both.play(both.start(park), DRAWER, Finish())
    with pytest.raises(Illegal, match="only the Teller can finish"):
        game.play(told, DRAWER, Finish())
    assert not drawer_sees(told).may_finish


def test_the_teller_sees_the_scene_and_the_talk_and_not_the_canvas() -> None:
    view = teller_sees(answered)
    assert (view.target, view.talk, view.canvas) == (PARK, answered.talk, None)


def test_the_drawer_sees_its_canvas_its_palette_and_the_talk_and_not_the_scene() -> None:
    view = drawer_sees(answered)
    assert (view.canvas, view.palette, view.talk) == (Scene.of([SUN.piece]), KINDS, answered.talk)
    for other in (hide(park, DRAWER, Random(seed)) for seed in range(9)):
        assert other.target != PARK
        assert drawer_sees(replace(answered, park=other)) == view


def test_after_a_peek_the_turn_stays_and_the_canvas_is_shown_as_it_is() -> None:
    assert game.turn(peeking) == TELLER
    assert teller_sees(peeking).canvas == Scene.of([SUN.piece])
    assert teller_sees(after(peeking, Close())).canvas is None
    later = after(peeking, Close(), Say("a ball"), Put(Piece("beach ball", 9, 9, 2)))
    assert teller_sees(later).canvas is None, "what is drawn after it is not seen"


@pytest.mark.parametrize("move", [Say("the sun is too small"), Finish()])
def test_until_the_canvas_is_closed_nothing_can_be_said_or_finished(move: CodrawMove) -> None:
    with pytest.raises(Illegal, match="close it before"):
        game.play(peeking, TELLER, move)
    game.play(after(peeking, Close()), TELLER, move)


def test_there_is_one_peek_or_none() -> None:
    assert (teller_sees(answered).peeks, teller_sees(peeking).peeks) == (1, 0)
    with pytest.raises(Illegal, match="already"):
        game.play(peeking, TELLER, Peek())
    with pytest.raises(Illegal, match="no peek left"):
        game.play(after(peeking, Close()), TELLER, Peek())
    with pytest.raises(Illegal, match="no peek left"):
        game.play(after(peeking, Close(), Say("more"), Say("ok")), TELLER, Peek())
    blind = CodrawGame(CodrawSettings(peeks=0))
    with pytest.raises(Illegal, match="no peeking in this game"):
        blind.play(blind.start(park), TELLER, Peek())


def test_a_drawer_cannot_peek_close_wait_or_finish() -> None:
    for move, name in ((Peek(), "peek"), (Close(), "close"), (Finish(), "finish"), (Wait(), "wait")):
        with pytest.raises(Illegal, match=f"only the Teller can {name}"):
            game.play(told, DRAWER, move)


@pytest.mark.parametrize("move", [SUN, Remove("sun"), Agree()])
def test_a_teller_cannot_draw_or_agree(move: CodrawMove) -> None:
    with pytest.raises(Illegal, match="only the Drawer"):
        game.play(start, TELLER, move)


def test_nobody_moves_out_of_turn() -> None:
    for state, role, move in (
        (start, DRAWER, SUN),
        (told, TELLER, Say("and")),
        (told, TELLER, Peek()),
        (asked, TELLER, Finish()),
    ):
        with pytest.raises(Illegal, match="not your turn"):
            game.play(state, role, move)


def test_a_drawer_can_put_move_flip_resize_pose_express_and_remove() -> None:
    mike = Piece("Mike", 1, 2, 0, pose=0, expression=0)
    moves = (
        Put(mike),
        SUN,
        Shift("Mike", 7, 8),
        Flip("Mike", True),
        Resize("Mike", 2),
        Pose("Mike", 5),
        Express("Mike", 4),
    )
    state = after(told, *moves, Remove("sun"))
    assert state.canvas == Scene.of([Piece("Mike", 7, 8, 2, True, 5, 4)])
    assert after(told, *find_scene_changes(Scene(), PARK)).canvas == PARK


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (SUN, "already"),
        (Shift("Mike", 1, 1), "not on the canvas"),
        (Remove("slide"), "not on the canvas"),
        (Pose("sun", 1), "only Mike and Jenny"),
        (Resize("sun", 3), "cannot have size 3"),
        (Shift("sun", 1001, 0), "too far off"),
        (Put(Piece("cat", 0, -401, 0)), "too far off"),
        (Remove("unicorn"), "not in the palette"),
    ],
)
def test_what_cannot_be_drawn_is_refused(move: CodrawMove, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        game.play(after(answered, Say("go on")), DRAWER, move)


def test_pieces_may_lie_beyond_the_edges() -> None:
    off = Put(Piece("cat", 560, -30, 0))
    assert after(told, off).canvas == Scene.of([off.piece])


def test_a_turn_has_an_end() -> None:
    state = after(told, SUN, *(Flip("sun", n % 2 == 0) for n in range(MOST_CHANGES - 1)))
    with pytest.raises(Illegal, match="answer now"):
        game.play(state, DRAWER, Remove("sun"))
    again = after(state, Say("ok"), Say("go on"), Remove("sun"))
    assert not again.canvas.pieces


def test_finish_hands_over_once() -> None:
    assert game.turn(asked) == DRAWER
    assert drawer_sees(asked).asked
    drawn = after(asked, Put(Piece("cat", 9, 9, 0)))
    assert game.turn(drawn) == DRAWER, "the Drawer may still draw"
    assert game.turn(after(drawn, Agree())) is None
    on = after(drawn, Say("is the cat right?"))
    assert game.turn(on) == TELLER, "a message goes on with it"
    assert teller_sees(on).finished
    assert game.turn(after(on, Finish())) is None, "the second Finish asks nobody"
    more = after(on, Say("yes"), Say("ok"))
    assert not drawer_sees(more).asked
    assert game.turn(after(more, Finish())) is None


def test_there_is_nothing_to_agree_to_before() -> None:
    with pytest.raises(Illegal, match="not finished"):
        game.play(told, DRAWER, Agree())


def test_the_result_is_the_similarity_of_the_last_canvas() -> None:
    assert game.result(asked) is None
    drawn = after(asked, Put(Piece("crown", 9, 9, 0)), Agree())
    result = game.result(drawn)
    assert result is not None
    assert result.score == similarity(PARK, drawn.canvas)


def test_a_silent_drawer_says_ok_and_always_agrees() -> None:
    silent = CodrawGame(CodrawSettings(silent=True))
    state = after(silent.start(park), Say("a sun"), by=silent)
    with pytest.raises(Illegal, match='only say "ok"'):
        silent.play(state, DRAWER, Say("where?"))
    end = after(state, SUN, Say("ok"), Finish(), by=silent)
    with pytest.raises(Illegal, match="agrees"):
        silent.play(end, DRAWER, Say("ok"))
    assert silent.turn(after(end, Agree(), by=silent)) is None
    assert silent.read(end, DRAWER, "ok").moves == (Agree(),)
    assert silent.read(state, DRAWER, "where is it?").moves == (Say("ok"),)
    assert silent.read(state, DRAWER, "where is it?").dropped == ("where is it?",)


def test_it_ends_after_a_number_of_rounds() -> None:
    short = CodrawGame(CodrawSettings(rounds=2, opens="drawer"))
    state = after(short.start(park), Say("hi"), by=short)
    assert teller_sees(state, short).rounds == 2
    state = after(state, Say("a sun"), Say("ok"), Say("a tree"), by=short)
    assert teller_sees(state, short).rounds == 0
    assert short.turn(after(state, SUN, by=short)) == DRAWER, "the last message is answered"
    assert short.turn(after(state, SUN, Say("ok"), by=short)) is None
    endless = CodrawGame(CodrawSettings(rounds=0))
    assert teller_sees(endless.start(park), endless).rounds is None


def test_a_message_has_140_characters_at_most() -> None:
    game.play(start, TELLER, Say("a" * 140))
    for state, role in ((start, TELLER), (told, DRAWER)):
        with pytest.raises(Illegal, match="at most 140 characters, and this one has 141"):
            game.play(state, role, Say("a" * 141))
    free = CodrawGame(CodrawSettings(cap=0))
    free.play(start, TELLER, Say("a" * 5_000))


def test_what_people_said_of_a_scene_may_be_said_of_it_again_however_long() -> None:
    long = replace(
        park, recorded=(RecordedTurn("teller", "t " * 80 + "t"), RecordedTurn("drawer", "d " * 80 + "d"))
    )
    state = game.play(game.start(long), TELLER, Say("t " * 80 + "t"))
    game.play(state, DRAWER, Say("d " * 80 + "d"))
    with pytest.raises(Illegal, match="at most 140"):
        game.play(state, DRAWER, Say("t " * 80 + "t"))
    assert hide(long, DRAWER, Random(0)).recorded[1].text == long.recorded[1].text, (
        "or refusals would tell two scenes apart"
    )


@pytest.mark.parametrize("text", ["", " ", "a\nb", " a", "a\u2028b"])
def test_a_message_is_one_line_and_says_something(text: str) -> None:
    for state, role in ((start, TELLER), (told, DRAWER)):
        with pytest.raises(Illegal, match="a message"):
            game.play(state, role, Say(text))


def test_messages_can_be_empty_where_that_is_allowed() -> None:
    lax = CodrawGame(CodrawSettings(empty=True))
    assert lax.turn(after(lax.start(park), Say(""), Say(""), by=lax)) == TELLER


def test_a_palette_of_twenty_holds_the_people_and_all_that_is_needed() -> None:
    twenty = CodrawGame(CodrawSettings(palette="twenty"))
    for made in builtin():
        assert len(set(made.palette)) == 20
        assert {*PEOPLE, *made.target.kinds} <= set(made.palette)
        assert list(made.palette) == sorted(made.palette, key=KINDS.index), (
            "its order does not tell what is needed"
        )
    state = after(twenty.start(park), Say("go"), by=twenty)
    outside = next(kind for kind in KINDS if kind not in park.palette)
    assert drawer_sees(state, twenty).palette == park.palette
    with pytest.raises(Illegal, match="not in the palette: take one of"):
        twenty.play(state, DRAWER, Put(Piece(outside, 1, 1, 0)))
    game.play(told, DRAWER, Put(Piece(outside, 1, 1, 0)))


def test_a_palette_that_lacks_a_piece_of_the_scene_is_no_palette_for_it() -> None:
    with pytest.raises(ValueError, match="lacks sun"):
        replace(park, palette=tuple(kind for kind in park.palette if kind != "sun"))
    with pytest.raises(ValueError, match="no clip art called 'unicorn'"):
        replace(park, palette=(*park.palette, "unicorn"))


def test_where_all_of_the_palette_is_needed_only_its_order_can_be_hidden() -> None:
    full = Scene.of(
        Piece(kind, n, n, 0, pose=None, expression=None) for n, kind in enumerate(KINDS) if kind not in PEOPLE
    )
    whole = CodrawInstance(id="w", target=full, palette=KINDS)
    assert set(hide(whole, TELLER, Random(0)).palette) == set(KINDS)
    assert hide(whole, TELLER, Random(0)) != whole


def test_the_palette_is_hidden_from_the_teller_and_stays_one_for_its_scene() -> None:
    for seed in range(9):
        other = hide(park, TELLER, Random(seed))
        assert other.palette != park.palette
        assert {*PEOPLE, *PARK.kinds} <= set(other.palette)
        assert replace(other, palette=park.palette) == park


@pytest.mark.parametrize(
    ("state", "moves", "why"),
    [
        (start, (Say("a" * 141),), "141"),
        (after(peeking, Close()), (Peek(), Close(), Say("left")), "no peek left"),
        (told, (SUN, Peek()), "only the Teller"),
        (peeking, (Say("left a bit"),), "close it"),
        (told, (SUN, SUN, Say("ok")), "already"),
        (told, (SUN, Say("ok"), Say("ok")), "turn ended"),
    ],
)
def test_what_is_refused_changes_nothing(state: State, moves: tuple[CodrawMove, ...], why: str) -> None:
    class Nobody:
        name = "nobody"

    players = {role: Nobody() for role in (TELLER, DRAWER)}
    sitting = EpisodeReplay(game, open_episode(game, park, players, seed=0, at=0.0))  # type: ignore[arg-type]
    role = game.turn(state)
    assert role is not None
    sitting.state, sitting.turn = state, role
    with pytest.raises(Illegal, match=why):
        sitting.state_after(role, moves)
    assert sitting.state == state
    assert sitting.state.canvas == apply_changes(
        Scene(), [SUN] if state in (peeking, after(peeking, Close())) else []
    )
