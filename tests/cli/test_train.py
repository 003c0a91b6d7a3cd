"""`groundling train`, with a trainer of the tests' own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from groundling.cli.main import main
from groundling.core.trainer import GROUP, Trainer, Training


class Options(Struct, frozen=True):
    epochs: Annotated[int, Meta(ge=1, description="how often all is gone through")] = 3


def train(training: Training) -> Sequence[str]:
    told = []
    for epoch in range(training.options.epochs):
        training.progress("learning", epoch, training.options.epochs)
        told.append(epoch)
    training.save(f"{told} {training.data.name} {training.splits}".encode())
    return [f"{training.out}: {len(told)} epochs"]


LOOK = Trainer(name="look", about="learns by looking", options=Options, train=train)
NOTHING = "not a trainer"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    known = {
        name: EntryPoint(name, f"tests.cli.test_train:{name.upper()}", GROUP) for name in ("look", "nothing")
    }
    for module in ("groundling.core.trainer", "groundling.cli.verbs"):
        monkeypatch.setattr(sys.modules[module], "installed_trainers", lambda: known)
    Path("data").mkdir()


def test_a_trainer_gets_its_options_and_writes_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "look", "--data", "data", "--epochs", "2", "-o", "out"]) == 0
    assert capsys.readouterr().out == "out: 2 epochs\n"
    assert Path("out").read_text() == "[0, 1] data None"


def test_a_trainer_gets_other_splits() -> None:
    Path("s.json").write_text('{"recipe": {"seed": 1}, "splits": {"train_a": ["x"]}}')
    assert main(["train", "look", "--data", "data", "--splits", "s.json", "-o", "out"]) == 0
    assert Path("out").read_text() == "[0, 1, 2] data {'train_a': ['x']}"


def test_ctrl_c_leaves_no_half_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out").write_text("an earlier one")

    def stop(file: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    assert main(["train", "look", "--data", "data", "-o", "out"]) == 130
    assert capsys.readouterr().err == "stopped; out was not written\n"
    assert {path.name for path in Path().iterdir()} == {"data", "out"}
    assert Path("out").read_text() == "an earlier one"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train"], "train which trainer? groundling train TRAINER: choose from look, nothing"),
        (["train", "chess"], "no trainer 'chess': choose from look, nothing"),
        (["train", "nothing", "--data", "data", "-o", "out"], "is not a Trainer but a str"),
        (["train", "look", "-o", "out"], "Missing option '--data'"),
        (["train", "look", "--data", "data"], "Missing option '-o'"),
        (["train", "look", "--data", "gone", "-o", "out"], "gone does not exist"),
        (["train", "look", "--data", "data", "-o", "no/out"], "no is not a folder"),
        (["train", "look", "--data", "data", "-o", "out", "--epochs", "0"], "--epochs 0: expected int >= 1"),
        (
            ["train", "look", "--data", "data", "-o", "out", "--splits", "gone.json"],
            "gone.json: No such file",
        ),
        (
            ["train", "look", "--data", "data", "-o", "out", "--splits", "bad.json"],
            "bad.json holds no splits",
        ),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.json").write_text("[]")
    assert main(words) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not Path("out").exists()
