"""People play each mode of each game on stimuli of the operator's own, in browsers of their own, invited
through a link that names the set, the instance and the settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import pytest
from msgspec.structs import replace
from tests.browser.live import (
    LiveServer,
    OpenServer,
    People,
    at_seat,
    instance_of,
    outcome,
    pick,
    said,
    say,
    serving,
    turn,
    write_steps,
)
from tests.browser.test_admin_live import sign_in
from tests.browser.test_codraw_live import PARK, draw_by_mouse, press
from tests.browser.test_hexagons_live import IMAGE, finish, paint
from tests.browser.test_image_live import DONE, draw, drawn
from tests.games.hexagons.test_hexagons_data import put, record

from groundling.boards.hexes import Board
from groundling.boards.letter_grid import Grid
from groundling.boards.scene import Scene
from groundling.core.events import Transcript, event_decoder
from groundling.core.pack import find, load
from groundling.games.hexagons.image import ImageStep
from groundling.runs.instances import encode_instances

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PLANE = next(piece for piece in PARK.target.pieces if piece.pose is None)
SAMPLES: list[Any] = load(find("director").builtin)()
TURNED = "spatial_different_perspective"


def own(instance: Any, name: str = "ours") -> Any:
    return replace(instance, id=f"one-of-{name}", set="")


LINEUP = own(instance_of("reference", 3))
PICTURE = own(instance_of("image", 3))
BLANK = Grid.empty(PICTURE.target.size).rows
HALF = Grid.from_rows([*PICTURE.target.rows[:2], *BLANK[2:]])
REST = Grid.from_rows([*BLANK[:2], *PICTURE.target.rows[2:]])
TILES = Board.from_tiles({(2, 3): "red", (4, 5): "green"})
STEPS = (ImageStep("a red tile", Board.from_tiles({(2, 3): "red"})), ImageStep("a green one", TILES))
PLAIN = own(replace(IMAGE, target=TILES, program=""))
PROCEDURE = replace(PLAIN, id="a-procedure", image="drawn", steps=STEPS)
SCENE = own(replace(PARK, target=Scene.of([PLANE])))
SHELVES = {
    frame: own(next(one for one in SAMPLES if (one.rule, one.request.frame) == (TURNED, frame)), frame)
    for frame in ("director", "participant")
}
"""What the director asks for, from the one and from the other side of the shelf."""
OWN = (LINEUP, PICTURE, PLAIN, PROCEDURE, SCENE, *SHELVES.values())
STEP_DONE = "#buttons button"


def play_reference(giver: Page, follower: Page) -> None:
    say(giver, "the right one")
    pick(follower, f"#choice-{LINEUP.answer}")


def play_image(giver: Page, follower: Page, *, hidden: bool = False) -> None:
    say(giver, "the upper rows")
    draw(turn(follower), HALF)
    follower.click(DONE)
    say(giver, "and the rest")
    assert said(turn(follower), 2) == ["the upper rows", "and the rest"]
    assert drawn(follower) == (Grid.empty(HALF.size) if hidden else HALF)
    draw(follower, PICTURE.target if hidden else REST)
    follower.click(DONE)
    finish(giver)


def describe(instructor: Page) -> None:
    write_steps(instructor, *(step.text for step in STEPS))


def align(instructor: Page) -> None:
    describe(instructor)
    for number, step in enumerate(STEPS, 1):
        instructor.wait_for_selector(f"#talk li:nth-child({number}).current")
        paint(instructor, step.board)
        instructor.click(STEP_DONE)


def execute(executor: Page) -> None:
    """Verification: the person does not see the image."""
    assert executor.locator("#panel-target").count() == 0
    for number, step in enumerate(STEPS, 1):
        assert said(turn(executor), number)[-1] == step.text
        paint(executor, step.board)
        executor.click(STEP_DONE)


def play_live(instructor: Page, executor: Page, *, feedback: bool = False) -> None:
    for step in STEPS:
        say(instructor, step.text)
        paint(turn(executor), step.board)
        executor.click(STEP_DONE)
        turn(instructor)
        assert instructor.locator("#panel-partner").count() == feedback
    finish(instructor)


def play_whole(instructor: Page, executor: Page) -> None:
    """All steps are written before any is painted."""
    describe(instructor)
    assert said(turn(executor), 2) == [step.text for step in STEPS]
    paint(executor, TILES)
    executor.click(STEP_DONE)
    executor.click("#confirm-yes")


def play_codraw(teller: Page, drawer: Page, *, peeks: bool = False, silent: bool = False) -> None:
    say(teller, "one piece")
    assert turn(drawer).locator("#words").is_visible() != silent
    draw_by_mouse(drawer, PLANE)
    press(drawer, "OK")
    turn(teller)
    assert teller.get_by_role("button", name="Peek", exact=True).count() == peeks
    if peeks:
        press(teller, "Peek", sure=True)
        teller.wait_for_selector("#peek")
        assert teller.locator("#peek [data-kind]").count() == 1
        press(teller, "Close")
    press(turn(teller), "Finish", sure=True)
    press(turn(drawer), "Agree", sure=True)


def draw_first(teller: Page, drawer: Page) -> None:
    """The Drawer writes first and finishes first."""
    drawer.fill("#words", "I am ready.")
    drawer.click("#say-button")
    assert said(turn(teller)) == ["I am ready."]
    say(teller, "one piece")
    draw_by_mouse(turn(drawer), PLANE)
    press(drawer, "Finish", sure=True)
    press(turn(teller), "Finish", sure=True)


def direct(director: Page, participant: Page, *, asks: bool = True) -> None:
    sample = SHELVES["participant"]
    say(director, "that one over there")
    assert turn(participant).locator("#say").is_visible() == asks
    if asks:
        say(participant, "Which one?")
        say(director, f"Please pick {sample.words}.")
    pick(participant, f"#cell-{sample.target}")


def follow_request(participant: Page, sample: Any, words: str) -> None:
    assert words in said(turn(participant))[0]
    pick(participant, f"#cell-{sample.target}")


class Walk(NamedTuple):
    stimulus: Any
    settings: dict[str, Any]
    """What the link of the invitation asks for."""
    play: Callable[..., None]
    """What the people do, one page for each seat that they take."""
    people: int = 2


WALKS = {
    "reference": Walk(LINEUP, {}, play_reference),
    "image": Walk(PICTURE, {}, play_image),
    "image, hidden canvas": Walk(PICTURE, {"hide_canvas": True}, partial(play_image, hidden=True)),
    "hexagons, live": Walk(PLAIN, {}, play_live),
    "hexagons, feedback": Walk(PLAIN, {"feedback": True}, partial(play_live, feedback=True)),
    "hexagons, whole": Walk(PLAIN, {"whole": True}, play_whole),
    "hexagons, describe": Walk(PLAIN, {"mode": "describe"}, describe, people=1),
    "hexagons, align": Walk(PLAIN, {"mode": "align"}, align, people=1),
    "hexagons, execute": Walk(PROCEDURE, {"mode": "execute"}, execute, people=1),
    "codraw": Walk(SCENE, {}, partial(play_codraw, peeks=True)),
    "codraw, Drawer first": Walk(SCENE, {"opens": "either", "ends": "both"}, draw_first),
    "codraw, no peek": Walk(SCENE, {"peeks": 0}, play_codraw),
    "codraw, silent": Walk(
        SCENE,
        {"silent": True, "opens": "teller", "ends": "teller"},
        partial(play_codraw, peeks=True, silent=True),
    ),
    "director, two-player": Walk(SHELVES["participant"], {}, direct),
    "director, no questions": Walk(SHELVES["participant"], {"questions": 0}, partial(direct, asks=False)),
    **{
        f"director, classic, seen by the {frame}": Walk(
            sample, {"mode": "classic"}, partial(follow_request, sample=sample, words=sample.words), people=1
        )
        for frame, sample in SHELVES.items()
    },
    "director, inventory": Walk(
        SHELVES["director"],
        {"mode": "inventory"},
        partial(follow_request, sample=SHELVES["director"], words=SHELVES["director"].plain),
        people=1,
    ),
}
BELOW_TOP = 0.2
"""What a scene loses of its 5 points when a mouse puts its piece a few pixels off."""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Rooms here play instances of the operator only."""
    folder = tmp_path_factory.mktemp("own")
    options: list[str] = []
    for name in dict.fromkeys(walk.partition(",")[0] for walk in WALKS):
        kind = load(find(name).game).Instance
        (folder / name).mkdir()
        file = folder / name / "own.jsonl"
        file.write_bytes(encode_instances([each for each in OWN if isinstance(each, kind)]))
        options += ["--instances", f"{name}={file}"]
    with serving(folder / "games.db", "--no-builtin", *options) as server:
        yield server


