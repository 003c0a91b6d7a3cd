"""Procedures at other places and in other sizes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from papers.hexagons.varied_procedures import (
    VariedProcedure,
    find_measured,
    nth,
    read_people,
    read_varied_file,
    show,
)

from groundling.boards.hexes import Board
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage, ImageStep

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("GROUNDLING_DATA", ROOT.parent / "shared" / "data")) / "hexagons"
DOT = Board.from_tiles({(3, 5): "red"})
RING = Board.from_tiles(
    {(3, 5): "red", **dict.fromkeys([(2, 5), (2, 4), (3, 4), (4, 5), (2, 6), (3, 6)], "blue")}
)
PEOPLE = {
    "7": HexagonsImage(
        id="7",
        image="P",
        target=RING,
        steps=(
            ImageStep("Paint the 3rd tile of column 5 red.", DOT),
            ImageStep("Then blue around it.", RING),
        ),
    )
}
NUMBERS = "r = 3 in 2..8\nc = 5 in 2..17\n"
STEPS = """---
3rd -> {nth(r)}
5 -> {c}
paint red {r},{c}
---
Then -> {one("Then", "Now")}
paint blue ring {r},{c} 1
"""


def read(tmp_path: Path, text: str) -> list[VariedProcedure | Problem]:
    file = tmp_path / "one.txt"
    file.write_text(text, "utf-8")
    return list(read_varied_file(file, PEOPLE))


def test_words_and_tiles_move_together(tmp_path: Path) -> None:
    (found,) = read(tmp_path, f"=== 7\n{NUMBERS}{STEPS}")
    assert isinstance(found, VariedProcedure)
    made = found.vary(20)
    assert len({one.steps[0].text for one in made}) > 10
    assert {one.steps[1].text for one in made} == {"Then blue around it.", "Now blue around it."}
    for one in made:
        told = re.fullmatch(r"Paint the (\d+)(st|nd|rd|th) tile of column (\d+) red\.", one.steps[0].text)
        assert told
        assert one.steps[0].board.painted_tiles() == {(int(told[1]), int(told[3])): "red"}
        assert sum(colour == "blue" for colour in one.target.painted_tiles().values()) == 6
        assert one.image == "P"


def test_two_calls_draw_the_same(tmp_path: Path) -> None:
    one, other = (read(tmp_path, f"=== 7\n{NUMBERS}{STEPS}")[0] for _ in range(2))
    assert isinstance(one, VariedProcedure)
    assert isinstance(other, VariedProcedure)
    assert one.vary(9) == other.vary(9)


def test_no_more_lies_off_the_board_than_in_the_published_procedure(tmp_path: Path) -> None:
    wide = NUMBERS.replace("2..8", "1..10").replace("2..17", "1..18")
    (found,) = read(tmp_path, f"=== 7\n{wide}{STEPS}")
    assert isinstance(found, VariedProcedure)
    assert all(len(one.target.painted_tiles()) == 7 for one in found.vary(30))


def test_a_procedure_of_ones_own_is_said_by_its_writers(tmp_path: Path) -> None:
    steps = "---\nA: Column {c} red.\nB: All of it, {nth(c)} column.\npaint red column {c}\n"
    (found,) = read(tmp_path, f"=== new other\nc = 2 in 1..18\n{steps}")
    assert isinstance(found, VariedProcedure)
    made = found.vary(30)
    assert {one.steps[0].text[:3] for one in made} == {"Col", "All"}
    assert all(one.id.startswith("one-1 ") and one.category == "other" for one in made)


def test_what_is_shown_has_the_words_of_all_writers_with_the_same_values(tmp_path: Path) -> None:
    steps = "---\nA: Column {c} red.\nB: All of it, {nth(c)} column.\npaint red column {c}\n"
    (found,) = read(tmp_path, f"=== new other\nc = 2 in 1..18\n{steps}")
    assert isinstance(found, VariedProcedure)
    lines = "\n".join(show(found, 2)).splitlines()
    assert lines[::4] == ["## one-1"] * 2
    for words in (lines[1:4], lines[5:]):
        assert len({re.findall(r"\d+", line.removeprefix("1."))[0] for line in words}) == 1


def test_further_writers_say_a_published_procedure_at_other_places(tmp_path: Path) -> None:
    first, second = STEPS.split("---\n")[1:]
    steps = f"---\nA: Red: {{c}}, {{nth(r)}}.\n{first}---\nA: Ring it in blue.\n{second}"
    (found,) = read(tmp_path, f"=== 7\n{NUMBERS}{steps}")
    (plain,) = read(tmp_path, f"=== 7\n{NUMBERS}{STEPS}")
    assert isinstance(found, VariedProcedure)
    assert isinstance(plain, VariedProcedure)
    made, before = found.vary(9), plain.vary(9)
    assert made[: len(before)] == before
    others = made[len(before) :]
    assert len(others) == 9
    for one in others:
        told = re.fullmatch(r"Red: (\d+), (\d+)(st|nd|rd|th)\.", one.steps[0].text)
        assert told
        assert one.steps[0].board.painted_tiles() == {(int(told[2]), int(told[1])): "red"}
        assert one.steps[1].text == "Ring it in blue."
        assert (one.image, one.id[:8]) == ("P", "7A varie")


def test_a_variant_that_ends_on_a_measured_image_is_told_in_whatever_colours(tmp_path: Path) -> None:
    column = "=== new other\nc = 2 in 1..18\n---\nA: Column {c} red.\npaint red column {c}\n"
    (found,) = read(tmp_path, column)
    assert isinstance(found, VariedProcedure)
    made = found.vary(30)
    blue = Board.from_tiles(dict.fromkeys(made[3].target.painted_tiles(), "blue"))
    dev = HexagonsImage(id="9", image="Q", target=blue)
    assert list(find_measured(made, [dev])) == [f"{made[3].id} ends on the image Q: add a need"]
    (mine,) = read(tmp_path, f"=== 7\n{NUMBERS}{STEPS}")
    assert isinstance(mine, VariedProcedure)
    assert not list(find_measured(mine.vary(9), list(PEOPLE.values())))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"=== 8\n{NUMBERS}{STEPS}", "8: there is no such procedure in train"),
        (f"=== 7\nr = 4 in 2..8\nc = 5 in 2..17\n{STEPS}", "step 1 says .* not 'Paint the 3rd"),
        (f"=== 7\n{NUMBERS}{STEPS}".replace("ring", "disc"), r"step 2 leaves out \[\], and paints"),
        (f"=== 7\n{NUMBERS}{STEPS}".replace("3rd ->", "4th ->"), "step 1: there is no '4th' in"),
        (f"=== 7\n{NUMBERS}need r > 3\n{STEPS}", "'need r > 3' does not hold for the usual values"),
        (f"=== 7\n{NUMBERS}{STEPS}".replace("{c}", "{d}"), "step 1: d: name 'd' is not defined"),
        (f"=== 7\nr is 3\n{STEPS}", "'r is 3' is no NAME = USUAL in VALUES"),
        (f"=== 7\nd = up in down | left\n{STEPS}", "the usual value 'up' is none of 'down | left'"),
        (f"=== 7\n{NUMBERS}", "there are 0 steps: write 1 to 2"),
        ("=== new other\n---\npaint red 1,1\n", "each step needs the same writers"),
        (f"=== 7\n{NUMBERS}---\nA: Red.\n{STEPS[4:]}", "each step needs the same writers"),
        (f"=== 7\n{NUMBERS}{STEPS}".replace("---\n", "---\nA: {d}\n"), "step 1: d: name 'd' is not defined"),
        (f"=== 7\n{NUMBERS}{STEPS}".replace("{c}", "{ {c} }"), "step 1: .* cannot have braces"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, told: str) -> None:
    (found,) = read(tmp_path, text)
    assert isinstance(found, Problem)
    assert re.search(told, str(found))


@pytest.mark.slow
@pytest.mark.skipif(
    not DATA.is_dir(), reason="the HEXAGONS data is not here: GROUNDLING_DATA names its folder"
)
def test_every_varied_procedure_is_the_published_one_with_its_usual_values() -> None:
    people, seen = read_people(DATA), set[str]()
    for file in sorted((ROOT / "papers" / "hexagons" / "varied").glob("*.txt")):
        for found in read_varied_file(file, people):
            assert not isinstance(found, Problem), found
            assert found.image.id not in seen
            assert found.vary(9), f"{file.name}: {found.image.id} has no other values"
            seen.add(found.image.id)
    assert seen >= set(people)


def test_ordinals() -> None:
    assert [nth(n) for n in (1, 2, 3, 4, 11, 12, 13)] == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th"]
