"""What pages are told of games: presets that can be played here, and what a link asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.games.hexagons.small import RECORDED
from tests.web.room_helpers import new_manager, new_room, open_manager
from tests.web.test_app import serve_in_process

from groundling.core.pack import find, installed_packs
from groundling.core.values import Problem
from groundling.games.codraw.rules import CodrawSettings
from groundling.web.game_offers import GameSamples, list_game_partners, make_game_offer
from groundling.web.lobby import Lobby
from groundling.web.server_settings import RoomRequest
from groundling.web.stimuli import StimulusSet
from groundling.web.waiting_queue import QueueKey


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serve_in_process(tmp_path_factory.mktemp("server")) as client:
        yield client


def presets(server: TestClient, game: str) -> dict[str, Any]:
    games = {each["name"]: each["presets"] for each in server.get("/api/games").json()["games"]}
    return {preset["title"]: preset for preset in games[game]}


@pytest.mark.parametrize("name", installed_packs())
def test_every_preset_of_a_game_can_be_played_with_its_built_in_set(name: str, tmp_path: Path) -> None:
    pack, manager = find(name), new_manager(str(tmp_path / "games.db"))
    sample = GameSamples(manager.stimuli).find_sample(pack)
    titles = [preset.title for preset in pack.live.presets]
    assert len(set(titles)) == len(titles)
    for preset in pack.live.presets:
        offer = make_game_offer(manager, pack, sample, {}, preset)
        assert offer.people
        assert set(offer.people) <= set(offer.seats) <= set(pack.roles)
        assert set(preset.seats) <= set(offer.people)
        if len(offer.seats) == 1:
            assert "partner" not in " ".join(offer.seats[offer.people[0]].help), "there is none"


def test_a_game_offers_only_partners_that_it_knows() -> None:
    partners = ["describer:weights/hexagons-describer", "openai/gpt-4o", "player.py:Chooser"]
    assert list_game_partners(partners, find("hexagons")) == partners
    assert list_game_partners(partners, find("codraw")) == partners[1:]


def test_a_preset_says_who_can_sit_where(server: TestClient) -> None:
    found = presets(server, "hexagons")
    assert found["Play together"]["people"] == ["instructor", "executor"]
    assert list(found["Describe a picture"]["seats"]) == ["instructor"]
    assert found["Describe and paint"]["settings"] == {"mode": "align"}
    painting = found["Paint by instructions"]
    assert painting["people"] == ["executor"]
    assert painting["seats"]["instructor"]["partner"] == "narrator"


def test_where_procedures_are_recorded_one_paints_by_them(tmp_path: Path) -> None:
    with serve_in_process(tmp_path, sets=(StimulusSet("hexagons", "own", [RECORDED]),)) as server:
        painting = presets(server, "hexagons")["Paint by instructions"]
        assert painting["people"] == ["executor"]
        assert painting["seats"]["instructor"]["partner"] == "replay"
        link = server.get("/api/games/hexagons?mode=execute").json()
        assert link["people"] == ["executor"], "nobody writes a procedure that is written already"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("mode=dance", "the setting mode of hexagons is 'dance': choose from align"),
        ("mode=execute", "has no recorded procedure to execute"),
        ("context=oracle", "use another context, or a recorded procedure"),
        ("colour=red", "hexagons has no setting colour: choose from base"),
    ],
)
def test_a_link_that_cannot_be_played_is_refused_in_one_line(
    server: TestClient, query: str, told: str
) -> None:
    answer = server.get(f"/api/games/hexagons?{query}")
    assert answer.status_code == 400
    assert told in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_the_settings_of_a_room_are_those_that_were_asked_for(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            order = RoomRequest("codraw", {"teller": "person"}, settings={"peeks": "0", "silent": "true"})
            room = await new_room(manager, order)
            settings = room.game.settings
            assert isinstance(settings, CodrawSettings)
            assert (settings.peeks, settings.silent) == (0, True)
            assert settings.palette == "twenty", "the rest is as usual"

    asyncio.run(go())


def test_two_who_asked_for_different_settings_are_never_paired(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            lobby = Lobby(manager)
            usual = asyncio.create_task(lobby.find_partner("codraw", "teller"))
            silent = asyncio.create_task(lobby.find_partner("codraw", "drawer", {"silent": "true"}))
            key = QueueKey("codraw", "drawer", '{"silent":true}')
            while len(await lobby.count_waiting()) < 2:
                await asyncio.sleep(0)
            assert await lobby.count_waiting() == {QueueKey("codraw", "teller"): 1, key: 1}
            await lobby.find_partner("codraw", "teller", {"silent": True, "cap": 140})
            await asyncio.wait_for(silent, 60)
            (booking,) = await manager.store.list_bookings("", 9)
            assert b'"silent":true' in bytes(booking.settings)
            assert await lobby.count_waiting() == {QueueKey("codraw", "teller"): 1}
            usual.cancel()
            await asyncio.wait((usual,))

    asyncio.run(go())


@pytest.mark.parametrize(
    ("role", "settings", "told"),
    [
        ("instructor", {"mode": "align"}, "one seat for people with these settings"),
        ("executor", {"mode": "describe"}, "has no seat 'executor' with these settings"),
        ("executor", {"mode": "dance"}, "the setting mode of hexagons is 'dance'"),
    ],
)
def test_nobody_waits_for_a_partner_who_cannot_come(
    role: str, settings: dict[str, str], told: str, tmp_path: Path
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            with pytest.raises(Problem, match=told):
                await Lobby(manager).find_partner("hexagons", role, settings)

    asyncio.run(go())
