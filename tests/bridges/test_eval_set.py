"""Inspect's eval sets over several processes: each plays one task into a shared folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from groundling.cli.main import main

TASKS = ["groundling/reference", "groundling/image"]


def run_eval_set(folder: Path, **variables: Path) -> subprocess.CompletedProcess[str]:
    options = ["-T", "seats=giver=gold,follower=rule", "-T", "n=3", "-T", "seed=5"]
    quiet = ["--model", "mockllm/model", "--log-dir", "logs", "--display", "none", "--no-log-realtime"]
    return subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval-set", *TASKS, *options, *quiet],
        cwd=folder,
        env={**os.environ, **{name: str(path) for name, path in variables.items()}},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_a_process_for_each_task_fills_one_folder_that_score_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = run_eval_set(tmp_path, INSPECT_EVAL_SET_CAPTURE=tmp_path / "tasks.json")
    assert (tmp_path / "tasks.json").exists(), listed.stderr
    tasks = json.loads((tmp_path / "tasks.json").read_text())["tasks"]
    assert [task["samples"] for task in tasks] == [3, 3]
    for number, task in enumerate(tasks):
        chosen = {"version": 2, "eval_set_id": "both", "tasks": [{"identifier": task["identifier"]}]}
        (tmp_path / f"task-{number}.json").write_text(json.dumps(chosen))
        played = run_eval_set(tmp_path, INSPECT_EVAL_SET_SELECTION=tmp_path / f"task-{number}.json")
        assert played.returncode == 0, played.stderr
    logs = sorted(map(str, (tmp_path / "logs").glob("*.eval")))
    assert len(logs) == 2
    assert main(["score", *logs]) == 0
    table = capsys.readouterr().out
    assert table.count("gold → rule") >= 2
    assert table.count("played 3") == 2
