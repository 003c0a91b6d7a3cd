"""A server plays games that come from files: rooms, pictures, gallery, replays and export."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.code_sources import GAME, PLAYER
from tests.web.room_helpers import Person, new_room, open_manager, play_out

from groundling.cli import main
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.web.app import make_app
from groundling.web.episode_library import open_episode_library
from groundling.web.game_catalog import GameCatalog
from groundling.web.room_manager import RoomManager
from groundling.web.server import check_server_partners
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.sqlite_store import SqliteStore

OURS = "http://testserver"


@pytest.fixture(autouse=True)
def _with_files(code_folder: Path) -> None:
    (code_folder / "mine.py").write_text(GAME)
    (code_folder / "player.py").write_text(PLAYER)


def test_given_games_are_served_and_no_others() -> None:
    assert list(GameCatalog(["mine.py", "image"]).served) == ["mine", "image"]
    assert "reference" in GameCatalog().served


def test_rooms_of_installed_games_can_still_be_read() -> None:
    catalog = GameCatalog(["mine.py"])
    found = [catalog.find_stored(name) for name in ("mine", "reference", "gone")]
    assert [pack and pack.name for pack in found] == ["mine", "reference", None]


def test_two_games_of_one_name_are_refused() -> None:
    Path("other.py").write_text(GAME)
    with pytest.raises(Problem, match=r"^other.py is called mine, as another game here: rename one"):
        GameCatalog(["mine.py", "other.py"]).served  # noqa: B018


def test_its_pages_know_the_game(tmp_path: Path) -> None:
    Path("runs").mkdir()
    played = ["play", "mine.py", "--seat", "giver=gold", "--seat", "follower=rule", "-o", "runs/one"]
    assert main([*played, "--limit", "2"]) == 0
    settings = ServerSettings(games=("mine.py",), gallery=True, books=open_episode_library(["runs/one"], []))
    manager = RoomManager(SqliteStore(tmp_path / "games.db"), settings)
    with TestClient(
        make_app(manager), "http://testserver", headers={"origin": "http://testserver"}
    ) as client:
        assert [game["name"] for game in client.get("/api/games").json()["games"]] == ["mine"]
        assert client.get("/api/picture/mine").text.startswith("<svg")
        assert client.get("/gallery/mine/cards.json").json()["total"] == 36
        assert client.get("/gallery/reference/cards.json").status_code == 400
        order = {"game": "mine", "seats": {"giver": "person"}}
        assert client.post("/api/rooms", json=order).status_code == 201
    assert [row.status for row in settings.books[0].episode_rows()] == ["played"] * 2


def test_a_game_from_a_file_is_played_with_a_player_from_a_file_and_exported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def go() -> None:
        async with open_manager(
            Path("games.db"), games=("mine.py",), partners=("player.py:Chooser",)
        ) as there:
            seats = {"giver": "person", "follower": "player.py:Chooser"}
            room = await new_room(there, RoomRequest("mine", seats))
            person = Person(room, "giver")
            await person.come()
            await play_out(room, {"giver": person})

    asyncio.run(go())
    assert main(["serve", "--db", "games.db", "--export", "out"]) == 2
    assert "games that are not installed (mine)" in capsys.readouterr().out
    assert main(["serve", "mine.py", "--db", "games.db", "--export", "out"]) == 0
    assert RunFolder(Path("out/mine")).read_about()["origins"]["game"]["code"] == "../../mine.py:pack"
    assert main(["score", "out/mine"]) == 0
    assert "person → Chooser" in capsys.readouterr().out


def test_a_partner_from_a_file_is_checked_before_anything_is_begun() -> None:
    packs = list(GameCatalog(["mine.py"]).served.values())
    check_server_partners(["player.py:Chooser,choice=2", "openai/gpt-4o"], packs)
    with pytest.raises(Problem, match=r"--partner player.py:Mute: player.py:Mute has no act"):
        check_server_partners(["player.py:Mute"], packs)
