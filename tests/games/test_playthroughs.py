"""Every game is walked through in a text file. `python -m tests.games.test_playthroughs` writes them anew."""

import asyncio
from importlib.resources import files
from itertools import count
from pathlib import Path

import pytest

from groundling.core.events import Transcript
from groundling.core.pack import Pack, Seat, find, installed_packs, load
from groundling.core.table import play
from groundling.report.episode import episode_text

OURS = [name for name, point in installed_packs().items() if point.value.startswith("groundling.")]


def walk_through(pack: Pack) -> str:
    game, instance = pack.new(), load(pack.builtin)()[0]
    gold = load(pack.players["gold"])
    players = {role: gold(Seat(pack, game, role, "gold")) for role in game.seats(instance)}
    ticks = count()

    async def all_of_it() -> Transcript:
        return Transcript(
            tuple([e async for e in play(game, instance, players, seed=0, clock=lambda: float(next(ticks)))])
        )

    return episode_text(pack, game, asyncio.run(all_of_it()))


def home(name: str) -> Path:
    return Path(str(files(f"groundling.games.{name}")))


@pytest.mark.parametrize("name", OURS)
def test_the_playthrough_is_what_the_game_prints(name: str) -> None:
    assert (home(name) / "playthrough.txt").read_text() == walk_through(find(name))


@pytest.mark.parametrize("name", OURS)
def test_every_game_has_a_readme_that_names_its_seats_players_and_measures(name: str) -> None:
    text, pack = (home(name) / "README.md").read_text(), find(name)
    words = [*pack.roles, *pack.players, *(measure.name for measure in load(pack.measures))]
    assert [word for word in words if f"`{word}`" not in text] == []


if __name__ == "__main__":
    for ours in OURS:
        (home(ours) / "playthrough.txt").write_text(walk_through(find(ours)))
