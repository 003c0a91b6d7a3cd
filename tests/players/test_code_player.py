"""Players are classes in files and modules; their options are arguments; their errors name a line."""

from __future__ import annotations

import asyncio
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from tests.code_sources import PLAYER

from groundling.core.pack import find, installed_entry_points
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable, player_info
from groundling.core.values import Problem
from groundling.players import player_specs
from groundling.players.player_specs import make_player_from_spec, read_player_spec

ASK = Ask("edits-2-02", "follower", None, (), None, 0)


@pytest.fixture(autouse=True)
def _with_players(code_folder: Path) -> None:
    (code_folder / "mine.py").write_text(PLAYER)
    (code_folder / "folder").mkdir()
    (code_folder / "folder" / "__init__.py").write_text("")
    (code_folder / "folder" / "mine.py").write_text(PLAYER)


def seat(text: str) -> Any:
    pack = find("reference")
    return make_player_from_spec(pack, pack.new(), "follower", text, [], lambda name: {})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mine.py:Mine", "code"),
        ("folder/mine.py:Mine,depth=2", "code"),
        ("/tmp/folder/mine.py", "code"),
        ("package.module:Mine", "code"),
        ("openai/gpt-4.1:latest", "model"),
        ("groundling/image/gold", "model"),
        ("script:replies.py", "named"),
        ("weights:some.folder/x", "named"),
        ("mine:Mine", "named"),
    ],
)
def test_a_seat_is_a_file_a_module_a_model_or_a_name(text: str, kind: str) -> None:
    spec = read_player_spec(text)
    assert (spec.is_code, spec.is_model) == (kind == "code", kind == "model")


@pytest.mark.parametrize("place", ["mine.py", "./mine.py", "folder/mine.py", "folder.mine"])
def test_a_class_with_act_takes_a_seat(place: str) -> None:
    player = seat(f"{place}:Chooser,choice=2")
    assert asyncio.run(player.act(ASK)) == Reply(text="Answer: second")
    assert player.name == "Chooser"
    origin = player_info(player).origin
    assert origin
    assert origin.code == f"{place}:Chooser"


def test_options_are_converted_to_the_annotated_types() -> None:
    player = seat("mine.py:Chooser,choice=3,share=1,loud=true,note=7")
    assert player._player.given == (3, 1.0, True, "7")
    assert isinstance(player._player.given[1], float)
    assert seat("mine.py:Anything,a=1,b=x")._player.given == {"a": "1", "b": "x"}


def test_a_class_may_take_the_seat_itself() -> None:
    assert seat("mine.py:Seated,depth=4").name == "follower 4"


def test_a_file_with_one_player_needs_no_class() -> None:
    Path("only.py").write_text(PLAYER.partition("class Seated")[0])
    assert seat("only.py,choice=3").name == "Chooser"


def test_a_player_that_cannot_answer_says_so_itself() -> None:
    with pytest.raises(Unable, match="not today"):
        asyncio.run(seat("mine.py:Anything").act(ASK))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gone.py:Mine", r"there is no file gone.py"),
        ("mine.py:Gone", r"mine.py has no Gone: choose from Anything, .*Chooser, .*Seated, Wordy$"),
        ("mine.py", r"mine.py has several: .*: name one, as in mine.py:Chooser$"),
        ("mine.py:Mute", r"mine.py:Mute has no act: give a class with async def act"),
        ("mine.py:WORDS", r"mine.py:WORDS has no act"),
        ("mine.py:Blocking", r"act of mine.py:Blocking is not async"),
        ("mine.py:Broken", r"mine.py:\d+ cannot make the player Broken \(RuntimeError: no battery\)"),
        ("mine.py:Chooser,chioce=2", r"mine.py:Chooser takes no option chioce: choose from choice, loud"),
        ("mine.py:Failing,choice=2", r"mine.py:Failing takes no option choice: it takes none"),
        ("mine.py:Chooser,choice=x", r"choice=x of mine.py:Chooser is wrong: give a value of type int"),
        ("mine.py:Seated", r"mine.py:Seated needs the option depth: write mine.py:Seated,depth=…"),
        ("mine.py:Seated,depth=1,seat=2", r"takes no option seat"),
        ("folder.gone:Mine", r"folder.gone cannot be imported"),
        ("mine:Chooser", r"no player 'mine': choose from .*, a model as PROVIDER/MODEL, or mine.py:Chooser$"),
    ],
)
def test_players_that_cannot_be_made_are_reported_in_one_line(text: str, why: str) -> None:
    with pytest.raises(Problem, match=why) as caught:
        seat(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mine.py:Failing", r"^mine.py:\d+ failed in episode edits-2-02 as follower \(KeyError: 'dream'\)"),
        ("mine.py:Wordy", r"^mine.py: act of Wordy returned a str in episode edits-2-02: return Reply\("),
    ],
)
def test_an_error_in_act_names_the_file(text: str, why: str) -> None:
    with pytest.raises(Problem, match=why):
        asyncio.run(seat(text).act(ASK))


def test_the_named_line_is_the_one_that_failed() -> None:
    with pytest.raises(Problem) as caught:
        asyncio.run(seat("mine.py:Failing").act(ASK))
    number = int(str(caught.value).partition(" ")[0].rpartition(":")[2])
    assert PLAYER.splitlines()[number - 1].strip() == 'raise KeyError("dream")'


def test_another_package_may_bring_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("chooser", "folder.mine:Chooser", "groundling.players")
    monkeypatch.setattr(
        player_specs,
        "installed_entry_points",
        lambda group: {"chooser": point} if group == "groundling.players" else installed_entry_points(group),
    )
    assert seat("chooser,choice=2").name == "Chooser"
    assert player_info(seat("chooser")).origin is None, "it is installed"
    with pytest.raises(Problem, match="choose from chooser, fullest"):
        seat("nobody")
    with pytest.raises(Problem, match="takes no argument 'x'"):
        seat("chooser:x")


def test_what_a_player_declares_has_defaults() -> None:
    class Plain:
        name = "plain"

        async def act(self, ask: Ask) -> Reply:
            return Reply(text="x")

    assert player_info(Plain()) == PlayerInfo()


def test_attributes_of_older_players_count() -> None:
    class Older:
        name, interactive, at_once = "older", True, 3
        facts, prompts, learned_from = {"a": "b"}, ["plain", "long"], {"x"}

        async def act(self, ask: Ask) -> Reply:
            return Reply(text="x")

    player: Player = Older()
    assert player_info(player) == PlayerInfo(
        facts={"a": "b"}, interactive=True, at_once=3, wordings=2, learned_from=frozenset({"x"})
    )
