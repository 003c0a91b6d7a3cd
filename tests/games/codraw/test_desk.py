"""The screens: what a person can do when, and nothing of the other side in them."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from tests.boards.scenes import PARK
from tests.boards.svg_patches import apply_svg_patch

from groundling.boards import clipart
from groundling.boards.scene import EXPRESSIONS, KINDS, PEOPLE, POSES, Piece, Put, Shift
from groundling.boards.svg_patch import PatchStream
from groundling.core.desk import Desk, Line
from groundling.core.events import Moved, Opened, Transcript
from groundling.core.pack import find
from groundling.core.values import Illegal, Say
from groundling.games.codraw.desk import codraw_help, make_codraw_desk, yield_codraw_turn
from groundling.games.codraw.instance import CodrawInstance, choose_instance_palette
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait
from groundling.games.codraw.rules import DRAWER, TELLER, CodrawGame, CodrawSettings, State
from groundling.games.codraw.score import score
from groundling.web.screen import SeatScreen

park = CodrawInstance(id="p", target=PARK, palette=choose_instance_palette(PARK, Random(1)))
CANVAS = Piece("beach ball", 300, 310, 1)


def after(*moves: CodrawMove, **settings: Any) -> tuple[CodrawGame, State]:
    game = CodrawGame(CodrawSettings(**{"palette": "twenty", **settings}))
    state = game.start(park)
    for move in moves:
        state = game.play(state, state.seat or "", move)
    return game, state


def seen(role: str, *moves: CodrawMove, **settings: Any) -> Desk:
    game, state = after(*moves, **settings)
    return make_codraw_desk(game.view(state, role), state.seat == role)


def labels(found: Desk) -> list[str]:
    return [button.label for button in found.buttons]


def kinds(svg: str) -> list[str]:
    return sorted(kind for node in ElementTree.fromstring(svg).iter() if (kind := node.get("data-kind")))


TOLD = (Say("a ball"), Put(CANVAS), Say("ok"))


def test_the_teller_sees_the_scene_and_may_speak_peek_and_finish() -> None:
    found = seen(TELLER)
    assert [panel.name for panel in found.panels] == ["scene"]
    assert kinds(found.panels[0].svg) == sorted(PARK.kinds)
    assert found.say is not None
    assert found.say.most == 140
    assert labels(found) == ["Peek", "Finish"]
    assert all(button.confirm for button in found.buttons)


def test_while_peeking_the_canvas_is_beside_the_scene_and_nothing_can_be_said() -> None:
    found = seen(TELLER, *TOLD, Peek())
    assert [panel.name for panel in found.panels] == ["scene", "peek"]
    assert kinds(found.panels[1].svg) == ["beach ball"]
    assert found.say is None
    assert [button.moves for button in found.buttons] == [(Close(),)]


def test_a_second_peek_is_not_offered() -> None:
    found = seen(TELLER, *TOLD, Peek(), Close())
    assert [panel.name for panel in found.panels] == ["scene"]
    assert labels(found) == ["Finish"]
    assert labels(seen(TELLER, peeks=0)) == ["Finish"]


def test_the_drawer_draws_and_answers_in_its_turn_only() -> None:
    waiting, drawing = seen(DRAWER), seen(DRAWER, Say("a ball"))
    assert (waiting.say, waiting.buttons) == (None, ())
    assert drawing.say is not None
    assert drawing.say.most == 140
    assert [button.moves for button in drawing.buttons] == [(Say("ok"),)]
    assert waiting.tool == drawing.tool == "scene"
    assert waiting.facts == drawing.facts
    assert [panel.name for panel in drawing.panels] == ["work"]


def test_agreeing_is_offered_once_the_teller_has_finished_and_ends_the_game() -> None:
    found = seen(DRAWER, *TOLD, Finish())
    assert [(button.label, button.moves) for button in found.buttons] == [("Agree", (Agree(),))]
    assert found.say is not None
    game, state = after(*TOLD, Finish())
    assert game.turn(game.play(state, DRAWER, found.buttons[0].moves[0])) is None


def test_a_teller_whose_finish_was_not_agreed_to_is_told_that_the_next_one_is_the_last() -> None:
    before, again = seen(TELLER, *TOLD), seen(TELLER, *TOLD, Finish(), Say("what about the sun?"))
    assert "asked to agree" in before.buttons[-1].confirm
    assert "ends the game" in again.buttons[-1].confirm
    assert "wants to continue" in again.now


def test_a_silent_drawer_has_no_box_for_words() -> None:
    assert seen(DRAWER, Say("a ball"), silent=True).say is None
    assert labels(seen(DRAWER, Say("a ball"), silent=True)) == ["OK"]
    assert labels(seen(DRAWER, Say("a ball"), Say("ok"), Finish(), silent=True)) == ["Agree"]
    assert seen(DRAWER, Say("a ball"), Say("ok"), Finish(), silent=True).say is None


def test_where_either_may_begin_both_have_a_box_and_the_teller_yields() -> None:
    game, state = after(opens="either")
    assert yield_codraw_turn(game.view(state, TELLER)) == (Wait(),)
    assert seen(TELLER, opens="either").say is not None
    assert seen(DRAWER, opens="either").say is not None
    assert not seen(DRAWER, opens="either").buttons
    assert "You may begin" in seen(DRAWER, Wait(), opens="either").now
    game, state = after(Peek(), opens="either")
    assert yield_codraw_turn(game.view(state, TELLER)) == (Close(), Wait())


@pytest.mark.parametrize(("opens", "moves"), [("teller", ()), ("either", (Say("a ball"),)), ("drawer", ())])
def test_otherwise_the_drawer_waits_for_its_turn(opens: str, moves: tuple[CodrawMove, ...]) -> None:
    game, state = after(*moves, opens=opens)
    assert yield_codraw_turn(game.view(state, TELLER)) == ()
    assert (seen(DRAWER, *moves, opens=opens).say is not None) == (state.seat == DRAWER)


def test_both_have_a_finish_button_where_both_end_the_game() -> None:
    told = (Say("a ball"), Put(CANVAS))
    assert labels(seen(DRAWER, *told)) == ["OK"]
    assert labels(seen(DRAWER, *told, ends="both")) == ["OK", "Finish"]
    assert "when your partner finishes too" in seen(DRAWER, *told, ends="both").buttons[1].confirm
    finished = (*told, Finish())
    assert "You have finished" in seen(DRAWER, *finished, ends="both").now
    found = seen(TELLER, *finished, ends="both")
    assert "has finished" in found.now
    assert "This ends the game." in found.buttons[-1].confirm
    again = (*finished, Say("and a hat"))
    assert labels(seen(DRAWER, *again, ends="both")) == ["OK"], "it has finished already"
    asked = (*told, Say("ok"), Finish())
    assert labels(seen(DRAWER, *asked, ends="both")) == ["Agree"]
    ask = (*asked, Say("which ball?"))
    assert "asked to agree" in seen(TELLER, *ask, ends="both").buttons[-1].confirm
    assert "This ends the game." in seen(TELLER, *ask).buttons[-1].confirm
    answered = (*ask, Say("the beach ball"))
    assert "This ends the game." in seen(DRAWER, *answered, ends="both").buttons[1].confirm


def test_the_last_messages_are_counted() -> None:
    assert "left" not in seen(TELLER).now
    assert "1 message is left." in seen(TELLER, rounds=1).now
    assert "2 messages are left." in seen(TELLER, rounds=2).now


@pytest.mark.parametrize("role", [TELLER, DRAWER])
def test_whatever_is_offered_can_be_played(role: str) -> None:
    for moves in ((), TOLD[:1], TOLD[:2], TOLD, (*TOLD, Peek()), (*TOLD, Peek(), Close()), (*TOLD, Finish())):
        game, state = after(*moves)
        found = make_codraw_desk(game.view(state, role), state.seat == role)
        assert bool(found.buttons) == (state.seat == role)
        for button in found.buttons:
            reached = state
            for move in button.moves:
                reached = game.play(reached, role, move)
        if found.say is not None:
            game.play(state, role, Say("x" * found.say.most))
            with pytest.raises(Illegal, match="characters"):
                game.play(state, role, Say("x" * (found.say.most + 1)))


def test_what_was_said_is_distinguished_and_is_in_no_picture() -> None:
    hostile = '<img src=x onerror="alert(1)">'
    for role, who in ((TELLER, "me"), (DRAWER, "partner")):
        found = seen(role, Say(hostile))
        assert found.talk == (Line(who, hostile),)  # type: ignore[arg-type]
        assert "onerror" not in "".join(panel.svg for panel in found.panels)


def test_the_drawers_screen_knows_no_target_and_the_tellers_no_canvas_and_no_palette() -> None:
    drawer = seen(DRAWER, Say("a ball"), Put(CANVAS))
    assert kinds(drawer.panels[0].svg) == ["beach ball"]
    other = msgspec.structs.replace(park, target=PARK.without("sun"))
    game, _ = after()
    assert make_codraw_desk(game.view(game.start(other), DRAWER), False) == seen(DRAWER)
    another = msgspec.structs.replace(park, palette=KINDS)
    assert make_codraw_desk(game.view(game.start(another), TELLER), True) == seen(TELLER)
    assert seen(TELLER, Say("a ball"), Put(CANVAS)) == seen(TELLER, Say("a ball"))


def test_every_piece_has_an_id_a_name_and_its_numbers() -> None:
    mike = Piece("Mike", 120, 300, 2, True, 6, 3)
    root = ElementTree.fromstring(seen(DRAWER, Say("a ball"), Put(CANVAS), Put(mike)).panels[0].svg)
    found = {node.get("id"): node.attrib for node in root.iter() if node.get("data-kind")}
    assert found["piece-beach-ball"]["aria-label"] == "medium beach ball right, on the grass"
    assert found["piece-Mike"]["aria-label"] == "small Mike left, on the grass, facing left, waving, sad"
    numbers = [
        found["piece-Mike"][f"data-{name}"] for name in ("x", "y", "size", "flip", "pose", "expression")
    ]
    assert numbers == ["120", "300", "2", "1", "6", "3"]


def test_the_clip_art_is_that_of_the_palette_by_kind_of_thing() -> None:
    facts = seen(DRAWER).facts
    assert [kind for shelf in facts["shelves"] for kind in shelf["kinds"]] == list(park.palette)
    assert set(facts["art"]) == set(park.palette)
    full = seen(DRAWER, palette="full").facts
    assert [shelf["name"] for shelf in full["shelves"]] == [
        *("sky", "large things", "people", "animals", "hats and glasses", "food", "toys")
    ]


def test_a_face_put_in_the_place_of_the_smile_draws_that_face() -> None:
    facts = seen(DRAWER).facts
    for kind in PEOPLE:
        for pose in range(len(POSES)):
            for expression in range(len(EXPRESSIONS)):
                width, height, smiling = facts["art"][kind][pose]
                drawn = smiling.replace(facts["faces"][facts["smile"]], facts["faces"][expression])
                assert drawn == clipart.draw_clipart_piece(kind, pose=pose, expression=expression)
                assert (width, height) == clipart.clipart_piece_size(kind, pose)


def test_clip_art_is_sent_once_and_a_moved_piece_is_a_small_patch() -> None:
    screen, film = SeatScreen(find("codraw")), PatchStream()
    shown: dict[str, Any] = {}
    svg = ""
    for moves in ((), TOLD[:1], TOLD[:2], (*TOLD[:2], Shift("beach ball", 10, 20)), TOLD):
        game, state = after(*moves)
        message = screen.next_update({"phase": "playing"}, game.view(state, DRAWER), state.seat == DRAWER)
        assert ("facts" in message) == (not moves)
        for panel in message.get("panels", ()):
            svg = panel["svg"] if isinstance(panel["svg"], str) else apply_svg_patch(svg, panel["svg"])
        shown |= message
        film.next_patch(make_codraw_desk(game.view(state, DRAWER), state.seat == DRAWER).panels[0].svg)
        assert svg == film.svg
        if moves and isinstance(moves[-1], Shift):
            assert len(msgspec.json.encode(message)) < 400
    assert len(msgspec.json.encode(shown["facts"])) < 100_000


def test_a_turn_is_scored_when_the_drawer_answers_however_often_it_drew() -> None:
    game = CodrawGame(CodrawSettings())
    told, drawn, moved = (Say("a ball"),), (Put(CANVAS),), (Shift("beach ball", 240, 330),)
    replies = ((TELLER, told), (DRAWER, drawn), (DRAWER, moved), (DRAWER, (Say("ok"),)))
    opened: Opened[Any, Any] = Opened(
        episode="e",
        at=0,
        game="codraw",
        instance=park,
        settings=game.settings,
        seats={},
        seed=1,
        retries=0,
        strict=False,
        version="0",
        schema=1,
    )
    events = [
        Moved(episode="e", at=at, role=role, moves=moves) for at, (role, moves) in enumerate(replies, 1)
    ]
    turns = score(game, Transcript((opened, *events))).turns
    assert [turn["changes"] for turn in turns] == [2]


def test_the_pack_tells_how_people_play() -> None:
    live = find("codraw").live
    assert live is not None
    assert live.minutes == 20
    settings = msgspec.convert(dict(live.settings), CodrawSettings)
    assert (settings.palette, settings.peeks, settings.silent, settings.cap) == ("twenty", 1, False, 140)
    assert (settings.opens, settings.ends) == ("either", "both")
    for role in (TELLER, DRAWER):
        assert "Either of you" in " ".join(codraw_help(CodrawGame(settings), park, role))
        before = " ".join(codraw_help(CodrawGame(CodrawSettings()), park, role))
        assert "Either of you" not in before
        assert "both of you" not in before


def test_help_fits_a_silent_drawer_and_a_teller_without_a_peek() -> None:
    game = CodrawGame(CodrawSettings(silent=True, peeks=0))
    teller, drawer = (" ".join(codraw_help(game, park, role)) for role in (TELLER, DRAWER))
    assert "They cannot write." in teller
    assert "look at" not in teller
    assert "press OK" in drawer
    assert "question" not in teller + drawer
    assert "message if" not in drawer
