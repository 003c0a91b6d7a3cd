"""What the network of `reader` learns from: other wordings, written procedures, no held-out image."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.games.hexagons.procedures import TINY_LLAMA, told_images

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.commands import report_problems
from papers.hexagons import written_procedures
from papers.hexagons.reader_sources import ReaderSources, add_hints, read_rewordings, tidy_programs
from papers.hexagons.train_reader import ROWS, SHARES, ReaderTraining, hold_out_images
from papers.hexagons.written_procedures import read_written_file

from groundling.cli import main
from groundling.core.values import Problem
from groundling.games.hexagons.neural.executor_trainer import GeneratorOptions
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.train.training_plan import CHECKPOINT_FILE
from groundling.train.weights import load_weights, read_weights_card

TOLD = [Procedure.from_image(image) for image in told_images()]
WRITTEN = """=== simple
A: Put a red dot on tile 3 of column 5.
B: red, third of the fifth column
paint red 3,5
---
A: Surround it in blue.
B: blue ring around it
paint blue around 3,5
"""


def test_a_written_step_is_told_by_two_writers_and_painted_by_its_program(tmp_path: Path) -> None:
    file = tmp_path / "w1.txt"
    file.write_text(WRITTEN + "=== simple\nA: Only one writer.\npaint red 3,5\n", "utf-8")
    images, problem = read_written_file(file)
    assert isinstance(images, list)
    assert isinstance(problem, Problem)
    assert "w1-2, step 1: a step needs a line for each of the writers A, B" in str(problem)
    assert {image.image for image in images} == {"w1-1"}
    assert [len(image.target.painted_tiles()) for image in images] == [7, 7]
    assert [image.steps[1].text for image in images] == ["Surround it in blue.", "blue ring around it"]


@pytest.mark.slow
def test_every_written_procedure_can_be_carried_out() -> None:
    files = sorted((Path(written_procedures.__file__).parent / "written").glob("*.txt"))
    found = [one for file in files for one in read_written_file(file)]
    assert found
    assert [str(one) for one in found if isinstance(one, Problem)] == []


def test_a_step_without_another_wording_keeps_its_words(tmp_path: Path) -> None:
    file = tmp_path / "01.txt"
    file.write_text(f"=== {TOLD[0].id}\n1A: In other words.\n1B: Differently.\n2B: And again.\n", "utf-8")
    one, other = read_rewordings(file, TOLD)
    assert one.texts == ("In other words.", *TOLD[0].texts[1:])
    assert other.texts == ("Differently.", "And again.", *TOLD[0].texts[2:])
    assert (one.image, one.boards) == (TOLD[0].image, TOLD[0].boards)


def test_rewordings_of_one_procedure_in_two_files_are_two_procedures(tmp_path: Path) -> None:
    found = []
    for name in ("01", "2-01"):
        file = tmp_path / f"{name}.txt"
        file.write_text(f"=== {TOLD[0].id}\n1A: In the words of {name}.\n1B: Differently.\n", "utf-8")
        found += read_rewordings(file, TOLD)
    assert len({one.id for one in found}) == 4
    file.write_text("=== nobody\n1A: Paint.\n1B: Paint.\n", "utf-8")
    with pytest.raises(Problem, match="there is no procedure nobody in train"):
        read_rewordings(file, TOLD)


def test_programs_are_kept_as_they_can_be_learned() -> None:
    programs = (
        "paint   red 3,5 # a dot",
        "paint red " + " ".join(f"{row},{column}" for row in range(1, 10) for column in range(1, 15)),
        "paint petal 3,5",
        "paint green inside (ring 5,5 1)",
    )
    boards = (TOLD[0].boards[0],) * (len(programs) + 1)
    found = tidy_programs(Procedure("1", "1", ("Paint.",) * len(programs), boards, programs))
    assert found.programs == ("paint red 3,5", "", "", programs[3])


def test_hints_are_kept_where_only_programs_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    known = add_hints(ReaderSources(TOLD[:1], [], [], TOLD[1:2], [], {}), None)
    asked = [replace(TOLD[0], programs=("paint red 3,5",) * len(TOLD[0].texts))]
    monkeypatch.setattr("papers.hexagons.reader_sources.hint_procedure", None)
    found = add_hints(ReaderSources(asked, [], [], TOLD[1:2], [], {}), known)
    assert found.hinted[asked[0].id] == replace(asked[0], texts=known.hinted[asked[0].id].texts)


def test_networks_that_are_measured_together_hold_out_the_images_of_all_seeds() -> None:
    apart = [{one.image for one in hold_out_images(TOLD, f"reader-{seed}")} for seed in range(3)]
    for seed in range(3):
        assert {one.image for one in hold_out_images(TOLD, f"reader-held-{seed}")} == set.union(*apart)
        assert hold_out_images(TOLD, f"reader-all-{seed}") == []


@pytest.mark.parametrize("row", ROWS)
def test_no_source_of_a_row_has_held_out_images_or_what_the_row_leaves_out(row: str) -> None:
    sources = add_hints(ReaderSources(TOLD[:3], TOLD[1:2], TOLD[2:3], TOLD[3:4], TOLD[4:5], {}), None)
    work = ReaderTraining(Path(), sources, GeneratorOptions())
    mixture = work.choose_mixture(row, {TOLD[0].image})
    assert [share for _, share in mixture] == list(SHARES.values())
    assert all(one.image != TOLD[0].image for part, _ in mixture for one in part)
    assert [name for name, (part, _) in zip(SHARES, mixture, strict=True) if not part] == [
        name for name in SHARES if name in ROWS[row].left_out
    ]
    people = [text for one in mixture[0][0] for text in one.texts]
    hinted = sum("\nRules (" in text for text in people)
    assert hinted == (0 if ROWS[row].writes == "words" else len(people) / 2)


def test_a_training_that_was_stopped_is_resumed_and_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = add_hints(ReaderSources(TOLD[:3], [], [], TOLD[3:4], TOLD[4:5], {}), None)
    like = GeneratorOptions(model="scratch", settings=json.dumps(TINY_LLAMA), batch=2, steps=2)
    folder = tmp_path / "reader-all-0"
    for deadline, told in ((0.0, "0 steps, stopped"), (None, "2 steps, {'f1'"), (None, "is trained already")):
        ReaderTraining(tmp_path, sources, like, deadline).train_row(folder.name, folder, "")
        assert told in capsys.readouterr().out
        assert (folder / CHECKPOINT_FILE).exists() == (deadline is not None)
    other = tmp_path / "small-0"
    ReaderTraining(tmp_path, sources, like).train_row(other.name, other, str(folder))
    assert read_weights_card(other).job["start"] == load_weights(folder)[2]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (Problem("there is no such folder"), "error: there is no such folder"),
        (
            FileNotFoundError(2, "none", "here.txt"),
            "error: here.txt cannot be read: give a file or folder that exists",
        ),
    ],
)
def test_a_command_says_in_one_line_what_is_wrong_with_its_input(trouble: Exception, told: str) -> None:
    @report_problems
    def main() -> None:
        raise trouble

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == told


def test_the_whole_path_from_data_to_tables_asks_for_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`papers/hexagons/train.sh` with commands that only note what they are asked for: each is known and has
    known options, and trainings come before what needs them."""
    script, out = Path(written_procedures.__file__).parent / "train.sh", tmp_path / "out"
    for folder in ("reader-all-0", "reader-all-1", "small-0", "runs/own"):
        (out / folder).mkdir(parents=True)
    for file in ("choice/hint", "choice-small/hint", "choice-together/programs"):
        (out / file).parent.mkdir()
        (out / f"{file}.choice.json").write_text(file, "utf-8")
    (out / "told-3-1.jsonl").touch()
    (tmp_path / "make").write_text('#!/bin/sh\necho make "$@"\n', "utf-8")
    (tmp_path / "make").chmod(0o755)
    named = {"PYTHON": "echo", "GROUNDLING": "echo groundling", "SEEDS": "0 1"}
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **named}
    done = subprocess.run(
        [script, "gone", out], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    ready, pip, *asked = map(str.split, done.stdout.splitlines())
    assert (ready, pip[:3]) == (["make", ".venv/ready-dev"], ["-m", "pip", "install"])
    trained, makes = set[str](), [words[1:] for words in asked if words[1] == "make"]
    assert len({words[words.index("--seed") + 1] for words in makes}) == len(makes) == 23
    few = [*makes[0][:3], "5", *makes[0][4:-1], str(tmp_path / "few.jsonl")]
    assert main(few) == 0
    for start, *words in asked:
        if start == "groundling" and words[0] != "make":
            assert main(words) == 2
            assert "gone does not exist" in capsys.readouterr().err
        elif start == "-m":
            if "--rows" in words:
                trained.add(str(out / words[words.index("--rows") + 1]))
            folders = {part for word in words for part in word.split("+") if "/" in part}
            assert {one for one in folders if re.search(r"/(reader|program)-", one)} <= trained
            monkeypatch.setattr(sys, "argv", words)
            with pytest.raises(SystemExit, match="error: "):
                import_module(words[0]).main()
    for name, choice in (("reader-all-0", "choice-together/programs"), ("reader-all-1", "choice/hint")):
        assert (out / name / "choice.json").read_text() == choice
