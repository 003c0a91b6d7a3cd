"""Labels from a file break scores down, and scores are compared over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundling.cli import main
from groundling.runs.run_folder import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    seats = "--seat", "giver=gold", "--seat", "follower=random"
    assert main(["play", "reference", *seats, "--limit", "6", "-o", str(tmp_path / "run")]) == 0
    ids = [each.opened.instance.id for each in RunFolder(tmp_path / "run").read_transcripts()]
    rows = [f"{name},{who},{'hard' if n % 2 else 'easy'}" for n, name in enumerate(ids) for who in "ab"]
    rows += [f"{ids[0]},c,hard", f"{ids[1]},c,easy", f"{ids[1]},d,easy"]  # the second has no majority
    (tmp_path / "kinds.csv").write_text("\n".join(["item,annotator,label", *rows]))
    return tmp_path / "run"


def test_scores_are_broken_down_by_labels_from_a_file(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = f"kind={run.parent / 'kinds.csv'}"
    capsys.readouterr()
    assert main(["score", str(run), "--labels", labels, "--by", "kind"]) == 0
    told = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert ["easy", "3"] in told
    assert ["hard", "2"] in told
    assert main(["compare", str(run), "--labels", labels, "--over", "kind"]) == 0
    assert "Kruskal–Wallis over kind" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "option", "told"),
    [
        ("item,label\nnone,x\n", "kind={}",
         "no item of --labels kind, such as 'none', is an instance or a step of the run: "
         "items are the ids of instances, or ID-STEP"),
        ("a,b\n1,2\n", "kind={}", "{} needs a column of items and one of labels; it has a, b"),
        ("item,label\n", "{}", "--labels {} is not NAME=FILE: write it as in --labels level=labels.csv"),
        ("item,label\n", "kind={}x", "--labels kind={}x: {}x does not exist: name a table of labels"),
    ],
)  # fmt: skip
def test_labels_that_cannot_be_used_get_one_line(
    run: Path, capsys: pytest.CaptureFixture[str], content: str, option: str, told: str
) -> None:
    file = run.parent / "other.csv"
    file.write_text(content)
    capsys.readouterr()
    assert main(["score", str(run), "--labels", option.format(file), "--by", "kind"]) == 2
    assert capsys.readouterr().err == f"groundling: {told.format(file, file)}\n"
