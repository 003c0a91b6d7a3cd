"""Stimuli of the operator: where they come from, how rooms choose them, who learns of them, and recorded
partners."""

from __future__ import annotations

import asyncio
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from tests.games.codraw.recorded import lines
from tests.games.hexagons.test_hexagons_data import put, record
from tests.web.room_helpers import Person, new_room, open_manager, play_out, until
from tests.web.test_app import serve_in_process

from groundling.cli import main
from groundling.core.consistency import find_contradiction
from groundling.core.events import Moved
from groundling.core.pack import find, load
from groundling.core.values import Problem, Say
from groundling.games.codraw.moves import Agree
from groundling.games.hexagons.moves import Next
from groundling.runs.instances import encode_instances
from groundling.runs.run_folder import RunFolder
from groundling.studies.study_part import ReplyPace
from groundling.web.game_catalog import GameCatalog
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.server import check_server_partners, open_server_files
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.stimuli import StimulusSet
from groundling.web.stimulus_files import check_stimuli_hidden, open_stimuli
from groundling.web.store import PartnerConduct

IMAGE = find("image")


def made(path: Path, seed: int = 5, n: int = 3) -> str:
    """An option with instances as `groundling make` writes them."""
    assert main(["make", "image", "--seed", str(seed), "-n", str(n), "-o", str(path)]) == 0
    return f"image={path}"


def opened(*given: str) -> tuple[StimulusSet, ...]:
    return open_stimuli(given, GameCatalog())


def played_run(path: Path) -> str:
    seats = "--seat", "giver=rule", "--seat", "follower=rule"
    assert main(["play", "image", *seats, "--limit", "2", "-o", str(path)]) == 0
    return f"image={path}"


async def chosen(manager: RoomManager, game: str = "image", **order: Any) -> tuple[str, str]:
    """The id and the set of the instance that a room plays."""
    room = await new_room(manager, RoomRequest(game, {find(game).roles[0]: "person"}, **order))
    return room.instance.id, room.instance.set


def said_by(room: LiveRoom, role: str) -> list[str]:
    moves = [
        move
        for event in room.events
        if isinstance(event, Moved) and event.role == role
        for move in event.moves
    ]
    return [move.text for move in moves if isinstance(move, Say)]


# Where they come from
# --------------------------------------------------------------------------------------------------------


def test_sets_come_from_files_data_and_runs_and_have_names_of_their_own(tmp_path: Path) -> None:
    put(tmp_path, "dev", record(7), record(8))
    data = f"hexagons={tmp_path}@dev"
    found = opened(
        made(tmp_path / "mine.jsonl"), made(tmp_path / "mine.new.jsonl"), data, played_run(tmp_path / "games")
    )
    assert [(one.game, one.name, len(one.instances)) for one in found] == [
        ("image", "mine", 3),
        ("image", "mine-2", 3),
        ("hexagons", "dev", 2),
        ("image", "games", 2),
    ]
    assert [len(one.recordings) for one in found] == [0, 0, 0, 2]
    assert all(one.secret and not one.on_request for one in found)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("image", "--instances image is not GAME=PATH: write it as in --instances hexagons=FILE.jsonl"),
        ("image=nowhere", "nowhere does not exist: give a file of instances, PATH@SPLIT of data, or a run"),
        (
            "hexagon=nowhere",
            "--instances hexagon=…: 'hexagon' is not played here: the nearest are hexagons, ",
        ),
        ("hexagons=.@test", ". has no part 'test': choose from dev"),
        (
            "hexagons=dev.jsonl",
            "dev.jsonl:1 is not an instance of hexagons (Object missing required field `id`)",
        ),
        ("codraw=games", "games is a run of image, not of codraw: write --instances image=games"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    given: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "dev", record())
    made(Path("mine.jsonl"))
    played_run(Path("games"))
    with pytest.raises(Problem, match=f"^{re.escape(why)}"):
        opened(given)


