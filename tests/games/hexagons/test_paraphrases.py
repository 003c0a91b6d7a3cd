"""The rule-based executor understands what says all of one thing, however it is worded: all our wordings of
every kind of sentence up to objects, about things and with names of tiles that are drawn at random."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from groundling.boards.hexes import (
    COLOURS,
    COLUMNS,
    HEADINGS,
    ROWS,
    Board,
    Tile,
    is_on_lattice,
    lattice_disc,
    lattice_rhombus,
    lattice_ring,
    lattice_triangle,
    step_on_lattice,
)
from groundling.games.hexagons.narration.object_sentences import describe_stroke_object
from groundling.games.hexagons.narration.wording import SentenceWording, load_wordings
from groundling.games.hexagons.players.parser import parse_instruction
from groundling.games.hexagons.program import ProgramStroke, run_program
from groundling.games.hexagons.program.frame import move_frame_tile

SLANTING = tuple(way for way in HEADINGS if "-" in way)
WAYS = {"upright line": ("up", "down"), "level line": ("right", "left"), "slanting line": SLANTING}
SAYING_WHERE = ("place", "way", "every", "tile")
"""How the names of wordings begin that are no sentences of their own, or about tiles."""
EACH = 3


@cache
def wordings() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in Path(__file__).with_name("paraphrases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            key = line.strip("[]")
            found[key] = ()
        elif line and not line.startswith("#"):
            found[key] += (line,)
    return found


def voice(key: str, wording: str, rng: Random) -> SentenceWording:
    """One that has all our wordings, but only this for that."""
    made = SentenceWording(rng)
    made.pool = {**wordings(), key: (wording,)}
    return made


def thing(kind: str, rng: Random) -> list[Tile] | None:
    """The tiles of something of a kind, somewhere; none where it does not fit."""
    at, size = (rng.randint(1, ROWS), rng.randint(1, COLUMNS)), rng.randint(3, 5)
    match kind.split():
        case ["flower"]:
            tiles = lattice_ring(at, 1)
        case ["dot"]:
            tiles = lattice_disc(at, 1)
        case ["ring"]:
            tiles = lattice_ring(at, size - 1)
        case ["disc"]:
            tiles = lattice_disc(at, size - 1)
        case ["triangle", *hollow]:
            tiles = rim(lattice_triangle(at, rng.choice(("up-right", "down-left")), size + 1), hollow)
        case ["rhombus", *hollow]:
            tiles = rim(lattice_rhombus(at, "up-right", size), hollow)
        case ["column"]:
            tiles = [(row, at[1]) for row in range(1, ROWS + 1)]
        case ["row"]:
            tiles = [(at[0], column) for column in range(1, COLUMNS + 1)]
        case ["scattered"]:
            tiles = [
                at,
                move_frame_tile(at, "right", 4),
                move_frame_tile(at, "down", 3),
                move_frame_tile(at, "up-left", 3),
            ][:size]
        case _:
            gap = rng.choice((2, 3, 4)) if "dotted" in kind or "spaced" in kind else 1
            way = rng.choice(WAYS.get(kind, (*HEADINGS, "right", "left")))
            tiles = [move_frame_tile(at, way, n * gap) for n in range(size if gap > 1 else size + 1)]
    return tiles if all(map(is_on_lattice, tiles)) else None


def rim(tiles: list[Tile], hollow: list[str]) -> list[Tile]:
    inside = set(tiles)
    return [
        tile
        for tile in tiles
        if not hollow or not all(step_on_lattice(tile, way) in inside for way in HEADINGS)
    ]


def colours(kind: str, count: int, rng: Random) -> list[str]:
    one, two = rng.sample(COLOURS[1:], 2)
    if kind.startswith("alternating"):
        return [(one, two)[n % 2] for n in range(count)]
    if kind.startswith("sequence"):
        return [one, *(rng.choice((one, two)) for _ in range(count - 3)), two, two]
    return [one] * count


def sentences(kind: str, wording: str) -> list[tuple[str, dict[Tile, str]]]:
    """Some sentences in this wording, each with what it means."""
    rng = Random(f"{kind} {wording}")
    said: list[tuple[str, dict[Tile, str]]] = []
    while len(said) < EACH:
        tiles = thing(kind, rng)
        if tiles is None:
            continue
        hues = colours(kind, len(tiles), rng)
        stroke = ProgramStroke(
            tuple(tiles), tuple((*tile, hue) for tile, hue in zip(tiles, hues, strict=True))
        )
        told = list(describe_stroke_object(stroke, voice(kind, wording, rng)))
        if len(told) == 1:
            said.append((told[0].text, run_program(told[0].program, Board.empty()).painted_tiles()))
    return said


KINDS = [key for key in wordings() if not key.startswith(SAYING_WHERE)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thing_is_understood_in_any_words(kind: str) -> None:
    for wording in wordings()[kind]:
        for text, meant in sentences(kind, wording):
            assert {
                (row, column): colour for row, column, colour in parse_instruction(text).actions
            } == meant, text


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_many_wordings_for_each_thing(kind: str) -> None:
    assert not set(wordings()[kind]) & set(load_wordings("open")[kind])
    assert len(set(wordings()[kind])) == len(wordings()[kind]) >= 8


@pytest.mark.parametrize("wording", wordings()["place"])
def test_a_tile_has_many_names(wording: str) -> None:
    rng = Random(wording)
    for sentence in wordings()["tile"]:
        tile = rng.randint(1, ROWS), rng.randint(1, COLUMNS)
        said = voice("place", wording, rng)
        said.pool = {**said.pool, "tile": (sentence,)}
        text = said.tile_sentence(tile, "red")
        assert parse_instruction(text).actions == ((*tile, "red"),), text


@pytest.mark.parametrize("wording", wordings()["tiles"])
def test_tiles_of_a_column_are_understood_in_any_words(wording: str) -> None:
    rng = Random(wording)
    for _ in range(EACH):
        column, rows = rng.randint(1, COLUMNS), sorted(rng.sample(range(1, ROWS + 1), rng.randint(2, 4)))
        text = voice("tiles", wording, rng).column_sentence(rows, column, "blue")
        assert set(parse_instruction(text).actions) == {(row, column, "blue") for row in rows}, text


@pytest.mark.parametrize("wording", wordings()["tile below"])
def test_the_tile_below_is_understood_in_any_words(wording: str) -> None:
    text = voice("tile below", wording, Random(0)).write_sentence("tile below", colour="green")
    assert parse_instruction(text, ["Paint tile 4 of column 7 red."]).actions == ((5, 7, "green"),)
