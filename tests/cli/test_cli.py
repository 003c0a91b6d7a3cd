"""The command line as a stranger uses it."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from groundling.cli import main

PLAY = ["play", "reference", "--seat", "giver=gold", "--seat", "follower=gold"]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    said = capsys.readouterr()
    return status, said.out, said.err


def test_games_are_listed_with_their_seats_and_players(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "games")
    assert status == 0
    assert "reference: " in out
    assert "giver, follower" in out
    assert "rule" in out


def test_from_making_to_scores(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(
        capsys, "make", "reference", "-n", "8", "--seed", "3", "--edits", "1-2", "--fill", "-o", "set.jsonl"
    )
    assert (status, out) == (0, "set.jsonl: 8 instances of reference\n")
    status, out, _ = run(capsys, *PLAY[:2], "set.jsonl", *PLAY[2:], "-o", "run", "--controls")
    assert status == 0
    assert out.count("planned 8 = played 8 + aborted 0 + errored 0 + missing 0") == 3
    status, out, _ = run(capsys, "score", "run")
    assert status == 0
    assert re.search(r"edits-1-2 +gold → gold +8 +8 +1\.000 +\[0\.\d+, 1\.000\]", out)
    assert all(row in out for row in ("silent → gold", "shuffled → gold", "chance"))
    assert "calls" not in out, "no model was called"
    assert pl.read_parquet("run/scores.parquet").height == 8


def test_made_instances_go_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["make", "reference", "-n", "2"]) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["edits-2-1", "edits-4-1"]


def test_a_fresh_set_can_be_revealed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "make", "reference", "-n", "4", "--fresh", "-o", "a.jsonl")
    assert status == 0
    assert "keep it private" in out
    assert os.stat("a.jsonl.secret").st_mode & 0o077 == 0
    status, out, _ = run(capsys, "make", "reference", "--reveal", "a.jsonl")
    assert (status, "same bytes" in out) == (0, True)
    assert run(capsys, "make", "reference", "--fresh", "-o", "a.jsonl")[0] == 2, (
        "the secret is not written over"
    )


def test_a_dry_run_plays_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, *PLAY, "--dry-run")
    assert status == 0
    assert "would play 36 of 36 episodes (0 done)" in out
    assert not Path("runs").exists()


def test_without_a_folder_the_run_is_named_after_its_plan(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "2")
    run(capsys, *PLAY, "--limit", "2")
    run(capsys, *PLAY, "--limit", "2", "--retries", "3")
    assert len(list(Path("runs").glob("reference-*"))) == 2


def test_an_errored_episode_gives_status_1_and_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    Path("short.jsonl").write_text('{"episode": "edits-2-01", "replies": []}\n')
    status, out, _ = run(
        capsys,
        "play",
        "reference",
        "--seat",
        "giver=gold",
        "--seat",
        "follower=script:short.jsonl",
        "--controls",
    )
    assert status == 1
    assert "errored 36" in out
    assert "the same command would fail again: complete the recording, or" in out
    assert "play errored" not in out


def test_show_prints_an_episode_and_writes_its_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "2", "-o", "run")
    _, listing, _ = run(capsys, "show", "run")
    assert listing == (
        "edits-2-01  played  1\nedits-4-01  played  1\n"
        "planned 2 = played 2 + aborted 0 + errored 0 + missing 0\n"
    )
    status, out, _ = run(capsys, "show", "run", "edits-4-01", "--svg", "pictures")
    assert status == 0
    assert "[giver sees]" in out
    assert "[finished] score 1" in out
    assert len(list(Path("pictures").glob("*.svg"))) == 4


def test_runs_are_compared_in_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "-o", "a")
    run(
        capsys,
        "play",
        "reference",
        "--seat",
        "giver=gold",
        "--seat",
        "follower=random",
        "--limit",
        "20",
        "-o",
        "b",
    )
    status, out, _ = run(capsys, "compare", "a", "b")
    assert status == 0
    assert re.search(r"success +20 +20 +1\.000 +0\.\d+ +-0\.\d+ +\[-", out)
    assert "16 episodes have no partner" in out
    status, out, _ = run(capsys, "compare", "a@edits-2", "a@edits-4")
    assert status == 0
    assert re.search(r"success +18 +18 +1\.000 +1\.000 +\+0\.000", out)


def test_check_names_every_law(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", "groundling.games.reference:pack")
    assert status == 0
    assert out.count("\nok") + out.startswith("ok") >= 12


def test_help_lists_the_commands_in_the_order_of_work(capsys: pytest.CaptureFixture[str]) -> None:
    listed = re.findall(r"^  (\w+)  +[A-Z]", run(capsys, "--help")[1].partition("Commands:")[2], re.MULTILINE)
    order = [
        "make",
        "play",
        "score",
        "verify",
        "show",
        "note",
        "report",
        "compare",
        "agree",
        "cross",
        "fresh",
        "merge",
        "tournament",
        "rank",
        "blame",
        "leaderboard",
        "archive",
        "serve",
        "study",
        "data",
        "train",
        "check",
        "games",
    ]
    ours = [name for name in listed if name in order]
    assert ours == [name for name in order if name in listed]
    assert len(ours) >= 12
    assert listed[: len(ours)] == ours, "the games' own commands come last"


def test_the_version_and_the_help_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version")[1].startswith("groundling 0.")
    assert "Commands:" in run(capsys)[1]
    assert "--crossed" in run(capsys, "make", "reference", "--help")[1]


BAD = [
    (["play", "chess"], "no game 'chess': choose from codraw, "),
    (["make", "chess"], "no game 'chess': choose from codraw, "),
    (["play"], "which game"),
    (["frobnicate"], "frobnicate"),
    (["play", "reference"], "seat giver is empty"),
    ([*PLAY, "--seat", "drawer=gold"], "no seat 'drawer'"),
    (["play", "reference", "--seat", "giver=gold", "--seat", "follower=nobody"], "no player 'nobody'"),
    (
        ["play", "reference", "--seat", "giver=gold", "--seat", "follower=script:none.txt"],
        "none.txt: No such file",
    ),
    (["play", "reference", "--seat", "giver=gold", "--seat", "follower=replay:none"], "none is not a run"),
    ([*PLAY[:2], "none.jsonl", *PLAY[2:]], "none.jsonl: No such file"),
    ([*PLAY[:2], "broken.jsonl", *PLAY[2:]], "broken.jsonl:1 is not an instance of reference"),
    ([*PLAY, "--limit", "0"], "limit is 0"),
    ([*PLAY, "--jobs", "0"], "--jobs is 0"),
    ([*PLAY, "--repeat", "0"], "--repeat is 0"),
    ([*PLAY, "--retries", "-1"], "--retries is -1"),
    ([*PLAY, "--jobs", "many"], "--jobs"),
    ([*PLAY, "--colour", "red"], "--colour"),
    ([*PLAY, "-o", "/proc/nowhere"], "/proc/nowhere"),
    ([*PLAY, "-o", "broken.jsonl"], "broken.jsonl"),
    (["make", "reference", "-n", "0"], "n is 0: make at least 1"),
    (["make", "reference", "-n", "-3"], "n is -3"),
    (["make", "reference", "--size", "2"], "--size 2: expected int >= 3"),
    (["make", "reference", "--size", "three"], "--size"),
    (["make", "reference", "--edits", "0-2"], "no number of edits"),
    (["make", "reference", "--fresh"], "add -o FILE"),
    (["make", "reference", "--fresh", "--seed", "4", "-o", "x"], "leave out --seed"),
    (["make", "reference", "--reveal", "none.jsonl"], "none.jsonl: No such file"),
    (["make", "reference", "--reveal", "broken.jsonl"], "broken.jsonl has no private seed beside it"),
    (["make", "reference", "--fresh", "-o", "/proc/nowhere/x"], "/proc/nowhere/x: "),
    (["make", "reference", "--fresh", "-o", "empty/x"], "empty/x: "),
    ([*PLAY[:2], "twice.jsonl", *PLAY[2:]], "twice.jsonl has two instances with the id 'edits-2-1'"),
    (["make", "reference", "-o", "/proc/nowhere/x"], "/proc/nowhere/x: "),
    (["score", "none"], "none is not a run"),
    (["compare", "none", "none"], "none is not a run"),
    (["show", "none"], "none is not a run"),
    ([*PLAY, "--max-tokens-total", "-5"], "--max-tokens-total is -5: must be at least 1"),
    ([*PLAY, "--prompts", "all"], "--prompts is for language models, and none has a seat"),
    (["check", "json:dumps"], "not a Pack"),
    (["check", "no.such:pack"], "no.such cannot be imported (ModuleNotFoundError"),
    (["check", "reference:"], "is not PACKAGE:PACK"),
    (
        ["play", "image", "--seat", "giver=gold", "--seat", "follower=gold", "--turns", "-1"],
        "--turns -1: expected int >= 0",
    ),
    (
        ["play", "image", "--seat", "giver=gold", "--seat", "follower=gold", "--turns", "x"],
        "--turns x: expected int",
    ),
    (["make", "image", "--set", "funny"], "--set funny: choose from both, compact, random"),
    ([*PLAY, "--limit", "1", "--controls"], "shuffled needs another instance beside edits-2-01: play more"),
    (["check", "chess"], "no game 'chess'"),
    (["play", "codraw", "--seat", "drawer=grammar"], "seat teller is empty"),
    (
        ["play", "codraw", "--seat", "teller=replay", "--seat", "drawer=grammar"],
        "has no recording of the teller",
    ),
    (["serve", "--db", "games.db", "--consent", "binary"], "binary is not UTF-8 text"),
    (["serve", "--db", "games.db", "--consent", "empty"], "empty is empty"),
    (["serve", "--db", "games.db", "--consent", "."], ".: Is a directory; name a file"),
    (["serve", "--db", "games.db", "--erase", ""], "'' is not ROOM/SEAT"),
    (["show", "binary"], "binary is not a run"),
    (["score", "binary"], "binary is not a run"),
    (["verify", "binary"], "binary is not a run"),
    ([*PLAY, "-o", "binary"], "binary is a file: choose a folder with -o"),
    ([*PLAY, "-o", "binary/run"], "binary is a file: choose a folder with -o"),
    ([*PLAY[:2], ".", *PLAY[2:]], ".: Is a directory; name a file"),
    ([*PLAY[:2], "binary", *PLAY[2:]], "binary:1 is not an instance of reference"),
    ([*PLAY[:2], "empty", *PLAY[2:]], "empty holds no instances"),
    ([*PLAY[:-1], "follower=script:empty"], "empty is empty: write a reply on every line"),
    ([*PLAY[:-1], "follower=replay:binary"], "binary is not a run"),
    ([*PLAY, "--set", "edits-9"], "no set 'edits-9': choose from edits-2, edits-4"),
    ([*PLAY, "--limit", "-1"], "limit is -1"),
    ([*PLAY, "--limit", "ten"], "(see groundling play reference --help)"),
    (["serve", "--admin", "--items", "empty"], "empty is not JSON"),
    (["serve", "--admin", "--items", "."], "cannot be read (Is a directory)"),
    (["director", "items", "nothing"], "(see groundling director items --help)"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_gets_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    Path("broken.jsonl").write_text("{\n")
    Path("binary").write_bytes(b"\xd4\x00\xff")
    Path("empty").write_text(" \n")
    if "twice.jsonl" in arguments:
        assert run(capsys, "make", "reference", "-n", "2", "-o", "twice.jsonl")[0] == 0
        Path("twice.jsonl").write_bytes(Path("twice.jsonl").read_bytes() * 2)
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.startswith("groundling: ")
    assert err.count("\n") == 1
    assert why in err


def test_a_run_that_has_not_begun_cannot_be_scored(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "1", "-o", "run")
    Path("run/log.jsonl").write_text("")
    assert "nothing has been played yet" in run(capsys, "score", "run")[2]
    assert "nothing to compare" in run(capsys, "compare", "run", "run")[2]
    assert "no episode 'x'" in run(capsys, "show", "run", "x")[2]
    assert "--svg needs an episode" in run(capsys, "show", "run", "--svg", "pictures")[2]


def test_runs_that_share_nothing_are_compared_as_independent_samples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(capsys, "make", "reference", "--edits", "3", "-n", "8", "-o", "a.jsonl")
    run(capsys, *PLAY[:2], "a.jsonl", *PLAY[2:], "-o", "a")
    run(capsys, *PLAY, "-o", "b", "--limit", "8")
    status, out, _ = run(capsys, "compare", "a", "b")
    assert status == 0
    assert "two independent samples" in out
    assert re.search(r"success +16 +16 +1\.000 +1\.000", out)


def test_the_same_id_in_two_files_is_not_the_same_instance(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("1", "2"):
        run(capsys, "make", "reference", "--seed", seed, "-n", "8", "-o", f"{seed}.jsonl")
        run(capsys, *PLAY[:2], f"{seed}.jsonl", *PLAY[2:], "-o", seed)
    assert "two independent samples" in run(capsys, "compare", "1", "2")[1]


@pytest.mark.parametrize(
    ("number", "advice"),
    [(28, "free some space"), (30, "permission to read and write"), (5, "another place")],
)
def test_a_disk_that_refuses_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    def refuse(file: int, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("groundling.runs.event_log.os.write", refuse)
    status, _, err = run(capsys, *PLAY, "-o", "run")
    assert (status, err.count("\n")) == (2, 1)
    assert "run/log.jsonl" in err
    assert advice in err


def test_a_file_that_cannot_be_written_whole_is_not_left_behind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert run(capsys, "make", "reference", "-o", "a.jsonl")[0] == 2
    assert list(Path().iterdir()) == []


def test_a_read_only_run_is_scored_with_a_warning(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, *PLAY, "--limit", "2", "-o", "run")

    def refuse(path: Path, data: bytes) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr("groundling.runs.scoring_table.write_whole_file", refuse)
    status, out, err = run(capsys, "score", "run")
    assert (status, err) == (0, "warning: run/scores.parquet was not written (Read-only file system)\n")
    assert "gold → gold" in out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["score", "run", "--set", "edits-9"], "no set 'edits-9': choose from edits-2, edits-4"),
        (["compare", "run", "run@edits-9"], "no set 'edits-9': choose from edits-2, edits-4"),
        (["score", "run", "--by", "colour"], "cannot be broken down by 'colour': choose from set"),
        (["score", "run", "--game", "image"], "run is a run of reference, not of image"),
        (["show", "run", "edits-2-01", "--svg", "run/run.toml"], "run/run.toml: File exists; name a folder"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_printed(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    run(capsys, *PLAY, "-o", "run")
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert why in err


def test_no_line_of_the_help_is_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    assert "..." not in run(capsys, "--help")[1].partition("Commands:")[2]


def test_scores_that_cannot_be_written_are_still_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, *PLAY, "--limit", "2", "-o", "run")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for command in (["score", "run"], ["report", "run", "-o", "x.html"]):
        status, _, err = run(capsys, *command)
        assert (status, err.count("\n")) == (2, 1)
        assert "free some space" in err
    assert "gold → gold" in run(capsys, "score", "run")[1]
    assert not list(Path().rglob("*.part"))


def test_a_run_given_twice_is_scored_once(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "4", "-o", "run")
    assert re.search(r"gold → gold +4 +4 ", run(capsys, "score", "run", "./run")[1])


def test_a_log_of_a_newer_version_is_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "2", "-o", "run")
    log = Path("run/log.jsonl")
    log.write_text(log.read_text().replace('"schema":1', '"schema":99'))
    status, _, err = run(capsys, *PLAY, "--limit", "2", "-o", "run")
    assert (status, "upgrade groundling" in err) == (2, True)


def test_a_terminal_without_our_signs_gets_question_marks(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, *PLAY, "--limit", "1", "-o", "run")
    command = [sys.executable, "-m", "groundling", "show", "run", "edits-2-01"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "P ? ?" in done.stdout


def test_the_progress_bar_counts_what_is_safe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run(capsys, *PLAY)[0] == 0


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m groundling make reference -n 3000 | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


INTERRUPTING = """
import importlib.abc, os, signal, sys

class Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""


def interruptible(command: list[str], **options: Any) -> "subprocess.Popen[str]":
    """Start a process that gets SIGINT, which processes in the background of a shell ignore."""

    def restore_interrupt() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restore_interrupt,
        **options,
    )


@pytest.mark.parametrize(
    "module",
    [
        "groundling.cli",
        "typer",
        "groundling.cli.play",
        "groundling.games.reference.rules",
        "asyncio",
        "numpy",
    ],
)
def test_ctrl_c_during_an_import_ends_in_one_line(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "INTERRUPT_AT": module}
    process = interruptible([sys.executable, "-m", "groundling", *PLAY, "--limit", "2"], env=environment)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "stopped\n")


SLOW_GIVER = """
import asyncio
from groundling.core.player import Reply


class Slow:
    name = "slow"

    async def act(self, ask):
        await asyncio.sleep(0.05)
        return Reply(text="Expression: the marked one")


def make(seat):
    return Slow()
"""


def test_ctrl_c_stops_cleanly_and_the_same_command_continues(tmp_path: Path) -> None:
    (tmp_path / "slow_giver.py").write_text(SLOW_GIVER)
    code = (
        "import sys, groundling.players, groundling.__main__\n"
        "groundling.players.SHARED['slow'] = 'slow_giver:make'\n"
        "sys.exit(groundling.__main__.main())"
    )
    seats = ["--seat", "giver=slow", "--seat", "follower=random"]
    command = [sys.executable, "-c", code, "play", "reference", *seats, "--jobs", "1", "-o", "run"]
    process = interruptible(command)
    log = Path("run/log.jsonl")
    while process.poll() is None and (not log.exists() or '"closed"' not in log.read_text()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert err == "stopped; run the same command again to resume\n"
    played = int(re.search(r"played (\d+)", out)[1])  # type: ignore[index]
    assert 0 < played < 36
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "planned 36 = played 36 + aborted 0 + errored 0 + missing 0" in again.stdout


COMPUTING_GIVER = """
import asyncio
import threading
from groundling.core.player import Reply

threading.Thread(target=threading.Event().wait).start()


class Computing:
    async def act(self, ask):
        print("asked", flush=True)
        await asyncio.Event().wait()
"""


def test_ctrl_c_does_not_wait_for_threads_that_still_compute(tmp_path: Path) -> None:
    (tmp_path / "computing.py").write_text(COMPUTING_GIVER)
    seats = ["--seat", f"giver={tmp_path / 'computing.py'}:Computing", "--seat", "follower=random"]
    process = interruptible([sys.executable, "-m", "groundling", "play", "reference", *seats, "-o", "run"])
    assert process.stdout is not None
    while "asked" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "stopped; run the same command again to resume\n")


