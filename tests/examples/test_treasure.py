"""The game of examples/treasure.py says little, and all commands work with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import Person, new_room, open_manager, people, until

from groundling.cli import main
from groundling.core.check import check_game
from groundling.core.events import Transcript
from groundling.core.pack import Pack, Seat, find, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Illegal, Say
from groundling.players.chat.chat_player import ChatPlayer
from groundling.web.server_settings import RoomRequest

FILE = Path(__file__).parents[2] / "examples" / "treasure.py"


@pytest.fixture
def pack() -> Pack:
    return find(str(FILE))


def gold_player(pack: Pack, role: str) -> Player:
    return load(pack.players["gold"])(Seat(pack, pack.new(), role, "gold", instances=load(pack.builtin)()))


def test_a_whole_game_is_one_page() -> None:
    assert len(FILE.read_text().splitlines()) <= 150


def test_it_keeps_every_law(pack: Pack) -> None:
    assert check_game(pack, texts=60) == []


def test_guessing_finds_one_treasure_in_twenty_five(pack: Pack) -> None:
    assert load(pack.chance)(load(pack.builtin)()[0]) == pytest.approx(1 / 25)


@pytest.mark.parametrize("text", ["", "somewhere", "Dig: F1", "A1 or B2", "Dig: A12"])
def test_a_reply_without_exactly_one_cell_is_refused(pack: Pack, text: str) -> None:
    game = pack.new()
    state = game.play(game.start(load(pack.builtin)()[0]), "giver", Say("at the well"))
    with pytest.raises(Illegal, match="name one cell"):
        game.read(state, "seeker", text)


def test_a_language_model_plays_with_derived_prompts(pack: Pack) -> None:
    pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from groundling.players.chat.hosted_model import HostedModel

    instance = load(pack.builtin)()[0]
    outputs = [
        ModelOutput.from_content("mockllm/model", text)
        for text in ("Where?", f"I dig in {instance.treasure}")
    ]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=90, output_tokens=6, total_tokens=96)
    seat = Seat(pack, pack.new(), "seeker", "mockllm/model")
    asked: list[str] = []

    class Listening(HostedModel):
        async def answer(self, conversation: list[Any], seed: int) -> Any:
            asked.append(conversation[-1].text)
            return await super().answer(conversation, seed)

    model = Listening(seat, get_model("mockllm/model", custom_outputs=outputs, memoize=False))
    players = {"giver": gold_player(pack, "giver"), "seeker": ChatPlayer(seat, model)}

    async def play_all() -> Transcript:
        events = play(seat.game, instance, players, seed=0, clock=lambda: 0.0)
        return Transcript(tuple([event async for event in events]))

    transcript = asyncio.run(play_all())
    assert load(pack.score)(seat.game, transcript).episode == {"score": 1.0}
    assert [reply.usage["total_tokens"] for reply in transcript.reply_events("seeker")] == [96, 96]
    first, again = asked
    assert "You are the seeker. You read the giver's message." in first
    assert f"The giver says: Dig: {instance.treasure}" in first
    assert first.endswith('Reply with one line such as "Dig: A1" or "Dig: E5", and nothing else.')
    assert 'name one cell, such as "Dig: A1"' in again


def test_it_is_played_scored_shown_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    for seeker in ("gold", "random"):
        seats = ["--seat", "giver=gold", "--seat", f"seeker={seeker}"]
        assert main(["play", str(FILE), "--limit", "4", *seats, "-o", seeker]) == 0
    assert "score 1.000 [0.398, 1.000] (4 clusters, chance 0.040)" in capsys.readouterr().out
    assert main(["score", "gold"]) == 0
    assert main(["show", "gold", "island-0-0", "--svg", "pictures"]) == 0
    assert "[seeker replies] Dig: C3" in capsys.readouterr().out
    assert list(Path("pictures").glob("*.svg"))
    assert main(["report", "gold", "random", "-o", "report.html"]) == 0
    assert "island-0-0" in Path("report.html").read_text()


def test_two_people_play_it_in_a_room(pack: Pack, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", games=(str(FILE),)) as manager:
            room = await new_room(manager, RoomRequest("treasure", people(pack), instance="island-0-0"))
            giver, seeker = (Person(room, role, at=manager) for role in ("giver", "seeker"))
            await giver.come()
            await seeker.come()
            await until(lambda: giver.page.shown.get("say"))
            assert seeker.page.shown["buttons"] == []
            assert await giver.do(Say("Message: ")) == 'say something after the tag "Message:"'
            assert await giver.do(Say("left of the well")) == ""
            await until(lambda: seeker.page.shown["buttons"])
            assert [line["text"] for line in seeker.page.shown["talk"]] == [
                "The giver says: left of the well"
            ]
            buttons = {button["label"]: button["moves"] for button in seeker.page.shown["buttons"]}
            assert list(buttons)[:2] == ["A1", "B1"]
            assert await seeker.do(*buttons[room.instance.treasure]) == ""  # type: ignore[attr-defined]
            await until(lambda: seeker.page.shown.get("phase") == "over")
            assert seeker.page.shown["outcome"]["score"] == 1.0

    asyncio.run(go())
