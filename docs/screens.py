"""Takes pictures of every page at three sizes, light and dark: `make screens`. Look at them: no test sees
what is ugly."""

import os
import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

from docs.study_screens import STUDY_SCENES, let_bots_come, write_studies
from PIL import Image
from tests.browser.live import (
    LiveServer,
    People,
    apart,
    at_seat,
    chromium,
    instance_of,
    outcome,
    pick,
    said,
    say,
    serving,
    turn,
)
from tests.browser.test_codraw_live import PARK, at, drag, middle, tile
from tests.browser.test_hexagons_live import IMAGE, paint, told

from groundling.cli import main as groundling
from groundling.core.pack import find

HERE = Path("build") / "screens"
KEPT = Path(__file__).parent / "pictures" / "screens"
"""Those that the documents show lie here; where one is made anew, it replaces the old one."""
SIZES = {
    "laptop": {"width": 1366, "height": 768},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}
CONSENT = (
    "We study how people tell each other what to do. "
    "We keep what you say and do in this game, and nothing else about you."
)


TOKEN = "a token for these pictures"


class Camera:
    def __init__(self, browser: Any, server: LiveServer, screen: str, report: Path = Path()) -> None:
        self.server, self.report, self._screen = server, report, screen
        self.people = People(browser, viewport=SIZES[screen], reduced_motion="reduce")

    def shoot(self, page: Any, name: str, *, whole: bool = False, opened: bool = False) -> None:
        """Take pictures of a page as it is, or of the whole page. Details are closed unless `opened`."""
        page.wait_for_load_state(
            "load" if "/study/" in page.url else "networkidle"
        )  # a page that waits asks on
        page.wait_for_timeout(150)
        if not opened:
            page.locator("details[open]").evaluate_all("all => all.forEach((each) => { each.open = false; })")
        for scheme, suffix in (("light", ""), ("dark", "-dark")):
            page.emulate_media(color_scheme=scheme)
            picture = Image.open(BytesIO(page.screenshot(full_page=whole))).convert("RGB")
            file = HERE / f"{name}-{self._screen}{suffix}.png"
            picture.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(
                file, optimize=True
            )
            if (KEPT / file.name).exists():
                copy(file, KEPT)
            print(file)
        page.emulate_media(color_scheme="light")

    def table(self, game: str, instance: str, *alone: str) -> list[Any]:
        """People in all seats, or in this one only, who have read the help."""
        roles = alone or find(game).roles
        links = self.server.room(game, *roles, instance=instance)
        pages = [self.people.sit(links[role]) for role in roles]
        for page in pages:
            page.click("text=Got it")
        return pages


def ways_in(camera: Camera) -> None:
    url, person = camera.server.url, camera.people.person
    page = person()
    page.goto(url)
    page.wait_for_selector("#games .game")
    camera.shoot(page, "home", whole=True)
    page.click("#image >> text=Invite somebody")
    page.wait_for_selector("#image .link")
    page.locator("#image").scroll_into_view_if_needed()
    camera.shoot(page, "invite")
    page.goto(f"{url}/wait#hexagons/executor")
    page.wait_for_selector("text=Looking for somebody")
    camera.shoot(page, "wait")
    link = camera.server.room("reference", "giver")["giver"]
    camera.people.sit(link)
    page.goto(link)
    page.wait_for_selector("text=This seat is not free")
    camera.shoot(page, "join-used")
    page.route("**/api/games", lambda route: route.abort())
    page.goto(url)
    page.wait_for_selector(".state.offline")
    camera.shoot(page, "offline")
    camera.shoot(
        camera.people.sit(camera.server.room("codraw", "teller", "drawer")["drawer"]), "waiting-for-partner"
    )
    page = camera.people.sit(camera.server.room("reference", "giver", consent=CONSENT)["giver"])
    page.wait_for_selector("text=I agree")
    camera.shoot(page, "consent")