def test_games_that_people_played_in_rooms_are_a_place_to_take_stimuli_from(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", sets=opened(made(tmp_path / "mine.jsonl"))) as manager:
            room = await new_room(manager, RoomRequest("image", {"giver": "person"}))
            giver = Person(room, "giver")
            await giver.come()
            await play_out(room, {"giver": giver})

    asyncio.run(go())
    assert main(["serve", "--db", str(tmp_path / "games.db"), "--export", str(tmp_path / "out")]) == 0
    (played,) = opened(f"image={tmp_path / 'out' / 'image'}")
    (mine,) = opened(f"image={tmp_path / 'mine.jsonl'}")
    assert played.instances[0] in mine.instances
    assert list(played.recordings) == [played.instances[0].id]


def test_what_is_shown_to_everybody_cannot_be_played_in_secret(tmp_path: Path) -> None:
    run = played_run(tmp_path / "games")
    put(tmp_path, "dev", record())
    for given, runs, data in (
        (run, [str(tmp_path / "games")], []),
        (f"hexagons={tmp_path}@dev", [], [f"hexagons={tmp_path / 'dev.jsonl'}"]),
        (f"hexagons={tmp_path / 'dev.jsonl'}@dev", [], [f"hexagons={tmp_path}"]),
    ):
        with pytest.raises(
            Problem, match=r"^--instances .* shows it to everybody: leave out one of them, or add --gal"
        ):
            check_stimuli_hidden([given], runs, data, GameCatalog())
    check_stimuli_hidden([run], [], [f"hexagons={tmp_path / 'dev.jsonl'}"], GameCatalog())


def test_games_of_stimuli_are_left_out_of_what_everybody_can_replay(tmp_path: Path) -> None:
    played_run(tmp_path / "games")
    (one, other) = (
        transcript.opened.instance for transcript in RunFolder(tmp_path / "games").read_transcripts()
    )
    file = tmp_path / "mine.jsonl"
    file.write_bytes(encode_instances([one]))
    settings = ServerSettings(instances=(f"image={file}",), runs=(str(tmp_path / "games"),))
    (book,) = open_server_files(settings).books
    assert [row.episode for row in book.episode_rows()] == [other.id]
    assert book.find_episode(one.id) is None


# Choosing
# --------------------------------------------------------------------------------------------------------


def test_rooms_play_the_operators_sets_and_the_built_in_one_on_request(tmp_path: Path) -> None:
    own = opened(made(tmp_path / "mine.jsonl"))
    ids = {instance.id for instance in own[0].instances}
    builtin = {(instance.id, instance.set) for instance in load(IMAGE.builtin)()}

    async def go() -> None:
        async with open_manager(tmp_path / "games.db", sets=own) as manager:
            first = own[0].instances[0]
            assert {(await chosen(manager))[0] for _ in range(12)} <= ids
            assert (await chosen(manager, set="mine"))[0] in ids
            assert await chosen(manager, instance=first.id) == (first.id, first.set)
            assert await chosen(manager, set="built-in") in builtin
            assert await chosen(manager, set="built-in", instance="compact-02") == ("compact-02", "compact")
            assert (await chosen(manager, game="reference"))[1] in ("edits-2", "edits-4")
        async with open_manager(tmp_path / "only.db", sets=own, builtin=False) as manager:
            with pytest.raises(Problem, match=r"^image has no set 'built-in' here: the nearest are mine"):
                await chosen(manager, set="built-in")
            assert (await chosen(manager, game="reference"))[1] in ("edits-2", "edits-4")

    asyncio.run(go())


def test_an_id_that_two_sets_have_needs_the_set(tmp_path: Path) -> None:
    own = opened(made(tmp_path / "one.jsonl", 5), made(tmp_path / "two.jsonl", 6))
    assert own[0].instances[0].id == own[1].instances[0].id

    async def go() -> None:
        async with open_manager(tmp_path / "games.db", sets=own) as manager:
            name = own[0].instances[0].id
            with pytest.raises(
                Problem, match=r"^several sets of image have an instance '.*': choose from one, two$"
            ):
                await chosen(manager, instance=name)
            room = await new_room(manager, RoomRequest("image", {"giver": "person"}, name, "two"))
            assert room.instance == own[1].instances[0]

    asyncio.run(go())


def test_only_the_administrator_is_told_the_nearest_ids_of_stimuli(tmp_path: Path) -> None:
    own = opened(made(tmp_path / "mine.jsonl"))
    known = [instance.id for instance in own[0].instances]
    order = {"game": "image", "seats": {"giver": "person"}, "instance": f"{known[0]}x"}
    with serve_in_process(tmp_path, sets=own, builtin=False, admin="t" * 16) as client:
        trade = client.post("/admin/login/trade", json={"token": "t" * 16})
        admin = {"cookie": trade.headers["set-cookie"].partition(";")[0]}
        client.cookies.clear()
        told = client.post("/admin/api/rooms", json=order, headers=admin).json()["error"]
        assert told.startswith(f"image has no instance '{known[0]}x' here: the nearest are {known[0]}, ")
        told = client.post("/api/rooms", json=order).json()["error"]
        assert told == f"image has no instance '{known[0]}x' here: use the link that you were given"
        told = client.post("/api/rooms", json={**order, "instance": "", "set": "mines"}).json()["error"]
        assert told == "image has no set 'mines' here: the nearest are mine"
        games = client.get("/admin/api/rooms", headers=admin).json()["games"]
        assert games["image"]["sets"]["mine"] == 3
        assert "built-in" not in games["image"]["sets"]
        assert games["reference"]["sets"] == {"built-in": 36, "edits-2": 18, "edits-4": 18}


def test_a_gallery_shows_built_in_instances_and_no_stimuli(tmp_path: Path) -> None:
    own = opened(made(tmp_path / "mine.jsonl"))
    for builtin, plays in ((True, "built-in"), (False, "")):
        with serve_in_process(tmp_path, sets=own, builtin=builtin, gallery=True) as client:
            found = client.get("/gallery/image/cards.json").json()
            assert found["total"] == 40
            assert (found["plays"], found["role"]) == (plays, "giver" if builtin else "")


def test_workers_open_the_same_stimuli(tmp_path: Path) -> None:
    settings = ServerSettings(instances=(made(tmp_path / "mine.jsonl"),))
    (found,) = open_server_files(pickle.loads(pickle.dumps(settings))).sets
    assert len(found.instances) == 3


# Recorded partners
# --------------------------------------------------------------------------------------------------------


def play_drawer(place: Path, data: Path, who: str) -> tuple[list[str], LiveRoom]:
    """A person draws nothing for a recorded Teller; what the Teller said."""

    async def go() -> tuple[list[str], LiveRoom]:
        async with open_manager(place, sets=opened(f"codraw={data}@train")) as manager:
            room = await new_room(manager, RoomRequest("codraw", {"teller": who, "drawer": "person"}))
            drawer = Person(room, "drawer", "random")
            await drawer.come()
            while not room.over:
                await until(lambda: drawer.page.shown.get("turn") or room.over)
                if not room.over:
                    over = not drawer.page.shown.get("say")
                    assert await drawer.do(Agree() if over else Say("ok")) == ""
            return said_by(room, "teller"), room

    return asyncio.run(go())


@pytest.mark.parametrize(("who", "turns"), [("replay", 4), ("replay,until=peek", 2)])
def test_a_person_draws_for_a_recorded_teller(who: str, turns: int, tmp_path: Path) -> None:
    said, room = play_drawer(tmp_path / "games.db", lines(tmp_path), who)
    script = ["big sun in the left corner", "boy , girl , tree and a ball", "a crown on his head", "done"]
    assert said == script[:turns]
    assert room.make_transcript().status == "played"
    assert find_contradiction(room.game, room.make_transcript()) is None


def test_a_recorded_teller_says_everything_where_the_person_writes_first(tmp_path: Path) -> None:
    async def go() -> None:
        stimuli = opened(f"codraw={lines(tmp_path)}@train")
        instance = next(each for each in stimuli[0].instances if each.recorded)  # type: ignore[attr-defined]
        async with open_manager(tmp_path / "games.db", sets=stimuli) as manager:
            order = RoomRequest("codraw", {"teller": "replay,until=peek", "drawer": "person"})
            slow = PartnerConduct(pace=ReplyPace(seconds=1, spread=0, a_character=0))
            await manager.book_room(find("codraw"), instance, order, name="slow", conduct=slow)
            room = await manager.open_room("slow")
            assert isinstance(room, LiveRoom)
            drawer = Person(room, "drawer", "random")
            await drawer.come()
            await until(lambda: drawer.page.shown.get("say"))
            assert await drawer.do(Say("go")) == ""
            await until(lambda: room.current_turn == "drawer" and said_by(room, "teller"))
            assert said_by(room, "teller") == ["big sun in the left corner"]

    asyncio.run(go())


def test_a_recorded_game_goes_on_after_a_restart_without_the_run(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    run = played_run(tmp_path / "games")
    recorded = {each.opened.instance.id: each for each in RunFolder(tmp_path / "games").read_transcripts()}
    order = RoomRequest("image", {"giver": "replay", "follower": "person"})

    async def begin() -> str:
        async with open_manager(place, sets=opened(run)) as manager:
            room = await new_room(manager, order)
            follower = Person(room, "follower", "rule")
            await follower.come()
            await play_out(room, {"follower": follower}, most=1)
            return room.booking.id

    async def finish(name: str) -> None:
        async with open_manager(place) as manager:
            room = await manager.open_room(name)
            assert room is not None
            follower = Person(room, "follower", "rule")
            await follower.come()
            await play_out(room, {"follower": follower})
            words = [event.moves for event in recorded[room.instance.id].events if isinstance(event, Moved)]
            assert said_by(room, "giver") == [
                move.text for moves in words for move in moves if isinstance(move, Say)
            ]
            assert room.make_transcript().result == recorded[room.instance.id].result

    asyncio.run(finish(asyncio.run(begin())))


def test_a_recorded_partner_plays_only_what_is_recorded(tmp_path: Path) -> None:
    put(tmp_path, "dev", record())
    own = opened(f"hexagons={tmp_path}@dev", made(tmp_path / "mine.jsonl"))
    with serve_in_process(tmp_path, sets=own) as client:
        games = {
            game["name"]: game["presets"][0]["seats"] for game in client.get("/api/games").json()["games"]
        }
        offered = {role: seat["recorded"] for role, seat in games["hexagons"].items()}
        assert offered == {"instructor": ["replay"], "executor": []}
        assert [seat["recorded"] for seat in games["image"].values()] == [[], []]
        for game, seats, why in (
            ("hexagons", {"instructor": "replay", "executor": "person"}, None),
            (
                "hexagons",
                {"instructor": "person", "executor": "replay"},
                "no instance here has such a recording",
            ),
            ("image", {"giver": "replay", "follower": "person"}, "no instance here has such a recording"),
            (
                "image",
                {"giver": "replay:/etc/passwd", "follower": "person"},
                "'replay:/etc/passwd' is not offered",
            ),
        ):
            answer = client.post("/api/rooms", json={"game": game, "seats": seats})
            assert answer.status_code == (400 if why else 201)
            assert not why or answer.json()["error"].startswith(why)
    with pytest.raises(Problem, match=r"^--partner replay is not needed: --instances with recorded data"):
        check_server_partners(["replay"], [IMAGE])


@pytest.mark.parametrize("mode", ["live", "execute"])
def test_a_person_executes_a_recorded_procedure(mode: str, tmp_path: Path) -> None:
    put(tmp_path, "dev", record())

    async def go() -> None:
        async with open_manager(tmp_path / "games.db", sets=opened(f"hexagons={tmp_path}@dev")) as manager:
            seats = {"instructor": "replay", "executor": "person"}
            room = await new_room(manager, RoomRequest("hexagons", seats, settings={"mode": mode}))
            executor = Person(room, "executor", "random")
            await executor.come()
            while not room.over:
                await until(lambda: executor.page.shown.get("turn") or room.over)
                assert room.over or await executor.do(Next()) == ""
            assert said_by(room, "instructor") == ["Make a line", "…", "Then a “flower”"]
            assert room.make_transcript().status == "played"

    asyncio.run(go())


def test_a_closed_server_leaves_opening_rooms_to_the_administrator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    why = "only the administrator of this server opens rooms: use the link that you were given"
    with serve_in_process(tmp_path, closed=True, admin="t" * 16) as client:
        assert client.get("/api/games").json()["closed"] is True
        answer = client.post("/api/rooms", json={"game": "image", "seats": {"giver": "person"}})
        assert (answer.status_code, answer.json()["error"]) == (403, why)
        with client.websocket_connect("/api/wait/image/giver") as socket:
            assert socket.receive_json() == {"type": "sorry", "why": why}
        trade = client.post("/admin/login/trade", json={"token": "t" * 16})
        order = {"game": "image", "seats": {"giver": "person"}}
        headers = {"cookie": trade.headers["set-cookie"].partition(";")[0]}
        assert client.post("/admin/api/rooms", json=order, headers=headers).status_code == 201
    assert main(["serve", "--closed"]) == 2
    assert capsys.readouterr().err == "groundling: with --closed nobody could open a room: add --admin\n"


def test_a_refusal_to_participants_does_not_name_the_instance_that_was_chosen(tmp_path: Path) -> None:
    put(tmp_path, "dev", record())
    order = RoomRequest("hexagons", {"instructor": "person"}, settings={"mode": "execute"})

    async def go() -> None:
        async with open_manager(tmp_path / "games.db", sets=opened(f"hexagons={tmp_path}@dev")) as manager:
            with pytest.raises(Problem, match=r"^the instance comes with a recorded procedure"):
                await manager.create_room(order)
            with pytest.raises(Problem, match=r"^007 comes with a recorded procedure"):
                await manager.create_room(order, is_admin=True)

    asyncio.run(go())
