"""`groundling train codraw-drawer` from the outside: what it leaves behind, alone and under torchrun."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling import __version__  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import pack_dialogs  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import LICENCE, train_drawer  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.recorded.dialog_files import dialog_files_checksum, load_dialog_files  # noqa: E402
from groundling.train.devices import select_device  # noqa: E402
from groundling.train.weights import load_weights  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def asked(data: Path, out: Path, steps: int = 4) -> list[str]:
    form = ["train", "codraw-drawer", "--model", "bilstm", "--half", "a", "--seed", "5"]
    return [*form, "--data", str(data), "--steps", str(steps), "-o", str(out)]


@pytest.mark.slow
def test_the_same_seed_leaves_the_same_bytes(
    narrated_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    folders = [tmp_path / "drawer", tmp_path / "other" / "drawer"]
    for folder in folders:
        assert main(asked(narrated_data, folder)) == 0
    one, other = ((folder / "weights.safetensors").read_bytes() for folder in folders)
    assert one == other
    assert "best after 4 steps: similarity" in capsys.readouterr().out


@pytest.mark.parametrize("trainer", ["codraw-drawer", "codraw-teller"])
def test_other_splits_and_grouped_halves_are_not_both_taken(
    trainer: str, narrated_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    splits = tmp_path / "splits.json"
    assert main(["data", "split", "codraw", str(narrated_data), "--halves", "random", "-o", str(splits)]) == 0
    words = ["--data", str(narrated_data), "--splits", str(splits), "--grouped", "-o", str(tmp_path / "x")]
    assert main(["train", trainer, *words]) == 2
    assert "--grouped has halves of its own" in capsys.readouterr().err


def test_its_card_says_what_it_was_made_from(narrated_data: Path, tmp_path: Path) -> None:
    assert main(asked(narrated_data, tmp_path / "drawer")) == 0
    card, _, _ = load_weights(tmp_path / "drawer")
    found = load_dialog_files(narrated_data)
    assert card.data == dialog_files_checksum(found)
    assert set(card.seen) == set(pack_dialogs(found).training_ids("a"))
    assert (card.half, card.plan.seed, card.plan.steps, card.job["model"]) == ("a", 5, 4, "bilstm")
    assert (card.version, card.licence) == (__version__, LICENCE)
    assert re.fullmatch("[0-9a-f]{64}", card.code)
    assert card.settings["words"] == len(card.words)
    lines = (tmp_path / "drawer" / "curve.jsonl").read_bytes().splitlines()
    assert [msgspec.json.decode(line)["step"] for line in lines][-1] == 4


@pytest.mark.slow
def test_under_torchrun_two_processes_learn_what_one_would_and_one_of_them_speaks(
    narrated_data: Path, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torchrun = ["-m", "torch.distributed.run", "--nproc_per_node", "2", "--master_port"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *torchrun, str(port), "-m", "groundling", *asked(narrated_data, tmp_path / "both")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("licence") == 1
    card, both, _ = load_weights(tmp_path / "both")
    assert (card.plan.steps, card.plan.batches) == (2, 2)
    plan = {"steps": 2, "batches": 2, "every": card.plan.every}
    job = Job(name="alone", model="bilstm", half="a", seed=5, plan=plan)
    (tmp_path / "alone").mkdir()
    train_drawer(
        pack_dialogs(load_dialog_files(narrated_data)), job, tmp_path / "alone", where=select_device()
    )
    alone = load_weights(tmp_path / "alone")[1]
    assert all(torch.equal(value, both[name]) for name, value in alone.items())


def test_the_whole_path_from_data_to_table_asks_for_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`papers/codraw/train.sh` with a groundling that only notes what it is asked for: each training is a new
    one, needs only what was trained before it, and has options that are known; and so are those of the games
    after them."""
    script = Path(__file__).parents[3] / "papers" / "codraw" / "train.sh"
    (tmp_path / "make").write_text('#!/bin/sh\necho make "$@"\n')
    (tmp_path / "make").chmod(0o755)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "minilm.safetensors").touch()
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GROUNDLING": "echo",
        "PYTHON": "echo",
        "SEEDS": "0",
    }
    done = subprocess.run(
        [script, "gone", tmp_path / "out"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    first, *lines = done.stdout.splitlines()
    table = lines.index(f"make codraw-table DATA=gone WEIGHTS={tmp_path / 'out'}")
    assert first == "make .venv/ready-dev"
    trainings, after = lines[:table], lines[table + 1 :]
    known: set[str] = set()
    for training in trainings:
        words = training.split()
        out = words[words.index("-o") + 1]
        given = [words[words.index(option) + 1] for option in ("--start", "--drawers") if option in words]
        needed = {name for names in given for name in names.split(",")}
        assert needed <= known
        assert out not in known
        known.add(out)
        assert main(words) == 2
        assert "gone does not exist" in capsys.readouterr().err
    runs = [line.split() for line in after if line.startswith("cross")]
    for words in runs:
        seats = {word for word in words if word.startswith("weights:")}
        assert {word.removeprefix("weights:").partition(",")[0] for word in seats} <= known
        assert main(words) == 2
        assert "gone" in capsys.readouterr().err
    assert [words[words.index("-o") + 1] for words in runs] == [
        str(tmp_path / "out" / "runs" / name) for name in ("asking", "peeking")
    ]
    assert after[-1] == f"-m papers.codraw curve {tmp_path / 'out'} --out {tmp_path / 'out' / 'curve.svg'}"