def reference(camera: Camera) -> None:
    page = camera.people.sit(camera.server.room("reference", "giver")["giver"])
    turn(page)
    camera.shoot(page, "help")
    lineup = instance_of("reference", 3)
    giver, follower = camera.table("reference", lineup.id)
    turn(giver).fill("#words", "It has all of its letters: nothing is missing at the edges")
    camera.shoot(giver, "reference-giver")
    giver.click("#say-button")
    turn(follower).focus("#choice-2")
    camera.shoot(follower, "reference-follower")
    pick(follower, f"#choice-{lineup.answer}")
    outcome(follower)
    camera.shoot(follower, "reference-outcome", whole=True)


def image(camera: Camera) -> None:
    picture = instance_of("image", 1)
    giver, follower = camera.table("image", picture.id)
    say(giver, "Start with the cells of the first row, from the left.")
    grid = picture.target
    for number in (1, 2):
        turn(follower)
        for place, letter in enumerate("".join(grid.rows)[: number * grid.size + 2]):
            tile = follower.locator(".tile").nth(place)
            if letter not in (".", tile.text_content()):
                follower.click(f".palette.letters >> text='{letter}'")
                tile.click()
        if number == 1:
            follower.click("text=Done with this instruction")
            turn(giver).fill("#words", "Continue in the second row.")
            camera.shoot(giver, "image-giver")
            giver.click("#say-button")
            said(follower, 2)
    camera.shoot(follower, "image-follower")
    follower.click("text=Done with this instruction")
    turn(giver).click("#buttons >> text=Finish")
    camera.shoot(giver, "confirm")
    giver.click("#confirm-yes")
    outcome(giver)
    camera.shoot(giver, "image-outcome", whole=True)


def hexagons(camera: Camera) -> None:
    instructor, executor = camera.table("hexagons", IMAGE.id)
    steps = told()
    for number, (words, board) in enumerate(steps, 1):
        turn(instructor).fill("#words", words)
        if number == len(steps):
            camera.shoot(instructor, "hexagons-instructor")
        instructor.click("#say-button")
        said(executor, number)
        paint(turn(executor), board)
        if number == len(steps):
            camera.shoot(executor, "hexagons-executor")
            camera.shoot(instructor, "hexagons-instructor-waits")
        executor.click("#buttons >> text=Next step")
    turn(instructor).click("#buttons >> text=Finish")
    instructor.click("#confirm-yes")
    outcome(instructor)
    camera.shoot(instructor, "hexagons-outcome", whole=True)


def codraw(camera: Camera) -> None:
    teller, drawer = camera.table("codraw", PARK.id)
    turn(teller).fill(
        "#words", "A plane in the middle of the sky, and Jenny stands below it with both arms up."
    )
    camera.shoot(teller, "codraw-teller")
    teller.click("#say-button")
    turn(drawer)
    for piece in PARK.target.pieces[:4]:
        drag(drawer, middle(drawer, tile(piece.kind)), at(drawer, piece.x, piece.y))
    camera.shoot(drawer, "codraw-drawer")
    drawer.click("#buttons >> text=OK")
    turn(teller).click("#buttons >> text=Peek")
    teller.click("#confirm-yes")
    teller.wait_for_selector("#peek")
    camera.shoot(teller, "codraw-peek")
    teller.click("#buttons >> text=Close")
    teller.wait_for_selector("#peek", state="detached")
    turn(teller).click("#buttons >> text=Finish")
    teller.click("#confirm-yes")
    turn(drawer).click("#buttons >> text=Agree")
    drawer.click("#confirm-yes")
    outcome(drawer)
    camera.shoot(drawer, "codraw-outcome", whole=True)


def director(camera: Camera) -> None:
    sample = instance_of("director", 0)
    director, participant = camera.table("director", sample.id)
    turn(director).fill("#words", f"Please pick {sample.words}.")
    camera.shoot(director, "director-director")
    director.click("#say-button")
    turn(participant)
    camera.shoot(participant, "director-participant")
    pick(participant, f"#cell-{sample.target}")
    outcome(participant)
    camera.shoot(participant, "director-outcome", whole=True)


