"""Trainings: stopped in any way they go on as if they had not been, alone or several together they come to
the same."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.train.regress import PLAN, Line, main  # noqa: E402

from groundling.core.values import Problem  # noqa: E402
from groundling.train import training_loop  # noqa: E402
from groundling.train.training_plan import CHECKPOINT_FILE, TrainingPlan  # noqa: E402

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_loop, "CHECKPOINT_SECONDS", 60)
        main(folder)
    return folder


def start(folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.train.regress", str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
    )


def best(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = torch.load(folder / "best.pt")
    return found


def same(one: Path, other: Path) -> bool:
    return all(torch.equal(value, best(other)[name]) for name, value in best(one).items())


def curve(folder: Path) -> list[dict[str, float]]:
    """But for the time it took."""
    lines = msgspec.json.Decoder(dict[str, float]).decode_lines((folder / "curve.jsonl").read_bytes())
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


@pytest.mark.slow
def test_killed_at_any_moment_it_continues_as_if_nothing_had_happened(alone: Path, tmp_path: Path) -> None:
    lot = Random(os.getpid())
    for _ in range(2):
        process = start(tmp_path)
        assert process.stdout is not None
        for _ in range(lot.randint(1, 25)):
            process.stdout.readline()
        process.kill()
        process.wait()
    assert not (tmp_path / "best.pt").exists(), "it was killed before its end"
    with (tmp_path / "curve.jsonl").open("ab") as torn:
        torn.write(b'{"step": 9')
    main(tmp_path)
    assert same(alone, tmp_path)
    assert curve(alone) == curve(tmp_path)


@pytest.mark.slow
def test_two_processes_learn_what_one_does(alone: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    each = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    both = [start(tmp_path, **each, RANK=str(rank)) for rank in range(2)]
    for process in both:
        process.communicate(timeout=120)
        assert process.returncode == 0
    assert same(alone, tmp_path)
    measured = [line["closeness"] for line in curve(tmp_path)]
    assert measured == [line["closeness"] for line in curve(alone)], "only one of them writes"


def test_as_much_is_learned_from_however_many_share_a_plan() -> None:
    shared = replace(PLAN, batches=1, steps=61).for_processes(2)
    assert (shared.batches, shared.steps, shared.every, shared.warmup) == (2, 31, 2, 3)
    assert PLAN.for_processes(1) == PLAN


def test_it_stops_early_when_it_gets_no_better_and_keeps_the_best(tmp_path: Path) -> None:
    outcome = training_loop.train_task(
        Line(), replace(PLAN, rate=1.0, clip=0.0, steps=3000, patience=4), tmp_path
    )
    closeness = [line["closeness"] for line in curve(tmp_path)]
    assert outcome.finished
    assert len(closeness) < 1000
    assert closeness.index(max(closeness)) == len(closeness) - 5
    assert outcome.scores["closeness"] == max(closeness)
    assert outcome.step == 3 * (len(closeness) - 4)


class PacedLine(Line):
    def __init__(self) -> None:
        super().__init__()
        self.shares: list[float] = []

    def reach_share(self, done: float) -> None:
        self.shares.append(done)


def test_a_training_in_seconds_ends_with_its_time_and_is_measured_then(tmp_path: Path) -> None:
    plan = replace(PLAN, seconds=0.5, steps=1, every=10**9)
    task = PacedLine()
    outcome = training_loop.train_task(task, plan, tmp_path)
    assert outcome.finished
    assert outcome.done == len(task.shares) > 10
    assert task.shares == sorted(task.shares)
    assert task.shares[0] == 0
    assert 0.5 < task.shares[-1] < 1
    assert [line["step"] for line in curve(tmp_path)] == [outcome.done]
    assert training_loop.train_task(Line(), plan, tmp_path).idle


@pytest.mark.parametrize("other", [replace(PLAN, seed=4), replace(PLAN, steps=61)])
def test_a_folder_continues_with_its_own_plan_only(other: TrainingPlan, tmp_path: Path) -> None:
    training_loop.train_task(Line(), PLAN, tmp_path, asked="half a")
    with pytest.raises(Problem, match="another plan or other data: choose a new folder"):
        training_loop.train_task(Line(), other, tmp_path, asked="half a")
    with pytest.raises(Problem, match="another plan"):
        training_loop.train_task(Line(), PLAN, tmp_path, asked="half b")


def test_a_training_of_an_older_version_with_another_network_is_reported_in_one_line(tmp_path: Path) -> None:
    training_loop.train_task(Line(), PLAN, tmp_path)
    newer = Line()
    newer.model = torch.nn.Sequential(newer.model)
    with pytest.raises(
        Problem, match="begun by an older groundling, with another network: choose a new folder"
    ) as told:
        training_loop.train_task(newer, PLAN, tmp_path)
    assert "\n" not in str(told.value)


def test_a_checkpoint_that_was_cut_short_or_altered_is_reported_in_one_line(tmp_path: Path) -> None:
    training_loop.train_task(Line(), PLAN, tmp_path)
    file = tmp_path / CHECKPOINT_FILE
    whole = file.read_bytes()
    altered = whole.replace(b"best_step", b"best_st\xff\xff")
    for content in (whole[:-100], b"", b"nothing of the kind", altered):
        file.write_bytes(content)
        with pytest.raises(Problem, match="cannot be read: remove it") as told:
            training_loop.train_task(Line(), PLAN, tmp_path)
        assert "\n" not in str(told.value)
