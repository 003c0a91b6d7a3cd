"""The player of examples/landmark_seeker.py finds what words describe."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from groundling.core.events import Transcript
from groundling.core.pack import Pack, find, load
from groundling.core.player import Ask, Player, Reply
from groundling.core.table import play
from groundling.core.values import Instance
from groundling.players.player_specs import make_player_from_spec

EXAMPLES = Path(__file__).parents[2] / "examples"
COLUMNS, ROWS = "ABCDE", "12345"
NUMBERS = ("one", "two", "three", "four")


@pytest.fixture
def pack() -> Pack:
    return find(str(EXAMPLES / "treasure.py"))


class DescribingGiver:
    """Says how far the treasure is from the first landmark, in columns and rows."""

    name = "describing"

    async def act(self, ask: Ask) -> Reply:
        (at, landmark), *_ = ask.view.landmarks.items()
        across = COLUMNS.index(ask.view.treasure[0]) - COLUMNS.index(at[0])
        along = ROWS.index(ask.view.treasure[1]) - ROWS.index(at[1])
        words = [
            f"{('one', 'two', 'three', 'four')[abs(count) - 1]} cells {way}"
            for count, way in (
                (across, "left" if across < 0 else "right"),
                (along, "up" if along < 0 else "below"),
            )
            if count
        ]
        return Reply(text=f"Message: Dig {' and '.join(words)} from the {landmark}.")


def play_island(pack: Pack, instance: Instance, giver: Player, spec: str) -> float:
    game = pack.new()
    seeker = make_player_from_spec(pack, game, "seeker", spec, [instance], lambda name: {})

    async def go() -> Transcript:
        players = {"giver": giver, "seeker": seeker}
        return Transcript(
            tuple([event async for event in play(game, instance, players, seed=0, clock=lambda: 0.0)])
        )

    result = asyncio.run(go()).result
    assert result is not None
    return result.score


def test_it_finds_every_treasure_that_is_described_from_a_landmark(pack: Pack) -> None:
    islands = load(pack.builtin)()
    spec = str(EXAMPLES / "landmark_seeker.py")
    assert [play_island(pack, island, DescribingGiver(), spec) for island in islands] == [1.0] * len(islands)


@pytest.mark.parametrize(
    ("message", "options", "dug"),
    [
        ("It is left of the well", "", "C3"),
        ("go 3 cells to the right of the tree, then three rows down", "", "E4"),
        ("It is two rows below and one column right of the tree", "", "C3"),
        ("right of the rock? No: left of the well, two rows below and one right of the tree", "", "C3"),
        ("left of the well", ",steps=2", "B3"),
        ("dig in C3, near the well", "", "C3"),
    ],
)
def test_it_reads_directions(pack: Pack, message: str, options: str, dug: str) -> None:
    island = replace(
        load(pack.builtin)()[0], landmarks={"B1": "tree", "D2": "rock", "D3": "well"}, treasure="A5"
    )
    view = pack.new().view(pack.new().start(island), "seeker")
    spec = f"{EXAMPLES / 'landmark_seeker.py'}:LandmarkSeeker{options}"
    seeker = make_player_from_spec(pack, pack.new(), "seeker", spec, [island], lambda name: {})
    ask = Ask("i", "seeker", replace(view, message=message), (), None, 0)
    assert asyncio.run(seeker.act(ask)) == Reply(text=f"Dig: {dug}")
