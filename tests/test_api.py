"""The Python API does what the commands do, also in a notebook."""

from __future__ import annotations

import asyncio
import os
import runpy
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, assert_type

import polars as pl
import pytest

import groundling
from groundling.cli.main import main

ROOT = Path(__file__).parent.parent
SEATS = {"giver": "gold", "follower": "rule"}


def play_some(out: Path, **more: Any) -> Path:
    return groundling.play("reference", seat=SEATS, limit=6, out=out, **more)


def test_the_names_are_at_most_a_dozen_and_all_there() -> None:
    assert len(groundling.__all__) <= 12
    assert all(hasattr(groundling, name) for name in groundling.__all__)
    assert set(groundling.__all__) <= set(dir(groundling))


def test_importing_the_package_imports_nothing_else_of_ours_and_no_polars() -> None:
    code = (
        "import sys, groundling; print(*[n for n in sys.modules if n.startswith(('groundling.', 'polars'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "\n"


def test_the_types_are_of_the_functions_that_are_there() -> None:
    stub = (ROOT / "src/groundling/__init__.pyi").read_text()
    assert {name for name in groundling.__all__ if f" as {name}\n" in stub} == {*groundling.__all__} - {
        "__version__"
    }


def test_a_call_plays_what_the_command_plays(tmp_path: Path) -> None:
    ours = play_some(tmp_path / "ours", controls=True)
    seats = [word for role, player in SEATS.items() for word in ("--seat", f"{role}={player}")]
    theirs = str(tmp_path / "theirs")
    assert main(["play", "reference", *seats, "--limit", "6", "--controls", "-o", theirs]) == 0
    drop = ("run", "seconds")
    assert groundling.load(ours).drop(drop).equals(groundling.load(theirs).drop(drop))
    assert groundling.score(ours).drop("run").equals(groundling.score(theirs).drop("run"))


def test_scores_are_those_that_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = play_some(tmp_path / "run", controls=True)
    assert main(["score", str(run)]) == 0
    printed = capsys.readouterr().out
    for row in groundling.score(run).filter(pl.col("control") != "chance").iter_rows(named=True):
        cells = f"{row['mean']:.3f}  [{row['low']:.3f}, {row['high']:.3f}]"
        assert cells in printed


def test_a_comparison_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = play_some(tmp_path / "a")
    b = groundling.play("reference", seat={**SEATS, "follower": "random"}, limit=6, out=tmp_path / "b")
    assert main(["compare", str(a), str(b)]) == 0
    printed = capsys.readouterr().out
    for row in groundling.compare(a, b).iter_rows(named=True):
        assert f"{row['difference']:+.3f}" in printed
    assert groundling.compare(a, a)["difference"].to_list() == [0.0] * len(groundling.compare(a, a))


def test_it_plays_inside_a_running_event_loop(tmp_path: Path) -> None:
    async def cell() -> pl.DataFrame:
        return groundling.score(play_some(tmp_path / "inside", controls=True))

    outside = groundling.score(play_some(tmp_path / "outside", controls=True))
    assert asyncio.run(cell()).drop("run").equals(outside.drop("run"))


def test_an_interruption_inside_a_running_loop_keeps_what_was_played(tmp_path: Path) -> None:
    player = tmp_path / "slow.py"
    player.write_text(
        "import asyncio\n"
        "from groundling.core.player import Reply\n"
        "class Slow:\n"
        "    async def act(self, ask):\n"
        "        await asyncio.sleep(0 if ask.episode.endswith('1') else 600)\n"
        "        return Reply(text='Answer: first')\n"
    )
    run = tmp_path / "run"

    async def cell() -> None:
        play_with(f"{player}:Slow")

    def play_with(follower: str) -> Path:
        return groundling.play("reference", seat={"giver": "gold", "follower": follower}, limit=3, out=run)

    log = run / "log.jsonl"
    stop = threading.Event()

    def interrupt() -> None:
        while not stop.wait(0.05):
            if log.exists() and b'"closed"' in log.read_bytes():
                os.kill(os.getpid(), signal.SIGINT)
                return

    watcher, loop = threading.Thread(target=interrupt), asyncio.new_event_loop()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    watcher.start()
    try:
        # as a notebook's kernel does; asyncio.run would only cancel the cell at the first signal
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        stop.set()
        watcher.join()
        loop.close()
        signal.signal(signal.SIGINT, before)
    assert 1 <= (groundling.load(run)["status"] == "played").sum() < 3
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("groundling")]


