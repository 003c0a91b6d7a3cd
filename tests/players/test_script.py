import asyncio
from pathlib import Path

import pytest

from groundling.core.pack import Seat, find
from groundling.core.player import Ask, Turn, Unable
from groundling.core.values import Problem
from groundling.players.script import make_script_player

pack = find("reference")


def ask(episode: str = "a", past: int = 0) -> Ask:
    return Ask(episode, "giver", None, tuple(Turn(None, "") for _ in range(past)), None, 0)


def seat(path: Path) -> Seat:
    return Seat(pack, pack.new(), "giver", "script", str(path))


def test_it_says_one_line_after_the_other_in_every_episode(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one\ntwo\n")
    player = make_script_player(seat(tmp_path / "lines.txt"))
    assert [asyncio.run(player.act(ask(e, past=k))).text for e in "ab" for k in (0, 1)] == ["one", "two"] * 2


def test_a_jsonl_script_is_by_episode(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text(
        '{"episode":"a","replies":["x"]}\n{"episode":"b","replies":["y"]}\n'
    )
    player = make_script_player(seat(tmp_path / "lines.jsonl"))
    assert asyncio.run(player.act(ask("b"))).text == "y"


def test_running_out_of_lines_is_a_failure_of_that_player_only(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one\n")
    with pytest.raises(Unable, match="no reply 2"):
        asyncio.run(make_script_player(seat(tmp_path / "lines.txt")).act(ask(past=1)))


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.jsonl", b'{"episode":"a"}\n', r"a\.jsonl:1 is not"),
        ("a.jsonl", b"\xff\n", "is not"),
        ("a.txt", b"\xff", "not UTF-8"),
    ],
)
def test_a_broken_script_is_reported_in_one_line(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Problem, match=why):
        make_script_player(seat(tmp_path / name))
