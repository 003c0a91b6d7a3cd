"""A page is told what changed, and no more."""

from __future__ import annotations

from typing import Any

from groundling.boards.hexes import Board
from groundling.core.pack import find
from groundling.games.codraw.make import builtin
from groundling.games.codraw.rules import SpokenMessage, TellerView
from groundling.games.hexagons.moves import ExecutorView
from groundling.web.screen import SeatScreen


def teller(*said: str) -> TellerView:
    talk = tuple(
        SpokenMessage("teller" if number % 2 == 0 else "drawer", text) for number, text in enumerate(said)
    )
    return TellerView(builtin()[0].target, talk, None, 1, False, False, None, 140, False)


def told(screen: SeatScreen, view: Any) -> dict[str, Any]:
    return screen.next_update({"phase": "playing"}, view, True)


def test_what_was_said_is_told_once() -> None:
    screen = SeatScreen(find("codraw"))
    assert told(screen, teller())["talk"] == ()
    assert [line.text for line in told(screen, teller("a"))["talk"]] == ["a"]
    after = told(screen, teller("a", "b", "c"))
    assert [line.text for line in after["more"]] == ["b", "c"]
    assert "talk" not in after
    assert told(screen, teller("a", "b", "c")) == {"type": "show"}


def test_a_talk_that_did_not_just_grow_is_told_whole() -> None:
    screen = SeatScreen(find("codraw"))
    told(screen, teller("a", "b"))
    assert [line.text for line in told(screen, teller("a"))["talk"]] == ["a"]
    assert [line.text for line in told(SeatScreen(find("codraw")), teller("a", "b"))["talk"]] == ["a", "b"]


def test_a_painted_tile_is_told_by_its_own_nodes() -> None:
    screen, board = SeatScreen(find("hexagons")), Board.empty()
    told(screen, ExecutorView(("paint",), 1, board))
    (panel,) = told(screen, ExecutorView(("paint",), 1, board.paint_tile((3, 4), "red")))["panels"]
    assert [change[0] for change in panel["svg"]] == ["set", "set", "set", "text"]
