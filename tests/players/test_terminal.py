import asyncio
import io
from pathlib import Path

import pytest
from tests.helpers import session

from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask
from groundling.players.terminal import make_terminal_player
from groundling.runs.run import read_run_recordings


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> list[str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    at_table = session(folder, {"giver": "gold", "follower": "terminal"}, limit=2)
    assert at_table.is_interactive
    at_table.play_missing(1)
    return [t.status for t in read_run_recordings(folder).values()]


def test_a_person_plays_at_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, monkeypatch, "second\nfirst\n") == ["played", "played"]
    shown = capsys.readouterr().out
    assert "you are the follower" in shown
    assert "Your partner's description: Row 1" in shown


def test_the_rules_and_the_form_of_a_reply_are_told_once_and_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, form = "You and a partner look at the same letter grids", "Reply with one of these lines"
    assert play(tmp_path / "a", monkeypatch, "second\nfirst\n") == ["played", "played"]
    shown = capsys.readouterr().out
    assert shown.index(rules) < shown.index(form) < shown.index("follower>")
    assert shown.count(rules) == 1
    assert play(tmp_path / "b", monkeypatch, "?\nsecond\n?\n?\nfirst\n") == ["played", "played"]
    assert capsys.readouterr().out.count(rules) == 4


def test_a_reply_may_have_several_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["▢ ▢ ▢ ▢ ▢"] * 5
    monkeypatch.setattr("sys.stdin", io.StringIO("\\\n".join(rows) + "\n"))
    pack = find("image")
    player = make_terminal_player(Seat(pack, pack.new(), "follower", "terminal"))
    instance = load(pack.builtin)()[0]
    view = pack.new().view(pack.new().start(instance), "follower")
    reply = asyncio.run(player.act(Ask("a", "follower", view, (), None, 0)))
    assert reply.text == "\n".join(rows)


def test_what_is_not_understood_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, monkeypatch, "hm\nfirst\nsecond\n") == ["played", "played"]
    assert "Not taken: name one grid: first, second or third" in capsys.readouterr().out


def test_a_person_who_leaves_ends_that_episode_and_can_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sorted(play(tmp_path, monkeypatch, "second\n")) == ["errored", "played"]
    assert capsys.readouterr().out.count("you are the follower") == 2
    assert play(tmp_path, monkeypatch, "second\n") == ["played", "played"]