def second_window(camera: Camera) -> None:
    (page,) = camera.table("director", instance_of("director").id, "participant")
    other = page.context.new_page()
    other.goto(page.url)
    at_seat(other)
    page.wait_for_selector("text=Play in this window")
    camera.shoot(page, "second-window")


def states(camera: Camera) -> None:
    """A seat before its partner has done anything, one that waits for an invited partner, and what is shown
    without a connection."""
    for game in ("reference", "image", "hexagons", "codraw", "director"):
        _, second = camera.table(game, instance_of(game).id)
        camera.shoot(second, f"{game}-begins")
    page = camera.people.person()
    page.goto(camera.server.url)
    page.click("#codraw >> text=Invite somebody")
    page.click("#codraw >> text=Take your seat")
    at_seat(page)
    camera.shoot(page, "invited-waits")
    page.route_web_socket("**/socket", lambda route: route.close())
    page.reload()
    page.wait_for_selector(".state.offline")
    camera.shoot(page, "seat-offline")
    page.route_web_socket("**/api/wait/**", lambda route: route.close())
    page.goto(f"{camera.server.url}/wait#hexagons/executor")
    page.wait_for_selector(".state.offline")
    camera.shoot(page, "wait-offline")
    page.goto(f"{camera.server.url}/gallery/hexagons/?find=nothing")
    page.wait_for_selector(".state.empty")
    camera.shoot(page, "gallery-empty")


def looking(camera: Camera) -> None:
    giver, follower = camera.table("reference", instance_of("reference", 3).id)
    say(giver, "It has all of its letters: nothing is missing at the edges")
    pick(follower, "#choice-1")
    outcome(giver)
    giver.click("text=Watch it again")
    giver.wait_for_selector("body.ready")
    giver.keyboard.press("End")
    camera.shoot(giver, "replay", whole=True)
    page = camera.people.person()
    page.goto(f"{camera.server.url}/runs/")
    page.wait_for_selector("#books a")
    camera.shoot(page, "runs")
    page.goto(f"{camera.server.url}/runs/boards/")
    page.wait_for_selector("#rows tr")
    camera.shoot(page, "run")
    page.click("#rows a")
    page.wait_for_selector("body.ready")
    page.click("#curve circle >> nth=3")
    camera.shoot(page, "replay-run")
    page.goto(f"{camera.server.url}/gallery/")
    page.wait_for_selector(".card")
    camera.shoot(page, "galleries")
    for name in ("hexagons", "codraw", "director", "image", "reference", "items"):
        page.goto(f"{camera.server.url}/gallery/{'director/?of=items' if name == 'items' else f'{name}/'}")
        page.wait_for_selector(".card")
        camera.shoot(page, f"gallery-{name}")
    page.goto(f"{camera.server.url}/nothing")
    camera.shoot(page, "nothing")
    page.goto(f"{camera.server.url}/gallery/hexagons/draw")
    page.wait_for_selector("#save:not([hidden])")
    for row, column in list(IMAGE.target.painted_tiles())[:20]:
        page.click(f'[data-tile="{row},{column}"]')
    camera.shoot(page, "gallery-draw")


