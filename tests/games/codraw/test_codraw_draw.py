"""What the seats are shown."""

from __future__ import annotations

import re
from random import Random
from typing import Literal
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from tests.boards.scenes import PARK, released

from groundling.boards.scene import Piece, Put, Scene
from groundling.core.values import Say
from groundling.games.codraw.draw import draw
from groundling.games.codraw.instance import CodrawInstance, choose_instance_palette
from groundling.games.codraw.moves import CodrawMove, Finish, Peek
from groundling.games.codraw.rules import DRAWER, TELLER, CodrawGame, CodrawSettings, State

park = CodrawInstance(id="p", target=PARK, palette=choose_instance_palette(PARK, Random(1)))
game = CodrawGame(CodrawSettings(palette="twenty"))


def after(*moves: CodrawMove, by: CodrawGame = game) -> State:
    state = by.start(park)
    for move in moves:
        state = by.play(state, state.seat or "", move)
    return state


drawn = after(Say("a <big> sun"), Put(Piece("sun", 70, 50, 0)), Say("ok"))


def kinds(svg: str, name: str) -> list[str]:
    found = [
        node.get("data-kind")
        for node in ElementTree.fromstring(svg).iter()
        if node.get("id", "").startswith(f"{name}-")
    ]
    return sorted(kind for kind in found if kind)


def test_the_teller_is_shown_the_scene_and_while_peeking_the_canvas() -> None:
    before, during = draw(game.view(drawn, TELLER)), draw(game.view(game.play(drawn, TELLER, Peek()), TELLER))
    assert kinds(before.svg, "your-scene") == sorted(PARK.kinds)
    assert kinds(before.svg, "the-drawers-canvas") == []
    assert kinds(during.svg, "the-drawers-canvas") == ["sun"]
    assert "large sun at (60, 40)" in before.board
    assert "(70, 50)" not in before.text
    assert "large sun at (70, 50)" in during.board
    assert "PEEK" in before.board
    assert "closes it" in during.board
    assert before.words == "You: a <big> sun\nDrawer: ok"


@pytest.mark.parametrize("places", ["numbers", "words"])
def test_a_scene_in_text_says_who_wears_a_hat(places: Literal["numbers", "words"]) -> None:
    rules = CodrawGame(CodrawSettings(places=places))
    away = Scene.of(replace(piece, x=400) if piece.kind == "Mike" else piece for piece in PARK.pieces)
    for scene, worn in ((PARK, [", worn by Mike"]), (away, [])):
        board = draw(rules.view(rules.start(replace(park, target=scene)), TELLER)).board
        assert re.findall("^large crown .*(, worn by .*)$", board, re.MULTILINE) == worn
        assert board.count("worn") == len(worn)


def test_the_drawer_is_shown_its_canvas_and_the_palette() -> None:
    seen = draw(game.view(drawn, DRAWER))
    assert kinds(seen.svg, "your-canvas") == ["sun"]
    shelf = [node.get("data-palette") for node in ElementTree.fromstring(seen.svg).iter()]
    assert [kind for kind in shelf if kind] == list(park.palette)
    assert all(kind in seen.words for kind in park.palette)
    assert seen.words.endswith("Teller: a <big> sun\nYou: ok")
    assert "finished" not in seen.board
    assert "finished" in draw(game.view(game.play(drawn, TELLER, Finish()), DRAWER)).board


def test_what_was_said_only_grows_so_that_news_can_be_told() -> None:
    for role in (TELLER, DRAWER):
        views = [
            game.view(after(), role),
            game.view(drawn, role),
            game.view(game.play(drawn, TELLER, Peek()), role),
        ]
        words = [draw(view).words for view in views]
        assert words[1].startswith(words[0])
        assert words[2].startswith(words[1])


def test_places_can_be_told_in_words() -> None:
    seen = draw(replace(game.view(drawn, TELLER), places="words")).board
    assert "large sun far left, at the top of the sky" in seen
    assert "(60, 40)" not in seen


def test_published_pictures_take_the_place_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = draw(game.view(drawn, DRAWER)).svg
    monkeypatch.setenv("GROUNDLING_ART", str(released() / "Pngs"))
    theirs = draw(game.view(drawn, DRAWER)).svg
    assert "data:image/png" in theirs
    assert "data:image/png" not in ours


def test_the_drawer_is_told_how_to_finish_only_where_it_can() -> None:
    told = (Say("a sun"),)
    for ends, drawers in (("teller", False), ("both", True)):
        by = CodrawGame(CodrawSettings(palette="twenty", ends=ends))  # type: ignore[arg-type]
        state = after(*told, by=by)
        assert ('"finish": true' in draw(by.view(state, DRAWER)).text) is drawers
        assert "finish" not in draw(by.view(by.start(park), DRAWER)).text
    finished = after(*told, Finish(), by=by)
    assert "The Drawer has finished: FINISH ends the game." in draw(by.view(finished, TELLER)).text
    more = after(*told, Finish(), Say("and a ball"), by=by)
    assert "You have finished: the game ends when the Teller" in draw(by.view(more, DRAWER)).text
    asks = after(*told, Say("ok"), Finish(), Say("how big?"), by=by)
    assert "the game ends when the Drawer finishes too" in draw(by.view(asks, TELLER)).text
    answered = after(*told, Say("ok"), Finish(), Say("how big?"), Say("large"), by=by)
    assert "this ends the game" in draw(by.view(answered, DRAWER)).text