def test_a_run_with_missing_episodes_warns_and_says_why(tmp_path: Path) -> None:
    player = tmp_path / "gone.py"
    player.write_text(
        "from groundling.core.player import Unable\n"
        "class Gone:\n"
        "    async def act(self, ask):\n"
        "        raise Unable('provider', 'no answer')\n"
    )
    with pytest.warns(UserWarning, match=r"2 episodes are errored .*no answer.*the same call plays them"):
        groundling.play(
            "reference", seat={"giver": "gold", "follower": f"{player}:Gone"}, limit=2, out=tmp_path / "run"
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: groundling.play("chess"), "there is no game 'chess'"),
        (lambda: groundling.play("reference", seat={"giver": "gold"}), "seat follower is empty"),
        (lambda: groundling.play("reference", seat={"king": "gold"}), "has no seat 'king'"),
        (lambda: groundling.play("reference", seat=SEATS, turns=3), "reference has no setting turns"),
        (lambda: groundling.play("reference", seat=SEATS, jobs=0), "jobs is 0: must be at least 1"),
        (lambda: groundling.play("reference", seat=SEATS, limit=1, sample=1), "choose one of them"),
        (lambda: groundling.play("reference", seat=SEATS, set="none"), "there is no set 'none'"),
        (lambda: groundling.play("image", seat=SEATS, turns="many"), "the setting turns of image is 'many'"),
        (lambda: groundling.make("reference", "x.jsonl", colour=3), "has no option of its recipe colour"),
        (lambda: groundling.score("nowhere"), "nowhere is not a run"),
        (lambda: groundling.score(), "no run is given"),
        (lambda: groundling.load_replies("nowhere"), "nowhere is not a run"),
        (lambda: groundling.compare("nowhere", "nowhere"), "nowhere is not a run"),
        (lambda: groundling.show("nowhere", "1"), "nowhere is not a run"),
        (lambda: groundling.write_report("nowhere"), "nowhere is not a run"),
    ],
)
def test_a_mistake_is_one_line(
    call: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(groundling.Problem) as raised:
        call()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not [*tmp_path.iterdir()]


def test_an_episode_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = play_some(tmp_path / "run")
    with pytest.raises(groundling.Problem, match="has no episode 'x'"):
        groundling.show(run, "x")


def test_games_are_listed_with_their_seats_and_players() -> None:
    games = groundling.list_games()
    (reference,) = games.filter(pl.col("game") == "reference").iter_rows(named=True)
    assert reference["seats"] == ["giver", "follower"]
    assert {"gold", "rule", "terminal"} <= {*reference["players"]}


def test_the_package_is_typed(tmp_path: Path) -> None:
    """`make lint` checks the assertions; this test checks that other projects see the types too."""
    assert (Path(groundling.__file__).parent / "py.typed").is_file()
    run = assert_type(play_some(tmp_path / "run"), Path)
    assert isinstance(assert_type(groundling.score(run), pl.DataFrame), pl.DataFrame)
    assert isinstance(assert_type(groundling.load(run), pl.DataFrame), pl.DataFrame)


def test_the_notebook_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(ROOT / "examples/notebook.py"))
    assert found["scores"].filter(pl.col("control") == "")["mean"].to_list()[0] == 1.0
    assert (tmp_path / "build/notebook/report.html").is_file()
    code = (ROOT / "examples/notebook.py").read_text()
    assert [line for line in code.splitlines() if "import " in line] == ["import groundling"]