def follow_link(server: LiveServer, people: People, game: str, walk: Walk) -> list[Page]:
    """Those who open a link to the home page, and one whom the first of them invites; all in their seats."""
    plain = {name: str(value).lower() if value is True else value for name, value in walk.settings.items()}
    query = urlencode({"game": game, "set": "own", "instance": walk.stimulus.id, **plain})
    first = people.person()
    first.goto(f"{server.url}/?{query}")
    if walk.people == 1:
        first.click(f"#{game} button[type=submit]")
        return [at_seat(first)]
    first.click(f"#{game} >> text=Invite somebody")
    link = first.locator(f"#{game} .invite input").input_value()
    first.click(f"#{game} .invite button.primary")
    return [at_seat(first), people.sit(link)]


def read_own_record(page: Page, game: str) -> Transcript:
    """The game as it is stored, which its players may read when it is over."""
    events = page.context.request.get(f"{page.url}events.json").json()
    read = event_decoder(load(find(game).game)).decode
    return Transcript(tuple(read(json.dumps(event)) for event in events))


@pytest.mark.parametrize("walk", WALKS)
def test_people_play_each_mode_of_each_game_on_stimuli_of_the_operator(
    walk: str, own_server: LiveServer, people: People
) -> None:
    game, about = walk.partition(",")[0], WALKS[walk]
    pages = follow_link(own_server, people, game, about)
    about.play(*pages)
    for page in pages:
        outcome(page)
    record = read_own_record(pages[0], game)
    settings = msgspec.to_builtins(record.opened.settings)
    assert {name: settings[name] for name in about.settings} == about.settings
    assert record.opened.instance == about.stimulus
    assert [*record.opened.seats.values()].count("person") == len(pages) == about.people
    assert record.result is not None
    top = load(find(game).top)(about.stimulus)
    assert record.result.score == pytest.approx(top, abs=BELOW_TOP if game == "codraw" else 0)


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
    own_server: LiveServer, people: People
) -> None:
    page = sign_in(own_server, people)
    page.select_option("#new-game", "image")
    page.select_option("#new-set", "own")
    page.fill("#new-instance", "one-of-yours")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#trouble:has-text('the nearest are one-of-ours')")
    page.fill("#new-instance", "")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    people.complaints.clear()  # the browser's own, of the refusals
