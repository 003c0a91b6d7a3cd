"""Every quirk on the list is real: the same texts, scored by clembench's rules and played by ours, differ
just there."""

from __future__ import annotations

import asyncio
from itertools import zip_longest
from math import isnan, nan
from typing import NamedTuple

import pytest
from tests.bridges.clem.examples import ROOT, grid
from tests.helpers import Says

from groundling.boards.letter_grid import Grid
from groundling.bridges.clem import NoScores, replay, to_clembench
from groundling.core.events import Transcript
from groundling.core.pack import find, load
from groundling.core.table import play
from groundling.core.values import Instance
from groundling.games.image.rules import Picture
from groundling.games.reference.rules import Lineup

LINEUP = Lineup(
    id="l",
    grids=tuple(Grid(f"{row}/...../...../...../.....") for row in ("XXXXX", "XXX..", "X.X.X")),
    giver=(0, 1, 2),
    follower=(0, 2, 1),
)
PICTURE = Picture(id="p", target=Grid("XX.../X..../...../...../....."))
TEN = Picture(id="p", target=Grid("/".join(["X" * 10] * 10)))
THREE = Picture(id="p", target=Grid("XX./.../..."))
SAID, ANSWER, PUT, DONE = (
    "Expression: top row full",
    "Answer: first",
    "Instruction: two, and one below",
    "Instruction: DONE",
)
DRAWN = PICTURE.target.text()


class Example(NamedTuple):
    instance: Instance
    giver: list[str]
    follower: list[str]
    theirs: dict[str, float]
    ours: dict[str, float]


EXAMPLES = {
    "no second chance": Example(LINEUP, [SAID], ["It is the first."], {"Aborted": 1}, {"success": 1}),
    "no score": Example(LINEUP, [SAID], ["no idea"], {"Main Score": nan}, {"success": 0}),
    "tag first": Example(LINEUP, [" " + SAID], [ANSWER], {"Aborted at Player 1": 1}, {"success": 1}),
    "one line": Example(
        LINEUP, [SAID + "\nand no other"], [ANSWER], {"Aborted at Player 1": 1}, {"success": 1}
    ),
    "label prefix": Example(LINEUP, [SAID], ["Answer: 12"], {"Success": 1}, {"success": 0}),
    "length with tag": Example(
        LINEUP,
        [SAID + "\n"],
        [ANSWER],
        {"Generated Expression Length": 25},
        {"characters": len("top row full")},
    ),
    "length without another word": Example(
        PICTURE,
        ["instruction: Instruction: two", DONE],
        [DRAWN],
        {"Average Generated Instruction Length": len("instruction:  two")},
        {"characters": len("Instruction: two")},
    ),
    "tokens at blanks": Example(
        LINEUP,
        ["Expression: top  row, full"],
        [ANSWER],
        {"Generated Expression Number of Tokens": 5},
        {"tokens": 4},
    ),
    "bare done": Example(PICTURE, [PUT, "DONE"], [DRAWN], {"Aborted": 1}, {"f1": 1}),
    "done at once": Example(PICTURE, [DONE], [], {}, {"f1": 0}),
    "twice the rounds": Example(
        PICTURE, [PUT] * 26 + [DONE], [grid("X")] * 25 + [DRAWN], {"F1": 100}, {"f1": 0.5, "turns": 25}
    ),
    "capitals and ▢": Example(PICTURE, [PUT, DONE], [DRAWN.replace("▢", ".")], {"Aborted": 1}, {"f1": 1}),
    "white space for blanks": Example(
        PICTURE, [PUT, DONE], [DRAWN.replace(" ", "\t")], {"F1": 0, "Aborted": 0}, {"f1": 1}
    ),
    "empty grid": Example(PICTURE, [PUT, PUT, DONE], [DRAWN, grid()], {"F1": 100}, {"f1": 0}),
    "whole numbers": Example(
        PICTURE, [PUT, DONE], [grid("XX.", "..X")], {"Precision": 67}, {"precision": 2 / 3}
    ),
    "nearly right": Example(
        TEN,
        [PUT, DONE],
        [TEN.target.with_cell((1, 1), "Y").text()],
        {"Success": 1, "F1": 99},
        {"f1": 0.99, "precision": 0.99},
    ),
    "five by five": Example(
        THREE,
        [PUT, DONE],
        [THREE.target.text()],
        {"Average Changed Cell Count": 0, "F1": 100},
        {"changed": 2, "f1": 1},
    ),
}


def test_every_quirk_in_the_document_has_its_example() -> None:
    _, table = (ROOT / "docs" / "bridges.md").read_text().split("| quirk | game | clembench | groundling |\n")
    rows = table.partition("\n\n")[0].splitlines()[1:]
    assert list(EXAMPLES) == [row.split(" | ")[0].removeprefix("| ") for row in rows]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_texts_come_out_differently(name: str) -> None:
    instance, giver, follower, theirs, ours = EXAMPLES[name]
    replies = [text for turn in zip_longest(giver, follower) for text in turn if text is not None]
    game, its = ("image", "imagegame") if isinstance(instance, Picture) else ("reference", "referencegame")
    if theirs:
        _, episode = replay(its, to_clembench(instance), replies)
        assert {key: str(episode[key]) for key in theirs} == {
            key: str(float(value)) for key, value in theirs.items()
        }
    else:
        with pytest.raises(NoScores):
            replay(its, to_clembench(instance), replies)
    scores = _ours(game, instance, giver, follower)
    assert {key: scores[key] for key in ours} == pytest.approx(ours)


def _ours(name: str, instance: Instance, giver: list[str], follower: list[str]) -> dict[str, float | None]:
    pack = find(name)
    game = pack.new()

    async def go() -> Transcript:
        players = {"giver": Says(*giver), "follower": Says(*follower)}
        return Transcript(tuple([e async for e in play(game, instance, players, seed=0, clock=lambda: 0.0)]))

    return load(pack.score)(game, asyncio.run(go())).episode


def test_nan_is_what_clembench_writes_where_there_is_none() -> None:
    assert isnan(replay("referencegame", to_clembench(LINEUP), ["?"])[1]["Main Score"])
