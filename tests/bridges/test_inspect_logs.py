"""Logs of our tasks are runs, runs of ours can be logs, and what was interrupted goes on as Inspect's users
expect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log

from groundling.cli import main
from groundling.runs.run import open_run
from groundling.runs.scoring import score_run

from . import slow_task
from .helpers import evaluate, means, ours

ROOT = Path(__file__).parents[2]
TASK = f"{slow_task.__file__}@reference"


@pytest.fixture(autouse=True)
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the test's models note that they were asked."""
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "asked"


def test_a_log_can_be_scored_shown_compared_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = ours("image", giver="rule", follower="rule")
    log = evaluate("groundling/image", tmp_path, task_args={"n": 4}, model_roles=roles).location
    assert (
        main(
            ["play", "image", "--limit", "4", "--seat", "giver=gold", "--seat", "follower=gold", "-o", "run"]
        )
        == 0
    )
    capsys.readouterr()
    assert main(["score", log]) == 0
    out = capsys.readouterr().out
    assert "planned 4 = played 4 + aborted 0 + errored 0 + missing 0" in out
    assert "groundling/image/rule → groundling/image/rule" in out
    assert "controls were not played" not in out
    assert Path(log).with_suffix(".scores.parquet").exists()
    assert main(["show", log, "compact-01"]) == 0
    assert "[giver replies] Instruction:" in capsys.readouterr().out
    assert main(["compare", "run", log]) == 0
    assert "f1, compact" in capsys.readouterr().out
    assert main(["report", "run", log, "-o", "report.html"]) == 0
    assert "played by Inspect" in Path("report.html").read_text()


def test_what_a_log_says_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roles = ours("reference", giver="gold", follower="rule")
    log = evaluate("groundling/reference", tmp_path, task_args={"n": 3}, model_roles=roles).location
    seats = ["--seat", f"giver=replay:{log}", "--seat", "follower=rule"]
    assert main(["play", "reference", "--limit", "3", *seats, "-o", "again"]) == 0
    assert "success 1.000" in capsys.readouterr().out


def test_a_run_written_as_a_log_has_the_same_episodes_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("said.txt").write_text("Instruction: X in the corner\nInstruction: DONE\n")
    seats = ["--seat", "giver=script:said.txt", "--seat", "follower=rule"]
    assert main(["play", "image", "--limit", "5", "--repeat", "2", *seats, "-o", "run"]) == 0
    assert main(["data", "export", "run", "-o", "logs/run.eval"]) == 0
    assert "logs/run.eval: 10 episodes of image" in capsys.readouterr().out
    run, log = open_run("run"), open_run("logs/run.eval")
    assert sorted(run.read_transcripts(), key=lambda t: t.episode) == sorted(
        log.read_transcripts(), key=lambda t: t.episode
    )
    assert log.read_about()["plan"]["seats"] == run.read_about()["plan"]["seats"]
    assert main(["verify", "logs/run.eval"]) == 0
    assert "no checksums: only the replays were checked" in capsys.readouterr().out
    mine = score_run(run)
    written = read_eval_log("logs/run.eval")
    assert written.status == "success"
    assert means(written)["f1"] == pytest.approx(mine["f1"].mean())
    assert written.samples
    assert [event.name for event in written.samples[0].events if event.event == "span_begin"][:2] == [
        "giver",
        "follower",
    ]


def test_an_errored_episode_is_errored_in_the_log_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("said.txt").write_text("Instruction: X in the corner\n")
    assert (
        main(
            [
                "play",
                "image",
                "--limit",
                "1",
                "--seat",
                "giver=script:said.txt",
                "--seat",
                "follower=rule",
                "-o",
                "run",
            ]
        )
        == 1
    )
    assert main(["data", "export", "run", "-o", "run.jsonl"]) == 2
    assert "games of image cannot be written as published data" in capsys.readouterr().err
    assert main(["data", "export", "run", "-o", "run.eval"]) == 0
    assert main(["score", "run.eval"]) == 0
    assert "played 0 + aborted 0 + errored 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["score", "gone.eval"], "gone.eval does not exist"),
        (["score", "broken.eval"], "cannot be read as a log of Inspect"),
        (["data", "export", "run", "-o", "run.xyz"], "choose from .eval"),
        (["data", "export", "nothing", "-o", "x.eval"], "nothing is not a run"),
    ],
)
def test_what_is_no_log_is_reported_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("broken.eval").write_bytes(b"PK\3\4 but no more")
    assert main(words) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_a_log_of_another_task_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.py"
    file.write_text(
        "from inspect_ai import Task, task\nfrom inspect_ai.dataset import Sample\n"
        "@task\ndef other():\n    return Task(dataset=[Sample(input='1+1')])\n"
    )
    log = evaluate(f"{file}@other", tmp_path, model="slow/0").location
    assert main(["score", log]) == 2
    assert "is a log of other, not of a game" in capsys.readouterr().err


def test_a_model_that_fails_errs_its_sample_and_a_retry_plays_only_that(tmp_path: Path, asked: Path) -> None:
    options = {"task_args": {"n": 4, "seats": "giver=gold"}, "model": "moody/3", "max_samples": 1}
    log = evaluate(TASK, tmp_path, fail_on_error=False, **options)
    assert log.samples
    assert [sample.error is not None for sample in log.samples].count(True) == 1
    table = score_run(open_run(log.location))
    assert table["status"].to_list().count("errored") == 1
    assert table.filter(table["status"] == "errored")["failed_at"].to_list() == ["inspect"]
    assert len(asked.read_text().splitlines()) == 4

    (again,) = eval_retry(log, log_dir=str(tmp_path), display="none")
    assert len(asked.read_text().splitlines()) == 5
    assert score_run(open_run(again.location))["status"].to_list() == ["played"] * 4


@pytest.mark.slow
def test_what_was_killed_continues_with_what_is_missing(tmp_path: Path, asked: Path) -> None:
    script = (
        "import inspect_ai, tests.bridges.slow_task; inspect_ai.eval("
        f"{TASK!r}, task_args=dict(n=6, seats='giver=gold'), model='slow/0.5', "
        f"max_samples=1, log_buffer=1, display='none', log_dir={str(tmp_path / 'logs')!r})"
    )
    going = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)})
    while not asked.exists() or len(asked.read_text().splitlines()) < 4:
        time.sleep(0.1)
        assert going.poll() is None
    os.kill(going.pid, signal.SIGKILL)
    going.wait()
    (killed,) = (tmp_path / "logs").glob("*.eval")
    finished = len(read_eval_log(str(killed)).samples or [])
    assert 2 <= finished <= 4
    assert score_run(open_run(killed))["status"].to_list() == ["played"] * finished

    before = len(asked.read_text().splitlines())
    (done,) = eval_retry(str(killed), log_dir=str(tmp_path / "logs"), display="none")
    assert len(asked.read_text().splitlines()) - before == 6 - finished
    assert score_run(open_run(done.location))["status"].to_list() == ["played"] * 6