def administration(camera: Camera) -> None:
    teller, _ = camera.table("codraw", PARK.id)
    say(teller, "A tree on the left")
    ended = camera.table("reference", instance_of("reference").id, "giver")[0]
    ended.click("#end")
    ended.click("#confirm-yes")
    outcome(ended)
    page = camera.people.person()
    page.goto(f"{camera.server.url}/admin/login")
    camera.shoot(page, "admin-login")
    page.fill("#token", "not the token")
    page.click("text=Log in")
    page.wait_for_selector("#form .trouble:not(:empty)")
    camera.shoot(page, "admin-login-wrong")
    page.fill("#token", TOKEN)
    page.click("text=Log in")
    page.wait_for_selector("#over tbody tr")
    camera.shoot(page, "admin", whole=True)
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    page.fill("#person-code", "/".join(teller.url.split("/")[4:6]))
    page.click("#person >> text=Find")
    page.wait_for_selector("#person-found p")
    camera.shoot(page, "admin-forms", whole=True)
    page.goto(f"{camera.server.url}/admin/watch/{teller.url.split('/')[4]}")
    page.wait_for_selector(".words")
    camera.shoot(page, "admin-watch", whole=True)
    page.goto(f"{camera.server.url}/styleguide")
    page.wait_for_selector("#boards .board")
    camera.shoot(page, "styleguide", whole=True)
    page.goto(f"{camera.server.url}/admin/pages/director/")
    page.wait_for_selector("#list img")
    camera.shoot(page, "items", whole=True)
    page.click("#tabs >> text=Properties")
    camera.shoot(page, "items-properties", whole=True)


def report(camera: Camera) -> None:
    page = camera.people.person()
    page.goto(camera.report.as_uri())
    page.wait_for_selector("#viewer:not([hidden])")
    camera.shoot(page, "report", whole=True)
    page.click("#curve circle >> nth=3")
    page.locator("#viewer").scroll_into_view_if_needed()
    camera.shoot(page, "report-episode")


SCENES: tuple[Callable[[Camera], None], ...] = (
    *(ways_in, reference, image, hexagons, codraw, director, second_window),
    *(states, looking, report, administration),
)


def main(asked: list[str]) -> None:
    """Shoot all, or only these scenes and sizes: `python -m docs.screens director phone`."""
    wanted, sizes = [each for each in asked if each not in SIZES], [each for each in asked if each in SIZES]
    HERE.mkdir(parents=True, exist_ok=True)
    os.environ["GROUNDLING_ADMIN_TOKEN"] = TOKEN
    for old in HERE.glob("*.png") if not asked else ():
        old.unlink()
    with chromium() as browser, TemporaryDirectory() as folder:
        if not wanted or {scene.__name__ for scene in SCENES} & {*wanted}:
            shoot_games(browser, Path(folder), wanted, sizes or list(SIZES))
        if not wanted or {scene.__name__ for scene in STUDY_SCENES} & {*wanted}:
            shoot_studies(browser, Path(folder), wanted, sizes or list(SIZES))


def shoot_games(browser: Any, folder: Path, wanted: list[str], sizes: list[str]) -> None:
    run, file = str(folder / "boards"), folder / "report.html"
    seats = "--seat", "instructor=narrator", "--seat", "executor=parser"
    play = ["play", "hexagons", "--mode", "live", *seats, "--limit", "3", "-o", run]
    assert apart(lambda: groundling(play)) == 0
    assert groundling(["report", run, "-o", str(file)]) == 0
    for screen in sizes:
        options = ("--gallery", "--run", run, "--admin", "--items", str(folder / "items.json"))
        with serving(folder / f"{screen}.db", *options) as server:
            shoot_scenes(Camera(browser, server, screen, file), SCENES, wanted)


def shoot_studies(browser: Any, folder: Path, wanted: list[str], sizes: list[str]) -> None:
    """All sizes on one server, as bots have to fill its studies first."""
    folders = write_studies(folder)
    options = [part for each in folders for part in ("--study", str(each))]
    with serving(folder / "games.db", *options, "--limit-for", "127.0.0.0/8=1000") as server:
        if not wanted or "researchers" in wanted:
            let_bots_come(server, folders[-1])
        for screen in sizes:
            shoot_scenes(Camera(browser, server, screen), STUDY_SCENES, wanted)


def shoot_scenes(camera: Camera, scenes: Sequence[Callable[[Camera], None]], wanted: list[str]) -> None:
    for scene in scenes:
        if not wanted or scene.__name__ in wanted:
            scene(camera)
    camera.people.leave()


if __name__ == "__main__":
    main(sys.argv[1:])
