"""What a person in a seat finds in a browser: what can be done when, and nothing that is the other side's."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from tests.boards.svg_patches import apply_svg_patch
from tests.web.room_helpers import open_manager

from groundling.boards.hexes import COLOURS, TILES, Board
from groundling.boards.svg_patch import PatchStream
from groundling.core.desk import Desk
from groundling.core.pack import find
from groundling.core.values import Problem, Say
from groundling.games.hexagons.desk import PALETTE, hexagons_help, make_hexagons_desk
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import HexagonsMove, InstructionsDone, Next, PaintTile, Undo
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings, State
from groundling.web.server_settings import RoomRequest
from groundling.web.stimuli import StimulusSet

from .small import LINE, PLAIN, RECORDED

RED = PaintTile(1, 1, "red")
STEPS = Say("A red line\nA blue flower")


def table(image: HexagonsImage = PLAIN, *moves: HexagonsMove, **settings: Any) -> tuple[HexagonsGame, State]:
    game = HexagonsGame(HexagonsSettings(**{"mode": "live", **settings}))
    state = game.start(image)
    for move in moves:
        state = game.play(state, game.turn(state) or "", move)
    return game, state


def seen(role: str, image: HexagonsImage = PLAIN, *moves: HexagonsMove, **settings: Any) -> Desk:
    game, state = table(image, *moves, **settings)
    return make_hexagons_desk(game.view(state, role), game.turn(state) == role)


def can_do(found: Desk) -> list[Any]:
    return [move for button in found.buttons for move in button.moves]


def tiles(svg: str) -> dict[str, ElementTree.Element]:
    return {
        tile.get("data-tile", ""): tile
        for tile in ElementTree.fromstring(svg).iter()
        if tile.get("data-tile")
    }


def test_the_instructor_sees_the_target_and_adds_steps() -> None:
    first = seen(INSTRUCTOR)
    assert [panel.name for panel in first.panels] == ["target"]
    assert first.say is not None
    assert first.say.button == "Add step"
    assert first.steps
    assert not first.tool
    assert can_do(first) == [], "there is nothing to take back, and nothing to finish"
    later = seen(INSTRUCTOR, PLAIN, Say("A red line"), RED, Next())
    assert [line.text for line in later.talk] == ["A red line"]
    assert can_do(later) == [Undo(), InstructionsDone()]
    assert all(button.confirm for button in later.buttons)


def test_the_target_is_also_told_in_words() -> None:
    (panel,) = seen(INSTRUCTOR).panels
    assert PLAIN.target.to_listing() in "".join(ElementTree.fromstring(panel.svg).itertext())


def test_the_instructor_waits_while_a_step_is_carried_out() -> None:
    waiting = seen(INSTRUCTOR, PLAIN, STEPS, RED)
    assert waiting.say is None
    assert waiting.buttons == ()
    assert waiting.now == "Your partner is painting."


def test_lines_of_live_play_are_several_steps_of_one_message() -> None:
    box = seen(INSTRUCTOR).say
    assert box is not None
    assert (box.lines, box.page) == (True, False)
    game, state = table(PLAIN)
    assert game.play(state, INSTRUCTOR, STEPS).said == tuple(STEPS.text.split("\n"))


@pytest.mark.parametrize("mode", ["describe", "align"])
def test_all_steps_are_written_in_one_field_and_finished_together(mode: str) -> None:
    desk = seen(INSTRUCTOR, mode=mode, steps=3)
    assert desk.say is not None
    assert desk.say.page, "a line break begins a new step"
    assert desk.say.confirm
    assert not desk.buttons
    game, state = table(PLAIN, mode=mode, steps=3)
    for text in ("one", "two"):
        state = game.play(state, INSTRUCTOR, Say(text))
    for move in desk.say.after:
        state = game.play(state, INSTRUCTOR, move)
    assert state.finished
    game, state = table(PLAIN, mode=mode, steps=3)
    for _ in range(desk.say.most_lines):
        assert not state.finished
        state = game.play(state, INSTRUCTOR, Say("one"))
    assert state.finished, "with so many lines nothing has to follow"


def test_few_steps_that_are_left_are_counted() -> None:
    assert "left" not in seen(INSTRUCTOR).say.label  # type: ignore[union-attr]
    assert "3 left" in seen(INSTRUCTOR, steps=3).say.label  # type: ignore[union-attr]


def test_the_executor_sees_what_was_revealed_with_the_current_step_marked() -> None:
    first = seen(EXECUTOR, PLAIN, STEPS)
    assert [(line.text, line.current) for line in first.talk] == [("A red line", True)]
    second = seen(EXECUTOR, PLAIN, STEPS, RED, Next())
    assert [(line.text, line.current) for line in second.talk] == [
        ("A red line", False),
        ("A blue flower", True),
    ]
    assert can_do(second) == [Next()]
    assert second.tool == "hexes"


def test_an_executor_with_nothing_to_do_can_do_nothing_but_look() -> None:
    before, after = seen(EXECUTOR), seen(EXECUTOR, PLAIN, Say("A red line"), RED, Next())
    for idle, now in ((before, "first step"), (after, "next step")):
        assert now in idle.now
        assert idle.buttons == ()
        assert idle.say is None
        assert not any(line.current for line in idle.talk)
    assert 'data-colour="4"' in after.panels[0].svg, "its board stays in sight"


def test_the_executor_sees_nothing_of_the_target() -> None:
    found = msgspec.json.encode(seen(EXECUTOR, PLAIN, STEPS, RED))
    other = msgspec.json.encode(seen(EXECUTOR, msgspec.structs.replace(PLAIN, target=LINE), STEPS, RED))
    assert found == other


def test_the_instructor_sees_the_other_board_only_with_feedback() -> None:
    moves = STEPS, RED, Next(), Next()
    assert [panel.name for panel in seen(INSTRUCTOR, PLAIN, *moves).panels] == ["target"]
    target, board = seen(INSTRUCTOR, PLAIN, *moves, feedback=True).panels
    assert tiles(board.svg)["1,1"].get("id") == "partner-1-1"
    assert tiles(target.svg)["1,1"].get("id") == "target-1-1"


def test_words_are_never_in_a_picture() -> None:
    words = "unheard-of words"
    for role in (INSTRUCTOR, EXECUTOR):
        found = seen(role, PLAIN, Say(words), feedback=True)
        assert words in found.talk[0].text
        assert not any(words in panel.svg for panel in found.panels)


def test_where_all_is_written_first_the_executor_gets_all_of_it() -> None:
    moves = Say("One"), Say("Two")
    assert seen(EXECUTOR, PLAIN, *moves, whole=True).talk == ()
    assert seen(INSTRUCTOR, PLAIN, *moves, whole=True).say.page  # type: ignore[union-attr]
    all_told = seen(EXECUTOR, PLAIN, *moves, InstructionsDone(), whole=True)
    assert [line.current for line in all_told.talk] == [True, True]
    assert [button.label for button in all_told.buttons] == ["Done"]


def test_an_aligning_instructor_paints_its_own_steps_beside_the_target() -> None:
    moves = Say("A red line"), Say("A flower"), InstructionsDone()
    first = seen(INSTRUCTOR, PLAIN, *moves, mode="align")
    assert [panel.name for panel in first.panels] == ["target", "work"]
    assert [line.current for line in first.talk] == [True, False]
    assert (first.tool, first.say) == ("hexes", None)
    last = seen(INSTRUCTOR, PLAIN, *moves, RED, Next(), mode="align")
    assert [line.current for line in last.talk] == [False, True]
    assert [button.label for button in (*first.buttons, *last.buttons)] == ["Next step", "Done"]
    assert first.facts["step"] != last.facts["step"], (
        "by which the page knows that strokes of the last step are past"
    )


def test_a_recorded_procedure_is_executed_without_taking_back() -> None:
    found = seen(INSTRUCTOR, RECORDED, Say("A line"), Next(), mode="execute")
    assert can_do(found) == [InstructionsDone()]


def test_every_move_on_offer_can_be_played() -> None:
    for mode in ("live", "describe", "align"):
        for moves in (
            (),
            (Say("A line"),),
            (Say("A line"), Next()) if mode == "live" else (Say("A line"), InstructionsDone()),
        ):
            game, state = table(PLAIN, *moves, mode=mode)
            role = game.turn(state)
            if role:
                for button in make_hexagons_desk(game.view(state, role), True).buttons:
                    game.play(state, role, button.moves[0])


def test_where_the_board_is_not_to_be_seen_only_the_paint_of_this_step_is_shown() -> None:
    (panel,) = seen(EXECUTOR, PLAIN, STEPS, RED, context="full-history").panels
    assert tiles(panel.svg)["1,1"].get("data-colour") == "4"
    (panel,) = seen(EXECUTOR, PLAIN, STEPS, RED, Next(), context="full-history").panels
    assert {tile.get("data-colour") for tile in tiles(panel.svg).values()} == {"0"}


def test_all_tiles_to_paint_on_have_the_same_nodes_and_say_their_colour() -> None:
    """The page repaints them before the server does, and both must find the same nodes."""
    board = Board.from_tiles({(1, number + 1): colour for number, colour in enumerate(COLOURS)})
    game, state = table(
        PLAIN, STEPS, *(PaintTile(*tile, colour) for tile, colour in board.painted_tiles().items())
    )
    (panel,) = make_hexagons_desk(game.view(state, EXECUTOR), True).panels
    found = tiles(panel.svg)
    assert len(found) == len(TILES)
    for tile in found.values():
        shape, letter = tile
        colour = PALETTE[int(tile.get("data-colour", ""))]
        assert (shape.get("fill"), shape.get("stroke")) == (colour["fill"], colour["edge"])
        assert (letter.text, letter.get("fill")) == (colour["letter"], colour["ink"])
    assert [found[f"1,{column}"].get("data-colour") for column in range(1, 9)] == [*"01234567"]
    assert len({colour["letter"] for colour in PALETTE}) == len(COLOURS), "each reads without colour vision"


def test_a_stroke_changes_nothing_but_its_tile() -> None:
    before = seen(EXECUTOR, PLAIN, STEPS).panels[0].svg
    after = seen(EXECUTOR, PLAIN, STEPS, RED).panels[0].svg
    patch = PatchStream(before).next_patch(after)
    assert apply_svg_patch(before, patch) == after
    assert {change[0] for change in patch} == {"set", "text"}, "no node comes or goes"
    assert len({tuple(change[1][:2]) for change in patch}) == 1


def test_people_play_live_with_partners_that_know_their_seats() -> None:
    pack = find("hexagons")
    assert pack.live is not None
    game = HexagonsGame(msgspec.convert(dict(pack.live.settings), HexagonsSettings))
    assert game.settings.context == "predicted+full"
    assert game.seats(RECORDED) == pack.roles
    assert game.play_mode(RECORDED) == "live"
    assert set(pack.live.partners) == set(pack.roles)


@pytest.mark.parametrize("mode", ["live", "describe", "align", "execute"])
@pytest.mark.parametrize("whole", [False, True])
def test_help_says_nothing_of_abstraction_and_names_a_partner_only_where_there_is_one(
    mode: str, whole: bool
) -> None:
    game = HexagonsGame(msgspec.convert({"mode": mode, "whole": whole}, HexagonsSettings))
    for role in game.seats(RECORDED):
        told = " ".join(hexagons_help(game, RECORDED, role)).lower()
        assert ("partner" in told) == (mode == "live")
        for word in ("shape", "pattern", "loop", "symmetr", "mirror", "repeat", "column", "shorter"):
            assert word not in told
        if role == INSTRUCTOR:
            assert "write efficiently." in told


@pytest.mark.parametrize(
    ("settings", "image", "why"),
    [
        ({"mode": "execute"}, PLAIN, "no recorded procedure"),
        ({"mode": "execute"}, RECORDED, "comes with a recorded procedure"),
        ({"context": "oracle"}, PLAIN, "no gold for new instructions"),
    ],
)
def test_a_room_that_could_not_be_played_is_not_made(
    settings: dict[str, Any], image: HexagonsImage, why: str, tmp_path: Path
) -> None:
    async def order() -> None:
        own = (StimulusSet("hexagons", "own", [image]),)
        async with open_manager(tmp_path / "games.db", sets=own) as there:
            await there.create_room(RoomRequest("hexagons", {INSTRUCTOR: "person"}, settings=settings))

    with pytest.raises(Problem, match=why):
        asyncio.run(order())
