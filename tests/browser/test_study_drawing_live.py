"""One person alone draws an image in round II of the HEXAGONS template, and mends what is refused."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
import tomli_w
from tests.browser.live import OpenServer, People
from tests.browser.test_accessibility import faults
from tests.browser.test_hexagons_live import middle
from tests.browser.test_study_live import press

from groundling.boards.hexes import Board
from groundling.cli import main
from groundling.games.hexagons.image import HexagonsImage
from groundling.studies.study_file import make_study_stimuli, read_study
from groundling.web.study_store import open_study_database_for_reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def write_second_round(folder: Path) -> Path:
    """The template with the stages of round II only, for everybody."""
    assert main(["study", "new", "hexagons", str(folder), "--scale", "0.01"]) == 0
    found = tomllib.loads((folder / "study.toml").read_text())
    found["stages"] = [stage for stage in found["stages"] if stage["name"] in ("drawings", "round-2")]
    for stage in found["stages"]:
        del stage["group"]
    found["stages"][0]["most"] = 1
    del found["groups"]
    (folder / "study.toml").write_text(tomli_w.dumps(found))
    return folder


def paint(page: Page, board: Board) -> None:
    for colour in sorted(set(board.painted_tiles().values())):
        page.click(f".colours label:has(input[value={colour}])")
        for tile in (tile for tile, own in board.painted_tiles().items() if own == colour):
            page.mouse.click(*middle(page, tile))


def test_an_empty_drawing_and_a_copy_are_refused_and_a_mended_one_is_taken(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    folder, place = write_second_round(tmp_path / "drawing"), tmp_path / "games.db"
    pool: list[HexagonsImage] = make_study_stimuli(folder, "pool", read_study(folder).stimuli["pool"])  # type: ignore[assignment]
    copied = min((image.target for image in pool), key=lambda board: board.painted_count)
    server = open_server("--study", str(folder))
    ann = people.person()
    ann.goto(f"{server.url}/study/drawing")
    ann.get_by_label("I am at least 18 years old.").check()
    press(ann, "I agree")
    ann.get_by_role("heading", name="Next: Draw an image").wait_for()
    ann.get_by_text("Draw whatever you like.").wait_for()
    press(ann, "Start")
    ann.get_by_role("heading", name="Draw an image").wait_for()
    ann.wait_for_selector(".drawing [data-tile]")
    press(ann, "Send the drawing")
    ann.get_by_text("paint at least 3 tiles first").wait_for()
    assert faults(ann) == []
    paint(ann, copied)
    press(ann, "Send the drawing")
    ann.get_by_text("nearly the same as another image of the study: draw something else").wait_for()
    assert faults(ann) == []
    free = [(row, column) for row in range(1, 11) for column in range(1, 19)]
    free = [tile for tile in free if tile not in copied.painted_tiles()][: copied.painted_count]
    added = Board.empty().with_tiles(dict.fromkeys(free, "orange"))
    paint(ann, added)
    press(ann, "Send the drawing")
    ann.get_by_text("You have finished").wait_for()
    earned = ann.get_by_text(re.compile(r"You have earned USD\s0\.75"))
    assert earned.count() == 1, "for the drawing, and for taking part"
    with open_study_database_for_reading(str(place)) as database:
        ((body,),) = database.fetch_rows("SELECT body FROM study_answers", ())
    drawn = msgspec.json.decode(bytes(body), type=HexagonsImage)
    assert drawn.target.painted_tiles() == {**copied.painted_tiles(), **added.painted_tiles()}
    assert len(people.complaints) == 2, "about the two that were refused"
    people.complaints.clear()
