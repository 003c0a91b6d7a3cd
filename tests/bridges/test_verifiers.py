"""An evaluation of verifiers with a scripted model, in the environment that `make test-all` makes for it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.bridges.scripted_endpoint import scripted_endpoint

from groundling.runs.run import open_run
from groundling.runs.scoring import score_run

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "build" / "verifiers" / "bin" / "vf-eval"


def answer(asked: str) -> str:
    """Describe nothing, and choose the first grid; but never understand at first what grid is meant."""
    if "could not be used" in asked:
        return "Answer: first"
    return "hm" if "Which grid is meant?" in asked else "Expression: the one that I mean"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [{"giver": "gold"}, {}])
def test_verifiers_evaluates_a_scripted_model(seats: dict[str, str], tmp_path: Path) -> None:
    if not PROGRAM.exists():
        pytest.skip("verifiers is not installed in build/verifiers: make test-all does that")
    with scripted_endpoint(answer) as url:
        options: list[str | Path] = [
            "--client.base-url",
            url,
            "--no-rich",
            "--output-dir",
            tmp_path / "out",
            "-n",
            "4",
        ]
        options += ["--env.seats", json.dumps(seats), "--env.log", tmp_path / "run", "--no-push"]
        command: list[str | Path] = [PROGRAM, "groundling-verifiers", "-m", "scripted", *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    table = score_run(open_run(tmp_path / "run"))
    assert table["status"].to_list() == ["played"] * 4
    assert table["refused_follower"].to_list() == [1] * 4
    (traces,) = (tmp_path / "out").rglob("traces.jsonl")
    rewards = [
        trace["rewards"]["score"]["score"]
        for episode in map(json.loads, traces.read_text().splitlines())
        for trace in episode["traces"]
    ]
    assert len(rewards) == 4 * (2 if seats else 3)
    assert sum(rewards) == sum(table["success"]) * (2 if seats else 3)
