"""Two browsers play stimuli of the operator's own in each game, invited through a link that names the set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.browser.live import OpenServer, People, at_seat, instance_of, outcome, pick, said, say, turn
from tests.browser.test_admin_live import sign_in
from tests.browser.test_codraw_live import PARK, draw_by_mouse, press
from tests.browser.test_hexagons_live import IMAGE, NEXT, finish, paint
from tests.browser.test_image_live import DONE, draw
from tests.games.hexagons.test_hexagons_data import put, record

from groundling.boards.hexes import Board
from groundling.boards.scene import Scene
from groundling.runs.instances import encode_instances

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PLANE = next(piece for piece in PARK.target.pieces if piece.pose is None)


def play_reference(giver: Page, follower: Page, lineup: Any) -> None:
    say(giver, "the right one")
    pick(follower, f"#choice-{lineup.answer}")


def play_image(giver: Page, follower: Page, picture: Any) -> None:
    say(giver, "all of it")
    draw(turn(follower), picture.target)
    follower.click(DONE)
    finish(giver)


def play_hexagons(instructor: Page, executor: Page, image: Any) -> None:
    say(instructor, "two tiles")
    paint(turn(executor), image.target)
    executor.click(NEXT)
    finish(instructor)


def play_codraw(teller: Page, drawer: Page, park: Any) -> None:
    say(teller, "one piece")
    turn(drawer)
    draw_by_mouse(drawer, park.target.pieces[0])
    press(drawer, "OK")
    press(turn(teller), "Finish", sure=True)
    press(turn(drawer), "Agree", sure=True)


def play_director(director: Page, participant: Page, sample: Any) -> None:
    say(director, f"Please pick {sample.words}.")
    pick(participant, f"#cell-{sample.target}")


GAMES: dict[str, tuple[Any, Callable[[Page, Page, Any], None], str]] = {
    "reference": (instance_of("reference", 3), play_reference, "Score 1 of 1"),
    "image": (instance_of("image", 3), play_image, "Score 1 of 1"),
    "hexagons": (
        replace(IMAGE, target=Board.from_tiles({(2, 3): "red", (4, 5): "green"}), program=""),
        play_hexagons,
        "Score 1 of 1",
    ),
    "codraw": (replace(PARK, target=Scene.of([PLANE])), play_codraw, "of 5"),
    "director": (instance_of("director", 3), play_director, "Score 1 of 1"),
}


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_stimuli_of_the_operator(
    game: str, open_server: OpenServer, people: People, tmp_path: Path
) -> None:
    built_in, play, score = GAMES[game]
    stimulus = replace(built_in, id="one-of-ours", set="")
    (tmp_path / "own.jsonl").write_bytes(encode_instances([stimulus]))
    server = open_server(game, "--instances", f"{game}={tmp_path / 'own.jsonl'}", "--no-builtin")
    first, second = people.person(), people.person()
    first.goto(f"{server.url}/?game={game}&set=own")
    first.click(f"#{game} >> text=Invite somebody")
    link = first.locator(f"#{game} .invite input").input_value()
    first.click(f"#{game} >> text=Take your seat")
    second.goto(link)
    play(at_seat(first), at_seat(second), stimulus)
    for page in (first, second):
        assert score in outcome(page)


def test_one_person_paints_what_a_recorded_instructor_says(
    open_server: OpenServer, people: People, tmp_path: Path
) -> None:
    put(tmp_path, "dev", record())
    server = open_server("hexagons", "--instances", f"hexagons={tmp_path}@dev")
    page = people.person()
    page.goto(f"{server.url}/?game=hexagons")
    page.click("#hexagons >> text=Executor")
    page.select_option("#hexagons select", "replay")
    page.click("#hexagons >> text=Play now")
    assert said(turn(at_seat(page))) == ["Make a line"]


def test_a_closed_server_plays_by_invitation(open_server: OpenServer, people: People) -> None:
    server = open_server("reference", "--closed")
    page = people.person()
    page.goto(server.url)
    page.wait_for_selector("text=Games here are by invitation")
    assert page.locator("#games li").count() == 0
    people.sit(server.room("reference", "giver")["giver"])


def test_a_set_is_chosen_on_the_admin_page_and_a_wrong_id_is_answered_with_the_nearest(
    open_server: OpenServer, people: People, tmp_path: Path
) -> None:
    stimulus = replace(instance_of("image", 3), id="one-of-ours")
    (tmp_path / "own.jsonl").write_bytes(encode_instances([stimulus]))
    server = open_server("--instances", f"image={tmp_path / 'own.jsonl'}")
    page = sign_in(server, people)
    page.select_option("#new-game", "image")
    page.select_option("#new-set", "own")
    page.fill("#new-instance", "one-of-yours")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#trouble:has-text('the nearest are one-of-ours')")
    page.fill("#new-instance", "")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    people.complaints.clear()  # the browser's own, of the refusals
