"""Games and players from files, from playing to scores."""

from __future__ import annotations

import os
import shutil
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.code_sources import GAME, PLAYER

from groundling.cli import main

PLAY = ["--seat", "giver=gold", "--limit", "4", "-o", "runs/one", "--seat"]


@pytest.fixture(autouse=True)
def _with_files(code_folder: Path) -> None:
    (code_folder / "games").mkdir()
    (code_folder / "games" / "mine.py").write_text(GAME)
    (code_folder / "player.py").write_text(PLAYER)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def about() -> dict[str, Any]:
    return tomllib.loads(Path("runs/one/run.toml").read_text())


def test_a_run_records_where_its_code_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "play", "games/mine.py", *PLAY, "follower=player.py:Chooser")[0] == 0
    assert about()["origins"] == {
        "game": {"code": "../../games/mine.py:pack", "sha256": sha256(GAME.encode()).hexdigest()},
        "follower": {"code": "../../player.py:Chooser", "sha256": sha256(PLAYER.encode()).hexdigest()},
    }


def test_a_run_of_installed_code_records_no_origin(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "play", "groundling.games.reference:pack", *PLAY, "follower=rule")[0] == 0
    assert "origins" not in about()
    assert "code" not in about()["plan"]


def test_a_file_outside_the_working_folder_is_recorded_with_its_whole_path(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "mine.py"
    elsewhere.write_text(GAME)
    assert run(capsys, "play", str(elsewhere), *PLAY, "follower=rule")[0] == 0
    assert about()["origins"]["game"]["code"] == f"{elsewhere}:pack"


@pytest.mark.parametrize("game", ["games/mine.py", "games.mine:pack"])
def test_every_command_reads_a_run_with_the_game_it_was_played_with(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "make", game, "-n", "4", "--edits", "2", "-o", "set.jsonl")[0] == 0
    assert run(capsys, "play", game, "set.jsonl", *PLAY, "follower=rule", "--controls")[0] == 0
    status, out, err = run(capsys, "score", "runs/one")
    assert (status, err) == (0, "")
    assert "mine: 1 if the follower" in out
    assert "silent → rule" in out
    assert "played  1" in run(capsys, "show", "runs/one")[1]
    assert run(capsys, "report", "runs/one")[0] == 0
    assert run(capsys, "compare", "runs/one", "runs/one/silent")[0] == 0


def test_players_from_files_are_crossed(capsys: pytest.CaptureFixture[str]) -> None:
    players = [
        "--givers",
        "gold",
        "--followers",
        "player.py:Chooser",
        "--followers",
        "player.py:Chooser,choice=2",
    ]
    status, out, _ = run(capsys, "cross", "games/mine.py", "--limit", "3", *players)
    assert status == 0
    assert "player.py:Chooser,choice=2" in out


def test_a_run_folder_moves_with_the_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "play", "games/mine.py", *PLAY, "follower=rule")
    os.makedirs("moved")
    for name in ("runs", "games"):
        shutil.move(name, f"moved/{name}")
    assert run(capsys, "show", "moved/runs/one")[0] == 0


def test_a_changed_game_is_scored_with_a_warning_and_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "games/mine.py", *PLAY, "follower=rule"]
    run(capsys, *command)
    assert run(capsys, *command)[0] == 0, "nothing has changed"
    Path("games/mine.py").write_text(GAME + "# a remark\n")
    status, _, err = run(capsys, "score", "runs/one")
    assert (status, err) == (
        0, "warning: games/mine.py:pack has changed since runs/one was played: its scores may differ\n"
    )  # fmt: skip
    status, _, err = run(capsys, *command)
    then, now = (sha256(text.encode()).hexdigest()[:12] for text in (GAME, GAME + "# a remark\n"))
    assert status == 2
    assert f"games/mine.py:pack has changed (SHA-256 {then}… then, {now}… now)" in err
    assert err.count("\n") == 1


def test_resuming_with_a_changed_player_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "reference", *PLAY, "follower=player.py:Chooser"]
    run(capsys, *command)
    Path("player.py").write_text(PLAYER.replace("- 1]", "- 2]"))
    status, _, err = run(capsys, *command)
    assert status == 2
    assert "runs/one was begun with other code: player.py:Chooser has changed" in err
    assert run(capsys, "score", "runs/one")[::2] == (0, ""), "scores need no player"
    assert run(capsys, *command[:-1], "follower=rule")[2].startswith(
        "groundling: runs/one holds another run (other seats"
    )


def test_a_game_that_is_not_there_any_more_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "play", "games/mine.py", *PLAY, "follower=rule")
    shutil.move("games/mine.py", "other.py")
    for command in ("score", "show", "report"):
        status, _, err = run(capsys, command, "runs/one")
        assert (status, err) == (
            2,
            "groundling: runs/one was played with games/mine.py, which is not there: "
            "give the game with --game\n",
        )
        assert run(capsys, command, "runs/one", "--game", "other.py")[0] == 0
    assert run(capsys, "compare", "runs/one", "runs/one", "--game", "other.py")[0] == 0
    status, _, err = run(capsys, "score", "runs/one", "--game", "reference")
    assert status == 2
    assert "runs/one is a run of mine, not of reference: give mine with --game" in err


def test_a_run_that_a_player_stops_can_be_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "reference", *PLAY, "follower=player.py:Failing", "--jobs", "1"]
    status, _, err = run(capsys, *command)
    assert status == 2
    assert err.count("\n") == 1
    assert "player.py:" in err
    Path("awake").touch()
    status, out, _ = run(capsys, *command)
    assert status == 0
    assert "planned 4 = played 4 + aborted 0 + errored 0 + missing 0" in out
    episodes = [line for line in Path("runs/one/log.jsonl").read_text().splitlines() if '"opened"' in line]
    assert len(episodes) == 4, "no episode was begun twice"


def test_check_takes_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.py").write_text(GAME.replace('name="mine"', 'name="yours"'))
    status, out, _ = run(capsys, "check", "broken.py")
    assert status == 1
    assert "BROKEN   pack" in out