def test_a_run_of_other_instances_cannot_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *PLAY, "--limit", "2", "-o", "run")[0] == 0
    status, _, err = run(capsys, "play", "image", "--seat", "giver=replay:run", "--seat", "follower=rule")
    assert (status, err.count("\n")) == (2, 1)
    assert "run has no recording of any of these instances" in err


def test_why_a_player_could_not_answer_is_reported_with_the_first_episode(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(capsys, *PLAY, "--limit", "1", "-o", "one")[0] == 0
    again = [
        "play",
        "reference",
        "--seat",
        "giver=gold",
        "--seat",
        "follower=replay:one",
        "--limit",
        "3",
        "-o",
        "three",
    ]
    for _ in range(2):
        status, out, _ = run(capsys, *again)
        assert status == 1
        assert "played 1 + aborted 0 + errored 2" in out
        assert (
            "edits-4-01: follower could not answer (recording): there is no recording of edits-4-01\n" in out
        )


def test_a_group_of_commands_shows_its_help_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "codraw")
    assert status == 2
    assert err.startswith("Usage: groundling codraw")
    assert "\n  table " in err


@pytest.mark.parametrize("name", ["table", "language", "games", "asking", "curve"])
def test_a_withdrawn_command_says_in_one_line_where_it_went(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "codraw", name, "weights", "--data", "gone", "-o", "table.txt")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "papers.codraw" in err
